"""A game of a variant as a log keeps it: a header line and a line of JSON, between games of the protocol's format or alone.

The header is that of the other games, with all names, and the fools instead of the result. The JSON holds the rules, the deck, who led and
every action; reading it plays the game again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.durak.engine.actions import from_json, to_json
from croupier.durak.engine.record import (
    FENCE,
    BrokenGame,
    GameRecord,
    LogEntry,
    RecordError,
    is_variant_entry,
    read_game,
)
from croupier.durak.engine.state import GameState
from croupier.errors import InputError

_FIELDS = ("players", "started_at", "ended_at", "result", "seed", "forfeit", "game")


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """One game of a variant, as it stands in a log.

    Attributes
    ----------
    state
        The game at its end, or where it was given up.
    players
        The players by seat.
    started_at, ended_at
        When it was played, in ISO format.
    seed
        That of a table whose cards can be dealt again, if it was one.
    forfeit
        Who lost the game before its end and why, as the arena writes it; None where the cards decided it.
    """

    state: GameState
    players: tuple[str, ...]
    started_at: str
    ended_at: str
    seed: int | None = None
    forfeit: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def result(self) -> str:
        """Who has lost, by number: ``fool 3``, ``fools 1 3``, ``draw``; or ``unfinished``."""
        if self.forfeit is not None:
            return f"fool {str(self.forfeit.get('player')).removeprefix('player')}"
        if not self.state.is_over:
            return "unfinished"
        losers = [str(seat + 1) for seat in self.state.losers]
        return f"fool{'' if len(losers) == 1 else 's'} {' '.join(losers)}" if losers else "draw"

    @property
    def header(self) -> str:
        """The line that stands before the game."""
        names = " - ".join(" ".join(name.split()) for name in self.players)
        return f"{FENCE}{self.started_at.split('.')[0]}, {names} ({self.result}){FENCE}"


@dataclass(frozen=True, slots=True)
class VariantOutline:
    """What a list of games says of a game of a variant, read without playing it again.

    Attributes
    ----------
    entry
        The game as it stands in the log, for :func:`read_variant_game`.
    players, started_at, result, forfeit
        As the log says.
    """

    entry: LogEntry
    players: tuple[str, ...]
    started_at: str
    result: str
    forfeit: Mapping[str, Any] | None = field(default=None, hash=False)


def read_any_game(entry: LogEntry) -> GameRecord | VariantOutline | BrokenGame:
    """Read one game of a log, of the protocol or of a variant.

    >>> read_any_game(LogEntry(1, "####...####", '{"players": 3}'))
    BrokenGame(line=1, header='####...####', reason="'players' is not a list of names")
    """
    if not is_variant_entry(entry):
        return read_game(entry)
    try:
        data = _variant_data(entry)
    except RecordError as error:
        return BrokenGame(entry.line, entry.header, str(error))
    return VariantOutline(
        entry, tuple(data["players"]), str(data["started_at"]), str(data["result"]), data["forfeit"]
    )


def build_variant_record(
    state: GameState,
    players: Sequence[str],
    started_at: str,
    ended_at: str,
    seed: int | None = None,
    forfeit: Mapping[str, Any] | None = None,
) -> VariantRecord:
    """Make the record of a game; times are in ISO format.

    Raises
    ------
    RecordError
        If there is not a name for each seat.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> rules = DurakRules(players=3)
    >>> record = build_variant_record(start(rules, rules.cards), ["a", "b", "c"], "2026-11-15T05:48:09", "")
    >>> record.header
    '####2026-11-15T05:48:09, a - b - c (unfinished)####'
    """
    if len(players) != len(state.hands):
        raise RecordError(f"{len(players)} names for {len(state.hands)} seats")
    return VariantRecord(state, tuple(players), started_at, ended_at, seed, forfeit)


def format_variant_record(record: VariantRecord) -> str:
    """Write a game as the log keeps it: two lines, each with its line end."""
    data = {
        "players": list(record.players),
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "result": record.result,
        "seed": record.seed,
        "forfeit": None if record.forfeit is None else dict(record.forfeit),
        "game": json.loads(to_json(record.state)),
    }
    return f"{record.header}\n{json.dumps(data)}\n"


def read_variant_game(entry: LogEntry) -> VariantRecord:
    """Read a game of a variant, by playing it again.

    Raises
    ------
    RecordError
        Saying what is wrong with it.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> rules = DurakRules(players=3)
    >>> record = build_variant_record(start(rules, rules.cards), ["a", "b", "c"], "2026-11-15T05:48:09", "")
    >>> header, text = format_variant_record(record).splitlines()
    >>> read_variant_game(LogEntry(1, header, text)) == record
    True
    """
    data = _variant_data(entry)
    names, seed, forfeit = data["players"], data["seed"], data["forfeit"]
    try:
        state = from_json(json.dumps(data["game"]))
    except InputError as error:
        raise RecordError(str(error)) from None
    record = build_variant_record(state, names, str(data["started_at"]), str(data["ended_at"]), seed, forfeit)
    if data["result"] != record.result:
        raise RecordError(f"result: {data['result']!r} is recorded, the game ended as {record.result!r}")
    return record


def _variant_data(entry: LogEntry) -> dict[str, Any]:
    """Return the fields of a game; only the game itself is not looked at yet."""
    try:
        data = json.loads(entry.text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON ({error})") from None
    names, seed, forfeit = data.get("players"), data.get("seed"), data.get("forfeit")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError("'players' is not a list of names")
    missing = [name for name in _FIELDS if name not in data]
    if missing:
        raise RecordError(f"no field '{missing[0]}'")
    if seed is not None and type(seed) is not int:
        raise RecordError(f"'seed' is {seed!r}, not a number")
    if forfeit is not None and not isinstance(forfeit, dict):
        raise RecordError(f"'forfeit' is {forfeit!r}, not an object")
    fields: dict[str, Any] = data
    return fields
