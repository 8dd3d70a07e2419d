"""What the dealer meets at a table of several, sampled: the seats' hands are dealt, the dealer's are summed over exactly.

For every situation, every closed hand in it and every hand of the dealer, the sum over deals of what that closed hand wins there, times the
probability of the dealer's cards from what the seats leave in the pack. Whatever the dealer does, its value
is linear in these sums, so best replies to them are exact backward induction.

Situations can be split by what a dealer would remember who has seen every hand that may be opened: how many low cards are left.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats, Integers
from croupier.banluck.solvers.table.dealer_states import dealer_hands
from croupier.banluck.solvers.table.dealt_hands import (
    GROUP,
    LOW_CARDS,
    Cards,
    block_stream,
    cards_of,
    dealt_two,
    first_rows,
    full_pack,
    memory_of,
    played,
    row_of,
)
from croupier.banluck.solvers.table.situations import KINDS, Situations, situations
from croupier.banluck.solvers.table.sums import HandTree
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream

_LANES = 8


class Tree(NamedTuple):
    """A :class:`~croupier.banluck.solvers.table.sums.HandTree` in the form that compiled code reads."""

    depth: Integers
    point: Integers
    before: Integers
    final: Integers

    @classmethod
    def of(cls, hands: Integers) -> "Tree":
        """Build the tree of some multisets."""
        tree = HandTree.of(hands)
        return cls(tree.depth, tree.point, tree.before, tree.final)


class _Groups(NamedTuple):
    """Deals that wait until a group of the same situation is full."""

    size: Integers
    left: Floats
    cards: Floats
    codes: Integers
    shown_units: Floats


class _Sums(NamedTuple):
    """The sums of a sample, and arrays to work in while a group is added to them."""

    settled: Floats
    shown: Floats
    stack: Floats
    shares: Floats
    units: Floats


@lru_cache(maxsize=8)
def _dealer_tree(rules: BanluckRules) -> Tree:
    return Tree.of(dealer_hands(rules).hands)


@dataclass(slots=True)
class DealerSample:
    """Sums over deals; divide by ``deals`` for means.

    Attributes
    ----------
    settled
        By situation (by situation and memory, where situations are split), place of the closed hand, and the dealer's hand.
    shown
        What shown hands bring, by Ban hands shown and the dealer's hand; filled for hands of two cards.
    """

    settled: Floats
    shown: Floats
    deals: int

    @classmethod
    def dealt(
        cls,
        rules: BanluckRules,
        players: int,
        hit: Floats,
        deals: int,
        seed: int,
        *path: int,
        memories: int = 1,
    ) -> "DealerSample":
        """Deal a block of hands to seats that play by ``hit``; with ``MEMORIES``, split situations by what is remembered."""
        dealer, found = dealer_hands(rules), situations(rules, players)
        hands = len(dealer.hands)
        sample = cls(
            np.zeros((len(found.hands) * memories, players, hands)), np.zeros((players + 1, hands)), deals
        )
        fill_dealer_sample(
            sample.settled,
            sample.shown,
            memories,
            deals,
            hit,
            cards_of(rules),
            found,
            first_rows(players),
            _dealer_tree(rules),
            dealer.codes,
            full_pack(),
            block_stream(seed, *path),
        )
        return sample

    def add(self, other: "DealerSample") -> None:
        """Add the deals of another sample to this one."""
        self.settled += other.settled
        self.shown += other.shown
        self.deals += other.deals


@compiled
def fill_dealer_sample(
    settled: Floats,
    shown: Floats,
    memories: int,
    deals: int,
    hit: Floats,
    cards: Cards,
    found: Situations,
    first_row: Integers,
    tree: Tree,
    dealer_codes: Integers,
    pack: Floats,
    stream: Stream,
) -> None:
    """Deal hands one after the other and add what they bring to the sums."""
    players = found.players
    count = len(settled)
    groups = _Groups(
        np.zeros(count, dtype=np.int64),
        np.zeros((count, len(pack), GROUP)),
        np.zeros((count, GROUP)),
        np.zeros((count, players, GROUP), dtype=np.int64),
        np.zeros((count, GROUP)),
    )
    deck = cards.points.copy()
    hands = np.zeros(players, dtype=np.int64)
    left = np.zeros(len(pack))
    held = np.zeros(KINDS, dtype=np.int64)
    units = np.zeros((players, cards.payoff.shape[1], GROUP))
    sums = _Sums(settled, shown, np.zeros((6, GROUP)), np.zeros((6, GROUP)), units)
    for _ in range(deals):
        left[:] = pack
        held[:] = 0
        used, bans, shown_units = 0, 0, 0.0
        for seat in range(players):
            hands[seat] = dealt_two(cards, deck, used, left, stream)
            used += 2
        two_cards, more_cards = 0, 0
        for seat in range(players):
            hand = hands[seat]
            if cards.is_ban[hand]:
                bans += 1
                shown_units += cards.shown_units[hand]
                continue
            row = first_row[seat] + row_of(seat, two_cards, more_cards)
            hand, used = played(hand, hit[row], cards, deck, used, left, stream)
            hands[seat] = hand
            if cards.is_shown_bust[hand]:
                shown_units += cards.shown_units[hand]
                continue
            if cards.size[hand] == 2:
                two_cards += 1
            else:
                more_cards += 1
            held[found.kind_of[cards.size[hand] - 2]] += 1
        group = number_of(found, bans, held) * memories
        if memories > 1:
            group += _memory(hands, cards, found)
        _queue(groups, group, hands, left, DECK_SIZE - used, shown_units, cards, found)
        if groups.size[group] == GROUP:
            _flush(sums, groups, group, group // memories, cards, found, tree, dealer_codes)
    for group in range(count):
        if groups.size[group] > 0:
            _flush(sums, groups, group, group // memories, cards, found, tree, dealer_codes)


@inlined_lean
def _memory(hands: Integers, cards: Cards, found: Situations) -> int:
    """Return what is remembered once everything that may be opened was seen."""
    unseen, low = DECK_SIZE, LOW_CARDS
    for seat in range(found.players):
        hand = hands[seat]
        is_shown = cards.is_ban[hand] or cards.is_shown_bust[hand]
        if is_shown or found.can_open[found.kind_of[cards.size[hand] - 2]]:
            unseen -= cards.size[hand]
            low -= cards.low[hand]
    return memory_of(low, unseen)


@inlined_lean
def number_of(found: Situations, bans: int, held: Integers) -> int:
    """Return the number of a situation."""
    key = bans if found.shown_counts else 0
    for kind in range(len(held)):
        key = key * (found.players + 1) + held[kind]
    return int(found.number[key])


@inlined_lean
def _queue(
    groups: _Groups,
    group: int,
    hands: Integers,
    left: Floats,
    cards_left: int,
    shown_units: float,
    cards: Cards,
    found: Situations,
) -> None:
    """Put a deal into the group of its situation, its closed hands sorted by kind and then by seat."""
    lane = groups.size[group]
    groups.size[group] = lane + 1
    for point in range(len(left)):
        groups.left[group, point, lane] = left[point]
    groups.cards[group, lane] = cards_left
    groups.shown_units[group, lane] = shown_units
    place = 0
    for kind in range(KINDS):
        for seat in range(found.players):
            hand = hands[seat]
            is_closed = not (cards.is_ban[hand] or cards.is_shown_bust[hand])
            if is_closed and found.kind_of[cards.size[hand] - 2] == kind:
                groups.codes[group, place, lane] = cards.code[hand]
                place += 1


@compiled_lean
def _flush(
    sums: _Sums,
    groups: _Groups,
    group: int,
    situation: int,
    cards: Cards,
    found: Situations,
    tree: Tree,
    dealer_codes: Integers,
) -> None:
    """Add a group of deals to the sums, and empty it."""
    settled, shown, stack, shares, units = sums
    closed = found.hands[situation]
    size = groups.size[group]
    for place in range(closed):
        for code in range(units.shape[1]):
            for lane in range(size):
                units[place, code, lane] = cards.payoff[groups.codes[group, place, lane], code]
    fill_shares(shares, groups.cards[group], size)
    for lane in range(GROUP):
        stack[0, lane] = shares[0, lane]
    bans = found.shown[situation]
    for node in range(len(tree.depth)):
        level, before = tree.depth[node], float(tree.before[node])
        add_card(stack, level, groups.left[group, tree.point[node]], shares[level], before)
        hand = tree.final[node]
        if hand < 0:
            continue
        if level == 2:
            shown[bans, hand] += dot(stack[2], groups.shown_units[group])
        code = dealer_codes[hand]
        if code >= 0:
            for place in range(closed):
                settled[group, place, hand] += dot(stack[level], units[place, code])
    groups.size[group] = 0


@inlined_lean
def fill_shares(shares: Floats, cards_left: Floats, size: int) -> None:
    """Fill the probability of one given card as the first, second, ... to be drawn from what is left; begin with 1."""
    for level in range(len(shares)):
        for lane in range(GROUP):
            is_first = level == 0
            cards = 1.0 if is_first or lane >= size else cards_left[lane] - (level - 1.0)
            shares[level, lane] = 1.0 / cards if lane < size else 0.0


@inlined_lean
def add_card(stack: Floats, level: int, left: Floats, share: Floats, before: float) -> None:
    """Multiply the probabilities of hands without their last card by that of the card."""
    for lane in range(GROUP):
        ways = left[lane] - before
        ways = ways if ways > 0.0 else 0.0
        stack[level, lane] = stack[level - 1, lane] * ways * share[lane]


@inlined_lean
def dot(first: Floats, second: Floats) -> float:
    """Return the sum of products over a group, added up side by side."""
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for lane in range(0, GROUP, _LANES):
        a += first[lane] * second[lane]
        b += first[lane + 1] * second[lane + 1]
        c += first[lane + 2] * second[lane + 2]
        d += first[lane + 3] * second[lane + 3]
        e += first[lane + 4] * second[lane + 4]
        f += first[lane + 5] * second[lane + 5]
        g += first[lane + 6] * second[lane + 6]
        h += first[lane + 7] * second[lane + 7]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))
