"""What the vector environments share: tables in parts for the threads, and spaces for a batch."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.errors import InputError

#: So few tables are not worth a second thread.
_FEWEST_A_THREAD = 256

#: Threads take parts of the tables until none is left, so that one which its processor keeps waiting does not keep the others waiting.
_PARTS_A_THREAD = 2

Observation = dict[str, NDArray[Any]]


class VectorTables(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Tables that are stepped together by a compiled kernel, the same with any number of threads.

    Parameters
    ----------
    num_envs
        How many tables.
    observation_space, action_space
        Those of one table.
    threads
        How many threads step them; by default as many as there are processors.
    """

    def __init__(
        self,
        num_envs: int,
        observation_space: spaces.Dict,
        action_space: spaces.Discrete,
        threads: int | None,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs = {num_envs}: at least 1 table")
        if threads is not None and threads < 1:
            raise InputError(f"threads = {threads}: at least 1")
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space, self.single_action_space = observation_space, action_space
        self.observation_space = batch_space(observation_space, num_envs)
        self.action_space = batch_space(action_space, num_envs)
        wanted = min(threads or os.cpu_count() or 1, max(1, num_envs // _FEWEST_A_THREAD))
        edges = np.linspace(0, num_envs, (_PARTS_A_THREAD * wanted if wanted > 1 else 1) + 1).astype(int)
        self.parts = list(pairwise(edges.tolist()))
        self._helpers = wanted - 1
        self._pool = ThreadPoolExecutor(self._helpers) if self._helpers else None
        self.rewards = np.zeros(num_envs)
        self.has_ended = np.zeros(num_envs, np.bool_)
        self.masks = np.zeros((num_envs, int(action_space.n)), np.int8)

    def in_parts(self, work: Callable[[int, int, int], None]) -> None:
        """Do some work for all tables: it is given the number of its part, the first table, and the one after the last."""
        left = deque(enumerate(self.parts))

        def take_parts() -> None:
            while True:
                try:
                    number, (start, stop) = left.popleft()
                except IndexError:
                    return
                work(number, start, stop)

        others = [self._pool.submit(take_parts) for _ in range(self._helpers) if self._pool is not None]
        take_parts()
        for other in others:
            if not other.cancel():  # a thread that no processor has woken yet is not waited for
                other.result()

    def verified(self, actions: Any) -> NDArray[np.int64]:
        """Return actions as the kernels take them.

        Raises
        ------
        InputError
            If there is not one for each table.
        """
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.num_envs,):
            raise InputError(
                f"actions of shape {given.shape}; one for each of {self.num_envs} tables is wanted"
            )
        if given.min() < 0:
            raise InputError(f"action {given.min()}: actions are numbered from 0")
        return given

    def seeds(self, seed: int | list[int | None] | None, words: int) -> NDArray[np.uint64]:
        """Return so many random words for every table, from the seed of a reset."""
        if isinstance(seed, list):
            raise InputError("seed: one number for all tables; each table draws its own cards from it")
        gymnasium.vector.VectorEnv.reset(self, seed=seed)
        drawn = self.np_random.integers(2**64, size=(self.num_envs, words), dtype=np.uint64)
        return np.ascontiguousarray(drawn)

    def told(
        self, observations: Observation
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Return observations, rewards, which episodes have ended, and ``info``, which has their masks too."""
        is_cut_off = np.zeros(self.num_envs, np.bool_)
        info = {"action_mask": observations["action_mask"]}
        return observations, self.rewards.copy(), self.has_ended.copy(), is_cut_off, info

    def close_extras(self, **_options: Any) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
