"""Pictures for print and for notebooks: strategies, convergence, sensitivity and results (matplotlib and seaborn).

Every function returns a :class:`matplotlib.figure.Figure` of its own; nothing goes through the global state of pyplot.
The palettes are those of the report (:mod:`~croupier.banluck.analysis.palette`).
"""

import io
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import seaborn
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter

from croupier.banluck.analysis.heat_map import HeatMap, dealer_heats, player_heat
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
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.files import make_folder, write_bytes
from croupier.numerics.numbers import signed

_DIVERGING = LinearSegmentedColormap.from_list("purple-orange", DIVERGING)

_DOTS_PER_INCH = 144
_MARKERS = "osD^vP"


def player_heat_map(book: StrategyBook) -> Figure:
    """Draw when the player hits: the gain of a hit over a stand, by hand.

    Examples
    --------
    >>> from croupier.banluck.engine.rules import BanluckRules
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> figure = player_heat_map(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules))
    >>> figure.axes[0].get_xlabel()
    "player's total"
    """
    heat = player_heat(book)
    with _style():
        figure = _new_figure(13.5, 1.9 + 0.72 * len(heat.rows))
        axes = figure.add_subplot()
        _paint_heat(axes, heat)
        axes.set_xlabel("player's total")
        axes.set_title("Player: hit or stand", loc="left", fontweight="bold")
        _add_gain_scale(figure, [axes], "EV(hit) − EV(stand), units")
        note = "H hit, S stand, % how often to hit; small figures: EV(hit) − EV(stand) in units"
        if any(cell.ev_stop is None for cell in heat.cells.values()):
            note += "; grey: the rules force the hit"
        _add_note(figure, note)
    return figure


def dealer_heat_map(book: StrategyBook) -> Figure:
    """Draw when the dealer draws: the gain of a draw over stopping, a panel for each card count of the player.

    Examples
    --------
    >>> from croupier.banluck.engine.rules import BanluckRules
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules(reveal="mandatory")
    >>> figure = dealer_heat_map(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules))
    >>> [axes.get_title() for axes in figure.axes][:1]
    ['player holds 2 cards']
    """
    heats = dealer_heats(book)
    columns = max((len(heat.totals) for heat in heats), default=1)
    with _style():
        width = 3.4 + max(len(heats), 1) * (0.5 + 0.62 * columns)
        figure = _new_figure(max(width, 9.5), 6.2)
        figure.suptitle(
            "Dealer: draw (D), or stop: stand (S), reveal (R)", x=0.01, ha="left", fontweight="bold"
        )
        if not heats:
            figure.text(
                0.5, 0.5, "The rules leave the dealer no choice between drawing and stopping.", ha="center"
            )
            return figure
        panels = figure.subplots(1, len(heats), sharey=True, squeeze=False)[0]
        for axes, heat in zip(panels, heats, strict=True):
            _paint_heat(axes, heat)
            axes.set_title(f"player holds {heat.against}", fontsize="medium")
            axes.set_xlabel("dealer's total")
        panels[0].set_ylabel("dealer's cards")
        _add_gain_scale(figure, list(panels), "EV(draw) − EV(stop), dealer's units")
        _add_note(figure, "% how often to draw; small figures: EV(draw) − EV(stop) in dealer's units")
    return figure


def convergence_plot(curves: Mapping[str, Sequence[CurvePoint]]) -> Figure:
    """Draw how the certified interval narrows, iteration by iteration, a line for each algorithm.

    Examples
    --------
    >>> figure = convergence_plot({"cfr+": [CurvePoint(16, -0.02, 0.01, 0.0), CurvePoint(32, -0.013, -0.011, 0.0)]})
    >>> figure.axes[0].get_xscale(), figure.axes[0].get_yscale()
    ('log', 'log')
    """
    with _style():
        figure = _new_figure(9, 5.5)
        axes = figure.add_subplot()
        for place, (name, curve) in enumerate(curves.items()):
            points = [point for point in curve if point.width > 0]
            axes.plot(
                [point.iteration for point in points],
                [point.width for point in points],
                marker=_MARKERS[place % len(_MARKERS)],
                markersize=4,
                color=LINES[place % len(LINES)],
                label=name,
            )
        axes.set(
            xscale="log",
            yscale="log",
            xlabel="iterations",
            ylabel="exploitability: upper − lower, units/hand",
        )
        axes.grid(visible=True, which="major", alpha=0.4)
        axes.set_title("Convergence to the equilibrium", loc="left", fontweight="bold")
        if curves:
            axes.legend(title="algorithm", frameon=False, loc="upper right")
    return figure


