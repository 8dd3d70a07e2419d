"""Thousands of games of durak that one compiled kernel steps: ``gymnasium.make_vec("croupier/Durak-v0", ...)``."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.durak.engine.pack import LOWEST_CARD
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.environments.durak_kernel import (
    A_BEGIN,
    A_DEALT,
    ATTACKER_SEEN,
    CARD_ROWS,
    DISCARDED_SEEN,
    DUMMY,
    GAME_FIELDS,
    HAND_SEEN,
    KNOWN_SEEN,
    LEADER,
    NUMBERS,
    OTHER_COUNT,
    OWN_COUNT,
    PACK_SIZE,
    PHASE_SEEN,
    RANDOM,
    ROOM_SEEN,
    SEAT,
    SELF,
    SKILLED,
    STOCK_SEEN,
    TABLE_SEEN,
    TO_BEAT_SEEN,
    TRUMP_SEEN,
    step_games,
)
from croupier.environments.durak_steps import action_count, observation_space
from croupier.environments.vector_tables import Observation, VectorTables
from croupier.errors import InputError

#: Who can sit opposite in a compiled game.
OPPONENTS = {"durak-dummy": DUMMY, "skilled": SKILLED, "durak-random": RANDOM, "self": SELF}


class DurakTables(VectorTables):
    """Many games of ``croupier/Durak-v0`` for two with 36 cards: the same observations, actions, masks and rewards.

    Where a game ends, the next one begins in the same step (``AutoresetMode.SAME_STEP``), and the observation is its first.

    Parameters
    ----------
    num_envs
        How many games.
    rules
        A preset, or rules of one's own: two players, 36 cards, any caps.
    opponent
        ``durak-dummy``, ``skilled`` (the policy of the master's play-outs, stronger), ``durak-random``, or ``self``: the agent plays both seats.
        It is then shown the game by whoever is in turn, ``info["seat"]`` says who that is, and rewards are those of seat 0.
    seat
        The agent's seat; by default it is drawn for every game.
    threads
        How many threads step the games; the results are the same with any number.

    Examples
    --------
    >>> import gymnasium, croupier.environments
    >>> games = gymnasium.make_vec("croupier/Durak-v0", 4, "vector_entry_point", opponent="skilled")
    >>> observations, info = games.reset(seed=1)
    >>> observations["hand"].sum(axis=1), info["action_mask"].shape
    (array([6, 6, 6, 6]), (4, 37))
    """

    def __init__(
        self,
        num_envs: int,
        rules: str | DurakRules = "protocol",
        *,
        opponent: str = "durak-dummy",
        seat: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.rules = DURAK.rules(rules) if isinstance(rules, str) else rules
        if not self.rules.is_compiled:
            raise InputError(
                "only games of two with 36 cards are compiled; use gymnasium.make for the others"
            )
        if opponent not in OPPONENTS:
            raise InputError(f"opponent '{opponent}': compiled are {', '.join(OPPONENTS)}")
        if seat not in (None, 0, 1):
            raise InputError(f"seat {seat}: seats are 0 and 1")
        actions = spaces.Discrete(action_count(self.rules))
        super().__init__(num_envs, observation_space(self.rules), actions, threads)
        self._opponent, self._draws_seat = OPPONENTS[opponent], seat is None
        self._caps = np.array([self.rules.attack_cap(1), self.rules.attack_cap(2)], np.int64)
        self._games = np.zeros((num_envs, GAME_FIELDS), np.int64)
        self._games[:, SEAT] = seat or 0
        self._decks = np.tile(np.arange(PACK_SIZE, dtype=np.int8), (num_envs, 1))
        self._streams = np.zeros((num_envs, 1), np.uint64)
        self._cards = np.zeros((num_envs, CARD_ROWS, PACK_SIZE), np.int8)
        self._numbers = np.zeros((num_envs, NUMBERS), np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games."""
        super().reset(seed=None, options=options)
        self._streams[:] = self.seeds(seed, 1)
        self._decks[:] = np.arange(PACK_SIZE, dtype=np.int8)
        self._play(np.full(self.num_envs, A_BEGIN))
        observations, *_, info = self.told(self._observations())
        return observations, info

    def start(
        self, decks: Sequence[Sequence[int]], leaders: Sequence[int], seats: Sequence[int]
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin with given decks (card codes, as the engine has them), leaders and seats of the agent."""
        self._decks[:] = np.array(decks) - LOWEST_CARD
        self._games[:, LEADER], self._games[:, SEAT] = leaders, seats
        self._play(np.full(self.num_envs, A_DEALT))
        observations, *_, info = self.told(self._observations())
        return observations, info

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in every game."""
        self._play(self.verified(actions))
        return self.told(self._observations())

    def _play(self, actions: NDArray[np.int64]) -> None:
        def play(_part: int, start: int, stop: int) -> None:
            step_games(
                start, stop, actions, self._opponent, self._draws_seat, self._caps, self._games, self._decks,
                self._streams, self._cards, self._numbers, self.masks, self.rewards, self.has_ended,
            )  # fmt: skip

        self.in_parts(play)

    def told(
        self, observations: Observation
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Return what every step returns, and whose turn it is."""
        seen, rewards, has_ended, is_cut_off, info = super().told(observations)
        return seen, rewards, has_ended, is_cut_off, info | {"seat": self._games[:, SEAT].copy()}

    def _observations(self) -> Observation:
        cards, numbers = self._cards.copy(), self._numbers.copy()
        return {
            "phase": numbers[:, PHASE_SEEN],
            "hand": cards[:, HAND_SEEN],
            "table": cards[:, TABLE_SEEN],
            "to_beat": cards[:, TO_BEAT_SEEN],
            "discarded": cards[:, DISCARDED_SEEN],
            "known": cards[:, KNOWN_SEEN : KNOWN_SEEN + 1],
            "counts": numbers[:, OWN_COUNT : OTHER_COUNT + 1].astype(np.int8),
            "stock": numbers[:, STOCK_SEEN],
            "trump": numbers[:, TRUMP_SEEN],
            "attacker": numbers[:, ATTACKER_SEEN],
            "defender": 1 - numbers[:, ATTACKER_SEEN],
            "room": numbers[:, ROOM_SEEN],
            "action_mask": self.masks.copy(),
        }
