"""The strong engine: exact once every card is known, a search over the hidden ones before that.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from croupier.durak.engine.observation import Observation, Reply
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.base import PolicyEngine, serve
from croupier.durak.players.budget import Budget
from croupier.durak.players.dummy import dummy_policy, variant_dummy_policy
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.levels import LEVELS, MEASURED_LEVEL, RUNGS, Level, find_level, rounds_of
from croupier.durak.players.native_code import native_code
from croupier.durak.players.question import InconsistentView
from croupier.durak.players.splitmix import SplitMix64
from croupier.errors import InputError

#: How long the engine thinks about a move unless it is told otherwise.
DEFAULT_TIME_MS = 100.0

_STRONGEST = LEVELS[-1]

_USAGE = (
    "usage: durak-master [--time-ms MS | --nodes N | --strength ELO] [--level 1..5] [--threads N] [--seed N]"
    " | --prepare"
)

_HELP = f"""{_USAGE}

A strong durak engine: it plays moves out in hands that the other player may hold, as a policy plays
that learnt by self-play, and proves end games as far as the time allows.

  --time-ms MS   think at most so many milliseconds about a move (100)
  --nodes N      search so many rounds instead (a bout of a play-out counts as 12): with a seed, the same game on any machine
  --strength ELO search as many rounds as that strength takes: {RUNGS[0].elo} to {RUNGS[-1].elo}, durak-dummy has 1000
  --level N      1 (as durak-dummy) to 5 (full strength, the default)
  --threads N    search in so many threads (1); --nodes holds for each of them
  --seed N       the seed of the search; without it, a new one each game
  --prepare      compile for this machine and leave; the first start does it otherwise, and takes a minute or so

