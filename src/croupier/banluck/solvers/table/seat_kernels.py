"""The compiled part of :mod:`~croupier.banluck.solvers.table.seat_sample`: deal the others and the dealer, sum over the seat's own hands."""

from typing import NamedTuple

import numpy as np

from croupier.banluck.solvers.hand_table import Floats, Integers
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS, FORCED
from croupier.banluck.solvers.table.dealer_sample import Tree, add_card, dot, fill_shares, number_of
from croupier.banluck.solvers.table.dealt_hands import (
    CARD_COUNTS,
    GROUP,
    LOW_CARDS,
    Cards,
    Deck,
    dealt_two,
    memory_of,
    next_card,
    played,
    row_of,
    takes,
)
from croupier.banluck.solvers.table.situations import ACTIONS, DRAW, KINDS, OPEN, STOP, Situations
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_word

#: What stands for the dealer's code where the hand is void, or the dealer holds a Ban hand: nothing is left to win.
_VOID = -1
#: A closed hand ends with two cards or with more; the seats after it can tell.
_ENDINGS = 2


class Slots(NamedTuple):
    """A seat's hands by how they are settled: hands of the same card count and code have the same slot.

    Attributes
    ----------
    slot
        The slot of each hand of the tree.
    card_count
        The card count of a slot less 2, or 4 for busts that are shown.
    code
        The code of a slot.
    units
        What a shown bust brings.
    """

    slot: Integers
    card_count: Integers
    code: Integers
    units: Floats


class SeatTable(NamedTuple):
    """One seat among the others, in the form that compiled code reads.

    Attributes
    ----------
    own, memories
        The seat, and into how many its rows are split.
    hit, first_row
        How everybody hits, and where each seat's rows begin.
    closed, surrender
        How the dealer plays at this table; surrenders by multiset and number of Ban hands shown.
    surrender_counts
        Whether the dealer knows that number when deciding on the surrender.
    alone_draw, alone_kind, alone_surrender
        How the dealer plays heads-up, and what the rules leave open there, by the player's card count.
    bans
        A row a Ban hand: its two classes, the number of their orders, its column in a heads-up surrender, and its units.
    """

    own: int
    memories: int
    hit: Floats
    first_row: Integers
    cards: Cards
    found: Situations
    closed: Floats
    surrender: Floats
    surrender_counts: bool
    alone_draw: Floats
    alone_kind: Integers
    alone_surrender: Floats
    bans: Floats
    pack: Floats


class _Groups(NamedTuple):
    """Deals that wait until a group of the same row is full; ``left`` and ``cards`` by how the seat's own hand ends."""

    size: Integers
    left: Floats
    cards: Floats
    code: Integers
    alone: Integers


class _Deal(NamedTuple):
    """Room for one deal.

    Attributes
    ----------
    dealt, hands
        The other seats' two cards, and their final hands.
    held
        Closed hands of each kind, without the own one.
    dealer
        The dealer's next five cards.
    left, cards
        What is left in the pack before the later seats play, and after them by how the own hand ends.
    code, alone
        The dealer's code when the own hand is settled, by its card count, at this table and heads-up. The last entry is for busts.
    """

    dealt: Integers
    hands: Integers
    held: Integers
    dealer: Integers
    left: Floats
    cards: Floats
    code: Integers
    alone: Integers


