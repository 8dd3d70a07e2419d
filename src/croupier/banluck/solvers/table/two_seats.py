"""Two players who are both in the hand: everything that can be summed exactly, and nothing sampled.

This is the part of the game in which nobody holds a Ban hand and the first player does not show a bust. The rest is a game of one player
against the dealer from a smaller pack (:mod:`~croupier.banluck.solvers.table.remaining_player`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats, Integers, deals, hand_table
from croupier.banluck.solvers.table.closed_seats import settle_when_closed, stop_when_closed
from croupier.banluck.solvers.table.dealer_states import (
    COUNTS,
    DealerHands,
    add_over_known,
    closed_settlements,
    closed_values,
    dealer_hands,
    known_settlements,
    known_values,
)
from croupier.banluck.solvers.table.seat_hands import SeatHands, seat_hands
from croupier.banluck.solvers.table.strategy import DealerPolicy, Information, SeatPlay
from croupier.banluck.solvers.table.sums import (
    ClosedHands,
    HandTree,
    SumList,
    sum_over_closed,
    sum_over_known,
)
from croupier.numerics.threads import side_by_side

#: Seats, as the columns of arrays.
FIRST, SECOND = 0, 1

#: Long lists of sums are cut into this many parts, for as many processors as there are. Results are added in the order of the parts.
_PARTS = 8


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
    action_value
        The values of actions while both are closed, by hand of choice and card counts.
    """

    value: Floats
    action_value: Floats


class KnownHands(NamedTuple):
    """The hands of one seat that the dealer may know, and what the dealer meets behind them.

    Attributes
    ----------
    sums
        The hands, added to the dealer's.
    mass
        The mass of each of them, by the card count of the other seat.
    settled
        What the other seat, still closed, wins if settled now: by pair and its card count.
    draw
        How often the dealer draws: by known hand, hand of choice, and the other seat's card count.
    """

    sums: SumList
    mass: Floats
    settled: Floats
    draw: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SeatValues:
    """What the seats' hands are worth against a given dealer and each other."""

    first_stand: Floats
    first_over: Floats
    second_stand: Floats
    second_over: Floats


