r"""The sequence-form linear program with HiGHS: the second, independent answer.

The player maximises the root value :math:`f^\top z` over own plans :math:`x` and dealer's node values :math:`z`

.. math:: E x = e, \quad F^\top z \le M^\top x, \quad x \ge 0

(von Stengel, 1996; Koller, Megiddo & von Stengel, 1996), where :math:`E` and :math:`F` say that what flows into a node flows out
again. The dealer's plan is the dual solution.

HiGHS takes a constraint as met when it is off by less than 1e-7, and the probability of a single dealer sequence is
smaller than that: unscaled, the program calls itself optimal and is wrong in the fourth decimal. So each dealer
constraint is divided by how often its node is reached at all, and each plan variable runs from 0 to 1.
Whatever HiGHS says, the result is certified by exact best responses.
"""

import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, diags_array, hstack

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.equilibrium import Equilibrium, equilibrium_of_plans
from croupier.banluck.solvers.hand_table import Floats, deals, joint_probability
from croupier.banluck.solvers.plans import plan_of
from croupier.banluck.solvers.sequence_game import DecisionGraph, SequenceGame, sequence_game
from croupier.errors import InputError

_FEASIBILITY = 1e-10


class SolverFailure(InputError):  # noqa: N818 - what HiGHS reports
    """HiGHS found no solution; the message is its own."""


def solve_linear_program(rules: BanluckRules, *, tolerance: float = 1e-7) -> Equilibrium:
    """Solve the game by linear programming.

    Examples
    --------
    >>> solution = solve_linear_program(BanluckRules())
    >>> solution.converged, f"{solution.value:.6f}"
    (True, '-0.011894')
    """
    started = time.perf_counter()
    game = sequence_game(rules)
    orders, order_probability = _most_orders(game.player), _order_probabilities(game)
    plan_scale = np.concatenate(([1.0], np.repeat(orders, 2)))
    value_scale = np.concatenate(([1.0], order_probability))
    row_scale = 1.0 / np.concatenate(([1.0], np.repeat(order_probability, 2)))

    plan_flow = (
        diags_array(1.0 / np.concatenate(([1.0], orders))) @ _flow(game.player) @ diags_array(plan_scale)
    )
    against_plan = diags_array(row_scale) @ _payoff(game).T @ diags_array(plan_scale)
    value_flow = diags_array(row_scale) @ _flow(game.dealer).T @ diags_array(value_scale)
    plans, values = game.player.sequence_count, game.dealer.node_count + 1

    objective = np.zeros(plans + values)
    objective[plans] = -1.0  # linprog minimises; the first value is the root's
    result = linprog(
        objective,
        A_ub=hstack([-against_plan, value_flow], format="csr"),
        b_ub=np.zeros(game.dealer.sequence_count),
        A_eq=hstack([plan_flow, csr_array((plan_flow.shape[0], values))], format="csr"),
        b_eq=np.eye(1, plan_flow.shape[0])[0],
        bounds=_bounds(game.player, values),
        method="highs-ds",
        options={"primal_feasibility_tolerance": _FEASIBILITY, "dual_feasibility_tolerance": _FEASIBILITY},
    )
    if result.status != 0:
        raise SolverFailure(f"the linear program was not solved: {result.message}")
    player_plan = np.maximum(result.x[:plans], 0.0) * plan_scale
    dealer_plan = np.maximum(-result.ineqlin.marginals, 0.0) * row_scale
    return equilibrium_of_plans(
        rules,
        Algorithm.LP,
        player_plan,
        dealer_plan,
        tolerance=tolerance,
        iterations=int(result.nit),
        seconds=time.perf_counter() - started,
    )


def _most_orders(graph: DecisionGraph) -> Floats:
    """Return how many orders lead to each node of a side that always goes on where it can."""
    everywhere = plan_of(graph, np.ones((graph.node_count, 2)))
    return everywhere[1::2]


def _order_probabilities(game: SequenceGame) -> Floats:
    """Return how likely one order of the cards of each dealer node is."""
    return np.array([joint_probability(deals().counts[node.multiset]) for node in game.dealer_nodes])


def _flow(graph: DecisionGraph) -> csr_array:
    """Return the matrix that says of a plan: the root is played once, and what flows into a node flows out of it."""
    rows, columns, entries = [0], [0], [1.0]
    for node in range(graph.node_count):
        rows += [node + 1, node + 1]
        columns += [1 + 2 * node, 2 + 2 * node]
        entries += [1.0, 1.0]
    for sequence in range(graph.sequence_count):
        for link in range(graph.first_link[sequence], graph.first_link[sequence + 1]):
            rows.append(int(graph.link_node[link]) + 1)
            columns.append(sequence)
            entries.append(-float(graph.link_count[link]))
    return csr_array((entries, (rows, columns)), shape=(graph.node_count + 1, graph.sequence_count))


def _payoff(game: SequenceGame) -> csr_array:
    """Return all blocks as one sparse matrix."""
    rows = np.concatenate([np.repeat(block.rows, len(block.columns)) for block in game.blocks])
    columns = np.concatenate([np.tile(block.columns, len(block.rows)) for block in game.blocks])
    entries = np.concatenate([block.payoff.ravel() for block in game.blocks])
    shape = (game.player.sequence_count, game.dealer.sequence_count)
    matrix = csr_array((entries, (rows, columns)), shape=shape)
    matrix.eliminate_zeros()
    return matrix


def _bounds(graph: DecisionGraph, values: int) -> list[tuple[float | None, float | None]]:
    """Plans run from 0 to 1, or stay at 0 where the rules forbid the action; values are free."""
    legal = [True, *graph.legal.ravel().tolist()]
    return [(0.0, None if is_legal else 0.0) for is_legal in legal] + [(None, None)] * values
