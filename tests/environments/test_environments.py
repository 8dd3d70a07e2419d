"""The environments keep Gymnasium's contract, are fair, and say the truth."""

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import croupier.environments
from croupier import blackjack
from croupier.blackjack.engine import legal_actions
from croupier.environments import (
    ENVIRONMENTS,
    BanluckEnvironment,
    BlackjackEnvironment,
    ChartPolicy,
    evaluate,
    policy_chart,
)
from croupier.environments.banluck import ACTIONS as BANLUCK_ACTIONS
from croupier.environments.blackjack import ACTIONS as BLACKJACK_ACTIONS
from croupier.errors import InputError

#: How each environment is made here, apart from its defaults.
CASES: dict[str, list[dict[str, Any]]] = {
    "croupier/Banluck-v0": [
        {"opponent": "simple"},
        {"opponent": "simple", "side": "dealer", "rules": "singapore"},
    ],
    "croupier/Blackjack-v0": [{}, {"rules": "vegas-strip", "rounds": 3, "count": "ko"}],
    "croupier/BlackjackCounting-v0": [
        {"rules": "vegas-strip", "rounds": 5, "chart": blackjack.Chart.uniform("S")}
    ],
    "croupier/Durak-v0": [{}, {"rules": "perevodnoy", "opponent": "durak-random"}],
}


def made(name: str, **options: Any) -> Any:
    return gymnasium.make(name, **options).unwrapped


@pytest.mark.parametrize(("name", "options"), [(name, options) for name in CASES for options in CASES[name]])
def test_gymnasium_finds_nothing_wrong(name: str, options: dict[str, Any]) -> None:
    check_env(made(name, **options))


def test_every_environment_is_tried() -> None:
    assert CASES.keys() == ENVIRONMENTS.keys()
    assert all(name in gymnasium.registry for name in ENVIRONMENTS)
    croupier.environments.register()  # a second time changes nothing


