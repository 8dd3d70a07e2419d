"""Who pays whom, as compiled code: each hand is settled as soon as the cards on the table decide it."""

from croupier.blackjack.engine.moves import SURRENDER
from croupier.blackjack.simulation.round_terms import (
    BET,
    BETS,
    BUST,
    BUST_WAITS,
    CHARLIE,
    DEALER_BUST,
    DEALER_NATURAL,
    GIVEN_UP,
    LIVE,
    LOSS,
    NATURAL,
    NATURAL_WAITS,
    PREMIUM,
    PUSH,
    RESULT,
    RETURNED,
    SEAT,
    SETTLED,
    SOFT,
    STAKED,
    STATUS,
    SURRENDER_WAITS,
    TOTAL,
    TWENTY_ONE,
    WIN,
    Integers,
    Terms,
)
from croupier.numerics.compiled import inlined_lean


@inlined_lean
def settle(seats: Integers, outcomes: Integers, seat: int, outcome: int, units: int) -> None:
    """Add a hand's result to its seat and to the counts of outcomes."""
    seats[seat, RESULT] += units
    outcomes[outcome, 0] += 1
    outcomes[outcome, 1] += units


@inlined_lean
def dealt_status(
    seats: Integers, outcomes: Integers, seat: int, hand: int, is_decided: bool, terms: Terms
) -> int:
    """Pay a two-card 21 if the deal already decides it; return the status of the hand."""
    if hand != 21 + SOFT or not (terms.natural_beats_21 or terms.pays_21):
        return LIVE
    outcome, units = NATURAL, seats[seat, BET] * terms.natural_pays
    if not terms.natural_beats_21:
        outcome, units = TWENTY_ONE, seats[seat, BET] * terms.scale
    elif not is_decided and (terms.peeks or not terms.pays_21):
        return NATURAL_WAITS
    settle(seats, outcomes, seat, outcome, units)
    return SETTLED


@inlined_lean
def played_status(
    seats: Integers, outcomes: Integers, seat: int, move: int, hand: int, card_count: int, bets: int,
    from_split: bool, is_decided: bool, terms: Terms,
) -> int:  # fmt: skip
    """Settle a hand that does not need the dealer's cards; some must wait to learn whether the dealer has a natural."""
    total = hand & (SOFT - 1)
    units = bets * seats[seat, BET] * terms.scale
    outcome = CHARLIE
    if move == SURRENDER:
        if not is_decided and terms.surrenders_late:
            return SURRENDER_WAITS
        outcome, units = GIVEN_UP, -seats[seat, BET] * terms.surrender_costs
    elif total > 21:
        if not is_decided and terms.takes_original_bet_only and (bets == 2 or from_split):
            return BUST_WAITS
        outcome, units = BUST, -units
    elif total == 21 and terms.pays_21:
        outcome = TWENTY_ONE
    elif card_count < terms.charlie:
        return LIVE
    settle(seats, outcomes, seat, outcome, units)
    return SETTLED


@inlined_lean
def lose_to_natural(
    seats: Integers, hands: Integers, hand_count: int, outcomes: Integers, terms: Terms
) -> None:
    """Settle open hands against a dealer's natural, which takes all bets of a seat or only the first open one."""
    robbed = -1
    for place in range(hand_count):
        seat, status = hands[place, SEAT], hands[place, STATUS]
        outcome, units = PUSH, 0
        if status != NATURAL_WAITS and robbed == seat:
            outcome = RETURNED
        elif status != NATURAL_WAITS:
            bets = 1 if terms.takes_original_bet_only else hands[place, BETS]
            outcome, units = DEALER_NATURAL, -bets * seats[seat, BET] * terms.scale
        if status != SETTLED:
            settle(seats, outcomes, seat, outcome, units)
            robbed = seat if terms.takes_original_bet_only else robbed


@inlined_lean
def hear_of_no_natural(
    seats: Integers, hands: Integers, hand_count: int, outcomes: Integers, terms: Terms
) -> bool:
    """Settle the hands that only waited to learn of a natural; return whether any hand is left to play against."""
    is_live = False
    for place in range(hand_count):
        seat, status = hands[place, SEAT], hands[place, STATUS]
        is_live = is_live or status == LIVE
        if status > LIVE:
            outcome, units = BUST, -hands[place, BETS] * seats[seat, BET] * terms.scale
            if status == NATURAL_WAITS:
                outcome, units = NATURAL, seats[seat, BET] * terms.natural_pays
            elif status == SURRENDER_WAITS:
                outcome, units = GIVEN_UP, -seats[seat, BET] * terms.surrender_costs
            settle(seats, outcomes, seat, outcome, units)
    return is_live


@inlined_lean
def compare(
    dealer_total: int, seats: Integers, hands: Integers, hand_count: int, outcomes: Integers, terms: Terms
) -> None:
    """Settle every hand that is left against the dealer's total."""
    for place in range(hand_count):
        if hands[place, STATUS] == LIVE:
            seat, lead = hands[place, SEAT], hands[place, TOTAL] - dealer_total
            units = hands[place, BETS] * seats[seat, BET] * terms.scale
            outcome = DEALER_BUST
            if terms.pushes_22 and dealer_total == 22:
                outcome, units = PUSH, 0
            elif dealer_total <= 21:
                outcome = WIN if lead > 0 else (PUSH if lead == 0 else LOSS)
                units = units if lead > 0 else (0 if lead == 0 else -units)
            settle(seats, outcomes, seat, outcome, units)


@inlined_lean
def is_waited_for(seats: Integers, hands: Integers, hand_count: int, seat_count: int) -> bool:
    """Tell whether a hand or an insurance still waits for the dealer."""
    waits = False
    for place in range(hand_count):
        waits = waits or hands[place, STATUS] != SETTLED
    for seat in range(seat_count):
        waits = waits or seats[seat, PREMIUM] > 0
    return waits


@inlined_lean
def record_hand(hands: Integers, place: int, seat: int, bets: int, total: int, status: int) -> None:
    """Record a hand that has been played."""
    hands[place, SEAT] = seat
    hands[place, BETS] = bets
    hands[place, TOTAL] = total
    hands[place, STATUS] = status


@inlined_lean
def settle_insurance(seats: Integers, is_natural: bool, seat_count: int) -> None:
    """Pay insurance 2 to 1 or take it, once it is known whether the dealer has a natural."""
    for seat in range(seat_count):
        premium = seats[seat, PREMIUM]
        seats[seat, RESULT] += 2 * premium if is_natural else -premium
        seats[seat, STAKED] += premium
