"""What is read off between two turns, against what truly happened."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.evidence import EnemyChoice, Evidence
from croupier.durak.players.review import evidence_of
from tests.durak.rule_sets import COMPILED_RULE_SETS

RULES = st.sampled_from(COMPILED_RULE_SETS)


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), seat=st.integers(0, 1), rules=RULES)
def test_every_choice_of_the_other_player_is_read_off_as_it_was_made(
    seed: int, seat: int, rules: DurakRules
) -> None:
    chance = random.Random(seed)
    state = start(rules, chance.sample(PACK, len(PACK)), leader=chance.randrange(2))
    evidence = Evidence()
    truth: list[tuple[Observation, set[int]]] = []
    while not state.is_over:
        action = chance.choice(legal_actions(state))
        if state.to_act == seat:
            seen = observe(state, seat)
            evidence.see(seen)
            check(evidence.choices, truth)
            evidence.play(seen, action.cards)
        else:
            truth.append((observe(state, 1 - seat), set(action.cards)))
        state = act(state, action)


def check(choices: list[EnemyChoice], truth: list[tuple[Observation, set[int]]]) -> None:
    assert len(choices) == len(truth)
    for choice, (view, answer) in zip(choices, truth, strict=True):
        hand, public = set(view.hand), choice.public
        assert (choice.phase, choice.table, set(choice.answer)) == (view.phase, view.table, answer)
        assert choice.held <= hand
        assert not (choice.shown - choice.held) & hand
        assert choice.drawn - len(choice.shown) + len(choice.held) == len(hand)
        assert (public.discarded, public.deck_count) == (view.discarded, view.deck_count)
        assert public.own_count == view.enemy_count
        assert public.known == set(view.known_enemy) - (
            set() if view.deck_count else {view.trump} - public.known
        )


def test_evidence_of_a_stored_game_is_that_of_a_game_followed_move_by_move() -> None:
    chance = random.Random(5)
    state = start(DurakRules(), chance.sample(PACK, len(PACK)), leader=0)
    followed = Evidence()
    for _ in range(25):
        if state.to_act == 0:
            seen = observe(state, 0)
            followed.see(seen)
            action = chance.choice(legal_actions(state))
            followed.play(seen, action.cards)
        else:
            action = chance.choice(legal_actions(state))
        state = act(state, action)
    while state.to_act != 0:
        state = act(state, legal_actions(state)[0])
    followed.see(observe(state, 0))
    assert evidence_of(state, seat=0).choices == followed.choices
