"""Whole compiled games: they end as the readable ones do, and show what is known of the game between sample engines."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from benchmarks.durak_games import DUMMY, RANDOM, dummy_playout, play_many, playout
from benchmarks.durak_games import shuffle as shuffle_stock
from croupier.cards import shuffle
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Policy, observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState, Result
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.random_player import RandomPolicy
from croupier.numerics.random_kernels import Stream
from tests.durak.boards import position_of, stock_of
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

SCORES = {Result.FIRST: 1, Result.SECOND: -1, Result.DRAW: 0}


def stream_of(seed: int) -> Stream:
    return np.array([seed], dtype=np.uint64)


def played(state: GameState, first: Policy, second: Policy) -> int:
    while state.to_act is not None:
        policy = first if state.to_act == 0 else second
        state = answer(state, policy(observe(state, state.to_act)))
    assert state.result is not None
    return SCORES[state.result]


def test_a_fifth_of_the_games_of_sample_engines_are_drawn_and_the_first_to_move_scores_55_percent() -> None:
    """Both figures were observed in the first implementation: about 20 % and about 55 %."""
    result = play_many(DUMMY, DUMMY, games=200_000, seed=5)
    assert result.draw_share == pytest.approx(0.207, abs=0.005)
    assert result.first_mover_points == pytest.approx(0.55, abs=0.006)
    assert result.player1_points == pytest.approx(0.5, abs=0.005)


def test_the_sample_engine_scores_98_percent_against_random_play() -> None:
    """As observed in the first implementation, from either seat."""
    assert play_many(DUMMY, RANDOM, 50_000, seed=5).player1_points == pytest.approx(0.98, abs=0.005)
    assert play_many(RANDOM, DUMMY, 50_000, seed=5).player1_points == pytest.approx(0.02, abs=0.005)


def test_the_same_games_are_played_on_any_number_of_workers() -> None:
    alone, together = (play_many(DUMMY, RANDOM, 70_000, seed=9, workers=n) for n in (1, 3))
    assert replace(alone, seconds=0) == replace(together, seconds=0)
    assert alone.draws + alone.player1_wins < alone.games == 70_000


def test_the_rules_of_the_table_play_other_games() -> None:
    protocol, table = (
        play_many(RANDOM, RANDOM, 50_000, seed=9, rules=preset.rules) for preset in DURAK.presets[:2]
    )
    assert protocol.first_mover_wins != table.first_mover_wins


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_whole_compiled_games_end_as_the_readable_ones(rules: DurakRules) -> None:
    for seed in range(60):
        state = start(rules, shuffle(PACK, (seed, 9)), leader=seed % 2)
        position, stock = position_of(state), stock_of(state.deck)
        assert dummy_playout(position, stock) == played(state, dummy_policy, dummy_policy)
        for first, second in product((DUMMY, RANDOM), repeat=2):
            policies: list[Policy] = [
                dummy_policy if kind == DUMMY else RandomPolicy(seed + seat)
                for seat, kind in enumerate((first, second))
            ]
            score = playout(position, stock, first, second, stream_of(seed), stream_of(seed + 1))
            assert score == played(state, *policies)


def test_a_shuffle_keeps_the_cards_and_reaches_every_place() -> None:
    places = np.zeros((36, 36), dtype=np.int64)
    stock, stream = stock_of(PACK), stream_of(3)
    for _ in range(3600):
        shuffle_stock(stock, stream)
        places[np.arange(36), stock] += 1
    assert sorted(stock.tolist()) == list(range(36))
    assert places.min() > 50
    assert places.max() < 150
