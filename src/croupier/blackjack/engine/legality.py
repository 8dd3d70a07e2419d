"""What the hand in turn may do, asked of a state: the facts of the hand handed to :mod:`~croupier.blackjack.engine.permissions`.

Whose turn it is does not matter here; :mod:`~croupier.blackjack.engine.player_turn` asks that first.
"""

from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import (
    HandFacts,
    surrenders_early,
    why_not_double,
    why_not_hit,
    why_not_split,
    why_not_surrender,
)
from croupier.blackjack.engine.state import Hand, RoundState, Turn
from croupier.cards import format_cards, rank_of


def why_not(state: RoundState, turn: Turn, move: Move) -> str | None:
    """Say why the rules do not allow a move with a hand, or None where they do."""
    hand, rules = state.seats[turn.seat].hands[turn.hand], state.rules
    facts = facts_of(state, turn)
    match move:
        case Move.HIT:
            return why_not_hit(rules, facts)
        case Move.DOUBLE:
            return why_not_double(rules, facts)
        case Move.SPLIT:
            return _why_not_split(state, turn, hand)
        case Move.SURRENDER:
            too_late = surrenders_early(rules) and state.has_peeked and not facts.doubles
            return why_not_surrender(rules, facts, against_ace=state.dealer_shows_ace) or (
                "surrender was before the dealer looked at the hole card" if too_late else None
            )
        case _:
            return None


def facts_of(state: RoundState, turn: Turn) -> HandFacts:
    """Return what permissions depend on, of a hand of two cards or more."""
    hand, value = state.seats[turn.seat].hands[turn.hand], state.hand_value(*turn)
    return HandFacts(
        value.total, value.is_soft, value.card_count, hand.from_split, hand.is_split_ace, hand.doubles
    )


def has_choice(state: RoundState, turn: Turn) -> bool:
    """Tell whether a split ace with its second card, or a doubled hand, can do anything but stand."""
    moves = (Move.HIT, Move.DOUBLE, Move.SPLIT, Move.SURRENDER)
    return any(why_not(state, turn, move) is None for move in moves)


def _why_not_split(state: RoundState, turn: Turn, hand: Hand) -> str | None:
    if len(hand.cards) != 2:
        return f"{format_cards(hand.cards)} is not a pair"
    first, second = hand.cards
    reason = why_not_split(
        state.rules,
        rank_of(first),
        rank_of(second),
        hands=len(state.seats[turn.seat].hands),
        is_split_ace=hand.is_split_ace,
    )
    return reason and reason.replace("it is", f"{format_cards(hand.cards)} is")
