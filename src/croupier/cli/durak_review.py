"""What ``croupier durak review`` does: one line for each choice of a log's games that was less than good."""

from collections.abc import Iterator
from pathlib import Path

import typer

from croupier.cli.durak_arena import ended_by_signals
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.durak.arena.log import logged_game, stream_log
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_check import RecordMisfit
from croupier.durak.play.game import Game
from croupier.durak.play.game_review import Review, mistake_line, review
from croupier.errors import InputError


def show_review(
    log: Path, *, game: int | None, player: str | None, rounds: int, seed: int, as_json: bool
) -> None:
    """Review one game of a log, or all of them, as they are read."""
    reviewed, mistakes, choices, lost = [], 0, 0, 0.0
    with ended_by_signals():
        for number, record in _games(log, game):
            found = _review(log, number, record, player, rounds, seed)
            reviewed.append({"game": number, **found.to_dict()} if as_json else {})
            mistakes += len(found.worse)
            choices += len(found.moves)
            lost += found.lost(0) + found.lost(1)
            if not as_json:
                for move in found.worse:
                    typer.echo(f"game {number}, {mistake_line(found, move)}")
    if as_json:
        print_json({"log": str(log), "games": reviewed})
    else:
        games = f"{len(reviewed)} game{'' if len(reviewed) == 1 else 's'}"
        typer.echo(
            f"{games}, {choices} choices: {mistakes} were less than good; together they cost {lost:.2f} points"
        )


def _games(log: Path, game: int | None) -> Iterator[tuple[int, GameRecord | BrokenGame]]:
    if game is not None:
        yield game, logged_game(log, game)
    else:
        yield from enumerate(stream_log(log), start=1)


def _review(
    log: Path, number: int, record: GameRecord | BrokenGame, player: str | None, rounds: int, seed: int
) -> Review:
    if isinstance(record, BrokenGame):
        raise InputError(f"log '{log}', game {number}, line {record.line}: malformed: {record.reason}")
    try:
        played = Game.from_record(record)
    except RecordMisfit as misfit:
        raise InputError(f"log '{log}', game {number}: {misfit}") from None
    seats = [seat for seat, name in enumerate(played.names) if player in (None, name)]
    if not seats:
        names = " and ".join(f"'{name}'" for name in played.names)
        raise InputError(f"--player '{player}': game {number} was played by {names}")
    with progress_bar(f"game {number}", "actions") as report:
        return review(played, rounds=rounds, seed=seed, seats=seats, progress=report)
