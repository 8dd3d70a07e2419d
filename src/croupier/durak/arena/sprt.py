"""A test that stops when it is settled whether the first engine is stronger by elo1, or only by elo0.

Generalised sequential probability ratio test on pairs of games (pentanomial). Under each hypothesis the five
probabilities are those nearest to what was seen, among all that have the expected score of the hypothesis; see
M. Van den Bergh, "A practical introduction to the GSPRT", the test of fishtest and fastchess.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from croupier.durak.arena.rating import PAIR_SCORES, PairCounts, expected_score
from croupier.errors import InputError

#: Stands for a kind of pair that has not occurred yet: a probability of zero would settle the test at once.
_HARDLY_EVER = 1e-3


class Decision(StrEnum):
    """What a sequential test says so far."""

    GO_ON = "go on"
    ELO0 = "elo0"
    ELO1 = "elo1"


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses, and the probabilities of accepting elo1 when elo0 is true (alpha) and the reverse (beta).

    Examples
    --------
    >>> test = Sprt(elo0=0, elo1=20)
    >>> tuple(round(bound, 3) for bound in test.bounds)
    (-2.944, 2.944)
    >>> test.decide(PairCounts((20, 60, 100, 70, 25)))
    <Decision.GO_ON: 'go on'>
    >>> test.decide(PairCounts((20, 60, 100, 150, 60)))
    <Decision.ELO1: 'elo1'>
    >>> Sprt(elo0=5, elo1=0)
    Traceback (most recent call last):
    croupier.errors.InputError: elo0 = 5, elo1 = 0: elo1 must be the greater one
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1)):
            raise InputError(f"elo0 = {self.elo0:g}, elo1 = {self.elo1:g}: two finite numbers are wanted")
        if self.elo0 >= self.elo1:
            raise InputError(f"elo0 = {self.elo0:g}, elo1 = {self.elo1:g}: elo1 must be the greater one")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise InputError(f"{name} = {error:g}: an error lies between 0 and 0.5, such as 0.05")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: PairCounts) -> float:
        """Return how much better elo1 explains the pairs than elo0 does.

        >>> Sprt(elo0=0, elo1=20).log_likelihood_ratio(PairCounts())
        0.0
        """
        if counts.pairs == 0:
            return 0.0
        seen = [n or _HARDLY_EVER for n in counts.counts]
        total = math.fsum(seen)
        shares = [n / total for n in seen]
        under0, under1 = (_nearest(shares, expected_score(elo)) for elo in (self.elo0, self.elo1))
        terms = (n * math.log(p1 / p0) for n, p0, p1 in zip(seen, under0, under1, strict=True))
        return math.fsum(terms)

    def decide(self, counts: PairCounts) -> Decision:
        """Say which hypothesis is accepted, if one is by now."""
        ratio = self.log_likelihood_ratio(counts)
        low, high = self.bounds
        if ratio <= low:
            return Decision.ELO0
        return Decision.ELO1 if ratio >= high else Decision.GO_ON


def _nearest(shares: list[float], score: float) -> list[float]:
    """Return the probabilities of greatest likelihood for these shares among those whose mean is the score.

    They are share / (1 + theta (s - score)), where theta makes the mean right. The sum that has to vanish falls
    strictly in theta between its two poles: Newton's steps find it, and halving where they would leave the interval.
    """
    offsets = [pair_score - score for pair_score in PAIR_SCORES]
    low, high = -1.0 / offsets[-1], -1.0 / offsets[0]
    theta = 0.0
    for _ in range(100):
        ratios = [offset / (1.0 + theta * offset) for offset in offsets]
        excess = sum(share * ratio for share, ratio in zip(shares, ratios, strict=True))
        fall = sum(share * ratio * ratio for share, ratio in zip(shares, ratios, strict=True))
        low, high = (theta, high) if excess > 0 else (low, theta)
        step = theta + excess / fall
        target = step if low < step < high else (low + high) / 2
        if abs(target - theta) < 1e-12:
            break
        theta = target
    return [share / (1.0 + theta * offset) for share, offset in zip(shares, offsets, strict=True)]
