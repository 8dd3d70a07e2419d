"""A whole shoe as a test: bet, play and keep the count without help, and read a report at the end."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from croupier.blackjack.engine import Action, ActionKind, Session, legal_actions
from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.play.coach import advise, verify_advise
from croupier.blackjack.play.count import seen_cards
from croupier.blackjack.play.counter_book import SPREAD, CounterBook
from croupier.blackjack.play.phrases import KEYS, label_of, prompt_of, way_phrase
from croupier.blackjack.play.view import DealerView, SeatView, dealer_view, seat_view
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS
from croupier.blackjack.solvers.chart_moves import first_move, move_of, row_of_hand
from croupier.cards import point_class
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.saved_state import Saved, SavedText, read_saved
from croupier.texts import in_row, say

#: After a round the running count is asked with a chance of one in so many.
_COUNT_EVERY = 4

#: Mistakes that a report lists, the dearest first.
_LISTED = 8

#: What is tested.
KINDS = ("bet", "play", "count")

Phase = Literal["bet", "play", "count", "over"]


class Mistake(Saved):
    """Something that was not right: in which round, what it was, and its price in units."""

    round: int
    kind: Literal["bet", "play", "count"]
    text: SavedText
    cost: float


class SavedShoeTest(Saved):
    """A test as it is saved: playing the answers again leads to the same table."""

    seed: int
    answers: list[str]
    asked: dict[str, int]
    mistakes: list[Mistake]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One kind of decision in a report: how many, how many of them wrong, and their price in units."""

    kind: str
    asked: int
    wrong: int
    cost: float


@dataclass(frozen=True, slots=True)
class ShoeReport:
    """What a shoe came to.

    Attributes
    ----------
    rounds, won
        Rounds played, and units won.
    lines
        By kind of decision.
    cost, cost_per_100
        What all mistakes cost in units, and in 100 rounds at this rate.
    mistakes
        The dearest mistakes.
    """

    rounds: int
    won: float
    lines: tuple[ReportLine, ...]
    cost: float
    cost_per_100: float
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """Everything about a test at one moment; an answer replaces it as a whole."""

    session: Session
    phase: Phase
    answers: tuple[str, ...]
    asked: Mapping[str, int]
    mistakes: tuple[Mistake, ...]


