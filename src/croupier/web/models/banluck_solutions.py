"""Solved rule sets of Banluck, kept so that the second visitor has them at once."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from croupier.banluck.analysis.chart import PlayerChart, player_chart
from croupier.banluck.analysis.heat_map import HeatMap, dealer_heats, player_heat
from croupier.banluck.analysis.outcomes import OutcomeDistribution, outcome_distribution
from croupier.banluck.analysis.sensitivity import certified_solution
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.equilibrium import RegretRun, solve_equilibrium
from croupier.banluck.solvers.solution import Solution
from croupier.errors import InputError
from croupier.web.jobs import Report, Stopped

KeyT = TypeVar("KeyT")
ThingT = TypeVar("ThingT")

#: How many solved games are kept; the one that was asked for longest ago goes first.
KEPT_GAMES = 24

#: How narrow a visitor may ask the certified interval to be: beyond it, rounding is all that is left.
TOLERANCES = {"1e-6": 1e-6, "1e-7": 1e-7, "1e-8": 1e-8, "1e-9": 1e-9, "1e-10": 1e-10}


@dataclass(frozen=True, slots=True)
class Method:
    """How a game is to be solved: the algorithm, and the width of the certified interval at which it stops.

    Examples
    --------
    >>> Method.parsed("cfr+", "1e-8")
    Method(algorithm=<Algorithm.CFR_PLUS: 'cfr+'>, tolerance=1e-08)
    >>> Method.parsed("guessing", "1e-8")
    Traceback (most recent call last):
    croupier.errors.InputError: no algorithm 'guessing'; choose cfr, cfr+, dcfr, pcfr+, lp
    """

    algorithm: Algorithm = Algorithm.PCFR_PLUS
    tolerance: float = 1e-9

    @classmethod
    def parsed(cls, algorithm: str, tolerance: str) -> "Method":
        """Read both parts of a method."""
        if algorithm not in list(Algorithm):
            raise InputError(f"no algorithm '{algorithm}'; choose {', '.join(Algorithm)}")
        if tolerance not in TOLERANCES:
            raise InputError(f"no accuracy '{tolerance}'; choose {', '.join(TOLERANCES)}")
        return cls(Algorithm(algorithm), TOLERANCES[tolerance])


#: How the explorer solves if nobody says otherwise.
EXPLORERS_METHOD = Method()


class SolvedGame:
    """A solution with everything that the pages read off it; what is dear is worked out when it is first asked for.

    Examples
    --------
    >>> game = SolvedGame(certified_solution(BanluckRules()))
    >>> game.player_heat.cells["2 cards, hard", 16].label
    'S'
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.book = StrategyBook(solution.player, solution.dealer, solution.rules)

    @property
    def rules(self) -> BanluckRules:
        """The rules that are solved."""
        return self.solution.rules

    @cached_property
    def outcomes(self) -> OutcomeDistribution:
        """How a hand ends."""
        return outcome_distribution(self.solution.player, self.solution.dealer, self.rules)

    @cached_property
    def chart(self) -> PlayerChart:
        """The player's memorisable chart and its price."""
        return player_chart(self.solution, self.book)

    @cached_property
    def player_heat(self) -> HeatMap:
        """The player's decisions by what a person can tell apart at a glance."""
        return player_heat(self.book)

    @cached_property
    def dealer_heats(self) -> tuple[HeatMap, ...]:
        """The dealer's, one map for each card count that the dealer can tell."""
        return dealer_heats(self.book)


class Shelf(Generic[KeyT, ThingT]):
    """Things by their keys, the last few that were asked for.

    Examples
    --------
    >>> shelf: Shelf[str, int] = Shelf(kept=2)
    >>> for number, name in enumerate(("ace", "deuce")):
    ...     shelf.put(name, number)
    >>> shelf.find("ace")
    0
    >>> shelf.put("trey", 2)
    >>> shelf.find("deuce") is None, shelf.find("ace")
    (True, 0)
    """

    def __init__(self, kept: int = KEPT_GAMES) -> None:
        self._kept = kept
        self._things: OrderedDict[KeyT, ThingT] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: KeyT) -> ThingT | None:
        """Return a thing if it is here."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key]

    def put(self, key: KeyT, thing: ThingT) -> None:
        """Keep a thing, in place of the one that was asked for longest ago if there are too many."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > self._kept:
                self._things.popitem(last=False)


#: Solved games by rules and method; None is the tables' own way, which takes whatever is quickest.
GameShelf = Shelf[tuple[BanluckRules, Method | None], SolvedGame]

#: The shelf of this process.
SHELF: GameShelf = Shelf()


def solve_live(
    rules: BanluckRules, method: Method, report: Report = lambda _: None, shelf: GameShelf = SHELF
) -> SolvedGame:
    """Solve a game and report the curve so far at every certification; a stopped run keeps what it has reached.

    Examples
    --------
    >>> points = []
    >>> game = solve_live(BanluckRules(), Method(tolerance=1e-6), report=points.append, shelf=Shelf())
    >>> points[-1] == game.solution.curve, game.solution.converged
    (True, True)
    """
    found = shelf.find((rules, method))
    if found is not None:
        return found
    report(())
    game = SolvedGame(_solved(rules, method, report))
    game.outcomes, game.chart  # noqa: B018 - worked out here, outside the event loop
    if game.solution.converged:
        shelf.put((rules, method), game)
    return game


def solved_for_table(rules: BanluckRules, shelf: GameShelf = SHELF) -> SolvedGame:
    """Return the solved game that opponents and coach play by, solving it if nobody has yet.

    >>> solved_for_table(BanluckRules()) is solved_for_table(BanluckRules())
    True
    """
    found = find_for_table(rules, shelf)
    if found is not None:
        return found
    game = SolvedGame(certified_solution(rules))
    shelf.put((rules, None), game)
    return game


def find_for_table(rules: BanluckRules, shelf: GameShelf = SHELF) -> SolvedGame | None:
    """Return the game that a table plays by, if it is solved already."""
    return shelf.find((rules, EXPLORERS_METHOD)) or shelf.find((rules, None))


def _solved(rules: BanluckRules, method: Method, report: Report) -> Solution:
    if method.algorithm is Algorithm.LP:
        from croupier.banluck.solvers.linear_program import (  # noqa: PLC0415 - SciPy takes half a second to import
            solve_linear_program,
        )

        return solve_linear_program(rules, tolerance=method.tolerance)
    run = RegretRun.started(rules, method.algorithm)

    def show(run: RegretRun) -> None:
        report(tuple(run.curve))

    try:
        return solve_equilibrium(
            rules, algorithm=method.algorithm, tolerance=method.tolerance, run=run, on_check=show
        )
    except Stopped:
        return solve_equilibrium(
            rules,
            algorithm=method.algorithm,
            tolerance=method.tolerance,
            run=run,
            max_iterations=run.iterations,
        )