class TwoSeatGame:
    """Both seats in the hand, for one rule set and one pack."""

    def __init__(
        self, rules: BanluckRules, pack: Sequence[int] = PACK_COUNTS, information: Information = "full"
    ) -> None:
        self.rules = rules
        self.information = information
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
            settled, self.closed.units[np.maximum(dealer.codes, 0)][:, self.closed.slot].T, 0.0
        )

    def _weight_of_deal(self, sums: SumList) -> Floats:
        """Return the probability of each sum together with two cards of another seat that are no Ban hand."""
        dealt = np.flatnonzero(self.seats.dealt)
        closed = ClosedHands(
            HandTree.of(dealt),
            np.zeros(len(dealt), dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros((len(self.closed.units), 1)),
        )
        masses = self.seats.dealt[dealt][:, None].copy()
        weight = np.zeros((len(sums.base), COUNTS, 1))
        settled = np.zeros((1, sums.pairs, COUNTS))
        reached = closed.tree.reached(masses)
        sum_over_closed(settled, weight, 0, len(sums.base), sums, closed, masses, reached)
        return weight[:, 0, 0]

    def uniform_policy(self) -> DealerPolicy:
        """Return the dealer who chooses among all that is allowed with equal probability."""
        allowed = self.dealer.allowed / self.dealer.allowed.sum(axis=2, keepdims=True)
        closed, *known = policy_shapes(self.seats, self.dealer)
        halves = [np.full(shape, 0.5) for shape in known]
        return DealerPolicy(
            np.broadcast_to(allowed, closed).copy(), tuple(halves[:COUNTS]), tuple(halves[COUNTS:])
        )

    # ---- the seats' hands, as the dealer meets them

    def seat_sums(self, play: SeatPlay, near: SeatSums | None = None) -> SeatSums:
        """Sum over the seats' closed hands, once for each sum of the dealer's and a known hand.

        With the sums of other play ``near`` by, only hands whose mass differs are summed over.
        """
        seats = self.seats
        first = seats.masses(play.first)
        final_first = seats.final_masses(first, play.first)
        seconds = [seats.masses(hit) for hit in play.second]
        final_second = np.array(
            [seats.final_masses(masses, hit) for masses, hit in zip(seconds, play.second, strict=True)]
        )
        bust = np.array([masses[seats.bust] for masses in seconds])
        final = (final_first, final_second)
        settled, weight, tasks = [], [], []
        for number, sums in enumerate((*self.lists, self.busts)):
            masses = _columns(final, number)
            seated = masses.shape[1]
            if near is None:
                settled.append(np.zeros((seated, sums.pairs, COUNTS)))
                weight.append(np.zeros((len(sums.base), COUNTS, seated)))
            else:
                masses = masses - _columns(near.final, number)
                settled.append(near.settled[number].copy())
                weight.append(near.weight[number].copy())
            reached = self.closed.tree.reached(masses)
            found = (settled[-1], weight[-1])
            tasks += [
                partial(sum_over_closed, *found, first, last, sums, self.closed, masses, reached)
                for first, last in _parts(sums)
            ]
        side_by_side(tasks)
        return SeatSums(play, final, bust, tuple(settled), tuple(weight))

    def known_hands(self, sums: SeatSums, policy: DealerPolicy) -> tuple[list[KnownHands], list[KnownHands]]:
        """List what a dealer may come to know of the first seat, and of the second, by card count; busts of the second come last."""
        first_masses, second_masses = sums.final
        first, second = [], []
        for number, listed in enumerate(self.lists):
            own = slice(*self.seats.first_of_count[number : number + 2])
            mass = np.repeat(first_masses[own][:, None], COUNTS, axis=1)
            first.append(KnownHands(listed, mass, sums.settled[number][SECOND], policy.first_known[number]))
            mass = np.ascontiguousarray(second_masses[:, own].T)
            second.append(KnownHands(listed, mass, sums.settled[number][FIRST], policy.second_known[number]))
        mass = np.ascontiguousarray(sums.bust.T)
        second.append(KnownHands(self.busts, mass, sums.settled[COUNTS][FIRST], policy.second_known[COUNTS]))
        return first, second

    # ---- the dealer

    def dealer_values(self, sums: SeatSums, policy: DealerPolicy, *, best: bool = False) -> DealerValues:
        """Value the dealer's states under a policy, or under the best one, which is then written into ``policy``."""
        dealer = self.dealer
        first, second = self.known_hands(sums, policy)
        tasks = [partial(self._known_values, known, best=best) for known in (*first, *second)]
        found = side_by_side(tasks)
        after = np.stack((np.stack(found[:COUNTS], axis=1), np.stack(found[COUNTS:-1], axis=2)))
        stop = np.zeros_like(after)
        for number, listed in enumerate(self.lists):
            own = slice(*self.seats.first_of_count[number : number + 2])
            stop_when_closed(
                stop, number, listed.sum_of, self.hand_units[own], sums.weight[number],
                sums.final[FIRST][own], sums.final[SECOND][:, own],
            )  # fmt: skip
        value = np.zeros((len(dealer.hands), COUNTS, COUNTS))
        action_value = np.zeros_like(policy.closed)
        closed_values(stop, after, dealer, policy.closed, best, value, action_value)
        lost = self._second_bust_units(sums)
        return DealerValues(value.sum(axis=(1, 2)) + found[-1].sum(axis=1) + lost, action_value)

    def _known_values(self, known: KnownHands, *, best: bool) -> Floats:
        value = np.zeros((len(self.dealer.hands), COUNTS))
        if self.information == "full" or not best:
            known_values(known.settled, known.sums.pair_of, self.dealer, known.mass, known.draw, best, value)
        else:
            for rows in _pools(known.sums.known):
                self._add_pooled(value, known, rows)
        return value

    def forgetful_policy(self, sums: SeatSums, policy: DealerPolicy) -> DealerPolicy:
        """Return the policy of a dealer who opens as before, forgets the cards but not how many they were, and then draws as well as possible."""
        forgets = policy.copy()
        first, second = self.known_hands(sums, forgets)
        for known in (*first, *second[:COUNTS]):
            for rows in _pools(known.sums.known):
                self._add_pooled(np.zeros((len(self.dealer.hands), COUNTS)), known, rows)
        return forgets

    def _add_pooled(self, value: Floats, known: KnownHands, rows: slice) -> None:
        """Find the best draws for hands that the dealer cannot tell apart, and add what they are worth."""
        settled = np.zeros_like(value)
        add_over_known(settled, known.settled, known.sums.pair_of[rows], known.mass[rows])
        own = np.arange(len(settled), dtype=np.int32)[None]
        draw = known.draw[rows]
        known_values(settled, own, self.dealer, np.ones((1, COUNTS)), draw[:1], True, value)
        draw[:] = draw[0]

    def _second_bust_units(self, sums: SeatSums) -> Floats:
        """Return what the second seat's busts cost it, by the dealer's two-card hand."""
        weights = self.dealt_weight(self.busts, sums.weight[COUNTS][:, :, FIRST])
        units = np.zeros(len(self.dealer.hands))
        units[: weights.shape[1]] = np.einsum("x,kx,xdk->d", self.seats.bust_units, sums.bust, weights)
        return units

    def dealt_weight(self, sums: SumList, weight: Floats) -> Floats:
        """Return a weight by known hand and the dealer's two-card hand."""
        places = sums.sum_of[:, : self.dealer.two_cards]
        found: Floats = np.where(
            np.expand_dims(places >= 0, tuple(range(2, 1 + weight.ndim))), weight[places], 0.0
        )
        return found

    # ---- the seats

    def settlements(self, policy: DealerPolicy, start: Floats) -> tuple[Floats, Floats]:
        """Return the masses with which each seat is settled, and opened, while the other is closed.

        ``start`` holds the masses of the dealer's two-card hands.
        """
        settled = np.zeros((2, len(self.dealer.hands), COUNTS, COUNTS))
        opened = np.zeros_like(settled)
        closed_settlements(start, self.dealer, policy.closed, settled, opened)
        return settled, opened

    def seat_values(self, sums: SeatSums, policy: DealerPolicy, start: Floats) -> SeatValues:
        """Value the seats' hands against a dealer who starts with these masses, and against each other."""
        settled, opened = self.settlements(policy, start)
        first, second = self.known_hands(sums, policy)
        masses = [np.zeros((2, listed.pairs, COUNTS)) for listed in self.lists]
        masses.append(np.zeros((1, self.busts.pairs, COUNTS)))
        tasks = []
        for number in range(COUNTS):
            entry = opened[SECOND][:, :, number]
            tasks.append(partial(self._add_settlements, masses[number][FIRST], entry, second[number]))
            entry = opened[FIRST][:, number, :]
            tasks.append(partial(self._add_settlements, masses[number][SECOND], entry, first[number]))
        entry = np.repeat(start[:, None], COUNTS, axis=1)
        tasks.append(partial(self._add_settlements, masses[COUNTS][FIRST], entry, second[COUNTS]))
        side_by_side(tasks)
        worth_first, worth_second = self._worth_when_closed(sums, settled)
        for number, listed in enumerate((*self.lists, self.busts)):
            worth = self._worth_of_closed(listed, masses[number])
            worth_first += worth[:, FIRST]
            if number < COUNTS:
                worth_second[number] += worth[:, SECOND]
        return self._as_hands(worth_first, worth_second, sums, start)

    def _add_settlements(self, masses: Floats, entry: Floats, known: KnownHands) -> None:
        entry = np.ascontiguousarray(entry)
        known_settlements(masses, entry, known.sums.pair_of, self.dealer, known.mass, known.draw)

    def _worth_when_closed(self, sums: SeatSums, settled: Floats) -> tuple[Floats, Floats]:
        """Return what the seats' final hands win when they are settled while the other seat is closed too."""
        finals = len(self.seats.final)
        first, second = np.zeros(finals), np.zeros((COUNTS, finals))
        tasks = []
        for number, listed in enumerate(self.lists):
            own = slice(*self.seats.first_of_count[number : number + 2])
            units, weight = self.hand_units[own], sums.weight[number]
            found = (first[own], second[:, own])
            tasks.append(partial(settle_when_closed, *found, number, listed.sum_of, units, weight, settled))
        side_by_side(tasks)
        return first, second

    def _worth_of_closed(self, sums: SumList, masses: Floats) -> Floats:
        """Return what the closed hands are worth, by hand and seat, for masses of settlements."""
        parts = [np.zeros((len(self.seats.final), len(masses))) for _ in range(_PARTS)]
        side_by_side(
            [
                partial(sum_over_known, worth, first, last, sums, self.closed, masses)
                for worth, (first, last) in zip(parts, _parts(sums), strict=True)
            ]
        )
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
        start = start[: self.dealer.two_cards]
        over_first[seats.bust] = seats.bust_units * (dealt @ start)
        weights = self.dealt_weight(self.busts, sums.weight[COUNTS][:, :, FIRST])
        over_second[:, seats.bust] = seats.bust_units * np.einsum("xdk,d->kx", weights, start)
        return SeatValues(first, over_first, second, over_second)


def policy_shapes(seats: SeatHands, dealer: DealerHands) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the arrays of a :class:`~croupier.banluck.solvers.table.strategy.DealerPolicy`, in their order."""
    choices = len(dealer.choices)
    sizes = [*np.diff(seats.first_of_count).tolist(), len(seats.bust)]
    known = [(size, choices, COUNTS) for size in sizes]
    return ((choices, *dealer.allowed.shape), *known[:COUNTS], *known)


def _columns(final: tuple[Floats, Floats], number: int) -> Floats:
    """Return the masses of both seats' final hands, where the first holds 2 + ``number`` cards; behind a bust, the first seat's."""
    first, second = final
    columns = [first] if number == COUNTS else [first, second[number]]
    return np.ascontiguousarray(np.array(columns).T)


def _pools(known: Integers) -> list[slice]:
    """Return where the hands of each card count stand; hands of fewer cards come first."""
    edges = np.unique(deals().card_count[known], return_index=True)[1].tolist()
    return [slice(first, last) for first, last in pairwise((*edges, len(known)))]


def _parts(sums: SumList) -> list[tuple[int, int]]:
    """Cut a list into parts of nearly the same length."""
    edges = np.linspace(0, len(sums.base), _PARTS + 1).astype(int).tolist()
    return list(pairwise(edges))


def _closed_hands(rules: BanluckRules, seats: SeatHands) -> ClosedHands:
    """Build the tree of a seat's final hands, and number their slots."""
    table = hand_table(rules)
    counts = deals().card_count[seats.final] - 2
    keys, slot = np.unique(counts * len(table.payoff) + table.code[seats.final], return_inverse=True)
    units: Floats = np.ascontiguousarray(table.payoff[keys % len(table.payoff)].T)
    return ClosedHands(HandTree.of(seats.final), slot.astype(np.int64), keys // len(table.payoff), units)
