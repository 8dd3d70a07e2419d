"""What the rules let a player do with a hand: each answer is the reason against it, or None.

Whose turn it is does not matter here; :mod:`~croupier.blackjack.engine.player_turn` asks that first.
"""

from croupier.blackjack.engine.state import Hand, RoundState, Turn
from croupier.cards import ACE_CLASS, TEN_CLASS, format_cards, point_class, rank_of

_DOUBLE_TOTALS = {"9-11": (9, 10, 11), "10-11": (10, 11)}


def why_not_hit(state: RoundState, turn: Turn) -> str | None:
    """Say why a hand may not be hit."""
    hand = _hand(state, turn)
    if hand.is_split_ace and not state.rules.hit_split_aces:
        return "a split ace gets one card only"
    return None


def why_not_double(state: RoundState, turn: Turn) -> str | None:
    """Say why a hand may not be doubled."""
    hand, value, rules = _hand(state, turn), state.hand_value(*turn), state.rules
    if rules.double == "none":
        return "this table does not allow doubling"
    if len(hand.cards) != 2:
        return f"only two cards may be doubled, the hand has {len(hand.cards)}"
    if hand.from_split and not rules.double_after_split:
        return "hands from a split may not be doubled here"
    if hand.is_split_ace and not rules.double_split_aces:
        return "split aces may not be doubled here"
    if value.is_soft and not rules.double_soft:
        return f"the hand is a {value}, and only hard hands may be doubled here"
    if rules.double != "any" and value.total not in _DOUBLE_TOTALS[rules.double]:
        return f"the total is {value}, and only {rules.double} may be doubled here"
    return None


def why_not_split(state: RoundState, turn: Turn) -> str | None:
    """Say why a hand may not be split."""
    hand, rules = _hand(state, turn), state.rules
    if rules.split_hands == 1:
        return "this table does not allow splitting"
    if not _is_pair(hand, by_rank=rules.split_by == "rank"):
        return f"{format_cards(hand.cards)} is not a pair of the same {rules.split_by}"
    if point_class(hand.cards[0]) == TEN_CLASS and not rules.split_tens:
        return "ten-value pairs may not be split here"
    if hand.is_split_ace and not rules.resplit_aces:
        return "split aces may not be split again here"
    if len(state.seats[turn.seat].hands) >= rules.split_hands:
        return f"the player has {rules.split_hands} hands already, the most that splitting may make"
    return None


def why_not_surrender(state: RoundState, turn: Turn) -> str | None:
    """Say why a hand may not be given up in the player's turn, or before it."""
    hand, rules = _hand(state, turn), state.rules
    if rules.surrender == "none":
        return "this table does not allow surrender"
    if hand.from_split:
        return "hands from a split may not be surrendered"
    if len(hand.cards) != 2:
        return f"only the first two cards may be surrendered, the hand has {len(hand.cards)}"
    if rules.surrender == "early-not-ace" and state.dealer_shows_ace:
        return "there is no surrender against an ace here"
    if rules.surrender != "late" and state.has_peeked:
        return "surrender was before the dealer looked at the hole card"
    return None


def has_choice(state: RoundState, turn: Turn) -> bool:
    """Tell whether a split ace with its second card can do anything but stand."""
    return any(why_not(state, turn) is None for why_not in (why_not_hit, why_not_double, why_not_split))


def _is_pair(hand: Hand, *, by_rank: bool) -> bool:
    if len(hand.cards) != 2:
        return False
    first, second = hand.cards
    if by_rank or point_class(first) == ACE_CLASS:
        return rank_of(first) == rank_of(second)
    return point_class(first) == point_class(second)


def _hand(state: RoundState, turn: Turn) -> Hand:
    return state.seats[turn.seat].hands[turn.hand]
