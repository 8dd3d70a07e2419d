"""Runs side by side: their different settings, and whether their results differ by more than chance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from croupier.runs.run import Run


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of the values of two runs.

    Attributes
    ----------
    first, second
        The numbers of the runs.
    difference
        The value of the second less that of the first.
    stderr
        The standard error of the difference, if the runs are independent.
    same_seed
        Whether both had the same seed. Then they are not independent, and ``stderr`` is a rough guess.
    """

    first: int
    second: int
    difference: float
    stderr: float
    same_seed: bool

    @property
    def in_standard_errors(self) -> float | None:
        """The difference in units of its standard error, if it has one."""
        return self.difference / self.stderr if self.stderr > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {**asdict(self), "in_standard_errors": self.in_standard_errors}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several runs side by side.

    Attributes
    ----------
    runs
        The runs, in the order asked for.
    settings
        Every setting in which they differ (kind, seed, version, parameters, rules), with its value in each run;
        ``None`` where a run has no such setting.
    differences
        One for every two runs that have a value and a standard error.
    """

    runs: tuple[Run, ...]
    settings: Mapping[str, tuple[Any, ...]]
    differences: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "runs": [run.to_dict() for run in self.runs],
            "settings": {name: list(values) for name, values in self.settings.items()},
            "differences": [difference.to_dict() for difference in self.differences],
        }


def compare_runs(runs: Sequence[Run]) -> Comparison:
    """Compare runs of any kind and status; see :class:`Comparison`."""
    settings = [_settings_of(run) for run in runs]
    names = dict.fromkeys(name for of_run in settings for name in of_run)
    rows = {name: tuple(of_run.get(name) for of_run in settings) for name in names}
    differing = {name: values for name, values in rows.items() if any(value != values[0] for value in values)}
    differences = [_difference(first, second) for first, second in combinations(runs, 2)]
    return Comparison(
        tuple(runs), differing, tuple(difference for difference in differences if difference is not None)
    )


def _settings_of(run: Run) -> dict[str, Any]:
    return {
        "kind": run.kind,
        "version": run.version,
        "seed": run.seed,
        **run.parameters,
        **{f"rules.{name}": value for name, value in run.rules.items()},
    }


def _difference(first: Run, second: Run) -> Difference | None:
    one, two = measured(first), measured(second)
    if one is None or two is None:
        return None
    return Difference(
        first.id, second.id, two[0] - one[0], math.hypot(one[1], two[1]), first.seed == second.seed
    )


def measured(run: Run) -> tuple[float, float] | None:
    """Return the value of a run and its standard error, if it has both."""
    result = run.result or {}
    value, stderr = result.get("value"), result.get("stderr")
    return (value, stderr) if isinstance(value, int | float) and isinstance(stderr, int | float) else None
