import random

import pytest

from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.play.answers import verify_answer
from croupier.durak.play.refusal import DurakRefusal
from croupier.operations import is_allowed
from tests.durak.rule_sets import COMPILED_RULE_SET_NAMES, COMPILED_RULE_SETS


def can_answer(seen: Observation, cards: tuple[int, ...]) -> bool:
    return is_allowed(lambda: verify_answer(seen, cards))


def is_accepted(state: GameState, cards: tuple[int, ...]) -> bool:
    try:
        answer(state, cards)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("rules", COMPILED_RULE_SETS, ids=COMPILED_RULE_SET_NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_what_a_player_may_answer_is_what_the_engine_allows(rules: DurakRules, seed: int) -> None:
    chance = random.Random(seed)
    state = start(rules, chance.sample(PACK, len(PACK)), leader=0)
    while state.to_act is not None:
        seen = observe(state, state.to_act)
        for card in PACK:
            allowed = is_accepted(state, (card,))
            assert can_answer(seen, (card,)) == allowed
            assert (card in seen.playable) == allowed
        assert seen.can_pass == can_answer(seen, ()) == is_accepted(state, ())
        if seen.phase is Phase.THROW_IN:
            assert seen.throw_in_limit == state.throw_in_limit
            for count in range(2, len(seen.playable) + 1):
                assert can_answer(seen, seen.playable[:count]) == is_accepted(state, seen.playable[:count])
        # Cards rather than passes, mostly: only long bouts come near a cap.
        legal = legal_actions(state)
        with_cards = [action for action in legal if action.cards]
        state = act(state, chance.choice(with_cards if with_cards and chance.random() < 0.9 else legal))


def test_a_refusal_says_what_would_be_right() -> None:
    state = start(DurakRules(), PACK, leader=0)
    seen = observe(state, 0)
    with pytest.raises(DurakRefusal, match="play a card first"):
        verify_answer(seen, ())
    with pytest.raises(DurakRefusal, match="You do not hold A♠"):
        verify_answer(seen, (PACK[-1],))
    with pytest.raises(DurakRefusal, match="2 cards; play one"):
        verify_answer(seen, PACK[:2])
