"""Tables of several with strategies that are not solved: random ones, and the heads-up ones."""

import numpy as np

from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.banluck.solvers.table.counts_dealer import CountsDealer, CountsPolicy
from croupier.banluck.solvers.table.counts_regrets import Table
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealt_hands import first_rows
from croupier.banluck.solvers.table.situations import ACTIONS, DRAW


def random_counts(rules: BanluckRules, players: int, seed: int, *, pure: bool) -> CountsStrategy:
    """Return strategies that do anything that is allowed; pure ones do it always."""
    source = np.random.default_rng(seed)
    side = CountsDealer(rules, players)
    closed = source.random(side.policy_shape) * side.situations.allowed[:, None, :]
    surrender = source.random((len(side.hands.hands), side.columns)) * side.hands.may_void[:, None]
    hit = source.random((int(first_rows(players)[-1]), len(MULTISETS)))
    if pure:
        closed = (np.arange(ACTIONS) == closed.argmax(axis=2)[..., None]).astype(np.float64)
        surrender, hit = np.round(surrender), np.round(hit)
    closed /= closed.sum(axis=2, keepdims=True)
    return CountsStrategy(players, hit, CountsPolicy(closed, surrender))


def heads_up_table(rules: BanluckRules, players: int, block_deals: int, seed: int = 5) -> Table:
    """Return a table with the heads-up solution, rounded so that nobody needs luck."""
    found = solve_equilibrium(rules, tolerance=1e-4, max_iterations=500)
    player = PlayerStrategy(np.round(found.player.hit))
    dealer = DealerStrategy(np.round(found.dealer.draw), np.round(found.dealer.surrender))
    return Table(rules, players, seed, player, dealer, block_deals)


def as_heads_up(table: Table) -> CountsStrategy:
    """Return strategies that do at this table what the heads-up ones do, as if the first closed seat were alone."""
    side = CountsDealer(table.rules, table.players)
    policy = side.first_policy()
    hands = side.hands.hands[side.hands.choices]
    for state, closed in enumerate(side.situations.closed):
        if closed.sum() == 0:
            continue
        kind = int(np.flatnonzero(closed)[0])
        draws = (table.dealer.draw[hands, kind] > 0.5) & side.situations.allowed[state, DRAW]
        policy.closed[state, draws] = np.arange(ACTIONS) == DRAW
    policy.surrender[:] = table.dealer.surrender[side.hands.hands][:, :1] * side.hands.may_void[:, None]
    rows = int(first_rows(table.players)[-1])
    return CountsStrategy(table.players, np.repeat(table.player.hit[None], rows, axis=0), policy)
