"""The stored learning curves end where the docs say, and the durak network sees in the arena what it saw while it learnt."""

import csv
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import banluck, blackjack, durak
from croupier.durak.engine.observation import observe
from croupier.environments.durak_steps import Steps, observed

EXAMPLES = Path(__file__).parents[2] / "examples"
NETWORK = EXAMPLES / "rl_durak.npz"


def curves(name: str) -> dict[str, list[float]]:
    """Return the values of each stored curve."""
    with (EXAMPLES / "curves" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    found: dict[str, list[float]] = {}
    for curve, _, value in rows:
        found.setdefault(curve, []).append(float(value))
    return found


def test_the_blackjack_learners_ended_within_a_fifth_of_a_percent() -> None:
    stored = curves("blackjack")
    (optimum,) = stored.pop("exact optimum")
    assert optimum == pytest.approx(100 * blackjack.analyse(blackjack.rules("vegas-strip")).chart_edge)
    assert len(stored) == 6  # two learners, three seeds
    assert all(0 <= optimum - values[-1] < 0.2 for values in stored.values())


def test_openspiel_ended_within_a_ten_thousandth() -> None:
    stored = curves("banluck")
    (value,) = stored["our certified value"]
    assert value == pytest.approx(banluck.solve().value, abs=1e-7)
    assert abs(stored["OpenSpiel's CFR+"][-1] - value) < 1e-4


def test_the_network_sees_in_the_arena_what_the_environment_shows() -> None:
    engine: Any = runpy.run_path(str(EXAMPLES / "rl_durak.py"))["NetworkEngine"]
    chance, compared = np.random.default_rng(1), 0
    for seed in range(3):
        steps = Steps.of(durak.Game.deal(seed).state)
        while (seat := steps.turn) is not None:
            seen, shown = observe(steps.state, seat), observed(steps, seat)
            legal = {steps.state.rules.cards[number - 1] for number in steps.legal if number > 0}
            for key, value in engine._observation(seen, legal, list(steps.thrown)).items():
                assert np.array_equal(np.ravel(value), np.ravel(shown[key])), key
                compared += 1
            steps = steps.played(int(chance.choice(steps.legal)))
    assert compared > 500


@pytest.mark.verify
def test_the_stored_network_plays_in_the_arena_through_the_protocol() -> None:
    program = f"{sys.executable} {EXAMPLES / 'rl_durak.py'} --serve --weights {NETWORK}"
    result = durak.match(program, "durak-random", pairs=3, seed=1)
    assert result.score > 0.5
