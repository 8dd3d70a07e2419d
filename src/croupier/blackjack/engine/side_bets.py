"""Side bets on the first cards: perfect pairs and 21+3. They are settled as soon as the cards are dealt."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cards import ACE, CardError, rank_of, suit_of


class PairKind(StrEnum):
    """What perfect pairs pays for, best first."""

    PERFECT = "perfect pair"
    COLOURED = "coloured pair"
    MIXED = "mixed pair"


class PokerKind(StrEnum):
    """What 21+3 pays for, best first."""

    SUITED_TRIPS = "suited trips"
    STRAIGHT_FLUSH = "straight flush"
    TRIPS = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"


@dataclass(frozen=True, slots=True)
class SideBets:
    """What a player puts on the side bets; 0 is no bet."""

    perfect_pairs: float = 0.0
    twenty_one_plus_three: float = 0.0

    @property
    def total(self) -> float:
        """Both bets together."""
        return self.perfect_pairs + self.twenty_one_plus_three


NO_SIDE_BETS = SideBets()

#: What each side bet is called in JSON, as among the rules. Up to 0.1 only its name was written, which stays beside it.
JSON_KEYS = {"perfect pairs": "perfect_pairs", "21+3": "twenty_one_plus_three"}


@dataclass(frozen=True, slots=True)
class SideSettlement:
    """What a side bet won or lost, and what the cards made; no kind means nothing that pays."""

    name: str
    kind: PairKind | PokerKind | None
    units: float


def classify_pair(cards: Sequence[int]) -> PairKind | None:
    """Tell which pair two cards make: of one suit (from two packs), of one colour, or of one rank only.

    Examples
    --------
    >>> from croupier.cards import parse_card
    >>> [classify_pair([parse_card("8H"), parse_card(other)]).value for other in ("8H", "8D", "8S")]
    ['perfect pair', 'coloured pair', 'mixed pair']
    """
    if len(cards) != 2:
        raise CardError(f"perfect pairs on {len(cards)} cards; it is a bet on a player's first two")
    first, second = cards
    if rank_of(first) != rank_of(second):
        return None
    if first == second:
        return PairKind.PERFECT
    return PairKind.COLOURED if _is_red(first) == _is_red(second) else PairKind.MIXED


def classify_poker(cards: Sequence[int]) -> PokerKind | None:
    """Tell which poker hand three cards make; an ace ends a straight at either side: A-2-3 and Q-K-A.

    Examples
    --------
    >>> from croupier.cards import parse_cards
    >>> [str(classify_poker(parse_cards(text))) for text in ("AC 2C 3C", "QC KD AH", "KC AD 2H")]
    ['straight flush', 'straight', 'None']
    """
    if len(cards) != 3:
        raise CardError(
            f"21+3 on {len(cards)} cards; it is a bet on a player's first two and the dealer's up-card"
        )
    low, middle, high = sorted(rank_of(card) for card in cards)
    is_flush = len({suit_of(card) for card in cards}) == 1
    if low == high:
        return PokerKind.SUITED_TRIPS if is_flush else PokerKind.TRIPS
    is_straight = (low + 1, low + 2) == (middle, high) or (low, middle, high) == (0, 1, ACE)
    if is_straight:
        return PokerKind.STRAIGHT_FLUSH if is_flush else PokerKind.STRAIGHT
    return PokerKind.FLUSH if is_flush else None


def prize(kind: PairKind | PokerKind | None, rules: BlackjackRules) -> int:
    """Return what a kind pays to one; 0 means that the bet is lost.

    >>> prize(PokerKind.STRAIGHT, BlackjackRules())
    10
    """
    match kind:
        case PairKind():
            return rules.perfect_pairs[list(PairKind).index(kind)]
        case PokerKind():
            return rules.twenty_one_plus_three[list(PokerKind).index(kind)]
        case None:
            return 0


def settle_side_bets(
    side_bets: SideBets, first_two: Sequence[int], up_card: int, rules: BlackjackRules
) -> tuple[SideSettlement, ...]:
    """Settle the side bets that were made.

    Examples
    --------
    >>> from croupier.cards import parse_card, parse_cards
    >>> bets = SideBets(perfect_pairs=2, twenty_one_plus_three=1)
    >>> for bet in settle_side_bets(bets, parse_cards("8H 8D"), parse_card("8C"), BlackjackRules()):
    ...     print(bet.name, bet.kind, bet.units)
    perfect pairs coloured pair 24.0
    21+3 three of a kind 30.0
    """
    settlements = []
    if side_bets.perfect_pairs > 0:
        pair = classify_pair(first_two)
        settlements.append(_settlement("perfect pairs", pair, side_bets.perfect_pairs, rules))
    if side_bets.twenty_one_plus_three > 0:
        poker = classify_poker((*first_two, up_card))
        settlements.append(_settlement("21+3", poker, side_bets.twenty_one_plus_three, rules))
    return tuple(settlements)


def _settlement(
    name: str, kind: PairKind | PokerKind | None, bet: float, rules: BlackjackRules
) -> SideSettlement:
    pays = prize(kind, rules)
    return SideSettlement(name, kind, float(bet * pays if pays else -bet))


def _is_red(card: int) -> bool:
    return suit_of(card) in (1, 2)
