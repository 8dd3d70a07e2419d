"""A card to carry: chart, deviations and bets for the rules at hand, on one page."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TYPE_CHECKING

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
from croupier.page import A5, Page

if TYPE_CHECKING:  # a chart alone needs nothing of counting
    from croupier.blackjack.counting.indices import CountIndex
    from croupier.blackjack.counting.result import CountingStrategy

_LEFT, _WIDTH, _HEIGHT = 17, *A5

#: Where the chart begins, where it ends alone, and where the deviations of a count end.
_CHART_TOP, _CHART_BOTTOM, _COUNT_BOTTOM = 71, 536, 590

#: Characters of small print in a line of the page.
_CHARACTERS = 112

#: Rows that are left out where a chart plays them as everybody does: by the code that everybody plays.
_USUAL = dict.fromkeys((*HARD_ROWS[:4], SOFT_ROWS[0]), "H") | dict.fromkeys(
    (*HARD_ROWS[14:], *SOFT_ROWS[8:]), "S"
)

#: The most deviations in a column of the list, columns, the height of a line, and that of the lines above them.
_LINES, _COLUMNS, _LINE, _HEADING = 16, 4, 8.45, 38


def strategy_card(
    rules: BlackjackRules,
    chart: Chart,
    counting: "CountingStrategy | None" = None,
    *,
    ranked: Sequence[tuple[str, str]] = (),
    doubled: Sequence[str] = (),
) -> Page:
    """Draw a page with a chart, and with the deviations and bets of a count if one is given.

    Parameters
    ----------
    counting
        The count; its deviations are listed, those of the first cells of ``ranked`` that fit.
    ranked
        Cells (row and up-card) by what their deviations earn, the best first; see
        :func:`~croupier.blackjack.counting.index_values.computed_values`. Others come last, in the order of the chart.
    doubled
        What is done with doubled hands, see :func:`~croupier.blackjack.solvers.doubled_hands.plan_lines`.

    Examples
    --------
    >>> page = strategy_card(BlackjackRules(), Chart.uniform("S"))
    >>> page.words[0].text, sum(words.text == "S" for words in page.words)
    ('Blackjack: six-deck', 320)
    """
    title = f"Blackjack: {BLACKJACK.describe(rules)}"
    page = Page(title, *A5)
    page.write(_LEFT, 11, title, size=9, is_bold=True)
    page.write_wrapped(_LEFT, 25, rules_summary(rules), _CHARACTERS, size=6.5)
    kept = [] if counting is None else _kept(counting.indices.plays, ranked)
    count_top = 0.0 if counting is None else _COUNT_BOTTOM - _HEADING - _LINE * _lines(kept)
    bottom = _CHART_BOTTOM if counting is None else count_top - 42
    _draw_chart(page, chart, (46, _CHART_TOP, 357, bottom - _CHART_TOP))
    codes = [code for play in kept for code in (play.below, play.code)]
    page.write_wrapped(_LEFT, bottom + 7, _legend(rules, chart, codes, doubled), _CHARACTERS, size=6.5)
    if counting is not None:
        _draw_counting(page, rules, counting, kept, count_top)
    return page


def _shown_rows(chart: Chart) -> list[str]:
    return [
        row
        for row in (*HARD_ROWS, *SOFT_ROWS, *PAIR_ROWS)
        if any(chart[row, up_card].value != _USUAL.get(row) for up_card in chart.columns)
    ]


def _draw_chart(page: Page, chart: Chart, box: tuple[float, float, float, float]) -> None:
    rows, columns = _shown_rows(chart), [column for group in chart.column_groups for column in group]
    small = len(columns) > len(UP_CARDS)
    page.grid(
        box,
        [column.replace("soft ", "s") for column in columns],
        [(row, [chart[row, column].value for column in columns]) for row in rows],
        CODE_COLOURS,
        sizes=(5, 5.5, 7) if small else (7, 8, 7),
        ruled_rows=frozenset(
            {sum(row in HARD_ROWS for row in rows), sum(row not in PAIR_ROWS for row in rows)}
        ),
        ruled_columns=frozenset({len(chart.column_groups[0])} if small else ()),
    )


def _legend(rules: BlackjackRules, chart: Chart, codes: Iterable[Code], doubled: Sequence[str]) -> str:
    """Say what the codes of the chart mean, and those of the deviations."""
    used = {*codes, *(chart[row, up_card] for row in _shown_rows(chart) for up_card in chart.columns)}
    text = "; ".join(f"{code} {code.meaning_by(rules)}" for code in Code if code in used)
    hidden = [row for row in _USUAL if row not in _shown_rows(chart)]
    hits, stands = (", ".join(row for row in hidden if _USUAL[row] == code) for code in "HS")
    across = " Across: the dealer's hard totals, then soft ones (s)." if chart.columns != UP_CARDS else ""
    others = f"Rows not shown: hit {hits or 'none'}; stand on {stands or 'none'}."
    plan = f" Doubled hands: {'; '.join(doubled)}; else stand." if doubled else ""
    return f"{text}. {others}{across}{plan}"


def _kept(plays: "Sequence[CountIndex]", ranked: Sequence[tuple[str, str]]) -> "list[CountIndex]":
    """Return the deviations that fit on the page, in the order of the chart: all of a cell or none, of the best cells first."""
    in_cell = Counter((play.row, play.up_card) for play in plays)
    kept, room = set(), _LINES * _COLUMNS
    for cell in dict.fromkeys((*ranked, *in_cell)):
        if in_cell[cell] <= room:
            kept.add(cell)
            room -= in_cell[cell]
    return [play for play in plays if (play.row, play.up_card) in kept]


def _lines(kept: "Sequence[CountIndex]") -> int:
    """Return how many lines the deviations take."""
    return ceil(len(kept) / _COLUMNS)


def _draw_counting(
    page: Page, rules: BlackjackRules, counting: "CountingStrategy", kept: "Sequence[CountIndex]", top: float
) -> None:
    system, indices = counting.system, counting.indices
    kind = "true count" if system.is_balanced else "running count"
    assert isinstance(rules.decks, int), "a shoe without end is not counted"
    bets = f"{system.beginning(rules.decks)} Units by {kind}: {counting.ramp.text()}".lstrip()
    top = page.write(_LEFT, top, f"{system.name}   {system.tag_text()}", size=8, is_bold=True)
    top = page.write(_LEFT, top + 2.5, bets, size=7.5)
    insurance = "no insurance" if indices.insurance is None else f"insurance from {indices.insurance:+d}"
    left_out = len(indices.plays) - len(kept)
    more = f"; {left_out} that earn less are left out" if left_out else ""
    plays = f"Play otherwise from this {kind} on" if kept else "Plays do not follow the count"
    top = page.write(_LEFT, top + 2, f"{plays}; {insurance}{more}", size=7.5)
    for place, play in enumerate(kept):
        column, line = divmod(place, _lines(kept))
        text = f"{play.row} v {play.up_card}: {play.below}→{play.code} {play.count:+d}"
        page.write(_LEFT + 101 * column, top + 4 + _LINE * line, text, size=6.5)
