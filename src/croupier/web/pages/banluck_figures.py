"""The charts and the study of a hand, as the explorer shows them."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui.elements.mixins.text_element import TextElement

from croupier.banluck.analysis.chart import PlayerChart
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.solvers.opponent import Role
from croupier.lab.numbers import signed
from croupier.web.models.banluck_charts import (
    SHADES,
    Composition,
    Grid,
    GridCell,
    dealer_grids,
    player_grid,
)
from croupier.web.models.banluck_question import Question
from croupier.web.models.banluck_solutions import SolvedGame
from croupier.web.models.banluck_study import Study
from croupier.web.parts.elements import tag
from croupier.web.parts.figures import figure

Chooser = Callable[[Question], Awaitable[object]]

_MORE_COMPOSITIONS = 12

#: Charts of more totals than this get more room.
_NARROW_GRID = 3

#: Costs below this are not told apart from nothing.
_SMALLEST_COST = 1e-6


class Charts:
    """The charts of both sides; every cell is a button, and the one that is looked into is marked."""

    def __init__(self) -> None:
        self._cells: dict[str, TextElement] = {}
        self._chosen: TextElement | None = None

    def show(self, game: SolvedGame, on_choose: Chooser) -> None:
        """Put the charts of a game on the page."""
        self._cells, self._chosen = show_charts(game, on_choose), None

    def mark(self, game: SolvedGame, question: Question) -> None:
        """Mark the cell that a question is about."""
        if self._chosen is not None:
            del self._chosen.props["aria-pressed"]
            self._chosen.update()
        self._chosen = self._cells.get(cell_of(game, question))
        if self._chosen is not None:
            self._chosen.props["aria-pressed"] = "true"
            self._chosen.update()


def show_charts(game: SolvedGame, on_choose: Chooser) -> dict[str, TextElement]:
    """Show the charts of both sides; return their cells by name."""
    cells: dict[str, TextElement] = {}
    with tag("section", classes="sheet stack", aria_label="The player's chart"):
        tag("h2", "Player: hit or stand")
        _legend("H hit", "S stand")
        cells |= _show_grid(player_grid(game), on_choose)
        tag("p", _price(game.chart), "quiet")
    with tag("section", classes="sheet stack", aria_label="The dealer's charts"):
        tag("h2", "Dealer, by the player's number of cards")
        grids = dealer_grids(game)
        if not grids:
            tag("p", "The dealer has no choices under these rules.", "quiet")
            return cells
        _legend("D draw", "S stand or R reveal (open the player)")
        is_broad = any(len(grid.totals) > _NARROW_GRID for grid in grids)
        with tag("div", classes="dealer-grids broad" if is_broad else "dealer-grids"):
            for grid in grids:
                cells |= _show_grid(grid, on_choose)
    return cells


def show_surrenders(game: SolvedGame) -> None:
    """Show the dealer's decisions on a hard 15, where the rules leave one."""
    decisions = [advice for advice in game.book.dealer_decisions if advice.go == "keep"]
    if not decisions:
        return
    with tag("section", classes="sheet stack", aria_label="The dealer's surrender"):
        tag("h2", "Dealer with a hard 15: surrender or keep")
        rows: list[tuple[str, ...]] = [
            (
                format_multiset(advice.hand),
                advice.against,
                signed(advice.ev_stop or 0.0, 4),
                signed(advice.ev_go, 4),
                advice.advice,
            )
            for advice in decisions
        ]
        _table(("hand", "the dealer has seen", "surrender", "keep", "right"), rows)


def show_study(found: Study, on_choose: Chooser) -> None:
    """Show what is known of one decision."""
    tag("h3", found.title, data_testid="study-title")
    with tag("div", classes="scroll"), tag("table", classes="grid-table", data_testid="actions"):
        _head(("action", "worth", "how often", "wins", "pushes", "loses"))
        with tag("tbody"):
            for action in found.actions:
                with tag(
                    "tr", classes="best-row" if action.is_best else "", data_testid=f"action-{action.action}"
                ):
                    tag("th", f"{action.action}{' ★' if action.is_best else ''}", scope="row")
                    tag("td", action.worth, "number", data_testid="ev")
                    for shown in (action.frequency, action.wins, action.pushes, action.loses):
                        tag("td", shown, "number")
    tag(
        "p",
        f"A mistake costs {found.cost} units; the decision comes up in {found.reach} of hands.",
        "quiet",
    )
    with tag("div", classes="stack why", data_testid="why"):
        for sentence in found.sentences:
            tag("p", sentence)
    if found.endings:
        tag("h3", "How the hand ends")
        figure(found.endings, "Share of hands by result, for each action").classes("study-figure")
        tag("h3", "Where the worth comes from")
        figure(found.against, "Units added by each hand of the other side, for each action").classes(
            "study-figure"
        )
    _show_compositions(found, on_choose)


