"""The vector environments step like the environments of one table, for the same cards."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from croupier import blackjack, durak
from croupier.blackjack.engine import BLACKJACK, Session
from croupier.blackjack.engine.shoe import BlackjackShoe
from croupier.blackjack.simulation.round_automaton import is_other_game
from croupier.blackjack.simulation.shoe_kernel import STRIDE
from croupier.blackjack.simulation.table_setup import card_byte
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.dealing import start
from croupier.environments import VECTOR_ENVIRONMENTS, BlackjackEnvironment, DurakEnvironment
from croupier.environments.blackjack_kernel import A_BEGIN
from croupier.environments.durak_steps import Steps
from croupier.errors import InputError

#: Options in which the presets do not differ.
OTHER_RULES: list[dict[str, Any]] = [
    {"surrender": "late", "charlie": 5, "decks": 1},
    {"surrender": "early", "soft17": "hit", "split_by": "rank"},
    {"surrender": "early-not-ace", "twenty_one_pays_at_once": True},
    {"surrender": "late", "hole_card": "no-peek", "resplit_aces": True, "hit_split_aces": True},
    {"surrender": "early", "hole_card": "no-peek-original-bet", "double_split_aces": True, "dealer_22_pushes": True},
    {"natural_beats_21": False, "insurance": False, "split_hands": 8, "split_tens": False},
    {"decks": "infinite", "double_after_split": False, "double_soft": False},
]  # fmt: skip
RULES = [
    *(preset.rules for preset in BLACKJACK.presets if not is_other_game(preset.rules)),
    *(blackjack.Rules(**options) for options in OTHER_RULES),
]


def made(name: str, tables: int, **options: Any) -> Any:
    return gymnasium.make_vec(name, tables, "vector_entry_point", **options).unwrapped


def same(one: dict[str, Any], many: dict[str, Any], place: int) -> None:
    for key, value in one.items():
        assert np.array_equal(value, many[key][place]), (key, value, many[key][place])


@pytest.mark.parametrize("preset", ["spanish-21", "free-bet", "super-fun-21"])
def test_tables_side_by_side_refuse_games_that_they_do_not_know(preset: str) -> None:
    with pytest.raises(InputError, match="use the environment of one table"):
        made("croupier/Blackjack-v0", 2, rules=preset)
    env = BlackjackEnvironment(preset)
    env.reset(seed=1)
    assert env.step(0)[1] <= 8.0


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(rules.changes()))
def test_blackjack_tables_are_equal_to_the_environment(rules: Any) -> None:
    tables, rounds = 24, 1 if rules.shuffle == "continuous" else 2
    chance = np.random.default_rng(3)
    many, single = made("croupier/Blackjack-v0", tables, rules=rules, rounds=rounds), []
    many.shoes[:, STRIDE] = 0
    for place in range(tables):
        shoe = BlackjackShoe.shuffled(rules, seed=place)
        size = min(len(shoe.order), many.cards.shape[1])
        many.cards[place, :size] = [card_byte(card) for card in shoe.order[:size]]
        env = BlackjackEnvironment(rules, rounds=rounds)
        env._session = Session(rules, 0, shoe)
        env._deal()
        single.append(env)
    many._play(np.full(tables, A_BEGIN))
    observations, is_over = many._observations(), np.zeros(tables, bool)
    for place, env in enumerate(single):
        same(env._observation(), observations, place)
    while not is_over.all():
        actions = chance.integers(7, size=tables)  # some of them illegal
        observations, rewards, has_ended, _, _ = many.step(actions)
        for place, env in enumerate(single):
            if not is_over[place]:
                seen, reward, is_over[place], _, _ = env.step(int(actions[place]))
                assert (reward, is_over[place]) == (rewards[place], has_ended[place])
                if not is_over[place]:
                    same(seen, observations, place)


@pytest.mark.parametrize("rules", ["protocol", "table"])
def test_games_of_durak_are_equal_to_the_environment(rules: str) -> None:
    games = 8
    chosen, chance = durak.rules(rules), np.random.default_rng(3)
    deals = [deal_of_pair(1, pair, chosen) for pair in range(games)]
    many = made("croupier/Durak-v0", games, rules=rules)
    observations, _ = many.start(
        [d.deck for d in deals], [d.leader for d in deals], [n % 2 for n in range(games)]
    )
    single, is_over = [], np.zeros(games, bool)
    for place, deal in enumerate(deals):
        env = DurakEnvironment(rules, seat=place % 2)
        env._steps, env._has_ended = Steps.of(start(chosen, deal.deck, deal.leader)), False
        env._opponents.sit_down(env.state, env.seat, 0)
        env._let_others_play()
        same(env._observation(), observations, place)
        single.append(env)
    while not is_over.all():
        actions = chance.integers(37, size=games)
        legal = [chance.choice(np.flatnonzero(mask)) for mask in many.masks]
        actions = np.where(chance.random(games) < 0.9, legal, actions)  # now and then an illegal one
        observations, rewards, has_ended, _, _ = many.step(actions)
        for place, env in enumerate(single):
            if not is_over[place]:
                seen, reward, is_over[place], _, _ = env.step(int(actions[place]))
                assert (reward, is_over[place]) == (rewards[place], has_ended[place])
                if not is_over[place]:
                    same(seen, observations, place)


@pytest.mark.parametrize("name", VECTOR_ENVIRONMENTS)
def test_a_seed_gives_the_same_steps_with_any_number_of_threads(name: str) -> None:
    told = []
    for threads in (1, 2):
        many = made(name, 600, threads=threads)
        observations, info = many.reset(seed=5)
        assert many.observation_space.contains(observations)
        for _ in range(4):
            observations, rewards, has_ended, _, info = many.step(info["action_mask"].argmax(axis=1))
        told.append(str((observations, rewards, has_ended, info)))
        many.close()
    assert told[0] == told[1]


def test_self_play_shows_whoever_is_in_turn() -> None:
    many = made("croupier/Durak-v0", 50, opponent="self")
    _, info = many.reset(seed=2)
    seats, rewards = {*info["seat"]}, []
    for _ in range(120):
        _, reward, has_ended, _, info = many.step(info["action_mask"].argmax(axis=1))
        seats |= {*info["seat"]}
        rewards += reward[has_ended].tolist()
    assert seats == {0, 1}
    assert {*rewards} <= {-1.0, 0.0, 1.0}
    assert len(rewards) > 20


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("croupier/Blackjack-v0", {"threads": 0}, "threads = 0"),
        ("croupier/Durak-v0", {"rules": "quick"}, "only games of two with 36 cards"),
        ("croupier/Durak-v0", {"opponent": "durak-master 5"}, "compiled are durak-dummy"),
        ("croupier/Durak-v0", {"seat": 3}, "seats are 0 and 1"),
    ],
)
def test_bad_options_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(name, 4, **options)


def test_bad_actions_are_refused() -> None:
    many = made("croupier/Blackjack-v0", 4)
    many.reset(seed=1)
    with pytest.raises(InputError, match="one for each of 4 tables"):
        many.step(np.zeros(3, np.int64))
    with pytest.raises(InputError, match="actions are numbered from 0"):
        many.step(np.full(4, -1))
