"""The base of an engine in Python: it speaks the protocol, so that its author writes the decisions only.

The same object plays in a match of this process (:func:`croupier.durak.match`) and as a program (:func:`serve`).
Light on purpose: the arena starts a process a game (see :mod:`~croupier.durak.engine`).
"""

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO

from croupier.durak.engine.observation import Observation, PassOn, Reply
from croupier.durak.engine.pack import PACK, cards_text, read_card, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import (
    GAME_END,
    KEEP_ALIVE_VARIABLE,
    QUESTIONS,
    READY,
    Command,
    CommandError,
    parse_command,
)
from croupier.durak.engine.protocol2 import GAME, INFO, reply_text
from croupier.durak.players.memory import GameMemory
from croupier.durak.players.variant_memory import VariantMemory
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.durak.engine.rules import DurakRules

_PHASES = {name: phase for phase, name in QUESTIONS.items()}

#: What an engine may answer: cards as text ("7C", "7C 7D"), a code, several of either, or None for no card.
Answer = str | int | Iterable[str | int] | None


class UnreadableAnswer(InputError):  # noqa: N818 - what it is: an answer that cannot be read
    """Something that an engine returned and that is no cards."""


def read_answer(answer: Answer, pack: tuple[int, ...] = PACK) -> tuple[int, ...]:
    """Return the cards of what an engine answered, of the protocol's pack or another.

    Raises
    ------
    UnreadableAnswer
        If these are no cards of durak.

    Examples
    --------
    >>> read_answer("7C"), read_answer(("7C", 21)), read_answer(20), read_answer(None)
    ((20,), (20, 21), (20,), ())
    >>> read_answer(3.5)
    Traceback (most recent call last):
    croupier.durak.players.base.UnreadableAnswer: 3.5 is no answer; return a card such as "7C", several, or None
    """
    if answer is None:
        return ()
    if isinstance(answer, str | int):
        return _read_entry(answer, pack)
    try:
        entries = tuple(answer)
    except TypeError:
        raise UnreadableAnswer(
            f'{answer!r} is no answer; return a card such as "7C", several, or None'
        ) from None
    return tuple(card for entry in entries for card in _read_entry(entry, pack))


def _read_entry(entry: object, pack: tuple[int, ...]) -> tuple[int, ...]:
    if isinstance(entry, str):
        try:
            return read_cards(entry, pack)
        except InputError as error:
            raise UnreadableAnswer(str(error)) from None
    # Codes may come as NumPy integers, which are no int but count as one.
    if not isinstance(entry, bool) and hasattr(entry, "__index__") and entry.__index__() in pack:
        return (entry.__index__(),)
    raise UnreadableAnswer(
        f'{entry!r} is no card; cards are texts such as "7C" or codes {pack[0]} to {pack[-1]}'
    )


def reply_from(answer: Answer, pack: tuple[int, ...]) -> Reply:
    """Return what an engine answered in a game by any rules: cards, or that it passes the attack on.

    Raises
    ------
    UnreadableAnswer
        If these are no cards of the pack.

    Examples
    --------
    >>> reply_from("transfer 7C", PACK), reply_from(PassOn(20), PACK), reply_from("7C", PACK)
    (PassOn(card=20, is_shown=False), PassOn(card=20, is_shown=False), (20,))
    """
    if isinstance(answer, PassOn):
        return answer
    word, _, card = answer.strip().partition(" ") if isinstance(answer, str) else ("", "", "")
    if word not in ("transfer", "show"):
        return read_answer(answer, pack)
    try:
        return PassOn(read_card(card.strip(), pack), is_shown=word == "show")
    except InputError as error:
        raise UnreadableAnswer(str(error)) from None


