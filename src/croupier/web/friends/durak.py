"""Durak for friends: person against person, or any variant for two to six, with engines on empty seats."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field

from croupier.choices import Choice
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import act, action_of, from_json, to_json
from croupier.durak.engine.dealing import next_leader, start
from croupier.durak.engine.observation import PassOn, Reply, observe
from croupier.durak.engine.pack import read_card
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import Action, GameState
from croupier.durak.players.built_in import built_in_player
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.saved_state import Saved, read_saved
from croupier.texts import say
from croupier.web.friends.game import not_possible
from croupier.web.friends.payments import Payment
from croupier.web.friends.seats import Seats

KIND = "durak"

#: Names the streams of the engines' chance, apart from those that shuffle.
_ENGINES_CHANCE = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A move that everybody has seen: by which seat, and what it was."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class DurakEvening:
    """Games one after another.

    Whoever is asked answers, even if there is only one answer: that a seat passed before its owner could have clicked would tell
    the others that no card fitted.

    Attributes
    ----------
    rules, engine, seed
        The rules, the built-in engine of empty seats, and what the cards and its chance come from.
    number
        How many games were begun.
    state, moves
        The game on the table and its moves; None before the first.
    totals
        How often each seat was the fool.
    drawn
        How many games were drawn.

    Examples
    --------
    >>> from croupier.web.friends.seats import Seat
    >>> seats = (Seat("Ann"), Seat("Ben"))
    >>> evening = DurakEvening(DurakRules(), "durak-dummy", seed=1).act(0, "deal", seats)
    >>> evening.number, evening.is_playing
    (1, True)
    """

    rules: DurakRules
    engine: str
    seed: int
    number: int = 0
    state: GameState | None = None
    moves: tuple[Played, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)
    drawn: int = 0

    kind = KIND
    is_filled = True

    def __post_init__(self) -> None:
        built_in_player(self.engine)  # refuses an unknown one

    @property
    def title(self) -> str:
        """The game and its rules in a line."""
        return say("friends.title.durak", players=self.rules.players, rules=DURAK.describe(self.rules))

    @property
    def largest(self) -> int:
        """How many play."""
        return self.rules.players

    @property
    def is_playing(self) -> bool:
        """Whether a game is under way."""
        return self.state is not None and not self.state.is_over

    def plays(self, seat: int) -> bool:
        """Say whether a seat takes part in the game that is under way: all do."""
        return self.is_playing and seat < self.rules.players

    def turn(self, seats: Seats) -> int | None:
        """Return the seat that has to act; None between games, when anybody can deal."""
        del seats
        return None if self.state is None else self.state.to_act

    def moment(self, seat: int) -> str:
        """Return the game, and how many moves have been made."""
        del seat
        return f"{self.number}/{len(self.moves)}" if self.is_playing else f"{self.number}/deal"

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """Return what a seat can do now, apart from playing cards."""
        if not self.is_playing or self.state is None:
            label = say("friends.do.next" if self.number else "banluck.do.deal")
            return (Choice("deal", label, "Enter"),)
        if self.state.to_act != seat:
            return ()
        seen = observe(self.state, seat)
        return (Choice("pass", say(f"friends.do.{_PASSING[seen.phase]}"), "Enter"),) if seen.can_pass else ()

    def act(self, seat: int, name: str, seats: Seats, cents: int | None = None) -> "DurakEvening":
        """Do what a seat has chosen: ``deal``, ``pass``, ``play 7C 7D``, ``transfer 7H`` or ``show 7H``."""
        del cents, seats
        word, *cards = name.split()
        if word == "deal" and not self.is_playing:
            return self._dealt()
        if self.state is None or not self.is_playing:
            raise not_possible(name, self.choices(seat))
        if self.state.to_act != seat:
            raise InputError(say("friends.refused.turn"))
        if word not in ("pass", "play", "transfer", "show"):
            raise InputError(
                say("friends.refused.not_possible", name=name, offered="play, pass, transfer, show")
            )
        played = tuple(read_card(card, self.rules.cards) for card in cards)
        if word in ("transfer", "show") and len(played) != 1:
            raise InputError(say("friends.refused.one_card", word=word, count=len(played)))
        if (word == "pass") == bool(played):
            raise InputError(say("friends.refused.pass_or_play"))
        reply: Reply = PassOn(played[0], is_shown=word == "show") if word in ("transfer", "show") else played
        return self._done(seat, action_of(self.state, reply))

    def sat_out(self, seat: int) -> "DurakEvening":
        """Refuse: every seat plays."""
        raise InputError(say("friends.refused.no_sitting_out", number=seat + 1))

    def engine_moved(self, seats: Seats) -> "DurakEvening | None":
        """Let the engine of the seat in turn move."""
        seat = self.turn(seats)
        if seat is None or self.state is None or not seats[seat].is_engine:
            return None
        seed = RandomStream((self.seed, self.number, _ENGINES_CHANCE, seat)).below(2**63)
        reply = built_in_player(self.engine).answer(self.state, seed)
        return self._done(seat, action_of(self.state, reply))

    def _dealt(self) -> "DurakEvening":
        leader = None if self.state is None else next_leader(self.state)
        deal = deal_of_pair(self.seed, self.number, self.rules)
        state = start(self.rules, deal.deck, deal.leader if leader is None else leader)
        return replace(self, number=self.number + 1, state=state, moves=())

    def _done(self, seat: int, action: Action) -> "DurakEvening":
        assert self.state is not None, "a game is under way"
        state = act(self.state, action)
        after = replace(self, state=state, moves=(*self.moves, Played(seat, action)))
        if not state.is_over:
            return after
        totals = {**self.totals, **{loser: self.totals.get(loser, 0) + 1 for loser in state.losers}}
        return replace(after, totals=totals, drawn=self.drawn + (not state.losers))

    def payments(self, seats: Seats) -> tuple[Payment, ...]:
        """Durak is played for honour."""
        del seats
        return ()

    def view(self, seat: int | None, seats: Seats) -> Any:
        """Return what a seat may see."""
        from croupier.web.friends.durak_view import view_of  # noqa: PLC0415 - it is made of this

        return view_of(self, seat, seats)

    def to_state(self) -> dict[str, Any]:
        """Return the evening as plain JSON, hidden cards and seed included."""
        saved = _Saved(
            rules=self.rules.to_saved(),
            engine=self.engine,
            seed=self.seed,
            number=self.number,
            game=None if self.state is None else to_json(self.state),
            totals=dict(self.totals),
            drawn=self.drawn,
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "DurakEvening":
        """Read an evening back, in the middle of a game if it was left there.

        Raises
        ------
        InputError
            If it is not such an evening.
        """
        saved = read_saved(_Saved, state, "not a saved evening of durak")
        rules = DurakRules.create(saved.rules)
        evening = cls(rules, saved.engine, saved.seed, saved.number, totals=saved.totals, drawn=saved.drawn)
        if saved.game is None:
            return evening
        game = from_json(saved.game)
        if game.rules != rules:
            raise InputError("not a saved evening of durak: the game has other rules")
        position, moves = start(rules, game.deck, game.leader), []
        for action in game.history:
            assert position.to_act is not None, "an action was done, so somebody was in turn"
            moves.append(Played(position.to_act, action))
            position = act(position, action)
        return replace(evening, state=position, moves=tuple(moves))


#: What playing no card means, by phase.
_PASSING = {
    Phase.ATTACK: "done",
    Phase.DEFEND: "take",
    Phase.THROW_IN: "throw_nothing",
}


class _Saved(Saved):
    """An evening in JSON."""

    rules: dict[str, Any]
    engine: str
    seed: int = Field(ge=0)
    number: int = Field(ge=0)
    game: str | None
    totals: dict[int, int]
    drawn: int = Field(ge=0)
