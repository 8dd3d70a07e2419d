"""All facts of a durak table as one frozen record: what an action replaces, what is saved, what is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.verdict import Forfeit
from croupier.durak.engine.actions import act, answer, from_json, to_json
from croupier.durak.engine.dealing import begun, start
from croupier.durak.engine.pack import cards_text, read_cards
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import MoveClass
from croupier.errors import InputError

#: The person's seat, and the opponent's.
YOU, OPPONENT = 0, 1

#: How games can end at a table; one that is called off does not count.
WON, DRAWN, LOST, CALLED_OFF = "won", "drawn", "lost", "called_off"
ENDINGS = (WON, DRAWN, LOST, CALLED_OFF)

#: How many games of the past are listed; the score counts all of them.
LISTED_GAMES = 50


@dataclass(frozen=True, slots=True)
class TableSetting:
    """How the next game is to be played: against whom, by which rules, and whether the winner of a game leads the next."""

    opponent: str
    rules: DurakRules
    winner_leads: bool = False


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that was played at the table."""

    number: int
    opponent: str
    ending: str
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move and what it cost: its number in the game, what was best, how good it was, and whose it was."""

    number: int
    played: MoveValue
    best: MoveValue
    loss: float
    move_class: MoveClass
    seat: int = YOU

    @property
    def error(self) -> float:
        """The standard error of the loss; 0 where both scores are proved, or are the same."""
        return self.played.loss_error(self.best)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """One table at some moment.

    Attributes
    ----------
    setting
        How it is played.
    seed, number
        What the cards come from, and the game's number from 0.
    game, movers
        The game as it stands, and which seat made each of its moves.
    forfeit, called_off
        How the game ended early, if it did: by a fault of the engine, or because the engine could not be brought back.
    has_coach
        Whether the coach speaks before and after every move.
    advice
        What each move is worth here, best first, if that was asked for.
    last_move
        What the last move cost, if the coach speaks.
    judged
        The review of the game, if it was asked for; None otherwise.
    score
        Games won, drawn and lost.
    past
        The most recent games before this one.
    is_undone
        Whether a move of this game was taken back; such a game does not count.
    origin
        The position from which an exercise is played; None for a game that was dealt. Exercises do not count.
    queue
        The positions of the exercises that come after this one.
    hides_advice
        Whether the coach is silent until the person has moved.
    """

    setting: TableSetting
    seed: int
    number: int
    game: GameState
    movers: tuple[int, ...] = ()
    forfeit: Forfeit | None = None
    called_off: bool = False
    has_coach: bool = False
    advice: tuple[MoveValue, ...] = ()
    last_move: JudgedMove | None = None
    judged: tuple[JudgedMove, ...] | None = None
    score: tuple[int, int, int] = (0, 0, 0)
    past: tuple[PastGame, ...] = ()
    is_undone: bool = False
    origin: GameState | None = None
    queue: tuple[GameState, ...] = ()
    hides_advice: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in whichever way."""
        return self.game.is_over or self.forfeit is not None or self.called_off

    @property
    def is_yours(self) -> bool:
        """Whether it is the person's turn."""
        return not self.is_over and self.game.to_act == YOU

    @property
    def is_opponents(self) -> bool:
        """Whether it is the opponent's turn."""
        return not self.is_over and self.game.to_act == OPPONENT

    @property
    def ending(self) -> str | None:
        """How the game ended for the person; None as long as it has not."""
        if self.called_off:
            return CALLED_OFF
        if self.forfeit is not None:
            return WON
        if not self.game.is_over:
            return None
        return {YOU: WON, OPPONENT: LOST, None: DRAWN}[self.game.winner]

    def answered(self, cards: Sequence[int]) -> "TableFacts":
        """Return the table after an answer of the player in turn."""
        seat = self.game.to_act
        if seat is None:
            raise IllegalMove("cannot answer: the game is over")
        return replace(self, game=answer(self.game, cards), movers=(*self.movers, seat))

    def to_state(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "table": "durak",
            "opponent": self.setting.opponent,
            "winner_leads": self.setting.winner_leads,
            "rules": self.setting.rules.to_saved(),
            "seed": self.seed,
            "number": self.number,
            "game": to_json(self.game),
            "forfeit": None if self.forfeit is None else self.forfeit.to_dict(),
            "called_off": self.called_off,
            "has_coach": self.has_coach,
            "advice": [_value_data(value) for value in self.advice],
            "last_move": None if self.last_move is None else _judged_data(self.last_move),
            "judged": None if self.judged is None else [_judged_data(move) for move in self.judged],
            "score": list(self.score),
            "past": [[game.number, game.opponent, game.ending, game.verdict] for game in self.past],
            **({"is_undone": True} if self.is_undone else {}),
            **({} if self.origin is None else self._exercise_state(self.origin)),
        }

    def _exercise_state(self, origin: GameState) -> dict[str, Any]:
        return {
            "origin": to_json(origin),
            "queue": [to_json(game) for game in self.queue],
            "hides_advice": self.hides_advice,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "TableFacts":
        """Read what :meth:`to_state` wrote.

        Raises
        ------
        InputError
            If the state is not that of a durak table.

        Examples
        --------
        >>> facts = dealt(TableSetting("durak-dummy", DurakRules()), seed=1, number=0)
        >>> TableFacts.from_state(facts.to_state()) == facts
        True
        >>> TableFacts.from_state({"table": "chess"})
        Traceback (most recent call last):
        croupier.errors.InputError: not a durak table
        """
        try:
            if state["table"] != "durak":
                raise InputError("not a durak table")
            won, drawn, lost = (int(count) for count in state["score"])
            game = from_json(state["game"])
            forfeit, last, judged = state["forfeit"], state["last_move"], state["judged"]
            return cls(
                setting=TableSetting(
                    str(state["opponent"]), DurakRules.create(state["rules"]), bool(state["winner_leads"])
                ),
                seed=int(state["seed"]),
                number=int(state["number"]),
                game=game,
                movers=movers_of(game),
                forfeit=None if forfeit is None else Forfeit.from_dict(forfeit),
                called_off=bool(state["called_off"]),
                has_coach=bool(state["has_coach"]),
                advice=tuple(_read_value(data) for data in state["advice"]),
                last_move=None if last is None else _read_judged(last),
                judged=None if judged is None else tuple(_read_judged(data) for data in judged),
                score=(won, drawn, lost),
                past=tuple(_read_past(data) for data in state["past"]),
                is_undone=bool(state.get("is_undone")),
                origin=None if state.get("origin") is None else from_json(state["origin"]),
                queue=tuple(from_json(text) for text in state.get("queue", ())),
                hides_advice=bool(state.get("hides_advice")),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"not a durak table ({type(error).__name__}: {error})") from None


def dealt(setting: TableSetting, seed: int, number: int, leader: int | None = None) -> TableFacts:
    """Return a table at the beginning of a game; the lowest trump leads unless somebody is named.

    >>> dealt(TableSetting("durak-dummy", DurakRules()), seed=1, number=0).game.deck_count
    24
    """
    deal = deal_of_pair(seed, number)
    game = start(setting.rules, deal.deck, deal.leader if leader is None else leader)
    return TableFacts(setting, seed, number, game)


def movers_of(game: GameState) -> tuple[int, ...]:
    """Play a game again, to see which seat made each move."""
    current = begun(game)
    movers = []
    for action in game.history:
        movers.append(YOU if current.to_act == YOU else OPPONENT)
        current = act(current, action)
    return tuple(movers)


def _value_data(value: MoveValue) -> list[Any]:
    return [cards_text(value.cards), value.expected_score, value.visits, value.is_exact]


def _read_value(data: Any) -> MoveValue:
    cards, score, visits, is_exact = data
    return MoveValue(read_cards(cards), float(score), int(visits), bool(is_exact))


def _judged_data(move: JudgedMove) -> dict[str, Any]:
    return {
        "number": move.number,
        "played": _value_data(move.played),
        "best": _value_data(move.best),
        "loss": move.loss,
        "class": str(move.move_class),
    }


def _read_judged(data: Any) -> JudgedMove:
    return JudgedMove(
        int(data["number"]),
        _read_value(data["played"]),
        _read_value(data["best"]),
        float(data["loss"]),
        MoveClass(data["class"]),
    )


def _read_past(data: Any) -> PastGame:
    number, opponent, ending, verdict = data
    if ending not in ENDINGS:
        raise InputError(f"not a durak table: no ending {ending!r}")
    return PastGame(int(number), str(opponent), str(ending), str(verdict))
