"""Mixtures of the dealer's strategies, and what a dealer's strategy makes one seat's play do to the other seat."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.payoff_kernel import CHOICE, FORCED
from croupier.banluck.solvers.table.dealer_states import COUNTS, DealerHands, pass_known
from croupier.banluck.solvers.table.seat_hands import pass_on
from croupier.banluck.solvers.table.strategy import DealerPolicy, PackedPolicy
from croupier.banluck.solvers.table.sums import Places
from croupier.banluck.solvers.table.two_seats import FIRST, SECOND, KnownHands, SeatSums, TwoSeatGame
from croupier.numerics.compiled import compiled
from croupier.numerics.threads import side_by_side


def crossed_values(table: TwoSeatGame, sums: SeatSums, policy: DealerPolicy, start: Floats) -> Floats:
    """Return what the other seat wins by one seat's final hand, against a dealer's strategy.

    Rows are the first seat's hands, then the second's by the first one's card count. What the other seat loses by
    a shown bust is left out: no strategy of the dealer changes it.
    """
    settled, opened = table.settlements(policy, start)
    first, second = table.known_hands(sums, policy)
    entry = np.repeat(start[:, None], COUNTS, axis=1)
    tasks = []
    for number in range(COUNTS):
        by_second = (settled[SECOND][:, number, :], opened[FIRST][:, number, :])
        tasks.append(partial(_worth, table, first[number], *by_second))
    for number in range(COUNTS):
        by_first = (settled[FIRST][:, :, number], opened[SECOND][:, :, number])
        tasks.append(partial(_worth, table, second[number], *by_first))
    tasks.append(partial(_worth, table, second[COUNTS], np.zeros_like(entry), entry))
    worths = side_by_side(tasks)
    found = np.zeros((1 + COUNTS, len(MULTISETS)))
    for known, worth in zip(first, worths[:COUNTS], strict=True):
        found[0, known.sums.known] = worth.sum(axis=1)
    for known, worth in zip(second, worths[COUNTS:], strict=True):
        found[1:, known.sums.known] = worth.T
    return found


def mixture(
    table: TwoSeatGame,
    policies: Sequence[PackedPolicy],
    weights: Sequence[float],
    otherwise: DealerPolicy,
    start: Floats,
) -> DealerPolicy:
    """Return the policy of a dealer who picks one of some pure policies before the hand; where none leads, ``otherwise``."""
    mixed = otherwise.copy()
    dealer = table.dealer
    closed = np.zeros_like(mixed.closed)
    first = [(np.zeros_like(draw), np.zeros_like(draw)) for draw in mixed.first_known]
    second = [(np.zeros_like(draw), np.zeros_like(draw)) for draw in mixed.second_known]
    entry = np.repeat(start[:, None], COUNTS, axis=1)
    for packed, weight in zip(policies, weights, strict=True):
        policy = packed.unpacked()
        _, opened = table.settlements(policy, start)
        reach = closed_reach(start, dealer, policy.closed)
        closed += weight * reach[..., None] * policy.closed
        for number in range(COUNTS):
            by_second = opened[FIRST][:, number, :].copy()
            add_reach(*first[number], weight, by_second, dealer, policy.first_known[number])
            by_first = opened[SECOND][:, :, number].copy()
            add_reach(*second[number], weight, by_first, dealer, policy.second_known[number])
        add_reach(*second[COUNTS], weight, entry, dealer, policy.second_known[COUNTS])
    total = closed.sum(axis=3)
    mixed.closed[total > 0] = closed[total > 0] / total[total > 0][:, None]
    for draws, sums in ((mixed.first_known, first), (mixed.second_known, second)):
        for draw, (reach, drawn) in zip(draws, sums, strict=True):
            draw[reach > 0] = drawn[reach > 0] / reach[reach > 0]
    return mixed


def _worth(table: TwoSeatGame, known: KnownHands, settled: Floats, entry: Floats) -> Floats:
    worth = np.zeros(known.mass.shape)
    add_worth(
        worth, known.settled, np.ascontiguousarray(settled), np.ascontiguousarray(entry),
        known.sums.pair_of, table.dealer, known.draw,
    )  # fmt: skip
    return worth


@compiled
def add_worth(
    worth: Floats,
    units: Floats,
    settled: Floats,
    entry: Floats,
    pair_of: Places,
    dealer: DealerHands,
    policy: Floats,
) -> None:
    """Add what the closed seat wins by the other's known hand: settled while both are closed, or after that hand is known."""
    hands = len(dealer.hands)
    reach, stopped = np.empty((hands, COUNTS)), np.empty(COUNTS)
    for known in range(len(pair_of)):
        reach[:] = entry
        for hand in range(hands):
            pair = pair_of[known, hand]
            pass_known(reach, stopped, hand, dealer, policy[known])
            if pair >= 0:
                for count in range(COUNTS):
                    worth[known, count] += (settled[hand, count] + stopped[count]) * units[pair, count]


@compiled
def closed_reach(start: Floats, dealer: DealerHands, policy: Floats) -> Floats:
    """Return the dealer's mass at each hand of choice while both seats are closed, by their card counts."""
    choices, counts = policy.shape[0], policy.shape[1]
    found = np.zeros((choices, counts, counts))
    reach = np.empty(len(dealer.by_total))
    for first in range(counts):
        for second in range(counts):
            reach[:] = start
            for hand in range(len(dealer.by_total)):
                go = 1.0 if dealer.by_total[hand] == FORCED else 0.0
                if dealer.by_total[hand] == CHOICE:
                    found[dealer.choice_of[hand], first, second] = reach[hand]
                    go = policy[dealer.choice_of[hand], first, second, 1]
                if reach[hand] * go > 0.0:
                    pass_on(reach, dealer.child[hand], reach[hand] * go)
    return found


@compiled
def add_reach(
    reached: Floats,
    drawn: Floats,
    weight: float,
    entry: Floats,
    dealer: DealerHands,
    policy: Floats,
) -> None:
    """Add the dealer's mass at each hand of choice, and the part that draws, once a hand is known."""
    hands = len(dealer.hands)
    reach, stopped = np.empty((hands, COUNTS)), np.empty(COUNTS)
    for known in range(len(policy)):
        reach[:] = entry
        for hand in range(hands):
            choice = dealer.choice_of[hand]
            if pass_known(reach, stopped, hand, dealer, policy[known]) and choice >= 0:
                for count in range(COUNTS):
                    if dealer.kinds[hand, count] == CHOICE:
                        reached[known, choice, count] += weight * (stopped[count] + reach[hand, count])
                        drawn[known, choice, count] += weight * reach[hand, count]
