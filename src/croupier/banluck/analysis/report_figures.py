"""The interactive figures of the report, as plain Plotly data.

Colours of text, grid and background are left to the page, which knows whether it is shown light or dark.
"""

import html
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from croupier.banluck.analysis.heat_map import HeatCell, HeatMap
from croupier.banluck.analysis.outcomes import OutcomeDistribution
from croupier.banluck.analysis.palette import (
    COLOUR_LIMIT,
    DIVERGING,
    FOR_DEALER,
    FOR_PLAYER,
    FORCED,
    LINES,
    OUTCOME_COLOURS,
)
from croupier.banluck.analysis.sensitivity import PairRow, SensitivityRow, interaction_matrix
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.numerics.numbers import signed

_COLOUR_SCALE = [[place / (len(DIVERGING) - 1), colour] for place, colour in enumerate(DIVERGING)]
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
_SHOWN_EXCEPTIONS = 6

#: Above the plot, growing upwards where a narrow page breaks it into lines.
_LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"}


def heat_figure(heat: HeatMap, *, scale: bool = True) -> dict[str, Any]:
    """Draw a heat map whose cells tell everything when pointed at, with a scale of the colours or without.

    Examples
    --------
    >>> from croupier.banluck.analysis.heat_map import player_heat
    >>> from croupier.banluck.analysis.strategy_book import StrategyBook
    >>> from croupier.banluck.engine.rules import BanluckRules
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> figure = heat_figure(player_heat(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules)))
    >>> figure["data"][0]["text"][0][:2], figure["data"][0]["hovertext"][0][0].split("<br>")[0]
    (['H', 'H'], '<b>2 cards, hard 4</b>')
    """
    choices = {place: cell for place, cell in heat.cells.items() if cell.ev_stop is not None}
    forced = {place: cell for place, cell in heat.cells.items() if cell.ev_stop is None}
    figure = go.Figure()
    if choices:
        figure.add_heatmap(
            **_cells(heat, choices),
            z=heat.grid(lambda cell: cell.gain),
            zmin=-COLOUR_LIMIT,
            zmax=COLOUR_LIMIT,
            colorscale=_COLOUR_SCALE,
            showscale=scale,
            colorbar={"title": {"text": "units", "side": "right"}, "thickness": 12, "len": 0.9},
        )
    if forced:
        grey = heat.grid(lambda cell: 0.0 if cell.ev_stop is None else None)
        figure.add_heatmap(
            **_cells(heat, forced), z=grey, colorscale=[[0, FORCED], [1, FORCED]], showscale=False
        )
    figure.update_xaxes(title="total", type="category", categoryarray=_names(heat.totals), showgrid=False)
    figure.update_yaxes(type="category", categoryarray=list(heat.rows), autorange="reversed", showgrid=False)
    return _plain(figure, left=100)


def convergence_figure(curves: Mapping[str, Sequence[CurvePoint]]) -> dict[str, Any]:
    """Draw the exploitability by iteration, both on logarithmic axes, a line for each algorithm.

    Examples
    --------
    >>> figure = convergence_figure({"cfr+": [CurvePoint(16, -0.02, 0.01, 0.0)]})
    >>> figure["data"][0]["name"], figure["layout"]["yaxis"]["type"]
    ('cfr+', 'log')
    """
    figure = go.Figure()
    for place, (name, curve) in enumerate(curves.items()):
        points = [point for point in curve if point.width > 0]
        figure.add_scatter(
            name=_escaped(name),
            x=[point.iteration for point in points],
            y=[point.width for point in points],
            mode="lines+markers",
            line={"color": LINES[place % len(LINES)]},
            marker={"symbol": _SYMBOLS[place % len(_SYMBOLS)], "size": 7},
            hovertemplate="%{x} iterations: %{y:.2e} units/hand",
        )
    figure.update_xaxes(title="iterations", type="log", dtick=1)
    figure.update_yaxes(
        title="exploitability, units/hand", type="log", dtick=1, exponentformat="power", showexponent="all"
    )
    figure.update_layout(legend=_LEGEND, showlegend=True)
    return _plain(figure, left=70, top=30)


