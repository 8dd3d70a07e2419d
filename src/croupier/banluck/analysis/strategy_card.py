"""A card to carry to a New Year's table: both charts, special hands, the rules and the edge on one page."""

from croupier.banluck.analysis.card_words import (
    edge_in_words,
    price_in_words,
    rules_in_words,
    special_hands,
    surrender_in_words,
)
from croupier.banluck.analysis.chart import ChartGrid, dealer_chart_strategy
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.rules import BANLUCK
from croupier.banluck.solvers.best_response import certify
from croupier.page import A5, Page

_LEFT, _RIGHT = 17, A5[0] - 17

#: Orange for going on, purple for stopping, as in all charts of Banluck; blue for opening.
_COLOURS = {"H": "#fecd8f", "D": "#fecd8f", "S": "#c6c4df", "R": "#a9d3f0"}

#: Characters in a line of the page, of letters of seven points.
_CHARACTERS = 98

#: The charts take so much of the page, and a row of them at most so much; the names of rows are so wide.
_CHARTS, _HIGHEST_ROW, _NAMES = 298, 18.5, 31.5

#: Dealer's grids with more totals than this stand two beside each other, others four.
_NARROW = 3


def strategy_card(solution: Solution) -> Page:
    """Draw a page for both sides of a solved game.

    Examples
    --------
    >>> from croupier import banluck
    >>> strategy_card(banluck.solve()).words[0].text
    'Banluck: reference'
    """
    title = f"Banluck: {BANLUCK.describe(solution.rules)}"
    page = Page(title, *A5)
    page.write(_LEFT, 11, title, size=11, is_bold=True)
    top = _write(page, edge_in_words(solution), 27, size=7.5)
    player, dealer = solution.chart.grid, merged_grids(solution.dealer_chart.grids)
    lines = _dealer_lines(dealer)
    rows = len(player.rows) + 1 + sum(len(line[0].rows) + 1 for line in lines)
    row = min(_CHARTS / rows, _HIGHEST_ROW)
    top = _draw_player(page, player, _heading(page, "You are a player", top), row)
    top = _draw_dealer(page, lines, _heading(page, "You are the dealer", top), row)
    top = _write(page, surrender_in_words(solution), top)
    dealer_cost = (
        certify(solution.player, dealer_chart_strategy(solution.book), solution.rules).upper - solution.value
    )
    top = _write(page, price_in_words(solution.chart.cost_against_best, max(dealer_cost, 0.0)), top)
    _draw_rules(page, solution, _heading(page, "Special hands and rules", top))
    return page


def merged_grids(grids: tuple[ChartGrid, ...]) -> tuple[ChartGrid, ...]:
    """Make one of grids that say the same, and name them by the cards that a player holds.

    >>> from croupier import banluck
    >>> grids = banluck.solve(banluck.Rules(reveal="mandatory")).dealer_chart.grids
    >>> [grid.title for grid in merged_grids(grids)]
    ['player holds 2 cards']
    """
    groups: dict[tuple[tuple[int, ...], tuple[tuple[str, tuple[str, ...]], ...]], list[str]] = {}
    for grid in grids:
        groups.setdefault((grid.totals, grid.rows), []).append(
            grid.title.removeprefix("Against ").removesuffix(" cards")
        )
    return tuple(
        ChartGrid(f"player holds {' or '.join(counts)} cards", totals, rows)
        for (totals, rows), counts in groups.items()
    )


def _write(page: Page, text: str, top: float, *, size: float = 7.0) -> float:
    """Write a paragraph; return where the next one begins."""
    return page.write_wrapped(_LEFT, top, text, int(_CHARACTERS * 7.0 / size), size=size) + 4


def _heading(page: Page, text: str, top: float) -> float:
    return page.write(_LEFT, top + 3, text, size=9, is_bold=True) + 3


def _draw_player(page: Page, grid: ChartGrid, top: float, row: float) -> float:
    """Draw the player's chart without the low totals at which every hand hits."""
    differs = [
        place
        for place in range(len(grid.totals))
        if any(letters[place] not in ("", "H") for _, letters in grid.rows)
    ]
    first = max(differs[0] - 1, 0) if differs else 0
    rows = tuple((name, letters[first:]) for name, letters in grid.rows)
    shown = ChartGrid("", grid.totals[first:], rows)
    below = f" Below {shown.totals[0]} every hand hits." if first else ""
    legend = (
        f"H hit, S stand. 2 hard: two cards, no ace or aces that count 1. Soft: an ace counts more.{below}"
    )
    return _write(page, legend, _draw_grid(page, shown, _LEFT, top, _RIGHT - _LEFT, row) + 4)


def _dealer_lines(grids: tuple[ChartGrid, ...]) -> list[tuple[ChartGrid, ...]]:
    """Say which of the dealer's grids stand beside each other."""
    beside = 2 if grids and len(grids[0].totals) > _NARROW else 4
    return [grids[start : start + beside] for start in range(0, len(grids), beside)]


def _draw_dealer(page: Page, lines: list[tuple[ChartGrid, ...]], top: float, row: float) -> float:
    if not lines:
        return _write(page, "The dealer has no choice under these rules.", top)
    gap = 8.4
    width = (_RIGHT - _LEFT + gap) / len(lines[0]) - gap
    for line in lines:
        bottoms = []
        for place, grid in enumerate(line):
            left = _LEFT + place * (width + gap)
            below = page.write(left, top, grid.title, size=7, is_bold=True)
            bottoms.append(_draw_grid(page, grid, left, below, width, row))
        top = max(bottoms) + 6
    letters = {letter for line in lines for grid in line for _, cells in grid.rows for letter in cells}
    meanings = {"D": "draw", "S": "stand", "R": "open the player"}
    legend = ", ".join(f"{letter} {text}" for letter, text in meanings.items() if letter in letters)
    return _write(page, f"{legend}.", top)


def _draw_grid(page: Page, grid: ChartGrid, left: float, top: float, width: float, row: float) -> float:
    """Draw cells with their letters, totals on top and rows on the left; return where they end."""
    height = row * len(grid.rows)
    page.grid(
        (left + _NAMES, top + row, width - _NAMES, height),
        [str(total) for total in grid.totals],
        [(name.replace(" cards,", ""), letters) for name, letters in grid.rows],
        _COLOURS,
        sizes=(8, 7, 7),
    )
    return top + row + height


def _draw_rules(page: Page, solution: Solution, top: float) -> None:
    """Write the special hands on the left and the rules on the right, as high as the page allows."""
    line = top
    for hand in special_hands(solution.rules):
        page.write(_LEFT, line, hand.pays, size=7.5, is_bold=True)
        line = page.write(_LEFT + 27, line, f"{hand.name}: {hand.cards}", size=7) + 2.3
    page.write_wrapped(206, top, " ".join(rules_in_words(solution.rules)), 57, size=6.5)
