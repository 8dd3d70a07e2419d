"""One game as the log keeps it: a header line and a line of JSON. Text and objects only, no files.

The format is that of the first public implementation of the protocol. Fields that it did not know are kept as they are and
written again. Three of them mean something here: ``rules`` (the options that differ from the protocol's), ``forfeit`` (an
object with ``player`` and ``reason``: that player lost before the cards decided) and ``unfinished`` (an
object with ``is_taking``: the game stops where the record does; its result is written as a draw).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import card_text, read_card
from croupier.durak.engine.state import ActionKind, Cards, GameState, Result
from croupier.errors import InputError

PLAYERS = ("player1", "player2")
FORFEIT = "forfeit"
UNFINISHED = "unfinished"
RULES = "rules"

FENCE = "####"
_HEADER = re.compile(r"####(.*)\((?:1-0|0-1|s-s)\)####")
_GAME_FIELDS = (
    "player1_name", "player2_name", "deck", "opened_trump", "started_at", "ended_at", "result", "moves",
)  # fmt: skip
_BOUT_FIELDS = (
    "player1_cards", "player2_cards", "to_move", "deck_count", "moves_and_responds", "given_more",
)  # fmt: skip


class RecordError(InputError):
    """A text that is no recorded game."""


@dataclass(frozen=True, slots=True)
class BoutRecord:
    """One bout: both hands and the stock at its start, the cards played in turn, and those thrown in after a take."""

    player1_cards: Cards
    player2_cards: Cards
    to_move: str
    deck_count: int
    moves_and_responds: Cards
    given_more: Cards
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def attacker(self) -> int:
        """The seat that attacks in this bout."""
        return PLAYERS.index(self.to_move)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a log. The header is the line as it was read; empty for a game that was not read."""

    player1_name: str
    player2_name: str
    deck: Cards
    opened_trump: int
    started_at: str
    ended_at: str
    result: Result
    moves: tuple[BoutRecord, ...]
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    header: str = field(default="", compare=False)

    @property
    def forfeit(self) -> Mapping[str, Any] | None:
        """Who lost the game before its end and why; None where the cards decided it."""
        value = self.extra.get(FORFEIT)
        return value if isinstance(value, Mapping) else None

    @property
    def unfinished(self) -> Mapping[str, Any] | None:
        """How a game stands that was recorded before its end; None for any other."""
        value = self.extra.get(UNFINISHED)
        return value if isinstance(value, Mapping) else None


class LogEntry(NamedTuple):
    """A game of a log as it stands there: where it begins, its header and its JSON; either is empty where it is missing."""

    line: int
    header: str
    text: str


class BrokenGame(NamedTuple):
    """A game of a log that cannot be read: where it begins (lines from 1), its header, and what is wrong."""

    line: int
    header: str
    reason: str


def build_record(
    state: GameState,
    player1_name: str,
    player2_name: str,
    started_at: str,
    ended_at: str,
    *,
    result: Result | None = None,
    extra: Mapping[str, Any] | None = None,
) -> GameRecord:
    """Make the record of a game from its history.

    Parameters
    ----------
    state
        The game at its end.
    player1_name, player2_name, started_at, ended_at
        What the state does not know; times are in ISO format.
    result
        The result of a game that was given up before its end; for any other the state tells it.
    extra
        Further fields to write, such as ``forfeit``.

    Raises
    ------
    RecordError
        If the game is not over and no result is given, or if it was set up.
    """
    if state.setup is not None:
        raise RecordError("a game that was set up cannot be recorded: a log begins with a full stock")
    final = state.result or result
    if final is None:
        raise RecordError("the game is not over: give the result that is to be recorded")
    options = state.rules.changes()
    return GameRecord(
        player1_name=player1_name,
        player2_name=player2_name,
        deck=state.deck,
        opened_trump=state.trump,
        started_at=started_at,
        ended_at=ended_at,
        result=final,
        moves=tuple(_bouts(state)),
        extra={**({RULES: options} if options else {}), **(extra or {})},
    )


def header_line(record: GameRecord) -> str:
    """Write the line that stands before a game.

    A name may hold any text; in the header its line breaks become spaces.
    """
    names = " - ".join(" ".join(name.split()) for name in (record.player1_name, record.player2_name))
    return f"{FENCE}{record.started_at.split('.')[0]}, {names} ({record.result}){FENCE}"


def format_record(record: GameRecord) -> str:
    """Write a game as the log keeps it: two lines, each with its line end."""
    data = {
        "moves": [_bout_data(bout) for bout in record.moves],
        "ended_at": record.ended_at,
        "deck": _texts(record.deck),
        "player2_name": record.player2_name,
        "result": record.result.value,
        "player1_name": record.player1_name,
        "started_at": record.started_at,
        "opened_trump": card_text(record.opened_trump),
        **record.extra,
    }
    return f"{header_line(record)}\n{json.dumps(data)}\n"


def parse_log(text: str) -> tuple[GameRecord | BrokenGame, ...]:
    r"""Read every game of a log; one that cannot be read becomes a :class:`BrokenGame`, and the rest is read on.

    Examples
    --------
    >>> parse_log("####2026-11-15T05:48:09, a - b (1-0)####\n{}\n")
    (BrokenGame(line=1, header='####2026-11-15T05:48:09, a - b (1-0)####', reason="no field 'player1_name'"),)
    """
    return tuple(read_game(entry) for entry in log_entries(text.split("\n")))


