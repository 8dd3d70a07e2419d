"""What the analysing commands of ``croupier blackjack`` do, once their options are read."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.side_bets import JSON_KEYS, OLD_NAMES
from croupier.blackjack.solvers.analysis import GameAnalysis, analyse
from croupier.blackjack.solvers.chart import read_chart
from croupier.blackjack.solvers.hand_values import parse_ranks, shown_hand_values
from croupier.blackjack.solvers.pricing import CellPrice, price
from croupier.blackjack.solvers.removal import effects_of_removal, insurance_value
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.side_bets import CardCounts, side_bet_values
from croupier.cards import ACE, parse_card, rank_of
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.json_output import print_json
from croupier.cli.progress import status_line
from croupier.files import write_text

#: Cells that are listed on a terminal; ``--json`` lists all.
_LISTED_CELLS = 20


def show_edge(rules: BlackjackRules, csv: Path | None, *, removal: bool, as_json: bool) -> None:
    """Print what the game is worth, and how that is meant."""
    started = time.perf_counter()
    with status_line("analysing"):
        best = analyse(rules)
        seconds = time.perf_counter() - started
        effects = effects_of_removal(rules) if removal else None
    if csv is not None:
        write_text(csv, best.to_csv(), what="table of hands")
    if as_json:
        data = {
            "total_dependent": best.chart_edge,
            "composition_dependent": best.edge,
            "by_up_card": best.by_up_card,
            "std": best.standard_deviation,
            "chart_std": best.chart_standard_deviation,
            "seconds": seconds,
            "effects_of_removal": effects,
            "rules": rules.model_dump(mode="json"),
        }
        print_json(data)
        return
    console = Console()
    print_rules(console, rules)
    console.print(_edge_table(best))
    what = "the dealer's total" if rules.hole_card == "open" else "up-card"
    console.print(_percentages(f"Best play by {what}, in % of the initial bet", best.by_up_card, digits=1))
    if effects is not None:
        title = "Effect of removing one card on the best play, in % of the initial bet"
        console.print(_percentages(title, effects, digits=3))
    console.print(
        "[dim]The player's side, per initial bet, from a fresh shoe (no cut-card effect), without insurance. Split hands are played "
        f"without knowledge of each other and as before the split; re-splits exactly. {seconds:.2f} s[/dim]"
    )


def _edge_table(best: GameAnalysis) -> Table:
    """Say of each figure which play it belongs to."""
    table = Table()
    table.add_column("play")
    table.add_column("value, % of bet", justify="right", style="bold green")
    table.add_column("standard deviation", justify="right")
    for name, edge, deviation in (
        ("best chart (by totals and pairs)", best.chart_edge, best.chart_standard_deviation),
        ("best play (by every card of the hand)", best.edge, best.standard_deviation),
    ):
        table.add_row(name, f"{100 * edge:+.5f}", f"{deviation:.4f}")
    return table


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
    bets = side_bet_values(rules, shoe)
    with_ace_up = ShoeCounts.full(rules).without([*(rank_of(card) for card in out), ACE])
    insurance = insurance_value(with_ace_up)
    if as_json:
        data: dict[str, Any] = {
            key: {"value": bet.value, "chances": bet.chances, "pays": bet.prizes}
            for bet in bets
            for key in (JSON_KEYS[bet.name], *([bet.name] if bet.name in OLD_NAMES else []))
        }
        print_json({**data, "insurance": {"value": insurance}, "rules": rules.model_dump(mode="json")})
        return
    console = Console()
    print_rules(console, rules)
    for bet in bets:
        console.print(f"{bet.name}: {bet.value:+.5%} of the bet")
        table = Table()
        table.add_column("the cards are")
        table.add_column("pays", justify="right")
        table.add_column("chance", justify="right")
        for kind, chance in bet.chances.items():
            pays = f"{bet.prizes[kind]:g}:1" if bet.prizes[kind] else "-"
            table.add_row(kind, pays, f"{chance:.6f}")
        console.print(table)
    console.print(f"insurance against an ace: {insurance:+.5%} of the insurance bet")


def show_check(rules: BlackjackRules, path: Path, *, as_json: bool) -> None:
    """Say what a chart cannot do under the rules, what it is exactly worth, and where it loses most."""
    chart = read_chart(path)
    with status_line("evaluating the chart"):
        priced = price(rules, chart)
    if as_json:
        print_json({name: value for name, value in priced.to_dict().items() if name != "chart"})
        return
    console = Console(highlight=False)
    print_rules(console, rules)
    for remark in priced.remarks:
        console.print(str(remark), markup=False)
    console.print(
        f"This chart is worth [bold]{priced.value:+.5%}[/bold] of the initial bet, standard deviation {priced.standard_deviation:.4f}; "
        f"the best chart {priced.best_value:+.5%}"
    )
    if not priced.cells:
        console.print("No cell costs anything.")
        return
    print_costs(console, priced.cells, "this chart")


def show_values(rules: BlackjackRules, hand: str, up_card: str, removed: str, *, as_json: bool) -> None:
    """Print every legal action's value."""
    out = parse_ranks(removed, what="removed cards")
    values = shown_hand_values(rules, hand, up_card, out)
    if as_json:
        print_json(
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
    console = Console()
    print_rules(console, rules)
    table = Table(title=values.title, title_justify="left")
    table.add_column("action")
    table.add_column("worth", justify="right")
    table.add_column("costs", justify="right")
    for action, worth in values.ranked.items():
        table.add_row(action, f"{worth:+.6f}", f"{values[values.best] - worth:.6f}")
    console.print(table)


def print_costs(console: Console, cells: Sequence[CellPrice], name: str) -> None:
    """List the cells in which a chart loses to the best one, the most costly first."""
    table = Table(title="Cells that cost something", title_justify="left")
    for heading in ("hand", "up-card", name, "best chart"):
        table.add_column(heading)
    table.add_column("costs, bets per round", justify="right")
    for cell in cells[:_LISTED_CELLS]:
        table.add_row(cell.row, cell.up_card, cell.code, cell.best_code, f"{cell.cost:.7f}")
    console.print(table)
    rest = len(cells) - _LISTED_CELLS
    if rest > 0:
        console.print(f"and {rest} more, each cheaper; --json lists all")
