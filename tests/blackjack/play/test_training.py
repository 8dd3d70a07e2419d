"""The trainer of a card counter without a skin: questions, prices, progress, and a whole shoe."""

import json
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from croupier.blackjack.counting.indices import ILLUSTRIOUS
from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.count_drills import (
    DRILLS,
    Task,
    advised_at,
    draw_task,
    items_of,
    judge,
    setting_of,
)
from croupier.blackjack.play.counter_book import CounterBook, counter_book
from croupier.blackjack.play.drill import CellRecord
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.blackjack.play.training import EXERCISES, Training
from croupier.cards import point_class
from croupier.errors import InputError

RULES = BlackjackRules(decks=1)


@pytest.fixture(scope="module")
def book() -> CounterBook:
    return counter_book(RULES)


def right_answer(training: Training) -> str:
    """Answer a copy wrongly, and read what would have been right."""
    other = Training.from_state(training.to_state())
    view = other.view()
    other.answer(view.choices[0].name if view.choices else "0")
    setting = other.view().setting
    assert setting is not None
    return setting.right


@pytest.mark.parametrize("exercise", DRILLS)
def test_right_answers_cost_nothing_and_count_as_right(exercise: str) -> None:
    training = Training.opened(RULES, seed=5, exercise=exercise)
    for answered in range(1, 7):
        setting = training.view().setting
        assert setting is not None
        assert setting.right == ""  # what is right is not shown before the answer
        training.answer(right_answer(training))
        view = training.view()
        assert view.verdict is not None
        assert (view.verdict.is_right, view.verdict.cost) == (True, 0.0)
        assert (view.score.answered, view.score.right, view.score.streak) == (answered,) * 3
        training.go_on()


def test_the_price_of_a_play_is_that_of_the_exact_solver(book: CounterBook) -> None:
    """At the count of these very cards, values at a count are those of the trainer without one, but for reading between two counts."""
    tags, counts = book.strategy.system.tags, book.scale.counts
    for row, up_card in (("16", "T"), ("12", "3"), ("11", "A"), ("9", "7"), ("8,8", "T")):
        for hand in book.chart_book.cells[row, up_card].hands:
            running = sum(tags[point] for point in (*hand.cards, hand.up_card))
            true = running * 52 / (52 - 3)
            place = int(np.searchsorted(book.scale.excesses, true)) - 1
            low, high = (float(excess) for excess in book.scale.excesses[place : place + 2])
            share = (true - low) / (high - low)
            below, above = (book.worths_at(hand, counts[place + step]) for step in (0, 1))
            for action, worth in hand.worths.items():
                between = (1 - share) * below[action] + share * above[action]
                assert between == pytest.approx(worth, abs=5e-4), (row, up_card, hand.cards, action)


def test_deviations_follow_the_indices_and_are_worth_it(book: CounterBook) -> None:
    """Leaving the chart at an index is better there than staying, for the plays that bring most."""
    for play in book.strategy.indices.plays:
        cell = book.chart_book.cells[play.row, play.up_card]
        if (play.row, play.up_card) not in ILLUSTRIOUS or "," in play.row or abs(play.count) > 6:
            continue
        gains = []
        for count in (play.count - 3, play.count + 3):
            gain = 0.0
            for hand in cell.hands:
                worths = book.worths_at(hand, count)
                new = advised_at(book, hand, play.count)
                old = advised_at(book, hand, play.count - 1)
                gain += hand.probability * (worths[new] - worths[old])
            gains.append(gain)
        assert gains[0] < gains[1], play
        assert gains[1] > 0, play


