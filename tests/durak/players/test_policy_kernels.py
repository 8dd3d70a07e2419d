"""The compiled sample engine answers as the readable one does, game for game."""

import pytest

from croupier.cards import shuffle
from croupier.durak.engine import board_kernels as board
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players import policy_kernels as kernel
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.question import card_bits
from croupier.durak.players.random_player import RandomPolicy
from tests.durak.boards import position_of
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_the_compiled_sample_engine_plays_the_same_moves(rules: DurakRules) -> None:
    for seed in range(40):
        state = start(rules, shuffle(PACK, (seed, 8)), leader=seed % 2)
        random = RandomPolicy(seed)
        while state.to_act is not None:
            position = position_of(state)
            seen = observe(state, state.to_act)
            cards = dummy_policy(seen)
            assert kernel.dummy_answer(position, board.phase_of(position)) == card_bits(cards)
            # Chance moves on, so that positions come up which sample engines do not reach.
            state = answer(state, random(seen))
