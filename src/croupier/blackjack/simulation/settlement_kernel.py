"""Who pays whom, as compiled code: each hand is settled as soon as the cards on the table decide it."""

from croupier.blackjack.engine.bonuses import DIAMONDS, SPADES
from croupier.blackjack.engine.moves import SURRENDER
from croupier.blackjack.simulation.round_terms import (
    BET,
    BETS,
    BUST,
    BUST_WAITS,
    CHARLIE,
    DEALER_BUST,
    DEALER_NATURAL,
    FIRST,
    GIVEN_UP,
    LIVE,
    LOSS,
    NATURAL,
    NATURAL_WAITS,
    PREMIUM,
    PUSH,
    RESULT,
    RETURNED,
    RISK,
    SEAT,
    SECOND,
    SETTLED,
    SOFT,
    SPANISH_21,
    STAKED,
    STATUS,
    SUPER_FUN_21,
    SURRENDER_WAITS,
    TOTAL,
    TWENTY_ONE,
    WIN,
    Integers,
    Terms,
)
from croupier.blackjack.simulation.shoe_kernel import POINT_MASK
from croupier.numerics.compiled import called_lean, inlined_lean

#: Where the marks of suits begin, and the marks of the ranks that Spanish 21 pays more for.
_SUIT_MARKS = 16
_SIX_SEVEN_EIGHT, _SEVENS = 0b1110000, 0b100000


@inlined_lean
def settle(seats: Integers, outcomes: Integers, seat: int, outcome: int, units: int) -> None:
    """Add a hand's result to its seat and to the counts of outcomes."""
    seats[seat, RESULT] += units
    outcomes[outcome, 0] += 1
    outcomes[outcome, 1] += units


@inlined_lean
def natural_units(seats: Integers, seat: int, terms: Terms) -> int:
    """Return what a natural of a seat is paid."""
    if terms.bonus == SUPER_FUN_21:
        suits = (seats[seat, FIRST] >> 4 & 3, seats[seat, SECOND] >> 4 & 3)
        if suits == (DIAMONDS, DIAMONDS):
            return int(2 * seats[seat, BET] * terms.scale)
    return int(seats[seat, BET] * terms.natural_pays)


@inlined_lean
def mark_of(card: int) -> int:
    """Return a card as one mark for its point class and one for its suit; the marks of a hand are put together."""
    return int(1 << (card & POINT_MASK) | 1 << (_SUIT_MARKS + (card >> 4 & 3)))


@called_lean
def bonus_halves(total: int, card_count: int, marks: int, bonus: int) -> int:
    """Return what a hand of 21 that is not doubled is paid as a bonus, in halves of the bet; 0 if it is none."""
    if total != 21 or card_count < 3:
        return 0
    if card_count >= 5:
        if bonus == SUPER_FUN_21:
            return 4
        return 3 if card_count == 5 else (4 if card_count == 6 else 6)
    points = marks & ((1 << _SUIT_MARKS) - 1)
    if bonus == SPANISH_21 and card_count == 3 and points in (_SIX_SEVEN_EIGHT, _SEVENS):
        suits = marks >> _SUIT_MARKS
        if suits == 1 << SPADES:
            return 6
        return 4 if suits & (suits - 1) == 0 else 3
    return 0


@inlined_lean
def dealt_status(
    seats: Integers, outcomes: Integers, seat: int, hand: int, is_decided: bool, terms: Terms
) -> int:
    """Pay a two-card 21 if the deal already decides it; return the status of the hand."""
    if hand != 21 + SOFT or not (terms.natural_beats_21 or terms.pays_21):
        return LIVE
    outcome, units = NATURAL, natural_units(seats, seat, terms)
    if not terms.natural_beats_21:
        outcome, units = TWENTY_ONE, seats[seat, BET] * terms.scale
    elif not is_decided and (terms.peeks or not terms.pays_21):
        return NATURAL_WAITS
    settle(seats, outcomes, seat, outcome, units)
    return SETTLED


