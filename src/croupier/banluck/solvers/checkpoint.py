"""Saving a run of regret minimisation, and resuming it as if nothing had happened.

A checkpoint is a NumPy archive: exact arrays, and a JSON header with the rules, the algorithm and the counters. It is
written at once or not at all, and read without trusting it.
"""

import io
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from croupier import __version__
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.regret_minimisation import RegretRun, SideState
from croupier.errors import InputError
from croupier.files import read_bytes, write_bytes
from croupier.rulebook import RulesError, as_toml

_FORMAT = "croupier banluck regret run 1"
_SIDES = ("player", "dealer")
_ARRAYS = ("regrets", "policy", "plan", "plan_sum")


class CheckpointError(InputError):
    """A file that is not a saved run, or not one of this game; it is left as it is."""


def save_run(run: RegretRun, path: Path) -> None:
    """Save a run, replacing an earlier save at once."""
    header = {
        "format": _FORMAT,
        "version": __version__,
        "rules": run.rules.model_dump(mode="json"),
        "algorithm": run.algorithm.value,
        "iterations": run.iterations,
        "weight_sum": run.weight_sum,
        "seconds": run.seconds,
    }
    curve = np.array([(point.iteration, point.lower, point.upper, point.seconds) for point in run.curve])
    arrays = {f"{side}_{name}": getattr(getattr(run, side), name) for side in _SIDES for name in _ARRAYS}
    write_archive(path, header, arrays | {"curve": curve.reshape(-1, 4)})


def load_run(path: Path, rules: BanluckRules, algorithm: Algorithm) -> RegretRun:
    """Read a saved run of the same rules and algorithm.

    Raises
    ------
    CheckpointError
        If the file is damaged, of another program, or of another game; the message says which.
    """
    header, arrays = read_archive(path, _FORMAT)
    verify_saved_rules(header, path, rules)
    if header.get("algorithm") != algorithm.value:
        raise CheckpointError(
            f"save file '{path}' is of algorithm '{header.get('algorithm')}', not '{algorithm}'; it is left as it is"
        )
    run = RegretRun.started(rules, algorithm)
    for side in _SIDES:
        state: SideState = getattr(run, side)
        for name in _ARRAYS:
            setattr(state, name, matching(arrays, f"{side}_{name}", getattr(state, name), path))
    run.iterations = int(counter(header, "iterations", path))
    run.weight_sum = counter(header, "weight_sum", path)
    run.seconds = counter(header, "seconds", path)
    points = len(arrays["curve"]) if np.ndim(arrays.get("curve", 0.0)) == 2 else 0
    curve = matching(arrays, "curve", np.empty((points, 4)), path)
    run.curve = [CurvePoint(int(row[0]), *(float(entry) for entry in row[1:])) for row in curve]
    return run


def write_archive(path: Path, header: dict[str, Any], arrays: Mapping[str, Floats]) -> None:
    """Write arrays behind a header, at once or not at all."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)
    write_bytes(path, buffer.getvalue(), what="save file")


def read_archive(path: Path, form: str) -> tuple[dict[str, Any], dict[str, Floats]]:
    """Read what :func:`write_archive` wrote, if its header names this format."""
    data = read_bytes(path, what="save file")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
    except Exception:  # a damaged archive breaks zipfile, zlib, tokenize or NumPy, each in its own way
        raise CheckpointError(
            f"save file '{path}' is not a saved run, or is cut off; it is left as it is: name another file or delete it"
        ) from None
    if not isinstance(header, dict) or header.get("format") != form:
        raise CheckpointError(f"save file '{path}' is not a saved run of this version; it is left as it is")
    return header, arrays


def verify_saved_rules(header: dict[str, Any], path: Path, rules: BanluckRules) -> None:
    """Raise unless a header is of these rules."""
    saved_rules = header.get("rules")
    try:
        saved = BanluckRules.create(saved_rules if isinstance(saved_rules, dict) else {"rules": saved_rules})
    except RulesError as error:
        raise CheckpointError(f"save file '{path}' has impossible rules: {error}") from None
    if saved != rules:
        wanted = rules.changes(saved)
        differences = ", ".join(
            f"{name} = {as_toml(getattr(saved, name))}, not {as_toml(wanted[name])}" for name in wanted
        )
        raise CheckpointError(f"save file '{path}' is of other rules ({differences}); it is left as it is")


def counter(header: dict[str, Any], name: str, path: Path) -> float:
    """Return a number of the header that cannot be negative."""
    number = header.get(name)
    if not isinstance(number, int | float) or not 0 <= number < math.inf:
        raise CheckpointError(f"save file '{path}' is damaged ('{name}'); it is left as it is")
    return float(number)


def matching(arrays: dict[str, Floats], name: str, like: Floats, path: Path) -> Floats:
    """Return an array if it looks like another one."""
    array = arrays.get(name)
    if (
        array is None
        or array.shape != like.shape
        or array.dtype != like.dtype
        or not np.all(np.isfinite(array))
    ):
        raise CheckpointError(f"save file '{path}' is damaged ('{name}'); it is left as it is")
    return array
