"""The base of an engine in Python: it speaks the protocol, so that its author writes the decisions only.

Light on purpose: the arena starts a process a game (see :mod:`~croupier.durak.engine`).
"""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from croupier.durak.engine.observation import Observation, Policy
from croupier.durak.engine.pack import cards_text
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
from croupier.durak.players.memory import GameMemory

_PHASES = {name: phase for phase, name in QUESTIONS.items()}


class Engine:
    r"""An engine of the protocol. Override the three choices, or :meth:`choose` as a whole, and call :meth:`run`.

    Each choice is shown an :class:`~croupier.durak.engine.observation.Observation` and returns cards: at most one to
    attack (none means done, and an empty table wants one), at most one to defend (none means take), any number up to
    ``seen.throw_in_limit`` to throw in.

    Examples
    --------
    A whole engine that plays its lowest card and beats with its highest:

    >>> from croupier.durak.engine.pack import beats, rank_of
    >>> class Opposite(Engine):
    ...     def choose_attack(self, seen):
    ...         ranks = {rank_of(card) for card in seen.table}
    ...         return sorted(card for card in seen.hand if not ranks or rank_of(card) in ranks)[:1]
    ...
    ...     def choose_defence(self, seen):
    ...         return sorted(card for card in seen.hand if beats(card, seen.table[-1], seen.trump_suit))[-1:]

    Its program ends with ``Opposite().run()``. Here it reads from a text instead of the standard input:

    >>> import io
    >>> Opposite().run(io.StringIO("init 8H\ndeal 9C KC AC ## {}\nrespond TC ## {}\ngame_end\n"), sys.stdout)
    ok
    ok
    AC
    """

    def new_game(self) -> None:
        """Get ready for a game; called at each ``init``, for engines that remember more than they are shown."""

    def choose_attack(self, seen: Observation) -> Sequence[int]:
        """Return the card to attack with, or none if the attack is done."""
        raise NotImplementedError

    def choose_defence(self, seen: Observation) -> Sequence[int]:
        """Return the card that beats the last one on the table, or none to take."""
        raise NotImplementedError

    def choose_throw_in(self, seen: Observation) -> Sequence[int]:  # noqa: ARG002 - for those who override it
        """Return the cards to add to those that the other side takes; none unless overridden."""
        return ()

    def choose(self, seen: Observation) -> Sequence[int]:
        """Answer the question of any phase, by default with the choice for it."""
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
        for line in sys.stdin if commands is None else commands:
            if not line.strip():
                continue
            command = parse_command(line)
            if command.name == GAME_END:
                if not keeps_alive:
                    return
                memory = None
                continue
            if command.name == "init":
                memory = _begun(command)
                self.new_game()
                answer = READY
            elif memory is None:
                raise CommandError(f"command '{command.name}' before 'init'")
            else:
                answer = self._answer(memory, command)
            output.write(answer + "\n")
            output.flush()

    def _answer(self, memory: GameMemory, command: Command) -> str:
        try:
            if command.name == "deal":
                memory.deal(command.cards, command.data)
                return READY
            seen = memory.question(_PHASES[command.name], command.cards, command.data)
        except (TypeError, ValueError) as error:
            raise CommandError(f"command '{command.name}': its data cannot be read ({error})") from None
        cards = tuple(self.choose(seen))
        memory.play(seen, cards)
        return cards_text(cards)


class PolicyEngine(Engine):
    r"""An engine that answers as a policy does.

    Examples
    --------
    >>> import io
    >>> PolicyEngine(lambda seen: seen.hand[:1]).run(io.StringIO("init 8H\ndeal 9C KC\nmove\n"), sys.stdout)
    ok
    ok
    9C
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, seen: Observation) -> Sequence[int]:
        """Answer with the policy's cards."""
        return self._policy(seen)


def play_process(engine: Engine) -> None:
    """Run an engine as the program of a process: a broken conversation is one line on stderr and exit code 2.

    The engine stays for further games where its environment asks for that (``DURAK_KEEP_ALIVE=1``).
    """
    try:
        engine.run(keeps_alive=os.environ.get(KEEP_ALIVE_VARIABLE) == "1")
    except CommandError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except (BrokenPipeError, KeyboardInterrupt):
        raise SystemExit(1) from None


def _begun(command: Command) -> GameMemory:
    if len(command.cards) != 1:
        raise CommandError(f"command 'init': {len(command.cards)} cards; it names the open trump")
    return GameMemory(command.cards[0])
