"""Settles a hand as soon as the facts on the table decide it.

Every operation ends here, so a hand is never settled in two places: a bust at once, a natural once the dealer
has none, everything else when the dealer is done. What has to wait for the dealer's second card at a table
without a peek waits here too.
"""

from dataclasses import replace

from croupier.blackjack.engine.settlement import (
    RETURNED,
    Outcome,
    Settlement,
    settle,
    settle_at_once,
    settle_rescue,
    settle_surrender,
)
from croupier.blackjack.engine.side_bets import settle_side_bets
from croupier.blackjack.engine.state import Action, RoundState, Seat, Turn


def resolved(state: RoundState, action: Action) -> RoundState:
    """Return the state with an action noted and every hand settled whose result it decides."""
    seats = tuple(_resolved_seat(state, number) for number in range(len(state.seats)))
    return replace(state, seats=seats).with_action(action)


def _resolved_seat(state: RoundState, number: int) -> Seat:
    seat = state.seats[number]
    hands = tuple(
        replace(hand, settlement=_settlement(state, Turn(number, place))) if hand.is_open else hand
        for place, hand in enumerate(seat.hands)
    )
    if not (seat.has_open_side_bet and state.up_card is not None):
        return replace(seat, hands=hands)
    # Side bets are about the deal; only two queens of hearts wait for news of a natural.
    first = state.history[0].cards[2 * number : 2 * number + 2] if state.history else seat.hands[0].cards
    natural = state.dealer_natural if state.rules.sees_natural_first else False
    settled = settle_side_bets(seat.side_bets, first, state.up_card, state.rules, dealer_natural=natural)
    return replace(seat, hands=hands, side_settlements=settled)


def _settlement(state: RoundState, turn: Turn) -> Settlement | None:
    hand = state.seats[turn.seat].hands[turn.hand]
    if hand.has_surrendered:
        return _surrender(state, turn)
    if state.dealer_natural is not True and not hand.has_finished:
        return None
    value, wager = state.hand_value(turn.seat, turn.hand), state.wager(turn)
    if not state.rules.sees_natural_first or state.dealer_natural is False:
        at_once = settle_at_once(value, state.rules, wager)
        if at_once is not None:
            return at_once
    if state.dealer_natural is True and _takes_original_bets_only(state) and not value.is_natural:
        return _original_bet(state, turn)
    if value.is_bust and state.dealer_natural is None and _takes_original_bets_only(state):
        # The dealer's natural would give the bets above the original one back, so they are not taken yet.
        waits = hand.is_doubled or hand.from_split
        return None if waits else settle(value, state.dealer_value, state.rules, wager)
    is_final = value.is_bust or state.dealer_natural is True or _dealer_has_finished(state)
    if is_final or (value.is_natural and state.dealer_natural is False):
        return settle(value, state.dealer_value, state.rules, wager)
    return None


def _surrender(state: RoundState, turn: Turn) -> Settlement | None:
    """Settle a hand that was given up: late and without a peek, it still loses to a dealer's natural what that takes."""
    hand = state.seats[turn.seat].hands[turn.hand]
    is_late = state.rules.surrender == "late" or hand.is_doubled
    if not is_late or state.dealer_natural is False:
        return settle_rescue(hand.stake) if hand.is_doubled else settle_surrender(state.rules, hand.bet)
    if not state.dealer_natural:
        return None
    if _takes_original_bets_only(state):
        return _original_bet(state, turn)
    return Settlement(-hand.stake, Outcome.DEALER_NATURAL)


def _original_bet(state: RoundState, turn: Turn) -> Settlement:
    """Take the original bet from the first hand that is still open and give the other bets back."""
    hands = state.seats[turn.seat].hands
    first_open = next(place for place, hand in enumerate(hands) if hand.is_open)
    if turn.hand != first_open:
        return RETURNED
    return Settlement(-state.seats[turn.seat].bet, Outcome.DEALER_NATURAL)


def _takes_original_bets_only(state: RoundState) -> bool:
    return state.rules.hole_card == "no-peek-original-bet"


def _dealer_has_finished(state: RoundState) -> bool:
    return state.dealer_has_stood or state.dealer_value.is_bust
