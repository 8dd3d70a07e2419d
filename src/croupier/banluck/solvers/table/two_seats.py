"""Two players who are both in the hand: everything that can be summed exactly, and nothing sampled.

This is the part of the game in which nobody holds a Ban hand and the first player does not show a bust. The rest is a game of one player
against the dealer from a smaller pack (:mod:`~croupier.banluck.solvers.table.remaining_player`).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats, deals, hand_table
from croupier.banluck.solvers.table.dealer_states import (
    COUNTS,
    ClosedAction,
    DealerHands,
    closed_settlements,
    closed_values,
    dealer_hands,
    known_settlements,
    known_values,
)
from croupier.banluck.solvers.table.seat_hands import SeatHands, seat_hands
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay
from croupier.banluck.solvers.table.sums import (
    ClosedHands,
    HandTree,
    Places,
    SumList,
    sum_over_closed,
    sum_over_known,
)
from croupier.numerics.compiled import compiled, inlined

#: Seats, as the columns of arrays.
FIRST, SECOND = 0, 1

_WORKERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class SeatSums:
    """What two seats' play does to the dealer: masses of their hands, and sums over them."""

    play: SeatPlay
    final: tuple[Floats, Floats]
    bust: Floats
    settled: tuple[Floats, ...]
    weight: tuple[Floats, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DealerValues:
    """What the dealer's states are worth against given seats.

    Attributes
    ----------
    value
        Both players' units, by two-card hand of the dealer, per order of its cards.
    action_value, differences
        The values of actions while both are closed; what a draw brings more than a stop once a hand is known.
    """

    value: Floats
    action_value: Floats
    first_differences: tuple[Floats, ...]
    second_differences: tuple[Floats, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SeatValues:
    """What the seats' hands are worth against a given dealer and each other."""

    first_stand: Floats
    first_over: Floats
    second_stand: Floats
    second_over: Floats


class TwoSeatGame:
    """Both seats in the hand, for one rule set and one pack."""

    def __init__(self, rules: BanluckRules, pack: Sequence[int] = PACK_COUNTS) -> None:
        self.rules = rules
        self.pack = np.array(pack, dtype=np.int64)
        self.seats: SeatHands = seat_hands(rules)
        self.dealer: DealerHands = dealer_hands(rules)
        self.closed = _closed_hands(self.rules, self.seats)
        first = self.seats.first_of_count
        by_count = [self.seats.final[first[count] : first[count + 1]] for count in range(COUNTS)]
        dealer = self.dealer
        settled = dealer.codes >= 0
        self.lists = tuple(
            SumList.of(known, dealer.hands, dealer.codes, settled, self.pack) for known in by_count
        )
        self.busts = SumList.of(
            self.seats.bust, dealer.hands, dealer.codes, settled | (dealer.dealt > 0), self.pack
        )
        self.bust_dealt = self._weight_of_deal(self.busts)
        self.hand_units: Floats = np.where(
            settled, self.closed.units[self.closed.slot][:, np.maximum(dealer.codes, 0)], 0.0
        )

    def _weight_of_deal(self, sums: SumList) -> Floats:
        """Return the probability of each sum together with two cards of another seat that are no Ban hand."""
        dealt = np.flatnonzero(self.seats.dealt)
        closed = ClosedHands(
            HandTree.of(dealt),
            np.zeros(len(dealt), dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros((1, self.closed.units.shape[1])),
        )
        masses = self.seats.dealt[dealt][:, None].copy()
        weight = np.zeros((len(sums.base), COUNTS, 1))
        settled = np.zeros((sums.pairs, COUNTS, 1))
        reached = closed.tree.reached(masses)
        sum_over_closed(settled, weight, 0, len(sums.base), sums, closed, masses, reached)
        return weight[:, 0, 0]

    def uniform_policy(self) -> DealerPolicy:
        """Return the dealer who chooses among all that is allowed with equal probability."""
        choices = len(self.dealer.choices)
        closed = np.repeat(
            (self.dealer.allowed / self.dealer.allowed.sum(axis=2, keepdims=True))[None], choices, 0
        )
        halves = [np.full((len(sums.known), choices, COUNTS), 0.5) for sums in (*self.lists, self.busts)]
        return DealerPolicy(closed, tuple(halves[:-1]), tuple(half.copy() for half in halves))

    # ---- the seats' hands, as the dealer meets them

    def seat_sums(self, play: SeatPlay) -> SeatSums:
        """Sum over the seats' closed hands, once for each sum of the dealer's and a known hand."""
        seats = self.seats
        first = seats.masses(play.first)
        final_first = seats.final_masses(first, play.first)
        seconds = [seats.masses(hit) for hit in play.second]
        final_second = np.array(
            [seats.final_masses(masses, hit) for masses, hit in zip(seconds, play.second, strict=True)]
        )
        bust = np.array([masses[seats.bust] for masses in seconds])
        settled, weight = [], []
        for number, sums in enumerate((*self.lists, self.busts)):
            columns = [final_first] if number == COUNTS else [final_first, final_second[number]]
            masses = np.ascontiguousarray(np.array(columns).T)
            settled.append(np.zeros((sums.pairs, COUNTS, len(columns))))
            weight.append(np.zeros((len(sums.base), COUNTS, len(columns))))
            self._in_parts(sums, self._closed_task(sums, settled[-1], weight[-1], masses))
        return SeatSums(play, (final_first, final_second), bust, tuple(settled), tuple(weight))

    def _closed_task(
        self, sums: SumList, settled: Floats, weight: Floats, masses: Floats
    ) -> Callable[[int, int], None]:
        reached = self.closed.tree.reached(masses)

        def task(first: int, last: int) -> None:
            sum_over_closed(settled, weight, first, last, sums, self.closed, masses, reached)

        return task

    @staticmethod
    def _in_parts(sums: SumList, task: Callable[[int, int], None]) -> None:
        """Run a task over all sums, on two threads: compiled code lets go of the interpreter's lock."""
        edges = np.linspace(0, len(sums.base), _WORKERS + 1).astype(int)
        with ThreadPoolExecutor(_WORKERS) as pool:
            list(pool.map(task, edges[:-1], edges[1:]))

    # ---- the dealer

    def dealer_values(self, sums: SeatSums, policy: DealerPolicy, *, best: bool = False) -> DealerValues:
        """Value the dealer's states under a policy, or under the best one, which is then written into ``policy``."""
        dealer = self.dealer
        hands = len(dealer.hands)
        stop = np.zeros((2, hands, COUNTS, COUNTS))
        after = np.zeros((2, hands, COUNTS, COUNTS))
        bust_value = np.zeros((hands, COUNTS))
        differences: tuple[list[Floats], list[Floats]] = ([], [])
        first_masses, second_masses = sums.final
        for number, listed in enumerate(self.lists):
            own = slice(*self.seats.first_of_count[number : number + 2])
            stop_when_closed(
                stop, number, listed.sum_of, self.hand_units[own], sums.weight[number],
                first_masses[own], second_masses[:, own],
            )  # fmt: skip
            known = np.repeat(first_masses[own][:, None], COUNTS, axis=1)
            value, difference = self._known_values(
                sums.settled[number][:, :, SECOND], listed, known, policy.first_known[number], best=best
            )
            after[FIRST][:, number, :] = value
            differences[FIRST].append(difference)
            known = np.ascontiguousarray(second_masses[:, own].T)
            value, difference = self._known_values(
                sums.settled[number][:, :, FIRST], listed, known, policy.second_known[number], best=best
            )
            after[SECOND][:, :, number] = value
            differences[SECOND].append(difference)
        bust_value, difference = self._known_values(
            sums.settled[COUNTS][:, :, FIRST],
            self.busts,
            np.ascontiguousarray(sums.bust.T),
            policy.second_known[COUNTS],
            best=best,
        )
        differences[SECOND].append(difference)
        value = np.zeros((hands, COUNTS, COUNTS))
        action_value = np.zeros((len(dealer.choices), COUNTS, COUNTS, len(ClosedAction)))
        closed_values(stop, after, dealer, policy.closed, best, value, action_value)
        lost = self._second_bust_units(sums)
        by_hand = value.sum(axis=(1, 2)) + bust_value.sum(axis=1) + lost
        return DealerValues(by_hand, action_value, tuple(differences[FIRST]), tuple(differences[SECOND]))

    def _known_values(
        self, settled: Floats, sums: SumList, known_mass: Floats, draw: Floats, *, best: bool
    ) -> tuple[Floats, Floats]:
        dealer = self.dealer
        value = np.zeros((len(dealer.hands), COUNTS))
        difference = np.zeros_like(draw)
        known_values(
            np.ascontiguousarray(settled), sums.pair_of, dealer, known_mass, draw, best, value, difference
        )
        return value, difference

    def _second_bust_units(self, sums: SeatSums) -> Floats:
        """Return what the second seat's busts cost it, by the dealer's two-card hand."""
        weights = self.dealt_weight(self.busts, sums.weight[COUNTS][:, :, FIRST])
        units: Floats = np.einsum("x,kx,xdk->d", self.seats.bust_units, sums.bust, weights)
        return units

    def dealt_weight(self, sums: SumList, weight: Floats) -> Floats:
        """Return a weight by known hand and the dealer's hand: 0 where the dealer's has more than two cards."""
        needed = (sums.sum_of >= 0) & (self.dealer.dealt > 0)
        shape = (*sums.sum_of.shape, *weight.shape[1:])
        found = np.zeros(shape)
        found[needed] = weight[sums.sum_of[needed]]
        return found

    # ---- the seats

    def seat_values(self, sums: SeatSums, policy: DealerPolicy, start: Floats) -> SeatValues:
        """Value the seats' hands against a dealer who starts with these masses, and against each other."""
        dealer = self.dealer
        hands = len(dealer.hands)
        settled = np.zeros((2, hands, COUNTS, COUNTS))
        opened = np.zeros((2, hands, COUNTS, COUNTS))
        closed_settlements(start, dealer, policy.closed, settled, opened)
        finals = len(self.seats.final)
        worth_first, worth_second = np.zeros(finals), np.zeros((COUNTS, finals))
        first_masses, second_masses = sums.final
        for number, listed in enumerate(self.lists):
            own = slice(*self.seats.first_of_count[number : number + 2])
            settle_when_closed(
                worth_first[own], worth_second[:, own], number, listed.sum_of, self.hand_units[own],
                sums.weight[number], settled,
            )  # fmt: skip
            masses = np.zeros((listed.pairs, COUNTS, 2))
            self._add_known(
                masses[:, :, FIRST],
                opened[SECOND][:, :, number],
                listed,
                np.ascontiguousarray(second_masses[:, own].T),
                policy.second_known[number],
            )
            self._add_known(
                masses[:, :, SECOND],
                opened[FIRST][:, number, :],
                listed,
                np.repeat(first_masses[own][:, None], COUNTS, axis=1),
                policy.first_known[number],
            )
            worth = self._worth_of_closed(listed, masses)
            worth_first += worth[:, FIRST]
            worth_second[number] += worth[:, SECOND]
        masses = np.zeros((self.busts.pairs, COUNTS, 1))
        entry = np.repeat(start[:, None], COUNTS, axis=1)
        self._add_known(
            masses[:, :, FIRST],
            entry,
            self.busts,
            np.ascontiguousarray(sums.bust.T),
            policy.second_known[COUNTS],
        )
        worth_first += self._worth_of_closed(self.busts, masses)[:, FIRST]
        return self._as_hands(worth_first, worth_second, sums, start)

    def _add_known(
        self, masses: Floats, entry: Floats, sums: SumList, known_mass: Floats, draw: Floats
    ) -> None:
        added = np.zeros(masses.shape)
        known_settlements(added, np.ascontiguousarray(entry), sums.pair_of, self.dealer, known_mass, draw)
        masses += added

    def _worth_of_closed(self, sums: SumList, masses: Floats) -> Floats:
        parts: list[Floats] = []

        def task(first: int, last: int) -> None:
            worth = np.zeros((len(self.seats.final), masses.shape[2]))
            parts.append(worth)
            sum_over_known(worth, first, last, sums, self.closed, masses)

        self._in_parts(sums, task)
        total: Floats = np.sum(parts, axis=0)
        return total

    def _as_hands(
        self, worth_first: Floats, worth_second: Floats, sums: SeatSums, start: Floats
    ) -> SeatValues:
        """Spread the values of final hands over all multisets: what a stand is worth, and hands that are over."""
        seats = self.seats
        first, second = np.zeros(len(MULTISETS)), np.zeros((COUNTS, len(MULTISETS)))
        first[seats.final] = worth_first
        second[:, seats.final] = worth_second
        over_first = np.where(seats.acts, 0.0, first)
        over_second = np.where(seats.acts, 0.0, second)
        dealt = self.dealt_weight(self.busts, self.bust_dealt)
        over_first[seats.bust] = seats.bust_units * (dealt @ start)
        weights = self.dealt_weight(self.busts, sums.weight[COUNTS][:, :, FIRST])
        over_second[:, seats.bust] = seats.bust_units * np.einsum("xdk,d->kx", weights, start)
        return SeatValues(first, over_first, second, over_second)


def _closed_hands(rules: BanluckRules, seats: SeatHands) -> ClosedHands:
    """Build the tree of a seat's final hands, and number their slots."""
    table = hand_table(rules)
    counts = deals().card_count[seats.final] - 2
    keys, slot = np.unique(counts * len(table.payoff) + table.code[seats.final], return_inverse=True)
    units: Floats = np.ascontiguousarray(table.payoff[keys % len(table.payoff)])
    return ClosedHands(HandTree.of(seats.final), slot.astype(np.int64), keys // len(table.payoff), units)


@inlined
def _fill_won(won: Floats, sum_of: Places, units: Floats, weight: Floats) -> None:
    """Fill what a hand wins with the other seat closed, by the dealer's hand, the other's card count, and the other seat."""
    for hand in range(len(sum_of)):
        place = sum_of[hand]
        for count in range(won.shape[1]):
            for other in range(2):
                won[hand, count, other] = units[hand] * weight[place, count, other] if place >= 0 else 0.0


@compiled
def stop_when_closed(
    stop: Floats,
    number: int,
    sum_of: Places,
    units: Floats,
    weight: Floats,
    first_masses: Floats,
    second_masses: Floats,
) -> None:
    """Add what either seat wins if settled while the other is closed too, for own hands of one card count."""
    _, hands, _, counts = stop.shape
    won = np.empty((hands, counts, 2))
    for known in range(len(sum_of)):
        _fill_won(won, sum_of[known], units[known], weight)
        for hand in range(hands):
            for count in range(counts):
                stop[0, hand, number, count] += first_masses[known] * won[hand, count, 1]
                stop[1, hand, count, number] += second_masses[count, known] * won[hand, count, 0]


@compiled
def settle_when_closed(
    worth_first: Floats,
    worth_second: Floats,
    number: int,
    sum_of: Places,
    units: Floats,
    weight: Floats,
    settled: Floats,
) -> None:
    """Add what own hands of one card count win when they are settled while the other seat is closed too.

    The adjoint of :func:`stop_when_closed`: sums over the dealer's hands instead of the own ones.
    """
    _, hands, _, counts = settled.shape
    won = np.empty((hands, counts, 2))
    for known in range(len(sum_of)):
        _fill_won(won, sum_of[known], units[known], weight)
        for hand in range(hands):
            for count in range(counts):
                worth_first[known] += settled[0, hand, number, count] * won[hand, count, 1]
                worth_second[count, known] += settled[1, hand, count, number] * won[hand, count, 0]
