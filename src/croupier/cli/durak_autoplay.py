"""What ``durak-autoplay`` does: matches between two engines, told word for word as the first public implementation did."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

import typer

from croupier.cli.durak_arena import ended_by_signals
from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.match import Books, MatchPlan, play_match
from croupier.durak.arena.outcome import Tally
from croupier.numerics.streams import fresh_seed


def play_matches(
    first: EngineSpec,
    second: EngineSpec,
    matches: int,
    size: int,
    *,
    log_file: Path | None,
    is_debugged: bool,
) -> None:
    """Play matches and print the score; the text is that of the old program, byte for byte.

    Forfeits are told on stderr, because the old text has no place for them.
    """
    typer.echo(f"Playing {matches} matches, {size} games each")
    counter = _Counter(matches * size)
    tallies = []
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        log = None if log_file is None else stack.enter_context(GameLog(log_file))
        for number in range(matches):
            counter.games_before = number * size
            plan = MatchPlan(
                pairs=(size + 1) // 2,
                seed=fresh_seed(),
                concurrency=1 if is_debugged else os.cpu_count() or 1,
                is_odd=size % 2 == 1,
            )
            books = Books(log=log, progress=counter.show)
            listener = _print_line if is_debugged else None
            tallies.append(play_match(first, second, plan, books=books, listener=listener).tally)
    typer.echo(("\r" if counter.is_rewritten else "") + f"{matches * size} of {matches * size}")
    _print_scores((first.name, second.name), tallies)


class _Counter:
    """The line that counts games: rewritten in place on a terminal, and elsewhere printed once, at the end."""

    def __init__(self, total: int) -> None:
        self._total = total
        self.games_before = 0
        self.is_rewritten = sys.stdout.isatty()

    def show(self, done: int, _of_match: int, _tally: Tally) -> None:
        if self.is_rewritten:
            typer.echo(f"\r{self.games_before + done} of {self._total}", nl=False)


def _print_scores(names: tuple[str, str], tallies: list[Tally]) -> None:
    points = [0.5 * (1 + (tally.wins > tally.losses) - (tally.wins < tally.losses)) for tally in tallies]
    for place, (name, score) in enumerate(
        zip(names, (sum(points), len(points) - sum(points)), strict=True), 1
    ):
        typer.echo(f"Engine{place} ({name}) scores:\t{score:.1f}")
    typer.echo()
    for number, tally in enumerate(tallies, start=1):
        typer.echo(
            f"Match {number} - Engine1 wins: {tally.wins}, Engine2 wins: {tally.losses}, Draws: {tally.draws}"
        )
    for number, tally in enumerate(tallies, start=1):
        for place, verdicts in enumerate(tally.forfeits, start=1):
            for verdict, count in verdicts.most_common():
                typer.echo(f"Match {number} - Engine{place} forfeited {count}: {verdict}", err=True)


def _print_line(seat: int, direction: str, line: str) -> None:
    print(f"engine{seat + 1} {direction} {line}".rstrip(), file=sys.stderr, flush=True)
