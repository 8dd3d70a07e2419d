r"""A small game between some decisions of the seats and a pool of the dealer's strategies.

Each decision wants to be taken where its own difference is positive; the dealer wants the strategy of least cost. With :math:`x` the
probabilities of the decisions and :math:`y` those of the strategies,

.. math:: x_i \text{ maximises } x_i \sum_k y_k d_{ki}, \qquad y \text{ minimises } \sum_k y_k (c_k + s_k \cdot x).

Differences and slopes are alike but not the same, because a seat does not care what its play does to the other one.
"""

import numpy as np

from croupier.banluck.solvers.hand_table import Floats
from croupier.numerics.compiled import compiled

_ITERATIONS = 200_000
_INTERIOR = 1e-4


def solve_small_game(
    differences: Floats, offsets: Floats, slopes: Floats, begin: Floats
) -> tuple[Floats, Floats]:
    """Return the probabilities of the decisions and of the strategies, by regret matching and then linear equations.

    Parameters
    ----------
    differences, slopes
        By strategy and decision.
    offsets
        The cost of each strategy when no decision is taken.
    begin
        Probabilities to begin with.

    Examples
    --------
    >>> chances, weights = solve_small_game(
    ...     np.array([[1.0], [-3.0]]), np.array([0.0, 2.0]), np.array([[1.0], [-3.0]]), np.array([1.0])
    ... )
    >>> chances.round(9).tolist(), weights.round(9).tolist()
    ([0.5], [0.75, 0.25])
    """
    if differences.shape[1] == 0:
        weights = np.zeros(len(offsets))
        weights[offsets.argmin()] = 1.0
        return begin, weights
    decision_scale = np.maximum(np.abs(differences).max(axis=0), 1e-300)
    cost_scale = max(float(np.ptp(offsets)), float(np.abs(slopes).max()), 1e-300)
    chances, weights = match(
        differences / decision_scale, offsets / cost_scale, slopes / cost_scale, begin.copy(), _ITERATIONS
    )
    return _polished(
        differences / decision_scale, offsets / cost_scale, slopes / cost_scale, chances, weights
    )


@compiled
def match(
    differences: Floats, offsets: Floats, slopes: Floats, begin: Floats, iterations: int
) -> tuple[Floats, Floats]:
    """Play regret matching with cut-off regrets on both sides, and return the averages, later plays weighing more."""
    strategies, decisions = differences.shape
    take, leave = np.zeros(decisions), np.zeros(decisions)
    regrets = np.zeros(strategies)
    chances, weights = begin, np.full(strategies, 1.0 / strategies)
    chance_sum, weight_sum = np.zeros(decisions), np.zeros(strategies)
    costs = np.empty(strategies)
    for iteration in range(1, iterations + 1):
        for i in range(decisions):
            gain = 0.0
            for k in range(strategies):
                gain += weights[k] * differences[k, i]
            take[i] = max(take[i] + (1.0 - chances[i]) * gain, 0.0)
            leave[i] = max(leave[i] - chances[i] * gain, 0.0)
            if take[i] + leave[i] > 0.0:
                chances[i] = take[i] / (take[i] + leave[i])
        mean = 0.0
        for k in range(strategies):
            costs[k] = offsets[k]
            for i in range(decisions):
                costs[k] += slopes[k, i] * chances[i]
            mean += weights[k] * costs[k]
        total = 0.0
        for k in range(strategies):
            regrets[k] = max(regrets[k] + mean - costs[k], 0.0)
            total += regrets[k]
        for k in range(strategies):
            weights[k] = regrets[k] / total if total > 0.0 else 1.0 / strategies
        chance_sum += iteration * chances
        weight_sum += iteration * weights
    return chance_sum / (iterations * (iterations + 1) / 2), weight_sum / weight_sum.sum()


def _polished(
    differences: Floats, offsets: Floats, slopes: Floats, chances: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Solve the equations of those who mix exactly, and keep the answer if it consists of probabilities."""
    free = (chances > _INTERIOR) & (chances < 1.0 - _INTERIOR)
    played = weights > _INTERIOR
    rounded = np.where(free, chances, np.round(chances))
    count = int(played.sum())
    equations = np.vstack((differences[played][:, free].T, np.ones(count)))
    target = np.zeros(len(equations))
    target[-1] = 1.0
    near = weights[played] / weights[played].sum()
    exact = near + np.linalg.lstsq(equations, target - equations @ near, rcond=None)[0]
    costs = offsets[played] + slopes[played] @ rounded
    system = np.column_stack((slopes[played][:, free], -np.ones(count)))
    change = np.linalg.lstsq(system, -(costs - costs.mean()), rcond=None)[0]
    moved = rounded.copy()
    moved[free] += change[:-1]
    if np.all((exact >= 0.0) & (exact <= 1.0 + 1e-9)):
        weights = np.zeros_like(weights)
        weights[played] = np.clip(exact, 0.0, 1.0)
        weights /= weights.sum()
    if np.all((moved >= 0.0) & (moved <= 1.0)):
        chances = moved
    return chances, weights
