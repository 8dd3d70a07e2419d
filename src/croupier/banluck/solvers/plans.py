"""Between strategies (a probability an information set) and plans (a mass a sequence)."""

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import DealerPermission
from croupier.banluck.solvers.graph_kernels import best_policy, plan_of_policy
from croupier.banluck.solvers.hand_table import Floats, hand_table
from croupier.banluck.solvers.payoff_kernel import GO, STOP
from croupier.banluck.solvers.sequence_game import DecisionGraph, SequenceGame
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown

#: Below this share of the orders in which a node's cards can come, a side's own play practically never gets there.
_HARDLY_REACHED = 1e-9

#: Frequencies this close to one half come from regrets that never left zero.
_NO_OPINION = 1e-12


def plan_of(graph: DecisionGraph, policy: Floats) -> Floats:
    """Return the plan of a policy."""
    plan = np.empty(graph.sequence_count)
    plan_of_policy(policy, graph.first_link, graph.link_node, graph.link_count, plan)
    return plan


def best_reply(graph: DecisionGraph, gradient: Floats) -> tuple[float, Floats]:
    """Return the best value that a side can get against a gradient, and the pure policy that gets it."""
    policy = np.empty((graph.node_count, 2))
    value = best_policy(gradient, graph.legal, graph.first_link, graph.link_node, graph.link_count, policy)
    return float(value), policy


def policy_of_plan(graph: DecisionGraph, plan: Floats, gradient: Floats) -> Floats:
    """Return the policy of a plan; where the plan hardly goes or has no opinion, the best reply to the gradient instead.

    An averaged plan keeps traces of its first, clueless iterations at nodes that the side has long stopped
    visiting. Advice for such a node should be good advice; it changes no result, because the node is not reached.
    Where two actions pay exactly the same, regrets stay at zero and the plan stays uniform; there the best reply stops.
    """
    masses = plan[1:].reshape(-1, 2)
    inflow = masses.sum(axis=1)
    _, policy = best_reply(graph, gradient)
    decided = (inflow > _HARDLY_REACHED) & (np.abs(masses[:, 0] - masses[:, 1]) > _NO_OPINION * inflow)
    policy[decided] = masses[decided] / inflow[decided, None]
    return policy


def player_strategy(game: SequenceGame, policy: Floats) -> PlayerStrategy:
    """Return the player's strategy over all multisets."""
    hit = np.zeros(len(MULTISETS))
    hit[list(game.player_nodes)] = policy[:, GO]
    return PlayerStrategy(np.clip(hit, 0.0, 1.0))


def dealer_strategy(game: SequenceGame, policy: Floats) -> DealerStrategy:
    """Return the dealer's strategy over all multisets, forced draws included."""
    table = hand_table(game.rules)
    draw = (table.dealer == DealerPermission.DRAW).astype(np.float64)
    surrender = np.zeros((len(MULTISETS), len(Shown)))
    for node, (stop, go) in zip(game.dealer_nodes, policy, strict=True):
        if node.shown is not None:
            columns = [node.shown] if game.rules.surrender == "after_specials" else list(Shown)
            surrender[node.multiset, columns] = stop
        else:
            draw[node.multiset, [PLAYER_CARD_COUNTS.index(count) for count in node.card_counts]] = go
    return DealerStrategy(np.clip(draw, 0.0, 1.0), np.clip(surrender, 0.0, 1.0))


def player_policy(game: SequenceGame, strategy: PlayerStrategy) -> Floats:
    """Return a strategy's policy at the player's nodes; where the rules force a hit, it hits."""
    go = strategy.hit[list(game.player_nodes)]
    go = np.where(game.player.legal[:, STOP], go, 1.0)
    return np.column_stack((1.0 - go, go))


def dealer_policy(game: SequenceGame, strategy: DealerStrategy) -> Floats:
    """Return a strategy's policy at the dealer's nodes.

    Raises
    ------
    ValueError
        If the strategy uses the player's card count where the rules forbid it.
    """
    hands = [node.multiset for node in game.dealer_nodes]
    draw, surrender = strategy.draw[hands].tolist(), strategy.surrender[hands].tolist()  # read far quicker
    go = np.empty(game.dealer.node_count)
    for place, node in enumerate(game.dealer_nodes):
        if node.shown is not None:
            go[place] = 1.0 - surrender[place][node.shown]
            continue
        draws = {draw[place][PLAYER_CARD_COUNTS.index(count)] for count in node.card_counts}
        if len(draws) > 1:
            raise ValueError(
                "the dealer's strategy uses the player's card count, which reveal = \"none\" forbids"
            )
        (go[place],) = draws
    return np.column_stack((1.0 - go, go))
