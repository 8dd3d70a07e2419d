"""How Banluck's results look in the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.banluck.analysis.chart import ChartGrid, DealerChart, PlayerChart
from croupier.banluck.analysis.explain import ActionStory, Explanation
from croupier.banluck.analysis.findings import Finding, figure
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK

_GO, _STOP = "bold white on dark_orange3", "bold white on dodger_blue3"


def headline(solution: Solution) -> Group:
    """Show what the game is worth, and how sure that is."""
    outcomes = solution.outcomes
    favoured = "dealer" if solution.value < 0 else "player"
    lines = [
        Text.assemble(
            ("Value ", "bold"), (f"{solution.value:+.7f}", "bold green"), " units a hand for the player: ",
            (f"{abs(solution.value):.3%}", "bold"), f" in favour of the {favoured}",
        ),
        Text(f"Certified in [{solution.lower:+.10f}, {solution.upper:+.10f}], exploitability {solution.exploitability:.1e}"),
        Text(
            f"Standard deviation {outcomes.std:.4f} units; wins {outcomes.win:.2%}, pushes {outcomes.push:.2%}, "
            f"loses {outcomes.loss:.2%}"
        ),
        Text(f"Rules {BANLUCK.describe(solution.rules)}; {solution.algorithm}, {solution.iterations} iterations, {solution.seconds:.2f} s", style="dim"),
    ]  # fmt: skip
    if not solution.converged:
        lines.append(Text(f"Not converged: the tolerance was {solution.tolerance:g}", style="bold red"))
    return Group(*lines)


def player_chart_table(chart: PlayerChart) -> Table:
    """Show when the player hits and stands."""
    return chart_table(chart.grid)


def dealer_chart_tables(chart: DealerChart) -> Group:
    """Show when the dealer draws, for each card count of the player."""
    tables = [chart_table(grid) for grid in chart.grids]
    title = Text("Dealer, by the player's cards: D draw, S stand, R reveal (open the player)", style="italic")
    return Group(title, Columns(tables, padding=(0, 2)))


def chart_table(grid: ChartGrid, other: ChartGrid | None = None) -> Table:
    """Show one chart, a row a kind of hands and a column a total; a star marks what differs from another chart."""
    marked = {(row["row"], row["total"]) for row in grid.differences(other)} if other is not None else set()
    table = Table(title=grid.title, title_justify="left", padding=(0, 0))
    table.add_column("", no_wrap=True)
    for total in grid.totals:
        table.add_column(f"{total:>2} ", justify="center", no_wrap=True)
    for name, letters in grid.rows:
        cells = [
            _chart_cell(letter, "*" if (name, total) in marked else " ")
            for total, letter in zip(grid.totals, letters, strict=True)
        ]
        table.add_row(f"{name.replace(' cards,', '')} ", *cells)
    return table


def _chart_cell(letter: str, mark: str) -> Text:
    if not letter:
        return Text("   ")
    return Text(f" {letter}{mark}", style=_GO if letter in "HD" else _STOP)


def explanation_view(explanation: Explanation) -> Group:
    """Show the sentences, then each action's numbers."""
    parts: list[RenderableType] = [Text(sentence) for sentence in explanation.sentences]
    parts.append(_actions_table(explanation.stories))
    parts += [_against_table(story, explanation.side) for story in explanation.stories]
    return Group(*parts)


def _actions_table(stories: Sequence[ActionStory]) -> Table:
    table = Table(title="Each action, in units of whoever decides", title_justify="left")
    for column in ("action", "worth", "wins", "pushes", "loses", "how it ends"):
        table.add_column(column, justify="left" if column in ("action", "how it ends") else "right")
    for story in stories:
        endings = ", ".join(
            f"{row.outcome} {row.units:+g}: {row.probability:.1%}" for row in story.outcomes.rows[:6]
        )
        outcomes = story.outcomes
        table.add_row(
            story.action,
            f"{story.ev:+.4f}",
            f"{outcomes.win:.1%}",
            f"{outcomes.push:.1%}",
            f"{outcomes.loss:.1%}",
            endings,
        )
    return table


def _against_table(story: ActionStory, side: str) -> Table:
    other = "dealer ends with" if side == "player" else "player holds"
    table = Table(title=f"{story.action}: by what the {other}", title_justify="left")
    table.add_column(other)
    table.add_column("probability", justify="right")
    table.add_column("units on average", justify="right")
    for row in story.against:
        table.add_row(row.hand, f"{row.probability:.2%}", f"{row.units:+.3f}")
    return table


def finding_view(finding: Finding) -> Group:
    """Show a question, its answer, and its table."""
    parts: list[RenderableType] = [Text(finding.question, style="bold cyan"), Text(finding.answer)]
    if finding.table:
        parts.append(rows_table(finding.table))
    return Group(*parts, Text(""))


def rows_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Show rows of named values."""
    rows = list(rows)
    table = Table()
    for name, value in rows[0].items():
        table.add_column(name, justify="right" if isinstance(value, int | float) else "left")
    for row in rows:
        table.add_row(*(escape(figure(value)) for value in row.values()))
    return table