def episode(env: Any, seed: int) -> list[Any]:
    """Play at random, among legal actions where they are told, and return everything that was seen."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    told = [observation, info]
    is_over = False
    while not is_over:
        mask = info.get("action_mask", np.ones(env.action_space.n, np.int8))
        action = int(chance.choice(np.flatnonzero(mask)))
        observation, reward, is_over, is_cut_off, info = env.step(action)
        told += [action, observation, reward, info]
        assert not is_cut_off
        assert not info.get("was_illegal", False)
        assert env.observation_space.contains(observation)
    return told


@pytest.mark.parametrize("name", CASES)
def test_a_seed_gives_the_same_episode_and_another_one_others(name: str) -> None:
    env = made(name, **CASES[name][0])
    episodes = [[str(episode(env, seed)) for seed in seeds] for seeds in (range(4), range(4), range(4, 8))]
    assert episodes[0] == episodes[1]
    assert episodes[0] != episodes[2]


@pytest.mark.parametrize("name", CASES)
def test_an_episode_that_is_over_takes_no_step(name: str) -> None:
    env = made(name, **CASES[name][0])
    episode(env, 1)
    with pytest.raises(InputError, match="the episode is over"):
        env.step(0)


def test_an_action_that_is_not_legal_is_played_as_the_weakest_one_and_told() -> None:
    env = BlackjackEnvironment("vegas-strip")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        if "split" not in info["legal"] and "stand" in info["legal"] and len(info["legal"]) > 1:
            break
    _, reward, is_over, _, info = env.step(BLACKJACK_ACTIONS.index("split"))
    assert info["was_illegal"]
    assert is_over
    assert reward in (-1.0, 0.0, 1.0)


def test_blackjack_shows_what_is_legal_and_never_the_hole_card() -> None:
    env = BlackjackEnvironment("vegas-strip", render_mode="ansi")
    for seed in range(30):
        env.reset(seed=seed)
        assert env.session.table is not None
        state = env.session.table.state
        if state.is_over:
            continue
        kinds = {action.kind.value for action in legal_actions(state)}
        assert {name for name in BLACKJACK_ACTIONS if name in kinds} == set(env._info()["legal"])
        text = env.render()
        assert isinstance(text, str)
        assert text.count("░░") == 1


def test_pictures_change_with_the_cards_and_hide_closed_ones() -> None:
    env = BanluckEnvironment(opponent="simple", render_mode="rgb_array")
    pictures = []
    for seed in (1, 2):
        env.reset(seed=seed)
        picture = env.render()
        assert isinstance(picture, np.ndarray)
        pictures.append(picture)
    assert pictures[0].shape == pictures[1].shape
    dealer = slice(0, pictures[0].shape[0] // 2)
    assert (pictures[0][dealer] == pictures[1][dealer]).all()  # two backs
    assert (pictures[0] != pictures[1]).any()


def test_the_best_action_has_no_regret_and_the_others_have_some() -> None:
    env = BlackjackEnvironment("vegas-strip", with_truth=True)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        if len(info["legal"]) == 1:
            continue
        ranked = sorted(info["values"].items(), key=lambda entry: -entry[1])
        assert ranked[0][0] == info["optimal"]
        for name, worth in ranked:
            env.reset(seed=seed)
            *_, after = env.step(BLACKJACK_ACTIONS.index(name))
            assert after["regret"] == pytest.approx(ranked[0][1] - worth)


def test_banluck_values_are_those_of_the_solved_game() -> None:
    env = BanluckEnvironment(with_truth=True)
    asked = 0
    for seed in range(20):
        _, info = env.reset(seed=seed)
        if "values" in info:
            asked += 1
            *_, after = env.step(BANLUCK_ACTIONS.index(info["optimal"]))
            assert after["regret"] == 0.0
    assert asked


@pytest.mark.verify
def test_the_best_chart_earns_the_exact_value() -> None:
    """The mean of many episodes: rounds that their deal decides are among them."""
    rules = blackjack.rules("vegas-strip")
    best = blackjack.analyse(rules)
    env, rewards = BlackjackEnvironment(rules), []
    policy = ChartPolicy(best.chart, rules)
    for seed in range(20_000):
        observation, _ = env.reset(seed=seed)
        is_over, total = False, 0.0
        while not is_over:
            observation, reward, is_over, _, _ = env.step(policy(observation))
            total += reward
        rewards.append(total)
    error = np.std(rewards) / len(rewards) ** 0.5
    exact = blackjack.price(rules, best.chart).value
    assert abs(np.mean(rewards) - exact) < 4 * error


def test_counting_sees_the_shoe_before_it_bets() -> None:
    env = made("croupier/BlackjackCounting-v0", **CASES["croupier/BlackjackCounting-v0"][0])
    observations = [env.reset(seed=3)[0]]
    for _ in range(5):
        observations.append(env.step(0)[0])
    for before, after in pairwise(observations):
        assert (after["seen"] >= before["seen"]).all() or after["seen"].sum() == 0
    assert observations[0]["seen"].sum() == 0


def test_an_evaluation_adds_up_what_actions_gave_away() -> None:
    env = BlackjackEnvironment("vegas-strip", with_truth=True)
    best = ChartPolicy(blackjack.analyse(env.rules).chart, env.rules)
    good, timid = (evaluate(env, policy, episodes=25, seed=2) for policy in (best, lambda _seen: 0))
    assert good.gap <= 0.002 < timid.gap
    assert timid.gap_error < timid.return_error
    assert good.mistakes < timid.mistakes
    with pytest.raises(InputError, match="with_truth=True"):
        evaluate(BlackjackEnvironment(), best)
    with pytest.raises(InputError, match="takes 2 or more"):
        evaluate(env, best, episodes=1)


def test_a_policy_is_a_chart_again() -> None:
    rules = blackjack.rules("downtown", surrender="late")
    chart = blackjack.Chart.uniform("H").replace(
        {("16", "T"): "R", ("11", "6"): "D", ("8,8", "9"): "P", ("soft 18", "4"): "DS"}
    )
    found = policy_chart(ChartPolicy(chart, rules), rules)
    cells = [(row, up) for row in ("16", "11", "8,8", "soft 18", "12") for up in "469T"]
    assert [found[cell] for cell in cells] == [chart[cell] for cell in cells]
