"""The PettingZoo environments pass its own tests, and pay what the engines say."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from croupier.environments import banluck_aec, durak_aec
from croupier.errors import InputError

CASES: list[tuple[Any, dict[str, Any]]] = [
    (durak_aec, {}),
    (durak_aec, {"rules": "perevodnoy"}),
    (banluck_aec, {"players": 1}),
    (banluck_aec, {"players": 3, "rules": "singapore"}),
]


@pytest.mark.filterwarnings(
    "ignore::UserWarning"
)  # observations are dictionaries with masks, of which it warns
@pytest.mark.parametrize(("make", "options"), CASES)
def test_the_api(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=60, verbose_progress=False)


@pytest.mark.parametrize(("make", "options"), [CASES[1], CASES[3]])
def test_the_parallel_form(make: Any, options: dict[str, Any]) -> None:
    """PettingZoo's own converter asks everybody in every step, and plays the action of the agent in turn."""
    parallel_api_test(turn_based_aec_to_parallel(make(**options)), num_cycles=30)


@pytest.mark.parametrize(("make", "options"), [CASES[0], CASES[3]])
def test_the_seeds(make: Any, options: dict[str, Any]) -> None:
    seed_test(lambda: make(**options), num_cycles=12)


@pytest.mark.parametrize(("make", "options"), [CASES[0], CASES[3]])
def test_the_rendering(make: Any, options: dict[str, Any]) -> None:
    render_test(
        lambda **mode: make(**options, **mode), custom_tests={"ansi": lambda text: isinstance(text, str)}
    )


@pytest.mark.parametrize(("make", "options"), CASES)
def test_games_are_zero_sum_and_hide_cards(make: Any, options: dict[str, Any]) -> None:
    env, chance = make(**options), np.random.default_rng(1)
    env.reset(seed=4)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        totals[agent] += reward
        assert env.state_space.contains(env.state())
        if is_over:
            env.step(None)
            continue
        assert not np.any(env.observe(next(a for a in env.agents if a != agent))["action_mask"])
        env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
    assert sum(totals.values()) == pytest.approx(0.0)


def test_bad_options_are_refused() -> None:
    with pytest.raises(InputError, match="8 players; a table seats 1 to 7"):
        banluck_aec(players=8)
