"""Games that the master plays against itself: every choice with a hidden card, and how often the search visited each move.

The play model learns from them how a skilled player chooses (:mod:`~croupier.durak.training.play_model`). The players take every hand of
the other for as likely as any other, so the games do not depend on the play model. With a fixed number of rounds a move, a seed
gives the same games on any machine and any number of workers.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards.shoe import shuffle
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import lowest_trump_leader, start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.budget import Budget
from croupier.durak.players.endgame import is_open
from croupier.durak.players.evaluation import Evaluator, MoveValue
from croupier.durak.players.master import only_answer
from croupier.durak.players.play_model_kernel import COLUMNS
from croupier.durak.players.question import card_bits, model_row
from croupier.durak.players.splitmix import SplitMix64

#: The most moves of a choice that are written down; where there are more, those that were visited most.
MOVES = 20

#: How strongly the search tries moves that look worse in these games: what the shipped weights were made with.
_EXPLORATION = 0.7

_RULES = DurakRules()


class Choices(NamedTuple):
    """Choices as rows: what was seen, the moves as sets of cards (-1: no further move), and the share of visits of each."""

    seen: NDArray[np.int64]
    moves: NDArray[np.int64]
    shares: NDArray[np.float32]


def _game(number: int, rounds: int, seed: int) -> Iterator[tuple[list[int], tuple[MoveValue, ...]]]:
    """Play a game until nothing is hidden, and yield every choice with the values of its moves."""
    deck = shuffle(PACK, (seed, number))
    leader = lowest_trump_leader(deck)
    state = start(_RULES, deck, number % 2 if leader is None else leader)
    evaluator = Evaluator(trust=0.0, exploration=_EXPLORATION, modelled=0.0)
    seeds = SplitMix64((seed << 32) + number)
    while (seat := state.to_act) is not None and state.deck_count > 1:
        seen = observe(state, seat)
        cards = only_answer(seen)
        if cards is None:
            values = evaluator.evaluate(seen, None, Budget(rounds=rounds), seeds.next_word())
            yield model_row(seen), values
            cards = values[0].cards
        state = answer(state, cards)
    assert state.to_act is None or is_open(observe(state, state.to_act))


def _block(numbers: Iterable[int], rounds: int, seed: int) -> Choices:
    found = list(chain.from_iterable(_game(number, rounds, seed) for number in numbers))
    seen = np.array([row for row, _ in found], dtype=np.int64).reshape(-1, COLUMNS)
    moves = np.full((len(found), MOVES), -1, dtype=np.int64)
    shares = np.zeros((len(found), MOVES), dtype=np.float32)
    for row, (_, values) in enumerate(found):
        kept = values[:MOVES]
        moves[row, : len(kept)] = [card_bits(value.cards) for value in kept]
        visits = np.array([value.visits for value in kept], dtype=np.float32)
        shares[row, : len(kept)] = visits / visits.sum()
    return Choices(seen, moves, shares)


def searched_choices(games: int, rounds: int, seed: int, workers: int = 1) -> Choices:
    """Play games between masters and return their choices, the best move of each first.

    >>> choices = searched_choices(1, rounds=50, seed=1)
    >>> bool(np.all(choices.shares.sum(axis=1) > 0.99)), choices.seen.shape[1]
    (True, 10)
    """
    blocks = [range(begin, min(begin + 20, games)) for begin in range(0, games, 20)]
    play = partial(_block, rounds=rounds, seed=seed)
    if workers == 1:
        parts = list(map(play, blocks))
    else:
        with ProcessPoolExecutor(workers) as pool:
            parts = list(pool.map(play, blocks))
    return Choices(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
