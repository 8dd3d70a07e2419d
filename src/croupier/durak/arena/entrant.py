"""Who takes part in a match: a program that is started, or an engine object of this process.

Light on purpose: the process of a slot imports it, and starts without NumPy.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from croupier.durak.arena.engine_process import verify_startable
from croupier.durak.arena.engine_spec import EngineSpec, read_engine
from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.own_engines import compile_search, is_own
from croupier.durak.arena.player import PolicyPlayer
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.base import Answer, Engine, FunctionEngine
from croupier.durak.players.splitmix import SplitMix64
from croupier.errors import InputError


@dataclass(frozen=True, slots=True)
class EngineObject:
    """An engine of this process, and what it is called in tables and logs."""

    name: str
    engine: Engine


#: What :func:`read_entrant` makes of whatever a person names.
Entrant = EngineSpec | EngineObject

EntrantT = TypeVar("EntrantT", bound=Entrant)

#: What a person may name: an engine object or class, a function, a command line, a file.
EntrantLike = Entrant | Engine | type[Engine] | Callable[[Observation], Answer] | str | Path


def read_entrant(named: EntrantLike) -> Entrant:
    """Return who is meant: an engine object or class, a function from an observation to cards, or a program.

    A program is named as on the command line: ``"durak-dummy"``, ``"durak-master --time-ms 10"``, ``"./my_engine"``,
    ``"engine.toml"``. Our own programs play all their games in one process; others get a fresh process for each game.

    Raises
    ------
    InputError
        If it is none of these, or there is no such program.

    Examples
    --------
    >>> read_entrant("durak-dummy").keep_alive
    True
    >>> def cheapest(seen):
    ...     return seen.by_cost(seen.playable)[:1]
    >>> read_entrant(cheapest).name
    'cheapest'
    >>> read_entrant(7)
    Traceback (most recent call last):
    croupier.errors.InputError: 7 is no engine; give an engine object, a function, or the name of a program
    """
    if isinstance(named, EngineSpec | EngineObject):
        return named
    if isinstance(named, str | Path):
        spec = read_engine(str(named))
        return spec.staying_alive() if is_own(spec) else spec
    thing: object = named() if isinstance(named, type) else named
    if callable(thing) and not isinstance(thing, Engine):
        thing = FunctionEngine(thing)
    if isinstance(thing, Engine):
        return EngineObject(thing.name or type(thing).__name__, thing)
    raise InputError(f"{named!r} is no engine; give an engine object, a function, or the name of a program")


def with_own_objects(entrants: Sequence[EntrantT]) -> list[EntrantT]:
    """Give an object that takes part twice a copy of its own, so that its two sides share no memory."""
    objects: list[Engine] = []
    own: list[EntrantT] = []
    for entrant in entrants:
        if isinstance(entrant, EngineObject):
            is_shared = any(entrant.engine is other for other in objects)
            objects.append(entrant.engine)
            own.append(replace(entrant, engine=deepcopy(entrant.engine)) if is_shared else entrant)
        else:
            own.append(entrant)
    return own


def told_apart(entrants: Sequence[EntrantT]) -> list[EntrantT]:
    """Give entrants of one name a number each.

    >>> cat = EngineSpec(("cat",), "cat")
    >>> [spec.name for spec in told_apart([cat, cat, EngineSpec(("dog",), "dog")])]
    ['cat #1', 'cat #2', 'dog']
    """
    names = [entrant.name for entrant in entrants]
    return [
        replace(entrant, name=f"{entrant.name} #{names[: place + 1].count(entrant.name)}")
        if names.count(entrant.name) > 1
        else entrant
        for place, entrant in enumerate(entrants)
    ]


def startable(named: Sequence[EntrantLike], rules: DurakRules | None = None) -> list[Entrant]:
    """Read engines, and see that every program among them starts, and ours in time to play by these rules.

    Raises
    ------
    InputError
        If one cannot be found or started.
    """
    entrants = [read_entrant(engine) for engine in named]
    programs = [entrant for entrant in entrants if isinstance(entrant, EngineSpec)]
    for spec in programs:
        verify_startable(spec)
    compile_search(programs, rules)
    return with_own_objects(entrants)


def object_player(entrant: EngineObject, match_seed: int, number: GameNumber, place: int) -> PolicyPlayer:
    """Return the player of an engine object for one game.

    Parameters
    ----------
    entrant
        The engine.
    match_seed, number, place
        What the seed of its chance follows from: the match, the game, and whether it is the first or the second engine.
    """
    words = SplitMix64(match_seed)
    for part in (number.pair, int(number.is_swapped), place):
        words = SplitMix64(words.next_word() + part)
    seed = words.next_word()

    def new_policy() -> Callable[[Observation], Answer]:
        entrant.engine.game_seed = seed
        entrant.engine.new_game()
        return entrant.engine.choose

    return PolicyPlayer(entrant.name, new_policy)
