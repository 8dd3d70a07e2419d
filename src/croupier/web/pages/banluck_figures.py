"""The charts and the study of a hand, as the explorer shows them."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from croupier.banluck.analysis.chart import PlayerChart
from croupier.banluck.analysis.phrases import advice_phrase, against_phrase, row_phrase, way_phrase
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.solvers.opponent import Role
from croupier.numerics.numbers import signed
from croupier.texts import figure as figure_of
from croupier.texts import in_row, say
from croupier.web.models.banluck_charts import (
    SHADES,
    Composition,
    Grid,
    GridCell,
    dealer_grids,
    player_grid,
)
from croupier.web.models.banluck_question import Question
from croupier.web.models.banluck_study import Study
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag
from croupier.web.parts.figures import figure

Chooser = Callable[[Question], Awaitable[object]]

_MORE_COMPOSITIONS = 12

#: Charts of more totals than this get more room.
_NARROW_GRID = 3

#: Charts of more totals than this are turned on phones, where they would not fit.
_WIDE_GRID = 8

#: Costs below this are not told apart from nothing.
_SMALLEST_COST = 1e-6


class Charts:
    """The charts of both sides; every cell is a button, and the one that is looked into is marked.

    Parameters
    ----------
    on_choose
        Called with what a chosen cell is about.
    """

    def __init__(self, on_choose: Chooser) -> None:
        self._on_choose = on_choose
        self._game: Solution | None = None
        self._chosen = ""
        self._drawing = Drawing(self._draw)

    def show(self, game: Solution) -> None:
        """Show the charts of a game."""
        self._game, self._chosen = game, ""
        self._drawing.refresh()

    def mark(self, question: Question) -> None:
        """Mark the cell that a question is about."""
        if self._game is not None:
            self._chosen = cell_of(self._game, question)
            self._drawing.refresh()

    def _draw(self) -> None:
        game = self._game
        if game is None:
            return
        with draw("section", classes="sheet stack", aria_label=say("banluck.chart.players")):
            draw("h2", say("banluck.chart.player_title"))
            _draw_legend(say("banluck.legend.hit"), say("banluck.legend.stand"))
            self._draw_grid(player_grid(game))
            draw("p", _price(game.chart), "quiet")
        with draw("section", classes="sheet stack", aria_label=say("banluck.chart.dealers")):
            draw("h2", say("banluck.chart.dealer_title"))
            self._draw_dealer(dealer_grids(game))
        _draw_surrenders(game)

    def _draw_dealer(self, grids: Sequence[Grid]) -> None:
        if not grids:
            draw("p", say("banluck.why.no_choices"), "quiet")
            return
        _draw_legend(say("banluck.legend.draw"), say("banluck.legend.stand_or_reveal"))
        is_broad = any(len(grid.totals) > _NARROW_GRID for grid in grids)
        with draw("div", classes="dealer-grids broad" if is_broad else "dealer-grids"):
            for grid in grids:
                self._draw_grid(grid)

    def _draw_grid(self, grid: Grid) -> None:
        # A wide chart is turned on phones; the roles keep it a table for screen readers.
        is_wide = len(grid.totals) > _WIDE_GRID
        style = f"--totals: {len(grid.totals)}" if is_wide else None
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="heat-grid wide" if is_wide else "heat-grid", role="table", style=style),
        ):
            draw("caption", grid.title, "unseen" if grid.title == say("banluck.chart.player") else "")
            with draw("thead", role="rowgroup"), draw("tr", role="row"):
                draw("th", say("banluck.chart.total"), scope="col", role="columnheader")
                for total in grid.totals:
                    draw("th", str(total), scope="col", role="columnheader")
            with draw("tbody", role="rowgroup"):
                for name, cells in grid.rows:
                    with draw("tr", role="row"):
                        short = row_phrase(name, short=True)
                        draw("th", short, scope="row", role="rowheader", title=row_phrase(name))
                        for cell in cells:
                            with draw("td", role="cell"):
                                if cell is not None:
                                    self._draw_cell(cell)

    def _draw_cell(self, cell: GridCell) -> None:
        draw(
            "button",
            cell.label,
            f"heat {cell.shade}",
            on_click=partial(self._on_choose, cell.question),
            type="button",
            aria_label=say("banluck.cell.labelled", label=cell.label, spoken=cell.spoken),
            aria_pressed="true" if cell.mark == self._chosen else None,
            title=cell.spoken,
            data_testid=f"cell-{cell.mark}",
        )


def _draw_surrenders(game: Solution) -> None:
    """Draw the dealer's decisions on a hard 15, where the rules leave one."""
    decisions = [advice for advice in game.book.dealer_decisions if advice.go == "keep"]
    if not decisions:
        return
    with draw("section", classes="sheet stack", aria_label=say("banluck.chart.surrender")):
        draw("h2", say("banluck.chart.surrender_title"))
        rows: list[tuple[str, ...]] = [
            (
                format_multiset(advice.hand),
                against_phrase(advice.against),
                signed(advice.ev_stop or 0.0, 4),
                signed(advice.ev_go, 4),
                advice_phrase(advice.advice),
            )
            for advice in decisions
        ]
        _draw_table(("hand", "seen", "surrender", "keep", "right"), rows)


