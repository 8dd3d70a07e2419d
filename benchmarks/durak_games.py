"""Compiled whole games between the sample engine and the random one: their speed, and how they end."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    Position,
    Stock,
    answered,
    attack_moves,
    defence_moves,
    lowest_trump_leader,
    phase_of,
    score_of_first,
    seat_in_turn,
    started,
    throw_in_limit,
    throw_in_moves,
)
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, splitmix_below

#: Wins, losses and draws of the first to move (rows: seat 0 or 1 moved first).
Tally = NDArray[np.int64]

#: The policies that are compiled.
DUMMY, RANDOM = range(2)

#: Games per random stream. With another size, a seed gives other games.
BLOCK_GAMES = 2**14


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games ended in which way, by who moved first and by seat."""

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
        """The share of the points for the first to move; a draw is half a point each."""
        return (self.first_mover_wins + self.draws / 2) / self.games

    @property
    def player1_points(self) -> float:
        """The share of the points for player 1."""
        return (self.player1_wins + self.draws / 2) / self.games


def play_many(
    player1: int,
    player2: int,
    games: int,
    seed: int,
    rules: DurakRules | None = None,
    workers: int | None = None,
) -> GameCounts:
    """Play games from new decks; the lowest trump leads, or chance decides if no hand has one.

    Players are ``DUMMY`` or ``RANDOM``. A seed plays the same games on any number of workers.
    """
    table = rules or DurakRules()
    caps = table.attack_cap(1), table.attack_cap(2)
    sizes = [min(BLOCK_GAMES, games - begin) for begin in range(0, games, BLOCK_GAMES)]

    def play(block: int) -> Tally:
        stream = (
            np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(1, np.uint64).astype(np.uint64)
        )
        tally = np.zeros((2, 3), dtype=np.int64)
        play_block(sizes[block], player1, player2, *caps, stream, tally)
        return tally

    begin = perf_counter()
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        tally = sum(pool.map(play, range(len(sizes))), np.zeros((2, 3), dtype=np.int64))
    return GameCounts(
        games=games,
        draws=int(tally[:, 2].sum()),
        first_mover_wins=int(tally[:, 0].sum()),
        player1_wins=int(tally[0, 0] + tally[1, 1]),
        seed=seed,
        seconds=perf_counter() - begin,
    )


@inlined
def random_answer(position: Position, phase: int, stream: Stream) -> int:
    """Answer as the random engine does, with the same random numbers."""
    if phase == DEFEND:
        cards = defence_moves(position)
        return _nth(cards, splitmix_below(stream, count(cards) + 1))
    if phase == ATTACK:
        cards = attack_moves(position)
        return _nth(cards, splitmix_below(stream, count(cards) + (1 if position.table else 0)))
    cards = throw_in_moves(position)
    limit = throw_in_limit(position)
    thrown = 0
    while cards and limit > 0:
        card = lowest(cards)
        cards ^= card
        if splitmix_below(stream, 2):
            thrown |= card
            limit -= 1
    return thrown


@compiled
def dummy_playout(position: Position, stock: Stock) -> int:
    """Play a game to its end, both sides as the sample engine; return seat 0's score."""
    phase = phase_of(position)
    while phase != OVER:
        position = answered(position, phase, dummy_answer(position, phase), stock)
        phase = phase_of(position)
    return score_of_first(position)


@compiled
def playout(
    position: Position, stock: Stock, first: int, second: int, first_stream: Stream, second_stream: Stream
) -> int:
    """Play a game to its end between two policies, the first in seat 0; return seat 0's score."""
    phase = phase_of(position)
    while phase != OVER:
        is_first = seat_in_turn(position, phase) == 0
        policy = first if is_first else second
        if policy == DUMMY:
            cards = dummy_answer(position, phase)
        else:
            cards = random_answer(position, phase, first_stream if is_first else second_stream)
        position = answered(position, phase, cards, stock)
        phase = phase_of(position)
    return score_of_first(position)


@inlined
def shuffle(stock: Stock, stream: Stream) -> None:
    """Put the cards into a random order (Fisher-Yates)."""
    for last in range(35, 0, -1):
        pick = splitmix_below(stream, last + 1)
        stock[last], stock[pick] = stock[pick], stock[last]


@compiled
def play_block(
    games: int, first: int, second: int, first_cap: int, cap: int, stream: Stream, tally: Tally
) -> None:
    """Play games from shuffled decks, the lowest trump leading, and count how they end."""
    stock = np.arange(36).astype(np.int8)
    for _ in range(games):
        shuffle(stock, stream)
        leader = lowest_trump_leader(stock)
        if leader < 0:
            leader = splitmix_below(stream, 2)
        position = started(stock, leader, first_cap, cap)
        if first == DUMMY and second == DUMMY:
            score = dummy_playout(position, stock)
        else:
            score = playout(position, stock, first, second, stream, stream)
        if score == 0:
            tally[leader, 2] += 1
        else:
            tally[leader, 0 if (score > 0) == (leader == 0) else 1] += 1


@inlined
def _nth(cards: int, number: int) -> int:
    """Return the n-th card in ascending order; no card past the last one."""
    for _ in range(number):
        cards &= cards - 1
    return lowest(cards)
