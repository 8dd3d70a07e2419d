"""The opening of a hand: the deal, the dealer's surrender, and the Ban hands.

Operations come in pairs: ``verify_x`` raises and says why, ``x`` does it.
"""

from collections.abc import Sequence
from dataclasses import replace

from croupier.banluck.engine.rules import MIN_CARDS
from croupier.banluck.engine.settlement import VOID
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase
from croupier.cards import CardError
from croupier.cards.seat_action import IllegalAction

Cards = tuple[int, ...]


def verify_deal(state: GameState, hands: Sequence[Cards], dealer: Cards) -> None:
    """Raise unless these are two new cards for every player and for the dealer."""
    verify_phase(state, "deal", Phase.DEAL)
    if len(hands) != len(state.seats):
        raise IllegalAction(f"cannot deal {len(hands)} hands: {len(state.seats)} players are seated")
    for hand in (*hands, dealer):
        if len(hand) != MIN_CARDS:
            raise CardError(f"cannot deal {len(hand)} cards: everybody gets {MIN_CARDS}")
    state.verify_undealt(tuple(card for hand in (*hands, dealer) for card in hand))


def deal(state: GameState, hands: Sequence[Cards], dealer: Cards) -> GameState:
    """Deal two cards to every player and to the dealer."""
    verify_deal(state, hands, dealer)
    seats = tuple(replace(seat, cards=tuple(hand)) for seat, hand in zip(state.seats, hands, strict=True))
    cards = tuple(card for hand in (*hands, dealer) for card in hand)
    return replace(state, seats=seats, dealer_cards=tuple(dealer)).with_action(
        Action(ActionKind.DEAL, cards=cards)
    )


def verify_surrender(state: GameState) -> None:
    """Raise unless the dealer holds a hard 15 and may still void the hand."""
    verify_phase(state, "surrender", Phase.SURRENDER)


def surrender(state: GameState) -> GameState:
    """Void the hand for everybody: all bets are returned."""
    verify_surrender(state)
    seats = tuple(replace(seat, settlement=VOID) for seat in state.seats)
    return replace(state, seats=seats).with_action(Action(ActionKind.SURRENDER))


def verify_keep(state: GameState) -> None:
    """Raise unless the dealer has a hard 15 to decide about."""
    verify_phase(state, "keep the hand", Phase.SURRENDER)


def keep(state: GameState) -> GameState:
    """Play the hard 15 on."""
    verify_keep(state)
    kept = replace(state, surrender_declined=True).with_action(Action(ActionKind.KEEP))
    return _settle_specials(kept) if kept.specials_shown else kept


def verify_show(state: GameState) -> None:
    """Raise unless somebody holds a Ban hand that is still to be shown."""
    verify_phase(state, "show a Ban hand", Phase.SPECIALS)


def show(state: GameState) -> GameState:
    """Show every Ban hand, and settle them unless the dealer may still surrender."""
    verify_show(state)
    shown = replace(state, specials_shown=True).with_action(Action(ActionKind.SHOW))
    return shown if shown.phase is Phase.SURRENDER else _settle_specials(shown)


def verify_phase(state: GameState, verb: str, *phases: Phase) -> None:
    """Raise an IllegalAction unless the hand is in one of the phases."""
    if state.phase not in phases:
        raise IllegalAction(f"cannot {verb} now: {_WHAT_IS_DUE[state.phase]}")


def _settle_specials(state: GameState) -> GameState:
    """Settle everybody against a dealer's Ban hand, else the players who hold one."""
    if state.dealer_value.is_ban:
        return state.settled(state.closed_seats)
    return state.settled(tuple(seat for seat in state.closed_seats if state.hand_value(seat).is_ban))


_WHAT_IS_DUE = {
    Phase.DEAL: "the cards are not dealt yet",
    Phase.SURRENDER: "the dealer holds a hard 15 and decides whether to surrender or keep it",
    Phase.SPECIALS: "Ban hands are shown first",
    Phase.PLAYER: "a player is to hit or stand",
    Phase.REVEAL: "the dealer decides whom to open",
    Phase.DEALER: "the dealer is to draw or stand",
    Phase.SETTLEMENT: "the hand is over",
}
