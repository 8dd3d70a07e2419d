"""``croupier banluck research`` and ``explain`` for several players."""

import math
from collections.abc import Callable

from rich.console import Console

from croupier.banluck.analysis.saved_tables import solved_table
from croupier.banluck.analysis.solving import EXACT_PLAYERS
from croupier.banluck.analysis.table_explanation import explain_table
from croupier.banluck.analysis.table_research import research_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import parse_multiset
from croupier.cli.banluck_tables import finding_view, rows_table
from croupier.cli.json_output import print_json
from croupier.cli.progress import status_line
from croupier.errors import InputError


def show_table_research(rules: BanluckRules, players: int, *, as_json: bool) -> None:
    """Print the answers to the questions of a table of several players."""
    solution = solved_with_status(rules, players, None)
    with status_line("answering questions") as show:

        def other(changed: BanluckRules, number: int) -> TableSolution:
            name = f"{number} players, reveal = {changed.reveal}"
            return solved_table(changed, number, progress=_shown(show, f"solving {name}"))

        findings = research_table(
            solution,
            solved=other,
            progress=lambda stage, done, total: show(f"{stage}: {done} of {total}"),
        )
    if as_json:
        rows = [finding.to_dict() for finding in findings]
        print_json({"rules": rules.model_dump(mode="json"), "players": players, "findings": rows})
        return
    console = Console()
    console.print(f"Rules {BANLUCK.describe(rules)}, {players} players against the dealer\n")
    for finding in findings:
        console.print(finding_view(finding))


def show_table_explanation(
    rules: BanluckRules,
    players: int,
    hand: str,
    counts: str | None,
    tolerance: float | None,
    *,
    as_json: bool,
) -> None:
    """Print what each seat, or the dealer against some card counts, does with a hand."""
    held = None if counts is None else parse_counts(counts, players)
    parse_multiset(hand)  # refused before the work
    solution = solved_with_status(rules, players, tolerance)
    with status_line("summing over all deals" if players <= EXACT_PLAYERS else "dealing hands that fit"):
        explanation = explain_table(solution, hand, counts=held)
    if as_json:
        print_json(explanation.to_dict())
        return
    console = Console()
    for sentence in explanation.sentences:
        console.print(sentence, highlight=False)
    console.print(rows_table(explanation.rows()))


def parse_counts(text: str, players: int) -> tuple[int, ...]:
    """Read how many cards the players hold.

    >>> parse_counts("2,3", 2)
    (2, 3)
    >>> parse_counts("2", 2)
    Traceback (most recent call last):
    croupier.errors.InputError: --counts '2': say how many cards each of 2 players holds, from 2 to 5, such as 2,3
    """
    parts = [part.strip() for part in text.split(",")] if text else []
    if len(parts) != players or not all(part in ("2", "3", "4", "5") for part in parts):
        example = ",".join(["2", "3", "2", "4", "2", "3", "2"][:players])
        raise InputError(
            f"--counts '{text}': say how many cards each of {players} players holds, from 2 to 5, such as {example}"
        )
    return tuple(map(int, parts))


def solved_with_status(rules: BanluckRules, players: int, tolerance: float | None) -> TableSolution:
    """Return a solved table, the saved one if there is one, and say how far it is."""
    label = f"solving for {players} players"
    with status_line(label) as show:
        return solved_table(rules, players, tolerance=tolerance, progress=_shown(show, label))


def _shown(show: Callable[[str], None], label: str) -> Callable[[str, float], None]:
    """Return what shows the progress of a solver."""

    def progress(stage: str, gain: float) -> None:
        left = "" if math.isnan(gain) else f", somebody could gain {gain:.1e}"
        show(f"{label}: {stage}{left}")

    return progress
