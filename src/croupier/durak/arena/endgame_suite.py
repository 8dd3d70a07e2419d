"""A test suite of end games with proven values, which shows whether an engine keeps what it has.

The positions come from games of the sample engine against random play. They are solved exactly, and kept where the choice matters. The
file is made from a seed by :func:`made_suite`; a test makes its beginning again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.player import EnginePlayer
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import EngineFault
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK, PACK_SIZE, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import (
    GAME_END,
    QUESTIONS,
    AnswerError,
    deal_line,
    init_line,
    parse_answer,
    question,
)
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.endgame import EndgameSolver, Outcome
from croupier.durak.players.random_player import RandomPolicy

#: What the suite is made from: the seed of its games, how many positions, and how many cards both hands may hold together.
SUITE_SEED, SUITE_SIZE, _FEWEST_CARDS, _MOST_CARDS = 2026, 100, 6, 14

_FILE = "endgames.txt"
_PHASES = {name: phase for phase, name in QUESTIONS.items()}


@dataclass(frozen=True, slots=True)
class EndgamePosition:
    """A position with an empty stock, and what it is worth.

    Attributes
    ----------
    trump, phase, hand, enemy, table
        The position as the player in turn knows it; the rest of the pack is out of play.
    value
        How the game ends with best play, for the player in turn.
    keeping
        The answers that keep this value; an empty one is done or take.
    """

    trump: int
    phase: Phase
    hand: tuple[int, ...]
    enemy: tuple[int, ...]
    table: tuple[int, ...]
    value: Outcome
    keeping: tuple[tuple[int, ...], ...]

    def to_line(self) -> str:
        """Write the position as a line of the suite."""
        keeping = ", ".join(cards_text(cards) or "-" for cards in self.keeping)
        parts = (
            cards_text([self.trump]),
            QUESTIONS[self.phase],
            cards_text(self.hand),
            cards_text(self.enemy),
            cards_text(self.table) or "-",
            self.value.name.lower(),
            keeping,
        )
        return " | ".join(parts)

    @classmethod
    def from_line(cls, line: str) -> "EndgamePosition":
        """Read a line of the suite.

        >>> line = "8H | move | 6C AH | 7C 6D | - | win | AH"
        >>> EndgamePosition.from_line(line).to_line() == line
        True
        """
        trump, command, hand, enemy, table, value, keeping = (part.strip() for part in line.split("|"))
        return cls(
            read_card(trump),
            _PHASES[command],
            read_cards(hand),
            read_cards(enemy),
            read_cards(table.replace("-", "")),
            Outcome[value.upper()],
            tuple(read_cards(cards.replace("-", "")) for cards in keeping.split(",")),
        )

    @property
    def state(self) -> GameState:
        """The position as a game; the player in turn has the first seat."""
        inside = {*self.hand, *self.enemy, *self.table, self.trump}
        gone = tuple(card for card in PACK if card not in {*self.hand, *self.enemy, *self.table})
        deck = (
            *(card for card in PACK if card not in inside),
            *(card for card in PACK if card in inside and card != self.trump),
        )
        begun = start(DurakRules(), (*deck, self.trump), leader=0 if self.phase is Phase.ATTACK else 1)
        return replace(
            begun,
            hands=(self.hand, self.enemy),
            dealt=(self.hand, self.enemy),
            drawn=PACK_SIZE,
            table=self.table,
            discarded=gone,
            bout=9,
        )


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    """What an engine answered to a position, and whether it kept the value; a fault does not."""

    position: EndgamePosition
    answer: str
    is_kept: bool


def read_suite() -> tuple[EndgamePosition, ...]:
    """Return the positions of the suite.

    >>> len(read_suite()) == SUITE_SIZE
    True
    """
    text = (files("croupier.durak.arena.suites") / _FILE).read_text(encoding="utf-8")
    return tuple(EndgamePosition.from_line(line) for line in text.splitlines() if not line.startswith("#"))


def made_suite(seed: int = SUITE_SEED, size: int = SUITE_SIZE) -> Iterator[EndgamePosition]:
    """Make the positions of a suite from a seed: one of each game, where the choice matters."""
    solver, number, found = EndgameSolver(), 0, 0
    while found < size:
        position = _position_of(seed, number, solver)
        number += 1
        if position is not None:
            found += 1
            yield position


def _position_of(seed: int, number: int, solver: EndgameSolver) -> EndgamePosition | None:
    """Play a game and return its first end game in which some answers keep the value and others do not."""
    deal = deal_of_pair(seed, number)
    state = start(DurakRules(), deal.deck, deal.leader)
    policies = (dummy_policy, RandomPolicy(number))
    while (seat := state.to_act) is not None:
        seen = observe(state, seat)
        cards = len(state.hands[0]) + len(state.hands[1])
        if (
            not state.deck_count
            and state.phase is not Phase.THROW_IN
            and _FEWEST_CARDS <= cards <= _MOST_CARDS
        ):
            values = solver.solve(seen)
            if values is not None and len(set(values.values())) > 1:
                best = max(values.values())
                keeping = tuple(sorted(cards for cards, value in values.items() if value is best))
                enemy = tuple(sorted(state.hands[1 - seat]))
                return EndgamePosition(
                    state.trump, state.phase, tuple(sorted(seen.hand)), enemy, state.table, best, keeping
                )
        state = answer(state, policies[seat](seen))
    return None


def try_engine(
    spec: EngineSpec, limits: Limits | None = None, positions: Sequence[EndgamePosition] | None = None
) -> Iterator[SuiteAnswer]:
    """Ask an engine for its answer in every position, each in a new game; yields them as they come.

    Parameters
    ----------
    spec
        The engine.
    limits
        How long an answer may take.
    positions
        By default those of the suite.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> only = EndgamePosition.from_line("8H | move | 6C AH | 7C 6D | - | win | AH")
    >>> [(told.answer, told.is_kept) for told in try_engine(read_engine("durak-dummy"), positions=[only])]
    [('6C', False)]
    """
    with Roster() as roster:
        player = EnginePlayer(spec, limits or Limits(), roster)
        for position in read_suite() if positions is None else positions:
            yield _asked(player, position)


def _asked(player: EnginePlayer, position: EndgamePosition) -> SuiteAnswer:
    state = position.state
    asked = question(state)
    if asked is None:
        raise AssertionError("the game of a position is not over")
    player.sit_down()
    at_fault = False
    try:
        for line in (init_line(state.trump), deal_line(state, 0)):
            player.confirm(line)
        text = player.ask(asked.line, lambda: observe(state, 0))
        cards = parse_answer(text, state.phase)
        answer(state, cards)
        is_kept = set(cards) in [set(keeping) for keeping in position.keeping]
    except (AnswerError, EngineFault, IllegalMove) as fault:
        at_fault, text, is_kept = True, str(fault), False
    player.leave(GAME_END, at_fault=at_fault)
    return SuiteAnswer(position, text, is_kept)
