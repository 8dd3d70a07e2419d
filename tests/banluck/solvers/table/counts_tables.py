"""Tables of several with strategies that are not solved: random ones, and the heads-up ones."""

import numpy as np

from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy, Shown
from croupier.banluck.solvers.table.counts_dealer import CountsDealer, CountsPolicy
from croupier.banluck.solvers.table.counts_regrets import Table
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealer_states import COUNTS, ClosedAction
from croupier.banluck.solvers.table.dealt_hands import first_rows
from croupier.banluck.solvers.table.situations import ACTIONS, DRAW, KINDS, OPEN, situation_key, situations
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_players import TwoPlayerGame


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


def as_exact(game: TwoPlayerGame, strategy: CountsStrategy) -> TableStrategy:
    """Write strategies for two players in the form of the exact solver, which knows more than they use."""
    found, closed = situations(game.rules, 2), strategy.dealer.closed
    choices = closed.shape[1]

    def states(counts: tuple[int, ...]) -> int:
        kinds = np.bincount([int(found.kind_of[count]) for count in counts], minlength=KINDS)
        return int(found.first_state[found.number[situation_key(found, 0, tuple(kinds.tolist()))] + 1] - 1)

    both = np.zeros((choices, COUNTS, COUNTS, len(ClosedAction)))
    opened = np.zeros((2, COUNTS, choices, COUNTS))  # by whose hand is known, and its card count
    for first in range(COUNTS):
        for second in range(COUNTS):
            state = states((first, second))
            both[:, first, second, : ClosedAction.OPEN_FIRST] = closed[state, :, :OPEN]
            for kind in range(KINDS):
                after = found.after[state, kind]
                if after < 0:
                    continue
                is_first = int(found.kind_of[first]) == kind
                action = ClosedAction.OPEN_FIRST if is_first else ClosedAction.OPEN_SECOND
                both[:, first, second, action] += closed[state, :, OPEN + kind]
                if is_first:
                    opened[0, first, :, second] = closed[after, :, DRAW]
                if int(found.kind_of[second]) == kind:
                    opened[1, second, :, first] = closed[after, :, DRAW]
    alone = np.stack([closed[states((count,)), :, DRAW] for count in range(COUNTS)], axis=1)
    sizes = [len(sums.known) for sums in (*game.table.lists, game.table.busts)]
    first_known, second_known = (
        [np.repeat(by_count[None], size, axis=0) for by_count, size in zip(seat, sizes, strict=False)]
        for seat in opened
    )
    second_known.append(np.repeat(alone[None], sizes[COUNTS], axis=0))
    columns = np.zeros((len(Shown), len(Shown)), dtype=np.int64)
    known = [*game.table.seats.bust.tolist(), *game.ban_hands.values()]
    return TableStrategy(
        SeatPlay(
            strategy.seat_hits(0, 0, 0),
            np.array([strategy.seat_hits(1, count == 0, count > 0) for count in range(COUNTS)]),
        ),
        DealerPolicy(both, tuple(first_known), tuple(second_known)),
        strategy.dealer.surrender[:, columns],
        {MULTISETS[hand]: (strategy.seat_hits(1, 0, 0), alone) for hand in known},
    )
