"""What takes a while and is worth it: the price of every rule, and the whole report, as work for jobs."""

import hashlib
import json
import tempfile
import threading
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from croupier import __version__
from croupier.banluck.analysis.sensitivity import ALTERNATIVES, sensitivity
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.files import make_folder, read_bytes, write_bytes
from croupier.numerics.numbers import signed
from croupier.texts import say
from croupier.web.jobs import Report
from croupier.web.models.rule_names import option_name, value_name

#: How many reports are kept: each has some five megabytes, and is made again in half a minute.
KEPT_REPORTS = 20

#: Matplotlib's styles belong to the whole process, so one report is drawn at a time.
_DRAWING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: what is being done, and how much of it."""

    stage: str
    done: int
    total: int

    @property
    def share(self) -> float:
        """How much of the stage is done, from 0 to 1."""
        return self.done / self.total if self.total else 0.0


def prices_figure(
    rules: BanluckRules, report: Report, options: tuple[str, ...] = tuple(ALTERNATIVES)
) -> dict[str, Any]:
    """Solve the game with each option changed, and draw what that changes, the strongest on top.

    Examples
    --------
    >>> from croupier.web.jobs import Stopped
    >>> def stop(progress):
    ...     raise Stopped(progress.stage)
    >>> prices_figure(BanluckRules(), stop)
    Traceback (most recent call last):
    croupier.web.jobs.Stopped: changing one rule at a time
    """
    prices = sensitivity(
        rules,
        options=options,
        progress=lambda done, total: report(Progress(say("explorer.stage.prices"), done, total)),
    )
    from croupier.banluck.analysis.report_figures import tornado_figure  # noqa: PLC0415 - heavy, and seldom asked for

    drawing = tornado_figure(prices.rows)
    names = {
        row.label: say(
            "explorer.prices.row",
            option=option_name("banluck", row.option),
            value=value_name(row.option, row.value),
        )
        for row in prices.rows
    }
    bars, rows = drawing["data"][0], {row.label: row for row in prices.rows}
    ranked = [rows[unescape(label)] for label in bars["y"]]
    bars["y"] = [names[row.label] for row in ranked]
    bars["text"] = [signed(row.change, 4) for row in ranked]
    bars["hovertext"] = [
        say(
            "explorer.prices.hover",
            row=names[row.label],
            change=signed(row.change, 6),
            value=signed(row.game_value, 6),
        )
        for row in ranked
    ]
    drawing["layout"]["xaxis"]["title"] = {"text": say("explorer.prices.axis")}
    return drawing


def report_path(game: Solution, folder: Path, options: tuple[str, ...] = tuple(ALTERNATIVES)) -> Path:
    """Return where the report of a game is kept: named by the rules, the method, the options that are priced, the version."""
    parts = [
        game.rules.model_dump(mode="json"),
        game.algorithm.value,
        game.tolerance,
        game.iterations,
        options,
        __version__,
    ]
    return folder / f"banluck-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]}.html"


def report_file(
    game: Solution, folder: Path, report: Report, options: tuple[str, ...] = tuple(ALTERNATIVES)
) -> Path:
    """Write the report of a solved game as one self-contained page, unless it lies there already; return its path.

    Where there are too many by now, those that nobody has asked for the longest time go.

    Parameters
    ----------
    game
        The game.
    folder
        Where reports are kept; made if it is missing.
    report
        Told how far the work is.
    options
        The options whose prices the report holds.
    """
    path = report_path(game, folder, options)
    if path.exists():
        path.touch()
        return path
    report(Progress(say("explorer.stage.loading"), 0, 1))
    from croupier.banluck.analysis.report import report as write_report  # noqa: PLC0415 - heavy, and seldom asked for

    make_folder(folder)
    with tempfile.TemporaryDirectory() as draft, _DRAWING:
        page = write_report(
            game,
            Path(draft),
            options=options,
            progress=lambda _stage, done, total: report(Progress(say("explorer.stage.report"), done, total)),
        )
        write_bytes(path, read_bytes(page), what="report")
        _remove_old(folder)
    return path


def _remove_old(folder: Path) -> None:
    reports = sorted(folder.glob("banluck-*.html"), key=lambda path: path.stat().st_mtime)
    for path in reports[:-KEPT_REPORTS]:
        path.unlink()


def convergence_plot(curve: tuple[CurvePoint, ...], tolerance: float) -> dict[str, Any]:
    """Draw how the certified interval narrows, iteration by iteration, and where it is narrow enough.

    >>> drawing = convergence_plot((CurvePoint(16, -0.02, 0.01, 0.1),), 1e-7)
    >>> drawing["data"][0]["y"], drawing["layout"]["yaxis"]["type"]
    ([0.03], 'log')
    """
    points = [point for point in curve if point.width > 0]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [point.iteration for point in points],
        "y": [point.width for point in points],
        "line": {"color": "#1b6b4a"},
        "customdata": [[point.lower, point.upper] for point in points],
        "hovertemplate": say("explorer.plot.hover"),
    }
    goal = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": tolerance, "y1": tolerance}
    layout = {
        "xaxis": {
            "title": {"text": say("explorer.plot.iterations")},
            "type": "log",
            "dtick": 1,
            "fixedrange": True,
        },
        "yaxis": {
            "title": {"text": say("explorer.plot.exploitability")},
            "type": "log",
            "dtick": 2,
            "exponentformat": "power",
            "fixedrange": True,
        },
        "shapes": [goal | {"line": {"dash": "dot", "width": 1, "color": "#b8860b"}}],
        "showlegend": False,
        "dragmode": False,
        "margin": {"l": 72, "r": 12, "t": 12, "b": 46},
    }
    return {"data": [line], "layout": layout}