def test_a_bet_costs_more_the_further_it_is_from_the_ramp(book: CounterBook) -> None:
    assert book.bet(-3) == 1
    assert 4 <= book.bet(8) <= 8
    for count in (-3, 0, 3, 6):
        right = book.bet(count)
        assert book.bet_cost(count, right) == 0.0
        costs = [book.bet_cost(count, bet) for bet in range(right, right + 12)]
        assert costs == sorted(costs)
    # Certainty equivalents: with the ramp's own bankroll, the whole ramp is worth half of what it wins.
    shares = {count: worth.share for count, worth in book.worths.items()}
    mean = sum(share * book.bet(count) * book.worths[count].mean for count, share in shares.items())
    square = sum(share * book.bet(count) ** 2 * book.worths[count].square for count, share in shares.items())
    assert mean - square / (2 * book.tolerance) == pytest.approx(mean / 2, rel=0.02)


def test_the_running_count_is_the_sum_of_the_tags(book: CounterBook) -> None:
    tags = {"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 0, "8": 0, "9": 0, "T": -1, "A": -1}
    for number in range(20):
        setting = setting_of(book, Task("count", "count", number, level=number // 4), 3)
        assert setting.running is not None
        counted = setting.running + sum(list(tags.values())[point_class(card)] for card in setting.cards)
        assert int(setting.right) == counted
        assert max(Counter(setting.cards).values()) <= book.decks


def test_it_gets_faster_and_longer_as_one_gets_better(book: CounterBook) -> None:
    slow, fast = (setting_of(book, Task("count", "count", 1, level), 3) for level in (0, 5))
    assert len(fast.cards) > len(slow.cards)
    assert fast.seconds / fast.glance < slow.seconds / slow.glance


def test_a_true_count_is_rounded_as_the_strategy_says(book: CounterBook) -> None:
    assert book.count_of(-1, 26) == -2
    assert book.count_of(3, 26) == 6
    assert book.count_of(-1, 40) == -2  # -1.3, floored
    seen = set()
    for number in range(60):
        task = draw_task(book, "true-count", 9, number, {}, None)
        setting = setting_of(book, task, 9)
        assert setting.running is not None
        assert int(setting.right) == int(np.floor(setting.running * 52 / setting.cards_left))
        seen.add(setting.cards_left)
    assert len(seen) == len(items_of(book, "true-count"))


def test_an_unbalanced_system_has_no_true_count() -> None:
    training = Training.opened(RULES, seed=1, system="ko")
    with pytest.raises(InputError, match="ko needs no true count"):
        training.set_exercise("true-count")
    assert training.view().exercise == "strategy"


@pytest.mark.verify
@pytest.mark.parametrize("system", ["ko", "halves", "zen"])
def test_other_systems_are_drilled_too(system: str) -> None:
    training = Training.opened(RULES, seed=1, system=system)
    for exercise in ("bets", "count", "deviations"):
        training.set_exercise(exercise)
        training.answer(right_answer(training))
        verdict = training.view().verdict
        assert verdict is not None
        assert verdict.is_right


def test_what_is_missed_comes_back_and_what_is_known_fades(book: CounterBook) -> None:
    def asked(records: dict[str, CellRecord]) -> Counter[str]:
        return Counter(draw_task(book, "deviations", 4, number, records, None).item for number in range(250))

    before = asked({})
    item, often = before.most_common(1)[0]
    assert asked({item: CellRecord(level=4)})[item] < often / 4
    rare = min((name for name in before if before[name] > 4), key=lambda name: before[name])
    assert asked({rare: CellRecord(level=-2)})[rare] > 2 * before[rare]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_progress_comes_back_exactly(exercise: str) -> None:
    training = Training.opened(RULES, seed=7, exercise=exercise)
    for _ in range(3):
        view = training.view()
        if view.choices and view.choices[0].name == "next":
            training.go_on()
            view = training.view()
        training.answer(view.choices[-1].name if view.choices else "1")
        state = json.loads(json.dumps(training.to_state()))
        training = Training.from_state(state)
        assert training.to_state() == state
        assert training.view() == Training.from_state(state).view()


def test_a_trainer_of_basic_strategy_alone_is_taken_over() -> None:
    old = BlackjackTrainer.opened(RULES, seed=3)
    old.answer("stand")
    training = Training.from_state(old.to_state())
    assert training.view().score == old.view().score


def test_a_seed_asks_the_same_questions() -> None:
    prompts = []
    for _ in range(2):
        training = Training.opened(RULES, seed=21, exercise="bets")
        asked = []
        for _ in range(10):
            asked.append(training.view().prompt)
            training.answer("1")
            training.go_on()
        prompts.append(asked)
    assert prompts[0] == prompts[1]
    assert len(set(prompts[0])) > 3


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    training = Training.opened(RULES, seed=1, exercise="bets")
    before = training.to_state()
    refusals: list[tuple[Callable[[], None], str]] = [
        (lambda: training.answer("many"), "'many' is no whole number"),
        (lambda: training.answer("-1"), "0 to 1000 units"),
        (training.go_on, "answer this question first"),
        (lambda: training.set_exercise("luck"), "no exercise 'luck'; there are strategy, deviations"),
    ]
    for action, complaint in refusals:
        with pytest.raises(InputError, match=complaint):
            action()
    assert training.to_state() == before
    training.answer("1")
    with pytest.raises(InputError, match="is answered"):
        training.answer("1")
    with pytest.raises(InputError, match="infinite"):
        counter_book(BlackjackRules(decks="infinite"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"task": None}, "no question for the exercise"),
        ({"task": {"drill": "bets"}}, "a task has"),
        ({"task": {"drill": "bets", "item": "99", "number": 0, "level": 0}}, "no question about '99'"),
        ({"exercise": "shoe"}, "no question for the exercise"),
        ({"system": "hi-low"}, "no counting system"),
    ],
)
def test_saved_progress_that_cannot_be_is_refused(change: dict[str, object], complaint: str) -> None:
    state = Training.opened(RULES, seed=1, exercise="bets").to_state()
    with pytest.raises(InputError, match=complaint):
        Training.from_state(state | change)


def test_a_shoe_played_right_has_an_empty_report() -> None:
    """Who bets, plays and counts by the book makes no mistake; the report is about one whole shoe."""
    training = Training.opened(RULES, seed=2, exercise="shoe")
    test = training._shoe
    assert test is not None
    while test.phase != "over":
        match test.phase:
            case "bet":
                training.answer(str(test._book.bet(test.count)))
            case "count":
                training.answer(str(test.running))
            case _:
                names = tuple(choice.name for choice in test.choices)
                best = names[0] if "keep" not in names else "keep"
                training.answer(test._advised(names, best))
    report = training.view().report
    assert report is not None
    assert report.rounds >= 4
    assert (report.cost, report.mistakes) == (0.0, ())
    assert sum(line.asked for line in report.lines) > 8
    training.go_on()
    assert training.view().report is None


def test_mistakes_of_a_shoe_are_priced_and_listed() -> None:
    training = Training.opened(RULES, seed=2, exercise="shoe")
    while training.view().report is None:
        view = training.view()
        training.answer("20" if view.asks_number else view.choices[0].name)
    report = training.view().report
    assert report is not None
    assert report.cost == pytest.approx(sum(line.cost for line in report.lines))
    assert report.cost_per_100 == pytest.approx(100 * report.cost / report.rounds)
    assert [mistake.cost for mistake in report.mistakes] == sorted(
        (mistake.cost for mistake in report.mistakes), reverse=True
    )
    bets = next(line for line in report.lines if line.kind == "bet")
    assert bets.wrong == bets.asked == report.rounds


def test_a_miscount_is_priced_by_the_bet_that_it_leads_to(book: CounterBook) -> None:
    setting = setting_of(book, Task("true-count", "0.5", 3), 9)
    right = int(setting.right)
    for believed in (right - 4, right + 4):
        judged = judge(book, Task("true-count", "0.5", 3), setting, str(believed))
        assert judged.cost == book.bet_cost(right, book.bet(believed))
        assert not judged.is_right
