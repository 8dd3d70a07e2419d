"""Who pays whom: naturals, busts, equal totals, and hands that are paid at once.

Every result is from the player's side, in the same money as the stake.
"""

from dataclasses import dataclass
from enum import StrEnum

from croupier.blackjack.engine.hand import HandValue
from croupier.blackjack.engine.permissions import charlie_cards
from croupier.blackjack.engine.rules import BlackjackRules


class Outcome(StrEnum):
    """Why a hand ended as it did."""

    NATURAL = "natural"
    TWENTY_ONE = "21 paid at once"
    CHARLIE = "charlie"
    WIN = "win"
    DEALER_BUST = "dealer bust"
    PUSH = "push"
    RETURNED = "returned"
    SURRENDER = "surrender"
    LOSS = "loss"
    BUST = "bust"
    DEALER_NATURAL = "dealer natural"


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a hand won or lost, and the reason for it."""

    units: float
    outcome: Outcome


def settle(player: HandValue, dealer: HandValue, rules: BlackjackRules, stake: float = 1.0) -> Settlement:
    """Settle a player's final hand against the dealer's.

    Examples
    --------
    >>> from croupier.blackjack.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> natural, eighteen = evaluate(parse_cards("AS KH")), evaluate(parse_cards("TC 8D"))
    >>> settle(natural, eighteen, BlackjackRules(), stake=10)
    Settlement(units=15.0, outcome=<Outcome.NATURAL: 'natural'>)
    >>> settle(eighteen, natural, BlackjackRules())
    Settlement(units=-1.0, outcome=<Outcome.DEALER_NATURAL: 'dealer natural'>)
    """
    if player.is_bust:
        return Settlement(-float(stake), Outcome.BUST)
    ended_by_peek = dealer.is_natural and rules.hole_card == "peek"
    at_once = None if ended_by_peek else settle_at_once(player, rules, stake)
    if at_once is not None:
        return at_once
    if dealer.is_natural:
        return PUSH if player.is_natural else Settlement(-float(stake), Outcome.DEALER_NATURAL)
    if player.is_natural:
        return _natural(rules, stake)
    if rules.dealer_22_pushes and dealer.total == 22:
        return PUSH
    if dealer.is_bust:
        return Settlement(float(stake), Outcome.DEALER_BUST)
    if player.total == dealer.total:
        return PUSH
    won = player.total > dealer.total
    return Settlement(float(stake), Outcome.WIN) if won else Settlement(-float(stake), Outcome.LOSS)


def settle_at_once(player: HandValue, rules: BlackjackRules, stake: float = 1.0) -> Settlement | None:
    """Settle a hand that is paid before the dealer plays: a charlie, or a 21 where the rules say so.

    Where the dealer peeks, that is after the peek; elsewhere a later natural comes too late.

    >>> from croupier.blackjack.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> sevens = evaluate(parse_cards("7C 7D 7H"))
    >>> settle_at_once(sevens, BlackjackRules(twenty_one_pays_at_once=True))
    Settlement(units=1.0, outcome=<Outcome.TWENTY_ONE: '21 paid at once'>)
    >>> settle_at_once(sevens, BlackjackRules()) is None
    True
    """
    if rules.twenty_one_pays_at_once and player.total == 21:
        return _natural(rules, stake) if player.is_natural else Settlement(float(stake), Outcome.TWENTY_ONE)
    return Settlement(float(stake), Outcome.CHARLIE) if is_charlie(player, rules) else None


def is_charlie(player: HandValue, rules: BlackjackRules) -> bool:
    """Tell whether a hand wins by its number of cards.

    >>> is_charlie(HandValue(19, False, 5), BlackjackRules(charlie=5))
    True
    """
    return player.card_count >= charlie_cards(rules) and not player.is_bust


def settle_surrender(rules: BlackjackRules, bet: float) -> Settlement:
    """Take the part of a bet that a surrender costs.

    >>> settle_surrender(BlackjackRules(), 10).units, settle_surrender(BlackjackRules(surrender_returns="1/4"), 10).units
    (-5.0, -7.5)
    """
    loss = rules.surrender_loss
    return Settlement(-bet * loss.numerator / loss.denominator, Outcome.SURRENDER)


PUSH = Settlement(0.0, Outcome.PUSH)

#: A bet above the original one, where a dealer's natural takes the original bet only.
RETURNED = Settlement(0.0, Outcome.RETURNED)


def _natural(rules: BlackjackRules, stake: float) -> Settlement:
    pays = rules.natural_fraction
    return Settlement(stake * pays.numerator / pays.denominator, Outcome.NATURAL)
