"""What must be true of the solver's numbers whatever they are: every option pulls the way it is known to pull."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers.chart_moves import column_of, columns_for
from croupier.blackjack.solvers.dealer_hands import (
    BUST,
    ENDINGS,
    NATURAL,
    TWENTY_TWO,
    dealer_trie,
    ending_probabilities,
)
from croupier.blackjack.solvers.exact import Analysis, analyse, shown_chances
from croupier.blackjack.solvers.hands import CLASSES, hand_space
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.total_dependent import TotalDependent
from croupier.cards import ACE, ACE_CLASS, TEN, TEN_CLASS
from tests.long_cases import cases

AnalysisOf = Callable[[BlackjackRules], Analysis]
ChartOf = Callable[[BlackjackRules], TotalDependent]

BASE = BlackjackRules(decks=2)
EXACT = 1e-12

PRESETS = {preset.name: preset.rules for preset in BLACKJACK.presets}

RAISES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "dealer stands on soft 17": ({"soft17": "hit"}, {"soft17": "stand"}),
    "natural pays 6:5 rather than 1:1": ({"natural_pays": "1:1"}, {"natural_pays": "6:5"}),
    "natural pays 3:2 rather than 6:5": ({"natural_pays": "6:5"}, {"natural_pays": "3:2"}),
    "natural pays 2:1 rather than 3:2": ({"natural_pays": "3:2"}, {"natural_pays": "2:1"}),
    "natural beats 21": ({"natural_beats_21": False}, {"natural_beats_21": True}),
    "double 10-11 rather than never": ({"double": "none"}, {"double": "10-11"}),
    "double 9-11 rather than 10-11": ({"double": "10-11"}, {"double": "9-11"}),
    "double any rather than 9-11": ({"double": "9-11"}, {"double": "any"}),
    "double soft hands": ({"double_soft": False}, {"double_soft": True}),
    "double after a split": ({"double_after_split": False}, {"double_after_split": True}),
    "one split": ({"split_hands": 1}, {"split_hands": 2}),
    "two splits": ({"split_hands": 2}, {"split_hands": 3}),
    "three splits": ({"split_hands": 3}, {"split_hands": 4}),
    "split aces again": ({"resplit_aces": False}, {"resplit_aces": True}),
    "hit split aces": ({"hit_split_aces": False}, {"hit_split_aces": True}),
    "double split aces": (
        {"hit_split_aces": True, "double_split_aces": False},
        {"hit_split_aces": True, "double_split_aces": True},
    ),
    "late surrender": ({"surrender": "none"}, {"surrender": "late"}),
    "early surrender but against an ace": ({"surrender": "none"}, {"surrender": "early-not-ace"}),
    "early surrender against an ace too": ({"surrender": "early-not-ace"}, {"surrender": "early"}),
    "early surrender against an ace only": ({"surrender": "none"}, {"surrender": "early-ace"}),
    "a surrender that gives back more": (
        {"surrender": "late", "surrender_returns": "1/4"},
        {"surrender": "late", "surrender_returns": "1/2"},
    ),
    "the dealer's other card seen": ({"hole_card": "peek"}, {"hole_card": "open"}),
    "ties that push": ({"ties_lose": True}, {"ties_lose": False}),
    "a surrender at any time": (
        {"surrender": "late"},
        {"surrender": "late", "surrender_any_cards": True},
    ),
    "double any number of cards": ({"double_any_cards": False}, {"double_any_cards": True}),
    "a doubled hand given up": ({"double_rescue": False}, {"double_rescue": True}),
    "a doubled hand doubled again": ({"redoubles": 0}, {"redoubles": 1}),
    "and once more": ({"redoubles": 1}, {"redoubles": 2}),
    "free doubles": ({"free_doubles": False}, {"free_doubles": True}),
    "free splits": ({"free_splits": False}, {"free_splits": True}),
    "a natural against a natural": ({"natural_always_wins": False}, {"natural_always_wins": True}),
    "bonuses of Spanish 21": ({"bonus_21": "none"}, {"bonus_21": "spanish-21"}),
    "bonuses of Super Fun 21": ({"bonus_21": "none"}, {"bonus_21": "super-fun-21"}),
    "tens in the pack": ({"ten_spots": False}, {"ten_spots": True}),
    "early rather than late surrender": ({"surrender": "late"}, {"surrender": "early"}),
    "no bet but the original is lost to a natural": (
        {"hole_card": "no-peek"},
        {"hole_card": "no-peek-original-bet"},
    ),
    "dealer peeks": ({"hole_card": "no-peek"}, {"hole_card": "peek"}),
    "seven-card charlie": ({"charlie": "off"}, {"charlie": 7}),
    "six-card rather than seven-card charlie": ({"charlie": 7}, {"charlie": 6}),
    "five-card rather than six-card charlie": ({"charlie": 6}, {"charlie": 5}),
    "21 paid at once": ({"twenty_one_pays_at_once": False}, {"twenty_one_pays_at_once": True}),
    "fewer decks": ({"decks": 3}, {"decks": 2}),
}


@pytest.mark.parametrize("name", RAISES)
def test_the_option_raises_the_players_expectation(name: str, analysis_of: AnalysisOf) -> None:
    worse, better = RAISES[name]
    gain = analysis_of(BASE.replaced(better)).value - analysis_of(BASE.replaced(worse)).value
    assert gain > 1e-7


SAME: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "original bet is as good as a peek": ({"hole_card": "peek"}, {"hole_card": "no-peek-original-bet"}),
    "original bet is as good as a peek, with late surrender": (
        {"hole_card": "peek", "surrender": "late"},
        {"hole_card": "no-peek-original-bet", "surrender": "late"},
    ),
    "tens are never split anyway": ({"split_tens": True}, {"split_tens": False}),
    "by rank or by value is about tens only": ({"split_by": "value"}, {"split_by": "rank"}),
    "insurance is not taken": ({"insurance": True}, {"insurance": False}),
    "the cut card does not matter to a fresh shoe": ({"penetration": 0.75}, {"penetration": 0.5}),
    "shuffling does not matter to a fresh shoe": ({"shuffle": "shoe"}, {"shuffle": "continuous"}),
    "bet limits do not matter to one bet": ({"maximum_bet": 1000}, {"maximum_bet": 10}),
    "a closed card is a closed card": ({"doubled_card": "open"}, {"doubled_card": "closed"}),
    "no soft hand counts 9 to 11": (
        {"double": "9-11", "double_soft": True},
        {"double": "9-11", "double_soft": False},
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_the_option_changes_nothing(name: str, analysis_of: AnalysisOf) -> None:
    one, other = SAME[name]
    assert analysis_of(BASE.replaced(one)).value == pytest.approx(
        analysis_of(BASE.replaced(other)).value, abs=EXACT
    )


@pytest.mark.parametrize("option", ["split_tens", "split_by"])
def test_how_tens_are_split_matters_where_splitting_them_pays(option: str) -> None:
    # Sixes and tens only: a dealer with a six busts so often that tens are split.
    ranks = np.zeros(13)
    ranks[[4, TEN, TEN + 1]] = 12.0
    shoe = ShoeCounts(ranks)
    freer = analyse(BASE, shoe).value
    stricter = analyse(
        BASE.replaced({"split_tens": False} if option == "split_tens" else {"split_by": "rank"}), shoe
    )
    assert stricter.value < freer - 1e-3
    if option == "split_by":
        assert stricter.value > analyse(BASE.replaced({"split_tens": False}), shoe).value + 1e-3


def test_more_decks_are_worse_and_infinite_ones_the_worst(analysis_of: AnalysisOf) -> None:
    values = [analysis_of(BASE.replaced({"decks": decks})).value for decks in (1, 2, 4, 6, 8, "infinite")]
    assert values == sorted(values, reverse=True)
    one, _, _, six, eight, infinite = values
    # What card removal is worth falls like one over the number of decks.
    assert (eight - infinite) * 8 == pytest.approx((six - infinite) * 6, rel=0.05)
    assert one - infinite > 4 * (six - infinite)


@pytest.mark.parametrize("preset", cases(PRESETS, long=[*PRESETS][3:]))
def test_a_chart_is_never_better_than_play_by_composition(
    preset: str, analysis_of: AnalysisOf, best_chart_of: ChartOf
) -> None:
    rules = PRESETS[preset]
    chart, best = best_chart_of(rules).value, analysis_of(rules).value
    assert chart <= best + EXACT
    assert best - chart < 1e-3


@pytest.mark.parametrize("preset", PRESETS)
def test_the_chances_of_first_hands_and_up_cards_sum_to_one(preset: str, analysis_of: AnalysisOf) -> None:
    analysis = analysis_of(PRESETS[preset])
    assert sum(hand.probability for hand in analysis.hands) == pytest.approx(1.0, abs=EXACT)
    rules = PRESETS[preset]
    by_up_card, chances = analysis.by_up_card(), dict[str, float]()
    for up_card, hole_card, chance in shown_chances(rules, ShoeCounts.full(rules)):
        column = columns_for(rules)[column_of(up_card, hole_card)]
        chances[column] = chances.get(column, 0.0) + chance
    assert len(by_up_card) == len(columns_for(rules))
    total = sum(chances[column] * value for column, value in by_up_card.items())
    assert total == pytest.approx(analysis.value, abs=EXACT)


def test_the_best_action_is_what_the_value_is_made_of(analysis_of: AnalysisOf) -> None:
    for hand in analysis_of(BASE).hands:
        if hand.hand == (TEN_CLASS, ACE_CLASS):
            continue
        assert hand.actions[hand.best] == max(hand.actions.values())
        if hand.up_card not in (TEN_CLASS, ACE_CLASS):
            assert hand.value == pytest.approx(max(hand.actions.values()), abs=EXACT)
        else:
            assert hand.value < max(hand.actions.values())


def test_dealers_show_their_weakness_with_a_five_or_six(analysis_of: AnalysisOf) -> None:
    by_up_card = analysis_of(BASE).by_up_card()
    ranked = sorted(by_up_card, key=lambda up_card: by_up_card[up_card])
    assert ranked[:2] == ["A", "T"]
    assert set(ranked[-2:]) == {"5", "6"}


EFFECTS = {"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1, "9": -1, "T": -1, "A": -1}
"""The sign of what removing a card does to the player, Griffin's effects of removal; an eight is next to nothing."""


