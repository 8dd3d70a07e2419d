"""Banluck as compiled code: the inner loop of the simulator.

The readable engine is the definition of the game; this is an independent reading of the same rules. Totals,
classes and prices are computed here from the cards, never looked up in ``engine.hand`` or
``engine.settlement``, so that a mistake on either side shows as a disagreement. Only the place of a
hand in the strategy arrays comes from the engine's list of multisets.

Randomness is xoshiro256++ (:mod:`~croupier.numerics.random_kernels`).
"""

from functools import cache, reduce
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import AceValues, BanluckRules
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.cards import ACE, DECK_SIZE, TEN
from croupier.numerics.compiled import inlined
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_below, xoshiro_word
from croupier.numerics.together import add_to, in_any_lane

Cards = NDArray[np.int8]
Totals = NDArray[np.int8]
Tree = NDArray[np.int16]
Histogram = NDArray[np.int64]

#: One row per multiset: the probability of a hit, of a surrender by what the player shows (nothing, Ban Luck, Ban Ban),
#: and of a draw by the player's card count (2, 3, 4, 5). Eight numbers, the size of a cache line.
Policy = NDArray[np.float64]
_HIT, _SURRENDER, _DRAW = 0, 1, 4

#: How a hand ended: the rows of a histogram.
VOID, BAN, BUST, BOTH_BUST, FORFEIT, DEALER_BUST, WIN, LOSS, PUSH = range(9)
OUTCOME_COUNT = 9

#: What is paid. The first seven are also the classes of hands, weakest first, so that the price of a winning hand is
#: its class; a bust hand has no price and is "nothing". The prices of a bust on the fifth card follow.
NOTHING, SINGLE, FIVE_CARD, FIVE_CARD_21, TRIPLE_SEVEN, BAN_LUCK, BAN_BAN = range(7)
PLAYER_FIFTH_BUST, DEALER_FIFTH_BUST = 7, 8
BUST_HAND = NOTHING
PRICE_COUNT = 9

#: Columns of a histogram: what the dealer pays stands at ``EVEN + price``, what the player pays at ``EVEN - price``.
EVEN = PRICE_COUNT - 1
COLUMN_COUNT = 2 * PRICE_COUNT - 1

#: No hand of two sides needs more cards than this.
CARDS_NEEDED = 10

_HARD_FIFTEEN = 15
_RANK_OF_SEVEN = 5
_NO_CARDS_NODE = len(MULTISETS)


class Options(NamedTuple):
    """The rules as numbers. It holds no arrays, because compiled code counts references whenever it reads one."""

    prices: tuple[float, ...]  # in units, by price
    player_minimum: int
    must_hit: bool
    low_five_card_forfeits: bool
    dealer_minimum: int
    dealer_choice_max: int
    reveal_is_mandatory: bool
    reveal_from: int
    may_surrender: bool
    surrender_is_blind: bool
    dealer_collects: bool
    five_card_mirror_pushes: bool
    player_bust_is_final: bool
    special_777: bool


class Setup(NamedTuple):
    """Everything that decides how a hand is played, in the order in which the compiled functions take it."""

    options: Options
    totals: Totals
    tree: Tree
    policy: Policy


class Hand(NamedTuple):
    """A hand as it grows card by card."""

    node: int  # its place in MULTISETS once it has two cards
    card_count: int
    aces: int
    points: int  # of the cards that are not aces
    sevens: int
    total: int


def setup_of(rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy) -> Setup:
    """Convert rules and strategies to the form that compiled code reads."""
    policy = np.column_stack([player.hit, dealer.surrender, dealer.draw]).astype(np.float64, order="C")
    return Setup(_options(rules), _totals(rules.ace_values), _tree(), policy)


def units_by_column(options: Options) -> NDArray[np.float64]:
    """Return what the columns of a histogram bring the player, in units."""
    prices = np.array(options.prices)
    return np.concatenate([-prices[:0:-1], prices])


def _options(rules: BanluckRules) -> Options:
    multiples = (
        rules.pays_five_card,
        rules.pays_five_card_21,
        rules.pays_777,
        rules.pays_ban_luck,
        rules.pays_ban_ban,
    )
    fifth_busts = (rules.five_card_bust_player, rules.five_card_bust_dealer)
    return Options(
        prices=tuple(float(price) for price in (0, 1, *multiples, *fifth_busts)),
        player_minimum=rules.player_minimum,
        must_hit=rules.below_minimum == "must_hit",
        low_five_card_forfeits=rules.five_card_below_minimum == "forfeit",
        dealer_minimum=rules.dealer_minimum,
        dealer_choice_max=rules.dealer_choice_max,
        reveal_is_mandatory=rules.reveal == "mandatory",
        reveal_from=rules.reveal_from,
        may_surrender=rules.surrender != "none",
        surrender_is_blind=rules.surrender == "blind",
        dealer_collects=rules.dealer_collects_multiples,
        five_card_mirror_pushes=rules.five_card_mirror == "push",
        player_bust_is_final=rules.both_bust == "player_loses",
        special_777=rules.special_777,
    )


