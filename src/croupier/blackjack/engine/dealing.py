"""The dealer hands out cards: the deal, and the second card of a hand from a split.

Operations come in pairs: ``verify_x`` raises and says why, ``x`` does it.
"""

from collections.abc import Sequence
from dataclasses import replace

from croupier.blackjack.engine.hand import evaluate
from croupier.blackjack.engine.legality import facts_of, has_choice
from croupier.blackjack.engine.permissions import is_finished, is_free_double
from croupier.blackjack.engine.resolution import resolved
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.state import Action, ActionKind, Hand, Phase, RoundState, Turn
from croupier.cards import CardError
from croupier.cards.seat_action import IllegalAction

Cards = tuple[int, ...]


def dealer_deal_size(rules: BlackjackRules) -> int:
    """Return how many cards the dealer takes in the deal: two with a hole card, else one.

    >>> dealer_deal_size(BlackjackRules(hole_card="no-peek"))
    1
    """
    return 2 if rules.sees_natural_first else 1


def verify_deal(state: RoundState, hands: Sequence[Cards], dealer: Cards) -> None:
    """Raise unless these are two cards for every player, and one or two for the dealer as the rules say."""
    verify_phase(state, "deal", Phase.DEAL)
    if len(hands) != len(state.seats):
        raise IllegalAction(f"cannot deal {len(hands)} hands: {len(state.seats)} players have bet")
    for hand in hands:
        if len(hand) != 2:
            raise CardError(f"cannot deal {len(hand)} cards to a player: every player gets 2")
    if len(dealer) != (size := dealer_deal_size(state.rules)):
        raise CardError(
            f"cannot deal {len(dealer)} cards to the dealer: with hole_card = {state.rules.hole_card} it is {size}"
        )
    state.verify_available(tuple(card for hand in (*hands, dealer) for card in hand))


def deal(state: RoundState, hands: Sequence[Cards], dealer: Cards) -> RoundState:
    """Deal two cards to every player, the up-card to the dealer, and the hole card where there is one."""
    verify_deal(state, hands, dealer)
    seats = tuple(
        replace(
            seat,
            hands=(Hand(tuple(cards), seat.bet, has_finished=evaluate(cards).total == 21),),
        )
        for seat, cards in zip(state.seats, hands, strict=True)
    )
    cards = tuple(card for hand in (*hands, dealer) for card in hand)
    after = replace(state, seats=seats, dealer_cards=tuple(dealer))
    return resolved(after, Action(ActionKind.DEAL, cards=cards))


def verify_complete(state: RoundState, card: int | None = None) -> None:
    """Raise unless a hand from a split waits for its second card, and the card, if one is named, is there."""
    verify_phase(state, "complete a hand", Phase.PLAYERS)
    if len(hand_in_turn(state).cards) != 1:
        raise IllegalAction("cannot complete the hand: it has its second card already")
    if card is not None:
        state.verify_available((card,))


def complete(state: RoundState, card: int) -> RoundState:
    """Give a hand from a split its second card, when its turn has come."""
    verify_complete(state, card)
    turn = turn_of(state)
    return resolved(with_card(state, card), Action(ActionKind.COMPLETE, turn.seat, (card,)))


def with_card(state: RoundState, card: int, *, doubles: bool = False) -> RoundState:
    """Return the state with a card added to the hand in turn, which may finish it."""
    turn, hand = turn_of(state), hand_in_turn(state)
    held = replace(hand, cards=(*hand.cards, card))
    if doubles:
        is_free = is_free_double(state.rules, facts_of(state, turn))
        held = replace(held, doubles=hand.doubles + 1, is_doubled_free=is_free)
    after = state.with_hands(turn, held)
    return after.with_hands(turn, replace(held, has_finished=_is_finished(after, turn)))


def turn_of(state: RoundState) -> Turn:
    """Return whose turn it is, where the phase says that it is somebody's."""
    turn = state.turn
    assert turn is not None, "verified: this phase has a player to act"
    return turn


def hand_in_turn(state: RoundState) -> Hand:
    """Return the hand whose turn it is."""
    turn = turn_of(state)
    return state.seats[turn.seat].hands[turn.hand]


def verify_phase(state: RoundState, verb: str, *phases: Phase) -> None:
    """Raise an IllegalAction unless the round is in one of the phases."""
    if state.phase not in phases:
        raise IllegalAction(f"cannot {verb} now: {_WHAT_IS_DUE[state.phase]}")


def _is_finished(state: RoundState, turn: Turn) -> bool:
    """Tell whether a hand is done by itself: bust, 21, a charlie, or a split ace or doubled hand that can only stand."""
    value, hand = state.hand_value(*turn), state.seats[turn.seat].hands[turn.hand]
    if is_finished(state.rules, value.total, value.card_count, is_doubled=hand.is_doubled):
        return True
    return (hand.is_split_ace or hand.is_doubled) and not has_choice(state, turn)


_WHAT_IS_DUE = {
    Phase.DEAL: "the cards are not dealt yet",
    Phase.EARLY_SURRENDER: "a player decides whether to surrender or keep the hand",
    Phase.INSURANCE: "a player is asked about insurance",
    Phase.PEEK: "the dealer looks at the hole card first",
    Phase.PLAYERS: "a player is to act",
    Phase.DEALER: "the dealer is to draw or stand",
    Phase.SETTLEMENT: "the round is over",
}
