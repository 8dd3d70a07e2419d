"""The solved games that tables play by: each rule set is solved once a process and kept for the next hand."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import parse_algorithm, solve
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.errors import InputError

#: How many solutions are kept; the one that was asked for longest ago goes first.
KEPT_SOLUTIONS = 24

#: How narrow a person may ask the certified interval to be: beyond it, rounding is all that is left.
TOLERANCES = {"1e-6": 1e-6, "1e-7": 1e-7, "1e-8": 1e-8, "1e-9": 1e-9, "1e-10": 1e-10}


@dataclass(frozen=True, slots=True)
class Method:
    """How a game is solved: the algorithm, and the width of the certified interval at which it stops.

    Examples
    --------
    >>> Method.parsed("cfr+", "1e-8")
    Method(algorithm=<Algorithm.CFR_PLUS: 'cfr+'>, tolerance=1e-08)
    """

    algorithm: Algorithm = Algorithm.PCFR_PLUS
    tolerance: float = 1e-9

    @classmethod
    def parsed(cls, algorithm: str, tolerance: str) -> "Method":
        """Read both parts of a method."""
        if tolerance not in TOLERANCES:
            raise InputError(f"no accuracy '{tolerance}'; choose {', '.join(TOLERANCES)}")
        return cls(parse_algorithm(algorithm), TOLERANCES[tolerance])


class SolutionCache:
    """The last few solutions that were asked for, by rules and method; safe to use from many threads.

    Examples
    --------
    >>> cache = SolutionCache(kept=1)
    >>> for rules in (BanluckRules(), BanluckRules(pays_777=21)):
    ...     cache.put(solve(rules), None)
    >>> cache.find(BanluckRules(), None) is None, cache.find(BanluckRules(pays_777=21), None) is None
    (True, False)
    """

    def __init__(self, kept: int = KEPT_SOLUTIONS) -> None:
        self._kept = kept
        self._solutions: OrderedDict[tuple[BanluckRules, Method | None], Solution] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, rules: BanluckRules, method: Method | None) -> Solution | None:
        """Return a solution if it is here; no method stands for whatever is quickest."""
        with self._lock:
            found = self._solutions.get((rules, method))
            if found is not None:
                self._solutions.move_to_end((rules, method))
            return found

    def put(self, solution: Solution, method: Method | None) -> None:
        """Keep a solution, in place of the one that was asked for longest ago if there are too many."""
        with self._lock:
            self._solutions[solution.rules, method] = solution
            self._solutions.move_to_end((solution.rules, method))
            while len(self._solutions) > self._kept:
                self._solutions.popitem(last=False)

    def find_for_table(self, rules: BanluckRules) -> Solution | None:
        """Return the solution that a table plays by, if there is one already."""
        return self.find(rules, Method()) or self.find(rules, None)

    def solve_for_table(self, rules: BanluckRules) -> Solution:
        """Return the solution that opponents and coach play by; solve the game if nobody has yet.

        >>> SOLUTIONS.solve_for_table(BanluckRules()) is SOLUTIONS.solve_for_table(BanluckRules())
        True
        """
        found = self.find_for_table(rules)
        if found is None:
            found = solve(rules)
            self.put(found, None)
        return found


#: The cache of this process.
SOLUTIONS = SolutionCache()
