"""What the analysing commands of ``croupier banluck`` do, once their options are read."""

from collections.abc import Mapping
from pathlib import Path

import typer
from rich.console import Console

from croupier.banluck.analysis.baseline import baseline
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import parse_multiset
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.cli.banluck_solving import solve_with_status
from croupier.cli.banluck_tables import (
    dealer_chart_tables,
    explanation_view,
    finding_view,
    headline,
    player_chart_table,
    rows_table,
)
from croupier.cli.json_output import print_json
from croupier.cli.printed_cards import verify_endings, write_card
from croupier.cli.progress import progress_bar, status_line
from croupier.extras import needs
from croupier.files import make_folder


def show_solution(
    rules: BanluckRules,
    algorithm: Algorithm,
    tolerance: float,
    save: Path | None,
    export: Path | None,
    *,
    as_json: bool,
) -> None:
    """Solve and print the value with its certificate; export the strategies if asked to."""
    solution = solve_with_status(rules, algorithm, tolerance, save)
    if export is not None:
        solution.export(export)
    if as_json:
        print_json(solution.to_dict())
        return
    Console().print(headline(solution))
    if export is not None:
        typer.echo(f"Strategies written to {export}")


def show_baseline(rules: BanluckRules, *, as_json: bool) -> None:
    """Print the best play against the classic dealer."""
    reply = baseline(rules)
    if as_json:
        print_json(reply.to_dict())
        return
    console = Console()
    console.print(
        f"[bold]Best play against the classic dealer makes [green]{reply.value:+.7f}[/green] units a hand[/bold]"
    )
    console.print(
        f"Rules {BANLUCK.describe(rules)}; standard deviation {reply.standard_deviation:.4f} units; exact, {reply.seconds:.2f} s"
    )
    rows = [advice.to_dict() for advice in reply.book.player_decisions if advice.value.card_count == 2]
    columns = {
        "hand": "hand",
        "total": "total",
        "soft": "soft",
        "ev_stop": "stand",
        "ev_go": "hit",
        "best": "best",
        "cost_of_mistake": "cost of the other",
    }
    console.print(
        rows_table([{name: _rounded(row[column]) for column, name in columns.items()} for row in rows])
    )


def show_chart(rules: BanluckRules, tolerance: float, pictures: Mapping[str, Path], *, as_json: bool) -> None:
    """Print the charts of both sides and the price of the player's, and draw them in the forms that are asked for."""
    verify_endings(pictures)
    if pictures:
        needs("plots")
    solution = solve_with_status(rules, tolerance=tolerance)
    for form, path in pictures.items():
        from croupier.banluck.analysis.strategy_card import strategy_card

        write_card(strategy_card(solution), path, form)
    chart, dealer_chart = solution.chart, solution.dealer_chart
    if as_json:
        print_json(
            {
                "value": solution.value,
                **chart.to_dict(),
                **dealer_chart.to_dict(),
                "rules": rules.model_dump(mode="json"),
            }
        )
        return
    console = Console()
    console.print(f"Rules {BANLUCK.describe(rules)}: value {solution.value:+.6f} units a hand for the player")
    console.print(player_chart_table(chart))
    console.print(chart.price)
    console.print(dealer_chart_tables(dealer_chart))


def show_explanation(
    rules: BanluckRules, hand: str, player_cards: int | None, tolerance: float, *, as_json: bool
) -> None:
    """Print why an action is right: for the player, or for the dealer against a player of some cards."""
    held = parse_multiset(hand)
    explanation = solve_with_status(rules, tolerance=tolerance).explain(held, player_cards=player_cards)
    if as_json:
        print_json(explanation.to_dict() | {"rules": rules.model_dump(mode="json")})
    else:
        Console().print(explanation_view(explanation))


def show_research(rules: BanluckRules, *, sensitivity: bool, as_json: bool) -> None:
    """Print the answers to the standing questions."""
    from croupier.banluck.analysis.research import research, sensitivity_finding
    from croupier.banluck.analysis.sensitivity import sensitivity as price_options

    solution = solve_with_status(rules)
    with progress_bar("answering questions") as report:
        findings = research(solution, progress=report)
    if sensitivity:
        with progress_bar("changing one rule at a time") as report:
            findings = (*findings, sensitivity_finding(price_options(rules, progress=report)))
    if as_json:
        print_json(
            {"rules": rules.model_dump(mode="json"), "findings": [finding.to_dict() for finding in findings]}
        )
        return
    console = Console()
    console.print(f"Rules {BANLUCK.describe(rules)}, one player against the dealer\n")
    for finding in findings:
        console.print(finding_view(finding))


def make_report(rules: BanluckRules, folder: Path, players: int, *, pairs: bool) -> None:
    """Write the report and say where it is; with several players, with the answers for a table of that size."""
    # Both before the work: what is missing is no surprise at the end.
    needs("plots")
    make_folder(folder, what="report folder")
    solution = solve_with_status(rules)
    table = None
    if players > 1:
        from croupier.cli.banluck_table_answers import solved_with_status

        table = solved_with_status(rules, players, None)
    with status_line("writing the report") as show:
        path = solution.report(
            folder,
            pairs=pairs,
            table=table,
            progress=lambda stage, done, total: show(f"{stage}: {done} of {total}"),
        )
    typer.echo(f"Report written to {path}")


def _rounded(value: object) -> object:
    return f"{value:+.4f}" if isinstance(value, float) else value
