"""Whom a person can play against: the built-in engines, and programs that somebody has named."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.players.built_in import BUILT_IN, BuiltInPlayer


@dataclass(frozen=True, slots=True)
class Opponent:
    """One engine that can be played against.

    Attributes
    ----------
    name
        What it is called; no two have the same name.
    command
        The command line that starts it as a process.
    """

    name: str
    command: str

    @property
    def built_in(self) -> BuiltInPlayer | None:
        """The built-in engine of this name; None for a program that was added."""
        return next((player for player in BUILT_IN if player.name == self.name), None)


class Opponents(Protocol):
    """What a table needs of a list of engines."""

    def find(self, name: str) -> Opponent:
        """Return an engine by its name; raises DurakRefusal if there is none."""

    def spec(self, name: str) -> EngineSpec:
        """Return what starts an engine as a process; raises DurakRefusal if it cannot be started."""


def built_in_opponents() -> tuple[Opponent, ...]:
    """Return the built-in engines, which are always there.

    >>> [opponent.name for opponent in built_in_opponents()][-2:]
    ['durak-dummy', 'durak-random']
    """
    return tuple(Opponent(player.name, player.command) for player in BUILT_IN)


class NamedPrograms:
    """The built-in engines, and the programs given here.

    Examples
    --------
    >>> NamedPrograms().find("durak-dummy").built_in.name
    'durak-dummy'
    >>> NamedPrograms().find("deep blue")
    Traceback (most recent call last):
    croupier.durak.play.refusal.DurakRefusal: There is no engine 'deep blue' in the list.
    """

    def __init__(self, programs: Iterable[EngineSpec] = ()) -> None:
        self._programs = {spec.name: spec for spec in programs}

    def find(self, name: str) -> Opponent:
        """Return an engine by its name.

        Raises
        ------
        DurakRefusal
            If there is none.
        """
        if name in self._programs:
            return Opponent(name, " ".join(self._programs[name].command))
        for opponent in built_in_opponents():
            if opponent.name == name:
                return opponent
        raise DurakRefusal("durak.refused.no_engine", name=name)

    def spec(self, name: str) -> EngineSpec:
        """Return what starts a program.

        Raises
        ------
        DurakRefusal
            If it is not one of those given.
        """
        if name not in self._programs:
            raise DurakRefusal("durak.refused.no_engine", name=name)
        return self._programs[name]