@inlined_lean
def played_status(
    seats: Integers, outcomes: Integers, seat: int, move: int, hand: int, card_count: int, bets: int, risk: int,
    bonus: int, from_split: bool, is_decided: bool, terms: Terms,
) -> int:  # fmt: skip
    """Settle a hand that does not need the dealer's cards; some must wait to learn whether the dealer has a natural.

    Of its bets, ``risk`` are the player's; ``bonus`` is what a 21 of its cards is paid in halves of the bet, 0 if that is nothing special.
    """
    total = hand & (SOFT - 1)
    units = bets * seats[seat, BET] * terms.scale
    outcome = CHARLIE
    if move == SURRENDER:
        if not is_decided and (terms.surrenders_late or bets > 1):
            return SURRENDER_WAITS
        outcome, units = GIVEN_UP, given_up_units(seats, seat, bets, risk, terms)
    elif total > 21:
        if not is_decided and terms.takes_original_bet_only and (bets > 1 or from_split):
            return BUST_WAITS
        outcome, units = BUST, -risk * seats[seat, BET] * terms.scale
    elif bonus > 0:
        outcome, units = TWENTY_ONE, bonus * seats[seat, BET] * terms.scale // 2
    elif total == 21 and terms.pays_21:
        outcome = TWENTY_ONE
    elif card_count < terms.charlie or bets > 1:
        return LIVE
    settle(seats, outcomes, seat, outcome, units)
    return SETTLED


@inlined_lean
def given_up_units(seats: Integers, seat: int, bets: int, risk: int, terms: Terms) -> int:
    """Return what giving up a hand wins: of a doubled one, half of what lies on it is lost."""
    if bets > 1:
        return int(-(risk * seats[seat, BET] * terms.scale // 2))
    return int(-seats[seat, BET] * terms.surrender_costs)


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
            bets = 1 if terms.takes_original_bet_only else hands[place, RISK]
            outcome, units = DEALER_NATURAL, -bets * seats[seat, BET] * terms.scale
        elif terms.natural_always_wins:
            outcome, units = NATURAL, natural_units(seats, seat, terms)
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
            bets, risk = hands[place, BETS], hands[place, RISK]
            outcome, units = BUST, -risk * seats[seat, BET] * terms.scale
            if status == NATURAL_WAITS:
                outcome, units = NATURAL, natural_units(seats, seat, terms)
            elif status == SURRENDER_WAITS:
                outcome, units = GIVEN_UP, given_up_units(seats, seat, bets, risk, terms)
            settle(seats, outcomes, seat, outcome, units)
    return is_live


@inlined_lean
def compare(
    dealer_total: int, seats: Integers, hands: Integers, hand_count: int, outcomes: Integers, terms: Terms
) -> None:
    """Settle every hand that is left against the dealer's total."""
    for place in range(hand_count):
        if hands[place, STATUS] == LIVE:
            # Half a point decides ties where they lose.
            seat, lead = hands[place, SEAT], 2 * (hands[place, TOTAL] - dealer_total) - terms.ties_lose
            outcome, bets, risk = DEALER_BUST, hands[place, BETS], hands[place, RISK]
            if terms.pushes_22 and dealer_total == 22:
                outcome, bets = PUSH, 0
            elif dealer_total <= 21:
                outcome = WIN if lead > 0 else (PUSH if lead == 0 else LOSS)
                bets = bets if lead > 0 else (0 if lead == 0 else -risk)
            settle(seats, outcomes, seat, outcome, bets * seats[seat, BET] * terms.scale)


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
def record_hand(
    hands: Integers, place: int, seat: int, bets: int, risk: int, total: int, status: int
) -> None:
    """Record a hand that has been played."""
    hands[place, SEAT] = seat
    hands[place, BETS] = bets
    hands[place, RISK] = risk
    hands[place, TOTAL] = total
    hands[place, STATUS] = status


@inlined_lean
def settle_insurance(seats: Integers, is_natural: bool, seat_count: int) -> None:
    """Pay insurance 2 to 1 or take it, once it is known whether the dealer has a natural."""
    for seat in range(seat_count):
        premium = seats[seat, PREMIUM]
        seats[seat, RESULT] += 2 * premium if is_natural else -premium
        seats[seat, STAKED] += premium