@pytest.mark.parametrize("letter", EFFECTS)
def test_removing_a_card_helps_or_hurts_as_counters_know(letter: str, analysis_of: AnalysisOf) -> None:
    rules = BASE.replaced({"decks": 1})
    rank = "23456789TJQKA".index(letter)
    effect = analyse(rules, ShoeCounts.full(rules).without([rank])).value - analysis_of(rules).value
    assert effect * EFFECTS[letter] > 0.0005


def test_a_deck_without_fives_is_thorps_five_count(analysis_of: AnalysisOf) -> None:
    # Thorp, Beat the Dealer: without the fives of one deck the player is some 3.3 % ahead.
    rules = BlackjackRules(decks=1, double_after_split=False, split_hands=2)
    without_fives = analyse(rules, ShoeCounts.full(rules).without([3] * 4)).value
    assert 0.03 < without_fives - analysis_of(rules).value < 0.04
    without_aces = analyse(rules, ShoeCounts.full(rules).without([ACE] * 4)).value
    assert -0.03 < without_aces - analysis_of(rules).value < -0.02


def test_the_average_over_every_removed_card_is_the_whole(analysis_of: AnalysisOf) -> None:
    # A fixed play has the same value whether a card is burnt unseen or not; knowing the burnt card can only help.
    rules = BASE.replaced({"decks": 1, "split_hands": 1})
    shoe = ShoeCounts.full(rules)
    known = sum(analyse(rules, shoe.without([rank])).value for rank in range(13)) / 13
    unknown = analysis_of(rules).value
    assert unknown < known < unknown + 0.002


