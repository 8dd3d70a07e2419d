"""What other ways to play earn at a solved table of several players, whatever its size."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import brentq

from croupier.banluck.analysis.changed_plans import HabitPlan, SeatPlan, WatchedPlan
from croupier.banluck.analysis.dealer_rules import Closed, DealerRule, DealerWay, Habit, Kind
from croupier.banluck.analysis.sampled_deals import played_hands
from croupier.banluck.analysis.table_plans import TablePlan
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.solvers.hand_table import Floats
from croupier.texts import figure, say

#: Hands in which results are counted: independent groups, and hands a group.
GROUPS, GROUP_HANDS = 20, 20_000


@dataclass(frozen=True, slots=True)
class Priced:
    """A value in units a hand, with its standard error; 0 where it is exact.

    >>> Priced(0.02).said, Priced(0.02, 0.001).said, Priced(0.000133, 0.0000068).said
    ('+0.020000', '+0.0200 ± 0.0010', '+0.0001330 ± 0.0000068')
    """

    value: float
    error: float = 0.0

    @property
    def said(self) -> str:
        """The value and its error as text, with as many digits as the error leaves."""
        if not self.error:
            return figure(self.value, "+.6f")
        digits = max(1 - math.floor(math.log10(self.error)), 0)
        value, error = figure(self.value, f"+.{digits}f"), figure(self.error, f".{digits}f")
        return say("several.answer.within", value=value, error=error)


class TablePrices(Protocol):
    """A solved table that can price other ways to play."""

    solution: TableSolution

    @property
    def how(self) -> str:
        """How the prices are found, in a sentence."""

    def habit_value(self, habit: Habit) -> Priced:
        """Return what a dealer of a habit earns from all players together."""

    def forgetful_value(self) -> Priced | None:
        """Return what a dealer earns who forgets opened cards; None where the solution does not use them either."""

    def best_rule(self) -> DealerRule:
        """Return a rule for the dealer that a person can remember."""

    def seat_values(self, hit: Floats) -> tuple[Priced, ...]:
        """Return what each seat would earn if it alone hit with these probabilities."""


@dataclass(frozen=True, slots=True)
class Results:
    """How the results of one side are distributed: units to probabilities, and the standard deviation of one hand."""

    distribution: Mapping[float, float]
    std: float
    std_error: float


def counted_results(plan: TablePlan, solution: TableSolution, seed: int = 1) -> tuple[Results, ...]:
    """Deal hands and count what each seat and, last, the dealer is paid; the means are set to the solved values.

    Means of sampled hands are a thousandth of a unit off, which matters over many hands. The probabilities are therefore tilted by
    ``exp(t x units)``, with t so small that the mean is the solved one.
    """
    players = solution.players
    groups = [played_hands(plan, players, GROUP_HANDS, seed + group).units for group in range(GROUPS)]
    found = []
    for side, value in enumerate((*solution.values, solution.dealer_value)):
        results = [-units.sum(axis=1) if side == players else units[:, side] for units in groups]
        stds = np.array([units.std() for units in results])
        units, counts = np.unique(np.concatenate(results), return_counts=True)
        shares = _tilted(units, counts / counts.sum(), value)
        std = math.sqrt(float(shares @ (units - value) ** 2))
        error = float(stds.std(ddof=1)) / math.sqrt(GROUPS)
        distribution = dict(zip(units.tolist(), shares.tolist(), strict=True))
        found.append(Results(distribution, std, error))
    return tuple(found)


def _tilted(units: Floats, shares: Floats, mean: float) -> Floats:
    """Weigh a distribution by an exponential so that its mean becomes a given one.

    >>> _tilted(np.array([-1.0, 1.0]), np.array([0.5, 0.5]), 0.2).round(6).tolist()
    [0.4, 0.6]
    """

    def weighted(tilt: float) -> Floats:
        found = shares * np.exp(tilt * units)
        normal: Floats = found / found.sum()
        return normal

    tilt = brentq(lambda tilt: float(weighted(tilt) @ units) - mean, -1.0, 1.0, xtol=1e-15)
    return weighted(float(tilt))


def watched_dealer(plan: TablePlan, players: int, seed: int = 1) -> WatchedPlan:
    """Deal hands and count what the dealer does at totals of choice."""
    watched = WatchedPlan.of(plan)
    for group in range(GROUPS):
        played_hands(watched, players, GROUP_HANDS, seed + group)
    return watched


class SampledPrices:
    """Prices at a table of any size from dealt hands: both ways to play meet the same cards, and the difference is what is measured."""

    def __init__(self, solution: TableSolution, plan: TablePlan, group_hands: int = GROUP_HANDS) -> None:
        self.solution = solution
        self.plan = plan
        self._hands = group_hands

    @property
    def how(self) -> str:
        """How the prices are found, in a sentence."""
        return say("several.how.sampled", hands=GROUPS * self._hands)

    def habit_value(self, habit: Habit) -> Priced:
        """Return what a dealer of a habit earns from all players together."""
        change = self._change(HabitPlan.of(self.plan, habit))
        return Priced(self.solution.dealer_value + change[-1].value, change[-1].error)

    def forgetful_value(self) -> None:
        """Return nothing: a solution that goes by card counts does not use opened cards."""

    def best_rule(self) -> DealerRule:
        """Return the rule that does in each case what the solution does most often."""
        found: dict[tuple[Kind, Closed], Counter[DealerWay]] = defaultdict(Counter)
        for (kind, counts), times in watched_dealer(self.plan, self.solution.players).seen.items():
            for done, number in times.items():
                stop = DealerWay.DRAW if done.draws else DealerWay.STAND
                found[kind, Closed.of(counts)][DealerWay.OPEN if done.opened else stop] += number
                left = Counter(counts) - Counter(done.opened)
                if done.opened and left:
                    found[kind, Closed.of(tuple(left.elements()))][stop] += number
        return DealerRule({place: ways.most_common(1)[0][0] for place, ways in found.items()})

    def seat_values(self, hit: Floats) -> tuple[Priced, ...]:
        """Return what each seat would earn if it alone hit with these probabilities."""
        changes = [
            self._change(SeatPlan.of(self.plan, seat, hit))[seat] for seat in range(self.solution.players)
        ]
        return tuple(
            Priced(value + change.value, change.error)
            for value, change in zip(self.solution.values, changes, strict=True)
        )

    def _change(self, plan: TablePlan) -> list[Priced]:
        """Return what each seat and, last, the dealer gets more than before."""
        players = self.solution.players
        means = np.array(
            [
                (
                    played_hands(plan, players, self._hands, 1 + group).units
                    - played_hands(self.plan, players, self._hands, 1 + group).units
                ).mean(axis=0)
                for group in range(GROUPS)
            ]
        )
        sides = np.concatenate([means, -means.sum(axis=1, keepdims=True)], axis=1)
        errors = sides.std(axis=0, ddof=1) / math.sqrt(GROUPS)
        return [
            Priced(float(mean), float(error)) for mean, error in zip(sides.mean(axis=0), errors, strict=True)
        ]
