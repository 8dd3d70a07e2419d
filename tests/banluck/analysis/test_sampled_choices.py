"""Hands at a table of three: priced on deals that fit, against sums over a seat's own hands."""

from functools import cache

import pytest

from croupier.banluck.analysis.sampled_choices import SampledChoices
from croupier.banluck.analysis.solving import solve_table
from croupier.banluck.analysis.table_explanation import explain_table
from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import multiset_index, parse_multiset
from croupier.errors import InputError
from tests.banluck.solvers.table.counts_tables import heads_up_table

#: The dealer has a choice on 4 to 6 only, so that little has to be solved.
SMALL = BanluckRules(dealer_minimum=4, dealer_choice_max=6)


@cache
def choices() -> SampledChoices:
    return SampledChoices(solve_table(SMALL, 3, tolerance=1e-2), group_deals=1000)


@pytest.mark.parametrize("hand", ["T-6", "9-5"])
def test_hitting_and_standing_are_worth_what_sums_over_the_seats_own_hands_say(hand: str) -> None:
    """Both are in units of the same probability there, so their ratio must be that of the prices."""
    held = parse_multiset(hand)
    first = choices().seat_choices(held)[0]
    strategy = choices().strategy
    sample = heads_up_table(SMALL, 3, 1 << 15).seat_sample(0, strategy, 0)
    place = multiset_index(held)
    reply = sample.replies(SMALL, strategy.hit[strategy.rows_of(0)], best=False)[0]
    stand = float(sample.worth[0, place])
    ratio = float(reply.difference[place]) / stand
    difference = first.worth["hit"] - first.worth["stand"]
    assert difference == pytest.approx(ratio * first.worth["stand"], abs=5 * first.error)


def test_a_hand_is_explained_in_every_seat_and_for_the_dealer() -> None:
    solution = solve_table(SMALL, 3, tolerance=1e-2)
    explanation = explain_table(solution, "T-6", prices=choices())
    assert [choice.who for choice in explanation.choices] == [
        *("player 1", "player 2", "player 2", "player 3", "player 3"),
        "player, alone",
    ]
    assert all(choice.error > 0 for choice in explanation.choices[:-1])
    assert "10,000 deals" in explanation.sentences[-1]
    dealer = explain_table(solution, "2-3", counts=(2, 3, 3), prices=choices()).choices[0]
    assert list(dealer.worth) == ["draw", "open a hand of 3"]  # who may open somebody need not stop
    assert sum(dealer.frequencies.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("counts", "message"),
    [((2, 3), "say 3 numbers from 2 to 5"), ((2, 3, 6), "say 3 numbers from 2 to 5")],
)
def test_other_card_counts_are_refused(counts: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choices().dealer_choices(parse_multiset("2-3"), counts)


def test_a_hand_without_a_decision_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to decide"):
        choices().seat_choices(parse_multiset("2-2-2-2-3"))
    with pytest.raises(InputError, match="nothing to decide"):
        choices().dealer_choices(parse_multiset("T-9"), (2, 2, 2))
