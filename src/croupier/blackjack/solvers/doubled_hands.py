"""What players do with a doubled hand where the rules leave them a choice: stand, double again, or give it up.

Charts say nothing about doubled hands. Who plays a chart decides by the total and the up-card (or the dealer's total, where both cards lie
open), as if no other card were known: the best of standing, doubling again and giving up, from the full shoe without the dealer's open cards. The best play looks at every card.
"""

from functools import lru_cache
from itertools import combinations_with_replacement, product

import numpy as np

from croupier.blackjack.engine.hand import evaluate_classes
from croupier.blackjack.engine.moves import DOUBLE, STAND, SURRENDER
from croupier.blackjack.engine.permissions import HandFacts, dealer_draws, why_not_double, why_not_rescue
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart_moves import column_of, columns_for
from croupier.blackjack.solvers.dealer_hands import ENDINGS, NATURAL, dealer_trie, ending_probabilities
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, hand_space
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.table_facts import facts_without_check
from croupier.blackjack.solvers.value_kernels import (
    DoubledMoves,
    TableFacts,
    best_doubled_moves,
    result_against,
)
from croupier.cards import ACE_CLASS, TEN_CLASS

#: A hand of a plan is its total, and this much more if it is soft.
SOFT = 32


def goes_on(rules: BlackjackRules) -> bool:
    """Tell whether a doubled hand has anything to decide.

    >>> goes_on(BlackjackRules()), goes_on(BlackjackRules(double_rescue=True))
    (False, True)
    """
    return rules.double_rescue or rules.redoubles > 0


@lru_cache(maxsize=64)
def doubled_plan(rules: BlackjackRules) -> DoubledMoves:
    """Return ``[doubles before, hand, column]``: what a doubled hand does by its total, in each column of a chart.

    >>> plan = doubled_plan(BlackjackRules(double_rescue=True))
    >>> [bool(plan[0, total, 8] == SURRENDER) for total in (16, 18)]  # against a ten
    [True, False]
    """
    plan = np.full((1 + rules.redoubles, 2 * SOFT, len(columns_for(rules))), STAND, dtype=np.uint8)
    if goes_on(rules):
        for column, cards in _shown_by_column(rules).items():
            _plan_column(rules, cards, plan[:, :, column])
    plan.flags.writeable = False
    return plan


def plan_lines(rules: BlackjackRules) -> list[str]:
    """Say in lines what players of a chart do with doubled hands, where the rules leave them a choice.

    >>> for line in plan_lines(BlackjackRules(double_rescue=True)):
    ...     print(line)
    surrender a doubled 16 or less against 8, 9, T, A
    surrender a doubled soft 16 or less against 8, 9, T, A
    """
    against: dict[str, list[str]] = {}
    for level, by_hand in enumerate(doubled_plan(rules)):
        name = "a doubled" if level == 0 else f"a hand doubled {level + 1} times of"
        for move, verb in ((DOUBLE, "double"), (SURRENDER, "surrender")):
            for (column, shown), (first, word) in product(
                enumerate(columns_for(rules)), ((0, ""), (SOFT, "soft "))
            ):
                lowest = 12 if first else 4
                totals = [total for total in range(lowest, 21) if by_hand[first + total, column] == move]
                if totals:
                    key = f"{verb} {name} {word}{_ranges(totals, lowest)}"
                    against.setdefault(key, []).append(shown)
    return [f"{key} against {', '.join(up_cards)}" for key, up_cards in against.items()]


def _ranges(totals: list[int], lowest: int) -> str:
    """Write ascending totals, those in a row together; ``lowest`` is the lowest that there is.

    >>> _ranges([9, 12, 13, 14], 4), _ranges([4, 5, 6], 4)
    ('9, 12 to 14', '6 or less')
    """
    starts = [total for total in totals if total - 1 not in totals]
    ends = [total for total in totals if total + 1 not in totals]
    return ", ".join(
        f"{end} or less" if start == lowest else f"{start} to {end}" if start < end else f"{start}"
        for start, end in zip(starts, ends, strict=True)
    )


@lru_cache(maxsize=1024)
def planned_moves(rules: BlackjackRules, column: int) -> DoubledMoves:
    """Return ``[doubles before, hand]``: what the plan does with every hand in a column; no rows if all can only stand."""
    space = hand_space()
    moves: DoubledMoves = doubled_plan(rules)[:, space.total + SOFT * space.is_soft, column]
    return np.ascontiguousarray(moves if goes_on(rules) else moves[:0])


def best_moves(
    rules: BlackjackRules, unit: Floats, left: Floats, step: float, facts: TableFacts
) -> DoubledMoves:
    """Return ``[doubles before, hand]``: what is best with every doubled hand, by all its cards; no rows if all can only stand."""
    levels = 1 + rules.redoubles if goes_on(rules) else 0
    moves = np.full((levels, len(unit)), STAND, dtype=np.uint8)
    if levels:
        may_redouble, may_rescue = _permissions(rules)
        best_doubled_moves(may_redouble, may_rescue, unit, left, step, facts, hand_space(), moves)
    return moves


