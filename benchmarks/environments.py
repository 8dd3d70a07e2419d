"""Steps per second of the environments, beside Gymnasium's, RLCard's and OpenSpiel's own blackjack: ``python -m benchmarks.environments``.

RLCard is not a dependency; it is measured where it is installed. Everybody plays at random among the legal actions, and in one process; the
vector environments use all processors. The other libraries' blackjack knows hit and stand only, so the steps alone of ours are measured with
these two.
"""

import importlib
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pyspiel
from numpy.typing import NDArray

import croupier.environments.openspiel  # noqa: F401 - registers the games
from benchmarks.report import Report, argument_parser

SECONDS = 2.0
TABLES = 16_384


class Rate(NamedTuple):
    """Steps per second, and per second of processor time: the second figure holds on a busy machine too."""

    per_second: float
    per_processor_second: float


def rate(work: Callable[[], int], seconds: float) -> Rate:
    """Repeat some work, which says how many steps it did, for some seconds; return the best of five parts."""
    work()
    best = Rate(0.0, 0.0)
    for _ in range(5):
        begin, used, steps = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - begin < seconds / 5:
            steps += work()
        found = Rate(steps / (time.perf_counter() - begin), steps / max(time.process_time() - used, 1e-9))
        best = Rate(*map(max, best, found))
    return best


def vector_rate(name: str, seconds: float) -> Rate:
    """Measure a vector environment together with the choice of legal actions by their mask."""
    env: Any = gymnasium.make_vec(name, TABLES, "vector_entry_point")
    chance = np.random.default_rng(1)
    state: dict[str, Any] = {"info": env.reset(seed=1)[1]}
    scores = chance.random((64, TABLES, env.single_action_space.n), dtype=np.float32)
    place = 0

    def work() -> int:
        nonlocal place
        place = (place + 1) % 64
        actions = np.where(state["info"]["action_mask"], scores[place], 0).argmax(axis=1)
        state["info"] = env.step(actions)[4]
        return TABLES

    found = rate(work, seconds)
    env.close()
    return found


def fixed_rate(name: str, kinds: int, seconds: float) -> Rate:
    """Measure a vector environment with actions drawn ahead from the first few; illegal ones are played as legal ones."""
    env: Any = gymnasium.make_vec(name, TABLES, "vector_entry_point")
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(kinds, size=(64, TABLES))
    place = 0

    def work() -> int:
        nonlocal place
        place = (place + 1) % 64
        env.step(actions[place])
        return TABLES

    found = rate(work, seconds)
    env.close()
    return found


def single_rate(env: Any, seconds: float) -> Rate:
    """Measure an environment of one table, with random legal actions where it tells them."""
    chance = np.random.default_rng(1)
    env.reset(seed=1)
    mask: NDArray[np.int8] | None = None

    def work() -> int:
        nonlocal mask
        legal = range(env.action_space.n) if mask is None else np.flatnonzero(mask)
        _, _, is_over, _, info = env.step(int(legal[chance.integers(len(legal))]))
        if is_over:
            _, info = env.reset()
        mask = info.get("action_mask")
        return 1

    return rate(work, seconds)


def openspiel_rate(name: str, seconds: float) -> Rate:
    """Measure a game of OpenSpiel: decisions of players per second, chance included in their time."""
    game, chance = pyspiel.load_game(name), np.random.default_rng(1)

    def work() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(chance.choice(outcomes, p=shares)))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[chance.integers(len(legal))])
                steps += 1
        return steps

    return rate(work, seconds)


def rlcard_rate(seconds: float) -> Rate:
    """Measure RLCard's blackjack."""
    env = importlib.import_module("rlcard").make("blackjack")
    chance = np.random.default_rng(1)
    held: dict[str, Any] = {"state": env.reset()[0]}

    def work() -> int:
        legal = list(held["state"]["legal_actions"])
        state, _ = env.step(legal[chance.integers(len(legal))])
        held["state"] = env.reset()[0] if env.is_over() else state
        return 1

    return rate(work, seconds)


def _add(report: Report, game: str, what: str, found: Rate, goal: str = "") -> None:
    note = f"{found.per_processor_second:,.0f} per processor second"
    report.add(game, what, found.per_second, "steps/s", goal, note)


def _measure(report: Report, game: str, name: str, kinds: int, goal: str, seconds: float) -> None:
    what = f"make_vec, {TABLES:,} tables"
    _add(report, game, f"{what}: the steps alone", fixed_rate(name, kinds, seconds), goal)
    _add(report, game, f"{what}: legal actions drawn by NumPy too", vector_rate(name, seconds))
    _add(report, game, "make, one table", single_rate(gymnasium.make(name).unwrapped, seconds))
    _add(
        report,
        game,
        f"python_croupier_{game} of OpenSpiel",
        openspiel_rate(f"python_croupier_{game}", seconds),
    )


def main() -> None:
    """Measure everything and print the table."""
    arguments = argument_parser("Measure the environments for agents.", "a quarter of the time").parse_args()
    seconds = SECONDS / 4 if arguments.quick else SECONDS
    report = Report("Environments")
    _measure(report, "blackjack", "croupier/Blackjack-v0", 2, "≥ 1e7", seconds)
    peers = [
        ("Gymnasium's Blackjack-v1", single_rate(gymnasium.make("Blackjack-v1").unwrapped, seconds)),
        ("OpenSpiel's blackjack (C++)", openspiel_rate("blackjack", seconds)),
    ]
    if find_spec("rlcard") is None:
        report.leave_out("RLCard's blackjack", "rlcard is not installed")
    else:
        peers.append(("RLCard's blackjack", rlcard_rate(seconds)))
    for what, found in peers:
        _add(report, "blackjack", f"{what}, hit or stand only", found)
    _measure(report, "durak", "croupier/Durak-v0", 37, "≥ 1e6", seconds)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
