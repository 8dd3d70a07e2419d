"""The two players of a game: each is a process, or a policy in this one, behind the same few calls.

A process is sent lines of the protocol, and a policy is shown an observation, both made for its seat. There is no other way in
which a player could learn a card.
"""

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from croupier.durak.arena.engine_process import MAX_ERRORS, EngineProcess
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.verdict import EngineFault, Verdict
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.protocol import READY
from croupier.durak.engine.protocol2 import GAME, reply_text
from croupier.durak.players.base import Answer, UnreadableAnswer, reply_from

Result = TypeVar("Result")

#: How much of an unreadable answer is quoted.
_SHOWN = 60

#: Tells an engine the clock of a game, such as ``60+0.5``.
CLOCK_VARIABLE = "DURAK_CLOCK"

#: Shows what the player in turn can see: its own cards and the public facts.
Look = Callable[[], Observation]


class Player(Protocol):
    """What the referee needs of a player."""

    @property
    def name(self) -> str:
        """What the player is called in the log."""

    @property
    def errors(self) -> str:
        """The end of what the player wrote to stderr in this game, or its traceback."""

    @property
    def info(self) -> str:
        """The line of information that came before the last answer; empty where there was none."""

    @property
    def options(self) -> Mapping[str, str]:
        """What the player is told at the beginning of a game by the second version of the protocol."""

    def sit_down(self) -> None:
        """Get ready for a new game, without waiting for what takes long."""

    def confirm(self, line: str) -> str:
        """Answer ``init`` or ``deal``; raises EngineFault where there is no proper answer in time."""

    def ask(self, line: str, look: Look) -> str:
        """Answer a question, given as a line and as what the player can see; raises EngineFault too."""

    def leave(self, last_line: str | None, *, at_fault: bool) -> None:
        """Take the last line of the game and leave; it is None for a player that was never told of the game."""


class EnginePlayer:
    """A player whose moves are made by a process: a fresh one every game, or one for all if it stays alive."""

    def __init__(self, spec: EngineSpec, limits: Limits, roster: Roster) -> None:
        self._limits = spec.limits(limits)
        clock = {CLOCK_VARIABLE: self._limits.clock} if self._limits.clock else {}
        self._spec = replace(spec, environment={**spec.environment, **clock})
        self._clock = self._limits.game
        self._roster = roster
        self._process: EngineProcess | None = None
        self._games = 0
        self._has_begun = False
        self._with_info = False

    @property
    def options(self) -> Mapping[str, str]:
        """The options of its engine file."""
        return self._spec.options

    @property
    def info(self) -> str:
        """The line of information that came before the last answer; empty where there was none."""
        return "" if self._process is None else self._process.info

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._spec.name

    @property
    def errors(self) -> str:
        """The end of the engine's stderr."""
        return "" if self._process is None else self._process.errors

    def sit_down(self) -> None:
        """Start the process, unless it is still here from the last game."""
        self._roster.see_out()
        self._has_begun = False
        self._clock = self._limits.game
        if self._process is not None and self._process.has_exited:
            self._dismiss(at_fault=False)
        if self._process is None:
            self._start()

    def ask(self, line: str, look: Look) -> str:  # noqa: ARG002 - a process sees lines and nothing else
        """Hand a question to the process."""
        return self._timed(line, self._limits.increment, with_info=self._with_info)

    def confirm(self, line: str) -> str:
        """Hand a line to the process; the first one, ``init``, has the start limit."""
        if self._has_begun:
            return self._timed(line, increment=0.0)
        self._has_begun = True
        self._with_info = line.startswith(GAME + " ")
        try:
            return self._begin(line)
        except EngineFault as fault:
            # An engine that was to stay alive may have exited after its last game, which shows only now.
            if self._games == 1 or fault.verdict is not Verdict.CRASH:
                raise
        self._dismiss(at_fault=False)
        self._start()
        return self._begin(line)

    def leave(self, last_line: str | None, *, at_fault: bool) -> None:
        """Say that the game is over; the process goes, unless it stays alive for the next game."""
        if self._process is None:
            return
        if last_line is not None:
            self._process.tell(last_line)
        if at_fault or not self._spec.keep_alive:
            self._dismiss(at_fault=at_fault)

    @property
    def _living(self) -> EngineProcess:
        if self._process is None:
            raise EngineFault(Verdict.NO_START, "the program is not running")
        return self._process

    def _timed(self, line: str, increment: float, *, with_info: bool = False) -> str:
        """Ask within the limit of an answer and what is left on the clock; an answer adds to the clock."""
        limits = self._limits
        if self._clock is None:
            return self._living.ask(line, limits.answer, with_info=with_info)
        asked = time.monotonic()
        try:
            answer = self._living.ask(line, min(limits.answer, self._clock), with_info=with_info)
        except EngineFault as fault:
            if fault.verdict is Verdict.HANG and self._clock < limits.answer:
                raise EngineFault(
                    Verdict.CLOCK, f"its clock for the game ({limits.clock} s) ran out"
                ) from None
            raise
        self._clock = max(0.0, self._clock - (time.monotonic() - asked)) + increment
        return answer

    def _begin(self, line: str) -> str:
        self._games += 1
        try:
            return self._living.ask(line, self._limits.start)
        except EngineFault as fault:
            if fault.verdict is Verdict.HANG:
                raise EngineFault(Verdict.SLOW_START, fault.reason) from None
            raise

    def _start(self) -> None:
        self._games = 0
        self._process = self._roster.start(self._spec)

    def _dismiss(self, *, at_fault: bool) -> None:
        if self._process is not None:
            self._roster.dismiss(self._process, at_fault=at_fault)
            self._process = None


