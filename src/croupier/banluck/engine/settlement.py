"""Who pays whom: hierarchy of hands, forfeits, busts and pushes.

Every result is in units of the player's bet, from the player's side.
"""

from dataclasses import dataclass
from enum import StrEnum

from croupier.banluck.engine.hand import HandClass, HandValue
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules


class Outcome(StrEnum):
    """Why a hand ended as it did."""

    VOID = "void"
    BAN = "ban"
    BUST = "bust"
    BOTH_BUST = "both bust"
    FORFEIT = "forfeit"
    DEALER_BUST = "dealer bust"
    WIN = "win"
    LOSS = "loss"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Settlement:
    """A player's result in units, and the reason for it."""

    units: float
    outcome: Outcome


VOID = Settlement(0.0, Outcome.VOID)


def multiple(hand_class: HandClass, rules: BanluckRules) -> float:
    """Return what a winning hand of this class is paid, to one.

    >>> multiple(HandClass.TRIPLE_SEVEN, BanluckRules())
    7.0
    """
    match hand_class:
        case HandClass.BAN_BAN:
            return rules.pays_ban_ban
        case HandClass.BAN_LUCK:
            return rules.pays_ban_luck
        case HandClass.TRIPLE_SEVEN:
            return rules.pays_777
        case HandClass.FIVE_CARD_21:
            return rules.pays_five_card_21
        case HandClass.FIVE_CARD:
            return rules.pays_five_card
        case _:
            return 1.0


def forfeits(player: HandValue, rules: BanluckRules) -> bool:
    """Tell whether a player who ends with this hand has lost whatever the dealer does.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> forfeits(evaluate(parse_cards("TC 5D"), BanluckRules()), BanluckRules())
    True
    """
    if player.is_bust or player.is_ban or player.total >= rules.player_minimum:
        return False
    return player.card_count < MAX_CARDS or rules.five_card_below_minimum == "forfeit"


def settle_bust(player: HandValue, rules: BanluckRules) -> Settlement:
    """Settle a player's bust without looking at the dealer.

    >>> settle_bust(HandValue(HandClass.BUST, 25, 3, False), BanluckRules())
    Settlement(units=-1.0, outcome=<Outcome.BUST: 'bust'>)
    """
    price = rules.five_card_bust_player if player.card_count == MAX_CARDS else 1
    return Settlement(-float(price), Outcome.BUST)


def settle(player: HandValue, dealer: HandValue, rules: BanluckRules) -> Settlement:
    """Settle a player's final hand against the dealer's.

    Examples
    --------
    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> sevens, tens = evaluate(parse_cards("7C 7D 7H"), rules), evaluate(parse_cards("JC JD AH"), rules)
    >>> settle(sevens, tens, rules).units
    7.0
    """
    if player.is_ban or dealer.is_ban:
        return _compare(player, dealer, rules)
    if player.is_bust:
        if rules.both_bust == "player_loses":
            return settle_bust(player, rules)
        if dealer.is_bust:
            return Settlement(0.0, Outcome.BOTH_BUST)
        price = max(-settle_bust(player, rules).units, _dealer_collects(dealer, rules))
        return Settlement(-price, Outcome.BUST)
    if forfeits(player, rules):
        both_five = player.is_five_card and dealer.is_five_card
        return Settlement(-1.0 if both_five else -_dealer_collects(dealer, rules), Outcome.FORFEIT)
    if dealer.is_bust:
        own = multiple(player.hand_class, rules)
        on_fifth_card = dealer.card_count == MAX_CARDS
        return Settlement(
            max(own, rules.five_card_bust_dealer) if on_fifth_card else own, Outcome.DEALER_BUST
        )
    return _compare(player, dealer, rules)


def _compare(player: HandValue, dealer: HandValue, rules: BanluckRules) -> Settlement:
    """Compare two hands that are both in: class before total, five against five by total alone."""
    if player.is_five_card and dealer.is_five_card:
        if rules.five_card_mirror == "push" or player.total == dealer.total:
            return Settlement(0.0, Outcome.PUSH)
        won = player.total > dealer.total
        return Settlement(1.0, Outcome.WIN) if won else Settlement(-1.0, Outcome.LOSS)
    player_rank, dealer_rank = _rank(player), _rank(dealer)
    if player_rank == dealer_rank:
        return Settlement(0.0, Outcome.PUSH)
    if player_rank > dealer_rank:
        return Settlement(multiple(player.hand_class, rules), Outcome.BAN if player.is_ban else Outcome.WIN)
    return Settlement(-_dealer_collects(dealer, rules), Outcome.BAN if dealer.is_ban else Outcome.LOSS)


def _rank(hand: HandValue) -> tuple[HandClass, int]:
    """Where a hand stands in the hierarchy; a Ban hand counts by its class, whatever its aces make of it."""
    return (hand.hand_class, 0 if hand.is_ban else hand.total)


def _dealer_collects(dealer: HandValue, rules: BanluckRules) -> float:
    return multiple(dealer.hand_class, rules) if rules.dealer_collects_multiples else 1.0