def _totals(ace_values: AceValues) -> Totals:
    """Tabulate the total of a hand by card count, aces and points of the other cards.

    The sums that some aces can make are the bits of an integer: one more ace shifts them by each of its values.
    """
    totals = np.zeros((6, 5, 51), dtype=np.int8)
    up_to_21 = (1 << 22) - 1
    for card_count, values in enumerate(ace_values, start=2):
        ace_sums = 1
        for aces in range(5):
            for points in range(51):
                sums = ace_sums << points
                lowest = sums & -sums
                totals[card_count, aces, points] = (sums & up_to_21 or lowest).bit_length() - 1
            ace_sums = reduce(or_, (ace_sums << value for value in values))
    return totals


@cache
def _tree() -> Tree:
    """Tabulate the hand that results from adding a card of each point class, for hands of none to five cards.

    The nodes are MULTISETS, then the hand of no cards, then the hands of one. -1: no such hand.
    """
    nodes = {hand: node for node, hand in enumerate(MULTISETS)}
    nodes[()] = _NO_CARDS_NODE
    nodes |= {(point,): _NO_CARDS_NODE + 1 + point for point in range(10)}
    tree = np.full((len(nodes), 10), -1, dtype=np.int16)
    for hand, node in nodes.items():
        if len(hand) < 5:
            tree[node] = [nodes.get(tuple(sorted((*hand, point))), -1) for point in range(10)]
    return tree


@inlined
def deal(deck: Cards, count: int, stream: Stream) -> None:
    """Put so many random cards in random order on top of the deck.

    This is Fisher-Yates, stopped early. The order of the deck before does not matter, so the deck is not sorted between hands.
    """
    for place in range(count):
        pick = place + xoshiro_below(stream, DECK_SIZE - place)
        deck[place], deck[pick] = deck[pick], deck[place]


@inlined
def decides(probability: float, stream: Stream) -> bool:
    """Decide at random with a probability; 0 and 1 draw no random number."""
    if probability <= 0.0:
        return False
    if probability >= 1.0:
        return True
    return fraction(xoshiro_word(stream)) < probability


@inlined
def with_card(hand: Hand, card: int, totals: Totals, tree: Tree) -> Hand:
    """Return a hand with one more card."""
    rank = card >> 2
    is_ace = rank == ACE
    point = 9 if is_ace else min(rank, TEN)
    card_count = hand.card_count + 1
    aces = hand.aces + (1 if is_ace else 0)
    points = hand.points + (0 if is_ace else point + 2)
    return Hand(
        int(tree[hand.node, point]),
        card_count,
        aces,
        points,
        hand.sevens + (1 if rank == _RANK_OF_SEVEN else 0),
        int(totals[card_count, aces, points]),
    )


@inlined
def dealt(first: int, second: int, totals: Totals, tree: Tree) -> Hand:
    """Return a hand of two cards."""
    nothing = Hand(_NO_CARDS_NODE, 0, 0, 0, 0, 0)
    return with_card(with_card(nothing, first, totals, tree), second, totals, tree)


@inlined
def hand_class(hand: Hand, options: Options) -> int:
    """Return the class of a hand."""
    if hand.card_count == 2:
        if hand.aces == 2:
            return BAN_BAN
        return BAN_LUCK if hand.aces == 1 and hand.points == 10 else SINGLE
    if hand.total > 21:
        return BUST_HAND
    if hand.card_count == 5:
        return FIVE_CARD_21 if hand.total == 21 else FIVE_CARD
    is_777 = options.special_777 and hand.sevens == 3 and hand.card_count == 3
    return TRIPLE_SEVEN if is_777 else SINGLE


@inlined
def _surrenders(dealer: Hand, player_class: int, options: Options, policy: Policy, stream: Stream) -> bool:
    # Two cards whose points without aces make 15 hold no ace: no other card counts 15.
    if not options.may_surrender or dealer.points != _HARD_FIFTEEN:
        return False
    shown = 0
    if not options.surrender_is_blind and player_class >= BAN_LUCK:
        shown = player_class - BAN_LUCK + 1
    return decides(policy[dealer.node, _SURRENDER + shown], stream)


@inlined
def _player_hits(player: Hand, options: Options, policy: Policy, stream: Stream) -> bool:
    if player.card_count == 5 or player.total >= 21:
        return False
    if options.must_hit and player.total < options.player_minimum:
        return True
    return decides(policy[player.node, _HIT], stream)


