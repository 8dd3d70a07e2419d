"""Solved tables of several players on disk: solving one takes from half a minute, reading it back a moment.

They are kept in the cache folder, one NumPy archive a rule set and number of players. A file that cannot be read is solved anew.
"""

import hashlib
import io
import json
import logging
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.banluck.analysis.solving import TABLE_TOLERANCES, solve_table
from croupier.banluck.analysis.table_solution import Sampling, TableSolution
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.table.counts_dealer import CountsPolicy
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.files import FileError, make_folder, read_bytes, write_bytes
from croupier.folders import cache_folders, writable_cache

if TYPE_CHECKING:
    from croupier.banluck.solvers.table.equilibrium import Progress

_log = logging.getLogger(__name__)

_FORMAT = "croupier banluck table 1"
_FOLDER = "tables"


def solved_table(
    rules: BanluckRules,
    players: int,
    *,
    tolerance: float | None = None,
    progress: "Progress | None" = None,
) -> TableSolution:
    """Return a solved table of several players: the saved one, or a new one, which is saved.

    Parameters
    ----------
    tolerance
        What anybody may gain by another strategy; a saved table that is worse is solved anew.

    Raises
    ------
    InputError
        If this number of players is not solved.

    Examples
    --------
    >>> solved_table(BanluckRules(), 9)
    Traceback (most recent call last):
    croupier.errors.InputError: 9 players: tables of 1 to 7 players are solved
    """
    found = load_table(rules, players, tolerance)
    if found is None:
        found = solve_table(rules, players, tolerance=tolerance, progress=progress)
        try:
            save_table(found)
        except FileError as error:
            _log.warning("the solution for %s players is not saved: %s", players, error)
    return found


def load_table(
    rules: BanluckRules, players: int, tolerance: float | None = None, *, folder: Path | None = None
) -> TableSolution | None:
    """Return a saved table, if there is one that is good enough."""
    wanted = TABLE_TOLERANCES.get(players, 0.0) if tolerance is None else tolerance
    folders = [place / _FOLDER for place in cache_folders()] if folder is None else [folder]
    for place in folders:
        try:
            found = _read(place / _name(rules, players))
        except (FileError, OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            continue  # not there, cut off, or of another version
        if found.rules == rules and found.players == players and found.largest_gain <= wanted:
            return found
    return None


def save_table(solution: TableSolution, *, folder: Path | None = None) -> Path:
    """Save a solved table, and return where."""
    folder = writable_cache() / _FOLDER if folder is None else folder
    make_folder(folder)
    header = {**solution.to_dict(), "format": _FORMAT}
    buffer = io.BytesIO()
    arrays: dict[str, Any] = solution.strategy.arrays()
    np.savez_compressed(buffer, header=np.array(json.dumps(header)), **arrays)
    path = folder / _name(solution.rules, solution.players)
    write_bytes(path, buffer.getvalue(), what="solved table")
    return path


def _read(path: Path) -> TableSolution:
    with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header: dict[str, Any] = json.loads(str(arrays.pop("header")))
    if header["format"] != _FORMAT:
        raise ValueError(f"'{path}' is of another format")
    return TableSolution(
        rules=BanluckRules.create(header["rules"]),
        values=tuple(header["values"]),
        dealer_value=header["dealer_value"],
        gains=tuple(header["gains"]),
        dealer_gain=header["dealer_gain"],
        stderr=None if header["stderr"] is None else tuple(header["stderr"]),
        method=header["method"],
        information=header["information"],
        seconds=header["seconds"],
        strategy=_strategy(arrays, len(header["values"])),
        sampling=_sampling(header["sampling"]),
        version=header["version"],
    )


def _strategy(arrays: dict[str, Any], players: int) -> TableStrategy | CountsStrategy:
    if "hit" in arrays:
        policy = CountsPolicy(arrays["closed"], arrays["surrender"])
        return CountsStrategy(players, arrays["hit"], policy)
    return TableStrategy.from_arrays(arrays)


def _sampling(saved: dict[str, Any] | None) -> Sampling | None:
    if saved is None:
        return None
    entries: dict[str, Any] = {
        name: tuple(entry) if isinstance(entry, list) else entry for name, entry in saved.items()
    }
    return Sampling(**entries)


def _name(rules: BanluckRules, players: int) -> str:
    """Return the name of a table's file."""
    text = json.dumps(rules.model_dump(mode="json"), sort_keys=True)
    return f"banluck-{players}-{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"
