"""``croupier blackjack profile``, ``bets`` and ``compare``: what a count profile holds, and what it answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from croupier.blackjack.counting.answers import Answer, Figure, chance_text
from croupier.blackjack.counting.direct_play import Cover, PlayedBankrolls, play_bets
from croupier.blackjack.counting.people import NO_SLIPS, Slips
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_runs import ProfilePlan, profile_of_run, profile_plan
from croupier.blackjack.counting.runs import IndexChoice, read_index_choice
from croupier.blackjack.counting.system import CountingSystem, find_system, read_system
from croupier.blackjack.counting.system_comparison import SystemComparison
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Chart
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

#: What files of counting systems end with.
_FILES = (".toml", ".json")


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """A profile as the options name it."""

    rules: BlackjackRules
    counter: "CounterOptions"
    spots: int
    others: int
    rounds: int
    seed: int
    slips: Slips = NO_SLIPS
    other_chart: Chart | None = None

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
                slips=self.slips,
                other_chart=self.other_chart,
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
    facts = found.facts()
    for name in ("system", "places", "mistakes", "one unit every round"):
        if name in facts:
            console.print(f"{name}: {facts[name]}", highlight=False)
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


def compared_systems(words: list[str], indices: str) -> list[tuple[CountingSystem, IndexChoice]]:
    """Read systems by name or from files, each with its own choice of indices behind a colon, or that of all.

    >>> [(system.name, choice) for system, choice in compared_systems(["hi-lo:18", "ko"], "none")]
    [('hi-lo', 18), ('ko', 'none')]
    """
    found = []
    for word in words:
        name, colon, choice = word.rpartition(":") if not word.endswith(_FILES) else (word, "", "")
        named = name if colon else word
        system = read_system(Path(named)) if named.endswith(_FILES) else find_system(named)
        found.append((system, read_index_choice(choice if colon else indices)))
    return found


def show_comparison(found: SystemComparison, *, as_json: bool) -> None:
    """Print counting systems side by side."""
    if as_json:
        print_json(found.to_dict())
        return
    console = Console()
    print_rules(console, found.rules)
    table = Table()
    for heading in (
        "system",
        "indices",
        "SCORE",
        "± error",
        "to the first",
        "± error",
        "per 100",
        "largest bet",
    ):
        table.add_column(
            heading,
            justify="left" if heading in ("system", "indices", "largest bet") else "right",
            overflow="fold",
        )
    for compared in found.systems:
        score, difference = compared.answer.score, compared.score_difference
        whole = compared.answer.bets[-1][0]
        table.add_row(
            compared.system.name, str(compared.indices), f"{score.value:.2f}", _error(score), f"{difference.value:+.2f}", _error(difference),
            f"{compared.answer.win_per_100.value:+.3f}", f"from {whole:+d}",
        )  # fmt: skip
    console.print(table)
    console.print(f"[dim]{found.shoes:,} shoes, the same for all, seed {found.seed}[/dim]", highlight=False)


def _error(figure: Figure) -> str:
    return "" if figure.stderr is None else f"{figure.stderr:.2f}"


def show_bets(
    run_id: int | None,
    store: str | None,
    wanted: BetsWanted,
    circumstances: dict[str, Any],
    playing: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    """Print what bets come to, from a saved profile; and if wanted how bankrolls end that are played with them."""
    run = _saved_profile(run_id, store)
    found = profile_of_run(run)
    answer = wanted.answer(found, circumstances)
    played = _played(found, answer, playing)
    if as_json:
        ends = {"bankrolls": None if played is None else played.to_dict()}
        print_json(answer.to_dict() | ends | {"run": run.id, "rules": found.rules.model_dump(mode="json")})
        return
    console = Console()
    print_rules(console, found.rules)
    typer.echo(str(answer))
    console.print(_bets_table(answer))
    if played is not None:
        console.print(
            f"{played.trips:,} bankrolls played, seed {played.seed}: lost {chance_text(played.ruined)}, "
            f"goal reached {played.reached.value:.3%}, neither {played.left.value:.3%}",
            highlight=False,
        )


def _played(found: CountProfile, answer: Answer, playing: dict[str, Any]) -> PlayedBankrolls | None:
    cover = {name: factor for name, factor in playing["cover"].items() if factor is not None}
    if not playing["trips"]:
        if cover or playing["resize"] is not None:
            raise InputError(
                "--resize, --cover-win, --cover-push and --cover-loss go with --play-bankrolls: how many bankrolls are to be played?"
            )
        return None
    return play_bets(
        found,
        answer.question,
        answer.bet_array(found.layout.counts),
        trips=playing["trips"],
        seed=playing["seed"],
        cover=Cover(**cover),
        resize=playing["resize"],
    )


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
                f"{line.value:+.3%}" + ("" if line.stderr is None else f" ± {line.stderr:.3%}"), f"{line.std:.3f}",
            )  # fmt: skip
    return table