class PolicyPlayer:
    """A player in this process: a function or an engine object, made ready for every game.

    An error that it raises, or a wrong answer, loses it the game, as with a process. Its time is not limited.

    Parameters
    ----------
    name
        What it is called in the log.
    new_policy
        Makes the policy of a game.

    Examples
    --------
    >>> from croupier.durak.players.dummy import dummy_policy
    >>> player = PolicyPlayer("dummy", lambda: dummy_policy)
    >>> player.sit_down()
    >>> player.confirm("init AS")
    'ok'
    """

    def __init__(self, name: str, new_policy: Callable[[], Callable[[Observation], Answer]]) -> None:
        self._name = name
        self._new_policy = new_policy
        self._policy: Callable[[Observation], Answer] | None = None
        self.errors = self.info = ""
        self.options: Mapping[str, str] = {}

    @property
    def name(self) -> str:
        """The policy's name."""
        return self._name

    def sit_down(self) -> None:
        """Forget the last game."""
        self.errors = ""
        self._policy = self._blamed(self._new_policy)

    def confirm(self, line: str) -> str:  # noqa: ARG002 - a policy is shown all it needs when it is asked
        """Say ok."""
        return READY

    def ask(self, line: str, look: Look) -> str:  # noqa: ARG002
        """Answer with the policy's cards."""
        if self._policy is None:
            raise AssertionError("a player sits down before it is asked")
        policy, seen = self._policy, look()
        answer = self._blamed(lambda: policy(seen))
        pack = PACK if seen.variant is None else seen.variant.rules.cards
        try:
            return reply_text(reply_from(answer, pack))
        except UnreadableAnswer as error:
            raise EngineFault(Verdict.GARBAGE, f"answered {_shown(answer)}: {error}") from None

    def leave(self, last_line: str | None, *, at_fault: bool) -> None:
        """Do nothing: the next game brings a new policy."""

    def _blamed(self, call: Callable[[], Result]) -> Result:
        """Call what somebody else wrote; an exception is a crash of the player, and its traceback is kept."""
        try:
            return call()
        except Exception as error:
            self.errors = traceback.format_exc()[-MAX_ERRORS:]
            why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise EngineFault(Verdict.CRASH, f"raised {why}") from None


def _shown(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
