"""What ``croupier durak replay`` and ``croupier durak watch`` do, once their options are read."""

from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from croupier.cli.durak_arena import ended_by_signals
from croupier.cli.json_output import print_json
from croupier.durak.arena.engine_spec import Limits, read_engine
from croupier.durak.arena.log import problems, read_log
from croupier.durak.engine.record import BrokenGame, GameRecord, header_line
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.text import narrate
from croupier.durak.play.game import Game
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed

MISFIT = 1


def show_replay(log: Path | None, *, only_check: bool, game: int | None, as_json: bool) -> None:
    """Play the games of one log, or of all in this folder, again; with a check, the exit code is 1 if any does not fit."""
    paths = sorted(Path().glob("*.log")) if log is None else [log]
    if game is not None:
        if log is None:
            raise InputError("--game: name the log that the game is in")
        _tell(log, game)
        return
    reports = [_report(path) for path in paths]
    if as_json:
        print_json({"logs": reports})
    else:
        console = Console()
        for path, report in zip(paths, reports, strict=True):
            _print_report(console, path, report, only_check=only_check)
        if not paths:
            console.print("no log (*.log) in this folder")
    if only_check and any(report["problems"] for report in reports):
        raise typer.Exit(MISFIT)


def show_game(engines: tuple[str, str], *, seed: int | None, limits: tuple[float, float]) -> None:
    """Play one game and show it with all cards open."""
    number = fresh_seed() if seed is None else seed
    first, second = (read_engine(engine) for engine in engines)
    with ended_by_signals():
        game = Game.between(first, second, number, limits=Limits(*limits))
    typer.echo(f"{game.names[0]} - {game.names[1]} (seed {number})")
    typer.echo(game.story)
    if game.forfeit is not None:
        typer.echo(f"Player {game.forfeit.seat + 1} forfeits: {game.forfeit.verdict}: {game.forfeit.reason}")


def _report(path: Path) -> dict[str, object]:
    games = read_log(path)
    found = dict(problems(games))
    return {
        "log": str(path),
        "games": len(games),
        "problems": [{"game": number, "problem": problem} for number, problem in found.items()],
        "titles": [_title(game) for game in games],
    }


def _print_report(console: Console, path: Path, report: dict[str, object], *, only_check: bool) -> None:
    found, titles = report["problems"], report["titles"]
    if not isinstance(found, list) or not isinstance(titles, list):
        raise TypeError("a report holds lists of problems and of titles")
    wrong = {entry["game"]: entry["problem"] for entry in found}
    for number, title in enumerate(titles, start=1):
        if number in wrong:
            console.print(
                f"[red]{number:>5}  {escape(title)}: {escape(wrong[number])}[/red]", highlight=False
            )
        elif not only_check:
            console.print(f"{number:>5}  {escape(title)}", highlight=False)
    verdict = "every card and result fits" if not wrong else f"[red]{len(wrong)} do not fit[/red]"
    console.print(f"{escape(str(path))}: {len(titles)} games, {verdict}", highlight=False)


def _title(game: GameRecord | BrokenGame) -> str:
    header = game.header if isinstance(game, BrokenGame) else header_line(game)
    return header.strip("#") or "no header"


def _tell(path: Path, number: int) -> None:
    games = read_log(path)
    if number > len(games):
        raise InputError(f"log '{path}': no game {number}; it holds {len(games)}")
    game = games[number - 1]
    if isinstance(game, BrokenGame):
        raise InputError(f"log '{path}', game {number}, line {game.line}: malformed: {game.reason}")
    typer.echo(_title(game))
    for line in narrate(replay_record(game)):
        typer.echo(line)
    if game.forfeit is not None:
        typer.echo(f"Forfeited by {game.forfeit.get('player')}: {game.forfeit.get('reason')}")
