"""What ``croupier durak match`` and ``croupier durak tournament`` do, once their options are read."""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.progress import progress_bar
from croupier.durak.arena.engine_process import verify_startable
from croupier.durak.arena.engine_spec import EngineSpec, Limits, read_engine
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog, logged_outcomes
from croupier.durak.arena.match import Books, MatchPlan, MatchResult, play_match
from croupier.durak.arena.outcome import Tally
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.durak.arena.tournament import TournamentResult, pairings, play_tournament
from croupier.durak.arena.verdict import MEANING, Verdict
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed

_USUAL_PAIRS, _SPRT_PAIRS = 100, 10_000

_SPRT_WORDS = {
    Decision.GO_ON: "not settled",
    Decision.ELO0: "settled: elo0 is accepted",
    Decision.ELO1: "settled: elo1 is accepted",
}


def show_match(
    engines: tuple[str, str],
    *,
    pairs: int | None,
    seed: int | None,
    concurrency: int | None,
    limits: tuple[float, float],
    sprt: tuple[float, float, float, float] | None,
    log: Path | None,
    save: Path | None,
    resume: bool,
    fsync: bool,
    keep_alive: bool,
    as_json: bool,
) -> None:
    """Play a match and print what it has shown."""
    chosen = Limits(*limits)
    test = None if sprt is None else Sprt(*sprt)
    first, second = read_engines(engines, keep_alive=keep_alive)
    if resume and save is None:
        raise InputError("--resume: name the save file with --save")
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        journal = None
        if save is not None:
            journal = stack.enter_context(
                Journal(
                    save,
                    first,
                    second,
                    chosen,
                    seed=seed,
                    new_seed=fresh_seed(),
                    resume=resume,
                    durable=fsync,
                )
            )
            seed = journal.seed
            if log is not None and log.exists():
                journal.adopt(logged_outcomes(log, journal.match_id))
        book = None if log is None else stack.enter_context(GameLog(log, durable=fsync))
        report = stack.enter_context(progress_bar(f"{first.name} - {second.name}", "games"))
        result = play_match(
            first,
            second,
            MatchPlan(
                pairs=pairs or (_USUAL_PAIRS if test is None else _SPRT_PAIRS),
                seed=fresh_seed() if seed is None else seed,
                concurrency=concurrency or _processors(),
                sprt=test,
            ),
            limits=chosen,
            books=Books(journal, book, lambda done, total, _: report(done, total)),
        )
    if as_json:
        typer.echo(json.dumps(result.to_dict()))
    else:
        print_match(Console(), result)


def show_tournament(
    engines: Sequence[str],
    *,
    is_gauntlet: bool,
    pairs: int | None,
    seed: int | None,
    concurrency: int | None,
    limits: tuple[float, float],
    log: Path | None,
    save: Path | None,
    resume: bool,
    keep_alive: bool,
    as_json: bool,
) -> None:
    """Play a tournament and print its table."""
    chosen = Limits(*limits)
    specs = read_engines(engines, keep_alive=keep_alive)
    meetings = pairings(len(specs), is_gauntlet=is_gauntlet)
    if resume and save is None:
        raise InputError("--resume: name the folder of the save files with --save")
    if save is not None and seed is None:
        raise InputError("--save: a tournament that is to be resumed needs a --seed")
    plan = MatchPlan(
        pairs=pairs or _USUAL_PAIRS,
        seed=fresh_seed() if seed is None else seed,
        concurrency=concurrency or _processors(),
    )
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        book = None if log is None else stack.enter_context(GameLog(log))
        report = stack.enter_context(progress_bar("tournament", "games"))
        finished = -1

        def begin(_first: str, _second: str) -> None:
            nonlocal finished
            finished += 1

        def advance(done: int, total: int, _tally: Tally) -> None:
            report(finished * total + done, len(meetings) * total)

        result = play_tournament(
            specs,
            plan,
            is_gauntlet=is_gauntlet,
            limits=chosen,
            log=book,
            save=save,
            resume=resume,
            progress=advance,
            announce=begin,
        )
    if as_json:
        typer.echo(json.dumps(result.to_dict() | {"seed": plan.seed}))
    else:
        print_tournament(Console(), result, plan)


