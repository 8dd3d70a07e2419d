"""Who pays whom: naturals, busts, equal totals, and hands that are paid at once.

Every result is from the player's side, in the same money as the stake.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

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


@dataclass(frozen=True, slots=True)
class Wager:
    """What lies on a hand.

    Attributes
    ----------
    stake, prize
        What it loses, and what it wins at even money: more than the stake where a part of it is a free bet.
    is_doubled
        Whether it is doubled: then it is no charlie.
    pays
        What its cards are paid, to one, where that is special: a bonus, or a natural of a suit.
    """

    stake: float = 1.0
    prize: float | None = None
    is_doubled: bool = False
    pays: Fraction | None = None

    @property
    def won(self) -> float:
        """What it wins at even money."""
        return float(self.stake if self.prize is None else self.prize)


ONE_BET = Wager()


def settle(
    player: HandValue, dealer: HandValue, rules: BlackjackRules, wager: Wager | float = ONE_BET
) -> Settlement:
    """Settle a player's final hand against the dealer's.

    Examples
    --------
    >>> from croupier.blackjack.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> natural, eighteen = evaluate(parse_cards("AS KH")), evaluate(parse_cards("TC 8D"))
    >>> settle(natural, eighteen, BlackjackRules(), 10)
    Settlement(units=15.0, outcome=<Outcome.NATURAL: 'natural'>)
    >>> settle(eighteen, natural, BlackjackRules())
    Settlement(units=-1.0, outcome=<Outcome.DEALER_NATURAL: 'dealer natural'>)
    """
    wager = wager if isinstance(wager, Wager) else Wager(wager)
    lost = -float(wager.stake)
    if player.is_bust:
        return Settlement(lost, Outcome.BUST)
    ended_at_deal = dealer.is_natural and rules.sees_natural_first
    at_once = None if ended_at_deal else settle_at_once(player, rules, wager)
    if at_once is not None:
        return at_once
    if player.is_natural and (rules.natural_always_wins or not dealer.is_natural):
        return _natural(rules, wager)
    if dealer.is_natural:
        return PUSH if player.is_natural else Settlement(lost, Outcome.DEALER_NATURAL)
    if rules.dealer_22_pushes and dealer.total == 22:
        return PUSH
    if dealer.is_bust:
        return Settlement(wager.won, Outcome.DEALER_BUST)
    if player.total == dealer.total and not rules.ties_lose:
        return PUSH
    won = player.total > dealer.total
    return Settlement(wager.won, Outcome.WIN) if won else Settlement(lost, Outcome.LOSS)


def settle_at_once(player: HandValue, rules: BlackjackRules, wager: Wager = ONE_BET) -> Settlement | None:
    """Settle a hand that is paid before the dealer plays: a charlie, a bonus, or a 21 where the rules say so.

    Where the dealer peeks, that is after the peek; elsewhere a later natural comes too late.

    >>> from croupier.blackjack.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> sevens = evaluate(parse_cards("7C 7D 7H"))
    >>> settle_at_once(sevens, BlackjackRules(twenty_one_pays_at_once=True))
    Settlement(units=1.0, outcome=<Outcome.TWENTY_ONE: '21 paid at once'>)
    >>> settle_at_once(sevens, BlackjackRules()) is None
    True
    """
    if player.is_natural:
        return _natural(rules, wager) if rules.twenty_one_pays_at_once else None
    if wager.pays is not None:
        return Settlement(_times(wager.won, wager.pays), Outcome.TWENTY_ONE)
    if rules.twenty_one_pays_at_once and player.total == 21:
        return Settlement(wager.won, Outcome.TWENTY_ONE)
    is_paid = is_charlie(player, rules) and not wager.is_doubled
    return Settlement(wager.won, Outcome.CHARLIE) if is_paid else None


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


def settle_rescue(stake: float) -> Settlement:
    """Take half of what lies on a doubled hand that is given up.

    >>> settle_rescue(20).units
    -10.0
    """
    return Settlement(-stake / 2, Outcome.SURRENDER)


def _natural(rules: BlackjackRules, wager: Wager) -> Settlement:
    return Settlement(_times(wager.won, wager.pays or rules.natural_fraction), Outcome.NATURAL)


def _times(units: float, ratio: Fraction) -> float:
    return units * ratio.numerator / ratio.denominator
