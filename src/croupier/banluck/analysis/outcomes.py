"""Exact distributions of results: what wins, what loses, how often, against which hands of the dealer."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.permissions import player_may_act, player_must_hit
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.dealer_play import DealerPlay
from croupier.banluck.solvers.hand_table import (
    OUTCOMES,
    TWO_CARD_HANDS,
    Floats,
    deals,
    hand_table,
    two_card_probabilities,
)
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy, Shown


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One way for a hand to end: why, with how many units for the player, how often."""

    outcome: Outcome
    units: float
    probability: float


@dataclass(frozen=True, slots=True)
class OutcomeDistribution:
    """All ways for a hand to end, the likeliest first; the probabilities add up to 1."""

    rows: tuple[OutcomeRow, ...]

    @classmethod
    def of(cls, weights: dict[tuple[Outcome, float], float]) -> "OutcomeDistribution":
        """Normalise weights of (outcome, units) into a distribution."""
        total = sum(weights.values())
        rows = [OutcomeRow(*key, weight / total) for key, weight in weights.items() if weight > 0]
        return cls(tuple(sorted(rows, key=lambda row: -row.probability)))

    @property
    def mean(self) -> float:
        """Player's expected units."""
        return math.fsum(row.probability * row.units for row in self.rows)

    @property
    def std(self) -> float:
        """Standard deviation of the player's units."""
        return math.sqrt(math.fsum(row.probability * (row.units - self.mean) ** 2 for row in self.rows))

    @property
    def win(self) -> float:
        """Probability that the player wins something."""
        return math.fsum(row.probability for row in self.rows if row.units > 0)

    @property
    def loss(self) -> float:
        """Probability that the player loses something."""
        return math.fsum(row.probability for row in self.rows if row.units < 0)

    @property
    def push(self) -> float:
        """Probability that nothing changes hands."""
        return math.fsum(row.probability for row in self.rows if row.units == 0)

    def by_units(self) -> dict[float, float]:
        """Return the probability of each number of units, from the largest loss up."""
        totals: dict[float, float] = defaultdict(float)
        for row in self.rows:
            totals[row.units] += row.probability
        return dict(sorted(totals.items()))

    def by_outcome(self) -> dict[Outcome, float]:
        """Return the probability of each outcome that occurs."""
        totals: dict[Outcome, float] = defaultdict(float)
        for row in self.rows:
            totals[row.outcome] += row.probability
        return dict(totals)


def outcome_distribution(
    player: PlayerStrategy, dealer: DealerStrategy, rules: BanluckRules
) -> OutcomeDistribution:
    """Return how a hand between two strategies ends, from the deal on.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> distribution = outcome_distribution(stand_on(16, rules), classic_dealer(rules), rules)
    >>> f"{distribution.mean:+.6f}, {distribution.std:.4f}"
    '-0.017059, 1.0228'
    """
    table = hand_table(rules)
    play = DealerPlay.of(dealer, rules)
    weights: dict[tuple[Outcome, float], float] = defaultdict(float)
    start = two_card_probabilities(np.zeros(len(PACK_COUNTS), dtype=np.int64))
    reach = np.zeros(len(MULTISETS))
    for hand, probability in enumerate(start):
        own = table.values[hand]
        shown = Shown[own.hand_class.name] if own.is_ban else Shown.NOTHING
        dealt = probability * two_card_probabilities(deals().counts[hand])
        weights[Outcome.VOID, 0.0] += float(dealt @ play.surrender[:, shown])
        kept = dealt * (1.0 - play.surrender[:, shown])
        settled_now = kept if own.is_ban else kept * play.is_ban
        _add_settled(weights, rules, hand, np.pad(settled_now, (0, len(MULTISETS) - TWO_CARD_HANDS)))
        reach[hand] = 0.0 if own.is_ban else probability
    for hand, probability in final_hands(reach, player, rules):
        _add_settled(weights, rules, hand, probability * play.final_hands(hand))
    return OutcomeDistribution.of(weights)


def final_hands(reach: Floats, player: PlayerStrategy, rules: BanluckRules) -> Iterator[tuple[int, float]]:
    """Push the player's hands through the strategy and yield each final hand with its probability.

    ``reach`` holds the probability of each hand to start from, and is used up.
    """
    table = hand_table(rules)
    pack = np.array(PACK_COUNTS)
    for hand in range(len(MULTISETS)):
        if reach[hand] == 0.0:
            continue
        value = table.values[hand]
        hit = 0.0
        if player_may_act(value):
            hit = 1.0 if player_must_hit(value, rules) else float(player.hit[hand])
        if hit > 0.0:
            left = pack - deals().counts[hand]
            possible = left > 0
            reach[deals().child[hand][possible]] += reach[hand] * hit * left[possible] / left.sum()
        if hit < 1.0:
            yield hand, reach[hand] * (1.0 - hit)


def _add_settled(
    weights: dict[tuple[Outcome, float], float], rules: BanluckRules, player_hand: int, dealer_hands: Floats
) -> None:
    """Add the settlements of a player's hand against dealer's hands of given probabilities."""
    table = hand_table(rules)
    by_code = np.bincount(table.code, weights=dealer_hands, minlength=len(table.payoff))
    own = table.code[player_hand]
    for code in np.flatnonzero(by_code):
        key = (OUTCOMES[table.outcome[own, code]], float(table.payoff[own, code]))
        weights[key] += float(by_code[code])
