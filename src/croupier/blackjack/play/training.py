"""The trainer of a card counter: six exercises, what a person knows of each, and one question at a time.

Basic strategy is drilled by :class:`~croupier.blackjack.play.trainer.BlackjackTrainer`, the count by
:mod:`~croupier.blackjack.play.count_drills`, and everything together by :class:`~croupier.blackjack.play.whole_shoe.ShoeTest`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from croupier.blackjack.counting.system import find_system
from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.count_drills import (
    DRILLS,
    INSURANCE,
    Judged,
    Setting,
    Task,
    choices_of,
    draw_task,
    judge,
    setting_of,
    verify_true_count,
)
from croupier.blackjack.play.counter_book import CounterBook, counter_book
from croupier.blackjack.play.drill import CellRecord
from croupier.blackjack.play.phrases import row_phrase, up_card_name
from croupier.blackjack.play.trainer import BlackjackTrainer, Score, TrainerView
from croupier.blackjack.play.view import DealerView, SeatView
from croupier.blackjack.play.whole_shoe import ShoeReport, ShoeTest
from croupier.cards import DECK_SIZE
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved
from croupier.texts import say

Exercise = Literal["strategy", "deviations", "count", "true-count", "bets", "shoe"]
EXERCISES: tuple[Exercise, ...] = ("strategy", "deviations", "count", "true-count", "bets", "shoe")

#: Weak spots that are named.
_WEAK = 6


class SavedItem(Saved):
    """An item's record as it is saved."""

    drill: str
    item: str
    asked: int
    wrong: int
    level: int
    cost: float


class SavedScore(Saved):
    """The score of a drill as it is saved."""

    answered: int
    right: int
    streak: int
    best_streak: int
    cost: float


class SavedTraining(Saved):
    """A training as it is saved."""

    exercise: Exercise
    system: str
    seed: int
    strategy: dict[str, Any]
    items: list[SavedItem]
    scores: dict[str, SavedScore]
    numbers: dict[str, int]
    task: dict[str, Any] | None
    answer: str | None
    shoe: dict[str, Any] | None
    shoes: int


@dataclass(frozen=True, slots=True)
class TrayView:
    """The discard tray: cards in it, and cards of the whole shoe."""

    cards_out: int
    cards: int


@dataclass(frozen=True, slots=True)
class TrainingView:
    """Everything that is shown of a training.

    Attributes
    ----------
    strategy
        The drill of basic strategy, where that is the exercise.
    setting
        The question of a counting drill; what is right is in it only once it is answered.
    verdict
        What the last answer was worth.
    tray, table, report
        The discard tray; the cards of a shoe test; its report once it is over.
    weak
        What was missed most: the item, how often it was wrong, and how often it was asked.
    ramp
        What is to be bet at which count, in a sentence, where bets are asked.
    """

    exercise: Exercise
    rules: BlackjackRules
    system: str
    introduction: str
    prompt: str
    choices: tuple[Choice, ...]
    asks_number: bool
    score: Score
    strategy: TrainerView | None = None
    setting: Setting | None = None
    verdict: Judged | None = None
    tray: TrayView | None = None
    table: tuple[DealerView, SeatView] | None = None
    report: ShoeReport | None = None
    weak: tuple[tuple[str, int, int], ...] = ()
    ramp: str = ""


@dataclass(frozen=True, slots=True)
class _Position:
    """Everything but the drill of basic strategy, which changes by itself."""

    exercise: Exercise
    system: str
    seed: int
    records: Mapping[str, Mapping[str, CellRecord]]
    scores: Mapping[str, Score]
    numbers: Mapping[str, int]
    task: Task | None = None
    answer: str | None = None
    shoes: int = 0


