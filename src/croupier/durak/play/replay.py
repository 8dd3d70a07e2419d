"""The replay of logged games: the list of a log's games, and one game step by step. All cards are open."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from croupier.durak.engine.pack import sorted_by_cost
from croupier.durak.engine.record import PLAYERS, BrokenGame, GameRecord
from croupier.durak.engine.record_check import replay_record
from croupier.durak.engine.record_steps import FORFEITED, MALFORMED, GameEntry, Step, steps
from croupier.durak.engine.state import Action, GameState
from croupier.durak.play.view import pairs_on
from croupier.errors import InputError

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A game in the list.

    Attributes
    ----------
    number, time, players, result, bouts
        What the log says of it; a game that cannot be read has no players.
    forfeit
        The verdict by which it was lost, if it was forfeited.
    problem
        Why it cannot be read, if it cannot.
    """

    number: int
    time: str
    players: tuple[str, str] | None
    result: str
    bouts: int
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
        What followed from it; the result is empty until the cards have decided.
    """

    seat: int | None
    action: Action | None
    bout: int
    hands: tuple[Cards, Cards]
    table: tuple[tuple[int, int | None], ...]
    trump: int
    deck_count: int
    discard_count: int
    attacker: int
    ends_bout: bool
    is_forfeit: bool
    result: str


@dataclass(frozen=True)
class ReplayGame:
    """One game to replay: its players, its positions and its end, or why it cannot be replayed."""

    number: int
    players: tuple[str, str]
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

    def __init__(self, name: str, games: Sequence[GameRecord | BrokenGame]) -> None:
        self.name = name
        self._entries = tuple(GameEntry(number, game) for number, game in enumerate(games, start=1))

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
        if isinstance(game, BrokenGame):
            return ReplayGame(number, ("", ""), MALFORMED, problem=f"line {game.line}: {game.reason}")
        players = (game.player1_name, game.player2_name)
        try:
            positions = tuple(_positions(game))
            state = replay_record(game)
        except InputError as error:
            return ReplayGame(number, players, str(game.result), problem=str(error))
        return ReplayGame(number, players, str(game.result), positions, "", _forfeit(game), state)


def _row(entry: GameEntry) -> Row:
    game = entry.game
    if isinstance(game, BrokenGame):
        return Row(entry.number, entry.cells[1], None, "", 0, problem=f"line {game.line}: {game.reason}")
    forfeit = _forfeit(game)
    return Row(
        entry.number,
        game.started_at[:19].replace("T", " "),
        (game.player1_name, game.player2_name),
        str(game.result),
        len(game.moves),
        "" if forfeit is None else forfeit[1] or FORFEITED,
    )


def _forfeit(game: GameRecord) -> tuple[int, str, str] | None:
    """Return who forfeited a game, the verdict and the reason, as far as the log says so."""
    told = game.forfeit
    if told is None or told.get("player") not in PLAYERS:
        return None
    return PLAYERS.index(told["player"]), str(told.get("verdict", "")), str(told.get("reason", ""))


def _positions(game: GameRecord) -> list[Position]:
    positions = []
    bout = 1
    for step in steps(game):
        positions.append(_position(step, bout))
        bout = step.state.bout
    return positions


def _position(step: Step, bout: int) -> Position:
    state = step.state
    first, second = (tuple(sorted_by_cost(hand, state.trump_suit)) for hand in state.hands)
    return Position(
        seat=step.seat,
        action=step.action,
        bout=bout,
        hands=(first, second),
        table=pairs_on(state),
        trump=state.trump,
        deck_count=state.deck_count,
        discard_count=len(state.discarded),
        attacker=state.attacker,
        ends_bout=step.ends_bout,
        is_forfeit=step.is_forfeit,
        result="" if state.result is None else str(state.result),
    )
