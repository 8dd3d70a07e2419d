"""A card to carry: chart, deviations and bets for the rules at hand, on one page (matplotlib)."""

import textwrap
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.solvers.chart import (
    CODE_COLOURS,
    HARD_ROWS,
    PAIR_ROWS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
    Code,
)
from croupier.blackjack.solvers.doubled_hands import plan_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A5 upright, in inches: a page in a pocket, and the shape of a telephone.
_WIDTH, _HEIGHT = 5.83, 8.27
_DOTS_PER_INCH = 200

#: Rows that are left out where a chart plays them as everybody does: by the code that everybody plays.
_USUAL = dict.fromkeys((*HARD_ROWS[:4], SOFT_ROWS[0]), "H") | dict.fromkeys(
    (*HARD_ROWS[14:], *SOFT_ROWS[8:]), "S"
)

#: Deviations in a column of the list, and columns.
_LINES, _COLUMNS = 16, 4


def strategy_card(rules: BlackjackRules, chart: Chart, counting: CountingStrategy | None = None) -> Figure:
    """Draw a page with a chart, and with the deviations and bets of a count if one is given.

    Parameters
    ----------
    counting
        The count; its deviations are listed, those nearest to a count of 0 first, as many as fit.

    Examples
    --------
    >>> figure = strategy_card(BlackjackRules(), Chart.uniform("S"))
    >>> figure.get_size_inches().tolist()
    [5.83, 8.27]
    """
    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DOTS_PER_INCH)
    figure.text(0.04, 0.982, f"Blackjack: {BLACKJACK.describe(rules)}", va="top", fontsize=9, weight="bold")
    summary = "\n".join(textwrap.wrap(rules_summary(rules), 105))
    figure.text(0.04, 0.958, summary, va="top", fontsize=6.5, color="#333333")
    bottom = 0.10 if counting is None else 0.37
    _draw_chart(figure.add_axes((0.11, bottom, 0.85, 0.88 - bottom)), chart)
    _draw_legend(figure, rules, chart, bottom - 0.012)
    if counting is not None:
        _draw_counting(figure, counting)
    return figure


def _shown_rows(chart: Chart) -> list[str]:
    return [
        row
        for row in (*HARD_ROWS, *SOFT_ROWS, *PAIR_ROWS)
        if any(chart[row, up_card].value != _USUAL.get(row) for up_card in chart.columns)
    ]


def _draw_chart(axes: "Axes", chart: Chart) -> None:
    rows, columns = _shown_rows(chart), [column for group in chart.column_groups for column in group]
    small = len(columns) > len(UP_CARDS)
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            code = chart[row, column].value
            axes.fill((x, x + 1, x + 1, x), (y, y, y + 1, y + 1), color=CODE_COLOURS[code[0]], linewidth=0.0)
            axes.text(x + 0.5, y + 0.5, code, ha="center", va="center", fontsize=5 if small else 7)
    groups = {len(chart.column_groups[0])} if small else set()
    for line in range(len(columns) + 1):
        axes.axvline(line, color="black" if line in groups else "white", linewidth=0.8)
    blocks = {sum(row in HARD_ROWS for row in rows), sum(row not in PAIR_ROWS for row in rows)}
    for line in range(len(rows) + 1):
        axes.axhline(line, color="black" if line in blocks else "white", linewidth=0.8)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    names = [column.replace("soft ", "s") for column in columns]
    axes.set_xticks([place + 0.5 for place in range(len(columns))], names, fontsize=5.5 if small else 8)
    axes.set_yticks([place + 0.5 for place in range(len(rows))], list(rows), fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    for side in axes.spines.values():
        side.set_visible(False)


def _draw_legend(figure: Figure, rules: BlackjackRules, chart: Chart, top: float) -> None:
    used = {chart[row, up_card] for row in _shown_rows(chart) for up_card in chart.columns}
    text = ";  ".join(f"{code} {code.meaning}" for code in Code if code in used)
    hidden = [row for row in _USUAL if row not in _shown_rows(chart)]
    hits, stands = (", ".join(row for row in hidden if _USUAL[row] == code) for code in "HS")
    across = " Across: the dealer's hard totals, then soft ones (s)." if chart.columns != UP_CARDS else ""
    others = f"Rows not shown: hit {hits or 'none'}; stand on {stands or 'none'}."
    lines = plan_lines(rules)
    doubled = f" Doubled hands: {'; '.join(lines)}; else stand." if lines else ""
    wrapped = "\n".join(textwrap.wrap(f"{text}. {others}{across}{doubled}", 105))
    figure.text(0.04, top, wrapped, va="top", fontsize=6.5)


def _draw_counting(figure: Figure, counting: CountingStrategy) -> None:
    system, indices = counting.system, counting.indices
    kind = "true count" if system.is_balanced else "running count"
    bets = ", ".join(f"{count:+d}: {units}" for count, units in counting.ramp.steps)
    figure.text(0.04, 0.298, f"{system.name}   {system.tag_text()}", va="top", fontsize=8, weight="bold")
    figure.text(0.04, 0.276, f"Units by {kind}: {bets}", va="top", fontsize=7.5)
    insurance = "no insurance" if indices.insurance is None else f"insurance from {indices.insurance:+d}"
    nearest = sorted(indices.plays, key=lambda play: abs(play.exact))[: _LINES * _COLUMNS]
    kept = [play for play in indices.plays if play in nearest]
    left_out = len(indices.plays) - len(kept)
    more = f"; {left_out} rarer ones are left out" if left_out else ""
    figure.text(0.04, 0.256, f"Play otherwise from this {kind} on; {insurance}{more}", va="top", fontsize=7.5)
    for place, play in enumerate(kept):
        column, line = divmod(place, _LINES)
        text = f"{play.row} v {play.up_card}: {play.below}→{play.code} {play.count:+d}"
        figure.text(0.04 + 0.24 * column, 0.234 - 0.0142 * line, text, va="top", fontsize=6.5)