@compiled
def fill_seat_sample(
    worth: Floats,
    alone: Floats,
    ban: Floats,
    deals_count: int,
    table: SeatTable,
    tree: Tree,
    slots: Slots,
    stream: Stream,
) -> None:
    """Deal hands one after the other and add what they bring to the sums of one seat."""
    players, rows, classes = table.found.players, len(worth), len(table.pack)
    groups = _Groups(
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, _ENDINGS, classes, GROUP)),
        np.zeros((rows, _ENDINGS, GROUP)),
        np.zeros((rows, CARD_COUNTS + 1, GROUP), dtype=np.int64),
        np.zeros((rows, CARD_COUNTS + 1, GROUP), dtype=np.int64),
    )
    deal = _Deal(
        np.zeros(players, dtype=np.int64),
        np.zeros(players, dtype=np.int64),
        np.zeros(KINDS, dtype=np.int64),
        np.zeros(5, dtype=np.int64),
        np.zeros((1 + _ENDINGS, classes)),
        np.zeros(_ENDINGS),
        np.zeros(CARD_COUNTS + 1, dtype=np.int64),
        np.zeros(CARD_COUNTS + 1, dtype=np.int64),
    )
    deck = table.cards.points.copy()
    stack, shares = np.zeros((6, GROUP)), np.zeros((6, GROUP))
    units, alone_units = np.zeros((len(slots.code), GROUP)), np.zeros((len(slots.code), GROUP))
    for _ in range(deals_count):
        row = _deal_once(deal, table, ban, deck, stream)
        _queue(groups, row, deal)
        if groups.size[row] == GROUP:
            _flush(worth, alone, groups, row, table.cards, tree, slots, stack, shares, units, alone_units)
    for row in range(rows):
        if groups.size[row] > 0:
            _flush(worth, alone, groups, row, table.cards, tree, slots, stack, shares, units, alone_units)


@compiled_lean
def _deal_once(deal: _Deal, table: SeatTable, ban: Floats, deck: Deck, stream: Stream) -> int:
    """Deal the others and the dealer; write what the seat meets, and return its row."""
    cards = table.cards
    used, bans = _deal_cards(deal, table, deck, stream)
    two_cards, more_cards = 0, 0
    for seat in range(table.own):
        used, two_cards, more_cards = _play_other(
            deal, 0, seat, two_cards, more_cards, table, deck, used, stream
        )
    row = row_of(table.own, two_cards, more_cards) * table.memories
    if table.memories > 1:
        row += _memory(deal, table)
    hand = cards.two[deal.dealer[0], deal.dealer[1]]
    column = bans if table.surrender_counts else 0
    is_void = cards.is_ban[hand] or takes(table.surrender[hand, column], stream)
    alone_void = cards.is_ban[hand] or takes(table.alone_surrender[hand, 0], stream)
    if not cards.is_ban[hand]:
        ban[0] += _ban_difference(deal, table, hand, bans, DECK_SIZE - used)
    for ending in range(_ENDINGS):
        for point in range(len(table.pack)):
            deal.left[1 + ending, point] = deal.left[0, point]
        seen_two, seen_more, drawn = two_cards + 1 - ending, more_cards + ending, used
        for seat in range(table.own + 1, table.found.players):
            drawn, seen_two, seen_more = _play_other(
                deal, 1 + ending, seat, seen_two, seen_more, table, deck, drawn, stream
            )
        deal.cards[ending] = DECK_SIZE - drawn
        for count in range(ending, 1 + ending * (CARD_COUNTS - 1)):
            deal.code[count] = _VOID if is_void else _table_code(deal, count, bans, table, stream)
            deal.alone[count] = _VOID if alone_void else _alone_code(deal, count, table, stream)
        for seat in range(table.own + 1, table.found.players):
            _hold(deal, deal.hands[seat], -1, table)
    deal.code[CARD_COUNTS] = _VOID if is_void else 0
    deal.alone[CARD_COUNTS] = _VOID if alone_void else 0
    return int(row)


@inlined_lean
def _deal_cards(deal: _Deal, table: SeatTable, deck: Deck, stream: Stream) -> tuple[int, int]:
    """Deal five cards for the dealer and two for each other seat; return the cards used and the Ban hands among them."""
    used, bans = 0, 0
    for point in range(len(table.pack)):
        deal.left[0, point] = table.pack[point]
    for place in range(len(deal.dealer)):
        deal.dealer[place] = next_card(deck, used, stream)
        deal.left[0, deal.dealer[place]] -= 1.0
        used += 1
    for seat in range(table.found.players):
        if seat != table.own:
            deal.dealt[seat] = dealt_two(table.cards, deck, used, deal.left[0], stream)
            bans += int(table.cards.is_ban[deal.dealt[seat]])
            used += 2
    for kind in range(KINDS):
        deal.held[kind] = 0
    return used, bans


