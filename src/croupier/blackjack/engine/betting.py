"""The one way a round begins: bets within the limits, then an empty table.

Operations come in pairs: ``verify_x`` raises and says why, ``x`` does it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.side_bets import NO_SIDE_BETS, SIDE_BETS, SideBets
from croupier.blackjack.engine.state import RoundState, Seat
from croupier.errors import InputError
from croupier.texts import say

MAX_SEATS = 7


def verify_bet(rules: BlackjackRules, amount: float) -> None:
    """Raise unless a bet is within the limits of the table.

    >>> verify_bet(BlackjackRules(), 2000)
    Traceback (most recent call last):
    croupier.errors.InputError: a bet of 2000; this table takes 1 to 1000
    """
    _verify_number("a bet", amount)
    if not rules.minimum_bet <= amount <= rules.maximum_bet:
        raise InputError(
            say("blackjack.refused.bet", amount=amount, least=rules.minimum_bet, most=rules.maximum_bet)
        )


def verify_side_bets(rules: BlackjackRules, side_bets: SideBets) -> None:
    """Raise unless each side bet is nothing, or something up to the largest bet.

    >>> verify_side_bets(BlackjackRules(), SideBets(perfect_pairs=-1))
    Traceback (most recent call last):
    croupier.errors.InputError: perfect pairs: a side bet of −1; this table takes 0 (no bet) to 1000
    """
    amounts = side_bets.amounts
    for side_bet in SIDE_BETS:
        amount = amounts[side_bet.key]
        _verify_number(f"{side_bet.name}: a side bet", amount)
        if not 0 <= amount <= rules.maximum_bet:
            bet = say(f"blackjack.side.{side_bet.key}")
            raise InputError(
                say("blackjack.refused.side_bet", bet=bet, amount=amount, most=rules.maximum_bet)
            )


def verify_start_round(
    rules: BlackjackRules, bets: Sequence[float], side_bets: Sequence[SideBets] = ()
) -> None:
    """Raise unless one to seven players make bets that the table takes."""
    if not 1 <= len(bets) <= MAX_SEATS:
        raise InputError(f"{len(bets)} bets; a table seats 1 to {MAX_SEATS} players, a bet each")
    if side_bets and len(side_bets) != len(bets):
        raise InputError(
            f"side bets for {len(side_bets)} players, but {len(bets)} play; give each player side bets, or none at all"
        )
    for seat, amount in enumerate(bets):
        with _blaming_player(seat):
            verify_bet(rules, amount)
    for seat, side in enumerate(side_bets):
        with _blaming_player(seat):
            verify_side_bets(rules, side)


def start_round(
    rules: BlackjackRules, bets: Sequence[float], side_bets: Sequence[SideBets] = ()
) -> RoundState:
    """Seat a player a bet, and wait for the deal. Every round begins here.

    Examples
    --------
    >>> state = start_round(BlackjackRules(), bets=[10, 25])
    >>> state.phase, [seat.bet for seat in state.seats]
    (<Phase.DEAL: 'deal'>, [10.0, 25.0])
    >>> start_round(BlackjackRules(), bets=[10, 0.5])
    Traceback (most recent call last):
    croupier.errors.InputError: player 2: a bet of 0.5; this table takes 1 to 1000
    """
    verify_start_round(rules, bets, side_bets)
    sides = side_bets or (NO_SIDE_BETS,) * len(bets)
    return RoundState(
        rules,
        tuple(Seat(float(bet), _as_floats(side)) for bet, side in zip(bets, sides, strict=True)),
    )


def _as_floats(side_bets: SideBets) -> SideBets:
    if side_bets == NO_SIDE_BETS:
        return NO_SIDE_BETS
    return SideBets(**{key: float(amount) for key, amount in side_bets.amounts.items()})


def _verify_number(what: str, amount: object) -> None:
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise InputError(f"{what} of {amount!r}; a bet is a number")


@contextmanager
def _blaming_player(seat: int) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(say("blackjack.refused.player", number=seat + 1, error=error.said)) from None
