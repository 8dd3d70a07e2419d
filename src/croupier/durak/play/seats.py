"""Programs as opponents at tables: one process for each game that is being played, and none left behind.

A process cannot be saved with its table. When a game is resumed after a restart, a new process is told the game from its beginning.
If the engine then answers differently than before, the game is called off.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.player import EnginePlayer
from croupier.durak.arena.roster import FAREWELL, Roster
from croupier.durak.arena.verdict import EngineFault, Verdict
from croupier.durak.engine.actions import act, answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.protocol import (
    GAME_END,
    READY,
    AnswerError,
    Notice,
    notices,
    opening,
    parse_answer,
    question,
)
from croupier.durak.engine.state import GameState, IllegalMove

#: The seat of the engine; the person sits in the other one.
SEAT = 1

#: The most processes at a time; the one that was not asked for longest is ended first.
MOST_SEATED = 8

Cards = tuple[int, ...]


class Strayed(Exception):  # noqa: N818 - not an error of anybody's
    """An engine that was told a game again did not answer as it had answered before."""


class EngineSeats:
    """All engine processes at tables, each known by the game that it plays.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> from croupier.durak.engine.pack import PACK, cards_text
    >>> from croupier.durak.engine.rules import DurakRules
    >>> seats = EngineSeats()
    >>> game = start(DurakRules(), PACK, leader=SEAT)
    >>> cards_text(seats.answer("a game", lambda: read_engine("durak-dummy"), game))
    '7H'
    >>> seats.close()
    """

    def __init__(self, most: int = MOST_SEATED, limits: Limits | None = None) -> None:
        self._most, self._limits = most, limits or Limits()
        self._roster = Roster()
        self._lock = threading.Condition()
        self._seated: OrderedDict[str, _Seated] = OrderedDict()
        self._busy: set[str] = set()

    @property
    def count(self) -> int:
        """How many engines are seated."""
        return len(self._seated)

    def answer(self, game: str, spec: Callable[[], EngineSpec], state: GameState) -> Cards:
        """Return what an engine answers when it is its turn; its process is started if it does not run.

        Raises
        ------
        EngineFault
            If it does something for which it loses the game; its process is ended.
        Strayed
            If it could not be brought back to the position of the game; its process is ended.
        RosterClosedError
            If all processes are being ended: then the engine is not at fault.
        """
        with self._attending(game, spec) as seated:
            try:
                return seated.answer(state)
            except EngineFault:
                self._roster.verify_open()
                self._dismiss(game, at_fault=True)
                raise
            except Strayed:
                self._dismiss(game)
                raise

    def leave(self, game: str, state: GameState) -> None:
        """Tell an engine how its game ended, if it is there, and let it go."""
        with self._lock:
            seated = self._seated.get(game)
        if seated is not None:
            with suppress(EngineFault, Strayed):
                seated.follow(state)
            self._dismiss(game)

    def close(self) -> None:
        """End every process, also one that is thinking; whoever waits for its answer gets a RosterClosedError."""
        self._roster.abort()
        with self._lock:
            self._lock.wait_for(lambda: not self._busy)  # their pipes are closed only when nobody reads them
            self._seated.clear()
        self._roster.close()

    @contextmanager
    def _attending(self, game: str, spec: Callable[[], EngineSpec]) -> "Iterator[_Seated]":
        with self._lock:
            self._busy.add(game)
            seated = self._seated.get(game)
            if seated is None:
                seated = self._seated[game] = _Seated(EnginePlayer(spec(), self._limits, self._roster))
            self._seated.move_to_end(game)
            idle = [name for name in self._seated if name not in self._busy]
            excess = idle[: max(0, len(self._seated) - self._most)]
        for name in excess:
            self._dismiss(name)
        try:
            yield seated
        finally:
            with self._lock:
                self._busy.discard(game)
                self._lock.notify_all()

    def _dismiss(self, game: str, *, at_fault: bool = False) -> None:
        with self._lock:
            seated = self._seated.pop(game, None)
        if seated is None:
            return
        seated.leave(at_fault=at_fault)
        # It may take hours until an engine is asked for again: those that do not exit by themselves are ended all the same.
        timer = threading.Timer(1.5 * FAREWELL, self._roster.see_out)
        timer.daemon = True
        timer.start()


class _Seated:
    """One engine in one game, and the conversation with it so far."""

    def __init__(self, player: EnginePlayer) -> None:
        self._player = player
        self._told: int | None = None
        self._answered: tuple[int, Cards] | None = None

    def answer(self, state: GameState) -> Cards:
        self.follow(state)
        cards = self._ask(state)
        self._answered = (len(state.history), cards)
        return cards

    def follow(self, state: GameState) -> None:
        """Tell the engine what it has not heard yet of the game so far."""
        current = start(state.rules, state.deck, state.leader)
        if self._told is None:
            self._player.sit_down()
            self._tell(opening(current))
            self._told = 0
        for number, action in enumerate(state.history):
            after = act(current, action)
            if number >= self._told:
                if current.to_act == SEAT and set(self._answer_to(number, current)) != set(action.cards):
                    raise Strayed
                self._told = number + 1
                self._tell(notices(current, after))
            current = after

    def leave(self, *, at_fault: bool) -> None:
        self._player.leave(GAME_END if self._told is not None else None, at_fault=at_fault)

    def _answer_to(self, number: int, state: GameState) -> Cards:
        if self._answered is not None and self._answered[0] == number:
            return self._answered[1]
        return self._ask(state)

    def _tell(self, told: tuple[Notice, ...]) -> None:
        for notice in told:
            if notice.seat != SEAT or notice.line == GAME_END:
                continue
            text = self._player.confirm(notice.line)
            if text != READY:
                command = notice.line.partition(" ")[0]
                raise EngineFault(Verdict.WRONG_OK, f"answered {text!r} to {command}; 'ok' is the answer")

    def _ask(self, state: GameState) -> Cards:
        asked = question(state)
        if asked is None or asked.seat != SEAT:
            raise IllegalMove("the engine is not in turn")
        text = self._player.ask(asked.line, lambda: observe(state, SEAT))
        try:
            cards = parse_answer(text, state.phase)
            answer(state, cards)
        except AnswerError as error:
            raise EngineFault(Verdict.GARBAGE, f"answered {text!r}: {error}") from None
        except IllegalMove as error:
            raise EngineFault(Verdict.ILLEGAL, f"answered {text!r}: {error}") from None
        return cards
