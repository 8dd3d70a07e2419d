"""The player's turn: surrender, hit, stand, double, split.

Operations come in pairs, as in :mod:`~croupier.blackjack.engine.dealing`.
"""

from dataclasses import replace

from croupier.blackjack.engine.dealing import hand_in_turn, turn_of, verify_phase, with_card
from croupier.blackjack.engine.legality import why_not
from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import is_free_split
from croupier.blackjack.engine.resolution import resolved
from croupier.blackjack.engine.state import Action, ActionKind, Hand, Phase, RoundState
from croupier.cards import point_class
from croupier.cards.seat_action import IllegalAction


def verify_surrender(state: RoundState) -> None:
    """Raise unless the player to act may give up the first two cards for a part of the bet."""
    if state.phase is not Phase.EARLY_SURRENDER:
        _verify_turn(state, Move.SURRENDER)


def surrender(state: RoundState) -> RoundState:
    """Give up the hand for a part of the bet, usually half; late and without a peek, a dealer's natural still takes it all."""
    verify_surrender(state)
    turn = turn_of(state)
    given_up = replace(hand_in_turn(state), has_surrendered=True, has_finished=True)
    return resolved(state.with_hands(turn, given_up), Action(ActionKind.SURRENDER, turn.seat))


def verify_keep(state: RoundState) -> None:
    """Raise unless a player is asked, before the dealer looks at the hole card, whether to surrender."""
    verify_phase(state, "keep the hand", Phase.EARLY_SURRENDER)


def keep(state: RoundState) -> RoundState:
    """Play on instead of an early surrender."""
    verify_keep(state)
    number = turn_of(state).seat
    kept = state.with_seat(number, replace(state.seats[number], has_kept=True))
    return resolved(kept, Action(ActionKind.KEEP, number))


def verify_hit(state: RoundState, card: int | None = None) -> None:
    """Raise unless the hand in turn may be hit and the card, if one is named, is there."""
    _verify_turn(state, Move.HIT)
    if card is not None:
        state.verify_available((card,))


def hit(state: RoundState, card: int) -> RoundState:
    """Give the hand in turn a card. Bust, 21 and a charlie end the turn by themselves."""
    verify_hit(state, card)
    return resolved(with_card(state, card), Action(ActionKind.HIT, turn_of(state).seat, (card,)))


def verify_stand(state: RoundState) -> None:
    """Raise unless a player is to act."""
    _verify_turn(state, Move.STAND)


def stand(state: RoundState) -> RoundState:
    """End the turn of the hand."""
    verify_stand(state)
    turn = turn_of(state)
    finished = replace(hand_in_turn(state), has_finished=True)
    return resolved(state.with_hands(turn, finished), Action(ActionKind.STAND, turn.seat))


def verify_double(state: RoundState, card: int | None = None) -> None:
    """Raise unless the hand in turn may be doubled and the card, if one is named, is there."""
    _verify_turn(state, Move.DOUBLE)
    if card is not None:
        state.verify_available((card,))


def double(state: RoundState, card: int) -> RoundState:
    """Put as much again on the hand, which gets one card and stands, unless the rules let it go on."""
    verify_double(state, card)
    after = with_card(state, card, doubles=True)
    return resolved(after, Action(ActionKind.DOUBLE, turn_of(state).seat, (card,)))


def verify_split(state: RoundState) -> None:
    """Raise unless the hand in turn is a pair that may be split."""
    _verify_turn(state, Move.SPLIT)


def split(state: RoundState) -> RoundState:
    """Make two hands of a pair, each with the original bet or a free one; each gets its second card when its turn comes."""
    verify_split(state)
    turn, hand = turn_of(state), hand_in_turn(state)
    bet, (first, second) = state.seats[turn.seat].bet, hand.cards
    is_free = hand.is_free or is_free_split(state.rules, point_class(second))
    halves = (
        Hand((first,), bet, from_split=True, is_free=hand.is_free),
        Hand((second,), bet, from_split=True, is_free=is_free),
    )
    return resolved(state.with_hands(turn, *halves), Action(ActionKind.SPLIT, turn.seat))


def _verify_turn(state: RoundState, move: Move) -> None:
    """Raise unless a hand of two cards or more is in turn and nothing in the rules speaks against the move."""
    verify_phase(state, move, Phase.PLAYERS)
    if len(hand_in_turn(state).cards) == 1:
        raise IllegalAction(f"cannot {move} now: the dealer completes the split hand first")
    reason = why_not(state, turn_of(state), move)
    if reason is not None:
        raise IllegalAction(f"cannot {move}: {reason}")
