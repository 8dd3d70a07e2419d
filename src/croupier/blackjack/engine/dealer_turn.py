"""The dealer's part, which leaves no choice: look at the hole card, draw, stand.

Operations come in pairs, as in :mod:`~croupier.blackjack.engine.dealing`.
"""

from dataclasses import replace

from croupier.blackjack.engine.dealing import verify_phase
from croupier.blackjack.engine.hand import HandValue
from croupier.blackjack.engine.permissions import dealer_draws
from croupier.blackjack.engine.resolution import resolved
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.state import Action, ActionKind, Phase, RoundState
from croupier.cards.seat_action import IllegalAction


def dealer_must_draw(value: HandValue, rules: BlackjackRules) -> bool:
    """Tell whether the dealer draws on a hand: below 17, and on a soft 17 where the rules say so.

    >>> soft_17 = HandValue(17, True, 2)
    >>> dealer_must_draw(soft_17, BlackjackRules()), dealer_must_draw(soft_17, BlackjackRules(soft17="hit"))
    (False, True)
    """
    return value.card_count == 1 or dealer_draws(rules, value.total, value.is_soft)


def verify_peek(state: RoundState) -> None:
    """Raise unless the dealer is to look at the hole card."""
    verify_phase(state, "look at the hole card", Phase.PEEK)


def peek(state: RoundState) -> RoundState:
    """Look for a natural: if there is one, the round ends and takes the original bets only."""
    verify_peek(state)
    return resolved(replace(state, has_peeked=True), Action(ActionKind.PEEK))


def verify_draw(state: RoundState, card: int | None = None) -> None:
    """Raise unless the dealer has to draw and the card, if one is named, is there."""
    verify_phase(state, "draw", Phase.DEALER)
    if not dealer_must_draw(state.dealer_value, state.rules):
        raise IllegalAction(f"cannot draw: the dealer stands on {state.dealer_value}")
    if card is not None:
        state.verify_available((card,))


def draw(state: RoundState, card: int) -> RoundState:
    """Give the dealer a card. A natural or a bust settles everybody at once."""
    verify_draw(state, card)
    after = replace(state, dealer_cards=(*state.dealer_cards, card))
    return resolved(after, Action(ActionKind.DRAW, cards=(card,)))


def verify_dealer_stand(state: RoundState) -> None:
    """Raise unless the dealer's hand is final."""
    verify_phase(state, "stand as the dealer", Phase.DEALER)
    if dealer_must_draw(state.dealer_value, state.rules):
        raise IllegalAction(f"the dealer cannot stand on {state.dealer_value}: the dealer must draw")


def dealer_stand(state: RoundState) -> RoundState:
    """End the round: every hand that is still in is compared with the dealer's."""
    verify_dealer_stand(state)
    return resolved(replace(state, dealer_has_stood=True), Action(ActionKind.DEALER_STAND))
