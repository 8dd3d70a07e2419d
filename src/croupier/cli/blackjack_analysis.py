"""What the analysing commands of ``croupier blackjack`` do, once their options are read."""

import json
import time
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import (
    HARD_ROWS,
    PAIR_ROWS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
)
from croupier.blackjack.solvers.chart_check import check
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.hand_values import hand_values, parse_ranks
from croupier.blackjack.solvers.removal import effects_of_removal, insurance_value
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.side_bets import CardCounts, perfect_pairs_value, twenty_one_plus_three_value
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.blackjack.solvers.variance import standard_deviation
from croupier.cards import ACE, CardError, parse_card, rank_of
from croupier.cli.progress import status_line
from croupier.files import read_text, write_text

_STYLES = {
    "H": "black on bright_yellow",
    "S": "white on blue",
    "D": "white on dark_green",
    "P": "white on magenta",
    "R": "white on red",
}


def show_edge(rules: BlackjackRules, hands: Path | None, *, removal: bool, as_json: bool) -> None:
    """Print what the game is worth, and how that is meant."""
    started = time.perf_counter()
    with status_line("analysing"):
        exact = analyse(rules)
        deviation = standard_deviation(exact)
        best = solve_total_dependent(rules)
        seconds = time.perf_counter() - started
        effects = effects_of_removal(rules) if removal else None
    if hands is not None:
        write_text(hands, exact.to_csv(), what="table of hands")
    if as_json:
        data = {
            "total_dependent": best.value,
            "composition_dependent": exact.value,
            "by_up_card": exact.by_up_card(),
            "std": deviation,
            "seconds": seconds,
            "rules": rules.model_dump(mode="json"),
        }
        _print_json(data if effects is None else {**data, "effects_of_removal": effects})
        return
    console = Console()
    console.print(
        f"[bold]Best chart (total-dependent)      [green]{best.value:+.7%}[/green][/bold] of the initial bet"
    )
    console.print(f"[bold]Best play (composition-dependent) [green]{exact.value:+.7%}[/green][/bold]")
    console.print(f"Standard deviation of a round {deviation:.4f} initial bets")
    console.print(_percentages("Best play by up-card, in % of the initial bet", exact.by_up_card(), digits=1))
    if effects is not None:
        title = "Effect of removing one card, in % of the initial bet"
        console.print(_percentages(title, effects, digits=3))
    console.print(
        "[dim]Player's side, per initial bet, fresh shoe (no cut-card effect), no insurance taken. Split hands are played without "
        f"knowledge of each other and as before the split; re-splits exactly. {seconds:.2f} s[/dim]"
    )


def _percentages(title: str, values: dict[str, float], digits: int) -> Table:
    table = Table(title=title, title_justify="left", padding=(0, 0))
    for letter in values:
        table.add_column(f"{letter} ", justify="right")
    table.add_row(*(f"{100 * value:+.{digits}f}" for value in values.values()))
    return table


def show_side_bets(rules: BlackjackRules, removed: str, *, as_json: bool) -> None:
    """Print what the side bets and insurance are worth."""
    out = [parse_card(token) for token in removed.replace(",", " ").split()]
    shoe = CardCounts.full(rules).without(out)
    bets = [perfect_pairs_value(rules, shoe), twenty_one_plus_three_value(rules, shoe)]
    with_ace_up = ShoeCounts.full(rules).without([*(rank_of(card) for card in out), ACE])
    insurance = insurance_value(with_ace_up)
    if as_json:
        data: dict[str, Any] = {
            bet.name: {"value": bet.value, "chances": bet.chances, "pays": bet.prizes} for bet in bets
        }
        _print_json({**data, "insurance": {"value": insurance}, "rules": rules.model_dump(mode="json")})
        return
    console = Console()
    for bet in bets:
        table = Table(title=f"{bet.name}: {bet.value:+.5%} of the bet", title_justify="left")
        table.add_column("the cards are")
        table.add_column("pays", justify="right")
        table.add_column("chance", justify="right")
        for kind, chance in bet.chances.items():
            pays = f"{bet.prizes[kind]}:1" if bet.prizes[kind] else "-"
            table.add_row(kind, pays, f"{chance:.6f}")
        console.print(table)
    console.print(f"insurance against an ace: {insurance:+.5%} of the insurance bet")


