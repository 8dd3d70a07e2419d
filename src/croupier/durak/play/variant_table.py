"""A table for one person and built-in players, by any rules: the person sits in seat 0, games come one after another.

:class:`~croupier.durak.play.table.DurakTable` is the table for two by the rules of the protocol, with a coach and programs as opponents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import act, action_of, from_json, to_json
from croupier.durak.engine.dealing import next_leader, start
from croupier.durak.engine.observation import Observation, PassOn, Reply, observe
from croupier.durak.engine.pack import read_card
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, GameState, IllegalMove
from croupier.durak.play.game import PASSES
from croupier.durak.players.built_in import built_in_player
from croupier.durak.players.review import MoveReview, review
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream

#: The person's seat.
YOU = 0

#: Names the streams of the players' chance, apart from those that shuffle.
_PLAYERS_CHANCE = 2


class Told(NamedTuple):
    """A move that was made: by which seat, and what it was."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class VariantView:
    """What the person may see of a table.

    Attributes
    ----------
    seen
        The game as the person sees it.
    names
        The players by seat.
    counts
        How many cards each seat holds.
    known
        For each seat, the cards that everybody knows it to hold; none for the person.
    attacker, defender, turn
        The seats of this bout's attacker and defender, and the seat in turn; no turn once the game is over.
    number
        The game's number, from 1.
    moves
        Every move of the game.
    losers
        Who has lost; nobody in a draw, and as long as the game is not over.
    score
        Games won, drawn and lost by the person.
    review
        What the person's choices were worth, once that was asked for after the end of a game; None before.
    """

    seen: Observation
    names: tuple[str, ...]
    counts: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    attacker: int
    defender: int
    turn: int | None
    number: int
    moves: tuple[Told, ...]
    losers: tuple[int, ...]
    score: tuple[int, int, int]
    review: tuple[MoveReview, ...] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None


