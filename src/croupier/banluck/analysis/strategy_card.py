"""A card to carry to a New Year's table: both charts, special hands, the rules and the edge on one page (matplotlib)."""

import textwrap
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

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

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A5 upright, in inches: a page in a pocket, and the shape of a telephone.
_WIDTH, _HEIGHT = 5.83, 8.27
_DOTS_PER_INCH = 200
_LEFT, _RIGHT = 0.04, 0.96

#: Orange for going on, purple for stopping, as in all charts of Banluck; blue for opening.
_COLOURS = {"H": "#fecd8f", "D": "#fecd8f", "S": "#c6c4df", "R": "#a9d3f0"}

_CHARACTERS = 98
_LINE = 0.0155

#: The charts take so much of the page, and a row of them at most so much.
_CHARTS, _HIGHEST_ROW = 0.5, 0.031

#: Dealer's grids with more totals than this stand two beside each other, others four.
_NARROW = 3


def strategy_card(solution: Solution) -> Figure:
    """Draw a page for both sides of a solved game.

    Examples
    --------
    >>> from croupier import banluck
    >>> strategy_card(banluck.solve()).get_size_inches().tolist()
    [5.83, 8.27]
    """
    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DOTS_PER_INCH)
    figure.text(
        _LEFT, 0.982, f"Banluck: {BANLUCK.describe(solution.rules)}", va="top", fontsize=11, weight="bold"
    )
    top = _write(figure, edge_in_words(solution), 0.955, size=7.5)
    player, dealer = solution.chart.grid, merged_grids(solution.dealer_chart.grids)
    lines = _dealer_lines(dealer)
    rows = len(player.rows) + 1 + sum(len(line[0].rows) + 1 for line in lines)
    row = min(_CHARTS / rows, _HIGHEST_ROW)
    top = _heading(figure, "You are a player", top)
    top = _draw_player(figure, player, top, row)
    top = _heading(figure, "You are the dealer", top)
    top = _draw_dealer(figure, lines, top, row)
    top = _write(figure, surrender_in_words(solution), top)
    dealer_cost = (
        certify(solution.player, dealer_chart_strategy(solution.book), solution.rules).upper - solution.value
    )
    top = _write(figure, price_in_words(solution.chart.cost_against_best, max(dealer_cost, 0.0)), top)
    _draw_rules(figure, solution, _heading(figure, "Special hands and rules", top))
    return figure


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


def _write(figure: Figure, text: str, top: float, *, size: float = 7.0, indent: float = 0.0) -> float:
    """Write a paragraph; return where the next one begins."""
    lines = textwrap.wrap(text, int(_CHARACTERS * 7.0 / size * (1 - indent)))
    figure.text(_LEFT + indent, top, "\n".join(lines), va="top", fontsize=size, color="#222222")
    return top - _LINE * len(lines) * size / 7.0 - 0.006


def _heading(figure: Figure, text: str, top: float) -> float:
    figure.text(_LEFT, top - 0.006, text, va="top", fontsize=9, weight="bold")
    return top - 0.028


def _draw_player(figure: Figure, grid: ChartGrid, top: float, row: float) -> float:
    """Draw the player's chart without the low totals at which every hand hits."""
    differs = [
        place
        for place in range(len(grid.totals))
        if any(letters[place] not in ("", "H") for _, letters in grid.rows)
    ]
    first = max(differs[0] - 1, 0) if differs else 0
    rows = tuple((name, letters[first:]) for name, letters in grid.rows)
    shown = ChartGrid("", grid.totals[first:], rows)
    height = row * (len(rows) + 1)
    _draw_grid(figure, shown, (_LEFT, top - height, _RIGHT - _LEFT, height))
    below = f" Below {shown.totals[0]} every hand hits." if first else ""
    legend = (
        f"H hit, S stand. 2 hard: two cards, no ace or aces that count 1. Soft: an ace counts more.{below}"
    )
    return _write(figure, legend, top - height - 0.006)


def _dealer_lines(grids: tuple[ChartGrid, ...]) -> list[tuple[ChartGrid, ...]]:
    """Say which of the dealer's grids stand beside each other."""
    beside = 2 if grids and len(grids[0].totals) > _NARROW else 4
    return [grids[start : start + beside] for start in range(0, len(grids), beside)]


def _draw_dealer(figure: Figure, lines: list[tuple[ChartGrid, ...]], top: float, row: float) -> float:
    if not lines:
        return _write(figure, "The dealer has no choice under these rules.", top)
    gap = 0.02
    width = (_RIGHT - _LEFT + gap) / len(lines[0]) - gap
    for line in lines:
        height = row * (len(line[0].rows) + 1)
        for place, grid in enumerate(line):
            left = _LEFT + place * (width + gap)
            figure.text(left, top, grid.title, va="top", fontsize=7, weight="bold")
            _draw_grid(figure, grid, (left, top - 0.014 - height, width, height))
        top -= height + 0.024
    letters = {letter for line in lines for grid in line for _, cells in grid.rows for letter in cells}
    meanings = {"D": "draw", "S": "stand", "R": "open the player"}
    legend = ", ".join(f"{letter} {text}" for letter, text in meanings.items() if letter in letters)
    return _write(figure, f"{legend}.", top)


def _draw_grid(figure: Figure, grid: ChartGrid, box: tuple[float, float, float, float]) -> None:
    """Draw cells with their letters: totals on top, rows on the left."""
    left, bottom, width, height = box
    names = 0.075
    axes = figure.add_axes(
        (left + names, bottom, width - names, height * len(grid.rows) / (len(grid.rows) + 1))
    )
    for y, (_, letters) in enumerate(grid.rows):
        for x, letter in enumerate(letters):
            if letter:
                colour = _COLOURS[letter]
                axes.fill((x, x + 1, x + 1, x), (y, y, y + 1, y + 1), color=colour, linewidth=0.0)
                axes.text(x + 0.5, y + 0.53, letter, ha="center", va="center", fontsize=8)
    _set_lines(axes, grid)


def _set_lines(axes: "Axes", grid: ChartGrid) -> None:
    for line in range(len(grid.totals) + 1):
        axes.axvline(line, color="white", linewidth=0.8)
    for line in range(len(grid.rows) + 1):
        axes.axhline(line, color="white", linewidth=0.8)
    axes.set_xlim(0, len(grid.totals))
    axes.set_ylim(len(grid.rows), 0)
    axes.set_xticks(
        [place + 0.5 for place in range(len(grid.totals))], list(map(str, grid.totals)), fontsize=7
    )
    axes.set_yticks(
        [place + 0.5 for place in range(len(grid.rows))],
        [name.replace(" cards,", "") for name, _ in grid.rows],
        fontsize=7,
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    for side in axes.spines.values():
        side.set_visible(False)


def _draw_rules(figure: Figure, solution: Solution, top: float) -> None:
    """Write the special hands on the left and the rules on the right, as high as the page allows."""
    line = top
    for hand in special_hands(solution.rules):
        figure.text(_LEFT, line, hand.pays, va="top", fontsize=7.5, weight="bold")
        figure.text(_LEFT + 0.065, line, f"{hand.name}: {hand.cards}", va="top", fontsize=7)
        line -= _LINE * 1.15
    text = " ".join(rules_in_words(solution.rules))
    figure.text(
        0.49,
        top,
        "\n".join(textwrap.wrap(text, 57)),
        va="top",
        fontsize=6.5,
        color="#222222",
        linespacing=1.15,
    )
