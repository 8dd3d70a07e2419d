"""Insurance against a dealer's ace: half the bet, paid 2 to 1. On a natural it is what tables call even money.

Operations come in pairs, as in :mod:`~croupier.blackjack.engine.dealing`.
"""

from dataclasses import replace

from croupier.blackjack.engine.dealing import turn_of, verify_phase
from croupier.blackjack.engine.resolution import resolved
from croupier.blackjack.engine.state import Action, ActionKind, Phase, RoundState


def verify_insure(state: RoundState) -> None:
    """Raise unless a player is asked about insurance."""
    verify_phase(state, "insure", Phase.INSURANCE)


def insure(state: RoundState) -> RoundState:
    """Put half the bet on a dealer's natural.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules, deal, insure, peek, start_round
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 9C")], parse_cards("AC KD"))
    >>> peek(insure(state)).results
    (0.0,)
    """
    verify_insure(state)
    return _answered(state, ActionKind.INSURE, premium=state.seats[turn_of(state).seat].bet / 2)


def verify_decline(state: RoundState) -> None:
    """Raise unless a player is asked about insurance."""
    verify_phase(state, "decline insurance", Phase.INSURANCE)


def decline(state: RoundState) -> RoundState:
    """Take no insurance."""
    verify_decline(state)
    return _answered(state, ActionKind.DECLINE, premium=0.0)


def _answered(state: RoundState, kind: ActionKind, premium: float) -> RoundState:
    number = turn_of(state).seat
    after = state.with_seat(number, replace(state.seats[number], insurance=premium))
    return resolved(after, Action(kind, number))
