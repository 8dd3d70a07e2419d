"""Draw the stored learning curves of the examples: ``python docs/pictures/learning_curves.py`` (extra: plots).

A file of curves is a table: the name of a curve, and a point of it. A name with one point is a level line: the exact optimum.
"""

import csv
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

FOLDER = Path(__file__).parent
CURVES = FOLDER.parents[1] / "examples" / "curves"

#: The headings of the table, then its rows.
Table = Sequence[Sequence[Any]]


def read(path: Path) -> Table:
    """Read a file of curves."""
    with path.open(newline="", encoding="utf-8") as file:
        headings, *rows = csv.reader(file)
    return [headings, *((name, float(across), float(up)) for name, across, up in rows)]


def plot(table: Table) -> Figure:
    """Draw curves, and dashed lines for what they should reach."""
    (_, across, up), *rows = table
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for name, points in groupby(rows, key=lambda row: str(row[0])):
        _, places, values = zip(*points, strict=True)
        if len(places) == 1:
            axes.axhline(values[0], color="black", linestyle="--", linewidth=1, label=name)
        else:
            axes.plot(places, values, marker=".", label=name)
    reached = [place for _, place, _ in rows if place > 0]
    if max(reached) > 1000 * min(reached):
        axes.set_xscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend()
    return figure


def main() -> None:
    """Draw every stored file."""
    for path in sorted(CURVES.glob("*.csv")):
        plot(read(path)).savefig(FOLDER / f"learning-{path.stem}.png", dpi=100)


if __name__ == "__main__":
    main()
