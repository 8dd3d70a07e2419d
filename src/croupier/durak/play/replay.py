"""The replay of logged games: the list of a log's games, and one game step by step. All cards are open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun
from croupier.durak.engine.pack import sorted_by_cost
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.record_steps import FORFEITED, MALFORMED, GameEntry, Step, steps
from croupier.durak.engine.state import Action, GameState
from croupier.durak.engine.variant_record import VariantOutline, read_variant_game
from croupier.durak.play.view import pairs_on
from croupier.errors import InputError

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A game in the list.

    Attributes
    ----------
    number, time, players, result, bouts
        What the log says of it; a game that cannot be read has no players, and the bouts of a variant are not counted in the list.
    forfeit
        The verdict by which it was lost, if it was forfeited.
    problem
        Why it cannot be read, if it cannot.
    """

    number: int
    time: str
    players: tuple[str, ...] | None
    result: str
    bouts: int | None
    forfeit: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """One step of a game.

    Attributes
    ----------
    seat, action
        Who did what; None for the deal and for a forfeit.
    bout
        The bout in which it was done, from 1.
    hands, table, trump, deck_count, discard_count, attacker
        The game after it.
    ends_bout, is_forfeit, result
        What followed from it; the result is empty until the cards have decided, and in games of more than two.
    losers
        Who has lost, once a game of more than two is over; nobody in a draw.
    """

    seat: int | None
    action: Action | None
    bout: int
    hands: tuple[Cards, ...]
    table: tuple[tuple[int, int | None], ...]
    trump: int
    deck_count: int
    discard_count: int
    attacker: int
    ends_bout: bool
    is_forfeit: bool
    result: str
    losers: tuple[int, ...] | None = None


@dataclass(frozen=True)
class ReplayGame:
    """One game to replay: its players, its positions and its end, or why it cannot be replayed."""

    number: int
    players: tuple[str, ...]
    result: str
    positions: tuple[Position, ...] = ()
    problem: str = ""
    forfeit: tuple[int, str, str] | None = None
    state: GameState | None = None

    def clamped(self, step: int) -> int:
        """Return the nearest step that the game has, from 1; 0 if it has none."""
        return min(max(step, 1), len(self.positions))


class Replay:
    r"""A log to replay games from.

    Examples
    --------
    >>> from croupier.durak.engine.record import parse_log
    >>> replay = Replay("old.log", parse_log("####2026-11-15T05:48:09, a - b (1-0)####\n{}\n"))
    >>> [(row.number, row.problem) for row in replay.rows()]
    [(1, "line 1: no field 'player1_name'")]
    >>> replay.rows("nobody")
    ()
    """

    def __init__(self, name: str, games: Sequence[GameRecord | VariantOutline | BrokenGame]) -> None:
        self.name = name
        self._entries = tuple(
            VariantEntry(number, game) if isinstance(game, VariantOutline) else GameEntry(number, game)
            for number, game in enumerate(games, start=1)
        )

    @cached_property
    def size(self) -> int:
        """How many games the log holds, malformed ones included."""
        return len(self._entries)

    def rows(self, search: str = "", kind: str | None = None) -> tuple[Row, ...]:
        """Return the games in which every word is found (names, time, remark) and that are of a kind, if one is wanted."""
        return tuple(_row(entry) for entry in self._entries if entry.matches(search, kind))

    def game(self, number: int) -> ReplayGame | None:
        """Return a game by its number, from 1; None if the log has none of it."""
        if not 1 <= number <= len(self._entries):
            return None
        game = self._entries[number - 1].game
        if isinstance(game, VariantOutline):
            return _variant_game(number, game)
        if isinstance(game, BrokenGame):
            return ReplayGame(number, ("", ""), MALFORMED, problem=f"line {game.line}: {game.reason}")
        players = (game.player1_name, game.player2_name)
        try:
            positions = tuple(_positions(game))
            state = replay_record(game)
        except InputError as error:
            return ReplayGame(number, players, str(game.result), problem=str(error))
        return ReplayGame(number, players, str(game.result), positions, "", _forfeit(game), state)


@dataclass(frozen=True, slots=True)
class VariantEntry:
    """A game of a variant with its number in the log."""

    number: int
    game: VariantOutline

    def matches(self, words: str, kind: str | None) -> bool:
        """Tell whether every word is found in the row, and the kind is as wanted; of results only draws have a kind here."""
        game = self.game
        kinds = (*(("s-s",) if game.result == "draw" else ()), *((FORFEITED,) if game.forfeit else ()))
        if kind is not None and kind not in kinds:
            return False
        row = " ".join((str(self.number), game.started_at[:19], *game.players, game.result)).lower()
        return all(word in row for word in words.lower().split())


def _variant_game(number: int, outline: VariantOutline) -> ReplayGame:
    """Play a game of a variant again."""
    try:
        record = read_variant_game(outline.entry)
    except InputError as error:
        return ReplayGame(number, outline.players, outline.result, problem=str(error))
    state = begun(record.state)
    positions, bout = [_position(Step(state), 1)], 1
    for action in record.state.history:
        seat, before, state = state.to_act, state, act(state, action)
        positions.append(_position(Step(state, seat, action, ends_bout=state.bout != before.bout), bout))
        bout = state.bout
    forfeit = _forfeited(record.forfeit, len(record.players))
    if forfeit is not None:
        positions.append(_position(Step(state, is_forfeit=True), bout))
    return ReplayGame(number, record.players, record.result, tuple(positions), "", forfeit, record.state)


def _row(entry: GameEntry | VariantEntry) -> Row:
    game = entry.game
    if isinstance(game, VariantOutline):
        told = _forfeited(game.forfeit, len(game.players))
        time = game.started_at[:19].replace("T", " ")
        forfeit = "" if told is None else told[1] or FORFEITED
        return Row(entry.number, time, game.players, game.result, None, forfeit)
    if isinstance(game, BrokenGame):
        time = game.header.strip("#")[:19]
        return Row(entry.number, time, None, "", None, problem=f"line {game.line}: {game.reason}")
    told = _forfeit(game)
    return Row(
        entry.number,
        game.started_at[:19].replace("T", " "),
        (game.player1_name, game.player2_name),
        str(game.result),
        len(game.moves),
        "" if told is None else told[1] or FORFEITED,
    )


def _forfeit(game: GameRecord) -> tuple[int, str, str] | None:
    """Return who forfeited a game, the verdict and the reason, as far as the log says so."""
    return _forfeited(game.forfeit, 2)


def _forfeited(told: Mapping[str, Any] | None, players: int) -> tuple[int, str, str] | None:
    names = [f"player{seat + 1}" for seat in range(players)]
    if told is None or told.get("player") not in names:
        return None
    return names.index(told["player"]), str(told.get("verdict", "")), str(told.get("reason", ""))


def _positions(game: GameRecord) -> list[Position]:
    positions = []
    bout = 1
    for step in steps(game):
        positions.append(_position(step, bout))
        bout = step.state.bout
    return positions


def _position(step: Step, bout: int) -> Position:
    state = step.state
    return Position(
        seat=step.seat,
        action=step.action,
        bout=bout,
        hands=tuple(tuple(sorted_by_cost(hand, state.trump_suit)) for hand in state.hands),
        table=pairs_on(state),
        trump=state.trump,
        deck_count=state.deck_count,
        discard_count=len(state.discarded),
        attacker=state.attacker,
        ends_bout=step.ends_bout,
        is_forfeit=step.is_forfeit,
        result="" if state.result is None else str(state.result),
        losers=state.losers if state.is_over and len(state.hands) > 2 else None,
    )
