"""What a player does, as compiled code: bets, and moves by the chart among those that the rules allow; both may depend on the count."""

import numpy as np

from croupier.blackjack.simulation.round_terms import (
    ACE_POINT,
    ALLOWED_AFTER_SPLIT,
    ALLOWED_FIRST,
    ALLOWED_WITH_SPLIT_ACE,
    FLOOR,
    HANDS_OF_PAIR,
    LONGER_HANDS,
    MAY_SPLIT,
    MAY_SURRENDER,
    NEAREST,
    NEVER,
    SOFT,
    Counting,
    Setup,
)
from croupier.blackjack.simulation.shoe_kernel import (
    HOLE_CARD,
    POINT_MASK,
    POSITION,
    RUNNING_COUNT,
    SIZE,
    Shoe,
)
from croupier.blackjack.solvers.chart_moves import BY_TOTAL, FIRST_PAIR_ROW
from croupier.numerics.compiled import inlined_lean

_TWO_CARDS = (1 << LONGER_HANDS) - 1


@inlined_lean
def row_of(hand: int) -> int:
    """Return the chart's row of a hand that is not a pair: hard 4 to 21, then soft 12 to 21."""
    return hand - 4 if hand < SOFT else hand - SOFT + 6


@inlined_lean
def measured_count(shoe: Shoe, counting: Counting) -> int:
    """Return the count that decides bets and moves: the running count, or the running count per pack not yet seen."""
    running = shoe[RUNNING_COUNT]
    if not counting.is_true:
        return int(running)
    unseen = shoe[SIZE] - shoe[POSITION] + (1 if shoe[HOLE_CARD] >= 0 else 0)
    step = max(counting.cards_a_step, 1)
    steps = max((2 * unseen + step) // (2 * step), 1)
    numerator, denominator = running * 52, max(steps * step, 1)
    if counting.rounding == FLOOR:
        return int(numerator // denominator)
    if counting.rounding == NEAREST:
        return int((2 * numerator + denominator) // (2 * denominator))
    return int(numerator // denominator if numerator >= 0 else -(-numerator // denominator))


@inlined_lean
def bet_by_count(shoe: Shoe, setup: Setup) -> int:
    """Return the bet, in units, that the count asks for before the deal."""
    ramp = setup.ramp
    if len(ramp) == 1:
        return int(ramp[0])
    step = measured_count(shoe, setup.counting) - setup.counting.lowest_in_ramp
    return int(ramp[min(max(step, 0), len(ramp) - 1)])


@inlined_lean
def planned_move(allowed: int, row: int, up: int, shoe: Shoe, setup: Setup) -> int:
    """Return the move of a cell, by the highest index that the count reaches."""
    layer = 0
    for place in range(setup.counting.layers):
        index = setup.indices[place, row, up]
        if index != NEVER and measured_count(shoe, setup.counting) >= index:
            layer = place + 1
    return int(setup.plans[layer, allowed, row, up])


@inlined_lean
def chosen_move(allowed: int, row: int, hand: int, up: int, shoe: Shoe, setup: Setup) -> int:
    """Ask the chart; a pair that may not be split is played by its total."""
    move = planned_move(allowed, row, up, shoe, setup)
    if move == BY_TOTAL:
        move = planned_move(allowed, row_of(hand), up, shoe, setup)
    return move


@inlined_lean
def may_split(first: int, second: int, hands: int, setup: Setup) -> bool:
    """Tell whether two cards are a pair that may be split, given how many hands the player already has."""
    is_pair = (first ^ second) & setup.terms.pair_mask == 0
    return bool(is_pair and hands < setup.after[first & POINT_MASK, HANDS_OF_PAIR])


@inlined_lean
def allowed_first(hand: int, first: int, second: int, may_surrender: bool, setup: Setup) -> int:
    """Return what is allowed with the first two cards."""
    allowed = int(np.int64(setup.after[hand, ALLOWED_FIRST]) & _TWO_CARDS)
    if may_surrender:
        allowed |= MAY_SURRENDER
    if may_split(first, second, 1, setup):
        allowed |= MAY_SPLIT
    return allowed


@inlined_lean
def allowed_after_split(hand: int, first: int, second: int, hands: int, setup: Setup) -> int:
    """Return what is allowed with the first two cards of a hand from a split."""
    is_ace = (first & POINT_MASK) == ACE_POINT
    column = ALLOWED_WITH_SPLIT_ACE if is_ace else ALLOWED_AFTER_SPLIT
    allowed = int(np.int64(setup.after[hand, column]) & _TWO_CARDS)
    if may_split(first, second, hands, setup):
        allowed |= MAY_SPLIT
    return allowed


@inlined_lean
def allowed_longer(hand: int, first: int, hands: int, setup: Setup) -> int:
    """Return what is allowed with more than two cards."""
    column = ALLOWED_FIRST
    if hands > 1:
        is_ace = (first & POINT_MASK) == ACE_POINT
        column = ALLOWED_WITH_SPLIT_ACE if is_ace else ALLOWED_AFTER_SPLIT
    return int(np.int64(setup.after[hand, column]) >> LONGER_HANDS)


@inlined_lean
def row_of_cards(first: int, second: int, hand: int) -> int:
    """Return the chart's row of two cards."""
    is_pair = (first ^ second) & POINT_MASK == 0
    return FIRST_PAIR_ROW + (first & POINT_MASK) if is_pair else row_of(hand)
