"""The blackjack trainer of the web app, without a browser."""

import json
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.cells import FirstHand, chart_book
from croupier.blackjack.play.drill import BEST_LEVEL, CellRecord, cards_of, cells_of, draw_question, weight
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.blackjack.solvers.hand_values import hand_values
from croupier.cards import point_class, rank_of
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from tests.long_cases import cases

INFINITE = BlackjackRules(decks="infinite")
Records = dict[tuple[str, str], CellRecord]


def asked(
    records: Records, questions: int = 1200, rules: BlackjackRules = INFINITE
) -> Counter[tuple[str, str]]:
    """Count which cells come up for somebody of whom this much is known."""
    book = chart_book(rules)
    drawn = (draw_question(book, 7, number, "all", records, ()) for number in range(questions))
    return Counter((question.row, question.up_card) for question in drawn)


def test_what_you_get_wrong_comes_back_more_often() -> None:
    cell = ("12", "3")
    before = asked({})[cell]
    after = asked({cell: CellRecord().answered(is_right=False, cost=0.02)})[cell]
    assert after > 2.5 * before > 0


def test_what_you_have_mastered_fades() -> None:
    book = chart_book(INFINITE)
    mastered = {(cell.row, cell.up_card): CellRecord(level=BEST_LEVEL) for cell in cells_of(book, "pairs")}
    before, after = asked({}), asked(mastered)
    assert sum(after[cell] for cell in mastered) < 0.1 * sum(before[cell] for cell in mastered)
    assert weight(book.cells["8,8", "T"], CellRecord(level=BEST_LEVEL)) == pytest.approx(
        weight(book.cells["8,8", "T"], CellRecord()) / 32
    )


def test_close_decisions_come_more_often_than_obvious_ones() -> None:
    counts = asked({})
    cells = cells_of(chart_book(INFINITE), "all")
    close, obvious = (
        [cell for cell in cells if low <= cell.importance / cell.probability < high]
        for low, high in ((0.01, 0.2), (0.4, 9.0))
    )
    assert min(len(close), len(obvious)) > 20
    times = [sum(counts[cell.row, cell.up_card] for cell in part) / len(part) for part in (close, obvious)]
    assert times[0] > 8 * times[1]


def test_nothing_obvious_is_asked_six_times() -> None:
    """Somebody who knows the chart answers 150 questions: hardly anything obvious comes, and none of it often."""
    trainer, book = BlackjackTrainer.opened(INFINITE, seed=11), chart_book(INFINITE)
    seen: Counter[tuple[str, str]] = Counter()
    recent: list[tuple[str, str]] = []
    for _ in range(150):
        state = trainer.to_state()
        place = (state["row"], state["up_card"])
        assert place not in recent[-6:]
        recent.append(place)
        seen[place] += 1
        points = tuple(sorted(point_class(card) for card in trainer.view().cards))
        advised = next(hand.advised for hand in book.cells[place].hands if hand.cards == points)
        trainer.answer(advised)
        trainer.go_on()
    obvious = {
        place: times
        for place, times in seen.items()
        if book.cells[place].importance / book.cells[place].probability > 0.4
    }
    assert sum(obvious.values()) < 15
    assert max(obvious.values(), default=0) <= 2
    assert max(seen.values()) < 6


def test_a_seed_drills_the_same_hands() -> None:
    drills = []
    for _ in range(2):
        trainer = BlackjackTrainer.opened(INFINITE, seed=5)
        hands = []
        for _ in range(20):
            hands.append(trainer.view().cards)
            trainer.answer("stand")
            trainer.go_on()
        drills.append(hands)
    assert drills[0] == drills[1]
    assert len(set(drills[0])) > 10


def test_a_spanish_pack_deals_no_tens() -> None:
    rules, hand = BlackjackRules(ten_spots=False, split_by="rank"), FirstHand((8, 8), 8, 1.0, {}, "stand")
    ranks = {rank_of(card) for number in range(40) for card in cards_of(hand, rules, RandomStream(number))}
    assert ranks == {9, 10, 11}


def test_no_cell_comes_twice_in_a_row() -> None:
    trainer = BlackjackTrainer.opened(INFINITE, seed=5)
    last = None
    for _ in range(60):
        view = trainer.view()
        assert (view.prompt) != last
        last = view.prompt
        trainer.answer("stand")
        trainer.go_on()


TAUGHT = ["vegas-strip", "european", "autoplay-demo", "solana-v1"]


@pytest.mark.parametrize("name", cases(TAUGHT, long=TAUGHT[1:]))
def test_the_chart_is_right_and_every_figure_is_the_solvers(name: str) -> None:
    rules = BLACKJACK.preset(name).rules
    trainer = BlackjackTrainer.opened(rules, seed=2)
    for _ in range(12):
        view = trainer.view()
        ranks = [rank_of(card) for card in view.cards]
        exact = hand_values(rules, ranks, rank_of(view.dealer_card)).actions
        assert {choice.name for choice in view.choices} == set(exact)
        trainer.answer("stand")
        verdict = trainer.view().verdict
        assert verdict is not None
        is_ten_pair = rules.split_by == "rank" and all(point_class(card) == 8 for card in view.cards)
        assert dict(verdict.worths) == pytest.approx(exact, abs=1e-3 if is_ten_pair else 1e-12)
        assert verdict.cost == pytest.approx(max(exact[verdict.advised] - exact["stand"], 0), abs=1e-3)
        trainer.go_on()


