"""Two players and the dealer, compiled: the inner loop of the simulator of a table of two.

Hands, totals and settlements are those of :mod:`~croupier.banluck.analysis.simulation_kernel`: a second reading of the rules that shares
nothing with the solvers but the strategies.
"""

from typing import NamedTuple

import numpy as np

from croupier.banluck.analysis.simulation_kernel import (
    BAN_LUCK,
    COLUMN_COUNT,
    EVEN,
    NOTHING,
    Cards,
    Hand,
    Histogram,
    Options,
    Setup,
    Totals,
    Tree,
    bust_price,
    deal,
    dealt,
    decides,
    hand_class,
    settle,
    settle_ban,
    setup_of,
    with_card,
)
from croupier.banluck.engine.multisets import MULTISETS, multiset_index
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.hand_table import Floats, Integers
from croupier.banluck.solvers.table.dealer_states import COUNTS, dealer_hands
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_word
from croupier.numerics.together import add_to, in_any_lane

#: The shape of a histogram: what the first seat was paid, and the second.
TABLE_SHAPE = (COLUMN_COUNT, COLUMN_COUNT)

#: No hand of three sides needs more cards than this.
_CARDS_NEEDED = 15
_HARD_FIFTEEN = 15
_DRAW, _OPEN_FIRST, _OPEN_SECOND = 1, 2, 3


class TablePolicy(NamedTuple):
    """The strategies of a table of two as arrays; multisets lead to rows.

    Known hands are numbered in four ways at once: opened of the first seat, opened or bust of the second, and known from the start.
    """

    first: Floats
    second: Floats
    surrender: Floats
    choice_of: Integers
    closed: Floats
    row_first: Integers
    first_known: Floats
    row_second: Integers
    second_known: Floats
    row_remaining: Integers
    remaining_hit: Floats
    remaining_draw: Floats


def table_policy(strategy: TableStrategy, rules: BanluckRules) -> TablePolicy:
    """Write strategies in the form that compiled code reads."""
    seats, dealer = seat_hands(rules), dealer_hands(rules)
    surrender = np.zeros((len(MULTISETS), *strategy.surrender.shape[1:]))
    surrender[dealer.hands] = strategy.surrender
    choice_of = np.full(len(MULTISETS), -1)
    choice_of[dealer.hands] = dealer.choice_of
    row_second = seats.place.copy()
    row_second[seats.bust] = len(seats.final) + np.arange(len(seats.bust))
    row_remaining = np.full(len(MULTISETS), -1)
    for row, hand in enumerate(strategy.remaining):
        row_remaining[multiset_index(hand)] = row
    remaining = list(strategy.remaining.values())
    return TablePolicy(
        np.ascontiguousarray(strategy.seats.first),
        np.ascontiguousarray(strategy.seats.second),
        surrender,
        choice_of,
        np.ascontiguousarray(strategy.dealer.closed),
        seats.place,
        np.concatenate(strategy.dealer.first_known[:COUNTS]),
        row_second,
        np.concatenate(strategy.dealer.second_known),
        row_remaining,
        np.array([hit for hit, _ in remaining]),
        np.array([draw for _, draw in remaining]),
    )


def table_setup(rules: BanluckRules) -> tuple[Options, Totals, Tree]:
    """Return the rules as numbers, totals and the tree of hands."""
    setup: Setup = setup_of(rules, stand_on(rules.player_minimum, rules), classic_dealer(rules))
    return setup.options, setup.totals, setup.tree


@inlined_lean
def _hits(player: Hand, options: Options, hit: Floats, stream: Stream) -> bool:
    if player.card_count == 5 or player.total >= 21:
        return False
    if options.must_hit and player.total < options.player_minimum:
        return True
    return decides(hit[player.node], stream)


@inlined_lean
def _is_choice(dealer: Hand, options: Options) -> bool:
    return dealer.card_count < 5 and options.dealer_minimum <= dealer.total <= options.dealer_choice_max


@inlined_lean
def _must_draw(dealer: Hand, options: Options) -> bool:
    return dealer.card_count < 5 and dealer.total < options.dealer_minimum


@inlined_lean
def _against_one(
    player: Hand,
    dealer: Hand,
    draw: Floats,
    choice_of: Integers,
    cards: Cards,
    used: int,
    options: Options,
    totals: Totals,
    tree: Tree,
    stream: Stream,
) -> int:
    """Play the dealer's hand against the one player who is closed, and return the price."""
    while _must_draw(dealer, options) or (
        _is_choice(dealer, options)
        and not (options.reveal_is_mandatory and player.card_count >= options.reveal_from)
        and decides(draw[choice_of[dealer.node], player.card_count - 2], stream)
    ):
        dealer = with_card(dealer, cards[used], totals, tree)
        used += 1
    return settle(player, dealer, options)[1]


@inlined_lean
def _chosen(chances: Floats, stream: Stream) -> int:
    """Take one of four actions; a certain one uses up no randomness."""
    for action in range(4):
        if chances[action] >= 1.0:
            return action
    left = fraction(xoshiro_word(stream))
    last = 0
    for action in range(4):
        if chances[action] > 0.0:
            last = action
            if left < chances[action]:
                return action
            left -= chances[action]
    return last


