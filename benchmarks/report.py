"""What every benchmark shares: measurements, best times, new processes, the printed report and its JSON file."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from rich.console import Console
from rich.table import Table

import croupier

#: Runs a command and prints its seconds, peak memory and exit code. A child inherits the peak memory of the process that
#: starts it, so a small process starts the command.
WATCH_CHILD = """
import json, os, subprocess, sys, time
started = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(json.dumps([time.perf_counter() - started, usage.ru_maxrss, os.waitstatus_to_exitcode(status)]))
"""


@dataclass(frozen=True)
class Measurement:
    """One line of the report."""

    group: str
    what: str
    value: float
    unit: str
    goal: str = ""
    note: str = ""


class Report:
    """Collect measurements and show the current one."""

    def __init__(self, subject: str) -> None:
        console = Console()
        self.subject = subject
        self.console = console if console.is_terminal else Console(width=120)
        self.measurements: list[Measurement] = []
        self.left_out: list[str] = []

    def add(self, group: str, what: str, value: float, unit: str, goal: str = "", note: str = "") -> float:
        """Add a line and return its value."""
        self.measurements.append(Measurement(group, what, value, unit, goal, note))
        return value

    def leave_out(self, what: str, reason: str) -> None:
        """Note that something was not measured, and why."""
        self.left_out.append(f"{what}: {reason}")

    def print(self) -> None:
        """Print the report."""
        table = Table(title=f"{self.subject} on {machine()['processor']}", title_justify="left")
        for heading in ("", "measured", "result", "goal", "note"):
            table.add_column(heading, justify="right" if heading == "result" else "left")
        group = ""
        for row in self.measurements:
            if row.group != group:
                table.add_section()
            label = row.group if row.group != group else ""
            table.add_row(label, row.what, format_value(row), row.goal, row.note)
            group = row.group
        self.console.print(table)
        for line in self.left_out:
            self.console.print(f"left out: {line}", markup=False)

    def write(self, path: Path) -> None:
        """Write the measurements to a JSON file."""
        rows = [asdict(row) for row in self.measurements]
        data = {"machine": machine(), "measurements": rows, "left_out": self.left_out}
        path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def format_value(row: Measurement) -> str:
    """Return a value with its unit, readable at any size."""
    match row.unit:
        case "s" if row.value < 1e-3:
            return f"{row.value * 1e6:.2f} µs"
        case "s" if row.value < 1:
            return f"{row.value * 1e3:.1f} ms"
        case "s":
            return f"{row.value:.2f} s"
        case "×":
            return f"{row.value:.2f} ×" if row.value < 100 else f"{row.value:,.0f} ×"
        case "units":
            return f"{row.value:.1e} units"
        case "errors" | "standard errors":
            return f"{row.value:.1f} {row.unit}"
        case "SCORE":
            return f"{row.value:.1f}"
        case "per 100":
            return f"{row.value:+.3f} per 100"
        case "figure":
            return f"{row.value:.3f}"
        case "MB":
            return f"{row.value:.0f} MB"
        case _:
            return f"{row.value:,.0f} {row.unit}"


def best_time(task: Callable[[], object], repetitions: int) -> float:
    """Return the shortest time of several runs, the least disturbed by other work."""
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        task()
        times.append(time.perf_counter() - started)
    return min(times)


def run_child(command: list[str], **environment: str) -> tuple[float, float]:
    """Run a command in a new process; return its seconds and its peak memory in MB.

    Its modules are kept compiled, as on a user's machine, even where this process was told not to write them.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    watcher = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WATCH_CHILD, *command],
        capture_output=True,
        text=True,
        env={**inherited, **environment},
        check=True,
    )
    seconds, peak, exit_code = json.loads(watcher.stdout)
    if exit_code != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {watcher.stderr}")
    return seconds, peak / (2**20 if sys.platform == "darwin" else 2**10)


def machine() -> dict[str, Any]:
    """Describe the machine of the measurements."""
    return {
        "processor": f"{platform.machine()} with {os.cpu_count()} cores, Python {platform.python_version()}",
        "croupier": croupier.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def argument_parser(description: str, quick: str) -> argparse.ArgumentParser:
    """Return a parser with the options of every benchmark; ``quick`` says what ``--quick`` leaves out."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
    return parser
