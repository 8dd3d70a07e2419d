"""The exact solver against plain recursion over real cards (``brute_force.py``), from shoes so small that every round can be dealt."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice

import pytest

from croupier.blackjack.engine.moves import DOUBLE, HIT, MOVES, STAND, SURRENDER
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import Analysis, HandAnalysis, analyse, up_card_table
from croupier.blackjack.solvers.hands import hand_space
from croupier.blackjack.solvers.shoe import RANKS, ShoeCounts
from croupier.cards import TEN_CLASS, point_class_of_rank
from croupier.rulebook import RulesError
from tests.blackjack.solvers.brute_force import (
    CHOICES,
    BruteForce,
    Cards,
    OutOfCards,
    Player,
    Shoe,
    Shown,
    count_of,
    draws,
    is_ace_and_ten,
    legal_actions,
    random_rules,
    random_shoe,
    real_cards,
    shoe_of,
)
from tests.long_cases import cases

EXACT = 1e-12

NAMES = {STAND: "stand", HIT: "hit", DOUBLE: "double", SURRENDER: "surrender"}


@cache
def classes_by_place() -> list[Cards]:
    """Return the point classes of every hand of the solver, in its order."""
    hands = hand_space().counts.tolist()
    return [tuple(point for point, number in enumerate(hand) for _ in range(number)) for hand in hands]


def shown_in(hand: HandAnalysis) -> Shown:
    """Return what the dealer shows against a hand."""
    return hand.up_card if hand.hole_card is None else (hand.up_card, hand.hole_card)


def solver_player(rules: BlackjackRules, shoe: ShoeCounts, analysis: Analysis) -> Player:
    """Write the solver's decisions down, hand by hand."""
    first: dict[tuple[Shown, Cards], set[str]] = defaultdict(set)
    for hand in analysis.hands:
        first[shown_in(hand), hand.hand].add(hand.best)
    play, no_double, doubled = {}, {}, {}
    for up_card, hole_card in {(hand.up_card, hand.hole_card) for hand in analysis.hands}:
        shown: Shown = up_card if hole_card is None else (up_card, hole_card)
        table = up_card_table(rules, shoe, up_card, hole_card)
        decisions, no_doubles = table.best_decisions(), table.hits_or_stands()
        for place, classes in enumerate(classes_by_place()):
            play[shown, classes] = NAMES[int(decisions[place])]
            no_double[shown, classes] = NAMES[int(no_doubles[place])]
            for level, moves in enumerate(table.doubled_moves):
                doubled[level + 1, shown, classes] = MOVES[moves[place]].value
    return Player({key: frozenset(names) for key, names in first.items()}, play, no_double, doubled)


@dataclass(frozen=True)
class Example:
    """A table and a shoe out of which no round can run, with what the brute force makes of it."""

    rules: BlackjackRules
    cards: str
    analysis: Analysis
    dealt: dict[tuple[Shown, Cards], tuple[float, float]]


def deal_out(rules: BlackjackRules, cards: str) -> Example:
    """Deal every round of a table, or raise where one runs out of cards."""
    shoe = shoe_of(cards)
    analysis = analyse(rules, shoe)
    brute = BruteForce(rules, real_cards(shoe), solver_player(rules, shoe, analysis))
    return Example(rules, cards, analysis, brute.dealt())


EXAMPLES = 32


def examples() -> Iterator[Example]:
    """Draw tables and shoes whose rounds never run out of cards."""
    for number in count():
        source = random.Random(f"brute force {number}")
        rules, cards = random_rules(source), random_shoe(source)
        try:
            yield deal_out(rules, cards)
        except OutOfCards:
            continue


def solved(analysis: Analysis) -> dict[tuple[Shown, Cards], tuple[float, float]]:
    """Return the solver's chance of every first hand and what the dealer shows, and its value times that."""
    found: dict[tuple[Shown, Cards], tuple[float, float]] = {}
    for hand in analysis.hands:
        chance, worth = found.get((shown_in(hand), hand.hand), (0.0, 0.0))
        found[shown_in(hand), hand.hand] = (
            chance + hand.probability,
            worth + hand.probability * hand.value,
        )
    return found


def assert_agreement(example: Example) -> None:
    table = f"{example.cards} at {example.rules}"
    assert sum(chance for chance, _ in example.dealt.values()) == pytest.approx(1.0, abs=EXACT)
    numbers = solved(example.analysis)
    assert numbers.keys() == example.dealt.keys(), table
    for key, dealt in example.dealt.items():
        assert numbers[key] == pytest.approx(dealt, abs=EXACT), f"{key}: {table}"
    total = sum(worth for _, worth in example.dealt.values())
    assert example.analysis.value == pytest.approx(total, abs=EXACT), table