@lru_cache(maxsize=64)
def _permissions(rules: BlackjackRules) -> tuple[Flags, Flags]:
    """Tell which doubled hands may be doubled again, and which may be given up."""
    space = hand_space()
    hands = [
        HandFacts(total, is_soft, max(cards, 3), doubles=1)
        for total, is_soft, cards in zip(
            space.total.tolist(), space.is_soft.tolist(), space.card_count.tolist(), strict=True
        )
    ]
    return (
        np.array([rules.redoubles > 0 and why_not_double(rules, hand) is None for hand in hands]),
        np.array([why_not_rescue(rules, hand) is None for hand in hands]),
    )


def _shown_by_column(rules: BlackjackRules) -> dict[int, list[tuple[int, int | None, float]]]:
    """List the dealer's open cards of each column, with what is left of their chance from the full shoe."""
    full, found = ShoeCounts.full(rules).classes, dict[int, list[tuple[int, int | None, float]]]()
    step = ShoeCounts.full(rules).step
    if rules.hole_card != "open":
        return {up_card: [(up_card, None, 1.0)] for up_card in range(CLASSES)}
    for up_card, hole_card in combinations_with_replacement(range(CLASSES), 2):
        is_pair = up_card == hole_card
        ways = float(full[up_card] * (full[hole_card] - step * is_pair) * (1.0 if is_pair else 2.0))
        if ways > 0 and not (rules.natural_beats_21 and (up_card, hole_card) == (TEN_CLASS, ACE_CLASS)):
            found.setdefault(column_of(up_card, hole_card), []).append((up_card, hole_card, ways))
    return found


def _endings_and_shares(
    rules: BlackjackRules, cards: list[tuple[int, int | None, float]]
) -> tuple[Floats, Floats]:
    """Return how the dealer ends, and how often each class comes next, on average over the dealer's open cards of a column."""
    full, step = ShoeCounts.full(rules).classes, ShoeCounts.full(rules).step
    endings, shares = np.zeros(ENDINGS), np.zeros(CLASSES)
    for up_card, hole_card, weight in cards:
        left = full.copy()
        left[up_card] -= step
        if hole_card is not None:
            left[hole_card] -= step
        found = np.empty((1, ENDINGS))
        trie = dealer_trie(up_card, hits_soft_17=dealer_draws(rules, 17, True), hole_card=hole_card)
        ending_probabilities(left[None], step, trie, found)
        if facts_without_check(rules, up_card).natural_point >= 0:
            found[0, NATURAL] = 0.0
        endings += weight * found[0] / found[0].sum()
        shares += weight * left / left.sum()
    return endings / endings.sum(), shares / shares.sum()


def _plan_column(
    rules: BlackjackRules, cards: list[tuple[int, int | None, float]], plan: DoubledMoves
) -> None:
    facts = facts_without_check(rules, cards[0][0])
    endings, shares = _endings_and_shares(rules, cards)
    later: dict[int, float] = {}
    for level in reversed(range(len(plan))):
        stake, here = 2.0 ** (level + 1), dict[int, float]()
        for total in range(4, 22):
            for is_soft in (False, True) if total > 11 else (False,):
                hand = HandFacts(total, is_soft, 3, doubles=level + 1)
                place = total + SOFT * is_soft
                worths = {STAND: stake * _standing(rules, total, endings, facts)}
                if why_not_double(rules, hand) is None:
                    worths[DOUBLE] = sum(
                        share * later.get(_after(place, point), -2.0 * stake)
                        for point, share in enumerate(shares.tolist())
                    )
                if why_not_rescue(rules, hand) is None:
                    natural = float(endings[NATURAL]) if facts.natural_partner >= 0 else 0.0
                    worths[SURRENDER] = -0.5 * stake * (1.0 + natural)
                plan[level, place] = max(worths, key=lambda move: worths[move])
                here[place] = max(worths.values())
        later = here


def _standing(rules: BlackjackRules, total: int, endings: Floats, facts: TableFacts) -> float:
    """Return what a bet on a doubled hand of a total is worth if it stands."""
    if total == 21 and rules.twenty_one_pays_at_once:
        return 1.0
    return sum(
        float(chance) * result_against(total, ending, facts) for ending, chance in enumerate(endings.tolist())
    )


def _after(place: int, point: int) -> int:
    """Return the hand after a card; a number that no hand has if it is bust."""
    is_soft, total = divmod(place, SOFT)
    lowest = (
        (total - 10 if is_soft else total)
        + evaluate_classes((point,)).total
        - (10 if point == CLASSES - 1 else 0)
    )
    becomes_soft = (is_soft or point == CLASSES - 1) and lowest <= 11
    return lowest + (10 + SOFT if becomes_soft else 0) if lowest <= 21 else -1
