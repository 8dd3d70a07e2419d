"""How good a counting system is: how its tags agree with what single cards are worth (P. Griffin, The Theory of Blackjack)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.hands import Floats
from croupier.blackjack.solvers.removal import effects_of_removal
from croupier.cards import POINT_CLASSES, RANK_LETTERS, TEN_CLASS, point_class_of_rank

_CLASS_OF_RANK = [point_class_of_rank(rank) for rank in range(len(RANK_LETTERS))]


@dataclass(frozen=True, slots=True)
class Correlations:
    """How the tags of a system agree with what cards are worth.

    Attributes
    ----------
    betting
        With the effects of removal on the value of the game; of the count before a bet, if aces are counted apart.
    insurance
        With the effects of removal on insurance, for which ten-value cards count one way and all others the other.
    """

    betting: float
    insurance: float

    def to_dict(self) -> dict[str, float]:
        """Return everything as plain values."""
        return {"betting": self.betting, "insurance": self.insurance}


def correlations(rules: BlackjackRules, system: CountingSystem) -> Correlations:
    """Compute both correlations over the 13 ranks, with the effects of removal of the rules.

    Published figures, such as 0.97 and 0.76 for Hi-Lo, use Griffin's effects: single-deck, for a fixed chart. Ours are those of the rules
    and of the best play after the removal, which moves the betting correlation by up to 0.015.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> found = correlations(BlackjackRules(decks=1), HI_LO)
    >>> round(found.betting, 3), round(found.insurance, 3)
    (0.963, 0.76)
    """
    of_ranks = np.array(_effects_by_rank(rules))
    tens = np.array([-1.0 if point == TEN_CLASS else 0.0 for point in _CLASS_OF_RANK])
    return Correlations(
        _correlation(system, system.bet_tags, of_ranks), _correlation(system, system.rank_tags, tens)
    )


@lru_cache(maxsize=16)
def _effects_by_rank(rules: BlackjackRules) -> tuple[float, ...]:
    effects = effects_of_removal(rules)
    return tuple(effects[POINT_CLASSES[point]] for point in _CLASS_OF_RANK)


def _correlation(system: CountingSystem, tags: Sequence[float], effects: Floats) -> float:
    """Correlate over cards: what red and black cards of a rank count apart is noise."""
    noise = sum((system.red[point] / 2) ** 2 for point in _CLASS_OF_RANK) / len(_CLASS_OF_RANK)
    values = np.array(tags)
    covariance = float(np.mean((values - values.mean()) * (effects - effects.mean())))
    return covariance / float(np.sqrt((values.var() + noise) * effects.var()))