@inlined_lean
def _memory(deal: _Deal, table: SeatTable) -> int:
    """Return what is remembered of the hands shown before the seat acts: all Ban hands, and the earlier busts."""
    cards = table.cards
    unseen, low = DECK_SIZE, LOW_CARDS
    for seat in range(table.found.players):
        if seat == table.own:
            continue
        hand = deal.hands[seat] if seat < table.own else deal.dealt[seat]
        if cards.is_ban[hand] or cards.is_shown_bust[hand]:
            unseen -= cards.size[hand]
            low -= cards.low[hand]
    return memory_of(low, unseen)


@inlined_lean
def _play_other(
    deal: _Deal,
    version: int,
    seat: int,
    two_cards: int,
    more_cards: int,
    table: SeatTable,
    deck: Deck,
    used: int,
    stream: Stream,
) -> tuple[int, int, int]:
    """Play another seat; return the cards used, and what the seats after it see closed."""
    cards = table.cards
    hand = deal.dealt[seat]
    if cards.is_ban[hand]:
        deal.hands[seat] = hand
        return used, two_cards, more_cards
    row = table.first_row[seat] + row_of(seat, two_cards, more_cards)
    hand, used = played(hand, table.hit[row], cards, deck, used, deal.left[version], stream)
    deal.hands[seat] = hand
    _hold(deal, hand, 1, table)
    if cards.is_shown_bust[hand]:
        return used, two_cards, more_cards
    if cards.size[hand] == 2:
        return used, two_cards + 1, more_cards
    return used, two_cards, more_cards + 1


@inlined_lean
def _is_closed(hand: int, cards: Cards) -> bool:
    return not (cards.is_ban[hand] or cards.is_shown_bust[hand])


@inlined_lean
def _hold(deal: _Deal, hand: int, change: int, table: SeatTable) -> None:
    """Count a closed hand in, or out again."""
    if _is_closed(hand, table.cards):
        deal.held[table.found.kind_of[table.cards.size[hand] - 2]] += change


@inlined_lean
def _ban_difference(deal: _Deal, table: SeatTable, hand: int, bans: int, cards_left: int) -> float:
    """Return what Ban hands of the seat bring more than heads-up, against one hand of the dealer."""
    difference = 0.0
    for number in range(len(table.bans)):
        first, second = int(table.bans[number, 0]), int(table.bans[number, 1])
        column = bans + 1 if table.surrender_counts else 0
        voids = table.alone_surrender[hand, int(table.bans[number, 3])] - table.surrender[hand, column]
        if voids != 0.0:
            ways = deal.left[0, first] * (deal.left[0, second] - (1.0 if first == second else 0.0))
            probability = table.bans[number, 2] * ways / (cards_left * (cards_left - 1.0))
            difference += voids * probability * table.bans[number, 4]
    return difference


@inlined_lean
def _table_code(deal: _Deal, count: int, bans: int, table: SeatTable, stream: Stream) -> int:
    """Play the dealer against everybody, the own hand of ``2 + count`` cards included; return the code that settles it."""
    cards, found = table.cards, table.found
    own_kind = found.kind_of[count]
    own_place = 0
    for kind in range(own_kind):
        own_place += deal.held[kind]
    for seat in range(table.own):
        hand = deal.hands[seat]
        if _is_closed(hand, cards) and found.kind_of[cards.size[hand] - 2] == own_kind:
            own_place += 1
    deal.held[own_kind] += 1
    situation = number_of(found, bans, deal.held)
    deal.held[own_kind] -= 1
    state = found.first_state[situation + 1] - 1
    hand = cards.two[deal.dealer[0], deal.dealer[1]]
    drawn = 2
    while cards.dealer_kind[hand] != ENDS:
        action = DRAW
        if cards.dealer_kind[hand] == CHOICE:
            action = _chosen(table.closed, state, cards.choice[hand], stream)
        if action == STOP:
            break
        if action == DRAW:
            hand = cards.child[hand, deal.dealer[drawn]]
            drawn += 1
            continue
        kind = action - OPEN
        if kind == own_kind and found.place[state, kind] == own_place:
            break
        state = found.after[state, kind]
    return int(cards.code[hand])


