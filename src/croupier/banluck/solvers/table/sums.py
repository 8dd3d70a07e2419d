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
_LANES = 8

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
        """Tell which nodes have a hand of positive mass at or below them (``masses`` has a column a seat)."""
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
        What a slot wins against each code of the dealer.
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
    """Mark the nodes that have a hand of positive mass at or below them."""
    for node in range(len(flags)):
        for below in range(node, after[node]):
            if final[below] >= 0:
                for seat in range(masses.shape[1]):
                    if masses[final[below], seat] > 0.0:
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
        Filled: what the closed hand wins, by pair, its card count (2 to 5), and seat.
    weight
        Filled: its probability, by sum, card count and seat.
    masses
        The masses of the closed hands, a column a seat.
    reached
        The nodes of the tree that lead to a hand of positive mass.
    """
    tree = closed.tree
    stack = np.empty((6, _GROUP))
    by_slot = np.empty((len(closed.slot_count), masses.shape[1], _GROUP))
    for start in range(first, last, _GROUP):
        here = min(_GROUP, last - start)
        by_slot[:] = 0.0
        for s in range(here):
            stack[0, s] = sums.base[start + s]
        node = 0
        while node < len(tree.depth):
            if not reached[node]:
                node = tree.after[node]
                continue
            depth, final = tree.depth[node], tree.final[node]
            _add_card(stack, depth, sums.left[tree.point[node]], start, here, tree.before[node])
            if final >= 0:
                _add_hand(by_slot[closed.slot[final]], stack[depth], here, masses[final])
            node += 1
        _scale(by_slot, weight, start, here, sums, closed)
        for s in range(here):
            for pair in range(sums.first_pair[start + s], sums.first_pair[start + s + 1]):
                _settle(settled[pair], by_slot, s, sums.pair_code[pair], closed)


@inlined
def _add_card(stack: Floats, level: int, left: Floats, start: int, here: int, before: int) -> None:
    """Multiply the ways of a hand without its last card by those of that card, for a group of sums."""
    taken = float(before)
    for s in range(here):
        stack[level, s] = stack[level - 1, s] * max(left[start + s] - taken, 0.0)


@inlined
def _add_hand(by_slot: Floats, ways: Floats, here: int, masses: Floats) -> None:
    for seat in range(len(masses)):
        mass = masses[seat]
        if mass > 0.0:
            for s in range(here):
                by_slot[seat, s] += mass * ways[s]


@inlined
def _scale(
    by_slot: Floats, weight: Floats, start: int, here: int, sums: SumList, closed: ClosedHands
) -> None:
    """Turn ways into probabilities, and add them up by card count."""
    slots, seats, _ = by_slot.shape
    for number in range(slots):
        count = closed.slot_count[number]
        for seat in range(seats):
            for s in range(here):
                by_slot[number, seat, s] *= sums.inverse[sums.size[start + s] + count + 2]
                weight[start + s, count, seat] += by_slot[number, seat, s]


@inlined
def _settle(settled: Floats, by_slot: Floats, s: int, code: int, closed: ClosedHands) -> None:
    slots, seats, _ = by_slot.shape
    for number in range(slots):
        won = closed.units[number, code]
        if won != 0.0:
            for seat in range(seats):
                settled[closed.slot_count[number], seat] += won * by_slot[number, seat, s]


@compiled
def sum_over_known(
    worth: Floats, first: int, last: int, sums: SumList, closed: ClosedHands, masses: Floats
) -> None:
    """Add to what each closed hand is worth (by hand and seat), for masses of settlements by pair, card count and seat.

    The adjoint of :func:`sum_over_closed`: the same sums, over the dealer's and the known hands instead of the closed one.
    """
    tree = closed.tree
    seats = masses.shape[2]
    stack = np.empty((6, _GROUP))
    by_slot = np.empty((len(closed.slot_count), seats, _GROUP))
    lanes = np.zeros((worth.shape[0], seats, _LANES))
    stack[0, :] = 1.0
    for start in range(first, last, _GROUP):
        here = min(_GROUP, last - start)
        by_slot[:] = 0.0
        for s in range(here):
            for pair in range(sums.first_pair[start + s], sums.first_pair[start + s + 1]):
                _spread(by_slot, s, masses[pair], start + s, sums.pair_code[pair], sums, closed)
        for node in range(len(tree.depth)):
            depth, final = tree.depth[node], tree.final[node]
            _add_card(stack, depth, sums.left[tree.point[node]], start, here, tree.before[node])
            if final >= 0:
                _collect(lanes[final], stack[depth], by_slot[closed.slot[final]], here)
    for place in range(worth.shape[0]):
        for seat in range(seats):
            worth[place, seat] += lanes[place, seat].sum()


@inlined
def _spread(
    by_slot: Floats, s: int, masses: Floats, place: int, code: int, sums: SumList, closed: ClosedHands
) -> None:
    """Add the units of the settlements of one pair to the slots that they settle."""
    slots, seats, _ = by_slot.shape
    for number in range(slots):
        count = closed.slot_count[number]
        factor = closed.units[number, code] * sums.base[place] * sums.inverse[sums.size[place] + count + 2]
        for seat in range(seats):
            by_slot[number, seat, s] += factor * masses[count, seat]


@inlined
def _collect(lanes: Floats, ways: Floats, by_slot: Floats, here: int) -> None:
    """Add up products side by side, so that the order of additions lets the vector units work."""
    whole = here - here % _LANES
    for seat in range(len(lanes)):
        for s in range(0, whole, _LANES):
            for lane in range(_LANES):
                lanes[seat, lane] += ways[s + lane] * by_slot[seat, s + lane]
        for s in range(whole, here):
            lanes[seat, 0] += ways[s] * by_slot[seat, s]
