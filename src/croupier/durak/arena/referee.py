"""One game by the protocol; any fault loses this game and no other.

Games of two players and 36 cards are told by the first version of the protocol, all others by the second.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from croupier.durak.arena.player import Player
from croupier.durak.arena.verdict import EngineFault, Forfeit, Verdict
from croupier.durak.engine import protocol, protocol2
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Reply, observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import GAME_END, READY, AnswerError, Notice
from croupier.durak.engine.record import FORFEIT, GameRecord, build_record
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove, Result
from croupier.durak.engine.variant_record import VariantRecord, build_variant_record
from croupier.errors import InputError

#: Told of every line: the seat, the direction (``<-`` to the engine, ``->`` from it) and the line.
Listener = Callable[[int, str, str], None]

#: How many lines of the conversation a forfeit shows.
REMEMBERED_LINES = 6

_WON_AGAINST = {0: Result.SECOND, 1: Result.FIRST}


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that has ended, by its cards or by a forfeit.

    Attributes
    ----------
    state
        The final position, or the one in which the fault happened.
    result
        Who won a game of two; None where more play.
    forfeit
        The fault that decided the game, if one did.
    names
        The players' names, player 1 first.
    started_at, ended_at
        When it was played.
    slowest_answers
        The longest time in seconds that each player took to answer.
    """

    state: GameState
    result: Result | None
    forfeit: Forfeit | None
    names: tuple[str, ...]
    started_at: datetime
    ended_at: datetime
    slowest_answers: tuple[float, ...]

    def record(self, extra: dict[str, Any] | None = None) -> GameRecord:
        """Return a game of the protocol as the log keeps it, with the forfeit among the added fields."""
        forfeit = {} if self.forfeit is None else {FORFEIT: self.forfeit.to_dict()}
        return build_record(
            self.state,
            self.names[0],
            self.names[1],
            started_at=self.started_at.isoformat(),
            ended_at=self.ended_at.isoformat(),
            extra={**forfeit, **(extra or {})},
            result=self.result,
        )

    def variant_record(self, seed: int | None = None) -> VariantRecord:
        """Return a game by other rules as the log keeps it."""
        forfeit = None if self.forfeit is None else self.forfeit.to_dict()
        return build_variant_record(
            self.state, self.names, self.started_at.isoformat(), self.ended_at.isoformat(), seed, forfeit
        )


class Speech(NamedTuple):
    """A version of the protocol: what is said at the beginning, what is asked, what is told between, and how answers are read."""

    opening: Callable[[GameState], Sequence[Notice]]
    question: Callable[[GameState], Notice | None]
    notices: Callable[[GameState, GameState], Sequence[Notice]]
    read: Callable[[str, Phase], Reply]


def speech_of(rules: DurakRules, players: Sequence[Player]) -> Speech:
    """Return the version of the protocol that covers these rules."""
    if rules.is_compiled:
        return Speech(protocol.opening, protocol.question, protocol.notices, protocol.parse_answer)
    names = [player.name for player in players]

    def opening(state: GameState) -> Sequence[Notice]:
        games = [
            Notice(seat, protocol2.game_line(state, seat, names, player.options))
            for seat, player in enumerate(players)
        ]
        return [*games, *protocol2.deals(state)]

    def read(text: str, phase: Phase) -> Reply:
        return protocol2.parse_reply(text, phase, rules.cards)

    return Speech(opening, protocol2.question, protocol2.notices, read)


