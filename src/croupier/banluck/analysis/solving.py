"""Solving a rule set: which algorithm, how narrow the certified interval, and runs that are saved and resumed."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.rules import REFERENCE, BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.checkpoint import load_run, save_run
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.banluck.solvers.regret_minimisation import (
    REGRET_ALGORITHMS,
    RegretRun,
    solve_equilibrium,
    verify_tolerance,
)
from croupier.errors import InputError
from croupier.files import FileError
from croupier.numerics.streams import verify_seed

if TYPE_CHECKING:  # the solvers of several players compile kernels that one player does not need
    from croupier.banluck.analysis.table_solution import TableSolution
    from croupier.banluck.solvers.table.equilibrium import Progress, TableRun, TwoPlayerEquilibrium
    from croupier.banluck.solvers.table.strategy import Information

#: Rules that take regret minimisation longer than this are left to the linear program.
_MANY_ITERATIONS = 2000

_SECONDS_BETWEEN_SAVES = 1.0
#: A table's run is larger.
_SECONDS_BETWEEN_TABLE_SAVES = 20.0

#: What everybody at a table of several may decide on.
INFORMATION = ("full", "counts")

#: A table is solved to this where nothing else is asked for: two players exactly, three and four, and five to seven on sampled deals.
EXACT_PLAYERS = 2
TABLE_TOLERANCES = {EXACT_PLAYERS: 1e-6, 3: 1e-4, 4: 1e-4, 5: 1e-3, 6: 1e-3, 7: 1e-3}


@overload
def solve(
    rules: BanluckRules = REFERENCE,
    *,
    players: Literal[1] = 1,
    algorithm: Algorithm | str | None = None,
    tolerance: float = 1e-7,
    save: Path | str | None = None,
    on_check: Callable[[RegretRun], None] | None = None,
) -> Solution: ...


@overload
def solve(
    rules: BanluckRules = REFERENCE,
    *,
    players: int,
    algorithm: Algorithm | str | None = None,
    tolerance: float | None = None,
    save: Path | str | None = None,
    on_check: Callable[[RegretRun], None] | None = None,
    information: "Information | None" = None,
    seed: int | None = None,
    workers: int | None = None,
) -> "Solution | TableSolution": ...


def solve(
    rules: BanluckRules = REFERENCE,
    *,
    players: int = 1,
    algorithm: Algorithm | str | None = None,
    tolerance: float | None = None,
    save: Path | str | None = None,
    on_check: Callable[[RegretRun], None] | None = None,
    information: "Information | None" = None,
    seed: int | None = None,
    workers: int | None = None,
) -> "Solution | TableSolution":
    """Solve a game, to a certified interval for its value; several players, to certified gains of everybody.

    Parameters
    ----------
    rules
        The rules; those of the preset ``reference`` if there are none.
    players
        How many players are seated, up to seven. Two are solved exactly, three and more on sampled deals. The result is then a
        :class:`~croupier.banluck.analysis.table_solution.TableSolution`.
    algorithm
        ``cfr``, ``cfr+``, ``dcfr``, ``pcfr+`` or ``lp``. By default ``pcfr+``, and the linear program where that is slow.
    tolerance
        How wide the certified interval may be, in units per hand (1e-7 by default); with several players, what anybody may
        gain by another strategy (1e-6 with two, 1e-4 with three and four, 1e-3 with more).
    save
        A file to keep the run in; if it is there, the run is resumed. Not for the linear program.
    on_check
        Called with the run so far after every certification; for one player.
    information
        What everybody at a table of two decides on: ``full`` (by default) is all that is public; with ``counts``, the cards of busts and of hands that
        the dealer has opened are not remembered. Tables of more have ``counts``.
    seed, workers
        The seed of sampled deals (0 by default), and how many threads deal them (one per processor). For three players and more.

    Raises
    ------
    InputError
        If there is no such algorithm, or the save file is not one of the same rules and algorithm.

    Examples
    --------
    >>> from croupier import banluck
    >>> solution = banluck.solve(banluck.rules("singapore"))
    >>> print(f"{solution.value:+.4f}, {solution.chart['9-7']}")
    -0.0104, stand
    """
    if players != 1:
        if algorithm is not None or on_check is not None:
            raise InputError("algorithm and on_check are for one player; several have one algorithm")
        return solve_table(
            rules,
            players,
            tolerance=tolerance,
            save=save,
            information=information,
            seed=seed,
            workers=workers,
        )
    if information is not None:
        raise InputError("information is for two players and more; one player sees no others")
    if seed is not None or workers is not None:
        raise InputError("seed and workers are for three players and more; fewer are solved exactly")
    tolerance = 1e-7 if tolerance is None else tolerance
    verify_tolerance(tolerance)
    chosen = None if algorithm is None else parse_algorithm(algorithm)
    if chosen is Algorithm.LP:
        if save is not None:
            raise InputError(
                f"a linear program is not saved; to save a run, choose {', '.join(REGRET_ALGORITHMS)}"
            )
        return Solution.of(_by_linear_program(rules, tolerance))
    patience = _MANY_ITERATIONS if chosen is None and save is None else None
    found = _by_regrets(rules, chosen or Algorithm.PCFR_PLUS, tolerance, save, on_check, patience)
    if patience is not None and not found.converged:
        programmed = _by_linear_program(rules, tolerance)
        found = min(found, programmed, key=lambda equilibrium: equilibrium.exploitability)
    return Solution.of(found)


def solve_table(
    rules: BanluckRules,
    players: int,
    *,
    tolerance: float | None = None,
    save: Path | str | None = None,
    information: "Information | None" = None,
    seed: int | None = None,
    workers: int | None = None,
    progress: "Progress | None" = None,
) -> "TableSolution":
    """Solve a table of several players.

    Parameters
    ----------
    tolerance, save, information, seed, workers
        See :func:`solve`.
    progress
        Told what is being done and how much could still be gained.

    Raises
    ------
    InputError
        If this number of players cannot be seated, or an option is not for it.

    Examples
    --------
    >>> solve_table(REFERENCE, 9)
    Traceback (most recent call last):
    croupier.errors.InputError: 9 players: tables of 1 to 7 players are solved
    """
    from croupier.banluck.analysis.table_solution import TableSolution  # noqa: PLC0415 - heavy, for several players only

    if players not in TABLE_TOLERANCES:
        raise InputError(f"{players} players: tables of 1 to {max(TABLE_TOLERANCES)} players are solved")
    tolerance = TABLE_TOLERANCES[players] if tolerance is None else tolerance
    verify_tolerance(tolerance)
    if information not in (None, *INFORMATION):
        raise InputError(f"information '{information}': choose {' or '.join(INFORMATION)}")
    if players == EXACT_PLAYERS:
        if seed is not None or workers is not None:
            raise InputError("seed and workers are for larger tables; two players are solved exactly")
        return TableSolution.of(_solved_exactly(rules, information or "full", tolerance, save, progress))
    if information == "full":
        raise InputError(f"information 'full' is solved for two players; {players} go by card counts")
    from croupier.banluck.solvers.table.counts_equilibrium import solve_counts  # noqa: PLC0415 - the same

    verify_seed(seed or 0)
    solved = solve_counts(
        rules,
        players,
        tolerance=tolerance,
        seed=seed or 0,
        workers=workers,
        save=None if save is None else Path(save),
        progress=progress,
    )
    return TableSolution.of(solved)


def _solved_exactly(
    rules: BanluckRules,
    information: "Information",
    tolerance: float,
    save: Path | str | None,
    progress: "Progress | None",
) -> "TwoPlayerEquilibrium":
    """Solve for two players; with a save file, resume where it ends, and keep in it how far it came, also when it is stopped."""
    from croupier.banluck.solvers.table.checkpoint import load_table_run, save_table_run  # noqa: PLC0415 - heavy
    from croupier.banluck.solvers.table.equilibrium import solve_two_players  # noqa: PLC0415 - the same

    solve_to = partial(
        solve_two_players, rules, information=information, tolerance=tolerance, progress=progress
    )
    if save is None:
        return solve_to()
    path = Path(save)
    _verify_folder(path)
    run = load_table_run(path, rules, information) if path.exists() else None
    keeper = _LatestRun(lambda latest: save_table_run(latest, path, rules, information))
    try:
        return solve_to(run=run, keep=keeper.keep)
    finally:
        keeper.save()


class _LatestRun:
    """Remembers how far a solve has come, and saves it now and then."""

    def __init__(self, save: "Callable[[TableRun], None]") -> None:
        self._save = save
        self._latest: TableRun | None = None
        self._saved_at = time.monotonic()

    def keep(self, run: "TableRun") -> None:
        self._latest = run
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN_TABLE_SAVES:
            self.save()

    def save(self) -> None:
        if self._latest is not None:
            self._save(self._latest)
        self._saved_at = time.monotonic()


def _verify_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise FileError(f"save file '{path}': there is no such folder")


def parse_algorithm(name: str) -> Algorithm:
    """Find an algorithm by its name.

    >>> parse_algorithm("guessing")
    Traceback (most recent call last):
    croupier.errors.InputError: no algorithm 'guessing'; choose cfr, cfr+, dcfr, pcfr+, lp
    """
    if name not in list(Algorithm):
        raise InputError(f"no algorithm '{name}'; choose {', '.join(Algorithm)}")
    return Algorithm(name)


def _by_linear_program(rules: BanluckRules, tolerance: float) -> Equilibrium:
    from croupier.banluck.solvers.linear_program import (  # noqa: PLC0415 - SciPy takes half a second to import
        solve_linear_program,
    )

    return solve_linear_program(rules, tolerance=tolerance)


def _by_regrets(
    rules: BanluckRules,
    algorithm: Algorithm,
    tolerance: float,
    save: Path | str | None,
    on_check: Callable[[RegretRun], None] | None,
    patience: int | None,
) -> Equilibrium:
    keeper = None if save is None else _RunKeeper(Path(save))
    run = RegretRun.started(rules, algorithm) if keeper is None else keeper.opened(rules, algorithm)

    def checked(run: RegretRun) -> None:
        if on_check is not None:
            on_check(run)
        if keeper is not None:
            keeper.checked(run)

    limit = {} if patience is None else {"max_iterations": patience}
    found = solve_equilibrium(
        rules, algorithm=algorithm, tolerance=tolerance, run=run, on_check=checked, **limit
    )
    if keeper is not None:
        keeper.save(run)
    return found


class _RunKeeper:
    """Saves a run now and then, and at its end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved_at = time.monotonic()

    def opened(self, rules: BanluckRules, algorithm: Algorithm) -> RegretRun:
        """Return the run that the file holds, or a fresh one if there is no file."""
        _verify_folder(self._path)
        if self._path.exists():
            return load_run(self._path, rules, algorithm)
        return RegretRun.started(rules, algorithm)

    def checked(self, run: RegretRun) -> None:
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN_SAVES:
            self.save(run)

    def save(self, run: RegretRun) -> None:
        save_run(run, self._path)
        self._saved_at = time.monotonic()