def test_equal_shoes_have_equal_values_however_they_are_told(analysis_of: AnalysisOf) -> None:
    assert analyse(BASE, ShoeCounts.full(BASE)).value == analysis_of(BASE).value


def dealt_endings(left: tuple[float, ...], step: float, hand: tuple[int, ...], *, hits: bool) -> np.ndarray:
    """Return the chances of the dealer's endings by dealing one card after another."""
    found = np.zeros(ENDINGS)
    hard = sum(1 if point == ACE_CLASS else point + 2 for point in hand)
    soft = ACE_CLASS in hand and hard <= 11
    total = hard + 10 if soft else hard
    if len(hand) == 2 and total == 21:
        found[NATURAL] = 1.0
    elif total > 21:
        found[TWENTY_TWO if total == 22 else BUST] = 1.0
    elif len(hand) > 1 and total >= 17 and not (total == 17 and soft and hits):
        found[total - 17] = 1.0
    else:
        for point, count in enumerate(left):
            if count > 0:
                after = (*left[:point], count - step, *left[point + 1 :])
                found += count / sum(left) * dealt_endings(after, step, (*hand, point), hits=hits)
    return found


def solved_endings(left: tuple[float, ...], step: float, up_card: int, *, hits: bool) -> np.ndarray:
    trie = dealer_trie(up_card, hits_soft_17=hits)
    out = np.empty((1, ENDINGS))
    ending_probabilities(np.array([left]), step, trie, out)
    return out.ravel()


