"""Thousands of games at once between the built-in policies, compiled: a yardstick for speed and for the shape of the game."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import IntEnum
from time import perf_counter

import numpy as np

from croupier.durak.engine.rules import DurakRules
from croupier.durak.players import policy_kernels as kernel
from croupier.errors import InputError

#: Games of one random stream. Part of what a seed means: another size deals other games.
BLOCK_GAMES = 2**14


class BuiltIn(IntEnum):
    """The policies that are compiled."""

    DUMMY = kernel.DUMMY
    RANDOM = kernel.RANDOM


@dataclass(frozen=True, slots=True)
class MassResult:
    """How many games ended in which way, seen by who moved first and by who sat where."""

    games: int
    draws: int
    first_mover_wins: int
    player1_wins: int
    seed: int
    seconds: float

    @property
    def draw_share(self) -> float:
        """The share of drawn games."""
        return self.draws / self.games

    @property
    def first_mover_points(self) -> float:
        """The share of the points that the first to move scored, a draw being half a point to each."""
        return (self.first_mover_wins + self.draws / 2) / self.games

    @property
    def player1_points(self) -> float:
        """The share of the points that player 1 scored."""
        return (self.player1_wins + self.draws / 2) / self.games

    def __str__(self) -> str:
        return (
            f"{self.games:,} games, seed {self.seed}: {self.draw_share:.1%} draws, first to move {self.first_mover_points:.1%}, "
            f"player 1 {self.player1_points:.1%} of the points"
        )


def play_many(
    player1: BuiltIn,
    player2: BuiltIn,
    games: int,
    seed: int,
    rules: DurakRules | None = None,
    workers: int | None = None,
) -> MassResult:
    """Play games from fresh decks, the lowest trump leading (or chance, where no hand holds one).

    The same games are played for a seed on any number of workers.

    Examples
    --------
    >>> print(play_many(BuiltIn.DUMMY, BuiltIn.DUMMY, games=100_000, seed=1, workers=1))
    100,000 games, seed 1: 20.7% draws, first to move 55.1%, player 1 50.0% of the points
    """
    if games < 1 or seed < 0 or (workers is not None and workers < 1):
        raise InputError("games and workers are whole numbers from 1 up, a seed from 0 up")
    table = rules or DurakRules()
    caps = table.attack_cap(1), table.attack_cap(2)
    sizes = [min(BLOCK_GAMES, games - begin) for begin in range(0, games, BLOCK_GAMES)]

    def play(block: int) -> kernel.Tally:
        stream = (
            np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(1, np.uint64).astype(np.uint64)
        )
        tally = np.zeros((2, 3), dtype=np.int64)
        kernel.play_block(sizes[block], int(player1), int(player2), *caps, stream, tally)
        return tally

    begin = perf_counter()
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        tally = sum(pool.map(play, range(len(sizes))), np.zeros((2, 3), dtype=np.int64))
    return MassResult(
        games=games,
        draws=int(tally[:, 2].sum()),
        first_mover_wins=int(tally[:, 0].sum()),
        player1_wins=int(tally[0, 0] + tally[1, 1]),
        seed=seed,
        seconds=perf_counter() - begin,
    )
