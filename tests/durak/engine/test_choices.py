import random

import pytest

from croupier.durak.engine.actions import act, answer, legal_actions
from croupier.durak.engine.choices import can_answer, can_pass, playable, verify_answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove


def is_accepted(state: GameState, cards: tuple[int, ...]) -> bool:
    try:
        answer(state, cards)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_what_a_player_may_answer_is_what_the_engine_allows(seed: int) -> None:
    chance = random.Random(seed)
    state = start(DurakRules(six_card_cap=seed % 2 == 0), chance.sample(PACK, len(PACK)), leader=0)
    while state.to_act is not None:
        seen = observe(state, state.to_act)
        for card in PACK:
            allowed = is_accepted(state, (card,))
            assert can_answer(seen, (card,)) == allowed
            if seen.phase is not Phase.THROW_IN or seen.throw_in_limit:
                assert (card in playable(seen)) == allowed
        assert can_pass(seen) == can_answer(seen, ()) == is_accepted(state, ())
        state = act(state, chance.choice(legal_actions(state)))


def test_a_refusal_says_what_would_be_right() -> None:
    state = start(DurakRules(), PACK, leader=0)
    seen = observe(state, 0)
    with pytest.raises(IllegalMove, match="play a card first"):
        verify_answer(seen, ())
    with pytest.raises(IllegalMove, match="You do not hold A♠"):
        verify_answer(seen, (PACK[-1],))
    with pytest.raises(IllegalMove, match="2 cards; play one"):
        verify_answer(seen, PACK[:2])
