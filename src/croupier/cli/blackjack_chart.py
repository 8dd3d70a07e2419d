"""``croupier blackjack chart``: the best chart of the rules, printed and drawn."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import HARD_ROWS, PAIR_ROWS, SOFT_ROWS, Chart, Code
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.json_output import print_json
from croupier.cli.kept_answers import kept_answer
from croupier.cli.printed_cards import verify_endings, write_card
from croupier.cli.progress import status_line
from croupier.extras import needs
from croupier.files import write_text

_STYLES = {
    "H": "black on bright_yellow",
    "S": "white on blue",
    "D": "white on dark_green",
    "P": "white on magenta",
    "R": "white on red",
}


def show_chart(
    rules: BlackjackRules, path: Path | None, pictures: Mapping[str, Path], *, as_json: bool
) -> None:
    """Print the best chart of the rules, and draw it in the forms that are asked for."""
    verify_endings(pictures)
    if pictures:
        needs("plots")
    value, best, doubled = _best_chart(rules)
    if path is not None:
        write_text(path, best.to_csv(), what="chart")
        typer.echo(f"Chart written to {path}", err=True)
    for form, picture in pictures.items():
        from croupier.blackjack.play.strategy_card import strategy_card

        write_card(strategy_card(rules, best, doubled=doubled), picture, form)
    if as_json:
        print_json({"value": value, "chart": best.to_dict(), "rules": rules.model_dump(mode="json")})
        return
    console = Console(highlight=False)
    print_rules(console, rules)
    for view in chart_views(best, "Best chart"):
        console.print(view)
    console.print(f"Worth [bold]{value:+.5%}[/bold] of the initial bet.")
    used = [code for code in Code if code in best.codes]
    console.print("; ".join(f"[bold]{code}[/bold] {code.meaning_by(rules)}" for code in used) + ".")
    if doubled:
        console.print(f"Doubled hands: {'; '.join(doubled)}; else stand.")


def _best_chart(rules: BlackjackRules) -> tuple[float, Chart, Sequence[str]]:
    """Return what the best chart is worth, the chart, and what it does with doubled hands; the solver starts only for rules that are new."""

    def solved() -> dict[str, Any]:
        from croupier.blackjack.solvers.doubled_hands import plan_lines
        from croupier.blackjack.solvers.total_dependent import best_chart

        best = best_chart(rules)
        return {"value": best.value, "chart": best.chart.to_csv(), "doubled": plan_lines(rules)}

    with status_line("computing the chart"):
        answer = kept_answer({"what": "best chart", "rules": rules.model_dump(mode="json")}, solved)
    return answer["value"], Chart.from_csv(answer["chart"]), answer["doubled"]


def chart_views(table: Chart, title: str) -> list[Table]:
    """Lay a chart out in the colours that people know; where both of the dealer's cards lie open, against hard totals and against soft ones."""
    if len(table.column_groups) == 1:
        return [_chart_view(table, title, table.columns)]
    names = ("hard", "soft")
    return [
        _chart_view(table, f"{title}, against the dealer's {name} totals", columns)
        for name, columns in zip(names, table.column_groups, strict=True)
    ]


def _chart_view(table: Chart, title: str, columns: tuple[str, ...]) -> Table:
    view = Table(padding=(0, 0), title=title, title_justify="left")
    view.add_column("hand ")
    for column in columns:
        view.add_column(f"{column.removeprefix('soft '):^3}", justify="center")
    for rows in (HARD_ROWS[1:-1], SOFT_ROWS[1:-1], PAIR_ROWS):
        for row in rows:
            codes = [table[row, column].value for column in columns]
            view.add_row(f"{row} ", *(Text(f"{code:^3}", style=_STYLES[code[0]]) for code in codes))
        view.add_section()
    return view
