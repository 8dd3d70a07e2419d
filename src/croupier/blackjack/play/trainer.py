"""A trainer for basic strategy: deals first hands, says at once what was right, and comes back to what was not."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from croupier.blackjack.engine import BlackjackRules, HandValue, evaluate
from croupier.blackjack.play.cells import SECTIONS, FirstHand, chart_book
from croupier.blackjack.play.drill import PAUSE, CellRecord, Question, draw_question, verify_focus
from croupier.blackjack.play.phrases import KEYS, label_of, up_card_name, way_phrase
from croupier.cards import POINT_CLASSES, format_cards, parse_card, point_class
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved
from croupier.texts import figure, in_row, say


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer was worth.

    Attributes
    ----------
    answer, advised
        What was chosen, and what the chart says.
    worths
        What every action is worth with these very cards, in initial bets, the best first.
    cost
        What the answer gives away against the chart.
    is_right
        Whether it is the chart's, or no worse with these very cards.
    """

    answer: str
    advised: str
    worths: tuple[tuple[str, float], ...]
    cost: float
    is_right: bool

    def __str__(self) -> str:
        advised = way_phrase(self.advised)
        if self.answer == self.advised:
            return say("training.strategy.right", advised=advised)
        if self.is_right:
            return say("training.strategy.no_worse", advised=advised)
        answer = way_phrase(self.answer)
        return say("training.strategy.wrong", answer=answer, cost=self.cost, advised=advised)


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A cell of the chart as this person knows it; no code before the first answer there."""

    row: str
    up_card: str
    code: str
    asked: int
    wrong: int
    cost: float

    @property
    def heat(self) -> float | None:
        """The share of wrong answers; None before the first."""
        return self.wrong / self.asked if self.asked else None


@dataclass(frozen=True, slots=True)
class Score:
    """All answers of a drill in figures: how many, how many right, the streak now and the longest, what mistakes cost."""

    answered: int = 0
    right: int = 0
    streak: int = 0
    best_streak: int = 0
    cost: float = 0.0

    @property
    def accuracy(self) -> float | None:
        """The share of right answers; None before the first."""
        return self.right / self.answered if self.answered else None

    def after(self, *, is_right: bool, cost: float) -> "Score":
        """Count another answer."""
        streak = self.streak + 1 if is_right else 0
        best_streak = max(self.best_streak, streak)
        return Score(self.answered + 1, self.right + is_right, streak, best_streak, self.cost + cost)


@dataclass(frozen=True, slots=True)
class TrainerView:
    """Everything that a page shows of the trainer."""

    rules: BlackjackRules
    focus: str
    prompt: str
    cards: tuple[int, int]
    dealer_card: int
    choices: tuple[Choice, ...]
    verdict: Verdict | None
    score: Score
    heat: Mapping[str, tuple[tuple[HeatCell, ...], ...]]
    weak: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """Everything about a trainer at one moment; an answer replaces it as a whole."""

    rules: BlackjackRules
    seed: int
    number: int
    focus: str
    records: Mapping[tuple[str, str], CellRecord]
    question: Question
    answer: str | None = None
    score: Score = Score()
    resting: tuple[tuple[str, str], ...] = ()


class SavedRecord(Saved):
    """A cell's record as it is saved."""

    row: str
    up_card: str
    asked: int
    wrong: int
    level: int
    cost: float


class SavedTrainer(Saved):
    """A trainer as it is saved."""

    rules: dict[str, Any]
    seed: int
    number: int
    focus: Literal["all", "hard", "soft", "pairs"]
    records: list[SavedRecord]
    row: str
    up_card: str
    cards: str
    answer: str | None
    answered: int
    right: int
    streak: int
    best_streak: int
    cost: float
    resting: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = Field(default_factory=list)


