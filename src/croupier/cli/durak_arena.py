"""What ``croupier durak match`` and ``croupier durak tournament`` do, once their options are read."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.durak.arena.confinement import Confinement
from croupier.durak.arena.contests import match, tournament
from croupier.durak.arena.engine_spec import EngineSpec, Limits, read_engine
from croupier.durak.arena.entrant import startable
from croupier.durak.arena.outcome import Tally
from croupier.durak.arena.own_engines import compile_search
from croupier.durak.arena.pairing import new_pairing, read_format
from croupier.durak.arena.rating_list import RatingList, rated_name
from croupier.durak.arena.report import Note, ResultTable
from croupier.durak.arena.sprt import Sprt
from croupier.durak.arena.tournament import TournamentResult
from croupier.durak.engine.rules import DurakRules
from croupier.errors import InputError


def show_match(
    engines: tuple[str, str],
    *,
    pairs: int | None,
    seed: int | None,
    deals: str | None,
    concurrency: int | None,
    limits: tuple[float, float, float | None, float],
    sprt: tuple[float, float, float, float] | None,
    log: Path | None,
    save: Path | None,
    resume: bool,
    fsync: bool,
    keep_alive: bool,
    confinement: Confinement | None,
    ratings: Path | None,
    rules: DurakRules,
    as_json: bool,
) -> None:
    """Play a match and print what it has shown."""
    if ratings is not None and rules != DurakRules():
        raise InputError("--ratings: a rating list holds matches by the rules of the protocol only")
    chosen, test = Limits(*limits), None if sprt is None else Sprt(*sprt)
    first, second = (_read_engine(engine, keep_alive, confinement) for engine in engines)
    if resume and save is None:
        raise InputError("--resume: name the save file with --save")
    rating_list = _rating_list(ratings, (first, second))
    compile_search((first, second), rules)
    with ended_by_signals(), progress_bar(f"{first.name} - {second.name}", "games") as report:
        result = match(
            first,
            second,
            pairs,
            seed,
            sprt=test,
            deals=deals,
            concurrency=concurrency,
            limits=chosen,
            log=log,
            save=save,
            resume=resume,
            durable=fsync,
            progress=lambda done, total, _: report(done, total),
            rules=rules,
        )
    if rating_list is not None:
        rating_list.add(result, names=(rated_name(first), rated_name(second)))
    if as_json:
        print_json(result.to_dict())
    else:
        print_table(Console(), result.table)


def show_tournament(
    engines: Sequence[str],
    *,
    format_: str,
    rounds: int | None,
    sprt: tuple[float, float, float, float] | None,
    pairs: int | None,
    seed: int | None,
    deals: str | None,
    concurrency: int | None,
    limits: tuple[float, float, float | None, float],
    log: Path | None,
    save: Path | None,
    resume: bool,
    keep_alive: bool,
    confinement: Confinement | None,
    ratings: Path | None,
    as_json: bool,
) -> None:
    """Play a tournament and print its table."""
    chosen, test = Limits(*limits), None if sprt is None else Sprt(*sprt)
    meetings = new_pairing(read_format(format_), len(engines), rounds).meetings
    specs = [_read_engine(engine, keep_alive, confinement) for engine in engines]
    rating_list = _rating_list(ratings, specs)
    if resume and save is None:
        raise InputError("--resume: name the folder of the save files with --save")
    if save is not None and seed is None:
        raise InputError("--save: a tournament that is to be resumed needs a --seed")
    compile_search(specs)
    with ended_by_signals(), progress_bar("tournament", "games") as report:
        finished = -1

        def begin(_first: str, _second: str) -> None:
            nonlocal finished
            finished += 1

        def advance(done: int, total: int, _tally: Tally) -> None:
            report(finished * total + done, meetings * total)

        result = tournament(
            specs,
            pairs,
            seed,
            format=format_,
            rounds=rounds,
            sprt=test,
            deals=deals,
            concurrency=concurrency,
            limits=chosen,
            log=log,
            save=save,
            resume=resume,
            progress=advance,
            announce=begin,
        )
    if rating_list is not None:
        for (first, second), played in result.matches.items():
            rating_list.add(played, names=(rated_name(specs[first]), rated_name(specs[second])))
    if as_json:
        print_json(result.to_dict() | {"seed": result.seed})
    else:
        _print_tournament(Console(), result)


def _rating_list(path: Path | None, specs: Sequence[EngineSpec]) -> RatingList | None:
    """Open the rating list to add to, and see before the first game that every engine has a name of its own in it."""
    if path is None:
        return None
    names = [rated_name(spec) for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"--ratings: two engines are called '{name}'; give them names or versions in engine files"
            )
    return RatingList(path)


def _print_tournament(console: Console, result: TournamentResult) -> None:
    """Print the ratings, then the cross table where the terminal is wide enough for it."""
    print_table(console, result.table)
    cross = result.cross_table
    width = sum(cross.widths.values()) + 3 * len(cross.headings) + 1
    if width <= console.width:
        print_table(console, cross)
        print_notes(console, result.notes)
    else:
        missing = f"The cross table needs {width} columns; --json prints every match."
        print_notes(console, [*result.notes, Note(missing, "dim")])


def read_engines(
    engines: Sequence[str],
    *,
    keep_alive: bool = False,
    confinement: Confinement | None = None,
    rules: DurakRules | None = None,
) -> list[EngineSpec]:
    """Read engines as they were named, and see that every one of them starts, and ours in time to play by these rules."""
    specs = [_read_engine(text, keep_alive, confinement) for text in engines]
    startable(specs, rules)
    return specs


def _read_engine(text: str, keep_alive: bool, confinement: Confinement | None) -> EngineSpec:
    spec = replace(read_engine(text), confinement=confinement)
    return spec.staying_alive() if keep_alive else spec


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


def print_table(console: Console, result: ResultTable) -> None:
    """Print a result as a table, and its notes."""
    table = Table(title=result.title, title_justify="left")
    for heading in result.headings:
        is_text = result.is_text(heading)
        table.add_column(
            heading, justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold"
        )
    for row in result.rows:
        table.add_row(*(escape(cell) for cell in row.values()))
    console.print(table)
    print_notes(console, result.notes)


def print_notes(console: Console, notes: Sequence[Note]) -> None:
    """Print what there is to say about a table."""
    for note in notes:
        console.print(note.text, style=note.style, markup=False, highlight=False)
