"""Durak as an environment: any opponent, cards thrown in one by one, the truth where every card is known."""

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from croupier import durak
from croupier.durak.engine.actions import legal_actions, reply_of
from croupier.durak.engine.observation import PassOn
from croupier.durak.engine.phases import Phase
from croupier.durak.players.dummy import dummy_policy
from croupier.environments import DurakEnvironment
from croupier.environments.durak_steps import PASS, Steps, perfect_state
from croupier.errors import InputError

RULES = ("protocol", "table", "proezdnoy", "para-na-paru", "japanese", "jokers")


def positions(rules: str, seed: int) -> Iterator[Steps]:
    """Play a game at random, one card a step, and show every position."""
    chance = np.random.default_rng(seed)
    steps = Steps.of(durak.Game.deal(seed, durak.rules(rules)).state)
    yield steps
    while steps.turn is not None:
        steps = steps.played(int(chance.choice(steps.legal)))
        yield steps


def replies_by_steps(steps: Steps) -> set[Any]:
    """Return every whole answer that single cards lead to."""
    if steps.state.phase is not Phase.THROW_IN:
        return {
            reply_of(steps.played(number).state.history[len(steps.state.history)]) for number in steps.legal
        }
    limit = steps.state.throw_in_limit
    cards = [steps.state.rules.cards[number - 1] for number in steps.legal if number != PASS]
    return {chosen for size in range(limit + 1) for chosen in combinations(cards, size)}


@pytest.mark.parametrize("rules", RULES)
def test_steps_of_one_card_allow_what_the_engine_allows(rules: str) -> None:
    for steps in positions(rules, seed=5):
        if steps.turn is not None and not steps.thrown:
            assert replies_by_steps(steps) == {reply_of(action) for action in legal_actions(steps.state)}
        assert perfect_state(steps).sum() == steps.state.rules.pack
        assert perfect_state(steps).max() == 1
        assert sum(steps.rewards) == pytest.approx(0.0)


def test_a_refused_action_changes_nothing() -> None:
    steps = next(positions("protocol", 1))
    with pytest.raises(InputError, match="action 0 is not legal now"):
        steps.played(PASS)


def rewards_against(opponent: Any, games: int = 2) -> list[float]:
    env = DurakEnvironment(opponent=opponent, seat=0)
    rewards = []
    for seed in range(games):
        observation, _ = env.reset(seed=seed)
        is_over = False
        while not is_over:
            last = int(np.flatnonzero(observation["action_mask"])[-1])
            observation, reward, is_over, _, info = env.step(last)
            assert not info["was_illegal"]
        rewards.append(reward)
    env.close()
    return rewards


def test_an_opponent_plays_the_same_as_a_name_a_function_and_a_program() -> None:
    by_name = rewards_against("durak-dummy")
    assert rewards_against(dummy_policy) == by_name
    assert rewards_against(f"{sys.executable} -m croupier.durak.players.dummy") == by_name


def test_an_opponent_that_breaks_the_rules_is_named() -> None:
    def stubborn(seen: durak.Observation) -> tuple[int, ...]:
        return ()

    env = DurakEnvironment(opponent=stubborn, seat=0)
    with pytest.raises(InputError, match="opponent stubborn: answered ''"):
        env.reset(seed=2)  # the opponent leads


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat 2: seats are 0 to 1"),
        ({"rules": "quick", "with_truth": True}, "only games of two with 36 cards"),
        ({"rules": "perevodnoy", "opponent": ["durak-dummy"]}, "1 opponents; the rules want 3"),
        ({"opponent": "no-such-program"}, "no-such-program"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DurakEnvironment(**options)


@pytest.mark.verify
def test_the_truth_of_an_end_game_comes_true_against_best_play() -> None:
    """Both sides play the solver's best moves, so the value of the first solved position is the reward."""
    env = DurakEnvironment(opponent="durak-dummy", seat=0, with_truth=True)
    solved = 0
    for seed in range(2):
        observation, info = env.reset(seed=seed)
        is_over, value = False, -2.0
        while not is_over:
            if "values" in info:
                number = next(
                    number
                    for number in np.flatnonzero(observation["action_mask"])
                    if env._steps.name_of(int(number)) == info["optimal"]
                )
                best = max(info["values"].values())
                assert best >= value  # the opponent may err, the agent does not
                value = best
                solved += 1
            else:
                number = np.flatnonzero(observation["action_mask"])[0]
            observation, reward, is_over, _, info = env.step(number)
            assert info["regret"] == 0.0
        assert reward >= value
    assert solved


def test_pictures_show_own_cards_only() -> None:
    env = DurakEnvironment(render_mode="rgb_array", seat=0)
    pictures = []
    for seed in (1, 2):
        env.reset(seed=seed)
        pictures.append(env.render())
    assert isinstance(pictures[0], np.ndarray)
    assert isinstance(pictures[1], np.ndarray)
    height = pictures[0].shape[0] // 4
    assert pictures[0].shape == pictures[1].shape
    assert (pictures[0][-height:] != pictures[1][-height:]).any()


def test_passing_on_has_numbers_of_its_own() -> None:
    seen: set[type] = set()
    for seed in range(6):
        for steps in positions("proezdnoy", seed):
            if steps.turn is not None and steps.state.phase is Phase.DEFEND:
                names = [steps.name_of(number) for number in steps.legal]
                assert len(set(names)) == len(names)
                if any(name.startswith(("transfer", "show")) for name in names):
                    seen.add(PassOn)
    assert seen == {PassOn}