class BlackjackTrainer:
    """One person's drill for one rule set.

    Examples
    --------
    >>> trainer = BlackjackTrainer.opened(BlackjackRules(decks="infinite"), seed=1)
    >>> trainer.view().prompt
    '10 against 2: what do you do?'
    >>> trainer.answer("hit")
    >>> print(trainer.view().verdict)
    Wrong: hit costs 0.1764 bets; the chart says double.
    >>> trainer.go_on()
    """

    def __init__(self, position: _Position) -> None:
        self._now = position

    @classmethod
    def opened(cls, rules: BlackjackRules, *, seed: int, focus: str = "all") -> Self:
        """Begin a drill: nothing is known yet."""
        verify_focus(rules, focus)
        question = draw_question(chart_book(rules), seed, 0, focus, {}, ())
        return cls(_Position(rules, seed, 0, focus, {}, question))

    @property
    def rules(self) -> BlackjackRules:
        """The rules that are drilled."""
        return self._now.rules

    @property
    def seed(self) -> int:
        """Where the questions come from."""
        return self._now.seed

    def verify_answer(self, name: str) -> None:
        """Raise unless an answer is waited for, and this is one."""
        if self._now.answer is not None:
            raise InputError(say("training.refused.hand_answered"))
        hand = _hand(self._now)
        if name not in hand.worths:
            offered = in_row([way_phrase(known) for known in hand.worths])
            raise InputError(say("training.refused.rules_allow", answer=name, offered=offered))

    def answer(self, name: str) -> None:
        """Answer with the name of an action; the verdict is in the view at once."""
        self.verify_answer(name)
        now = self._now
        hand = _hand(now)
        cost = hand.cost(name)
        is_right = name == hand.advised or cost == 0
        place = (now.question.row, now.question.up_card)
        record = now.records.get(place, CellRecord()).answered(is_right=is_right, cost=cost)
        score = now.score.after(is_right=is_right, cost=cost)
        self._now = replace(now, records={**now.records, place: record}, answer=name, score=score)

    def go_on(self) -> None:
        """Deal the next hand."""
        if self._now.answer is None:
            raise InputError(say("training.refused.hand_unanswered"))
        self._now = _next(self._now)

    def set_focus(self, focus: str) -> None:
        """Drill a part of the chart, or all of it."""
        verify_focus(self._now.rules, focus)
        self._now = _next(replace(self._now, focus=focus))

    def view(self) -> TrainerView:
        """Return everything that the page shows; the chart's advice only where it has been asked."""
        now = self._now
        question = now.question
        value = evaluate(question.cards)
        heat = {name: tuple(_heat_row(now, row) for row in rows) for name, rows in SECTIONS.items()}
        wrong = [cell for rows in heat.values() for row in rows for cell in row if cell.wrong]
        return TrainerView(
            rules=now.rules,
            focus=now.focus,
            prompt=say(
                "training.strategy.prompt",
                hand=_hand_text(question, value),
                up_card=up_card_name(question.dealer_card),
            ),
            cards=question.cards,
            dealer_card=question.dealer_card,
            choices=_choices(now),
            verdict=_verdict(now),
            score=now.score,
            heat=heat,
            weak=tuple(sorted(wrong, key=lambda cell: (-cell.wrong / cell.asked, -cell.cost))[:8]),
        )

    def to_state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        now = self._now
        saved = SavedTrainer(
            rules=now.rules.model_dump(mode="json"),
            seed=now.seed,
            number=now.number,
            focus=now.focus,  # type: ignore[arg-type]
            records=[
                SavedRecord(row=row, up_card=up_card, **asdict(record))
                for (row, up_card), record in now.records.items()
            ],
            row=now.question.row,
            up_card=now.question.up_card,
            cards=format_cards((*now.question.cards, now.question.dealer_card)),
            answer=now.answer,
            resting=[list(place) for place in now.resting],
            **asdict(now.score),
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a trainer back; what is no such trainer is refused."""
        saved = read_saved(SavedTrainer, state, "saved blackjack trainer")
        rules = BlackjackRules.create(saved.rules)
        verify_focus(rules, saved.focus)
        cards = tuple(parse_card(token) for token in saved.cards.split())
        if len(cards) != 3:
            raise InputError(f"saved blackjack trainer: {len(cards)} cards; a question has 3")
        position = _Position(
            rules=rules,
            seed=saved.seed,
            number=saved.number,
            focus=saved.focus,
            records={
                (r.row, r.up_card): CellRecord(r.asked, r.wrong, r.level, r.cost) for r in saved.records
            },
            question=Question(saved.row, saved.up_card, (cards[0], cards[1]), cards[2]),
            answer=saved.answer,
            score=Score(saved.answered, saved.right, saved.streak, saved.best_streak, saved.cost),
            resting=tuple((row, up_card) for row, up_card in saved.resting),
        )
        _verify_question(position)
        return cls(position)


def _next(now: _Position) -> _Position:
    resting = _resting(now)
    question = draw_question(chart_book(now.rules), now.seed, now.number + 1, now.focus, now.records, resting)
    return replace(now, number=now.number + 1, question=question, answer=None, resting=resting)


def _resting(now: _Position) -> tuple[tuple[str, str], ...]:
    """Return the cells that are not asked next: the last one, and those before it that are known."""
    last = (now.question.row, now.question.up_card)
    known = [place for place in now.resting if now.records.get(place, CellRecord()).level > 0]
    return (*known, last)[-PAUSE:]


def _hand(now: _Position) -> FirstHand:
    """Find the hand of the question in its cell."""
    question = now.question
    cell = chart_book(now.rules).cells[question.row, question.up_card]
    points = tuple(sorted(point_class(card) for card in question.cards))
    return next(hand for hand in cell.hands if hand.cards == points)


def _verify_question(now: _Position) -> None:
    """Raise unless the cards of a question belong to its cell, and its answer to them."""
    question = now.question
    cells = chart_book(now.rules).cells
    up_card = POINT_CLASSES[point_class(question.dealer_card)]
    points = tuple(sorted(point_class(card) for card in question.cards))
    known = (question.row, question.up_card) in cells and question.up_card == up_card
    if not known or all(hand.cards != points for hand in cells[question.row, question.up_card].hands):
        raise InputError("saved blackjack trainer: the cards do not belong to their cell of the chart")
    if now.answer is not None and now.answer not in _hand(now).worths:
        raise InputError(f"saved blackjack trainer: no answer '{now.answer}' to these cards")


def _choices(now: _Position) -> tuple[Choice, ...]:
    if now.answer is not None:
        return (Choice("next", say("training.strategy.next"), "Enter"),)
    worths = _hand(now).worths
    return tuple(Choice(kind.value, label_of(kind), key) for kind, key in KEYS.items() if kind in worths)


def _verdict(now: _Position) -> Verdict | None:
    if now.answer is None:
        return None
    hand = _hand(now)
    cost = hand.cost(now.answer)
    worths = tuple(sorted(hand.worths.items(), key=lambda entry: -entry[1]))
    return Verdict(now.answer, hand.advised, worths, cost, now.answer == hand.advised or cost == 0)


def _heat_row(now: _Position, row: str) -> tuple[HeatCell, ...]:
    cells = chart_book(now.rules).cells
    heat = []
    for up_card in POINT_CLASSES:
        record = now.records.get((row, up_card), CellRecord())
        code = cells[row, up_card].code if record.asked else ""
        heat.append(HeatCell(row, up_card, code, record.asked, record.wrong, record.cost))
    return tuple(heat)


def _hand_text(question: Question, value: HandValue) -> str:
    if "," in question.row:
        letter = question.row[0]
        rank = "10" if letter == "T" else letter
        return say("training.strategy.aces") if letter == "A" else say("training.strategy.pair", rank=rank)
    return str(value)


def worth_rows(worths: Sequence[tuple[str, float]]) -> tuple[tuple[str, str, str], ...]:
    """Write what every action is worth and what it costs against the first of them.

    >>> worth_rows([("insure", 0.02), ("decline", 0.0)])
    (('insure', '+0.0200', '0'), ('decline', '0.0000', '0.0200'))
    """
    best = worths[0][1] if worths else 0.0
    return tuple(
        (
            way_phrase(name),
            figure(worth, "+.4f") if worth else figure(worth, ".4f"),
            figure(best - worth, ".4f") if best > worth else "0",
        )
        for name, worth in worths
    )


def verdict_rows(verdict: Verdict) -> tuple[tuple[str, str, str], ...]:
    """Write every action, what it is worth and what it costs against the best.

    >>> verdict_rows(Verdict("hit", "stand", (("stand", 0.1), ("hit", -0.2)), 0.3, False))
    (('stand', '+0.1000', '0'), ('hit', '−0.2000', '0.3000'))
    """
    return worth_rows(verdict.worths)
