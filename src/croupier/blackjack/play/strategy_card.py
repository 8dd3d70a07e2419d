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
        if any(chart[row, up_card].value != _USUAL.get(row) for up_card in UP_CARDS)
    ]


def _draw_chart(axes: "Axes", chart: Chart) -> None:
    rows = _shown_rows(chart)
    for y, row in enumerate(rows):
        for x, up_card in enumerate(UP_CARDS):
            code = chart[row, up_card].value
            axes.fill((x, x + 1, x + 1, x), (y, y, y + 1, y + 1), color=CODE_COLOURS[code[0]], linewidth=0.0)
            axes.text(x + 0.5, y + 0.5, code, ha="center", va="center", fontsize=7)
    for line in range(len(UP_CARDS) + 1):
        axes.axvline(line, color="white", linewidth=0.8)
    blocks = {sum(row in HARD_ROWS for row in rows), sum(row not in PAIR_ROWS for row in rows)}
    for line in range(len(rows) + 1):
        axes.axhline(line, color="black" if line in blocks else "white", linewidth=0.8)
    axes.set_xlim(0, len(UP_CARDS))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([place + 0.5 for place in range(len(UP_CARDS))], list(UP_CARDS), fontsize=8)
    axes.set_yticks([place + 0.5 for place in range(len(rows))], list(rows), fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    for side in axes.spines.values():
        side.set_visible(False)


def _draw_legend(figure: Figure, rules: BlackjackRules, chart: Chart, top: float) -> None:
    used = {chart[row, up_card] for row in _shown_rows(chart) for up_card in UP_CARDS}
    text = ";  ".join(f"{code} {code.meaning}" for code in Code if code in used)
    hidden = [row for row in _USUAL if row not in _shown_rows(chart)]
    hits, stands = (", ".join(row for row in hidden if _USUAL[row] == code) for code in "HS")
    others = f"Rows not shown: hit {hits or 'none'}; stand on {stands or 'none'}."
    lines = plan_lines(rules)
    doubled = f" Doubled hands: {'; '.join(lines)}; else stand." if lines else ""
    wrapped = "\n".join(textwrap.wrap(f"{text}. {others}{doubled}", 105))
    figure.text(0.04, top, wrapped, va="top", fontsize=6.5)


def _draw_counting(figure: Figure, counting: CountingStrategy) -> None:
    system, indices = counting.system, counting.indices
    kind = "true count" if system.is_balanced else "running count"
    tags = "  ".join(f"{rank} {tag:+d}" for rank, tag in system.to_dict()["tags"].items())
    bets = ", ".join(f"{count:+d}: {units}" for count, units in counting.ramp.steps)
    figure.text(0.04, 0.298, f"{system.name}   {tags}", va="top", fontsize=8, weight="bold")
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
