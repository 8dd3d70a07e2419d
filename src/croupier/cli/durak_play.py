"""``croupier durak play``: opens a table against the chosen opponent, and shows it in the terminal."""

from contextlib import ExitStack, closing
from pathlib import Path

from rich.console import Console

from croupier.cli.durak_arena import ended_by_signals, read_engines
from croupier.cli.durak_session import DurakSession
from croupier.cli.durak_variant_session import VariantSession
from croupier.durak.arena.log import GameLog
from croupier.durak.engine.rules import DurakRules
from croupier.durak.play.facts import TableSetting
from croupier.durak.play.opponents import NamedPrograms
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.durak.play.variant_table import VariantTable
from croupier.errors import InputError


def play_in_terminal(
    rules: DurakRules,
    engine: str | None,
    level: int,
    seed: int,
    log: Path | None,
    *,
    has_hints: bool,
    has_review: bool,
    winner_leads: bool,
) -> None:
    """Open a table, and play until the person leaves; other games than the protocol's are played with built-in players."""
    if not rules.is_compiled:
        _play_variant(rules, engine, level, seed, log)
        return
    programs = [] if engine is None else read_engines((engine,))
    opponent = programs[0].name if programs else f"durak-master {level}"
    setting = TableSetting(opponent, rules, winner_leads)
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        seats = stack.enter_context(closing(EngineSeats()))
        table = DurakTable.opened(setting, NamedPrograms(programs), seats, seed)
        book = None if log is None else stack.enter_context(GameLog(log))
        DurakSession(Console(), table, seed, book, has_hints=has_hints, has_review=has_review).run()


def _play_variant(rules: DurakRules, engine: str | None, level: int, seed: int, log: Path | None) -> None:
    opponent = f"durak-master {level}" if engine is None else engine
    try:
        table = VariantTable(rules, [opponent], seed)
    except InputError as error:
        raise InputError(f"--engine: by these rules, only built-in players play; {error}") from None
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        book = None if log is None else stack.enter_context(GameLog(log))
        VariantSession(Console(), table, book).run()
