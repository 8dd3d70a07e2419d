"""Charts that a person can memorise, and what it costs to play by them.

A chart knows less than the equilibrium: only the total, the number of cards and whether the hand is soft, and it never
mixes. The player's cells start from what is best on average against the equilibrium dealer and are then changed, one
at a time, as long as that raises what the chart is worth against the dealer who answers it best.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.multisets import MULTISETS, multiset_index
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.best_response import Certificate, certify_plans
from croupier.banluck.solvers.plans import dealer_policy, plan_of, player_policy
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.banluck.solvers.solution import Solution
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy


class Cell(NamedTuple):
    """What a chart distinguishes: the number of cards, soft or hard, the total; for the dealer also the player's cards."""

    cards: int
    is_soft: bool
    total: int
    against: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PlayerChart:
    """A pure rule for the player, cell by cell, and its price.

    Attributes
    ----------
    hits
        Whether to hit, for each cell.
    strategy
        The chart as a complete strategy.
    cost_against_equilibrium, cost_against_best
        Units per hand that the chart gives up against the equilibrium dealer, and against a dealer who knows the
        chart and answers it best, both compared with the value of the game.
    agreement
        Share of the player's decisions, weighted by how often they come up, in which the chart agrees with the
        better action.
    """

    rules: BanluckRules
    hits: Mapping[Cell, bool]
    strategy: PlayerStrategy
    cost_against_equilibrium: float
    cost_against_best: float
    agreement: float


def player_chart(solution: Solution, book: StrategyBook) -> PlayerChart:
    """Find the memorisable chart of a solved game.

    Examples
    --------
    >>> from croupier.banluck.solvers.equilibrium import solve_equilibrium
    >>> solution = solve_equilibrium(BanluckRules())
    >>> chart = player_chart(solution, StrategyBook(solution.player, solution.dealer, solution.rules))
    >>> chart.hits[Cell(2, False, 16)], chart.hits[Cell(2, True, 17)]
    (False, True)
    """
    cells = cells_of(book.player_decisions)
    hits = {cell: _goes_on_average(decisions) for cell, decisions in cells.items()}
    free = [cell for cell, decisions in cells.items() if decisions[0].ev_stop is not None]
    game = sequence_game(solution.rules)
    dealer_plan = plan_of(game.dealer, dealer_policy(game, solution.dealer))

    def certified(hits: Mapping[Cell, bool]) -> Certificate:
        player_plan = plan_of(game.player, player_policy(game, _strategy(hits, cells)))
        return certify_plans(game, player_plan, dealer_plan)

    worth = certified(hits)
    improved = True
    while improved:
        improved = False
        for cell in free:
            changed = {**hits, cell: not hits[cell]}
            candidate = certified(changed)
            if candidate.lower > worth.lower + 1e-12:
                hits, worth, improved = changed, candidate, True
    return PlayerChart(
        rules=solution.rules,
        hits=hits,
        strategy=_strategy(hits, cells),
        cost_against_equilibrium=max(solution.value - worth.value, 0.0),
        cost_against_best=max(solution.value - worth.lower, 0.0),
        agreement=_agreement(hits, cells),
    )


def dealer_chart(book: StrategyBook) -> dict[Cell, bool]:
    """Say for each cell of the dealer whether to draw: the better action on average over the hands of the cell."""
    decisions = [advice for advice in book.dealer_decisions if advice.go == "draw"]
    return {cell: _goes_on_average(members) for cell, members in cells_of(decisions).items()}


def dealer_chart_strategy(book: StrategyBook) -> DealerStrategy:
    """Return the dealer's chart as a complete strategy (the surrender is the equilibrium's)."""
    draw = book.dealer.draw.copy()
    chart = dealer_chart(book)
    for (hand, player_cards), advice in book.dealer_lookup.items():
        draw[multiset_index(hand), player_cards - 2] = chart[cell_of(advice)]
    return DealerStrategy(draw, book.dealer.surrender)


def cell_of(advice: Advice) -> Cell:
    """Return the cell that a decision belongs to."""
    return Cell(advice.value.card_count, advice.value.is_soft, advice.value.total, advice.against)


def cells_of(decisions: Iterable[Advice]) -> dict[Cell, list[Advice]]:
    """Gather decisions by cell, in the order of a chart."""
    cells: dict[Cell, list[Advice]] = defaultdict(list)
    for advice in decisions:
        cells[cell_of(advice)].append(advice)
    return dict(sorted(cells.items()))


def _goes_on_average(decisions: list[Advice]) -> bool:
    """Tell whether going on is better over the hands of a cell, weighted by how often they come up."""
    if decisions[0].ev_stop is None:
        return True
    weights = [advice.reach for advice in decisions]
    if sum(weights) == 0:
        weights = [1.0] * len(decisions)
    gain = sum(
        weight * (advice.ev_go - (advice.ev_stop or 0.0))
        for weight, advice in zip(weights, decisions, strict=True)
    )
    return gain > 0


def _strategy(hits: Mapping[Cell, bool], cells: Mapping[Cell, list[Advice]]) -> PlayerStrategy:
    hit = np.zeros(len(MULTISETS))
    for cell, decisions in cells.items():
        hit[[multiset_index(advice.hand) for advice in decisions]] = hits[cell]
    return PlayerStrategy(hit)


def _agreement(hits: Mapping[Cell, bool], cells: Mapping[Cell, list[Advice]]) -> float:
    total = agreed = 0.0
    for cell, decisions in cells.items():
        for advice in decisions:
            total += advice.reach
            agreed += advice.reach * ((advice.best == advice.go) == hits[cell])
    return agreed / total
