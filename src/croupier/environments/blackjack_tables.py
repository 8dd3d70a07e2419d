"""Thousands of blackjack tables that one compiled kernel steps: ``gymnasium.make_vec("croupier/Blackjack-v0", ...)``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.round_automaton import is_other_game
from croupier.blackjack.simulation.round_terms import OUTCOME_COUNT, empty_records
from croupier.blackjack.simulation.shoe_kernel import STRIDE
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.blackjack.solvers.chart import Chart
from croupier.environments.blackjack import BlackjackEnvironment
from croupier.environments.blackjack_kernel import (
    A_BEGIN,
    SEEN_FIELDS,
    TABLE_FIELDS,
    step_tables,
)
from croupier.environments.vector_tables import Observation, VectorTables
from croupier.errors import InputError

_KEYS = ("phase", "total", "is_soft", "pair", "cards", "up_card", "hand", "hands")

#: Cards shuffled at a time in episodes of one round: hardly more than a round takes.
_SHORT_STRIDE = 8

#: Rows between the counts of two threads. In one line of the processor's cache, each would wait for the other at every hand.
_APART = 16


class BlackjackTables(VectorTables):
    """Many tables of ``croupier/Blackjack-v0``, without counts and pictures: the same observations, actions, masks and rewards.

    Where an episode ends, the next one begins in the same step (``AutoresetMode.SAME_STEP``), and the observation is its first; a
    learner does not look at the last observation of an episode, so it is not told.

    Parameters
    ----------
    num_envs
        How many tables.
    rules
        A preset, or rules of one's own.
    rounds
        How many rounds an episode has; they come from one shoe until its cut card, then from the next.
    threads
        How many threads step the tables; the results are the same with any number.

    Examples
    --------
    >>> import gymnasium, croupier.environments
    >>> tables = gymnasium.make_vec("croupier/Blackjack-v0", 4, "vector_entry_point", rules="vegas-strip")
    >>> observations, info = tables.reset(seed=1)
    >>> observations["total"].shape, info["action_mask"].shape
    ((4,), (4, 7))
    >>> observations, rewards, has_ended, _, info = tables.step(np.zeros(4, np.int64))
    >>> has_ended
    array([ True,  True,  True,  True])
    """

    def __init__(
        self,
        num_envs: int,
        rules: str | BlackjackRules = "six-deck",
        *,
        rounds: int = 1,
        threads: int | None = None,
    ) -> None:
        single = BlackjackEnvironment(rules, rounds=rounds)
        super().__init__(num_envs, single.observation_space, single.action_space, threads)  # type: ignore[arg-type]
        self.rules = BLACKJACK.rules(rules) if isinstance(rules, str) else rules
        self.rounds = rounds
        if is_other_game(self.rules):
            raise InputError(
                "tables side by side play the usual game, without free bets, bonuses, rescue and packs of 48 cards; "
                "use the environment of one table"
            )
        seating = Seating(self.rules, Chart.uniform("S"))
        self._setup, self._cut = setup_of(seating), seating.cut
        cards, shoe = shoe_of(seating)
        if rounds == 1:
            shoe[STRIDE] = _SHORT_STRIDE
        self.cards, self.shoes = np.tile(cards, (num_envs, 1)), np.tile(shoe, (num_envs, 1))
        self._tables = np.zeros((num_envs, TABLE_FIELDS), np.int64)
        seats, hands, waiting = empty_records(1)
        self._seats, self._hands, self._waiting = (
            np.tile(record, (num_envs, *[1] * record.ndim)) for record in (seats, hands, waiting)
        )
        self._streams = np.zeros((num_envs, 4), np.uint64)
        self._outcomes = np.zeros((len(self.parts), OUTCOME_COUNT + _APART, 2), np.int64)
        self._seen = np.zeros((SEEN_FIELDS, num_envs), np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode at every table."""
        super().reset(seed=None, options=options)
        self._streams[:] = self.seeds(seed, 4)
        self._play(np.full(self.num_envs, A_BEGIN))
        observations, *_, info = self.told(self._observations())
        return observations, info

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action at every table."""
        self._play(self.verified(actions))
        return self.told(self._observations())

    def _play(self, actions: NDArray[np.int64]) -> None:
        def play(part: int, start: int, stop: int) -> None:
            step_tables(
                start, stop, actions, self.rounds, self._cut, self._tables, self.cards, self.shoes, self._streams,
                self._seats, self._hands, self._waiting, self._outcomes[part], self._setup,
                self._seen, self.masks, self.rewards, self.has_ended,
            )  # fmt: skip

        self.in_parts(play)

    def _observations(self) -> Observation:
        return dict(zip(_KEYS, self._seen.copy(), strict=True)) | {"action_mask": self.masks.copy()}
