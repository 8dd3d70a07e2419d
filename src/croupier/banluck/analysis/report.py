"""The report: one HTML page that holds everything known of a solved rule set, and the files next to it.

The page is self-contained: style, script, Plotly and data are inside, and its content security policy forbids
it to load anything. The same inputs give the same bytes, so nothing in it depends on the clock.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from plotly.offline import get_plotlyjs

from croupier.banluck.analysis import plots
from croupier.banluck.analysis.chart import Cell, PlayerChart, dealer_chart, dealer_chart_strategy
from croupier.banluck.analysis.headline import headline_figures
from croupier.banluck.analysis.heat_map import HeatMap, dealer_heats, player_heat
from croupier.banluck.analysis.outcomes import OutcomeDistribution, outcome_distribution
from croupier.banluck.analysis.report_figures import (
    convergence_figure,
    heat_figure,
    outcome_figure,
    pairs_figure,
    tornado_figure,
)
from croupier.banluck.analysis.report_lookup import lookup_table
from croupier.banluck.analysis.research import Finding
from croupier.banluck.analysis.sensitivity import PairRow, SensitivityRow
from croupier.banluck.analysis.strategy_book import StrategyBook, export_tables
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.solution import CurvePoint, Solution
from croupier.files import make_folder, write_text
from croupier.numerics.numbers import signed
from croupier.rulebook import as_toml

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


def write_report(
    folder: Path,
    solution: Solution,
    book: StrategyBook,
    chart: PlayerChart,
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
    solution, book, chart
        The solved game, its decisions, and the player's memorisable chart.
    findings
        The answers to the research questions.
    rows, pairs
        The sensitivity of the value to single options and to pairs of them; may be empty.
    curves
        Convergence by name of the algorithm; may be empty.

    Examples
    --------
    >>> import tempfile
    >>> from croupier.banluck.analysis.chart import player_chart
    >>> from croupier.banluck.solvers.equilibrium import solve_equilibrium
    >>> solution = solve_equilibrium(BanluckRules())
    >>> book = StrategyBook(solution.player, solution.dealer, solution.rules)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report(Path(folder), solution, book, player_chart(solution, book), (), (), (), {})
    ...     page.name, page.stat().st_size > 1_000_000
    ('index.html', True)
    """
    make_folder(folder)
    distribution = outcome_distribution(solution.player, solution.dealer, solution.rules)
    paths = [
        *_write_figures(folder / "figures", book, distribution, rows, pairs, curves),
        *export_tables(book, folder / "tables"),
    ]
    context = {
        "sections": _SECTIONS,
        "version": solution.version,
        "files": [path.relative_to(folder).as_posix() for path in paths],
        "lookup": lookup_table(book),
        "findings": findings,
        **_headline(solution, distribution),
        **_rules(solution.rules),
        **_player(book, chart),
        **_dealer(solution, book),
        **_outcomes(distribution),
        **_convergence(solution, curves),
        **_sensitivity(rows, pairs),
        "figures": _figures(book, distribution, rows, pairs, curves),
    }
    page = folder / "index.html"
    write_text(page, _render(context), what="report")
    return page


def _write_figures(
    folder: Path,
    book: StrategyBook,
    distribution: OutcomeDistribution,
    rows: Sequence[SensitivityRow],
    pairs: Sequence[PairRow],
    curves: Mapping[str, Sequence[CurvePoint]],
) -> list[Path]:
    figures = {
        "player": plots.player_heat_map(book),
        "dealer": plots.dealer_heat_map(book),
        "outcomes": plots.outcome_plot(distribution),
    }
    if curves:
        figures["convergence"] = plots.convergence_plot(curves)
    if rows:
        figures["sensitivity"] = plots.tornado_plot(rows)
    if pairs:
        figures["pairs"] = plots.pair_heat_map(pairs)
    return [path for name, figure in figures.items() for path in plots.save_figure(figure, folder, name)]


def _figures(
    book: StrategyBook,
    distribution: OutcomeDistribution,
    rows: Sequence[SensitivityRow],
    pairs: Sequence[PairRow],
    curves: Mapping[str, Sequence[CurvePoint]],
) -> dict[str, Any]:
    """Return the interactive figures by name; the page draws those that it has a place for."""
    return {
        "player": heat_figure(player_heat(book)),
        **{_panel(heat): heat_figure(heat, scale=False) for heat in dealer_heats(book)},
        "outcomes": outcome_figure(distribution),
        "convergence": convergence_figure(curves),
        "tornado": tornado_figure(rows),
        "pairs": pairs_figure(pairs),
    }


def _headline(solution: Solution, distribution: OutcomeDistribution) -> dict[str, Any]:
    preset = BANLUCK.name_of(solution.rules)
    name = f"preset {preset}" if preset else "custom rules"
    return {"title": f"Banluck solved: {name}", "headline": headline_figures(solution, distribution)}


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


def _player(book: StrategyBook, chart: PlayerChart) -> dict[str, Any]:
    heat = player_heat(book)
    return {
        "forced": any(cell.ev_stop is None for cell in heat.cells.values()),
        "player_chart": _chart_grid(heat, chart.hits),
        "chart_price": (
            f"Playing by it gives up {_price(chart.cost_against_equilibrium)} units per hand against the equilibrium dealer, and "
            f"{_price(chart.cost_against_best)} against a dealer who knows the chart and answers it best. It takes the better action "
            f"in {chart.agreement:.2%} of decisions."
        ),
    }


def _dealer(solution: Solution, book: StrategyBook) -> dict[str, Any]:
    heats = dealer_heats(book)
    goes = dealer_chart(book)
    cost = certify(solution.player, dealer_chart_strategy(book), solution.rules).upper - solution.value
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
            for advice in book.dealer_decisions
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
        place = (f"{cell.cards} cards, {'soft' if cell.is_soft else 'hard'}", cell.total)
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