def test_every_round_dealt_card_by_card_has_the_solvers_value_under_every_option() -> None:
    dealt = list(islice(examples(), EXAMPLES))
    for example in dealt:
        assert_agreement(example)
    for name, values in CHOICES.items():
        if name not in ("natural_pays", "charlie"):
            assert {getattr(example.rules, name) for example in dealt} == set(values), name
    assert sum(re_splitting_matters(example) for example in dealt) >= 6


def re_splitting_matters(example: Example) -> bool:
    if example.rules.split_hands <= 2:
        return False
    once = analyse(example.rules.replaced({"split_hands": 2}), shoe_of(example.cards))
    return abs(example.analysis.value - once.value) > 1e-6


TO_FOUR = BlackjackRules()
ACES = BlackjackRules(resplit_aces=True)

PAIR_RICH = {
    "eights to four hands": (TO_FOUR, "8888889999TTTT77"),
    "eights to three hands, doubled after": (TO_FOUR.replaced({"split_hands": 3}), "2233388888TTTTKK"),
    "eights, not doubled after": (TO_FOUR.replaced({"double_after_split": False}), "2333388888TTTTKK"),
    "eights, no peek": (TO_FOUR.replaced({"hole_card": "no-peek"}), "888888999TTTTAAA"),
    "eights, original bet": (
        TO_FOUR.replaced({"hole_card": "no-peek-original-bet"}),
        "888888999TTTTAAA",
    ),
    "nines against a peeking ten": (TO_FOUR, "999999888TTTTAAA"),
    "aces once, one card each": (TO_FOUR, "6788999TTTTTAAAA"),
    "aces to four hands, one card each": (ACES, "6788999TTTTTAAAA"),
    "aces to four hands, doubled": (ACES.replaced({"double_split_aces": True}), "6667789999TTTTAAAA"),
    "aces hit": (TO_FOUR.replaced({"hit_split_aces": True}), "6789999TTTTTAAAA"),
    "aces to three hands, hit and doubled": (
        ACES.replaced({"hit_split_aces": True, "double_split_aces": True, "split_hands": 3}),
        "67889999TTTTTTAAAA",
    ),
    "tens by rank": (TO_FOUR.replaced({"split_by": "rank"}), "6777TTTTTKKKQA"),
    "tens by value": (TO_FOUR, "67777TTTTKKKQA"),
    "sixes, hits soft 17, late surrender without a peek": (
        TO_FOUR.replaced({"soft17": "hit", "hole_card": "no-peek", "surrender": "late"}),
        "66666689999TTTTA",
    ),
}


@pytest.mark.parametrize("name", cases(PAIR_RICH, long=[*PAIR_RICH][::2]))
def test_a_shoe_full_of_pairs_has_the_solvers_value(name: str) -> None:
    rules, cards = PAIR_RICH[name]
    assert_agreement(deal_out(rules, cards))


def unconditional(brute: BruteForce, analysis: HandAnalysis, left: Shoe, up: int, action: str) -> float:
    """Turn the solver's value of an action into one before the dealer's second card is known."""
    rules = brute.rules
    if rules.hole_card == "no-peek" or not rules.natural_beats_21:
        return analysis.actions[action]
    natural = sum(chance for card, chance, _ in draws(left) if is_ace_and_ten((up, card)))
    lost = 0.0 if is_ace_and_ten(tuple(LOWEST_RANK[point] for point in analysis.hand)) else natural
    return analysis.actions[action] * (1.0 - natural) - lost


LOWEST_RANK = {point_class_of_rank(rank): rank for rank in reversed(range(RANKS))}

ACTION_TABLES: dict[str, tuple[BlackjackRules, str]] = {
    "peek, late surrender": (TO_FOUR.replaced({"surrender": "late"}), "5566888889999TTTTA"),
    "peek, early surrender": (
        TO_FOUR.replaced({"surrender": "early", "soft17": "hit"}),
        "5688888899TTTTAA",
    ),
    "no peek, late surrender": (
        TO_FOUR.replaced({"hole_card": "no-peek", "surrender": "late", "double": "9-11"}),
        "23788889999TTTTTAA",
    ),
    "original bet, early surrender not against an ace": (
        TO_FOUR.replaced({"hole_card": "no-peek-original-bet", "surrender": "early-not-ace"}),
        "66677789999TTTTAA",
    ),
    "aces hit, doubled and split again": (
        ACES.replaced({"hit_split_aces": True, "double_split_aces": True, "double_soft": False}),
        "667788899TTTTTAAA",
    ),
    "no splits, charlie": (
        TO_FOUR.replaced({"split_hands": 1, "charlie": 5}),
        "223344556677TTA",
    ),
}


