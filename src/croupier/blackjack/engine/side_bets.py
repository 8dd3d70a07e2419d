"""Side bets on the first cards: perfect pairs, 21+3, Lucky Ladies, Royal Match, Over 13, Under 13 and Lucky Lucky.

They are settled as soon as the cards are dealt, but for one prize: two queens of hearts wait until it is known whether the dealer has a
natural. Where the dealer's second card comes after the players, that prize is not offered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

from croupier.blackjack.engine.hand import evaluate
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cards import ACE, CardError, parse_card, point_class, rank_of, suit_of

_QUEEN_OF_HEARTS = parse_card("QH")
_ROYAL_PAIR = {rank_of(parse_card("QC")), rank_of(parse_card("KC"))}


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


class LadiesKind(StrEnum):
    """What Lucky Ladies pays for, best first."""

    QUEENS_AND_NATURAL = "queens of hearts and a dealer's natural"
    QUEENS = "queens of hearts"
    MATCHED_20 = "matched 20"
    SUITED_20 = "suited 20"
    ANY_20 = "any 20"


class MatchKind(StrEnum):
    """What Royal Match pays for, best first."""

    ROYAL_MATCH = "royal match"
    EASY_MATCH = "easy match"


class OverKind(StrEnum):
    """What Over 13 pays for."""

    OVER_13 = "over 13"


class UnderKind(StrEnum):
    """What Under 13 pays for."""

    UNDER_13 = "under 13"


class LuckyKind(StrEnum):
    """What Lucky Lucky pays for, best first."""

    SUITED_777 = "suited 7-7-7"
    SUITED_678 = "suited 6-7-8"
    ANY_777 = "7-7-7"
    ANY_678 = "6-7-8"
    SUITED_21 = "suited 21"
    ANY_21 = "21"
    TOTAL_20 = "total 20"
    TOTAL_19 = "total 19"


SideKind = PairKind | PokerKind | LadiesKind | MatchKind | OverKind | UnderKind | LuckyKind


@dataclass(frozen=True, slots=True)
class SideBets:
    """What a player puts on the side bets; 0 is no bet."""

    perfect_pairs: float = 0.0
    twenty_one_plus_three: float = 0.0
    lucky_ladies: float = 0.0
    royal_match: float = 0.0
    over_13: float = 0.0
    under_13: float = 0.0
    lucky_lucky: float = 0.0

    @property
    def amounts(self) -> dict[str, float]:
        """The bets by their keys.

        >>> SideBets(royal_match=2).amounts["royal_match"]
        2
        """
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    @property
    def total(self) -> float:
        """All bets together."""
        return sum(self.amounts.values())


NO_SIDE_BETS = SideBets()


@dataclass(frozen=True, slots=True)
class SideSettlement:
    """What a side bet won or lost, and what the cards made; no kind means nothing that pays."""

    name: str
    kind: SideKind | None
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


def classify_ladies(cards: Sequence[int]) -> LadiesKind | None:
    """Tell which 20 two cards make: of the same card, of one suit, or any; the dealer's natural is not looked at.

    >>> hands = [[parse_card(card) for card in text.split()] for text in ("QH QH", "KS KS", "AS 9S", "KS QS", "KS 9S")]
    >>> [str(classify_ladies(hand)) for hand in hands]
    ['queens of hearts', 'matched 20', 'suited 20', 'suited 20', 'None']
    """
    if evaluate(cards).total != 20:
        return None
    if cards[0] == cards[1]:
        return LadiesKind.QUEENS if cards[0] == _QUEEN_OF_HEARTS else LadiesKind.MATCHED_20
    return LadiesKind.SUITED_20 if _is_suited(cards) else LadiesKind.ANY_20


def classify_match(cards: Sequence[int]) -> MatchKind | None:
    """Tell whether two cards are of one suit, and a king and a queen.

    >>> from croupier.cards import parse_cards
    >>> [str(classify_match(parse_cards(text))) for text in ("KS QS", "KS 2S", "KS QH")]
    ['royal match', 'easy match', 'None']
    """
    if not _is_suited(cards):
        return None
    return MatchKind.ROYAL_MATCH if {rank_of(card) for card in cards} == _ROYAL_PAIR else MatchKind.EASY_MATCH


def classify_over(cards: Sequence[int]) -> OverKind | None:
    """Tell whether two cards count more than 13, an ace as one.

    >>> from croupier.cards import parse_cards
    >>> [str(classify_over(parse_cards(text))) for text in ("9S 5H", "9S 4H", "AS KH")]
    ['over 13', 'None', 'None']
    """
    return OverKind.OVER_13 if sum(map(_low_points, cards)) > 13 else None


def classify_under(cards: Sequence[int]) -> UnderKind | None:
    """Tell whether two cards count less than 13, an ace as one.

    >>> from croupier.cards import parse_cards
    >>> [str(classify_under(parse_cards(text))) for text in ("9S 3H", "9S 4H", "AS KH")]
    ['under 13', 'None', 'under 13']
    """
    return UnderKind.UNDER_13 if sum(map(_low_points, cards)) < 13 else None


def classify_lucky(cards: Sequence[int]) -> LuckyKind | None:
    """Tell what three cards make: 7-7-7, 6-7-8, or a total of 19 to 21.

    >>> hands = [[parse_card(card) for card in text.split()] for text in ("7S 7S 7S", "6S 7H 8H", "AS KS TS", "KS 7H 2C")]
    >>> [str(classify_lucky(hand)) for hand in hands]
    ['suited 7-7-7', '6-7-8', 'suited 21', 'total 19']
    """
    points, suited = sorted(map(_low_points, cards)), _is_suited(cards)
    if points == [7, 7, 7]:
        return LuckyKind.SUITED_777 if suited else LuckyKind.ANY_777
    if points == [6, 7, 8]:
        return LuckyKind.SUITED_678 if suited else LuckyKind.ANY_678
    total = evaluate(cards).total
    if total == 21:
        return LuckyKind.SUITED_21 if suited else LuckyKind.ANY_21
    return {20: LuckyKind.TOTAL_20, 19: LuckyKind.TOTAL_19}.get(total)


@dataclass(frozen=True, slots=True)
class SideBet:
    """One of the side bets.

    Attributes
    ----------
    name, key
        What it is called, and its key in JSON and among what a player bets.
    size
        How many cards settle it: two of the player's, and the up-card if there is a third.
    kinds
        What it pays for, best first.
    classify
        Which kind some cards make; None for nothing that pays.
    pays
        What each kind pays to one under some rules.
    """

    name: str
    key: str
    size: int
    kinds: tuple[SideKind, ...]
    classify: Callable[[Sequence[int]], SideKind | None]
    pays: Callable[[BlackjackRules], Sequence[float]]

    def prizes(self, rules: BlackjackRules) -> dict[SideKind, float]:
        """Return what each kind pays to one; 0 means that it loses."""
        return dict(zip(self.kinds, self.pays(rules), strict=True))


#: The side bets, in the order of :class:`SideBets`.
SIDE_BETS = (
    SideBet("perfect pairs", "perfect_pairs", 2, tuple(PairKind), classify_pair, lambda rules: rules.perfect_pairs),
    SideBet("21+3", "twenty_one_plus_three", 3, tuple(PokerKind), classify_poker, lambda rules: rules.twenty_one_plus_three),
    SideBet("lucky ladies", "lucky_ladies", 2, tuple(LadiesKind), classify_ladies, lambda rules: rules.lucky_ladies),
    SideBet("royal match", "royal_match", 2, tuple(MatchKind), classify_match, lambda rules: rules.royal_match),
    SideBet("over 13", "over_13", 2, tuple(OverKind), classify_over, lambda rules: rules.over_under_13[:1]),
    SideBet("under 13", "under_13", 2, tuple(UnderKind), classify_under, lambda rules: rules.over_under_13[1:]),
    SideBet("lucky lucky", "lucky_lucky", 3, tuple(LuckyKind), classify_lucky, lambda rules: rules.lucky_lucky),
)  # fmt: skip

#: What each side bet is called in JSON.
JSON_KEYS = {bet.name: bet.key for bet in SIDE_BETS}

#: Names that are written in JSON beside the keys, because up to 0.1 they were alone.
OLD_NAMES = ("perfect pairs", "21+3")

_OF_KIND = {type(bet.kinds[0]): bet for bet in SIDE_BETS}


def prize(kind: SideKind | None, rules: BlackjackRules) -> float:
    """Return what a kind pays to one; 0 means that the bet is lost.

    >>> prize(PokerKind.STRAIGHT, BlackjackRules())
    10
    """
    return 0 if kind is None else _OF_KIND[type(kind)].prizes(rules)[kind]


def settle_side_bets(
    side_bets: SideBets,
    first_two: Sequence[int],
    up_card: int,
    rules: BlackjackRules,
    *,
    dealer_natural: bool | None = False,
) -> tuple[SideSettlement, ...]:
    """Settle the side bets that were made.

    Parameters
    ----------
    dealer_natural
        Whether the dealer has a natural; None while nobody knows: then two queens of hearts wait.

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
    amounts = side_bets.amounts
    for bet in SIDE_BETS:
        if amounts[bet.key] > 0:
            kind = bet.classify(first_two if bet.size == 2 else (*first_two, up_card))
            if kind is LadiesKind.QUEENS and dealer_natural is None:
                continue
            if kind is LadiesKind.QUEENS and dealer_natural:
                kind = LadiesKind.QUEENS_AND_NATURAL
            pays = prize(kind, rules)
            settlements.append(SideSettlement(bet.name, kind, float(amounts[bet.key] * (pays or -1))))
    return tuple(settlements)


def _low_points(card: int) -> int:
    """Return what a card counts with an ace as one."""
    return 1 if rank_of(card) == ACE else point_class(card) + 2


def _is_suited(cards: Sequence[int]) -> bool:
    return len({suit_of(card) for card in cards}) == 1


def _is_red(card: int) -> bool:
    return suit_of(card) in (1, 2)