@inlined
def _dealer_draws(
    dealer: Hand, player_card_count: int, options: Options, policy: Policy, stream: Stream
) -> bool:
    if dealer.card_count == 5 or dealer.total > 21:
        return False
    if dealer.total < options.dealer_minimum:
        return True
    if dealer.total > options.dealer_choice_max:
        return False
    if options.reveal_is_mandatory and player_card_count >= options.reveal_from:
        return False
    return decides(policy[dealer.node, _DRAW + player_card_count - 2], stream)


@inlined
def _larger(price: int, other: int, options: Options) -> int:
    return price if options.prices[price] >= options.prices[other] else other


@inlined
def bust_price(player: Hand) -> int:
    """Return the price of a player's bust."""
    return PLAYER_FIFTH_BUST if player.card_count == 5 else SINGLE


@inlined
def settle_ban(player_class: int, dealer_class: int, options: Options) -> tuple[int, int]:
    """Settle two dealt hands of which at least one is a Ban hand."""
    if player_class > dealer_class:
        return BAN, player_class
    if player_class < dealer_class:
        return BAN, -dealer_class if options.dealer_collects else -SINGLE
    return PUSH, NOTHING


@inlined
def settle(player: Hand, dealer: Hand, options: Options) -> tuple[int, int]:
    """Settle two finished hands; return the outcome and the price, negative if the player pays."""
    player_class, dealer_class = hand_class(player, options), hand_class(dealer, options)
    dealer_is_bust = dealer_class == BUST_HAND
    five_against_five = (
        FIVE_CARD <= player_class <= FIVE_CARD_21 and FIVE_CARD <= dealer_class <= FIVE_CARD_21
    )
    dealer_price = dealer_class if options.dealer_collects and not dealer_is_bust else SINGLE
    if player_class == BUST_HAND:
        if dealer_is_bust:
            return BOTH_BUST, NOTHING
        return BUST, -_larger(bust_price(player), dealer_price, options)
    if player.total < options.player_minimum and (player.card_count < 5 or options.low_five_card_forfeits):
        return FORFEIT, -SINGLE if five_against_five else -dealer_price
    if dealer_is_bust:
        at_least = DEALER_FIFTH_BUST if dealer.card_count == 5 else player_class
        return DEALER_BUST, _larger(player_class, at_least, options)
    lead = player_class - dealer_class
    if five_against_five:
        lead = 0 if options.five_card_mirror_pushes else player.total - dealer.total
        player_class, dealer_price = SINGLE, SINGLE
    elif lead == 0:
        lead = player.total - dealer.total
    if lead == 0:
        return PUSH, NOTHING
    return (WIN, player_class) if lead > 0 else (LOSS, -dealer_price)


@inlined
def play_hand(
    cards: Cards, options: Options, totals: Totals, tree: Tree, policy: Policy, stream: Stream
) -> tuple[int, int]:
    """Play one hand from cards in a given order: two for the player, two for the dealer, then as they are drawn.

    Only mixed decisions use the stream. Returns the outcome and the price, negative if the player pays.
    """
    player = dealt(cards[0], cards[1], totals, tree)
    dealer = dealt(cards[2], cards[3], totals, tree)
    player_class, dealer_class = hand_class(player, options), hand_class(dealer, options)
    if _surrenders(dealer, player_class, options, policy, stream):
        return VOID, NOTHING
    if player_class >= BAN_LUCK or dealer_class >= BAN_LUCK:
        return settle_ban(player_class, dealer_class, options)
    used = 4
    while _player_hits(player, options, policy, stream):
        player = with_card(player, cards[used], totals, tree)
        used += 1
    if player.total > 21 and options.player_bust_is_final:
        return BUST, -bust_price(player)
    while _dealer_draws(dealer, player.card_count, options, policy, stream):
        dealer = with_card(dealer, cards[used], totals, tree)
        used += 1
    return settle(player, dealer, options)


@inlined
def play_hands(
    hands: int, options: Options, totals: Totals, tree: Tree, policy: Policy, deck: Cards, histogram: Histogram,
    stream: Stream,
) -> None:  # fmt: skip
    """Deal and play hands; count them by outcome and price."""
    played = 0
    while in_any_lane(played < hands):
        if played < hands:
            deal(deck, CARDS_NEEDED, stream)
            outcome, price = play_hand(deck, options, totals, tree, policy, stream)
            add_to(histogram, (outcome, EVEN + price), 1)
            played += 1


@inlined
def play_block(
    hands: int, options: Options, totals: Totals, tree: Tree, policy: Policy, stream: Stream
) -> Histogram:
    """Deal and play the hands of a block; count them by outcome and price."""
    deck = np.arange(DECK_SIZE).astype(np.int8)
    histogram = np.zeros((OUTCOME_COUNT, COLUMN_COUNT), dtype=np.int64)
    play_hands(hands, options, totals, tree, policy, deck, histogram, stream)
    return histogram