class Conversation:
    """The players of one game and what is said to them and by them."""

    def __init__(self, players: Sequence[Player], speech: Speech, listener: Listener | None) -> None:
        self.players = players
        self.speech = speech
        self.listener = listener
        self.last_lines = [deque[str](maxlen=REMEMBERED_LINES) for _ in players]
        self.slowest = [0.0 for _ in players]
        self.speaker = 0

    def seat_players(self) -> None:
        """Let everybody get ready for a game."""
        for seat, player in enumerate(self.players):
            self.speaker = seat
            player.sit_down()

    def inform(self, told: Sequence[Notice]) -> None:
        """Tell what has to be confirmed; the end of the game is said when the players leave."""
        for notice in told:
            if notice.line == GAME_END:
                continue
            self._say(notice)
            text = self.players[notice.seat].confirm(notice.line)
            self._note("->", text)
            if text != READY:
                command = notice.line.partition(" ")[0]
                raise EngineFault(Verdict.WRONG_OK, f"answered {text!r} to {command}; 'ok' is the answer")

    def decide(self, state: GameState, notice: Notice) -> GameState:
        """Return the state after the answer to a question; raises EngineFault where that is not one that the rules allow."""
        self._say(notice)
        asked = time.perf_counter()
        text = self.players[notice.seat].ask(notice.line, lambda: observe(state, notice.seat))
        self.slowest[notice.seat] = max(self.slowest[notice.seat], time.perf_counter() - asked)
        if self.players[notice.seat].info:
            self._note("->", self.players[notice.seat].info)
        self._note("->", text)
        try:
            return answer(state, self.speech.read(text, state.phase))
        except AnswerError as error:
            raise EngineFault(Verdict.GARBAGE, f"answered {text!r}: {error}") from None
        except IllegalMove as error:
            raise EngineFault(Verdict.ILLEGAL, f"answered {text!r}: {error}") from None

    def forfeit(self, fault: EngineFault) -> Forfeit:
        """Return what the speaker loses by."""
        seat = self.speaker
        return Forfeit(
            seat, fault.verdict, fault.reason, tuple(self.last_lines[seat]), self.players[seat].errors
        )

    def dismiss_players(self, fault_of: int | None) -> None:
        """Say that the game is over, and let everybody leave."""
        for seat, player in enumerate(self.players):
            has_begun = bool(self.last_lines[seat])
            if self.listener is not None and has_begun:
                self.listener(seat, "<-", GAME_END)
            player.leave(GAME_END if has_begun else None, at_fault=seat == fault_of)

    def _say(self, notice: Notice) -> None:
        self.speaker = notice.seat
        self._note("<-", notice.line)

    def _note(self, direction: str, line: str) -> None:
        self.last_lines[self.speaker].append(f"{direction} {line}".rstrip())
        if self.listener is not None:
            self.listener(self.speaker, direction, line)


def play_game(
    players: Sequence[Player],
    deck: Sequence[int],
    leader: int | None = None,
    *,
    rules: DurakRules | None = None,
    listener: Listener | None = None,
) -> PlayedGame:
    """Play one game from a shuffled deck.

    A fault loses the game as long as it is open. Once the cards have decided it, the result stands, even if an engine dies
    while it confirms the last deal.

    Parameters
    ----------
    players
        Player 1, player 2 and so on, as many as the rules want.
    deck
        The cards of the pack; the first six go to player 1, the next six to player 2, the last is the trump.
    leader
        The seat that leads the first bout; None for the holder of the lowest trump.
    rules
        By default those of the protocol.
    listener
        Told of every line of all conversations.

    Raises
    ------
    InputError
        If there are more or fewer players than the rules want.

    Examples
    --------
    >>> from croupier.durak.arena.player import PolicyPlayer
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.players.dummy import dummy_policy
    >>> dummy = PolicyPlayer("dummy", lambda: dummy_policy)
    >>> stubborn = PolicyPlayer("stubborn", lambda: lambda seen: ())
    >>> game = play_game((dummy, dummy), PACK)
    >>> str(game.result), game.forfeit
    ('s-s', None)
    >>> game = play_game((stubborn, dummy), PACK)
    >>> str(game.result), str(game.forfeit.verdict), game.forfeit.last_lines[-1]
    ('0-1', 'illegal card', '->')
    """
    chosen = rules or DurakRules()
    if len(players) != chosen.players:
        raise InputError(f"{len(players)} players; the rules want {chosen.players}")
    state = start(chosen, tuple(deck), leader)
    speech = speech_of(chosen, players)
    table = Conversation(players, speech, listener)
    started_at = datetime.now()
    fault_of = forfeit = None
    try:
        table.seat_players()
        table.inform(speech.opening(state))
        while (asked := speech.question(state)) is not None:
            after = table.decide(state, asked)
            told = speech.notices(state, after)
            state = after
            table.inform(told)
    except EngineFault as fault:
        fault_of = table.speaker
        forfeit = None if state.is_over else table.forfeit(fault)
    finally:
        table.dismiss_players(fault_of)
    result = None
    if chosen.players == 2:
        result = state.result or _WON_AGAINST[table.speaker]
    names = tuple(player.name for player in players)
    return PlayedGame(state, result, forfeit, names, started_at, datetime.now(), tuple(table.slowest))
