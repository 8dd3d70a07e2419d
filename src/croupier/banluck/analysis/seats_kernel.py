"""Any number of players and the dealer, compiled: the inner loop of the simulator for strategies that go by card counts.

Hands, totals and settlements are those of :mod:`~croupier.banluck.analysis.simulation_kernel`: a second reading of the rules that shares
nothing with the solvers but the strategies and the numbering of their states.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.analysis.simulation_kernel import (
    BAN_LUCK,
    COLUMN_COUNT,
    EVEN,
    NOTHING,
    Cards,
    Hand,
    Histogram,
    Options,
    Totals,
    Tree,
    bust_price,
    deal,
    dealt,
    decides,
    hand_class,
    settle,
    settle_ban,
    with_card,
)
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealt_hands import cards_of, first_rows
from croupier.banluck.solvers.table.situations import ACTIONS, DRAW, KINDS, OPEN, STOP, Situations, situations
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_word
from croupier.numerics.together import add_to, in_any_lane

Prices = NDArray[np.int64]

_HARD_FIFTEEN = 15
_MOST_CARDS = 5


class SeatsPolicy(NamedTuple):
    """The strategies of a table as arrays."""

    players: int
    hit: Floats
    first_row: Integers
    closed: Floats
    surrender: Floats
    choice: Integers
    found: Situations


class SeatsRoom(NamedTuple):
    """Room for one hand of the table.

    Attributes
    ----------
    prices
        What each seat is paid.
    hands
        Each seat's hand: the fields of :class:`~croupier.banluck.analysis.simulation_kernel.Hand` in their order.
    is_closed
        Which seats are closed.
    held
        How many hands of each kind are closed.
    """

    prices: Prices
    hands: Prices
    is_closed: Flags
    held: Prices


def seats_policy(strategy: CountsStrategy, rules: BanluckRules) -> SeatsPolicy:
    """Write strategies in the form that compiled code reads."""
    cards = cards_of(rules)
    surrender = np.where(
        (cards.dealer_place >= 0)[:, None], strategy.dealer.surrender[cards.dealer_place], 0.0
    )
    return SeatsPolicy(
        strategy.players,
        np.ascontiguousarray(strategy.hit),
        first_rows(strategy.players),
        np.ascontiguousarray(strategy.dealer.closed),
        np.ascontiguousarray(surrender),
        cards.choice,
        situations(rules, strategy.players),
    )


def seats_room(players: int) -> SeatsRoom:
    """Return room for the hands of a table."""
    return SeatsRoom(
        np.zeros(players, dtype=np.int64),
        np.zeros((players, len(Hand._fields)), dtype=np.int64),
        np.zeros(players, dtype=np.bool_),
        np.zeros(KINDS, dtype=np.int64),
    )


@inlined_lean
def _hand(room: SeatsRoom, seat: int) -> Hand:
    hand = room.hands[seat]
    # Compiled hands hold the types of the tables that they come from.
    return Hand(np.int16(hand[0]), hand[1], hand[2], hand[3], hand[4], np.int8(hand[5]))  # type: ignore[arg-type]


@inlined_lean
def _keep(room: SeatsRoom, seat: int, hand: Hand) -> None:
    room.hands[seat, 0] = hand.node
    room.hands[seat, 1] = hand.card_count
    room.hands[seat, 2] = hand.aces
    room.hands[seat, 3] = hand.points
    room.hands[seat, 4] = hand.sevens
    room.hands[seat, 5] = hand.total


@compiled_lean
def play_seats(
    cards: Cards,
    room: SeatsRoom,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: SeatsPolicy,
    stream: Stream,
) -> None:
    """Play one hand from cards in a given order: two for each player, two for the dealer, then as they are drawn."""
    players = policy.players
    dealer = dealt(cards[2 * players], cards[2 * players + 1], totals, tree)
    dealer_class = hand_class(dealer, options)
    bans = 0
    for seat in range(players):
        hand = dealt(cards[2 * seat], cards[2 * seat + 1], totals, tree)
        _keep(room, seat, hand)
        room.prices[seat] = NOTHING
        if hand_class(hand, options) >= BAN_LUCK:
            bans += 1
    if options.may_surrender and dealer.points == _HARD_FIFTEEN:
        shown = 0 if options.surrender_is_blind else bans
        if decides(policy.surrender[dealer.node, shown], stream):
            return
    for seat in range(players):
        player_class = hand_class(_hand(room, seat), options)
        room.is_closed[seat] = player_class < BAN_LUCK and dealer_class < BAN_LUCK
        if not room.is_closed[seat]:
            room.prices[seat] = settle_ban(player_class, dealer_class, options)[1]
    if dealer_class >= BAN_LUCK:
        return
    used = _play_players(cards, 2 * players + 2, room, options, totals, tree, policy, stream)
    _play_dealer(dealer, bans, cards, used, room, options, totals, tree, policy, stream)


@inlined_lean
def _play_players(
    cards: Cards,
    used: int,
    room: SeatsRoom,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: SeatsPolicy,
    stream: Stream,
) -> int:
    """Let the players act in turn; return the number of cards used."""
    two_cards, more_cards = 0, 0
    for seat in range(policy.players):
        if not room.is_closed[seat]:
            continue
        hand = _hand(room, seat)
        hit = policy.hit[policy.first_row[seat] + two_cards * (seat + 1) + more_cards]
        while (
            hand.card_count < _MOST_CARDS
            and hand.total < 21
            and (
                (options.must_hit and hand.total < options.player_minimum) or decides(hit[hand.node], stream)
            )
        ):
            hand = with_card(hand, cards[used], totals, tree)
            used += 1
        _keep(room, seat, hand)
        if hand.total > 21 and options.player_bust_is_final:
            room.prices[seat] = -bust_price(hand)
            room.is_closed[seat] = False
        elif hand.card_count == 2:
            two_cards += 1
        else:
            more_cards += 1
    return used


@inlined_lean
def _play_dealer(
    dealer: Hand,
    bans: int,
    cards: Cards,
    used: int,
    room: SeatsRoom,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: SeatsPolicy,
    stream: Stream,
) -> None:
    """Play the dealer's hand against everybody who is closed, and settle."""
    found = policy.found
    for kind in range(KINDS):
        room.held[kind] = 0
    for seat in range(policy.players):
        if room.is_closed[seat]:
            room.held[found.kind_of[room.hands[seat, 1] - 2]] += 1
    key = bans if found.shown_counts else 0
    for kind in range(KINDS):
        key = key * (policy.players + 1) + room.held[kind]
    state = found.first_state[found.number[key] + 1] - 1
    while dealer.card_count < _MOST_CARDS and dealer.total <= options.dealer_choice_max:
        action = DRAW
        if dealer.total >= options.dealer_minimum:
            action = _chosen(policy.closed, state, policy.choice[dealer.node], stream)
        if action == STOP:
            break
        if action == DRAW:
            dealer = with_card(dealer, cards[used], totals, tree)
            used += 1
            continue
        seat = 0
        while not (room.is_closed[seat] and found.kind_of[room.hands[seat, 1] - 2] == action - OPEN):
            seat += 1
        room.is_closed[seat] = False
        room.prices[seat] = settle(_hand(room, seat), dealer, options)[1]
        state = found.after[state, action - OPEN]
    for seat in range(policy.players):
        if room.is_closed[seat]:
            room.prices[seat] = settle(_hand(room, seat), dealer, options)[1]


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
def play_seats_hands(
    hands: int, room: SeatsRoom, options: Options, totals: Totals, tree: Tree, policy: SeatsPolicy, deck: Cards,
    histogram: Histogram, stream: Stream,
) -> None:  # fmt: skip
    """Deal and play hands; count them by what each pair of seats was paid."""
    players = policy.players
    needed = min(_MOST_CARDS * (players + 1), DECK_SIZE)
    played = 0
    while in_any_lane(played < hands):
        if played < hands:
            deal(deck, needed, stream)
            play_seats(deck, room, options, totals, tree, policy, stream)
            for first in range(players):
                for second in range(first + 1):
                    paid_first, paid_second = EVEN + room.prices[first], EVEN + room.prices[second]
                    add_to(histogram, (first, second, paid_first, paid_second), 1)
            played += 1


@compiled
def play_seats_block(
    hands: int,
    room: SeatsRoom,
    options: Options,
    totals: Totals,
    tree: Tree,
    policy: SeatsPolicy,
    stream: Stream,
) -> Histogram:
    """Deal and play the hands of a block; count them by what each pair of seats was paid."""
    deck = np.arange(DECK_SIZE).astype(np.int8)
    histogram = np.zeros((policy.players, policy.players, COLUMN_COUNT, COLUMN_COUNT), dtype=np.int64)
    play_seats_hands(hands, room, options, totals, tree, policy, deck, histogram, stream)
    return histogram