class VariantTable:
    """A table.

    Parameters
    ----------
    rules
        The rules of its games.
    opponents
        The built-in players of the other seats; one name stands for all.
    seed
        What the cards and the players' chance come from.

    Raises
    ------
    InputError
        If there is no such player, or the names are not one for each other seat.

    Examples
    --------
    >>> from croupier.durak.engine.rules import DURAK
    >>> table = VariantTable(DURAK.preset("perevodnoy").rules, ["durak-dummy"], seed=1)
    >>> while not table.view().is_over:
    ...     if table.view().turn == YOU:
    ...         table.play(table.usual_reply())
    ...     else:
    ...         table.let_others_move()
    >>> sum(table.view().score)
    1
    """

    def __init__(self, rules: DurakRules, opponents: Sequence[str], seed: int) -> None:
        names = list(opponents) * (rules.players - 1) if len(opponents) == 1 else list(opponents)
        if len(names) != rules.players - 1:
            raise InputError(
                f"{len(names)} opponents for {rules.players - 1} seats; name one for all, or one for each"
            )
        self._players = [built_in_player(name) for name in names]
        self.rules, self.seed = rules, seed
        self._number, self._score = 0, (0, 0, 0)
        self._review: tuple[MoveReview, ...] | None = None
        self._begin(None)

    @property
    def state(self) -> GameState:
        """The game as it stands, all cards open: for logs, not for the person."""
        return self._state

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return ("you", *(player.name for player in self._players))

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as plain JSON, hidden cards and seed included."""
        return {
            "table": "durak variant",
            "opponents": [player.name for player in self._players],
            "seed": self.seed,
            "number": self._number,
            "score": list(self._score),
            "game": to_json(self._state),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Restore a table that was saved.

        Raises
        ------
        InputError
            If the state is not that of such a table.

        Examples
        --------
        >>> table = VariantTable(DurakRules(players=3), ["durak-dummy"], seed=1)
        >>> VariantTable.from_state(table.to_state()).view() == table.view()
        True
        """
        try:
            if state["table"] != "durak variant":
                raise InputError("not a durak table for variants")
            game = from_json(state["game"])
            table = cls(game.rules, [str(name) for name in state["opponents"]], int(state["seed"]))
            won, drawn, lost = (int(count) for count in state["score"])
            table._number, table._score = int(state["number"]), (won, drawn, lost)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"not a durak table ({type(error).__name__}: {error})") from None
        table._state = start(game.rules, game.deck, game.leader)
        table._moves = []
        for action in game.history:
            table._moves.append(Told(table._seat_in_turn, action))
            table._state = act(table._state, action)
        return table

    @property
    def _seat_in_turn(self) -> int:
        seat = self._state.to_act
        if seat is None:
            raise AssertionError("an action was done in a game that is over")
        return seat

    def view(self) -> VariantView:
        """Return what the person may know."""
        state, seen = self._state, observe(self._state, YOU)
        if seen.variant is None:
            known: tuple[tuple[int, ...], ...] = ((), seen.known_enemy)
        else:
            known = ((), *seen.variant.known[1:])
        return VariantView(
            seen=seen,
            names=self.names,
            counts=tuple(len(hand) for hand in state.hands),
            known=known,
            attacker=state.attacker,
            defender=state.defender,
            turn=state.to_act,
            number=self._number + 1,
            moves=tuple(self._moves),
            losers=state.losers,
            score=self._score,
            review=self._review,
        )

    def play(self, reply: Reply) -> None:
        """Answer for the person; a refused answer changes nothing.

        Raises
        ------
        IllegalMove
            If it is not the person's turn, or the rules do not allow the answer.
        """
        if self._state.to_act != YOU:
            raise IllegalMove(
                "cannot play: " + ("the game is over" if self._state.is_over else "it is not your turn")
            )
        self._do(reply)

    def let_others_move(self) -> None:
        """Let the player in turn move, if that is not the person."""
        seat = self._state.to_act
        if seat is None or seat == YOU:
            return
        seed = RandomStream((self.seed, self._number, _PLAYERS_CHANCE, seat)).below(2**63)
        self._do(self._players[seat - 1].answer(self._state, seed))

    def usual_reply(self) -> Reply:
        """Return what the sample engine would do in the person's place."""
        return built_in_player("durak-dummy").answer(self._state, seed=0)

    def judge(self) -> None:
        """Judge the person's choices in the game that is over, by what could be known when they were made.

        Raises
        ------
        IllegalMove
            If the game is not over.
        """
        if not self._state.is_over:
            raise IllegalMove("cannot review: the game is not over")
        self._review = review(self._state, seats=[YOU])

    def deal_next(self) -> None:
        """Begin the next game; one that is not over is dropped and does not count."""
        leader = next_leader(self._state) if self._state.is_over else None
        self._number += 1
        self._begin(leader)

    def _begin(self, leader: int | None) -> None:
        deal = deal_of_pair(self.seed, self._number, self.rules)
        self._state = start(self.rules, deal.deck, deal.leader if leader is None else leader)
        self._moves: list[Told] = []
        self._review = None

    def _do(self, reply: Reply) -> None:
        """Take over a move, and those answers of the person that can only be nothing: no card can be thrown in."""
        action = action_of(self._state, reply)
        after = act(self._state, action)
        self._moves.append(Told(self._seat_in_turn, action))
        self._state = after
        if after.is_over:
            won, drawn, lost = self._score
            points = after.points(YOU)
            self._score = (won + (points == 1), drawn + (points == 0.5), lost + (points == 0))
        elif after.to_act == YOU and after.phase is Phase.THROW_IN and not observe(after, YOU).playable:
            self._do(())


def read_reply(text: str, seen: Observation, rules: DurakRules) -> Reply:
    """Read what a person has typed: cards, ``pass 7C`` or ``show 7C`` to pass the attack on, or the word for no card.

    A single card that does not beat and can pass the attack on does that.

    Raises
    ------
    InputError
        If these are no cards of the pack.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> rules = DurakRules(players=3)
    >>> seen = observe(start(rules, rules.cards), 0)
    >>> read_reply("6h", seen, rules), read_reply("pass 6s", seen, rules), read_reply("done", seen, rules)
    ((18,), PassOn(card=19, is_shown=False), ())
    """
    words = text.replace(",", " ").upper().replace("10", "T").split()
    if words == [PASSES.get(seen.phase, "").upper()]:
        return ()
    if len(words) == 2 and words[0] in ("PASS", "SHOW"):
        return PassOn(read_card(words[1], rules.cards), is_shown=words[0] == "SHOW")
    cards = tuple(read_card(word, rules.cards) for word in words)
    is_transfer = seen.variant is not None and len(cards) == 1 and cards[0] in seen.variant.transfers
    return PassOn(cards[0]) if is_transfer and cards[0] not in seen.playable else cards