def show_study(found: Study, on_choose: Chooser) -> None:
    """Show what is known of one decision."""
    Drawing(partial(_draw_actions, found))
    if found.endings:
        tag("h3", say("banluck.study.endings"))
        figure(found.endings, say("banluck.study.endings_label")).classes("study-figure")
        tag("h3", say("banluck.study.against"))
        figure(found.against, say("banluck.study.against_label")).classes("study-figure")
    Drawing(partial(_draw_compositions, found, on_choose))


def _draw_actions(found: Study) -> None:
    draw("h3", found.title, data_testid="study-title")
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="actions"),
    ):
        _draw_head(("action", "worth", "often", "wins", "pushes", "loses"))
        with draw("tbody"):
            for action in found.actions:
                with draw(
                    "tr", classes="best-row" if action.is_best else "", data_testid=f"action-{action.action}"
                ):
                    with draw("th", way_phrase(action.action), scope="row"):
                        if action.is_best:
                            draw("span", " ★")
                    draw("td", action.worth, "number", data_testid="ev")
                    for shown in (action.frequency, action.wins, action.pushes, action.loses):
                        draw("td", shown, "number")
    draw("p", say("banluck.study.mistake", cost=found.cost, reach=found.reach), "quiet")
    with draw("div", classes="stack why", data_testid="why"):
        for sentence in found.sentences:
            draw("p", sentence)


def _draw_compositions(found: Study, on_choose: Chooser) -> None:
    if len(found.compositions) < 2:
        return
    stop, go = (found.actions[0].action, found.actions[-1].action) if found.actions else ("stop", "go")
    with draw("details", open=len(found.compositions) <= _MORE_COMPOSITIONS):
        draw("summary", say("banluck.study.all", count=len(found.compositions)))
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table", data_testid="compositions"),
        ):
            _draw_head(("hand", stop, go, "do", "mistake", "share"))
            with draw("tbody"):
                for row in found.compositions:
                    _draw_composition(row, on_choose)


def _draw_composition(row: Composition, on_choose: Chooser) -> None:
    with draw("tr"):
        with draw("td"):
            draw("button", row.hand, "link-button", on_click=partial(on_choose, row.question), type="button")
        for shown in (row.stop, row.go, row.advice, row.cost, row.share):
            draw("td", shown, "number")


def _draw_legend(go: str, stop: str) -> None:
    """Say what letters and shades mean: the letter names the action, the shade what the other one costs."""
    with draw("div", classes="legend", aria_hidden="true"):
        draw("span", stop, "quiet")
        for place in range(len(SHADES), -1, -1):
            draw("span", "", f"heat swatch stop-{place}")
        for place in range(len(SHADES) + 1):
            draw("span", "", f"heat swatch go-{place}")
        draw("span", go, "quiet")
        limits = in_row([figure_of(limit, "g") for limit in SHADES], "list.semicolons")
        draw("span", say("banluck.legend.shades", limits=limits, example=0.25), "quiet small")


def cell_of(game: Solution, question: Question) -> str:
    """Return the name of the cell that a question is about."""
    value = question.advice(game.book).value
    chart = "player" if question.side is Role.PLAYER else f"dealer{_charted(game, question.player_cards)}"
    return f"{chart}-{value.card_count}-{'soft' if value.is_soft else 'hard'}-{value.total}"


def _charted(game: Solution, player_cards: int) -> int:
    """Return the card count by which a dealer's chart is named: one chart serves all where the dealer cannot tell."""
    return 2 if game.rules.reveal == "none" else player_cards


def _price(chart: PlayerChart) -> str:
    return say(
        "banluck.chart.price",
        equilibrium=_units(chart.cost_against_equilibrium),
        best=_units(chart.cost_against_best),
    )


def _units(cost: float) -> str:
    return (
        figure_of(cost, ".6f") if cost >= _SMALLEST_COST else say("banluck.chart.less", cost=_SMALLEST_COST)
    )


def _draw_table(names: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    with draw("div", classes="scroll", tabindex="0"), draw("table", classes="grid-table"):
        _draw_head(names)
        with draw("tbody"):
            for row in rows:
                with draw("tr"):
                    for shown in row:
                        draw("td", shown, "number")


def _draw_head(names: tuple[str, ...]) -> None:
    with draw("thead"), draw("tr"):
        for name in names:
            draw("th", say(f"banluck.head.{name}"), scope="col")
