"""What ``croupier durak check`` does, once its options are read."""

from dataclasses import asdict

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.durak_arena import ended_by_signals, read_engines
from croupier.cli.json_output import print_json
from croupier.durak.arena.compliance import Finding, Grade, check_engine
from croupier.durak.arena.confinement import Confinement
from croupier.durak.arena.engine_spec import Limits
from croupier.durak.engine.rules import DurakRules

_STYLES = {Grade.RIGHT: "green", Grade.DOUBTFUL: "yellow", Grade.WRONG: "bold red"}
NOT_COMPLIANT = 1


def show_check(
    engine: str,
    *,
    rounds: int,
    seed: int,
    limits: tuple[float, float],
    keep_alive: bool,
    confinement: Confinement | None,
    rules: DurakRules,
    as_json: bool,
) -> None:
    """Print each finding as it comes; exit with code 1 if the engine does not keep the protocol."""
    chosen = Limits(*limits)
    (spec,) = read_engines([engine], keep_alive=keep_alive, confinement=confinement, rules=rules)
    console = Console()
    findings = []
    with ended_by_signals():
        for finding in check_engine(spec, chosen, rounds=rounds, seed=seed, rules=rules):
            findings.append(finding)
            if not as_json:
                _print_finding(console, finding)
    is_compliant = all(finding.grade is not Grade.WRONG for finding in findings)
    if as_json:
        data = {
            "engine": spec.name,
            "compliant": is_compliant,
            "findings": [asdict(entry) for entry in findings],
        }
        print_json(data)
    else:
        console.print(f"{escape(spec.name)} {'keeps' if is_compliant else 'does not keep'} the protocol")
    if not is_compliant:
        raise typer.Exit(NOT_COMPLIANT)


def _print_finding(console: Console, finding: Finding) -> None:
    style = _STYLES[finding.grade]
    detail = f": {escape(finding.detail)}" if finding.detail else ""
    console.print(f"[{style}]{finding.grade:<8}[/{style}] {finding.trial}{detail}", highlight=False)
    for line in finding.lines:
        console.print(f"           {escape(line)}", style="dim", highlight=False)
    if finding.advice:
        console.print(f"         → {finding.advice}", highlight=False)
