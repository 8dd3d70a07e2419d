"""Counting play sequences: the readable engine and the compiled one find the same numbers, and always those recorded."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK, cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.dummy import dummy_policy
from croupier.numerics.streams import RandomStream
from tests.durak.engine.perft import compiled_perft, perft
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS

SEEDS = range(4)
DEPTH = 12


def without_stock(state: GameState) -> GameState:
    """Play on as the sample engine does until the stock is gone."""
    while state.stock:
        state = answer(
            state, dummy_policy(observe(state, state.attacker if state.to_act is None else state.to_act))
        )
    return state


def in_a_long_bout(rules: DurakRules, seed: int) -> GameState:
    """Deal games, and play cards whenever there are any, until four attack cards lie beaten on the table."""
    for deal in count():
        stream = RandomStream((seed, deal))
        state = start(rules, shuffle(PACK, (seed, deal)), leader=seed % 2)
        while legal := legal_actions(state):
            if len(state.table) == 8 and state.phase is Phase.ATTACK and (state.bout == 1) == (seed < 2):
                return state
            with_cards = [action for action in legal if action.cards] or legal
            state = act(state, with_cards[stream.below(len(with_cards))])
    raise AssertionError("there is always another deal")


def positions(name: str, rules: DurakRules) -> Iterator[tuple[str, GameState]]:
    for seed in SEEDS:
        state = start(rules, shuffle(PACK, seed), leader=seed % 2)
        yield f"{name}, deal {seed}", state
        yield f"{name}, deal {seed} after the stock", without_stock(state)
        yield f"{name}, long bout {seed}", in_a_long_bout(rules, seed)


def test_the_counts_are_those_recorded(compare_with_golden: Callable[[str, str], None]) -> None:
    lines = ["How many sequences of 1, 2, 3 ... actions can be played.", ""]
    recorded = (entry for preset in DURAK.presets[:2] for entry in positions(preset.name, preset.rules))
    for name, state in recorded:
        lines += [
            name,
            f"  player 1 {cards_text(state.hands[0])}; player 2 {cards_text(state.hands[1])}; trump {cards_text([state.trump])}",
            f"  player {state.attacker + 1} attacks, table: {cards_text(state.table) or 'empty'}",
            "  " + " ".join(str(compiled_perft(state, depth)) for depth in range(1, DEPTH + 1)),
        ]
    compare_with_golden("durak/perft.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
def test_the_readable_engine_counts_the_same(rules: DurakRules) -> None:
    for name, state in positions("position", rules):
        for depth in range(5):
            assert perft(state, depth) == compiled_perft(state, depth), name