def test_an_early_surrender_counts_the_naturals_in() -> None:
    rules = BlackjackRules(surrender="early")
    cell = chart_book(rules).cells["16", "A"]
    assert cell.worths["surrender"] == pytest.approx(-0.5)
    assert cell.worths["hit"] < -0.6
    assert cell.code.startswith("R")


def test_answers_are_counted_and_right_ones_make_a_streak() -> None:
    trainer = BlackjackTrainer.opened(INFINITE, seed=3)
    for answer_right in (True, True, False, True):
        # The verdict on a copy says what the chart advises.
        other = BlackjackTrainer.from_state(trainer.to_state())
        other.answer("stand")
        verdict = other.view().verdict
        assert verdict is not None
        worst = verdict.worths[-1][0]
        trainer.answer(verdict.advised if answer_right else worst)
        view = trainer.view()
        assert view.verdict is not None
        assert view.verdict.is_right == answer_right
        trainer.go_on()
    view = trainer.view()
    assert (view.score.answered, view.score.right, view.score.streak, view.score.best_streak) == (4, 3, 1, 2)
    assert view.score.accuracy == 0.75
    assert view.score.cost > 0
    (weak,) = view.weak
    assert (weak.wrong, weak.heat) == (1, 1.0)


def test_the_chart_shows_no_advice_that_was_not_asked_for() -> None:
    trainer = BlackjackTrainer.opened(INFINITE, seed=3)
    cells = [cell for rows in trainer.view().heat.values() for row in rows for cell in row]
    assert len(cells) == 10 * (16 + 8 + 10)
    assert all(not cell.code for cell in cells)
    trainer.answer("stand")
    shown = [cell for rows in trainer.view().heat.values() for row in rows for cell in row if cell.code]
    assert [cell.asked for cell in shown] == [1]


def test_what_cannot_be_answered_is_refused_and_changes_nothing() -> None:
    trainer = BlackjackTrainer.opened(BLACKJACK.preset("solana-v1").rules, seed=1)
    before = trainer.to_state()
    with pytest.raises(InputError, match="cannot double here; the rules allow stand, hit"):
        trainer.answer("double")
    with pytest.raises(InputError, match="answer this hand first"):
        trainer.go_on()
    with pytest.raises(InputError, match="do not allow splitting"):
        trainer.set_focus("pairs")
    with pytest.raises(InputError, match="no part 'luck'"):
        trainer.set_focus("luck")
    assert trainer.to_state() == before
    trainer.answer("hit")
    with pytest.raises(InputError, match="is answered"):
        trainer.answer("hit")


@pytest.mark.parametrize(("focus", "text"), [("pairs", "pair"), ("soft", "Soft")])
def test_a_focus_drills_its_part_of_the_chart_alone(focus: str, text: str) -> None:
    trainer = BlackjackTrainer.opened(INFINITE, seed=4)
    trainer.set_focus(focus)
    for _ in range(20):
        assert text in trainer.view().prompt
        trainer.answer("stand")
        trainer.go_on()


@given(st.integers(0, 2**64 - 1), st.lists(st.sampled_from(["hit", "stand", "double", "split"]), max_size=8))
@example(4560246, ["hit"])  # two tens that are no pair by rank: an average over ranks
@settings(max_examples=25)
def test_a_drill_comes_back_exactly_at_every_step(seed: int, answers: list[str]) -> None:
    trainer = BlackjackTrainer.opened(BlackjackRules(decks=1, split_by="rank"), seed=seed)
    for answer in answers:
        offered = [choice.name for choice in trainer.view().choices]
        trainer.answer(answer if answer in offered else "hit")
        state = json.loads(json.dumps(trainer.to_state()))
        trainer = BlackjackTrainer.from_state(state)
        assert trainer.to_state() == state
        trainer.go_on()
    again = BlackjackTrainer.from_state(trainer.to_state())
    assert again.view() == trainer.view()


def test_a_saved_drill_that_cannot_be_is_refused() -> None:
    trainer = BlackjackTrainer.opened(INFINITE, seed=1)
    for change, complaint in (
        ({"cards": "AS"}, "1 cards"),
        ({"cards": "2H 3H 4H"}, "do not belong"),
        ({"focus": "luck"}, "focus"),
        ({"row": "99"}, "do not belong"),
        ({"answer": "win"}, "no answer 'win'"),
    ):
        with pytest.raises(InputError, match=complaint):
            BlackjackTrainer.from_state(trainer.to_state() | change)
