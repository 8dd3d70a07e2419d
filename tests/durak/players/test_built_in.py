import random
from dataclasses import replace

import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.players.built_in import BUILT_IN, built_in_player
from croupier.durak.players.dummy import dummy_policy


def game_between(first: str, second: str, seed: int, rules: DurakRules | None = None) -> list[GameState]:
    """Play a game; return every position of it."""
    players = (built_in_player(first), built_in_player(second))
    deck = random.Random(seed).sample(PACK, len(PACK))
    positions = [start(rules or DurakRules(), deck, leader=0)]
    while (seat := positions[-1].to_act) is not None:
        positions.append(answer(positions[-1], players[seat].answer(positions[-1], seed)))
    return positions


@pytest.mark.parametrize("player", [player.name for player in BUILT_IN])
def test_every_built_in_engine_plays_games_to_their_end(player: str) -> None:
    rules = DurakRules(six_card_cap=True, five_card_first_bout=True)
    assert game_between(player, "durak-dummy", seed=1, rules=rules)[-1].is_over


def test_an_answer_depends_on_the_position_and_the_seed_alone() -> None:
    for name in ("durak-master 4", "durak-random"):
        player = built_in_player(name)
        positions = game_between(name, "durak-dummy", seed=2)
        asked = [position for position in positions[:30] if position.to_act == 0]
        once = [player.answer(position, seed=2) for position in asked]
        assert [player.answer(position, seed=2) for position in reversed(asked)] == once[::-1]
    different = [built_in_player("durak-random").answer(asked[0], seed) for seed in range(30)]
    assert len(set(different)) > 1


def test_no_card_that_the_own_seat_cannot_see_plays_a_part() -> None:
    chance = random.Random(5)
    for name in ("durak-master 4", "durak-random", "durak-dummy"):
        player = built_in_player(name)
        for position in game_between(name, "durak-dummy", seed=3)[:20]:
            if position.to_act != 0:
                continue
            hidden = list(observe(position, 0).unseen)
            mixed = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
            deck, first, second = (
                tuple(mixed.get(card, card) for card in cards) for cards in (position.deck, *position.hands)
            )
            other = replace(position, deck=deck, hands=(first, second))
            assert player.answer(other, seed=3) == player.answer(position, seed=3)


def test_the_lowest_level_plays_as_the_sample_engine() -> None:
    for position in game_between("durak-master 1", "durak-random", seed=4)[:-1]:
        if position.to_act == 0:
            assert built_in_player("durak-master 1").answer(position, 4) == dummy_policy(observe(position, 0))


def test_nobody_answers_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="the game is over"):
        built_in_player("durak-dummy").answer(game_between("durak-dummy", "durak-dummy", 1)[-1], seed=1)
