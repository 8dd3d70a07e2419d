"""Compiled passes over a side's decision graph: plans forward, values and regrets backward.

Everything is written for a side that maximises; the dealer hands in the negated gradient.
"""

import numpy as np

from croupier.banluck.solvers.hand_table import Flags, Floats, Integers
from croupier.numerics.compiled import compiled


@compiled
def plan_of_policy(
    policy: Floats, first_link: Integers, link_node: Integers, link_count: Floats, plan: Floats
) -> None:
    """Turn action probabilities into masses of sequences: what flows into a node is divided by its policy."""
    inflow = np.zeros(len(policy))
    plan[0] = 1.0
    for link in range(first_link[0], first_link[1]):
        inflow[link_node[link]] += link_count[link]
    for node in range(len(policy)):
        for action in range(2):
            sequence = 1 + 2 * node + action
            mass = inflow[node] * policy[node, action]
            plan[sequence] = mass
            for link in range(first_link[sequence], first_link[sequence + 1]):
                inflow[link_node[link]] += link_count[link] * mass


@compiled
def action_values(
    gradient: Floats,
    policy: Floats,
    first_link: Integers,
    link_node: Integers,
    link_count: Floats,
    values: Floats,
) -> float:
    """Set the counterfactual value of each action when the policy is followed afterwards; return the root's."""
    node_value = np.empty(len(policy))
    for node in range(len(policy) - 1, -1, -1):
        total = 0.0
        for action in range(2):
            sequence = 1 + 2 * node + action
            value = gradient[sequence]
            for link in range(first_link[sequence], first_link[sequence + 1]):
                value += link_count[link] * node_value[link_node[link]]
            values[node, action] = value
            total += policy[node, action] * value
        node_value[node] = total
    root = gradient[0]
    for link in range(first_link[0], first_link[1]):
        root += link_count[link] * node_value[link_node[link]]
    return float(root)


@compiled
def best_policy(
    gradient: Floats,
    legal: Flags,
    first_link: Integers,
    link_node: Integers,
    link_count: Floats,
    policy: Floats,
) -> float:
    """Set the pure policy that is best against a gradient, ties to the first action; return its value."""
    node_value = np.empty(len(policy))
    for node in range(len(policy) - 1, -1, -1):
        best = -np.inf
        for action in range(2):
            policy[node, action] = 0.0
            if not legal[node, action]:
                continue
            sequence = 1 + 2 * node + action
            value = gradient[sequence]
            for link in range(first_link[sequence], first_link[sequence + 1]):
                value += link_count[link] * node_value[link_node[link]]
            if value > best:
                best = value
                policy[node, :] = 0.0
                policy[node, action] = 1.0
        node_value[node] = best
    root = gradient[0]
    for link in range(first_link[0], first_link[1]):
        root += link_count[link] * node_value[link_node[link]]
    return float(root)


@compiled
def match_regrets(regrets: Floats, legal: Flags, policy: Floats) -> None:
    """Set the policy in proportion to positive regrets, uniform over the legal actions where there are none."""
    for node in range(len(policy)):
        total = 0.0
        for action in range(2):
            total += max(regrets[node, action], 0.0) if legal[node, action] else 0.0
        for action in range(2):
            if not legal[node, action]:
                policy[node, action] = 0.0
            elif total > 0.0:
                policy[node, action] = max(regrets[node, action], 0.0) / total
            else:
                policy[node, action] = 1.0 / (legal[node, 0] + legal[node, 1])


@compiled
def add_regrets(
    regrets: Floats, values: Floats, policy: Floats, keep_positive: float, keep_negative: float, floor: float
) -> None:
    """Discount the regrets so far by their sign, add this iteration's, and cut them off below the floor."""
    for node in range(len(policy)):
        expected = policy[node, 0] * values[node, 0] + policy[node, 1] * values[node, 1]
        for action in range(2):
            regret = regrets[node, action]
            regret *= keep_positive if regret > 0.0 else keep_negative
            regrets[node, action] = max(regret + values[node, action] - expected, floor)
