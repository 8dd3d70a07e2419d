"""The compiled policies answer as the readable ones do, game for game."""

from itertools import product

import numpy as np
import pytest

from croupier.cards import shuffle
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import answer
from croupier.durak.engine.board import bits_of, position_of, stock_of
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Policy, observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.players import policy_kernels as kernel
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.random_player import RandomPolicy
from croupier.durak.players.splitmix import SplitMix64

SCORES = {Result.FIRST: 1, Result.SECOND: -1, Result.DRAW: 0}
OPTIONS = [
    DurakRules(six_card_cap=cap, five_card_first_bout=five) for cap, five in product((False, True), repeat=2)
]


def stream_of(seed: int) -> kernel.Stream:
    return np.array([seed], dtype=np.uint64)


def played(state: GameState, first: Policy, second: Policy) -> int:
    while state.to_act is not None:
        policy = first if state.to_act == 0 else second
        state = answer(state, policy(observe(state, state.to_act)))
    assert state.result is not None
    return SCORES[state.result]


@pytest.mark.parametrize("rules", OPTIONS, ids=["protocol", "five", "six", "table"])
def test_the_compiled_sample_engine_plays_the_same_moves(rules: DurakRules) -> None:
    for seed in range(40):
        state = start(rules, shuffle(PACK, (seed, 8)), leader=seed % 2)
        random = RandomPolicy(seed)
        while state.to_act is not None:
            position = position_of(state)
            seen = observe(state, state.to_act)
            cards = dummy_policy(seen)
            assert kernel.dummy_answer(position, board.phase_of(position)) == bits_of(cards)
            # Chance moves on, so that positions come up which sample engines do not reach.
            state = answer(state, random(seen))


@pytest.mark.parametrize("rules", OPTIONS, ids=["protocol", "five", "six", "table"])
def test_whole_compiled_games_end_as_the_readable_ones(rules: DurakRules) -> None:
    for seed in range(60):
        state = start(rules, shuffle(PACK, (seed, 9)), leader=seed % 2)
        position, stock = position_of(state), stock_of(state.deck)
        assert kernel.dummy_playout(position, stock) == played(state, dummy_policy, dummy_policy)
        for first, second in product((kernel.DUMMY, kernel.RANDOM), repeat=2):
            policies: list[Policy] = [
                dummy_policy if kind == kernel.DUMMY else RandomPolicy(seed + seat)
                for seat, kind in enumerate((first, second))
            ]
            score = kernel.playout(position, stock, first, second, stream_of(seed), stream_of(seed + 1))
            assert score == played(state, *policies)


def test_the_compiled_words_are_the_readable_ones() -> None:
    stream, words = stream_of(5), SplitMix64(5)
    assert [int(kernel.next_word(stream)) for _ in range(50)] == [words.next_word() for _ in range(50)]
    for bound in (1, 2, 3, 7, 36, 3 * 2**30):
        assert [kernel.below(stream, bound) for _ in range(50)] == [words.below(bound) for _ in range(50)]


def test_a_shuffle_keeps_the_cards_and_reaches_every_place() -> None:
    places = np.zeros((36, 36), dtype=np.int64)
    stock, stream = stock_of(PACK), stream_of(3)
    for _ in range(3600):
        kernel.shuffle(stock, stream)
        places[np.arange(36), stock] += 1
    assert sorted(stock.tolist()) == list(range(36))
    assert places.min() > 50
    assert places.max() < 150
