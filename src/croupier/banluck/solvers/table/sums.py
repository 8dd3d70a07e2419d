r"""Sums of placed cards: what a closed hand does to the probabilities depends on nothing else.

With :math:`N_r` cards of rank :math:`r` in the pack, cards that hold :math:`T_r` of each rank come in one given order with
probability :math:`\prod_r (N_r)_{T_r} / (N)_{|T|}`, where :math:`(a)_b` is a falling factorial. Where a dealer's hand and a known hand
make a sum :math:`S`, the closed hand :math:`m` enters as
:math:`\prod_r (N_r)_{S_r}\,(N_r - S_r)_{m_r} / (N)_{|S|+|m|}`: separable over ranks, and the same for all pairs of the same sum. So
everything that is summed over a closed hand is computed once for each distinct sum.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers, deals
from croupier.numerics.compiled import compiled, inlined

Places = NDArray[np.int32]

#: Sums are worked on in groups of this many, side by side, so that the processor's vector units are used.
_GROUP = 64

#: Larger than the number of cards of one rank in a sum.
_RADIX = 17

_NO_PAIR = -1


class HandTree(NamedTuple):
    """Closed hands as a tree that adds one card at a time, ranks in ascending order, in preorder.

    Attributes
    ----------
    depth, point, before
        Cards of the node, the class of its last card, and how many of that class came before it.
    final
        Place of the node's hand among the closed hands, or -1.
    after
        The first node that is not below this one.
    """

    depth: Integers
    point: Integers
    before: Integers
    final: Integers
    after: Integers

    @classmethod
    def of(cls, hands: Integers) -> "HandTree":
        """Build the tree of some multisets."""
        place = {MULTISETS[hand]: index for index, hand in enumerate(hands)}
        nodes = sorted({hand[:size] for hand in place for size in range(1, len(hand) + 1)})
        after = np.empty(len(nodes), dtype=np.int64)
        open_nodes: list[int] = []
        for index, node in enumerate(nodes):
            while open_nodes and nodes[open_nodes[-1]] != node[: len(nodes[open_nodes[-1]])]:
                after[open_nodes.pop()] = index
            open_nodes.append(index)
        after[open_nodes] = len(nodes)
        return cls(
            np.array([len(node) for node in nodes]),
            np.array([node[-1] for node in nodes]),
            np.array([node.count(node[-1]) - 1 for node in nodes]),
            np.array([place.get(node, -1) for node in nodes]),
            after,
        )

    def reached(self, masses: Floats) -> Flags:
        """Tell which nodes have a hand with a mass at or below them (``masses`` has a column a seat)."""
        flags = np.zeros(len(self.depth), dtype=np.bool_)
        mark_reached(flags, self.final, self.after, masses)
        return flags


class ClosedHands(NamedTuple):
    """The hands over which is summed, and what they win.

    Attributes
    ----------
    tree
        The hands.
    slot, slot_count
        The slot of each hand (card count and settlement code together), and the card count of each slot less 2.
    units
        What each slot (column) wins against each code of the dealer (row).
    """

    tree: HandTree
    slot: Integers
    slot_count: Integers
    units: Floats


class SumList(NamedTuple):
    """The distinct sums of the dealer's hands with known hands of one kind.

    Attributes
    ----------
    known
        The known hands, as multisets.
    left, base, size
        Cards of each class that a sum leaves in the pack, the product of its falling factorials, and its number of cards.
    sum_of
        The sum of each known hand (row) with each of the dealer's hands (column), or -1 if the pack does not hold it.
    pair_of
        The same for the pair of a sum and the code of the dealer's hand, where that hand can be settled.
    first_pair, pair_code
        Sum s owns the pairs ``first_pair[s]:first_pair[s + 1]``, with these codes.
    inverse
        One over the number of ways to take n cards in order from the pack, for n up to 16; 0 where there are none.
    """

    known: Integers
    left: Floats
    base: Floats
    size: Integers
    sum_of: Places
    pair_of: Places
    first_pair: Integers
    pair_code: Integers
    inverse: Floats

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.pair_code)

    @classmethod
    def of(
        cls, known: Integers, dealer: Integers, codes: Integers, needed: Flags, pack: Integers
    ) -> "SumList":
        """Add every known hand to the dealer's hands that are needed; ``codes`` is -1 where a hand is never settled."""
        powers = _RADIX ** np.arange(len(pack), dtype=np.int64)
        counts = deals().counts
        keys = (counts[known] @ powers)[:, None] + (counts[dealer] @ powers)[None, :]
        fits = np.repeat(needed[None, :], len(known), axis=0)
        for point, held in enumerate(pack):
            fits &= counts[known, point][:, None] + counts[dealer, point][None, :] <= held
        sums, places = np.unique(keys[fits], return_inverse=True)
        sum_of = np.full(keys.shape, _NO_PAIR, dtype=np.int32)
        sum_of[fits] = places
        kinds = int(codes.max()) + 2
        settled = fits & (codes >= 0)[None, :]
        pairs, pair_places = np.unique(
            (sum_of.astype(np.int64) * kinds + codes[None, :])[settled], return_inverse=True
        )
        pair_of = np.full(keys.shape, _NO_PAIR, dtype=np.int32)
        pair_of[settled] = pair_places
        held = sums[:, None] // powers % _RADIX
        first = np.searchsorted(pairs // kinds, np.arange(len(sums) + 1))
        left = np.ascontiguousarray((pack - held).T, dtype=np.float64)
        return cls(
            known,
            left,
            _falling_products(held, pack),
            held.sum(axis=1),
            sum_of,
            pair_of,
            first,
            pairs % kinds,
            _inverse_orders(pack),
        )

    @classmethod
    def alone(cls, dealer: Integers, codes: Integers, pack: Integers) -> "SumList":
        """List the dealer's hands by themselves, for a pack from which the known cards are gone."""
        held = deals().counts[dealer]
        settled = codes >= 0
        places = np.arange(len(dealer), dtype=np.int32)[None, :]
        pair_of = np.where(settled, np.cumsum(settled) - 1, _NO_PAIR).astype(np.int32)[None, :]
        first = np.concatenate(([0], np.cumsum(settled)))
        left = np.ascontiguousarray((pack - held).T, dtype=np.float64)
        return cls(
            np.zeros(1, dtype=np.int64),
            left,
            _falling_products(held, pack),
            held.sum(axis=1),
            places,
            pair_of,
            first,
            codes[settled],
            _inverse_orders(pack),
        )


def _falling_products(held: Integers, pack: Integers) -> Floats:
    """Return the number of ways to take each row of cards (counts by class) from a pack, for one given order of classes."""
    product = np.ones(len(held))
    for point, cards in enumerate(pack):
        falling = np.cumprod([1.0, *(float(max(cards - taken, 0)) for taken in range(_RADIX))])
        product *= falling[held[:, point]]
    return product


def _inverse_orders(pack: Integers) -> Floats:
    ways = np.cumprod([1.0, *(float(max(pack.sum() - taken, 0)) for taken in range(_RADIX - 1))])
    inverse: Floats = np.divide(1.0, ways, out=np.zeros_like(ways), where=ways > 0)
    return inverse


@compiled
def mark_reached(flags: Flags, final: Integers, after: Integers, masses: Floats) -> None:
    """Mark the nodes that have a hand with a mass at or below them."""
    for node in range(len(flags)):
        for below in range(node, after[node]):
            if final[below] >= 0:
                for seat in range(masses.shape[1]):
                    if masses[final[below], seat] != 0.0:
                        flags[node] = True
            if flags[node]:
                break


@compiled
def sum_over_closed(
    settled: Floats,
    weight: Floats,
    first: int,
    last: int,
    sums: SumList,
    closed: ClosedHands,
    masses: Floats,
    reached: Flags,
) -> None:
    """Sum over a closed hand, for the sums ``first`` to ``last``.

    Parameters
    ----------
    settled
        Added to: what the closed hand wins, by seat, pair, and its card count (2 to 5).
    weight
        Added to: its probability, by sum, card count and seat.
    masses
        The masses of the closed hands, a column a seat. Differences of masses give differences of sums.
    reached
        The nodes of the tree that lead to a hand with a mass.
    """
    tree = closed.tree
    seats = masses.shape[1]
    left, stack = np.zeros((len(sums.left), _GROUP)), np.zeros((6, _GROUP))
    by_slot = np.empty((len(closed.slot_count), seats, _GROUP))
    ways = np.empty((len(closed.slot_count), seats))
    used = _used_slots(closed, masses)
    for start in range(first, last, _GROUP):
        here = min(_GROUP, last - start)
        left[:, :here] = sums.left[:, start : start + here]
        stack[0, :here] = sums.base[start : start + here]
        for number in used:
            by_slot[number] = 0.0
        node = 0
        while node < len(tree.depth):
            if not reached[node]:
                node = tree.after[node]
                continue
            depth, final = tree.depth[node], tree.final[node]
            _add_card(stack[depth], stack[depth - 1], left[tree.point[node]], tree.before[node])
            if final >= 0:
                _add_hand(by_slot[closed.slot[final]], stack[depth], masses[final])
            node += 1
        for s in range(here):
            _scale(ways, by_slot, s, used, weight, start + s, sums, closed)
            for pair in range(sums.first_pair[start + s], sums.first_pair[start + s + 1]):
                _settle(settled[:, pair], ways, used, closed.units[sums.pair_code[pair]], closed.slot_count)


@inlined
def _used_slots(closed: ClosedHands, masses: Floats) -> Integers:
    is_used = np.zeros(len(closed.slot_count), dtype=np.bool_)
    for place in range(len(masses)):
        for seat in range(masses.shape[1]):
            if masses[place, seat] != 0.0:
                is_used[closed.slot[place]] = True
    return np.flatnonzero(is_used)


@inlined
def _add_card(ways: Floats, ways_before: Floats, left: Floats, before: int) -> None:
    """Multiply the ways of a hand without its last card by those of that card, for a group of sums."""
    taken = float(before)
    for s in range(_GROUP):
        ways[s] = ways_before[s] * max(left[s] - taken, 0.0)


@inlined
def _add_hand(by_slot: Floats, ways: Floats, masses: Floats) -> None:
    for seat in range(len(masses)):
        mass = masses[seat]
        if mass != 0.0:
            for s in range(_GROUP):
                by_slot[seat, s] += mass * ways[s]


@inlined
def _scale(
    ways: Floats,
    by_slot: Floats,
    s: int,
    used: Integers,
    weight: Floats,
    place: int,
    sums: SumList,
    closed: ClosedHands,
) -> None:
    """Turn the ways of one sum into probabilities, and add them up by card count."""
    for number in used:
        count = closed.slot_count[number]
        inverse = sums.inverse[sums.size[place] + count + 2]
        for seat in range(ways.shape[1]):
            probability = by_slot[number, seat, s] * inverse
            ways[number, seat] = probability
            weight[place, count, seat] += probability


@inlined
def _settle(settled: Floats, ways: Floats, used: Integers, units: Floats, slot_count: Integers) -> None:
    for number in used:
        won = units[number]
        if won != 0.0:
            for seat in range(ways.shape[1]):
                settled[seat, slot_count[number]] += won * ways[number, seat]


@compiled
def sum_over_known(
    worth: Floats, first: int, last: int, sums: SumList, closed: ClosedHands, masses: Floats
) -> None:
    """Add to what each closed hand is worth (by hand and seat), for masses of settlements by seat, pair and card count.

    The adjoint of :func:`sum_over_closed`: the same sums, over the dealer's and the known hands instead of the closed one.
    """
    tree = closed.tree
    slots, seats = len(closed.slot_count), masses.shape[0]
    left, stack = np.zeros((len(sums.left), _GROUP)), np.zeros((6, _GROUP))
    by_slot = np.zeros((slots, seats, _GROUP))
    won = np.empty((slots, seats))
    stack[0, :] = 1.0
    for start in range(first, last, _GROUP):
        here = min(_GROUP, last - start)
        left[:, :here] = sums.left[:, start : start + here]
        by_slot[:, :, here:] = 0.0
        for s in range(here):
            won[:] = 0.0
            for pair in range(sums.first_pair[start + s], sums.first_pair[start + s + 1]):
                _add_won(won, masses[:, pair], closed.units[sums.pair_code[pair]], closed.slot_count)
            _spread(by_slot, s, won, start + s, sums, closed)
        for node in range(len(tree.depth)):
            depth, final = tree.depth[node], tree.final[node]
            _add_card(stack[depth], stack[depth - 1], left[tree.point[node]], tree.before[node])
            if final >= 0:
                for seat in range(seats):
                    worth[final, seat] += _product(stack[depth], by_slot[closed.slot[final], seat])


@inlined
def _add_won(won: Floats, masses: Floats, units: Floats, slot_count: Integers) -> None:
    """Add the units of the settlements of one pair to the slots that they settle."""
    for number in range(len(won)):
        for seat in range(won.shape[1]):
            won[number, seat] += units[number] * masses[seat, slot_count[number]]


@inlined
def _spread(by_slot: Floats, s: int, won: Floats, place: int, sums: SumList, closed: ClosedHands) -> None:
    """Write the units of one sum into its column, as probabilities."""
    for number in range(len(won)):
        factor = sums.base[place] * sums.inverse[sums.size[place] + closed.slot_count[number] + 2]
        for seat in range(won.shape[1]):
            by_slot[number, seat, s] = factor * won[number, seat]


@inlined
def _product(ways: Floats, units: Floats) -> float:
    """Return a scalar product, in eight sums side by side, so that the vector units can work."""
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in range(0, _GROUP, 8):
        a += ways[s] * units[s]
        b += ways[s + 1] * units[s + 1]
        c += ways[s + 2] * units[s + 2]
        d += ways[s + 3] * units[s + 3]
        e += ways[s + 4] * units[s + 4]
        f += ways[s + 5] * units[s + 5]
        g += ways[s + 6] * units[s + 6]
        h += ways[s + 7] * units[s + 7]
    return ((a + e) + (c + g)) + ((b + f) + (d + h))
