"""The built-in engines as opponents in this process, without a memory of their own.

An answer follows from what the seat has seen of the game, from a seed and from the number of the action. So a game that was
saved and restored continues exactly as it would have done.
"""

from collections.abc import Callable
from typing import NamedTuple

from croupier.durak.engine.observation import Reply, observe
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.levels import LEVELS, Level
from croupier.durak.players.master import only_answer
from croupier.durak.players.random_player import RandomPolicy
from croupier.durak.players.review import evidence_of
from croupier.durak.players.splitmix import SplitMix64
from croupier.errors import InputError

#: How long the strongest level thinks, in rounds of the search: about 100 ms on a common machine.
FULL_BUDGET = Budget(rounds=25_000)

#: How many games the strongest level plays out for a move of a variant that its own search does not cover: about as long.
VARIANT_ROUNDS = 4_000

#: Keeps the seeds of two actions of one game apart.
_STRIDE = 0x9E37_79B9


class BuiltInPlayer(NamedTuple):
    """One built-in engine.

    Attributes
    ----------
    name
        What it is called in lists and logs.
    command
        The command line that starts it as a process, with a seed and a number of rounds, so that a match can be repeated.
    level
        The master's level; None for the others.
    choose
        Its answer, from the game, its seat and a seed of this action.
    """

    name: str
    command: str
    level: int | None
    choose: Callable[[GameState, int, int], Reply]

    def answer(self, state: GameState, seed: int) -> Reply:
        """Return what it does when it is its turn, from what its own seat may know.

        Raises
        ------
        IllegalMove
            If the game is over.

        Examples
        --------
        >>> from croupier.durak.engine.dealing import start
        >>> from croupier.durak.engine.pack import PACK, cards_text
        >>> from croupier.durak.engine.rules import DurakRules
        >>> game = start(DurakRules(), PACK)
        >>> cards_text(built_in_player("durak-dummy").answer(game, seed=1))
        '6C'
        """
        seat = state.to_act
        if seat is None:
            raise IllegalMove("cannot answer: the game is over")
        return self.choose(state, seat, SplitMix64(seed + _STRIDE * len(state.history)).next_word())


def _dummy(state: GameState, seat: int, _seed: int) -> Reply:
    return variant_dummy_policy(observe(state, seat))


def _random(state: GameState, seat: int, seed: int) -> Reply:
    return RandomPolicy(seed).reply(observe(state, seat))


def _master(level: Level) -> Callable[[GameState, int, int], Reply]:
    def choose(state: GameState, seat: int, seed: int) -> Reply:
        seen = observe(state, seat)
        if level.rounds == 0:
            return variant_dummy_policy(seen)
        if not state.rules.is_compiled:
            # The kernels load Numba, which the compiled search of two players does without.
            from croupier.durak.players.variant_master import best_reply  # noqa: PLC0415

            return best_reply(state, Budget(rounds=level.rounds or VARIANT_ROUNDS), seed)
        forced = only_answer(seen)
        if forced is not None:
            return forced
        evidence = evidence_of(state, seat) if level.uses_evidence else None
        evaluator = Evaluator(
            state.rules.attack_cap(2), trust=level.trust, follows_policy=level.follows_policy
        )
        return evaluator.best_move(seen, evidence, level.limited(FULL_BUDGET), seed)

    return choose


#: All of them, the master's levels first.
BUILT_IN = (
    *(
        BuiltInPlayer(
            f"durak-master {level.number}",
            f"durak-master --level {level.number} --nodes {FULL_BUDGET.rounds} --seed 1",
            level.number,
            _master(level),
        )
        for level in LEVELS
    ),
    BuiltInPlayer("durak-dummy", "durak-dummy", None, _dummy),
    BuiltInPlayer("durak-random", "durak-random --seed 1", None, _random),
)


def built_in_player(name: str) -> BuiltInPlayer:
    """Find a built-in engine by its name.

    >>> built_in_player("durak-master 3").level
    3
    >>> built_in_player("deep blue")
    Traceback (most recent call last):
    croupier.errors.InputError: no built-in engine 'deep blue'; there are durak-master 1, durak-master 2, durak-master 3, durak-master 4, durak-master 5, durak-dummy, durak-random
    """
    for player in BUILT_IN:
        if player.name == name:
            return player
    raise InputError(
        f"no built-in engine '{name}'; there are {', '.join(player.name for player in BUILT_IN)}"
    )