class Training:
    """One person's training under one rule set.

    Examples
    --------
    >>> training = Training.opened(BlackjackRules(decks=1), seed=1, exercise="true-count")
    >>> training.view().prompt
    'Running count +4. What is the true count?'
    >>> training.answer("1")
    >>> training.view().verdict.is_right
    False
    >>> training.go_on()
    """

    def __init__(self, strategy: BlackjackTrainer, position: _Position, shoe: ShoeTest | None = None) -> None:
        self._strategy, self._now, self._shoe = strategy, position, shoe

    @classmethod
    def opened(
        cls, rules: BlackjackRules, *, seed: int, exercise: str = "strategy", system: str = "hi-lo"
    ) -> Self:
        """Begin: nothing is known of the person yet."""
        find_system(system)
        strategy = BlackjackTrainer.opened(rules, seed=seed)
        training = cls(strategy, _Position("strategy", system, seed, {}, {}, {}))
        training.set_exercise(exercise)
        return training

    @property
    def rules(self) -> BlackjackRules:
        """The rules that are drilled."""
        return self._strategy.rules

    @property
    def _book(self) -> CounterBook:
        return counter_book(self.rules, self._now.system)

    def set_exercise(self, name: str) -> None:
        """Change to another exercise; the score of each is kept."""
        exercise = next((known for known in EXERCISES if known == name), None)
        if exercise is None:
            raise InputError(say("training.refused.exercise", name=name, exercises=", ".join(EXERCISES)))
        if exercise == "true-count":
            verify_true_count(find_system(self._now.system))
        if exercise == "shoe" and self._shoe is None:
            self._shoe = ShoeTest.opened(self._book, self._now.seed + self._now.shoes)
        task = self._drawn(exercise, None) if exercise in DRILLS else None
        self._now = replace(self._now, exercise=exercise, task=task, answer=None)

    def set_focus(self, focus: str) -> None:
        """Drill a part of the chart, or all of it."""
        self._strategy.set_focus(focus)

    def answer(self, text: str) -> None:
        """Answer the question; what it was worth is in the view at once."""
        now = self._now
        match now.exercise:
            case "strategy":
                self._strategy.answer(text)
            case "shoe":
                assert self._shoe is not None, "a shoe is on the table"
                self._shoe.answer(text)
            case _:
                self._answer_task(text)

    def go_on(self) -> None:
        """Ask the next question; after a shoe, shuffle the next one."""
        now = self._now
        if now.exercise == "strategy":
            self._strategy.go_on()
        elif now.exercise == "shoe":
            if self._shoe is not None and self._shoe.phase != "over":
                raise InputError(say("training.refused.unfinished"))
            self._now = replace(now, shoes=now.shoes + 1)
            self._shoe = ShoeTest.opened(self._book, now.seed + now.shoes + 1)
        else:
            if now.answer is None or now.task is None:
                raise InputError(say("training.refused.unanswered"))
            numbers = {**now.numbers, now.exercise: now.numbers.get(now.exercise, 0) + 1}
            self._now = replace(now, numbers=numbers)
            self._now = replace(self._now, task=self._drawn(now.exercise, now.task.item), answer=None)

    def _drawn(self, exercise: str, last: str | None) -> Task:
        now = self._now
        number = now.numbers.get(exercise, 0)
        return draw_task(self._book, exercise, now.seed, number, now.records.get(exercise, {}), last)

    def _answer_task(self, text: str) -> None:
        now, task = self._now, self._now.task
        assert task is not None, "a question is asked"
        if now.answer is not None:
            raise InputError(say("training.refused.answered"))
        judged = judge(self._book, task, setting_of(self._book, task, now.seed), text)
        known = now.records.get(task.drill, {})
        record = known.get(task.item, CellRecord()).answered(is_right=judged.is_right, cost=judged.cost)
        score = now.scores.get(task.drill, Score()).after(is_right=judged.is_right, cost=judged.cost)
        self._now = replace(
            now,
            records={**now.records, task.drill: {**known, task.item: record}},
            scores={**now.scores, task.drill: score},
            answer=text,
        )

    def view(self) -> TrainingView:
        """Return everything that is shown."""
        exercise = self._now.exercise
        introduction = say(f"training.intro.{exercise.replace('-', '_')}")
        if exercise == "strategy":
            drill = self._strategy.view()
            return TrainingView(
                exercise, self.rules, self._now.system, introduction, drill.prompt, drill.choices, False, drill.score,
                strategy=drill,
            )  # fmt: skip
        return self._shoe_view(introduction) if exercise == "shoe" else self._task_view(introduction)

    def _shoe_view(self, introduction: str) -> TrainingView:
        test = self._shoe
        assert test is not None, "a shoe is on the table"
        report = test.report
        asked, wrong = (
            sum(line.asked for line in report.lines),
            sum(line.wrong for line in report.lines),
        )
        is_over = test.phase == "over"
        return TrainingView(
            "shoe",
            self.rules,
            self._now.system,
            introduction,
            test.prompt,
            (_next_choice("training.do.next_shoe"),) if is_over else test.choices,
            test.phase in ("bet", "count"),
            Score(asked, asked - wrong, cost=report.cost),
            tray=TrayView(test.cards_out, DECK_SIZE * self._book.decks),
            table=test.table,
            report=report if is_over else None,
            ramp=self._ramp_text(),
        )

    def _task_view(self, introduction: str) -> TrainingView:
        now, task, book = self._now, self._now.task, self._book
        assert task is not None, "a question is asked"
        setting = setting_of(book, task, now.seed)
        verdict = None if now.answer is None else judge(book, task, setting, now.answer)
        shown = setting if now.answer is not None else replace(setting, right="")
        whole = DECK_SIZE * book.decks
        has_tray = task.drill in ("true-count", "count")
        records = now.records.get(task.drill, {})
        missed = sorted(records.items(), key=lambda entry: -entry[1].cost)
        return TrainingView(
            now.exercise,
            self.rules,
            now.system,
            introduction,
            _prompt(task, setting),
            choices_of(book, task, setting) if verdict is None else (_next_choice("training.do.next"),),
            verdict is None and task.drill != "deviations",
            now.scores.get(task.drill, Score()),
            setting=shown,
            verdict=verdict,
            tray=TrayView(whole - setting.cards_left, whole) if has_tray else None,
            weak=tuple(
                (_item_name(task.drill, item), record.wrong, record.asked)
                for item, record in missed
                if record.wrong
            )[:_WEAK],
            ramp=self._ramp_text() if task.drill == "bets" else "",
        )

    def _ramp_text(self) -> str:
        return say("training.ramp", ramp=self._book.strategy.ramp.text())

    def to_state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        now = self._now
        saved = SavedTraining(
            exercise=now.exercise,
            system=now.system,
            seed=now.seed,
            strategy=self._strategy.to_state(),
            items=[
                SavedItem(drill=drill, item=item, **asdict(record))
                for drill, records in now.records.items()
                for item, record in records.items()
            ],
            scores={drill: SavedScore(**asdict(score)) for drill, score in now.scores.items()},
            numbers=dict(now.numbers),
            task=None if now.task is None else asdict(now.task),
            answer=now.answer,
            shoe=None if self._shoe is None else self._shoe.to_state(),
            shoes=now.shoes,
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a training back; one that knew basic strategy alone is taken over."""
        if "strategy" not in state:
            strategy = BlackjackTrainer.from_state(state)
            return cls(strategy, _Position("strategy", "hi-lo", strategy.seed, {}, {}, {}))
        saved = read_saved(SavedTraining, state, "saved blackjack training")
        strategy = BlackjackTrainer.from_state(saved.strategy)
        records: dict[str, dict[str, CellRecord]] = {}
        for item in saved.items:
            record = CellRecord(item.asked, item.wrong, item.level, item.cost)
            records.setdefault(item.drill, {})[item.item] = record
        position = _Position(
            saved.exercise,
            saved.system,
            saved.seed,
            records,
            {drill: Score(**score.model_dump()) for drill, score in saved.scores.items()},
            saved.numbers,
            None if saved.task is None else Task(**_task_fields(saved.task)),
            saved.answer,
            saved.shoes,
        )
        find_system(saved.system)
        shoe = None
        if saved.shoe is not None:
            shoe = ShoeTest.from_state(counter_book(strategy.rules, saved.system), saved.shoe)
        training = cls(strategy, position, shoe)
        training._verify()
        return training

    def _verify(self) -> None:
        """Raise unless there is a question for the exercise."""
        now = self._now
        is_there = (
            now.task is not None and now.task.drill == now.exercise
            if now.exercise in DRILLS
            else now.exercise != "shoe" or self._shoe is not None
        )
        if not is_there:
            raise InputError(f"saved blackjack training: no question for the exercise {now.exercise}")
        if now.task is not None:
            setting_of(self._book, now.task, now.seed)


def _task_fields(task: Mapping[str, Any]) -> dict[str, Any]:
    match task:
        case {"drill": str(), "item": str(), "number": int(), "level": int(), **others} if not others:
            return dict(task)
        case _:
            raise InputError("saved blackjack training: a task has a drill, an item, a number and a level")


def _item_name(drill: str, item: str) -> str:
    """Name an item for a person."""
    match drill:
        case "true-count":
            return say("training.item.decks_left", decks=float(item))
        case "bets":
            return say("training.count_now", count=int(item))
        case "count":
            return say("training.exercises.count")
        case _:
            if item == INSURANCE:
                return say("training.item.insurance")
            cell, _, count = item.rpartition(" ")
            row, _, up_card = cell.partition(" v ")
            return say(
                "training.item.play", hand=row_phrase(row), up_card=row_phrase(up_card), count=int(count)
            )


def _next_choice(key: str) -> Choice:
    return Choice("next", say(key), "Enter")


def _prompt(task: Task, setting: Setting) -> str:
    key = task.drill.replace("-", "_")
    if task.drill == "deviations":
        if setting.hand is None or setting.dealer_card is None:
            return say("training.prompt.insurance", count=setting.count)
        return say(
            "training.prompt.deviations", count=setting.count, up_card=up_card_name(setting.dealer_card)
        )
    return say(f"training.prompt.{key}", running=setting.running, count=setting.count)