def tornado_plot(rows: Sequence[SensitivityRow]) -> Figure:
    """Draw what each other choice of an option changes, the strongest on top.

    Examples
    --------
    >>> rows = [SensitivityRow("reveal", "none", -0.002, 0.01), SensitivityRow("surrender", "none", 0.018, 0.03)]
    >>> [label.get_text() for label in tornado_plot(rows).axes[0].get_yticklabels()]
    ['surrender = "none"', 'reveal = "none"']
    """
    ranked = sorted(rows, key=lambda row: -abs(row.change))
    with _style():
        figure = _new_figure(10.5, 1.6 + 0.3 * max(len(ranked), 1))
        axes = figure.add_subplot()
        changes = [row.change for row in ranked]
        colours = [FOR_PLAYER if change > 0 else FOR_DEALER for change in changes]
        bars = axes.barh(range(len(ranked)), changes, color=colours)
        axes.bar_label(bars, labels=[signed(change, 4) for change in changes], padding=4, fontsize="small")
        axes.set_yticks(range(len(ranked)), [row.label for row in ranked])
        axes.invert_yaxis()
        axes.margins(x=0.13, y=0.01)
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_xlabel("change of the game's value, player's units/hand (right: better for the player)")
        axes.set_title("What each option is worth, one change at a time", loc="left", fontweight="bold")
    return figure


def pair_heat_map(pairs: Sequence[PairRow]) -> Figure:
    """Draw by how much two changes together differ from the sum of their single effects.

    Examples
    --------
    >>> reveal = SensitivityRow("reveal", "none", -0.002, 0.01)
    >>> surrender = SensitivityRow("surrender", "none", 0.018, 0.03)
    >>> figure = pair_heat_map([PairRow(reveal, surrender, 0.027, 0.039, -0.001)])
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['reveal = "none"', 'surrender = "none"']
    """
    labels, matrix = interaction_matrix(pairs)
    size = max(len(labels), 2)
    with _style():
        figure = _new_figure(max(4.6 + 0.62 * size, 8), 3.6 + 0.5 * size)
        axes = figure.add_subplot()
        limit = float(np.nanmax(np.abs(matrix), initial=1e-9)) * 1000
        seaborn.heatmap(
            matrix * 1000,
            ax=axes,
            cmap=_DIVERGING,
            vmin=-limit,
            vmax=limit,
            annot=[[signed(value, 1) for value in row] for row in matrix * 1000],
            fmt="",
            annot_kws={"fontsize": "small"},
            linewidths=1,
            xticklabels=labels,
            yticklabels=labels,
            cbar_kws={"label": "interaction, 0.001 units/hand", "shrink": 0.8},
        )
        axes.tick_params(axis="x", rotation=45, length=0)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
            label.set_rotation_mode("anchor")
        axes.tick_params(axis="y", rotation=0, length=0)
        title = "Pairs of options: joint change − sum of the single changes"
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def outcome_plot(distribution: OutcomeDistribution) -> Figure:
    """Draw how hands end: the probability of each result in units, coloured by the reason for it.

    Examples
    --------
    >>> from croupier.banluck.analysis.outcomes import OutcomeRow
    >>> from croupier.banluck.engine.settlement import Outcome
    >>> rows = (OutcomeRow(Outcome.WIN, 1.0, 0.6), OutcomeRow(Outcome.BUST, -1.0, 0.4))
    >>> outcome_plot(OutcomeDistribution(rows)).axes[0].get_xlabel()
    "player's result, units"
    """
    units = list(distribution.by_units())
    shares = distribution.by_outcome()
    with _style():
        figure = _new_figure(9.5, 5.5)
        axes = figure.add_subplot()
        bottom = np.zeros(len(units))
        for outcome in sorted(shares, key=list(Outcome).index):
            heights = np.zeros(len(units))
            for row in distribution.rows:
                if row.outcome is outcome:
                    heights[units.index(row.units)] += row.probability
            bars = axes.bar(
                range(len(units)),
                heights,
                bottom=bottom,
                color=OUTCOME_COLOURS[outcome],
                label=outcome.value,
                edgecolor="white",
            )
            bottom += heights
        axes.bar_label(bars, labels=[_share(total) for total in bottom], padding=3)
        axes.set_xticks(
            range(len(units)), [f"{unit:+g}".replace("-", "−") if unit else "0" for unit in units]
        )
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_ylim(top=1.1 * float(bottom.max()))
        axes.set(xlabel="player's result, units", ylabel="share of hands")
        axes.legend(title="how the hand ends", frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        axes.set_title(
            f"Results of a hand: mean {signed(distribution.mean, 4)}, standard deviation {distribution.std:.3f} units",
            loc="left",
            fontweight="bold",
        )
    return figure


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and as SVG, the same bytes for the same figure, and return the paths.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_figure(convergence_plot({}), Path(folder), "convergence")]
    ['convergence.png', 'convergence.svg']
    """
    make_folder(folder)
    paths = []
    # Both files show the same layout, and it is worked out once: a figure with a layout engine is drawn twice for each file.
    figure.set_dpi(_DOTS_PER_INCH)
    figure.draw_without_rendering()
    figure.set_layout_engine(None)
    # Ids in SVG files are random and carry the date unless told otherwise.
    with matplotlib.rc_context({"svg.hashsalt": name}):
        for ending, metadata in (("png", {}), ("svg", {"Date": None})):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=ending, dpi=_DOTS_PER_INCH, metadata=metadata, facecolor="white")
            path = folder / f"{name}.{ending}"
            write_bytes(path, buffer.getvalue(), what="figure")
            paths.append(path)
    return paths


def _style() -> AbstractContextManager[None]:
    return matplotlib.rc_context(
        {"font.size": 11, "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": "white"}
    )


class Picture(Figure):
    """A figure that every notebook shows, also where no plotting backend was chosen."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()


