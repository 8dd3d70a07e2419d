"""What a chart's codes do where some moves are allowed, and which charts and counts are refused."""

import pytest

from croupier.blackjack.engine.moves import ALL_ALLOWED, MOVES, Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.chart_play import Deviation, plan_of, remarks_on
from croupier.blackjack.simulation.counted_play import CountedPlay, verify_counted_play
from croupier.blackjack.solvers.chart import (
    PAIR_ROWS,
    ROWS,
    Chart,
    ChartError,
    Code,
)
from croupier.blackjack.solvers.chart_moves import BY_TOTAL, move_of, row_of_hand, row_of_pair
from croupier.errors import InputError

RULES = BlackjackRules()
STAND = Chart.uniform(Code.STAND)
EVERYTHING = Allowed.SPLIT | Allowed.SURRENDER | Allowed.DOUBLE | Allowed.HIT


@pytest.mark.parametrize(
    ("code", "first", "without_it"),
    [
        (Code.HIT, Move.HIT, Move.HIT),
        (Code.STAND, Move.STAND, Move.STAND),
        (Code.DOUBLE, Move.DOUBLE, Move.HIT),
        (Code.DOUBLE_OR_STAND, Move.DOUBLE, Move.STAND),
        (Code.SPLIT, Move.SPLIT, None),
        (Code.SPLIT_OR_HIT, Move.SPLIT, Move.HIT),
        (Code.SPLIT_OR_STAND, Move.SPLIT, Move.STAND),
        (Code.SURRENDER, Move.SURRENDER, Move.HIT),
        (Code.SURRENDER_OR_STAND, Move.SURRENDER, Move.STAND),
        (Code.SURRENDER_OR_SPLIT, Move.SURRENDER, None),
    ],
)
def test_a_code_is_its_first_choice_or_the_declared_second(
    code: Code, first: Move, without_it: Move | None
) -> None:
    assert move_of(code, EVERYTHING, RULES) is first
    assert move_of(code, Allowed.HIT, RULES) is without_it


def test_surrender_or_split_splits_where_there_is_no_surrender() -> None:
    assert move_of(Code.SURRENDER_OR_SPLIT, Allowed.SPLIT | Allowed.HIT, RULES) is Move.SPLIT


def test_what_may_not_be_hit_stands() -> None:
    assert {move_of(code, Allowed.NOTHING, RULES) for code in Code} == {Move.STAND, None}


def test_a_split_for_the_sake_of_doubling_is_none_where_split_hands_may_not_be_doubled() -> None:
    rules = BlackjackRules(double_after_split=False)
    assert move_of(Code.SPLIT_OR_HIT, EVERYTHING, rules) is Move.HIT
    assert move_of(Code.SPLIT, EVERYTHING, rules) is Move.SPLIT


def test_a_plan_never_makes_a_move_that_is_not_allowed() -> None:
    needs = {
        Move.HIT: Allowed.HIT,
        Move.DOUBLE: Allowed.DOUBLE,
        Move.SPLIT: Allowed.SPLIT,
        Move.SURRENDER: Allowed.SURRENDER,
    }
    for code in Code:
        plan = plan_of(Chart.uniform(code), RULES)
        for allowed in range(ALL_ALLOWED):
            for number in set(plan[allowed].flat) - {BY_TOTAL}:
                assert needs.get(MOVES[number], Allowed.NOTHING) in Allowed(allowed)


def test_rows_are_where_the_chart_has_them() -> None:
    assert [ROWS[row_of_hand(total, False)] for total in (4, 21)] == ["4", "21"]
    assert [ROWS[row_of_hand(total, True)] for total in (12, 21)] == ["soft 12", "soft 21"]
    assert [ROWS[row_of_pair(point)] for point in range(10)] == list(PAIR_ROWS)


@pytest.mark.parametrize("code", [Code.SPLIT, Code.SURRENDER_OR_SPLIT])
def test_splitting_a_total_is_refused(code: Code) -> None:
    table = STAND.replace({("soft 18", "9"): code})
    with pytest.raises(
        ChartError, match=f"row 'soft 18' against 9: {code} on a total names no second choice"
    ):
        remarks_on(table, RULES)


def test_deviations_are_checked_like_the_chart() -> None:
    doubled = Deviation("10", "T", 4, Code.DOUBLE)
    assert remarks_on(STAND, RULES, [doubled]) == []
    remarks = remarks_on(STAND, BlackjackRules(double="none"), [doubled, doubled])
    assert [str(remark) for remark in remarks] == [
        "10 against T: D cannot be played (this table does not allow doubling); hit instead"
    ]
    for wrong, message in (
        (Deviation("3", "T", 0, Code.HIT), "no row '3'"),
        (Deviation("16", "J", 0, Code.HIT), "no up-card 'J'"),
        (Deviation("16", "T", 0, Code.SPLIT), "P on a total names no second choice"),
    ):
        with pytest.raises(ChartError, match=message):
            remarks_on(STAND, RULES, [wrong])


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (CountedPlay(tags=(1, 2)), "a count needs 13 whole numbers"),
        (CountedPlay(tags=(101,) * 13), "a count needs 13 whole numbers from -100 to 100"),
        (CountedPlay(estimate=0), "cards left are estimated to 0"),
        (CountedPlay(ramp=()), "bet ramp: there is no bet"),
        (CountedPlay(ramp=(0, 1)), "bet ramp: a bet of 0; this table takes 1 to 1000"),
        (CountedPlay(ramp=(1, 5000)), "bet ramp: a bet of 5000; this table takes 1 to 1000"),
        (CountedPlay(insurance_at=99_999), "a count of 99999"),
        (CountedPlay(ramp_start=-20_000), "a count of -20000"),
        (CountedPlay(deviations=(Deviation("16", "T", 40_000, Code.STAND),)), "a count of 40000"),
    ],
)
def test_impossible_counts_and_bets_are_refused(play: CountedPlay, message: str) -> None:
    with pytest.raises(InputError, match=message):
        verify_counted_play(play, RULES)


def test_an_infinite_shoe_cannot_be_counted() -> None:
    infinite = BlackjackRules(decks="infinite")
    verify_counted_play(CountedPlay(ramp=(5,)), infinite)
    with pytest.raises(InputError, match="an infinite shoe cannot be counted"):
        verify_counted_play(CountedPlay(ramp=(1, 5)), infinite)
