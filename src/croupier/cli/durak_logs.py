"""What ``croupier durak replay`` and ``croupier durak watch`` do, once their options are read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.durak_arena import ended_by_signals
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.durak.arena.engine_spec import Limits, read_engine
from croupier.durak.arena.log import CheckedGame, check_log, logged_entry
from croupier.durak.engine.record import BrokenGame, header_line, is_variant_entry, read_game
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.text import narrate
from croupier.durak.engine.variant_record import read_variant_game
from croupier.durak.play.game import Game
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed

MISFIT = 1

_MEGABYTE = 1_000_000


def show_replay(log: Path | None, *, only_check: bool, game: int | None, as_json: bool) -> None:
    """Play the games of one log, or of all in this folder, again; with a check, the exit code is 1 if any does not fit."""
    paths = sorted(Path().glob("*.log")) if log is None else [log]
    if game is not None:
        if log is None:
            raise InputError("--game: name the log that the game is in")
        _tell(log, game)
        return
    if as_json:
        reports = [_report(path) for path in paths]
        print_json({"logs": reports})
        has_problems = any(report["problems"] for report in reports)
    else:
        console = Console()
        has_problems = sum(_print_log(console, path, only_check=only_check) for path in paths) > 0
        if not paths:
            console.print("no log (*.log) in this folder")
    if only_check and has_problems:
        raise typer.Exit(MISFIT)


def show_game(
    engines: Sequence[str], rules: DurakRules, *, seed: int | None, limits: tuple[float, float]
) -> None:
    """Play one game and show it with all cards open."""
    number = fresh_seed() if seed is None else seed
    first, second, *others = (read_engine(engine) for engine in engines)
    with ended_by_signals():
        game = Game.between(first, second, number, others=others, rules=rules, limits=Limits(*limits))
    typer.echo(f"{' - '.join(game.names)} (seed {number})")
    typer.echo(game.story)
    if game.forfeit is not None:
        typer.echo(f"Player {game.forfeit.seat + 1} forfeits: {game.forfeit.verdict}: {game.forfeit.reason}")


def _checked(path: Path) -> Iterator[CheckedGame]:
    """Check a log, with a bar while it is read."""
    with progress_bar(path.name, "MB") as report:
        yield from check_log(path, lambda done, size: report(done // _MEGABYTE, size // _MEGABYTE))


def _report(path: Path) -> dict[str, object]:
    titles, found = [], []
    for game in _checked(path):
        titles.append(game.title)
        if game.problem is not None:
            found.append({"game": game.number, "problem": game.problem})
    return {"log": str(path), "games": len(titles), "problems": found, "titles": titles}


def _print_log(console: Console, path: Path, *, only_check: bool) -> int:
    """Print the games of a log as they are checked; return how many do not fit."""
    games = wrong = 0
    for game in _checked(path):
        games += 1
        if game.problem is not None:
            wrong += 1
            problem = f"{escape(game.title)}: {escape(game.problem)}"
            console.print(f"[red]{game.number:>5}  {problem}[/red]", highlight=False)
        elif not only_check:
            console.print(f"{game.number:>5}  {escape(game.title)}", highlight=False)
    verdict = f"[red]{wrong} do not fit[/red]" if wrong else "every card and result fits"
    console.print(f"{escape(str(path))}: {games} games, {verdict}", highlight=False)
    return wrong


def _tell(path: Path, number: int) -> None:
    entry = logged_entry(path, number)
    if is_variant_entry(entry):
        variant = read_variant_game(entry)
        typer.echo(variant.header.strip("#"))
        for line in narrate(variant.state):
            typer.echo(line)
        return
    game = read_game(entry)
    if isinstance(game, BrokenGame):
        raise InputError(f"log '{path}', game {number}, line {game.line}: malformed: {game.reason}")
    typer.echo(header_line(game).strip("#"))
    for line in narrate(replay_record(game)):
        typer.echo(line)
    if game.forfeit is not None:
        typer.echo(f"Forfeited by {game.forfeit.get('player')}: {game.forfeit.get('reason')}")
