"""Players who always take pass their cards round; such a game is a draw in the end."""

import numpy as np

from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import MOST_TAKES, ActionKind, GameState
from croupier.durak.engine.table_kernels import MOST_TAKES as COMPILED_MOST_TAKES
from croupier.durak.engine.text import describe_result
from croupier.durak.players.variant_kernel import play_out
from croupier.durak.players.variant_master import position_numbers, rule_numbers
from tests.durak.engine.second_reading import SecondGame
from tests.durak.engine.test_second_reading import move_of, second_of


def ended_by_takers(rules: DurakRules) -> tuple[GameState, SecondGame]:
    """Play a game in which everybody leads the lowest card, adds nothing and takes."""
    state = start(rules, rules.cards, leader=0)
    second = second_of(state)
    while legal := legal_actions(state):
        wanted = [action for action in legal if not action.cards and action.kind is not ActionKind.ATTACK]
        action = (wanted or list(legal))[0]
        state = act(state, action)
        second.do(*move_of(action))
    return state, second


def test_three_who_take_for_ever_draw() -> None:
    state, second = ended_by_takers(DurakRules(players=3, throw_in="none"))
    assert (state.takes, state.losers, state.points(1)) == (MOST_TAKES, (), 0.5)
    assert state.deck_count  # they never came to the end of the stock
    assert second.over()
    assert second.losers() == set()
    assert describe_result(state) == "a draw: 60 takes in a row"
    assert MOST_TAKES == COMPILED_MOST_TAKES
    position = position_numbers(state, state.hands)
    assert play_out(position, rule_numbers(state.rules, state.trump), np.array([], dtype=np.int64)) == 0


def test_two_who_take_for_ever_come_to_an_end() -> None:
    state, _ = ended_by_takers(DurakRules())
    assert state.takes < MOST_TAKES
    assert state.winner is not None