@pytest.mark.parametrize("name", cases(ACTION_TABLES, long=[*ACTION_TABLES][::2]))
def test_every_action_on_two_cards_has_the_solvers_value_and_none_beats_its_best(name: str) -> None:
    rules, cards = ACTION_TABLES[name]
    shoe = shoe_of(cards)
    analysis = analyse(rules, shoe)
    brute = BruteForce(rules, real_cards(shoe), solver_player(rules, shoe, analysis))
    compared = 0
    for solved_hand in analysis.hands:
        hand = tuple(LOWEST_RANK[point] for point in solved_hand.hand)
        up = LOWEST_RANK[solved_hand.up_card]
        left = real_cards(shoe.without([*hand, up]))
        assert set(solved_hand.actions) == legal_actions(brute, hand, up)
        for action in solved_hand.actions:
            try:
                value = brute.action_value(left, hand, up, action)
            except OutOfCards:
                continue
            found = unconditional(brute, solved_hand, left, up, action)
            assert found == pytest.approx(value, abs=EXACT), (name, hand, up, action)
            assert value <= solved_hand.value + EXACT, (name, hand, up, action)
            compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    ("hole_card", "cards"),
    [
        pytest.param("peek", "2344677TTTTA", marks=pytest.mark.verify),
        ("no-peek", "2344677TTTTA"),
        ("peek", "2233668899TT"),
    ],
)
def test_no_other_decision_on_a_longer_hand_wins_more(hole_card: str, cards: str) -> None:
    rules = TO_FOUR.replaced({"split_hands": 1, "hole_card": hole_card})
    shoe = shoe_of(cards)
    player = solver_player(rules, shoe, analyse(rules, shoe))
    tried = 0
    for up_class in (TEN_CLASS,):
        best = value_against(BruteForce(rules, real_cards(shoe), player), up_class)
        for key in longer_hands(player, shoe, up_class):
            changed = {**player.play, key: "stand" if player.play[key] == "hit" else "hit"}
            brute = BruteForce(rules, real_cards(shoe), replace(player, play=changed))
            try:
                value = value_against(brute, up_class)
            except OutOfCards:
                continue
            assert value <= best + EXACT, key
            tried += value < best - EXACT
    assert tried >= 5


def longer_hands(player: Player, shoe: ShoeCounts, up_class: int) -> list[tuple[Shown, Cards]]:
    """Return the decisions on three cards or more that the shoe can bring against an up-card."""
    left = shoe.classes
    left[up_class] -= 1
    return [
        (up, classes)
        for up, classes in player.play
        if up == up_class
        and len(classes) >= 3
        and total_of_classes(classes) < 21
        and all(classes.count(point) <= left[point] for point in classes)
    ]


def value_against(brute: BruteForce, up_class: int) -> float:
    return sum(worth for _, worth in brute.first_hands(up_class).values())


def total_of_classes(classes: Cards) -> int:
    return count_of(tuple(LOWEST_RANK[point] for point in classes))[0]


def test_a_21_after_a_split_is_never_doubled_however_many_tens_are_left() -> None:
    rules = TO_FOUR.replaced({"split_hands": 2})
    assert_agreement(deal_out(rules, "8899TTTTTTTTA"))


def test_where_21_is_paid_at_once_a_natural_still_waits_for_the_peek() -> None:
    rules = TO_FOUR.replaced({"split_hands": 1, "twenty_one_pays_at_once": True})
    assert_agreement(deal_out(rules, "999TTTTAAA"))


@pytest.mark.parametrize("hole_card", ["peek", "no-peek"])
def test_where_naturals_are_ordinary_a_late_surrender_always_keeps_half(hole_card: str) -> None:
    rules = TO_FOUR.replaced(
        {"split_hands": 1, "surrender": "late", "natural_beats_21": False, "hole_card": hole_card}
    )
    assert_agreement(deal_out(rules, "7789999TTTTAAA"))


@pytest.mark.parametrize("option", [{"charlie": 5}, {"twenty_one_pays_at_once": True}])
def test_hands_paid_at_once_are_refused_where_a_later_natural_takes_the_original_bet(
    option: dict[str, object],
) -> None:
    rules = TO_FOUR.replaced({"hole_card": "no-peek-original-bet", **option})
    with pytest.raises(RulesError, match="no-peek-original-bet"):
        analyse(rules)