@inlined_lean
def _against_both(
    first: Hand,
    second: Hand,
    dealer: Hand,
    cards: Cards,
    used: int,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: TablePolicy,
    stream: Stream,
) -> tuple[int, int]:
    """Play the dealer's hand against two closed players, and return both prices."""
    while True:
        action = _DRAW if _must_draw(dealer, options) else 0
        if _is_choice(dealer, options):
            chances = policy.closed[
                policy.choice_of[dealer.node], first.card_count - 2, second.card_count - 2
            ]
            action = _chosen(chances, stream)
        if action == _DRAW:
            dealer = with_card(dealer, cards[used], totals, tree)
            used += 1
        elif action == _OPEN_FIRST:
            draw = policy.first_known[policy.row_first[first.node]]
            price = settle(first, dealer, options)[1]
            return price, _against_one(
                second, dealer, draw, policy.choice_of, cards, used, options, totals, tree, stream
            )
        elif action == _OPEN_SECOND:
            draw = policy.second_known[policy.row_second[second.node]]
            price = settle(second, dealer, options)[1]
            return _against_one(
                first, dealer, draw, policy.choice_of, cards, used, options, totals, tree, stream
            ), price
        else:
            return settle(first, dealer, options)[1], settle(second, dealer, options)[1]


@inlined_lean
def _shown(player_class: int) -> int:
    return player_class - BAN_LUCK + 1 if player_class >= BAN_LUCK else 0


@inlined_lean
def _remaining(
    player: Hand,
    dealer: Hand,
    known: int,
    cards: Cards,
    used: int,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: TablePolicy,
    stream: Stream,
) -> int:
    """Play on with one player, the other's cards being known from the start; return the price."""
    row = policy.row_remaining[known]
    while _hits(player, options, policy.remaining_hit[row], stream):
        player = with_card(player, cards[used], totals, tree)
        used += 1
    if player.total > 21 and options.player_bust_is_final:
        return -bust_price(player)
    draw = policy.remaining_draw[row]
    return _against_one(player, dealer, draw, policy.choice_of, cards, used, options, totals, tree, stream)


@compiled_lean
def play_two(
    cards: Cards, options: Options, totals: Totals, tree: Tree, policy: TablePolicy, stream: Stream
) -> tuple[int, int]:
    """Play one hand from cards in a given order: two for each player, two for the dealer, then as they are drawn."""
    first, second = dealt(cards[0], cards[1], totals, tree), dealt(cards[2], cards[3], totals, tree)
    dealer = dealt(cards[4], cards[5], totals, tree)
    used = 6
    first_class, second_class = hand_class(first, options), hand_class(second, options)
    dealer_class = hand_class(dealer, options)
    if options.may_surrender and dealer.points == _HARD_FIFTEEN:
        shown_first, shown_second = _shown(first_class), _shown(second_class)
        if options.surrender_is_blind:
            shown_first, shown_second = 0, 0
        if decides(policy.surrender[dealer.node, shown_first, shown_second], stream):
            return NOTHING, NOTHING
    if dealer_class >= BAN_LUCK or (first_class >= BAN_LUCK and second_class >= BAN_LUCK):
        return (
            settle_ban(first_class, dealer_class, options)[1],
            settle_ban(second_class, dealer_class, options)[1],
        )
    if first_class >= BAN_LUCK:
        price = settle_ban(first_class, dealer_class, options)[1]
        return price, _remaining(
            second, dealer, first.node, cards, used, options, totals, tree, policy, stream
        )
    if second_class >= BAN_LUCK:
        price = settle_ban(second_class, dealer_class, options)[1]
        return _remaining(
            first, dealer, second.node, cards, used, options, totals, tree, policy, stream
        ), price
    while _hits(first, options, policy.first, stream):
        first = with_card(first, cards[used], totals, tree)
        used += 1
    if first.total > 21 and options.player_bust_is_final:
        return -bust_price(first), _remaining(
            second, dealer, first.node, cards, used, options, totals, tree, policy, stream
        )
    while _hits(second, options, policy.second[first.card_count - 2], stream):
        second = with_card(second, cards[used], totals, tree)
        used += 1
    if second.total > 21 and options.player_bust_is_final:
        draw = policy.second_known[policy.row_second[second.node]]
        price = _against_one(
            first, dealer, draw, policy.choice_of, cards, used, options, totals, tree, stream
        )
        return price, -bust_price(second)
    return _against_both(first, second, dealer, cards, used, options, totals, tree, policy, stream)


@inlined_lean
def play_table_hands(
    hands: int, options: Options, totals: Totals, tree: Tree, policy: TablePolicy, deck: Cards, histogram: Histogram,
    stream: Stream,
) -> None:  # fmt: skip
    """Deal and play hands; count them by what each seat was paid."""
    played = 0
    while in_any_lane(played < hands):
        if played < hands:
            deal(deck, _CARDS_NEEDED, stream)
            first, second = play_two(deck, options, totals, tree, policy, stream)
            add_to(histogram, (EVEN + first, EVEN + second), 1)
            played += 1


@compiled
def play_table_block(
    hands: int, options: Options, totals: Totals, tree: Tree, policy: TablePolicy, stream: Stream
) -> Histogram:
    """Deal and play the hands of a block; count them by what each seat was paid."""
    deck = np.arange(DECK_SIZE).astype(np.int8)
    histogram = np.zeros(TABLE_SHAPE, dtype=np.int64)
    play_table_hands(hands, options, totals, tree, policy, deck, histogram, stream)
    return histogram