def _show_compositions(found: Study, on_choose: Chooser) -> None:
    if len(found.compositions) < 2:
        return
    stop, go = (
        found.actions[0].action if found.actions else "stop",
        found.actions[-1].action if found.actions else "go",
    )
    with tag("details", open=len(found.compositions) <= _MORE_COMPOSITIONS):
        tag("summary", f"All {len(found.compositions)} hands of this cell")
        with tag("div", classes="scroll"), tag("table", classes="grid-table", data_testid="compositions"):
            _head(("hand", stop, go, "do", "a mistake", "share"))
            with tag("tbody"):
                for row in found.compositions:
                    _show_composition(row, on_choose)


def _show_composition(row: Composition, on_choose: Chooser) -> None:
    with tag("tr"):
        with tag("td"):
            button = tag("button", row.hand, "link-button", type="button")
            button.on("click", partial(on_choose, row.question), args=[])
        for shown in (row.stop, row.go, row.advice, row.cost, row.share):
            tag("td", shown, "number")


def _show_grid(grid: Grid, on_choose: Chooser) -> dict[str, TextElement]:
    shown: dict[str, TextElement] = {}
    with tag("div", classes="scroll"), tag("table", classes="heat-grid"):
        tag("caption", grid.title, "" if grid.title != "Player" else "unseen")
        with tag("thead"), tag("tr"):
            tag("th", "total", scope="col")
            for total in grid.totals:
                tag("th", str(total), scope="col")
        with tag("tbody"):
            for name, cells in grid.rows:
                with tag("tr"):
                    tag("th", name.replace(" cards,", ""), scope="row", title=name)
                    for cell in cells:
                        with tag("td"):
                            if cell is not None:
                                shown[cell.mark] = _show_cell(cell, on_choose)
    return shown


def _show_cell(cell: GridCell, on_choose: Chooser) -> TextElement:
    button = tag(
        "button",
        cell.label,
        f"heat {cell.shade}",
        type="button",
        aria_label=cell.spoken,
        title=cell.spoken,
        data_testid=f"cell-{cell.mark}",
    )
    button.on("click", partial(on_choose, cell.question), args=[])
    return button


def _legend(go: str, stop: str) -> None:
    """Say what letters and shades mean: the letter names the action, the shade what the other one costs."""
    with tag("div", classes="legend", aria_hidden="true"):
        tag("span", stop, "quiet")
        for place in range(len(SHADES), -1, -1):
            tag("span", "", f"heat swatch stop-{place}")
        for place in range(len(SHADES) + 1):
            tag("span", "", f"heat swatch go-{place}")
        tag("span", go, "quiet")
        limits = ", ".join(f"{limit:g}" for limit in SHADES)
        tag(
            "span",
            f"A stronger shade: the other action costs {limits} units or more. 25% = how often it goes on.",
            "quiet small",
        )


def cell_of(game: SolvedGame, question: Question) -> str:
    """Return the name of the cell that a question is about."""
    value = question.advice(game.book).value
    chart = "player" if question.side is Role.PLAYER else f"dealer{_charted(game, question.player_cards)}"
    return f"{chart}-{value.card_count}-{'soft' if value.is_soft else 'hard'}-{value.total}"


def _charted(game: SolvedGame, player_cards: int) -> int:
    """Return the card count by which a dealer's chart is named: one chart serves all where the dealer cannot tell."""
    return 2 if game.rules.reveal == "none" else player_cards


def _price(chart: PlayerChart) -> str:
    return (
        "Each cell is an average over its hands. A player who knows only the chart, and never mixes, gives up "
        f"{_units(chart.cost_against_equilibrium)} units a hand against the equilibrium dealer, "
        f"{_units(chart.cost_against_best)} against a dealer who answers the chart best."
    )


def _units(cost: float) -> str:
    return f"{cost:.6f}" if cost >= _SMALLEST_COST else f"less than {_SMALLEST_COST:.6f}"


def _table(names: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    with tag("div", classes="scroll"), tag("table", classes="grid-table"):
        _head(names)
        with tag("tbody"):
            for row in rows:
                with tag("tr"):
                    for shown in row:
                        tag("td", shown, "number")


def _head(names: tuple[str, ...]) -> None:
    with tag("thead"), tag("tr"):
        for name in names:
            tag("th", name, scope="col")
