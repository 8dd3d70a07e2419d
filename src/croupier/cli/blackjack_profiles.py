"""``croupier blackjack profile``, ``bets`` and ``compare``: what a count profile holds, and what it answers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from croupier.blackjack.counting.answers import Answer, Figure
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_runs import ProfilePlan, profile_of_run, profile_plan
from croupier.blackjack.counting.system_comparison import SystemComparison
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.json_output import print_json
from croupier.cli.progress import status_line
from croupier.cli.saving import Saving, run_number
from croupier.errors import InputError
from croupier.runs.run import Run
from croupier.runs.store import open_store

if TYPE_CHECKING:
    from croupier.cli.blackjack_counter import CounterOptions

#: Counts of fewer rounds than this part of all are not listed on a terminal; ``--json`` lists all.
_LISTED_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """A profile as the options name it."""

    rules: BlackjackRules
    counter: "CounterOptions"
    spots: int
    others: int
    rounds: int
    seed: int

    def plan(self) -> ProfilePlan:
        """Work out chart and indices, and say so meanwhile."""
        with status_line("preparing") as say:
            return profile_plan(
                self.rules,
                self.counter["system"],
                indices=self.counter["indices"],
                rounding=self.counter["rounding"],
                estimate=self.counter["estimate"],
                step=say,
                spots=self.spots,
                others=self.others,
                rounds=self.rounds,
                seed=self.seed,
            )


def show_profile(request: ProfileRequest, saving: Saving, *, as_json: bool) -> None:
    """Play the table once, and print what every count is worth."""
    saved = saving.saved_run()
    plan = request.plan() if saved is None else ProfilePlan.of_run(saved)
    with saving.execution(plan, doing="playing", unit="rounds") as execution:
        found = plan.run(**execution)
    run = run_number(execution["recording"])
    if as_json:
        print_json(found.to_dict() | run)
        return
    console = Console()
    print_rules(console, found.rules)
    for name in ("system", "places", "one unit every round"):
        console.print(f"{name}: {found.facts()[name]}", highlight=False)
    console.print(_profile_table(found))
    console.print(
        f"Entries at {_listed(found.layout.enters)}; exits at {_listed(found.layout.leaves)}", highlight=False
    )
    ask = "croupier blackjack bets" if run["run"] is None else f"croupier blackjack bets {run['run']}"
    kept = f"Ask: {ask} --spread 8" if run["run"] is not None else f"Not saved: --save keeps it for `{ask}`"
    console.print(
        f"[dim]{found.rounds:,} rounds, seed {found.seed}, {found.seconds:.1f} s. {kept}[/dim]",
        highlight=False,
    )


def _listed(counts: tuple[int, ...]) -> str:
    return ", ".join(f"{count:+d}" for count in counts)


def _profile_table(found: CountProfile) -> Table:
    table = Table()
    headings = ["count", "share", "per unit", "± error", "std"]
    for heading in headings if found.spots == 1 else [*headings, "correlation"]:
        table.add_column(heading, justify="right")
    for line in found.by_count:
        if line.share >= _LISTED_SHARE:
            cells = [
                f"{line.count:+d}",
                f"{line.share:.2%}",
                f"{line.value:+.3%}",
                "" if line.stderr is None else f"{line.stderr:.3%}",
                f"{line.std:.3f}",
            ]
            if found.spots > 1:
                cells.append("" if line.correlation is None else f"{line.correlation:.3f}")
            table.add_row(*cells)
    return table


@dataclass(frozen=True, slots=True)
class BetsWanted:
    """Which bets are asked about: a ramp, or the best ones of a spread or for a bankroll."""

    ramp: str | None
    spread: float | None
    kelly: float | None
    sit_out_below: int | None

    def answer(self, found: CountProfile, circumstances: dict[str, Any]) -> Answer:
        """Ask a profile."""
        named = [name for name in ("ramp", "spread", "kelly") if getattr(self, name) is not None]
        if len(named) > 1:
            raise InputError(f"--{named[0]} and --{named[1]}: name one of them")
        if self.ramp is not None:
            if self.sit_out_below is not None:
                raise InputError("--sit-out-below goes with --spread or --kelly; in a ramp, bet 0")
            return found.answer(self.ramp, **circumstances)
        spread = 8.0 if self.spread is None and self.kelly is None else self.spread
        kelly = {} if self.kelly is None else {"kelly": self.kelly}
        return found.bets(spread=spread, sit_out_below=self.sit_out_below, **kelly, **circumstances)


def show_comparison(found: SystemComparison, *, as_json: bool) -> None:
    """Print counting systems side by side."""
    if as_json:
        print_json(found.to_dict())
        return
    console = Console()
    print_rules(console, found.rules)
    table = Table()
    for heading in ("system", "SCORE", "± error", "to the first", "± error", "per 100", "best bets"):
        table.add_column(
            heading, justify="left" if heading in ("system", "best bets") else "right", overflow="fold"
        )
    for compared in found.systems:
        score, difference = compared.answer.score, compared.score_difference
        whole = compared.answer.bets[-1][0]
        table.add_row(
            compared.system.name, f"{score.value:.2f}", _error(score), f"{difference.value:+.2f}", _error(difference),
            f"{compared.answer.win_per_100.value:+.3f}", f"1 to {found.spread:g}, all of it from {whole:+d}",
        )  # fmt: skip
    console.print(table)
    console.print(f"[dim]{found.shoes:,} shoes, the same for all, seed {found.seed}[/dim]", highlight=False)


def _error(figure: Figure) -> str:
    return "" if figure.stderr is None else f"{figure.stderr:.2f}"


def show_bets(
    run_id: int | None, store: str | None, wanted: BetsWanted, circumstances: dict[str, Any], *, as_json: bool
) -> None:
    """Print what bets come to, from a saved profile."""
    run = _saved_profile(run_id, store)
    found = profile_of_run(run)
    answer = wanted.answer(found, circumstances)
    if as_json:
        print_json(answer.to_dict() | {"run": run.id, "rules": found.rules.model_dump(mode="json")})
        return
    console = Console()
    print_rules(console, found.rules)
    typer.echo(str(answer))
    console.print(_bets_table(answer))


def _saved_profile(run_id: int | None, store: str | None) -> Run:
    with open_store(store) as runs:
        if run_id is not None:
            return runs.find(run_id)
        profiles = runs.runs(ProfilePlan.kind)
    if not profiles:
        raise InputError("no profile is saved; make one with `croupier blackjack profile --save`")
    return profiles[-1]


def _bets_table(answer: Answer) -> Table:
    table = Table()
    for heading in ("count", "share", "places", "bet on each", "per unit", "std"):
        table.add_column(heading, justify="right")
    for line in answer.by_count:
        if line.share >= _LISTED_SHARE:
            table.add_row(
                f"{line.count:+d}", f"{line.share:.2%}", str(line.places), f"{line.bet:g}",
                f"{line.value:+.3%}", f"{line.std:.3f}",
            )  # fmt: skip
    return table