def log_entries(lines: Iterable[str], first_line: int = 1) -> Iterator[LogEntry]:
    r"""Cut the lines of a log into its games, one at a time.

    Examples
    --------
    >>> list(log_entries(["####one####", "{}", "####torn####"]))
    [LogEntry(line=1, header='####one####', text='{}'), LogEntry(line=3, header='####torn####', text='')]
    """
    header, header_line_number = "", 0
    for number, raw in enumerate(lines, start=first_line):
        line = raw.strip()
        if line.startswith(FENCE):
            if header:
                yield LogEntry(header_line_number, header, "")
            header, header_line_number = line, number
        elif line:
            yield LogEntry(header_line_number or number, header, line)
            header, header_line_number = "", 0
    if header:
        yield LogEntry(header_line_number, header, "")


def is_variant_entry(entry: LogEntry) -> bool:
    """Tell whether an entry of a log is a game of a variant, which :mod:`~croupier.durak.engine.variant_record` reads.

    >>> is_variant_entry(LogEntry(1, "####...####", '{"players": [], "game": {}}'))
    True
    """
    return entry.text.startswith('{"players":')


def read_game(entry: LogEntry) -> GameRecord | BrokenGame:
    """Read one game of a log."""
    number, header, text = entry
    if is_variant_entry(entry):
        return BrokenGame(number, header, "a game of a variant; `croupier durak replay` shows it")
    if not header:
        return BrokenGame(number, header, "no header line before it")
    if not _HEADER.fullmatch(header):
        return BrokenGame(
            number, header, "the header is not of the form ####TIME, NAME1 - NAME2 (RESULT)####"
        )
    if not text:
        return BrokenGame(number, header, "no game after the header")
    try:
        record = parse_game(text)
    except RecordError as error:
        return BrokenGame(number, header, str(error))
    return replace(record, header=header)


def parse_game(text: str) -> GameRecord:
    """Read the line of JSON of one game.

    Raises
    ------
    RecordError
        Saying what is wrong with it.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON ({error})") from None
    _verify_fields(data, _GAME_FIELDS, "")
    if not isinstance(data["moves"], list):
        raise RecordError("'moves' is not a list")
    if data["result"] not in tuple(Result):
        raise RecordError(f"result {data['result']!r}; results are {', '.join(Result)}")
    return GameRecord(
        player1_name=_text(data, "player1_name"),
        player2_name=_text(data, "player2_name"),
        deck=_cards(data, "deck", ""),
        opened_trump=_card(data["opened_trump"], "'opened_trump'"),
        started_at=_text(data, "started_at"),
        ended_at=_text(data, "ended_at"),
        result=Result(data["result"]),
        moves=tuple(_parse_bout(number, bout) for number, bout in enumerate(data["moves"], start=1)),
        extra={name: value for name, value in data.items() if name not in _GAME_FIELDS},
    )


def _bouts(state: GameState) -> Iterator[BoutRecord]:
    """Play a game again and record each bout that was begun."""
    current = begin = start(state.rules, state.deck, state.leader)
    played: list[int] = []
    given: Cards = ()
    for action in state.history:
        current = act(current, action)
        if action.kind is ActionKind.THROW_IN:
            given = action.cards
        else:
            played += action.cards
        if current.bout != begin.bout:
            yield _bout_record(begin, played, given)
            begin, played, given = current, [], ()
    if begin is not current or not current.is_over:
        yield _bout_record(begin, played, given)


def _bout_record(begin: GameState, played: list[int], given: Cards) -> BoutRecord:
    return BoutRecord(
        begin.hands[0], begin.hands[1], PLAYERS[begin.attacker], begin.deck_count, tuple(played), given
    )


def _bout_data(bout: BoutRecord) -> dict[str, Any]:
    return {
        "to_move": bout.to_move,
        "player1_cards": _texts(bout.player1_cards),
        "moves_and_responds": _texts(bout.moves_and_responds),
        "deck_count": bout.deck_count,
        "player2_cards": _texts(bout.player2_cards),
        "given_more": _texts(bout.given_more),
        **bout.extra,
    }


def _parse_bout(number: int, data: Any) -> BoutRecord:
    where = f"bout {number}: "
    _verify_fields(data, _BOUT_FIELDS, where)
    if data["to_move"] not in PLAYERS:
        raise RecordError(f"{where}'to_move' is {data['to_move']!r}, not player1 or player2")
    if not isinstance(data["deck_count"], int) or isinstance(data["deck_count"], bool):
        raise RecordError(f"{where}'deck_count' is {data['deck_count']!r}, not a number")
    return BoutRecord(
        player1_cards=_cards(data, "player1_cards", where),
        player2_cards=_cards(data, "player2_cards", where),
        to_move=data["to_move"],
        deck_count=data["deck_count"],
        moves_and_responds=_cards(data, "moves_and_responds", where),
        given_more=_cards(data, "given_more", where),
        extra={name: value for name, value in data.items() if name not in _BOUT_FIELDS},
    )


def _verify_fields(data: Any, names: tuple[str, ...], where: str) -> None:
    if not isinstance(data, dict):
        raise RecordError(f"{where}not a JSON object")
    for name in names:
        if name not in data:
            raise RecordError(f"{where}no field '{name}'")


def _text(data: dict[str, Any], name: str) -> str:
    if not isinstance(data[name], str):
        raise RecordError(f"'{name}' is {data[name]!r}, not a text")
    return str(data[name])


def _cards(data: dict[str, Any], name: str, where: str) -> Cards:
    if not isinstance(data[name], list):
        raise RecordError(f"{where}'{name}' is not a list of cards")
    return tuple(_card(entry, f"{where}'{name}'") for entry in data[name])


def _card(entry: Any, where: str) -> int:
    if not isinstance(entry, str):
        raise RecordError(f"{where}: {entry!r} is no card")
    try:
        return read_card(entry)
    except InputError as error:
        raise RecordError(f"{where}: {error}") from None


def _texts(cards: Cards) -> list[str]:
    return [card_text(card) for card in cards]