def _new_figure(width: float, height: float) -> Figure:
    return Picture(figsize=(width, height), layout="constrained")


def _paint_heat(axes: Axes, heat: HeatMap) -> None:
    """Colour the cells by gain and write the action and the gain into each."""
    seaborn.heatmap(
        heat.grid(lambda cell: cell.gain),
        ax=axes,
        cmap=_DIVERGING,
        vmin=-COLOUR_LIMIT,
        vmax=COLOUR_LIMIT,
        linewidths=1.5,
        cbar=False,
        xticklabels=[str(total) for total in heat.totals],
        yticklabels=list(heat.rows),
    )
    axes.tick_params(axis="both", rotation=0, length=0)
    for (row, total), cell in heat.cells.items():
        x, y = heat.totals.index(total), heat.rows.index(row)
        gain = cell.gain
        if gain is None:
            axes.add_patch(Rectangle((x + 0.02, y + 0.02), 0.96, 0.96, color=FORCED, linewidth=0))
        ink = "white" if gain is not None and abs(gain) > 0.8 * COLOUR_LIMIT else "black"
        # What is written inside a cell moves nothing: the layout need not measure it.
        place: dict[str, Any] = {"ha": "center", "va": "center", "color": ink, "in_layout": False}
        axes.text(x + 0.5, y + (0.5 if gain is None else 0.36), cell.label, weight="bold", **place)
        if gain is not None:
            axes.text(x + 0.5, y + 0.74, signed(gain, 2), fontsize=8.5, **place)


def _add_gain_scale(figure: Figure, axes: list[Axes], label: str) -> None:
    painted = axes[0].collections[0]
    figure.colorbar(painted, ax=axes, label=label, extend="both", shrink=0.85, pad=0.015)


def _add_note(figure: Figure, note: str) -> None:
    figure.supxlabel(note, x=0.01, ha="left", fontsize="medium", color="#444444")


def _share(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.001 else f"{probability:.3%}"
