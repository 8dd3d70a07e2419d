"""Saving a run at a table of several, and resuming it as if nothing had happened."""

from pathlib import Path

from croupier import __version__
from croupier.banluck.solvers.checkpoint import (
    CheckpointError,
    counter,
    matching,
    read_archive,
    verify_saved_rules,
    write_archive,
)
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.counts_dealer import CountsPolicy
from croupier.banluck.solvers.table.counts_regrets import CountsRun, Table

_FORMAT = "croupier banluck table run 1"
_ARRAYS = (
    "hit",
    "hit_regrets",
    "hit_sum",
    "hit_mass",
    "regrets",
    "policy_sum",
    "surrender_regrets",
    "surrender_sum",
)
_COUNTERS = ("iterations", "weight", "seconds")
#: Two runs with the same of these deal the same hands.
_SETTINGS = ("players", "seed", "block_deals")


def save_counts_run(run: CountsRun, path: Path) -> None:
    """Save a run, replacing an earlier save at once."""
    header = {
        "format": _FORMAT,
        "version": __version__,
        "rules": run.table.rules.model_dump(mode="json"),
        **{name: getattr(run.table, name) for name in _SETTINGS},
        **{name: getattr(run, name) for name in _COUNTERS},
    }
    arrays: dict[str, Floats] = {name: getattr(run, name) for name in _ARRAYS}
    write_archive(path, header, arrays | {"closed": run.policy.closed, "surrender": run.policy.surrender})


def load_counts_run(path: Path, table: Table) -> CountsRun:
    """Read a saved run of the same table.

    Raises
    ------
    CheckpointError
        If the file is damaged, of another program, or of another table; the message says which.
    """
    header, arrays = read_archive(path, _FORMAT)
    verify_saved_rules(header, path, table.rules)
    for name in _SETTINGS:
        if header.get(name) != getattr(table, name):
            raise CheckpointError(
                f"save file '{path}' has {name} = {header.get(name)}, not {getattr(table, name)}; it is left as it is"
            )
    run = CountsRun(table)
    for name in _ARRAYS:
        setattr(run, name, matching(arrays, name, getattr(run, name), path))
    run.policy = CountsPolicy(
        matching(arrays, "closed", run.policy.closed, path),
        matching(arrays, "surrender", run.policy.surrender, path),
    )
    run.iterations = int(counter(header, "iterations", path))
    run.weight = counter(header, "weight", path)
    run.seconds = counter(header, "seconds", path)
    return run
