"""Measure how solving a Banluck table grows with the number of players: time, memory, and what anybody could still gain.

Every table is solved in a process of its own, so that the memory is its own too. ``--plot FILE`` draws the result.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import Report, argument_parser
from croupier.banluck.engine.rules import BANLUCK

#: What a process does that solves one table: the rules' preset, the number of players and the number of workers are its arguments.
SOLVE = """
import json, resource, sys
from croupier import banluck
preset, players = sys.argv[1], int(sys.argv[2])
solution = banluck.solve(banluck.rules(preset), players=players)
figures = solution.to_dict()
if players == 1:
    figures |= {"dealer_value": -solution.value, "gains": [solution.exploitability], "dealer_gain": 0.0, "sampling": None}
figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(figures))
"""

#: What the gains should stay under, by the number of players.
GOALS = {1: 1e-7, 2: 1e-6, 3: 1e-4, 4: 1e-4, 5: 1e-3, 6: 1e-3, 7: 1e-3}


def measured(preset: str, players: int) -> dict[str, Any]:
    """Solve one table in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, preset, str(players)], check=True, capture_output=True, text=True
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def add_rows(report: Report, preset: str, players: int, figures: dict[str, Any]) -> None:
    """Add what was measured of one table."""
    group = f"{preset}, {players} player" + ("s" if players > 1 else "")
    report.add(group, "solve", figures["seconds"], "s", "under 600 s")
    report.add(group, "memory", figures["megabytes"], "MB")
    report.add(group, "dealer's value", figures["dealer_value"], "units")
    gain = max(*figures["gains"], figures["dealer_gain"])
    report.add(group, "largest gain of anybody", gain, "units", f"≤ {GOALS[players]:.0e}")
    if figures["sampling"] is not None:
        held_out = max(*figures["sampling"]["held_out_gains"], figures["sampling"]["held_out_dealer_gain"])
        report.add(group, "the same, held out", held_out, "units")


def draw(rows: dict[int, dict[str, Any]], preset: str, path: Path) -> None:
    """Draw time and memory over the number of players."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only a plot needs it

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for axis, name, label in zip(axes, ("seconds", "megabytes"), ("seconds", "memory in MB"), strict=True):
        axis.plot(list(rows), [figures[name] for figures in rows.values()], "o-")
        axis.set(xlabel="players", ylabel=label, yscale="log")
    figure.suptitle(f"Solving a Banluck table ({preset})")
    figure.savefig(path)


def main() -> None:
    """Measure everything and print the report."""
    parser = argument_parser("Measure tables of one to seven players.", "up to three players")
    parser.add_argument("--preset", default="reference", choices=[preset.name for preset in BANLUCK.presets])
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw time and memory into this file")
    arguments = parser.parse_args()
    report = Report("Banluck tables")
    rows = {}
    with report.console.status("solving") as status:
        for players in range(1, 4 if arguments.quick else 8):
            status.update(f"solving for {players} players")
            rows[players] = measured(arguments.preset, players)
            add_rows(report, arguments.preset, players, rows[players])
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)
    if arguments.plot is not None:
        draw(rows, arguments.preset, arguments.plot)


if __name__ == "__main__":
    main()