def tornado_figure(rows: Sequence[SensitivityRow]) -> dict[str, Any]:
    """Draw what each other choice of an option changes, the strongest on top.

    Examples
    --------
    >>> figure = tornado_figure([SensitivityRow("reveal", "none", -0.002, 0.01)])
    >>> figure["data"][0]["y"], figure["data"][0]["text"]
    (['reveal = "none"'], ['+0.0100'])
    """
    ranked = sorted(rows, key=lambda row: -abs(row.change))
    figure = go.Figure()
    figure.add_bar(
        orientation="h",
        x=[row.change for row in ranked],
        y=[_escaped(row.label) for row in ranked],
        marker={"color": [FOR_PLAYER if row.change > 0 else FOR_DEALER for row in ranked]},
        text=[signed(row.change, 4) for row in ranked],
        textposition="outside",
        cliponaxis=False,
        hovertext=[
            f"<b>{_escaped(row.label)}</b><br>change {signed(row.change, 6)} units/hand"
            f"<br>value {signed(row.game_value, 6)} units/hand"
            for row in ranked
        ],
        hoverinfo="text",
    )
    strongest = max((abs(row.change) for row in ranked), default=0.0) or 1.0
    figure.update_xaxes(
        title="change of the value, units/hand", range=[-1.5 * strongest, 1.5 * strongest], zeroline=True
    )
    figure.update_yaxes(autorange="reversed", automargin=True, tickfont={"size": 11})
    return _plain(figure, left=10)


def pairs_figure(pairs: Sequence[PairRow]) -> dict[str, Any]:
    """Draw the interactions of pairs of changes.

    Examples
    --------
    >>> reveal = SensitivityRow("reveal", "none", -0.002, 0.01)
    >>> surrender = SensitivityRow("surrender", "none", 0.018, 0.03)
    >>> figure = pairs_figure([PairRow(reveal, surrender, 0.027, 0.039, -0.001)])
    >>> figure["data"][0]["text"]
    [['', '−1.0'], ['−1.0', '']]
    """
    labels, matrix = interaction_matrix(pairs)
    limit = float(np.nanmax(np.abs(matrix), initial=1e-9)) * 1000
    names = [_escaped(label) for label in labels]
    told = {
        (first.label, second.label): f"<b>{_escaped(first.label)}<br>{_escaped(second.label)}</b><br>"
        f"together {signed(pair.change, 6)}, alone {signed(first.change, 6)} and {signed(second.change, 6)}<br>"
        f"interaction {signed(pair.interaction, 6)} units/hand"
        for pair in pairs
        for first, second in ((pair.first, pair.second), (pair.second, pair.first))
    }
    figure = go.Figure()
    figure.add_heatmap(
        x=names,
        y=names,
        z=(matrix * 1000).tolist(),
        zmin=-limit,
        zmax=limit,
        colorscale=_COLOUR_SCALE,
        colorbar={"title": {"text": "units/hand, thousandths", "side": "right"}, "thickness": 12, "len": 0.9},
        text=[[signed(value, 1) for value in row] for row in (matrix * 1000).tolist()],
        texttemplate="%{text}",
        textfont={"size": 10},
        hovertext=[[told.get((row, column), "") for column in labels] for row in labels],
        hoverinfo="text",
        xgap=1,
        ygap=1,
    )
    figure.update_xaxes(
        type="category", automargin=True, tickangle=-45, showgrid=False, tickfont={"size": 10}
    )
    figure.update_yaxes(
        type="category", automargin=True, autorange="reversed", showgrid=False, tickfont={"size": 10}
    )
    return _plain(figure, left=10)


