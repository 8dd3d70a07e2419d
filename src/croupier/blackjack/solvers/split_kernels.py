"""Compiled passes over all hands of a split, see :mod:`~croupier.blackjack.solvers.splitting` for the method.

Values are as in :mod:`~croupier.blackjack.solvers.value_kernels`: in bets, and joint with no natural where the table peeks.
"""

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, STAND, SURRENDER
from croupier.blackjack.solvers.dealer_hands import DealerTrie
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, HandSpace, Integers
from croupier.blackjack.solvers.splitting import SplitWeights
from croupier.blackjack.solvers.value_kernels import (
    DoubledMoves,
    TableFacts,
    cards_left,
    doubled_values,
    final_values,
    fixed_play,
    stand_values,
)
from croupier.numerics.compiled import compiled, inlined, inlined_lean


@compiled
def split_value(
    weights: SplitWeights,
    single: int,
    pair_point: int,
    pair_left: float,
    hands: Integers,
    decision: Integers,
    doubled_moves: DoubledMoves,
    risk: float,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    standing: Floats,
    known: Flags,
) -> float:
    """Return the value of a split whose hands are played by a decision array.

    Parameters
    ----------
    single, pair_point
        The hand of one of the two cards that are split, and its class.
    pair_left
        Cards left that make a pair with those that are split.
    hands
        Every hand that the split can become.
    doubled_moves
        What doubled hands do, by number of doubles.
    risk
        What a hand that is not doubled loses: a bet, or 0 if it was split with a free one.
    standing, known
        A row for each number of further pair cards out of the shoe: what :func:`stand_values` sets, and where that is known;
        missing values are computed and kept.
    """
    play = np.full(len(space.total), -np.inf)
    doubled = np.full((len(doubled_moves), len(play)), -np.inf)
    shoe = left.copy()
    shoe[pair_point] -= step
    total = 0.0
    for further in range(len(weights.whatever)):
        if weights.not_pair[further] != 0.0 or weights.whatever[further] != 0.0:
            stand, unit, lost = standing[further, 0], standing[further, 1], standing[further, 2]
            reached, missing = _reached(
                single, decision, doubled_moves, hands, shoe, step, space, known[further]
            )
            stand_values(missing, shoe, step, facts, space, trie, stand, unit, lost)
            known[further][missing] = True
            doubled_values(hands, doubled_moves, unit, shoe, step, facts, space, doubled)
            final = final_values(stand, unit, lost, doubled, risk, facts)
            fixed_play(reached, decision, final, shoe, step, facts, space, play)
            pairs = pair_left - step * further
            not_pair, pair = _second_card(single, pair_point, pairs, shoe, step, space, play)
            total += weights.not_pair[further] * not_pair
            total += weights.whatever[further] * (not_pair + pair)
        shoe[pair_point] -= step
    return total


@compiled
def _reached(
    single: int,
    decision: Integers,
    doubled_moves: DoubledMoves,
    hands: Integers,
    left: Floats,
    step: float,
    space: HandSpace,
    known: Flags,
) -> tuple[Integers, Integers]:
    """List the hands that a split hand may become, and those of them whose value of standing is needed but not yet known."""
    levels = len(doubled_moves)
    gets_to, stands = np.zeros(len(decision), dtype=np.bool_), np.zeros(len(decision), dtype=np.bool_)
    doubled = np.zeros((levels, len(decision)), dtype=np.bool_)
    reached, missing = np.empty(len(hands), dtype=np.int64), np.empty(len(hands), dtype=np.int64)
    reached_count, missing_count = 0, 0
    for after in space.child[single]:
        gets_to[after] = True
    for hand in hands:
        if gets_to[hand]:
            reached[reached_count] = hand
            reached_count += 1
            if decision[hand] == STAND:
                stands[hand] = True
            elif decision[hand] != SURRENDER:
                marks = gets_to
                if decision[hand] == DOUBLE:
                    marks = doubled[0] if levels > 0 else stands
                _mark_next(hand, left, step, space, marks)
        for level in range(levels):
            if doubled[level, hand]:
                stands[hand] = True
                if doubled_moves[level, hand] == DOUBLE:
                    _mark_next(hand, left, step, space, doubled[level + 1])
        if stands[hand] and not known[hand]:
            missing[missing_count] = hand
            missing_count += 1
    return reached[:reached_count], missing[:missing_count]


@inlined_lean
def _mark_next(hand: int, left: Floats, step: float, space: HandSpace, marks: Flags) -> None:
    for point in range(CLASSES):
        after = space.child[hand, point]
        if after >= 0 and left[point] - step * space.counts[hand, point] > 0:
            marks[after] = True


@inlined
def _second_card(
    single: int, pair_point: int, pairs: float, left: Floats, step: float, space: HandSpace, play: Floats
) -> tuple[float, float]:
    """Return the value of one hand of a split, joint with its second card not making a pair, and joint with making one."""
    rest = np.empty(CLASSES)
    cards = cards_left(single, left, step, space, rest)
    not_pair, pair = 0.0, 0.0
    for point in range(CLASSES):
        others = rest[point] - (pairs if point == pair_point else 0.0)
        if others > 0:
            not_pair += others * play[space.child[single, point]]
    if pairs > 0:
        pair = pairs * play[space.child[single, pair_point]]
    return not_pair / cards, pair / cards
