"""What the analysing commands of ``croupier banluck`` do, once their options are read."""

import json
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from croupier.banluck.analysis.chart import dealer_chart, player_chart
from croupier.banluck.analysis.convergence import convergence_curves
from croupier.banluck.analysis.explain import explain_dealer, explain_player
from croupier.banluck.analysis.outcomes import outcome_distribution
from croupier.banluck.analysis.strategy_book import StrategyBook, export_tables
from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import parse_multiset
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.solution import Solution
from croupier.cli.banluck_solving import solve
from croupier.cli.banluck_tables import (
    dealer_chart_tables,
    explanation_view,
    finding_view,
    headline,
    player_chart_table,
    rows_table,
)
from croupier.cli.progress import progress_bar
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
    solution = solve(rules, algorithm, tolerance, save)
    outcomes = outcome_distribution(solution.player, solution.dealer, rules)
    if export is not None:
        export_tables(book_of(solution), export)
    if as_json:
        _print_json(solution.to_dict() | {"std": outcomes.std})
        return
    Console().print(headline(solution, outcomes))
    if export is not None:
        typer.echo(f"Strategies written to {export}")


def show_baseline(rules: BanluckRules, *, as_json: bool) -> None:
    """Print the best play against the classic dealer."""
    baseline = solve_baseline(rules)
    outcomes = outcome_distribution(baseline.player, baseline.dealer, rules)
    if as_json:
        _print_json(baseline.to_dict() | {"std": outcomes.std, "stderr": 0.0})
        return
    console = Console()
    console.print(
        f"[bold]Best play against the classic dealer makes [green]{baseline.value:+.7f}[/green] units a hand[/bold]"
    )
    console.print(f"Standard deviation {outcomes.std:.4f} units; exact, {baseline.seconds:.2f} s")
    book = StrategyBook(baseline.player, baseline.dealer, rules)
    rows = [advice.to_dict() for advice in book.player_decisions if advice.value.card_count == 2]
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


def show_chart(rules: BanluckRules, tolerance: float, *, as_json: bool) -> None:
    """Print the charts of both sides and the price of the player's."""
    solution = solve(rules, tolerance=tolerance)
    book = book_of(solution)
    chart, dealer_cells = player_chart(solution, book), dealer_chart(book)
    if as_json:
        _print_json(
            {
                "value": solution.value,
                "cost_against_equilibrium": chart.cost_against_equilibrium,
                "cost_against_best": chart.cost_against_best,
                "agreement": chart.agreement,
                "player": [
                    cell._asdict() | {"action": "hit" if hits else "stand"}
                    for cell, hits in chart.hits.items()
                ],
                "dealer": [
                    cell._asdict() | {"action": "draw" if draws else "stop"}
                    for cell, draws in dealer_cells.items()
                ],
                "rules": rules.model_dump(mode="json"),
            }
        )
        return
    console = Console()
    console.print(f"Value {solution.value:+.6f} units a hand for the player")
    console.print(player_chart_table(chart))
    console.print(
        f"Playing this chart costs {chart.cost_against_equilibrium:.6f} units a hand against the equilibrium dealer "
        f"and {chart.cost_against_best:.6f} against the dealer who answers it best."
    )
    console.print(dealer_chart_tables(dealer_cells))


def show_explanation(
    rules: BanluckRules, hand: str, player_cards: int | None, tolerance: float, *, as_json: bool
) -> None:
    """Print why an action is right: for the player, or for the dealer against a player of some cards."""
    held = parse_multiset(hand)
    book = book_of(solve(rules, tolerance=tolerance))
    explanation = (
        explain_player(book, held) if player_cards is None else explain_dealer(book, held, player_cards)
    )
    if as_json:
        _print_json(explanation.to_dict())
    else:
        Console().print(explanation_view(explanation))


def show_research(rules: BanluckRules, *, sensitivity: bool, as_json: bool) -> None:
    """Print the answers to the standing questions."""
    from croupier.banluck.analysis.research import research, sensitivity_finding
    from croupier.banluck.analysis.sensitivity import option_sensitivity

    solution = solve(rules)
    with progress_bar("researching") as report:
        findings = research(solution, book_of(solution), progress=report)
    if sensitivity:
        with progress_bar("changing options") as report:
            findings = (*findings, sensitivity_finding(option_sensitivity(rules, progress=report)))
    if as_json:
        _print_json(
            {"rules": rules.model_dump(mode="json"), "findings": [finding.to_dict() for finding in findings]}
        )
        return
    console = Console()
    for finding in findings:
        console.print(finding_view(finding))


def make_report(rules: BanluckRules, folder: Path, *, pairs: bool) -> None:
    """Write the report and say where it is."""
    # Before the work, and before the plotting libraries are there: a folder that cannot be made is no surprise at the end.
    make_folder(folder, what="report folder")
    from croupier.banluck.analysis.report import write_report
    from croupier.banluck.analysis.research import research, sensitivity_finding
    from croupier.banluck.analysis.sensitivity import option_sensitivity, pair_sensitivity, strongest_changes

    solution = solve(rules)
    book = book_of(solution)
    with progress_bar("convergence curves") as report:
        curves = convergence_curves(rules, progress=report)
    with progress_bar("researching") as report:
        findings = research(solution, book, progress=report)
    with progress_bar("changing options") as report:
        rows = option_sensitivity(rules, progress=report)
    with progress_bar("changing pairs of options") as report:
        pair_rows = pair_sensitivity(rules, strongest_changes(rows), progress=report) if pairs else ()
    findings = (*findings, sensitivity_finding(rows))
    path = write_report(
        folder, solution, book, player_chart(solution, book), findings, rows, pair_rows, curves
    )
    typer.echo(f"Report written to {path}")


def book_of(solution: Solution) -> StrategyBook:
    """Open the strategies of a solution decision by decision."""
    return StrategyBook(solution.player, solution.dealer, solution.rules)


def _rounded(value: object) -> object:
    return f"{value:+.4f}" if isinstance(value, float) else value


def _print_json(data: dict[str, Any]) -> None:
    typer.echo(json.dumps(data))