def outcome_figure(distribution: OutcomeDistribution) -> dict[str, Any]:
    """Draw the share of hands for each result, stacked by the reason for it.

    Examples
    --------
    >>> from croupier.banluck.analysis.outcomes import OutcomeRow
    >>> rows = (OutcomeRow(Outcome.WIN, 1.0, 0.6), OutcomeRow(Outcome.BUST, -1.0, 0.4))
    >>> [trace["name"] for trace in outcome_figure(OutcomeDistribution(rows))["data"]]
    ['bust', 'win']
    """
    results = [_result(units) for units in distribution.by_units()]
    figure = go.Figure()
    for outcome in sorted(distribution.by_outcome(), key=list(Outcome).index):
        rows = [row for row in distribution.rows if row.outcome is outcome]
        figure.add_bar(
            name=outcome.value,
            x=[_result(row.units) for row in rows],
            y=[row.probability for row in rows],
            marker={"color": OUTCOME_COLOURS[outcome]},
            hovertemplate="%{x} units: %{y:.4%}",
        )
    figure.update_xaxes(
        title="player's result, units",
        type="category",
        categoryorder="array",
        categoryarray=results,
        showgrid=False,
    )
    figure.update_yaxes(title="share of hands", tickformat=".0%")
    figure.update_layout(barmode="stack", legend=_LEGEND, showlegend=True)
    return _plain(figure, left=60, top=30)


def _cells(heat: HeatMap, cells: Mapping[tuple[str, int], HeatCell]) -> dict[str, Any]:
    """Return what all heat maps share: the axes, the letters in the cells and what they tell."""
    places = [[(row, total) for total in heat.totals] for row in heat.rows]
    return {
        "x": _names(heat.totals),
        "y": list(heat.rows),
        "text": [[cells[place].label if place in cells else "" for place in line] for line in places],
        "texttemplate": "<b>%{text}</b>",
        "textfont": {"size": 14},
        "hovertext": [
            [_told(place, cells[place]) if place in cells else "" for place in line] for line in places
        ],
        "hoverinfo": "text",
        "xgap": 2,
        "ygap": 2,
    }


def _told(place: tuple[str, int], cell: HeatCell) -> str:
    """Write what a cell tells when it is pointed at."""
    row, total = place
    stop = "not allowed" if cell.ev_stop is None else _units(cell.ev_stop)
    cost = f"{cell.cost_of_mistake:.4f} units" if math.isfinite(cell.cost_of_mistake) else "unknown"
    lines = [
        f"<b>{row} {total}</b>",
        f"EV({cell.stop}) {stop}",
        f"EV({cell.go}) {_units(cell.ev_go)}",
        f"{cell.go} {cell.go_frequency:.2%}",
        f"cost of a mistake {cost}",
        f"comes up in {cell.reach:.3%} of hands, {cell.hands} compositions",
    ]
    if cell.exceptions:
        more = len(cell.exceptions) - _SHOWN_EXCEPTIONS
        shown = ", ".join(cell.exceptions[:_SHOWN_EXCEPTIONS]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"better the other way: {shown}")
    return "<br>".join(lines)


def _plain(figure: go.Figure, *, left: int, top: int = 10) -> dict[str, Any]:
    """Return a figure as plain data, its axes fixed so that a finger can scroll the page over it."""
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    figure.update_layout(
        template=None, dragmode=False, margin={"l": left, "r": 10, "t": top, "b": 45}, font={"size": 13}
    )
    plain: dict[str, Any] = json.loads(figure.to_json())
    plain["layout"].pop("template", None)
    return plain


def _units(expected: float) -> str:
    """Write an expected value; there is none where the other side's strategy never lets the decision come up."""
    return f"{signed(expected, 4)} units" if math.isfinite(expected) else "unknown"


def _names(totals: Sequence[int]) -> list[str]:
    return [str(total) for total in totals]


def _result(units: float) -> str:
    return f"{units:+g}".replace("-", "−") if units else "0"


def _escaped(text: str) -> str:
    """Keep Plotly from reading tags into a text."""
    return html.escape(text, quote=False)
