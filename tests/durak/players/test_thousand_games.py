"""Sample engines play every preset from end to end: nothing is refused, no card is lost, somebody or nobody is the fool."""

import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.observation import observe
from croupier.durak.engine.rules import DURAK
from croupier.durak.players.dummy import variant_dummy_policy
from tests.durak.players.test_variants import dealt

PRESETS = [preset.name for preset in DURAK.presets]


@pytest.mark.parametrize("games", [4, pytest.param(1000, marks=pytest.mark.verify)])
@pytest.mark.parametrize("name", PRESETS)
def test_games_of_sample_engines_end_with_every_card_in_its_place(name: str, games: int) -> None:
    rules = DURAK.preset(name).rules
    fools = draws = 0
    for seed in range(games):
        state = dealt(rules, seed)
        while (seat := state.to_act) is not None:
            state = answer(state, variant_dummy_policy(observe(state, seat)))
        held = [card for hand in state.hands for card in hand]
        table = (*state.table, *state.waiting, *state.thrown_in)
        assert sorted((*held, *table, *state.discarded)) == sorted(rules.cards)
        assert state.deck_count == 0
        points = [state.points(place) for place in range(rules.players)]
        if state.losers:
            fools += 1
            assert [place for place, point in enumerate(points) if point == 0] == list(state.losers)
            assert any(state.hands[place] for place in state.losers)
        else:
            draws += 1
            assert set(points) == {0.5}
    assert fools > draws
