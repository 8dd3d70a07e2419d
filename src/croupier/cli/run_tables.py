"""Saved runs as tables for people."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from croupier.cli.rules import RULE_BOOKS
from croupier.rulebook import Rules, as_toml
from croupier.runs.comparison import Comparison, measured
from croupier.runs.run import Run

#: The names under which games count what was played.
_COUNTS = ("rounds", "hands", "games")

#: Wider than any table.
_UNLIMITED = 10_000


def print_list(runs: Iterable[Run]) -> None:
    """Print one line per run; on a screen that is too narrow for it, some lines per run."""
    listed = list(runs)
    table = Table(box=None, pad_edge=False)
    for column in ("id", "kind", "begun", "rules", "seed", "played", "value ± error", "status"):
        table.add_column(column, justify="right" if column in ("id", "seed", "played") else "left")
    for run in listed:
        table.add_row(
            str(run.id),
            escape(run.kind),
            _begun(run),
            escape(rules_in_short(run)),
            str(run.seed),
            _played(run),
            _value(run),
            str(run.actual_status),
        )
    console = Console()
    if _natural_width(table, console) <= console.width or not _has_width(console):
        _print(table)
    else:
        _print(_lines_table(listed))


def _lines_table(runs: Iterable[Run]) -> Table:
    """Describe each run in short lines that fit any screen."""
    table = Table(box=None, pad_edge=False)
    table.add_column("id", justify="right")
    table.add_column("run")
    for run in runs:
        played = "  ".join(filter(None, (_played(run), _value(run))))
        lines = (
            f"{run.kind}, {run.actual_status}",
            f"{_begun(run)}, seed {run.seed}",
            rules_in_short(run),
            played,
        )
        table.add_row(str(run.id), escape("\n".join(lines)))
    return table


def _begun(run: Run) -> str:
    return f"{run.created.astimezone():%Y-%m-%d %H:%M}"


def print_run(run: Run) -> None:
    """Print everything about a run, its rules in short."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    rows = {
        "run": run.id,
        "kind": run.kind,
        "status": str(run.actual_status),
        "begun": f"{run.created.astimezone():%Y-%m-%d %H:%M:%S}",
        "last saved": f"{run.updated.astimezone():%Y-%m-%d %H:%M:%S}",
        "version": run.version,
        "rules": rules_in_short(run),
        "seed": run.seed,
        **run.parameters,
        "blocks": run.blocks,
        "seconds": round(run.seconds, 1),
        **{name: value for name, value in (run.result or {}).items() if not isinstance(value, list | dict)},
    }
    for name, value in rows.items():
        table.add_row(escape(name), escape(_text(value)))
    _print(table)
    for name, value in (run.result or {}).items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            print()
            _print(_rows_table(name, value))


def print_comparison(comparison: Comparison) -> None:
    """Print runs side by side, then every two of their values."""
    table = Table(box=None, pad_edge=False)
    table.add_column("run")
    for run in comparison.runs:
        table.add_column(str(run.id))
    for name, values in comparison.settings.items():
        table.add_row(escape(name), *(escape("" if value is None else _text(value)) for value in values))
    table.add_row("played", *(_played(run) for run in comparison.runs))
    table.add_row("value ± error", *(_value(run) for run in comparison.runs))
    table.add_row("status", *(str(run.actual_status) for run in comparison.runs))
    _print(table)
    for difference in comparison.differences:
        apart = difference.in_standard_errors
        errors = "" if apart is None else f": {abs(apart):.1f} standard errors"
        caution = " (the same seed: not independent, so a rough guess)" if difference.same_seed else ""
        print(
            f"run {difference.second} less run {difference.first}: "
            f"{difference.difference:+.6f} ± {difference.stderr:.6f}{errors}{caution}"
        )


def _print(table: Table) -> None:
    """Print a table whose names and numbers are never cut: where they do not fit, they go on in the next line.

    Where there is no screen, the table is as wide as it needs to be.
    """
    console = Console()
    for column in table.columns:
        column.overflow = "fold"
    if not _has_width(console):
        console = Console(width=_natural_width(table, console))
    console.print(table)


def _has_width(console: Console) -> bool:
    return console.is_terminal or "COLUMNS" in os.environ


def _natural_width(table: Table, console: Console) -> int:
    unlimited = console.options.update(width=_UNLIMITED)
    return Measurement.get(console, unlimited, table).maximum


def outcome_in_short(run: Run) -> str:
    """Say in a few words how far a run is."""
    return f"{_played(run)}, {run.actual_status}"


def rules_in_short(run: Run) -> str:
    """Name the preset that a run was played by, or the nearest one and what was changed in it.

    Rules that this version cannot read are shown as they are.
    """
    book = next((book for game, book in RULE_BOOKS.items() if str(game) == run.kind.split()[0]), None)
    try:
        rules: Rules | None = None if book is None else book.model.create(run.rules)
    except ValueError:
        rules = None
    if book is None or rules is None:
        return " ".join(f"{name}={_text(value)}" for name, value in run.rules.items())
    return book.describe(rules)


def _played(run: Run) -> str:
    result = run.result or {}
    count = next((f"{result[name]:,} {name}" for name in _COUNTS if isinstance(result.get(name), int)), None)
    return count or f"{run.blocks:,} blocks"


def _value(run: Run) -> str:
    found = measured(run)
    return "" if found is None else f"{found[0]:+.6f} ± {found[1]:.6f}"


def _rows_table(title: str, rows: list[Mapping[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, title=escape(title), title_justify="left")
    for column in rows[0]:
        table.add_column(escape(column), justify="left" if isinstance(rows[0][column], str) else "right")
    for row in rows:
        table.add_row(*(escape(_text(row.get(column, ""))) for column in rows[0]))
    return table


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6f}"
    return value if isinstance(value, str) else as_toml(value)