@pytest.mark.parametrize("hits", [False, True], ids=["stands on soft 17", "hits soft 17"])
@pytest.mark.parametrize("number", range(6))
def test_the_dealers_endings_are_those_of_plain_dealing(number: int, hits: bool) -> None:
    source = random.Random(f"dealer {number}")
    points = source.sample(range(CLASSES), 5)
    if number % 2:
        points = [TEN_CLASS, ACE_CLASS, *points[:3]]
    left = tuple(float(source.randint(4, 9) if point in points else 0) for point in range(CLASSES))
    for up_card in (TEN_CLASS, ACE_CLASS, 4, 5):
        solved = solved_endings(left, 1.0, up_card, hits=hits)
        assert solved.sum() == pytest.approx(1.0, abs=EXACT)
        assert solved == pytest.approx(dealt_endings(left, 1.0, (up_card,), hits=hits), abs=EXACT)


def test_the_dealers_endings_with_infinite_decks_are_those_of_plain_dealing() -> None:
    left = (1.0,) * 8 + (4.0, 1.0)
    for up_card in (TEN_CLASS, ACE_CLASS):
        solved = solved_endings(left, 0.0, up_card, hits=False)
        assert solved == pytest.approx(dealt_endings(left, 0.0, (up_card,), hits=False), abs=EXACT)
        assert solved.sum() == pytest.approx(1.0, abs=EXACT)


def test_there_are_as_many_hands_as_partitions_of_totals_up_to_21() -> None:
    # Multisets of 1 to 10 whose sum is n, for n = 1 to 21, counted by the usual recurrence; a single card is a hand too.
    ways = [1] + [0] * 21
    for points in range(1, 11):
        for total in range(points, 22):
            ways[total] += ways[total - points]
    space = hand_space()
    assert len(space.total) == sum(ways[1:])
    assert int((space.card_count >= 2).sum()) == sum(ways[1:]) - 10
