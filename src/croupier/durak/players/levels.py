"""How strong the master plays, in five levels.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

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
    """

    number: int
    rounds: int | None
    uses_evidence: bool
    trust: float

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
    Level(5, rounds=None, uses_evidence=True, trust=TRUST),
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