class Engine(ABC):
    r"""A durak player in Python. A subclass says how it attacks and defends; :class:`PolicyEngine` answers by one function.

    Each choice is shown an :class:`~croupier.durak.engine.observation.Observation` and returns a card as text or code,
    or None: done in an attack (not on an empty table), take in a defence. Cards that may be played are
    ``seen.playable``; :meth:`choose_throw_in` may return several, up to ``seen.throw_in_limit``.

    Attributes
    ----------
    name
        What the engine is called in tables and logs; by default the name of its class.
    game_seed
        A number to seed chance with, new for every game. In a match of this process it follows from the seed of the match, so
        that the match can be repeated; in a process of its own it is a fresh one.
    rules, options
        In games by the second version of the protocol: their rules, and what the arena was told for this engine.

    Examples
    --------
    An engine that attacks with its cheapest card and beats with its most valuable:

    >>> class Opposite(Engine):
    ...     def choose_attack(self, seen):
    ...         return seen.by_cost(seen.playable)[:1]
    ...
    ...     def choose_defence(self, seen):
    ...         return seen.by_cost(seen.playable)[-1:]

    As a program it ends with ``Opposite().run()``. Here it reads from a text instead of the standard input:

    >>> import io
    >>> Opposite().run(io.StringIO("init 8H\ndeal 9C KC AC ## {}\nrespond TC ## {}\ngame_end\n"), sys.stdout)
    ok
    ok
    AC
    """

    name: str = ""
    game_seed: int = 0
    rules: "DurakRules | None" = None
    options: Mapping[str, str] = MappingProxyType({})
    _info: str = ""

    def tell(self, *, score: float | None = None, nodes: int | None = None) -> None:
        """Say what the engine thinks of its next answer: the points it expects, from 0 to 1, and how many positions it has seen.

        The arena gets it before the answer, in games by the second version of the protocol only.
        """
        self._info = INFO + json.dumps({"score": score, "nodes": nodes})

    def new_game(self) -> None:  # noqa: B027 - an engine need not remember anything
        """Get ready for a game, for engines that remember more than they are shown."""

    @abstractmethod
    def choose_attack(self, seen: Observation) -> Answer:
        """Return the card to attack with, or None if the attack is done."""

    @abstractmethod
    def choose_defence(self, seen: Observation) -> Answer:
        """Return the card that beats the last one on the table, or None to take."""

    def choose_throw_in(self, seen: Observation) -> Answer:  # noqa: ARG002 - for those who override it
        """Return the cards to add to those that the other side takes; none unless overridden."""
        return None

    def choose(self, seen: Observation) -> Answer:
        """Answer the question of any phase."""
        if seen.phase is Phase.ATTACK:
            return self.choose_attack(seen)
        if seen.phase is Phase.DEFEND:
            return self.choose_defence(seen)
        return self.choose_throw_in(seen)

    def run(
        self,
        commands: Iterable[str] | None = None,
        answers: TextIO | None = None,
        *,
        keeps_alive: bool = False,
    ) -> None:
        """Play until ``game_end`` or the end of the input; lines are read and written one by one, and flushed.

        Parameters
        ----------
        commands, answers
            Where lines are read and written; by default the standard streams.
        keeps_alive
            Whether to wait for the next game after ``game_end`` instead of leaving.

        Raises
        ------
        CommandError
            If a line is no command, or comes before the game has been started.
        """
        output = sys.stdout if answers is None else answers
        memory: GameMemory | None = None
        variant: VariantMemory | None = None
        for line in sys.stdin if commands is None else commands:
            if not line.strip():
                continue
            if line.startswith(GAME + " "):
                variant = self._begin_variant(line)
                _write(output, READY)
                continue
            if variant is not None:
                command = variant.read(line)
                if command.name == GAME_END:
                    if not keeps_alive:
                        return
                    variant = None
                    continue
                _write(output, *self._variant_answer(variant, command))
                continue
            command = parse_command(line)
            if command.name == GAME_END:
                if not keeps_alive:
                    return
                memory = None
                continue
            if command.name == "init":
                memory, self.rules = _begun(command), None
                self.game_seed = int.from_bytes(os.urandom(8), "little")
                self.new_game()
                answer = READY
            elif memory is None:
                raise CommandError(f"command '{command.name}' before 'init'")
            else:
                answer = self._answer(memory, command)
            _write(output, answer)

    def _begin_variant(self, line: str) -> VariantMemory:
        memory = VariantMemory(line)
        self.rules, self.options = memory.rules, memory.options
        self.game_seed = int.from_bytes(os.urandom(8), "little")
        self.new_game()
        return memory

    def _variant_answer(self, memory: VariantMemory, command: Command) -> tuple[str, ...]:
        """Return the lines of an answer by the second version: what the engine tells, if anything, and the answer."""
        if command.name == "deal":
            return (READY,)
        self._info = ""
        reply = reply_from(self.choose(memory.question(command)), memory.rules.cards)
        memory.play(reply)
        return (self._info, reply_text(reply)) if self._info else (reply_text(reply),)

    def _answer(self, memory: GameMemory, command: Command) -> str:
        try:
            if command.name == "deal":
                memory.deal(command.cards, command.data)
                return READY
            seen = memory.question(_PHASES[command.name], command.cards, command.data)
        except (TypeError, ValueError) as error:
            raise CommandError(f"command '{command.name}': its data cannot be read ({error})") from None
        cards = read_answer(self.choose(seen))
        memory.play(seen, cards)
        return cards_text(cards)


class PolicyEngine(Engine):
    """An engine that answers every question by one function, its policy; a subclass may begin each game with a new one."""

    _policy: Callable[[Observation], Answer]

    def choose_attack(self, seen: Observation) -> Answer:
        """Answer as the policy does."""
        return self._policy(seen)

    choose_defence = choose_throw_in = choose_attack


class FunctionEngine(PolicyEngine):
    r"""An engine that answers as a function does.

    Examples
    --------
    >>> import io
    >>> engine = FunctionEngine(lambda seen: seen.hand[:1])
    >>> engine.run(io.StringIO("init 8H\ndeal 9C KC\nmove\n"), sys.stdout)
    ok
    ok
    9C
    """

    def __init__(self, function: Callable[[Observation], Answer]) -> None:
        self._policy = function
        self.name = str(getattr(function, "__name__", type(function).__name__))


def serve(engine: Engine | Callable[[Observation], Answer]) -> None:
    r"""Run an engine, or a function, as the program of a process.

    A broken conversation is one line on stderr and exit code 2. The engine stays for further games where its environment asks for
    that (``DURAK_KEEP_ALIVE=1``).

    Examples
    --------
    The last line of a program that can be named in ``croupier durak match`` is ``durak.serve(Cautious())``. Here the standard input
    is a text:

    >>> import io
    >>> keyboard, sys.stdin = sys.stdin, io.StringIO("init 8H\ndeal 9C KC\nmove\ngame_end\n")
    >>> serve(lambda seen: seen.hand[:1])
    ok
    ok
    9C
    >>> sys.stdin = keyboard
    """
    player = engine if isinstance(engine, Engine) else FunctionEngine(engine)
    try:
        player.run(keeps_alive=os.environ.get(KEEP_ALIVE_VARIABLE) == "1")
    except CommandError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except (BrokenPipeError, KeyboardInterrupt):
        raise SystemExit(1) from None


def _write(output: TextIO, *lines: str) -> None:
    for line in lines:
        output.write(line + "\n")
    output.flush()


def _begun(command: Command) -> GameMemory:
    if len(command.cards) != 1:
        raise CommandError(f"command 'init': {len(command.cards)} cards; it names the open trump")
    return GameMemory(command.cards[0])