class ShoeTest:
    """One shoe to its cut card. The count is never shown: bets, plays and counts are judged by the right one.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules
    >>> from croupier.blackjack.play.counter_book import counter_book
    >>> test = ShoeTest.opened(counter_book(BlackjackRules(decks=1)), seed=4)
    >>> test.phase, test.answer("1")
    ('bet', None)
    >>> test.phase
    'play'
    """

    def __init__(self, book: CounterBook, position: _Position) -> None:
        self._book, self._now = book, position

    @classmethod
    def opened(cls, book: CounterBook, seed: int) -> Self:
        """Shuffle a shoe."""
        verify_advise(book.rules)
        return cls(book, _Position(Session.opened(book.rules, seed), "bet", (), dict.fromkeys(KINDS, 0), ()))

    @property
    def phase(self) -> Phase:
        """What is asked now."""
        return self._now.phase

    @property
    def running(self) -> int:
        """The right running count of all cards seen so far."""
        system = self._book.strategy.system
        seen = seen_cards(self._now.session)
        return system.initial_count(self._book.decks) + sum(system.tag(card) for card in seen)

    @property
    def count(self) -> int:
        """The right count to bet and play by."""
        session = self._now.session
        return self._book.count_of(self.running, len(session.shoe.order) - len(seen_cards(session)))

    @property
    def cards_out(self) -> int:
        """How many cards lie in the discard tray."""
        session = self._now.session
        on_table = 0 if session.table is None else len(session.table.state.dealt_cards)
        return session.shoe.cards_used - (0 if session.is_between_rounds else on_table)

    @property
    def table(self) -> tuple[DealerView, SeatView] | None:
        """The cards on the table, as far as they are seen."""
        table = self._now.session.table
        return None if table is None else (dealer_view(table.state), seat_view(table.state, 0))

    @property
    def prompt(self) -> str:
        """What is asked now, in words."""
        table = self._now.session.table
        if self.phase == "play" and table is not None:
            return prompt_of(table.state)
        return say(f"training.shoe.{self.phase}", most=4 * SPREAD)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be chosen; nothing where a number is asked."""
        if self.phase != "play":
            return ()
        kinds = [action.kind for action in self._legal()]
        return tuple(Choice(kind.value, label_of(kind), key) for kind, key in KEYS.items() if kind in kinds)

    @property
    def report(self) -> ShoeReport:
        """What the shoe has come to so far."""
        now = self._now
        costs: dict[str, float] = defaultdict(float)
        wrong: dict[str, int] = defaultdict(int)
        for mistake in now.mistakes:
            costs[mistake.kind] += mistake.cost
            wrong[mistake.kind] += 1
        total = now.session.total
        rounds, cost = total.rounds, sum(costs.values())
        return ShoeReport(
            rounds,
            total.result / self._book.rules.minimum_bet,
            tuple(ReportLine(kind, now.asked[kind], wrong[kind], costs[kind]) for kind in KINDS),
            cost,
            100.0 * cost / max(rounds, 1),
            tuple(sorted(now.mistakes, key=lambda mistake: -mistake.cost)[:_LISTED]),
        )

    def answer(self, text: str) -> None:
        """Answer what is asked: units to bet, a play, or the running count."""
        match self.phase:
            case "bet":
                self._bet(text)
            case "play":
                self._play(text)
            case "count":
                self._say_count(text)
            case _:
                raise InputError(say("training.refused.over"))

    def _bet(self, text: str) -> None:
        units = _whole(text)
        most = min(4 * SPREAD, int(self._book.rules.maximum_bet / self._book.rules.minimum_bet))
        if not 1 <= units <= most:
            raise InputError(say("training.refused.units", most=most))
        right, cost = self._book.bet(self.count), self._book.bet_cost(self.count, units)
        mistake = say("training.mistake.bet", right=right, answer=units, count=self.count)
        self._judged("bet", units == right, mistake, cost)
        self._moved(self._now.session.start_round([units * self._book.rules.minimum_bet]).advanced(), text)

    def _play(self, name: str) -> None:
        legal = {action.kind.value: action for action in self._legal()}
        if name not in legal:
            raise InputError(
                say(
                    "training.refused.play",
                    answer=name,
                    offered=in_row([way_phrase(known) for known in legal]),
                )
            )
        session = self._now.session
        advice = advise(session, tuple(legal.values()))
        right = self._advised(tuple(legal), advice.best)
        units = session.table.state.seats[0].bet / self._book.rules.minimum_bet if session.table else 1.0
        cost = max(advice.worths[right] - advice.worths[name], 0.0) * units
        what = say(
            "training.mistake.play",
            asked=self.prompt,
            right=way_phrase(right),
            answer=way_phrase(name),
            count=self.count,
        )
        self._judged("play", name == right or cost == 0, what, cost)
        self._moved(session.act(legal[name]).advanced(), name)

    def _say_count(self, text: str) -> None:
        said, right = _whole(text), self.running
        session = self._now.session
        left = len(session.shoe.order) - len(seen_cards(session))
        cost = self._book.bet_cost(self.count, self._book.bet(self._book.count_of(said, left)))
        self._judged("count", said == right, say("training.mistake.count", right=right, answer=said), cost)
        self._now = replace(self._now, answers=(*self._now.answers, text), phase=self._next_phase())

    def _advised(self, names: tuple[str, ...], best: str) -> str:
        """Return what chart and indices do at the right count; on early surrenders and doubled hands, what is best from the cards seen."""
        if ActionKind.INSURE.value in names:
            index = self._book.strategy.indices.insurance
            return "insure" if index is not None and self.count >= index else "decline"
        if ActionKind.KEEP.value in names:
            return best
        table = self._now.session.table
        assert table is not None, "a round is being played"
        state, turn = table.state, table.state.turn
        assert turn is not None, "a player is to decide"
        assert state.up_card is not None, "the cards are dealt"
        hand = state.seats[turn.seat].hands[turn.hand]
        if hand.is_doubled:  # a chart says nothing of doubling again or giving up what was doubled
            return best
        allowed = Allowed.of(*(Move(name) for name in names))
        chart, up_card = self._book.chart_at(self.count), point_class(state.up_card)
        if len(hand.cards) == 2:
            first, second = (point_class(card) for card in hand.cards)
            return first_move(chart, first, second, up_card, allowed, self._book.rules).value
        value = state.hand_value(*turn)
        code = chart[ROWS[row_of_hand(value.total, value.is_soft)], UP_CARDS[up_card]]
        return (move_of(code, allowed, self._book.rules) or Move.STAND).value

    def _judged(self, kind: Literal["bet", "play", "count"], is_right: bool, text: str, cost: float) -> None:
        now = self._now
        asked = {**now.asked, kind: now.asked[kind] + 1}
        mistakes = now.mistakes
        if not is_right:
            number = now.session.total.rounds + (kind != "count")
            mistakes = (*mistakes, Mistake(round=number, kind=kind, text=text, cost=cost))
        self._now = replace(now, asked=asked, mistakes=mistakes)

    def _moved(self, session: Session, answer: str) -> None:
        """Go on to the next decision, or to what comes after the round."""
        self._now = replace(self._now, session=session, answers=(*self._now.answers, answer))
        if not session.is_between_rounds:
            self._now = replace(self._now, phase="play")
            return
        number = session.total.rounds
        asks = RandomStream((session.seed, number, 1)).below(_COUNT_EVERY) == 0
        self._now = replace(self._now, phase="count" if asks else self._next_phase())

    def _next_phase(self) -> Phase:
        return "over" if self._now.session.shoe.needs_shuffle else "bet"

    def _legal(self) -> tuple[Action, ...]:
        table = self._now.session.table
        return () if table is None else tuple(legal_actions(table.state))

    def to_state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        now = self._now
        saved = SavedShoeTest(
            seed=now.session.seed,
            answers=list(now.answers),
            asked=dict(now.asked),
            mistakes=list(now.mistakes),
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, book: CounterBook, state: Mapping[str, Any]) -> Self:
        """Read a test back by playing its answers again; they are not priced again."""
        saved = read_saved(SavedShoeTest, state, "saved shoe test")
        test = cls.opened(book, saved.seed)
        for answer in saved.answers:
            test._replayed(answer)
        if set(saved.asked) != set(KINDS) or sum(saved.asked.values()) != len(saved.answers):
            raise InputError("saved shoe test: the answers do not add up")
        test._now = replace(test._now, asked=saved.asked, mistakes=tuple(saved.mistakes))
        return test

    def _replayed(self, answer: str) -> None:
        session = self._now.session
        match self.phase:
            case "bet":
                self._moved(
                    session.start_round([_whole(answer) * self._book.rules.minimum_bet]).advanced(), answer
                )
            case "play":
                legal = {action.kind.value: action for action in self._legal()}
                if answer not in legal:
                    raise InputError(f"saved shoe test: no play '{answer}' here")
                self._moved(session.act(legal[answer]).advanced(), answer)
            case "count":
                self._now = replace(self._now, answers=(*self._now.answers, answer), phase=self._next_phase())
            case _:
                raise InputError("saved shoe test: answers after its end")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(say("training.refused.number", answer=text)) from None