def show_chart(rules: BlackjackRules, path: Path | None, *, as_json: bool) -> None:
    """Print the best chart of the rules."""
    with status_line("computing the chart"):
        best = solve_total_dependent(rules)
    table = best.chart
    if path is not None:
        write_text(path, table.to_csv(), what="chart")
    if as_json:
        data = {
            "value": best.value,
            "chart": table.to_dict(),
            "rules": rules.model_dump(mode="json"),
        }
        _print_json(data)
        return
    console = Console()
    console.print(chart_view(table, "Best chart"))
    console.print(
        f"Worth {best.value:+.5%} of the initial bet. H hit, S stand, D double else hit, DS double else stand, P split, "
        "R surrender else hit, RS surrender else stand, RP surrender else split"
    )


def show_check(rules: BlackjackRules, path: Path, *, as_json: bool) -> None:
    """Say what a chart cannot do under the rules, and what it is exactly worth."""
    text = read_text(path, what="chart")
    table = Chart.from_text(text)
    remarks = check(table, rules)
    with status_line("evaluating the chart"):
        value = chart_value(rules, table)
        best = solve_total_dependent(rules)
    if as_json:
        _print_json(
            {
                "value": value,
                "best": best.value,
                "remarks": [str(remark) for remark in remarks],
                "rules": rules.model_dump(mode="json"),
            }
        )
        return
    for remark in remarks:
        typer.echo(str(remark))
    typer.echo(f"This chart is worth {value:+.5%} of the initial bet; the best chart {best.value:+.5%}")


def show_values(rules: BlackjackRules, hand: str, up_card: str, removed: str, *, as_json: bool) -> None:
    """Print every legal action's value."""
    ups = parse_ranks(up_card, what="up-card")
    if len(ups) != 1:
        raise CardError(f"up-card '{up_card}': one rank, such as T or A")
    values = hand_values(rules, parse_ranks(hand), ups[0], parse_ranks(removed, what="removed cards"))
    if as_json:
        _print_json(
            {
                "hand": values.hand,
                "up_card": values.up_card,
                "total": values.total,
                "soft": values.is_soft,
                "actions": values.actions,
                "best": values.best,
                "rules": rules.model_dump(mode="json"),
            }
        )
        return
    kind = "soft " if values.is_soft else ""
    title = f"{values.hand} ({kind}{values.total}) against {values.up_card}"
    table = Table(title=title, title_justify="left")
    table.add_column("action")
    table.add_column("worth", justify="right")
    table.add_column("costs", justify="right")
    for action, worth in sorted(values.actions.items(), key=lambda entry: -entry[1]):
        table.add_row(action, f"{worth:+.6f}", f"{values.actions[values.best] - worth:.6f}")
    Console().print(table)


def chart_view(table: Chart, title: str) -> Table:
    """Lay a chart out in the colours that people know."""
    view = Table(padding=(0, 0), title=title, title_justify="left")
    view.add_column("hand ")
    for up_card in UP_CARDS:
        view.add_column(f" {up_card} ", justify="center")
    for rows in (HARD_ROWS[1:-1], SOFT_ROWS[1:-1], PAIR_ROWS):
        for row in rows:
            codes = [table[row, up_card].value for up_card in UP_CARDS]
            view.add_row(f"{row} ", *(Text(f"{code:^3}", style=_STYLES[code[0]]) for code in codes))
        view.add_section()
    return view


def _print_json(data: dict[str, Any]) -> None:
    typer.echo(json.dumps(data))
