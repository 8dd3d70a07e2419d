"""What an engine process remembers of a game by the second version of the protocol: its rules, its seat and its hand.

Everything else comes with each question. Light on purpose, as :mod:`~croupier.durak.players.memory`; the rules are loaded with the first
game.
"""

from collections.abc import Mapping
from typing import Any

from croupier.durak.engine.observation import Observation, PassOn, Reply
from croupier.durak.engine.protocol import QUESTIONS, Command, CommandError
from croupier.durak.engine.protocol2 import GAME, observation_of, parse_command2
from croupier.errors import InputError

_PHASES = {name: phase for phase, name in QUESTIONS.items()}


class VariantMemory:
    """A game from its first line on.

    Parameters
    ----------
    line
        The line that starts the game.

    Raises
    ------
    CommandError
        If it cannot be read, or is of another version.

    Examples
    --------
    >>> memory = VariantMemory('game ## {"protocol": 2, "rules": {"players": 3}, "options": {"depth": "4"}}')
    >>> memory.rules.players, memory.options
    (3, {'depth': '4'})
    >>> VariantMemory('game ## {"protocol": 3}')
    Traceback (most recent call last):
    croupier.durak.engine.protocol.CommandError: command 'game': protocol 3; this engine speaks 2
    """

    def __init__(self, line: str) -> None:
        # Pydantic takes long to load, and games of the first version do without.
        from croupier.durak.engine.rules import DurakRules  # noqa: PLC0415

        data = parse_command2(line, ()).data
        if data.get("protocol") != 2:
            raise CommandError(f"command '{GAME}': protocol {data.get('protocol')}; this engine speaks 2")
        try:
            self.rules: DurakRules = DurakRules.create(data["rules"])
            self.options: Mapping[str, str] = {
                str(name): str(value) for name, value in data["options"].items()
            }
        except (AttributeError, KeyError, TypeError, InputError) as error:
            raise CommandError(f"command '{GAME}': its data cannot be read ({error})") from None
        self._hand: tuple[int, ...] = ()

    def read(self, line: str) -> Command:
        """Read a line of this game; the cards of a deal are taken up."""
        command = parse_command2(line, self.rules.cards)
        if command.name == "deal":
            self._hand += command.cards
        return command

    def question(self, command: Command) -> Observation:
        """Return what the engine sees when it is asked.

        Raises
        ------
        CommandError
            If the data of the question cannot be read.
        """
        try:
            return observation_of(_PHASES[command.name], self._hand, command.cards, command.data, self.rules)
        except (KeyError, TypeError, ValueError) as error:
            raise CommandError(f"command '{command.name}': its data cannot be read ({error})") from None

    def play(self, reply: Reply) -> None:
        """Remove what was played from the hand; a trump that was only shown stays."""
        gone: tuple[Any, ...] = reply
        if isinstance(reply, PassOn):
            gone = () if reply.is_shown else (reply.card,)
        self._hand = tuple(card for card in self._hand if card not in gone)
