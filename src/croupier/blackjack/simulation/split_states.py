"""The hands of a split in a round's automaton: what they wait for, how they end, and how they are settled against the dealer.

After a split the player has several hands, and a state for each way in which all of them can stand would be too many. So the hands are
followed one at a time. What is kept of a finished hand is a small number, its code; when the dealer is done, a table turns the dealer's
code and that of each hand into an ending.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Outcome

#: What stands in a dealer's state for the total of a single hand, where there are several.
SEVERAL_HANDS = 0

#: In the table of settlements, behind the ending: the dealer's natural has taken the one bet that it takes.
TAKES_BET = 128

#: Where the fate and the flags begin in a hand's code.
FATE_SHIFT, FLAG_SHIFT = 1, 4

_LOWEST_TOTAL = 16
_BUST_FATE = 6


class DealerCode(IntEnum):
    """What the hands of a split are settled against."""

    SEVENTEEN = 1
    EIGHTEEN = 2
    NINETEEN = 3
    TWENTY = 4
    TWENTY_ONE = 5
    PUSHING_22 = 6
    BUST = 7
    NATURAL = 8
    NATURAL_AND_PAID = 9  # a natural that has taken its one bet from an earlier hand


class HandCode(IntFlag):
    """A finished hand of a split: whether it was doubled, its fate in three bits, and what it waits for.

    Fates are 0 to 5 for totals up to 16, 17, ... 21, and 6 for a bust hand. A hand waits for the dealer, or only to hear whether the
    dealer has a natural.
    """

    DOUBLED = 1
    FATE = 14
    WAITS = 16
    LIVE = 32


@dataclass(frozen=True, slots=True)
class SplitCardWaits:
    """The second card of a hand of a split."""

    pair: int
    up_card: int
    may_split: bool


@dataclass(frozen=True, slots=True)
class SplitHandWaits:
    """A further card for a hand of a split."""

    doubles: bool
    hand: int
    up_card: int


def hand_code(total: int, stake: int, rules: BlackjackRules, *, may_be_natural: bool) -> int:
    """Return the code of a finished hand of a split.

    >>> bin(hand_code(20, 2, BlackjackRules(), may_be_natural=True))
    '0b111001'
    """
    waits = HandCode.WAITS | HandCode.LIVE
    if total > 21:
        hears_first = rules.hole_card == "no-peek-original-bet" and may_be_natural
        waits = HandCode.WAITS if hears_first else HandCode(0)
    elif total == 21 and rules.twenty_one_pays_at_once:
        waits = HandCode(0)
    fate = _BUST_FATE if total > 21 else max(total, _LOWEST_TOTAL) - _LOWEST_TOTAL
    return int(waits) | fate << FATE_SHIFT | (HandCode.DOUBLED if stake == 2 else 0)


def dealer_code(total: int, rules: BlackjackRules) -> DealerCode:
    """Return the code of a dealer who has finished.

    >>> dealer_code(22, BlackjackRules()).name, dealer_code(18, BlackjackRules()) - DealerCode.SEVENTEEN
    ('BUST', 1)
    """
    if total == 22 and rules.dealer_22_pushes:
        return DealerCode.PUSHING_22
    return DealerCode.BUST if total > 21 else DealerCode(total - _LOWEST_TOTAL)


def settlements(rules: BlackjackRules, end: Callable[[Outcome, int, float], int]) -> NDArray[np.uint8]:
    """Tabulate how hands of a split end, by the dealer's code and theirs; ``end`` numbers an ending."""
    table = np.zeros((max(DealerCode) + 1, 64), dtype=np.uint8)
    for dealer, code in np.ndindex(table.shape):
        fate = (code & HandCode.FATE) >> FATE_SHIFT
        if dealer > 0 and fate <= _BUST_FATE:
            stake = 2 if code & HandCode.DOUBLED else 1
            outcome, won = _settled(DealerCode(dealer), fate, stake, HandCode(code), rules)
            table[dealer, code] = end(outcome, stake, won)
            if outcome is Outcome.DEALER_NATURAL and rules.hole_card == "no-peek-original-bet":
                table[dealer, code] |= TAKES_BET
    return table.reshape(-1)


def _settled(
    dealer: DealerCode, fate: int, stake: int, code: HandCode, rules: BlackjackRules
) -> tuple[Outcome, int]:
    if code & HandCode.WAITS:
        if dealer is DealerCode.NATURAL_AND_PAID:
            return Outcome.RETURNED, 0
        if dealer is DealerCode.NATURAL:
            return Outcome.DEALER_NATURAL, -1 if rules.hole_card == "no-peek-original-bet" else -stake
    if fate == _BUST_FATE:
        return Outcome.BUST, -stake
    if not code & HandCode.LIVE:
        return Outcome.TWENTY_ONE, stake
    if dealer is DealerCode.BUST:
        return Outcome.DEALER_BUST, stake
    if dealer is DealerCode.PUSHING_22 or fate == dealer:
        return Outcome.PUSH, 0
    return (Outcome.WIN, stake) if fate > dealer else (Outcome.LOSS, -stake)