@inlined_lean
def _chosen(closed: Floats, state: int, choice: int, stream: Stream) -> int:
    """Take one of the dealer's actions; a certain one uses up no randomness."""
    last = 0
    for action in range(ACTIONS):
        if closed[state, choice, action] >= 1.0:
            return action
        if closed[state, choice, action] > 0.0:
            last = action
    luck = fraction(xoshiro_word(stream))
    for action in range(ACTIONS):
        luck -= closed[state, choice, action]
        if luck < 0.0:
            return action
    return last


@inlined_lean
def _alone_code(deal: _Deal, count: int, table: SeatTable, stream: Stream) -> int:
    """Play the dealer as if nobody else were seated; return the code that settles a hand of ``2 + count`` cards."""
    cards = table.cards
    hand = cards.two[deal.dealer[0], deal.dealer[1]]
    drawn = 2
    while table.alone_kind[hand, count] == FORCED or (
        table.alone_kind[hand, count] == CHOICE and takes(table.alone_draw[hand, count], stream)
    ):
        hand = cards.child[hand, deal.dealer[drawn]]
        drawn += 1
    return int(cards.code[hand])


@inlined_lean
def _queue(groups: _Groups, row: int, deal: _Deal) -> None:
    """Put a deal into the group of its row."""
    lane = groups.size[row]
    groups.size[row] = lane + 1
    for ending in range(_ENDINGS):
        groups.cards[row, ending, lane] = deal.cards[ending]
        for point in range(deal.left.shape[1]):
            groups.left[row, ending, point, lane] = deal.left[1 + ending, point]
    for count in range(CARD_COUNTS + 1):
        groups.code[row, count, lane] = deal.code[count]
        groups.alone[row, count, lane] = deal.alone[count]


@compiled_lean
def _flush(
    worth: Floats,
    alone: Floats,
    groups: _Groups,
    row: int,
    cards: Cards,
    tree: Tree,
    slots: Slots,
    stack: Floats,
    shares: Floats,
    units: Floats,
    alone_units: Floats,
) -> None:
    """Add a group of deals to the sums, and empty it."""
    size = groups.size[row]
    _fill_units(units, groups.code, row, size, cards, slots)
    _fill_units(alone_units, groups.alone, row, size, cards, slots)
    for ending in range(_ENDINGS):
        fill_shares(shares, groups.cards[row, ending], size)
        for lane in range(GROUP):
            stack[0, lane] = shares[0, lane]
        for node in range(len(tree.depth)):
            level = tree.depth[node]
            if ending == 0 and level > 2:
                continue
            add_card(
                stack,
                level,
                groups.left[row, ending, tree.point[node]],
                shares[level],
                float(tree.before[node]),
            )
            hand = tree.final[node]
            if hand >= 0 and (level == 2) == (ending == 0):
                slot = slots.slot[hand]
                worth[row, hand] += dot(stack[level], units[slot])
                alone[hand] += dot(stack[level], alone_units[slot])
    groups.size[row] = 0


@inlined_lean
def _fill_units(units: Floats, codes: Integers, row: int, size: int, cards: Cards, slots: Slots) -> None:
    """Write what each slot wins in each deal of a group."""
    for slot in range(len(slots.code)):
        count = slots.card_count[slot]
        for lane in range(GROUP):
            units[slot, lane] = 0.0
            if lane < size:
                code = codes[row, count, lane]
                if code != _VOID:
                    units[slot, lane] = (
                        slots.units[slot] if count == CARD_COUNTS else cards.payoff[slots.code[slot], code]
                    )