def read_engines(engines: Sequence[str], *, keep_alive: bool = False) -> list[EngineSpec]:
    """Read engines as they were named, and see that every one of them starts."""
    specs = [read_engine(text) for text in engines]
    for spec in specs:
        verify_startable(spec)
    return [spec.staying_alive() if keep_alive else spec for spec in specs]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """End as by Ctrl-C when asked to by SIGTERM or a closed terminal: engines are ended, files closed."""
    previous = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def print_match(console: Console, result: MatchResult) -> None:
    """Print a match as a table, and what it means."""
    tally = result.tally
    table = Table(title=f"{tally.games} games, {tally.pair_counts.pairs} pairs", title_justify="left")
    for heading in ("engine", "won", "drawn", "lost", "points", "forfeited"):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    rows = (
        (result.names[0], tally.wins, tally.losses, tally.points),
        (result.names[1], tally.losses, tally.wins, tally.games - tally.points),
    )
    for number, (name, won, lost, points) in enumerate(rows):
        forfeits = tally.forfeits[number].total()
        table.add_row(escape(name), str(won), str(tally.draws), str(lost), f"{points:g}", str(forfeits))
    console.print(table)
    if tally.estimate is not None:
        console.print(
            f"[bold]{escape(result.names[0])}: {tally.estimate}[/bold] (95 %, from pairs)", highlight=False
        )
    if result.sprt is not None and result.decision is not None:
        low, high = result.sprt.bounds
        console.print(
            f"SPRT {result.sprt.elo0:g} against {result.sprt.elo1:g} Elo: {_SPRT_WORDS[result.decision]}, "
            f"LLR {result.log_likelihood_ratio:+.2f} of {low:+.2f} to {high:+.2f}",
            highlight=False,
        )
    for name, verdicts in zip(result.names, tally.forfeits, strict=True):
        if verdicts:
            counted = "; ".join(
                f"{verdict} {count} ({MEANING[Verdict(verdict)]})"
                for verdict, count in verdicts.most_common()
            )
            console.print(
                f"[red]{escape(name)} forfeited {verdicts.total()}: {counted}[/red]", highlight=False
            )
    shares = f"Draws {tally.draws / tally.games:.1%}, first to move {tally.leader_points / tally.games:.1%} of the points; "
    speed = f"{result.seconds:.1f} s, {result.games_per_second:.1f} games/s"
    console.print(
        f"[dim]{shares}pairs by points {_pair_points(tally)}; seed {result.seed}, {speed}[/dim]",
        highlight=False,
    )


def print_tournament(console: Console, result: TournamentResult, plan: MatchPlan) -> None:
    """Print the cross table, the best engine first, with points against each of the others."""
    ratings = result.ratings()
    order = sorted(range(len(result.names)), key=lambda engine: -ratings[engine].elo)
    table = Table(title=f"{plan.pairs} pairs each, seed {plan.seed}", title_justify="left")
    table.add_column("")
    table.add_column("engine")
    for heading in ("Elo", "±", "points", "games", "drawn"):
        table.add_column(heading, justify="right")
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right")
    table.add_column("forfeited")
    for place, engine in enumerate(order, start=1):
        points, games = result.total(engine)
        against = [result.score(engine, other) for other in order]
        table.add_row(
            str(place),
            escape(result.names[engine]),
            f"{ratings[engine].elo:+.0f}",
            f"{ratings[engine].error:.0f}",
            f"{points:g}",
            str(games),
            str(result.draws(engine)),
            *("" if score is None else f"{score[0]:g}" for score in against),
            ", ".join(f"{verdict} {count}" for verdict, count in result.forfeits(engine).items()),
        )
    console.print(table)
    console.print("[dim]Elo above the mean of the field, 95 % error from pairs[/dim]", highlight=False)


def _pair_points(tally: Tally) -> str:
    kinds = ("0", "½", "1", "1½", "2")
    return ", ".join(f"{kind}: {count}" for kind, count in zip(kinds, tally.pair_counts.counts, strict=True))


def _processors() -> int:
    return os.cpu_count() or 1