Example: durak-master --time-ms 50 --level 4"""


class MasterPolicy:
    """The master as a policy for one game: it follows the other player's choices from one question to the next.

    Parameters
    ----------
    budget
        How long to think about a move; lower levels may take less.
    seed
        The seed of the search.
    level
        How strong to play.
    evaluator
        The memory to work in, if there is one already.
    cap
        How many attack cards the rules of the table allow in a bout.
    tell
        What is told the score and the number of games of each search in a variant, such as :meth:`Engine.tell
        <croupier.durak.players.base.Engine.tell>`.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK, cards_text, read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> hand, enemy = read_cards("6C AH"), read_cards("7C 6D")
    >>> gone = tuple(card for card in PACK if card not in {*hand, *enemy})
    >>> seen = Observation(Phase.ATTACK, hand, (), gone, 0, 2, read_card("8H"))
    >>> cards_text(MasterPolicy(Budget(rounds=100), seed=1)(seen))
    'AH'
    """

    def __init__(
        self,
        budget: Budget,
        seed: int,
        level: Level = _STRONGEST,
        evaluator: Evaluator | None = None,
        cap: int = PACK_SIZE,
        tell: Callable[..., None] | None = None,
    ) -> None:
        self._budget = level.limited(budget) if level.rounds != 0 else budget
        self._level = level
        self._evaluator = evaluator or Evaluator(cap, trust=level.trust, follows_policy=level.follows_policy)
        self._seeds = SplitMix64(seed)
        self._evidence = Evidence()
        self._tell = tell

    def reply(self, seen: Observation) -> Reply:
        """Answer a question of a game by any rules."""
        if seen.variant is None:
            return self(seen)
        if self._level.rounds == 0:
            return variant_dummy_policy(seen)
        # Variants are searched by kernels, which load Numba.
        from croupier.durak.players.variant_master import imagined_game, searched_reply  # noqa: PLC0415

        found = searched_reply(imagined_game(seen), self._budget, self._seeds.next_word())
        if self._tell is not None and found.score is not None:
            self._tell(score=round(found.score, 3), nodes=found.games)
        return found.reply

    def __call__(self, seen: Observation) -> tuple[int, ...]:
        """Answer a question of the game."""
        self._evidence.see(seen)
        cards = self._answer(seen)
        self._evidence.play(seen, cards)
        return cards

    def _answer(self, seen: Observation) -> tuple[int, ...]:
        if self._level.rounds == 0:
            return dummy_policy(seen)
        forced = only_answer(seen)
        evidence = self._evidence if self._level.uses_evidence else None
        try:
            if forced is not None:
                self._evaluator.look_ahead(seen, self._budget)
                return forced
            return self._evaluator.best_move(seen, evidence, self._budget, self._seeds.next_word())
        except InconsistentView:
            # The referee tells less than the protocol requires; play without a search.
            return dummy_policy(seen) if forced is None else forced


def only_answer(seen: Observation) -> tuple[int, ...] | None:
    """Return the answer if the rules leave only one; None where there is a choice.

    Examples
    --------
    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> seen = Observation(Phase.DEFEND, read_cards("9C"), read_cards("TC"), (), 24, 5, read_card("8H"))
    >>> only_answer(seen)
    ()
    >>> only_answer(seen._replace(table=read_cards("8C"))) is None
    True
    """
    if not seen.can_pass:
        return seen.hand if len(seen.hand) == 1 else None
    return None if seen.playable else ()


class MasterEngine(PolicyEngine):
    """The master as an engine of the protocol.

    Parameters
    ----------
    budget
        How long to think about a move.
    seed
        Every game begins with this seed; without one, each game with a new seed.
    level
        How strong to play.
    threads
        How many threads search.
    evaluator
        What evaluates moves, instead of the level's own with so many threads.
    """

    def __init__(
        self,
        budget: Budget,
        seed: int | None = None,
        level: Level = _STRONGEST,
        threads: int = 1,
        evaluator: Evaluator | None = None,
    ) -> None:
        self._budget, self._seed, self._level = budget, seed, level
        self._evaluator = evaluator or Evaluator(
            trust=level.trust, follows_policy=level.follows_policy, threads=threads
        )
        if level.rounds != 0:
            native_code()

    def new_game(self) -> None:
        """Begin with the seed again, or with a new one."""
        seed = self.game_seed if self._seed is None else self._seed
        self._evaluator.forget()
        self._policy = MasterPolicy(self._budget, seed, self._level, self._evaluator, tell=self.tell).reply
        if self.rules is not None and self._level.rounds != 0:
            from croupier.durak.players.variant_master import load_kernels  # noqa: PLC0415 - loads Numba

            load_kernels()


class _Options(NamedTuple):
    budget: Budget
    seed: int | None
    level: Level
    threads: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Play one game over the standard streams: the command ``durak-master``."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--help"], ["-h"]):
        print(_HELP)
        return
    try:
        if given == ["--prepare"]:
            native_code()
            return
        options = _read_options(given)
        engine = MasterEngine(*options)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    serve(engine)


#: What each option counts, the least that it may be, and the most.
_LIMITS = {
    "--time-ms": (1e-9, 2.0**64),
    "--nodes": (1, 2**64 - 1),
    "--strength": (0, 10_000),
    "--level": (0, 2**64 - 1),
    "--threads": (1, 256),
    "--seed": (0, 2**64 - 1),
}

#: Of these only one can be given.
_BUDGETS = ("--time-ms", "--nodes", "--strength")


def _read_options(given: Sequence[str]) -> _Options:
    values: dict[str, float] = {}
    for name, text in zip(given[::2], [*given[1::2], ""], strict=False):
        if name not in _LIMITS:
            raise InputError(f"no option '{name}'; {_USAGE}")
        if name in values:
            raise InputError(f"{name} is given twice")
        try:
            values[name] = float(text) if name == "--time-ms" else int(text)
        except ValueError:
            raise InputError(f"{name} '{text}': not a number; {_USAGE}") from None
        least, most = _LIMITS[name]
        if not least <= values[name] <= most:
            raise InputError(f"{name} {text}: out of range; {_USAGE}")
    seed = int(values["--seed"]) if "--seed" in values else None
    level = MEASURED_LEVEL if "--strength" in values else _STRONGEST
    if "--level" in values:
        level = find_level(int(values["--level"]))
    return _Options(_budget(values), seed, level, int(values.get("--threads", 1)))


def _budget(values: Mapping[str, float]) -> Budget:
    """Return how long to think, by the options that were given."""
    chosen = [name for name in _BUDGETS if name in values]
    if len(chosen) > 1:
        raise InputError(
            f"{' and '.join(chosen)} exclude each other: think for a time, for so many rounds, or as a strength needs"
        )
    if "--nodes" in values:
        return Budget(rounds=int(values["--nodes"]))
    if "--strength" in values:
        return Budget(rounds=rounds_of(int(values["--strength"])))
    return Budget(time_ms=values.get("--time-ms", DEFAULT_TIME_MS))


if __name__ == "__main__":
    main()
