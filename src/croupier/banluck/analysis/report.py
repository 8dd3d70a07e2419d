"""The report: one HTML page that holds everything known of a solved rule set, and the files next to it.

The page is self-contained: style, script, Plotly and data are inside, and its content security policy forbids
it to load anything. The same inputs give the same bytes, so nothing in it depends on the clock.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from plotly.offline import get_plotlyjs

from croupier.banluck.analysis import plots
from croupier.banluck.analysis.chart import Cell, dealer_chart_strategy
from croupier.banluck.analysis.convergence import convergence_curves
from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.heat_map import HeatMap
from croupier.banluck.analysis.outcomes import OutcomeDistribution
from croupier.banluck.analysis.report_figures import (
    convergence_figure,
    heat_figure,
    outcome_figure,
    pairs_figure,
    tornado_figure,
)
from croupier.banluck.analysis.report_lookup import lookup_table
from croupier.banluck.analysis.research import research, sensitivity_finding
from croupier.banluck.analysis.sensitivity import (
    ALTERNATIVES,
    PairRow,
    SensitivityRow,
    pair_sensitivity,
    sensitivity,
    strongest_changes,
)
from croupier.banluck.analysis.solution import Solution, StageProgress
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.files import make_folder, write_text
from croupier.numerics.numbers import signed
from croupier.rulebook import as_toml

if TYPE_CHECKING:
    from croupier.banluck.analysis.table_solution import TableSolution

_SECTIONS = (
    ("headline", "Value"),
    ("rules", "Rules"),
    ("lookup", "Look up a hand"),
    ("player", "Player"),
    ("dealer", "Dealer"),
    ("outcomes", "Results"),
    ("convergence", "Convergence"),
    ("sensitivity", "What each rule is worth"),
    ("research", "Questions"),
    ("definitions", "Definitions"),
    ("files", "Files"),
)

#: Panels of more totals than this get more room.
_NARROW_PANEL = 3

#: Costs below this are not told apart from nothing.
_SMALLEST_PRICE = 1e-6


def report(
    solution: Solution,
    folder: Path,
    *,
    options: Collection[str] = tuple(ALTERNATIVES),
    pairs: bool = False,
    table: "TableSolution | None" = None,
    progress: StageProgress | None = None,
) -> Path:
    """Work out everything that the report holds and write it; return the path of the page.

    Parameters
    ----------
    solution
        The solved game.
    folder
        Where to write; made if it is missing.
    options
        The options whose prices the report holds.
    pairs
        Whether to price every pair of options too.
    table
        A solved table of several players by the same rules, whose answers belong to the report.
    progress
        Told the stage, how much of it is done, and how much there is to do.
    """
    # Before the work: a folder that cannot be made should not come as a surprise at the end.
    make_folder(folder, what="report folder")

    def stage(name: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(name, done, total) if progress is not None else None

    curves = convergence_curves(solution.rules, progress=stage("convergence curves"))
    findings = research(solution, progress=stage("answering questions"))
    if table is not None:
        from croupier.banluck.analysis.table_research import research_table  # noqa: PLC0415 - for several players only

        findings += research_table(table, heads_up=solution, progress=progress)
    prices = sensitivity(solution.rules, options=options, progress=stage("changing one rule at a time"))
    changes = strongest_changes(prices.rows) if pairs else ()
    pair_rows = pair_sensitivity(solution.rules, changes, progress=stage("changing two rules at a time"))
    stage("drawing")(0, 1)
    return write_report(
        folder, solution, (*findings, sensitivity_finding(prices)), prices.rows, pair_rows, curves
    )


def write_report(
    folder: Path,
    solution: Solution,
    findings: Sequence[Finding],
    rows: Sequence[SensitivityRow],
    pairs: Sequence[PairRow],
    curves: Mapping[str, Sequence[CurvePoint]],
) -> Path:
    """Write ``index.html``, the pictures in ``figures`` and the tables in ``tables``; return the path of the page.

    Parameters
    ----------
    folder
        Where to write; made if it is missing.
    solution
        The solved game.
    findings
        The answers to the research questions.
    rows, pairs
        The sensitivity of the value to single options and to pairs of them; may be empty.
    curves
        Convergence by name of the algorithm; may be empty.

    Examples
    --------
    >>> import tempfile
    >>> from croupier import banluck
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report(Path(folder), banluck.solve(), (), (), (), {})
    ...     page.name, page.stat().st_size > 1_000_000
    ('index.html', True)
    """
    make_folder(folder)
    paths = [
        *_write_figures(folder / "figures", solution, rows, pairs, curves),
        *solution.export(folder / "tables"),
    ]
    context = {
        "sections": _SECTIONS,
        "version": solution.version,
        "files": [path.relative_to(folder).as_posix() for path in paths],
        "lookup": lookup_table(solution.book),
        "findings": findings,
        **_headline(solution),
        **_rules(solution.rules),
        **_player(solution),
        **_dealer(solution),
        **_outcomes(solution.outcomes),
        **_convergence(solution, curves),
        **_sensitivity(rows, pairs),
        "figures": _figures(solution, rows, pairs, curves),
    }
    page = folder / "index.html"
    write_text(page, _render(context), what="report")
    return page


def _write_figures(
    folder: Path,
    solution: Solution,
    rows: Sequence[SensitivityRow],
    pairs: Sequence[PairRow],
    curves: Mapping[str, Sequence[CurvePoint]],
) -> list[Path]:
    figures = {
        "player": plots.player_heat_map(solution.book),
        "dealer": plots.dealer_heat_map(solution.book),
        "outcomes": plots.outcome_plot(solution.outcomes),
    }
    if curves:
        figures["convergence"] = plots.convergence_plot(curves)
    if rows:
        figures["sensitivity"] = plots.tornado_plot(rows)
    if pairs:
        figures["pairs"] = plots.pair_heat_map(pairs)
    return [path for name, figure in figures.items() for path in plots.save_figure(figure, folder, name)]


def _figures(
    solution: Solution,
    rows: Sequence[SensitivityRow],
    pairs: Sequence[PairRow],
    curves: Mapping[str, Sequence[CurvePoint]],
) -> dict[str, Any]:
    """Return the interactive figures by name; the page draws those that it has a place for."""
    return {
        "player": heat_figure(solution.player_heat),
        **{_panel(heat): heat_figure(heat, scale=False) for heat in solution.dealer_heats},
        "outcomes": outcome_figure(solution.outcomes),
        "convergence": convergence_figure(curves),
        "tornado": tornado_figure(rows),
        "pairs": pairs_figure(pairs),
    }


def _headline(solution: Solution) -> dict[str, Any]:
    return {"title": f"Banluck solved: {BANLUCK.describe(solution.rules)}", "headline": solution.headline}


def _rules(rules: BanluckRules) -> dict[str, Any]:
    changed = rules.changes()
    options = [
        {
            "option": option.name,
            "here": as_toml(getattr(rules, option.name)),
            "default": as_toml(option.default),
            "meaning": option.meaning,
        }
        for option in rules.options()
    ]
    return {
        "default_preset": BANLUCK.presets[0].name,
        "options": options,
        "changes": [row for row in options if row["option"] in changed],
    }


def _player(solution: Solution) -> dict[str, Any]:
    heat, chart = solution.player_heat, solution.chart
    return {
        "forced": any(cell.ev_stop is None for cell in heat.cells.values()),
        "player_chart": _chart_grid(heat, chart.hits),
        "chart_price": (
            f"Playing by it gives up {_price(chart.cost_against_equilibrium)} units per hand against the equilibrium dealer, and "
            f"{_price(chart.cost_against_best)} against a dealer who knows the chart and answers it best. It takes the better action "
            f"in {chart.agreement:.2%} of decisions."
        ),
    }


def _dealer(solution: Solution) -> dict[str, Any]:
    heats, goes = solution.dealer_heats, solution.dealer_chart.draws
    cost = (
        certify(solution.player, dealer_chart_strategy(solution.book), solution.rules).upper - solution.value
    )
    return {
        "dealer_broad": any(len(heat.totals) > _NARROW_PANEL for heat in heats),
        "dealer_plots": [(_panel(heat), f"Player holds {heat.against}") for heat in heats],
        "dealer_charts": [(_chart_grid(heat, goes), f"Player holds {heat.against}") for heat in heats],
        "dealer_chart_price": (
            f"A dealer who plays by these charts, and surrenders as the equilibrium does, gives up {_price(cost)} units "
            "per hand against a player who answers them best."
        ),
        "surrenders": [
            {
                "hand": format_multiset(advice.hand),
                "seen": advice.against,
                "EV(surrender)": advice.ev_stop,
                "EV(keep)": advice.ev_go,
                "advice": advice.advice,
                "cost of a mistake": advice.cost_of_mistake,
                "reach": f"{advice.reach:.3%}",
            }
            for advice in solution.book.dealer_decisions
            if advice.go == "keep"
        ],
    }


def _outcomes(distribution: OutcomeDistribution) -> dict[str, Any]:
    return {
        "shares": {name: f"{getattr(distribution, name):.2%}" for name in ("win", "push", "loss")},
        "outcome_rows": [
            {
                "how the hand ends": row.outcome.value,
                "player's units": row.units,
                "share of hands": f"{row.probability:.4%}",
            }
            for row in distribution.rows
        ],
    }


def _convergence(solution: Solution, curves: Mapping[str, Sequence[CurvePoint]]) -> dict[str, Any]:
    ends = {name: curve[-1] for name, curve in curves.items() if curve}
    rows = [
        {
            "algorithm": name,
            "iterations": end.iteration,
            "lower": signed(end.lower, 8),
            "upper": signed(end.upper, 8),
            "exploitability": f"{max(end.width, 0.0):.1e}",
        }
        for name, end in ends.items()
    ]
    return {"convergence_rows": rows, "algorithm": solution.algorithm.value}


def _sensitivity(rows: Sequence[SensitivityRow], pairs: Sequence[PairRow]) -> dict[str, Any]:
    labels = {row.label for pair in pairs for row in (pair.first, pair.second)}
    return {
        "sensitivity_rows": [
            {"change": row.label, "value": signed(row.game_value, 6), "difference": signed(row.change, 6)}
            for row in sorted(rows, key=lambda row: -abs(row.change))
        ],
        "tornado_height": 100 + 24 * len(rows),
        "pair_count": len(pairs),
        "pairs_height": 260 + 30 * len(labels),
    }


def _chart_grid(heat: HeatMap, goes: Mapping[Cell, bool]) -> dict[str, Any]:
    """Lay a pure chart out as the heat map is; an empty name where there is no cell."""
    actions: dict[tuple[str, int], str] = {}
    for cell, goes_on in goes.items():
        place = (cell.row, cell.total)
        if cell.against == heat.against and place in heat.cells:
            actions[place] = heat.cells[place].go if goes_on else heat.cells[place].stop
    rows = [(row, [actions.get((row, total), "") for total in heat.totals]) for row in heat.rows]
    return {"totals": heat.totals, "rows": rows}


def _price(units: float) -> str:
    return f"{units:.6f}" if units >= _SMALLEST_PRICE else f"less than {_SMALLEST_PRICE:.6f}"


def _panel(heat: HeatMap) -> str:
    return f"dealer-{heat.against.replace(' ', '-')}"


def _render(context: Mapping[str, Any]) -> str:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    environment.filters.update(figure=_figure, columns=_columns, words=lambda name: name.replace("_", " "))
    template = environment.from_string(_asset("report_template.html"))
    return template.render(
        context,
        style=_asset("report_style.css"),
        script=_asset("report_script.js"),
        plotly_js=get_plotlyjs(),
    )


def _asset(name: str) -> str:
    return resources.files("croupier.banluck.analysis").joinpath(name).read_text(encoding="utf-8")


def _columns(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the names of all columns of a table, in the order in which they first come."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _figure(value: object) -> str:
    """Write a value of a table for a person."""
    match value:
        case None | jinja2.Undefined():
            return "–"
        case bool():
            return "yes" if value else "no"
        case float() if not math.isfinite(value):
            return "–" if math.isnan(value) else "∞"
        case int():
            return f"{value:,}".replace("-", "−")
        case float():
            return f"{value:,.6g}".replace("-", "−")
        case _:
            return str(value)
