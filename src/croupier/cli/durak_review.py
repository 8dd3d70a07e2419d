"""What ``croupier durak review`` does: one line for each choice of a log's games that was less than good."""

from collections.abc import Iterator
from pathlib import Path

import typer

from croupier.cli.durak_arena import ended_by_signals
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.durak.arena.log import logged_entry, stream_entries
from croupier.durak.engine.record import BrokenGame, LogEntry, RecordError, is_variant_entry, read_game
from croupier.durak.engine.record_check import RecordMisfit
from croupier.durak.engine.variant_record import read_variant_game
from croupier.durak.play.game import Game
from croupier.durak.play.game_review import Review, mistake_line, review
from croupier.errors import InputError


def show_review(
    log: Path, *, game: int | None, player: str | None, rounds: int, seed: int, as_json: bool
) -> None:
    """Review one game of a log, or all of them, as they are read."""
    reviewed, mistakes, choices, lost = [], 0, 0, 0.0
    with ended_by_signals():
        for number, entry in _games(log, game):
            found = _review(log, number, entry, player, rounds, seed)
            reviewed.append({"game": number, **found.to_dict()} if as_json else {})
            mistakes += len(found.worse)
            choices += len(found.moves)
            lost += sum(move.loss for move in found.moves)
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


def _games(log: Path, game: int | None) -> Iterator[tuple[int, LogEntry]]:
    if game is not None:
        yield game, logged_entry(log, game)
    else:
        yield from enumerate(stream_entries(log), start=1)


def _played(log: Path, number: int, entry: LogEntry) -> Game:
    """Return a game of a log by any rules."""
    try:
        record = read_variant_game(entry) if is_variant_entry(entry) else read_game(entry)
        if isinstance(record, BrokenGame):
            raise InputError(f"log '{log}', game {number}, line {record.line}: malformed: {record.reason}")
        return Game.from_record(record)
    except RecordMisfit as misfit:
        raise InputError(f"log '{log}', game {number}: {misfit}") from None
    except RecordError as error:
        raise InputError(f"log '{log}', game {number}, line {entry.line}: malformed: {error}") from None


def _review(log: Path, number: int, entry: LogEntry, player: str | None, rounds: int, seed: int) -> Review:
    played = _played(log, number, entry)
    seats = [seat for seat, name in enumerate(played.names) if player in (None, name)]
    if not seats:
        names = " and ".join(f"'{name}'" for name in played.names)
        raise InputError(f"--player '{player}': game {number} was played by {names}")
    with progress_bar(f"game {number}", "actions") as report:
        return review(played, rounds=rounds, seed=seed, seats=seats, progress=report)
