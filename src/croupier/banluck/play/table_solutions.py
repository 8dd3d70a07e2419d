"""The solutions for several players that tables play by: solved once, in the background, while the table plays on."""

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum

from croupier.banluck.analysis.saved_tables import load_table, solved_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine.rules import BanluckRules

#: How many solutions are kept in memory, some 40 MB each; the one that was asked for longest ago goes first.
KEPT_TABLES = 4

#: How many tables may wait to be solved; one is solved at a time.
WAITING_TABLES = 8

_log = logging.getLogger(__name__)

_Key = tuple[BanluckRules, int]


class Standing(StrEnum):
    """How it stands with the solution of a table."""

    SOLVED = "solved"
    SOLVING = "solving"
    FAILED = "failed"
    NOT_STARTED = "not started"


class TableSolutions:
    """Solutions for several players, by rules and number of players; safe to use from many threads.

    A table asks :meth:`find` at each deal and never waits. :meth:`prepare` reads a saved solution or starts solving in the background.

    Parameters
    ----------
    load, solve
        Where solutions come from: what was saved, if anything, and the solver.

    Examples
    --------
    >>> solutions = TableSolutions()
    >>> solutions.find(BanluckRules(), 2) is None, str(solutions.standing(BanluckRules(), 2))
    (True, 'not started')
    """

    def __init__(
        self,
        load: Callable[[BanluckRules, int], TableSolution | None] = load_table,
        solve: Callable[[BanluckRules, int], TableSolution] = solved_table,
    ) -> None:
        self._load = load
        self._solve = solve
        self._found: OrderedDict[_Key, TableSolution] = OrderedDict()
        self._wanted: set[_Key] = set()
        self._failed: set[_Key] = set()
        self._waiting: queue.Queue[_Key] = queue.Queue(WAITING_TABLES)
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None

    def find(self, rules: BanluckRules, players: int) -> TableSolution | None:
        """Return a solution if it is in memory."""
        with self._lock:
            found = self._found.get((rules, players))
            if found is not None:
                self._found.move_to_end((rules, players))
            return found

    def put(self, solution: TableSolution) -> None:
        """Keep a solution, in place of the one that was asked for longest ago if there are too many."""
        with self._lock:
            self._found[solution.rules, solution.players] = solution
            self._found.move_to_end((solution.rules, solution.players))
            while len(self._found) > KEPT_TABLES:
                self._found.popitem(last=False)

    def prepare(self, rules: BanluckRules, players: int) -> None:
        """See to it that a solution will be there: read it, or start to solve it in the background."""
        key = (rules, players)
        if self.recall(*key) is not None:
            return
        with self._lock:
            if key in self._wanted or key in self._failed:
                return
            try:
                self._waiting.put_nowait(key)
            except queue.Full:
                return  # it is asked for again at the next deal
            self._wanted.add(key)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="table-solutions", daemon=True)
                self._worker.start()

    def recall(self, rules: BanluckRules, players: int) -> TableSolution | None:
        """Return a solution if it is in memory or was saved."""
        found = self.find(rules, players)
        if found is None:
            found = self._load(rules, players)
            if found is not None:
                self.put(found)
        return found

    def solve(self, rules: BanluckRules, players: int) -> TableSolution:
        """Return a solution; solve the table here and now if nobody has yet."""
        found = self.find(rules, players)
        if found is None:
            found = self._solve(rules, players)
            self.put(found)
        return found

    def standing(self, rules: BanluckRules, players: int) -> Standing:
        """Tell how it stands with a solution."""
        with self._lock:
            key = (rules, players)
            if key in self._found:
                return Standing.SOLVED
            if key in self._wanted:
                return Standing.SOLVING
            return Standing.FAILED if key in self._failed else Standing.NOT_STARTED

    def wait(self) -> None:
        """Wait until nothing is being solved."""
        self._waiting.join()

    def _work(self) -> None:
        while True:
            key = self._waiting.get()
            try:
                self.put(self._solve(*key))
            except Exception:  # the table plays on without it, and says so
                _log.exception("a table of %s players could not be solved", key[1])
                with self._lock:
                    self._failed.add(key)
            finally:
                with self._lock:
                    self._wanted.discard(key)
                self._waiting.task_done()


#: The solutions of this process.
TABLE_SOLUTIONS = TableSolutions()
