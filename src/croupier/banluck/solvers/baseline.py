"""The player's best play against a fixed dealer, by backward induction over hands.

This is the classical way to solve a game of 21 and the second method behind the equilibrium's best responses:
it walks through hands with conditional probabilities and knows nothing of plans and sequences.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier import __version__
from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.permissions import player_may_act, player_must_hit
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.dealer_play import DealerPlay
from croupier.banluck.solvers.fixed import classic_dealer
from croupier.banluck.solvers.hand_table import (
    TWO_CARD_HANDS,
    Floats,
    HandTable,
    deals,
    hand_table,
    two_card_probabilities,
)
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy, Shown
from croupier.cards import DECK_SIZE


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """The best reply to a fixed dealer.

    Attributes
    ----------
    value
        Player's expected units per hand, before the deal.
    stand, hit
        Expected units of each action on each multiset, given that the hand is played on (no Ban hand of the
        dealer, no surrender); NaN where the action is not there.
    """

    rules: BanluckRules
    dealer: DealerStrategy
    value: float
    player: PlayerStrategy
    stand: Floats
    hit: Floats
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data."""
        return {
            "value": self.value,
            "seconds": self.seconds,
            "rules": self.rules.model_dump(mode="json"),
            "version": __version__,
        }


def solve_baseline(rules: BanluckRules, dealer: DealerStrategy | None = None) -> Baseline:
    """Find the player's best play against a dealer (the classic one if none is given).

    Examples
    --------
    >>> baseline = solve_baseline(BanluckRules())
    >>> f"{baseline.value:+.6f}"
    '+0.012375'
    """
    started = time.perf_counter()
    table = hand_table(rules)
    dealer = dealer or classic_dealer(rules)
    play = DealerPlay.of(dealer, rules)
    worth = np.full(len(MULTISETS), np.nan)
    stand, hit = worth.copy(), worth.copy()
    strategy = np.zeros(len(MULTISETS))
    alive = np.array([play.survives(hand).sum() for hand in range(len(MULTISETS))])
    for hand in range(len(MULTISETS) - 1, -1, -1):
        value = table.values[hand]
        units = table.payoff[table.code[hand], table.code]
        settled = float(play.final_hands(hand) @ units)
        if not player_may_act(value):
            worth[hand] = settled
            continue
        may_stand = not player_must_hit(value, rules)
        hit[hand] = _after_hit(hand, worth)
        stand[hand] = settled if may_stand else np.nan
        strategy[hand] = not may_stand or hit[hand] > settled
        worth[hand] = hit[hand] if strategy[hand] else settled
    with np.errstate(invalid="ignore", divide="ignore"):
        given_alive = (stand / alive, hit / alive)
    value_at_deal = _deal_value(table, play, worth)
    return Baseline(
        rules, dealer, value_at_deal, PlayerStrategy(strategy), *given_alive, time.perf_counter() - started
    )


def _after_hit(hand: int, worth: Floats) -> float:
    """Average over the next card.

    The dealer's closed cards need no attention: worth is an average over them, and before they are seen any
    card that the player does not hold is equally likely to come.
    """
    table = deals()
    left = np.array(PACK_COUNTS) - table.counts[hand]
    possible = left > 0
    return float(left[possible] @ worth[table.child[hand][possible]]) / (
        DECK_SIZE - int(table.card_count[hand])
    )


def _deal_value(table: HandTable, play: DealerPlay, worth: Floats) -> float:
    """Average over the player's two cards; Ban hands of either side are settled unless the dealer surrenders."""
    total = 0.0
    for hand, probability in enumerate(two_card_probabilities(np.zeros(len(PACK_COUNTS), dtype=np.int64))):
        own = table.values[hand]
        shown = Shown[own.hand_class.name] if own.is_ban else Shown.NOTHING
        dealt = two_card_probabilities(deals().counts[hand]) * (1.0 - play.surrender[:, shown])
        units = table.payoff[table.code[hand], table.code[:TWO_CARD_HANDS]]
        settled_now = dealt if own.is_ban else dealt * play.is_ban
        total += probability * float(settled_now @ units)
        if not own.is_ban:
            total += probability * worth[hand]
    return float(total)
