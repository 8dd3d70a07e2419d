"""How strong the master plays: five levels, or a strength in Elo.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import math
from itertools import pairwise
from typing import NamedTuple

from croupier.durak.players.budget import Budget
from croupier.durak.players.question import TRUST
from croupier.errors import InputError


class Level(NamedTuple):
    """One level.

    Attributes
    ----------
    number
        1, the weakest, to 5.
    rounds
        The most rounds of the search; None means as many as the budget allows, and 0 means no search: it plays as the sample
        engine does.
    uses_evidence
        Whether it draws conclusions from what the other player has done.
    trust
        The prior probability that the other player always plays its cheapest card.
    follows_policy
        Whether moves are played out as the policy network plays, rather than searched in a tree.
    """

    number: int
    rounds: int | None
    uses_evidence: bool
    trust: float
    follows_policy: bool = False

    def limited(self, budget: Budget) -> Budget:
        """Return a budget within this level's limit.

        >>> find_level(3).limited(Budget(time_ms=100))
        Budget(time_ms=None, rounds=160)
        """
        if self.rounds is None:
            return budget
        return Budget(rounds=self.rounds if budget.rounds is None else min(self.rounds, budget.rounds))


LEVELS = (
    Level(1, rounds=0, uses_evidence=False, trust=0.0),
    Level(2, rounds=40, uses_evidence=False, trust=0.0),
    Level(3, rounds=160, uses_evidence=False, trust=0.0),
    Level(4, rounds=800, uses_evidence=True, trust=0.0),
    Level(5, rounds=None, uses_evidence=True, trust=TRUST, follows_policy=True),
)


def find_level(number: int) -> Level:
    """Return a level by its number.

    >>> find_level(9)
    Traceback (most recent call last):
    croupier.errors.InputError: level 9: levels are 1 (weakest) to 5 (strongest)
    """
    for level in LEVELS:
        if level.number == number:
            return level
    raise InputError(f"level {number}: levels are 1 (weakest) to {len(LEVELS)} (strongest)")


class Rung(NamedTuple):
    """A measured strength: so many rounds of the search a move reach this Elo."""

    elo: int
    rounds: int


#: How ``--strength`` plays: by rounds of the tree search. The policy alone would be stronger than most of the measured strengths.
MEASURED_LEVEL = LEVELS[-1]._replace(follows_policy=False)

#: The strength of the sample engine, from which the others are counted.
DUMMY_ELO = 1000

#: Measured by ``python -m benchmarks.durak_strengths``; see ``docs/methods/durak.md``.
RUNGS = (Rung(1070, 10), Rung(1348, 40), Rung(1452, 160), Rung(1569, 640))


def rounds_of(elo: int) -> int:
    """Return how many rounds a move reach a strength, between the measured ones by the logarithm.

    Examples
    --------
    >>> rounds_of(RUNGS[0].elo), rounds_of(RUNGS[-1].elo)
    (10, 640)
    >>> rounds_of(3000)
    Traceback (most recent call last):
    croupier.errors.InputError: strength 3000: 1070 to 1569; durak-dummy has 1000
    """
    for low, high in pairwise(RUNGS):
        if low.elo <= elo <= high.elo:
            share = (elo - low.elo) / (high.elo - low.elo)
            return round(low.rounds * math.pow(high.rounds / low.rounds, share))
    raise InputError(f"strength {elo}: {RUNGS[0].elo} to {RUNGS[-1].elo}; durak-dummy has {DUMMY_ELO}")
