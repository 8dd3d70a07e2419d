"""What ``durak-master``'s search loses by ending early, in the judgement of much longer searches.

    .venv/bin/python -m benchmarks.durak_convergence LOG... [--engine durak-master] [--positions 200] [--skip 0]

Matches need thousands of games to tell 10 Elo from 0. Here the search chooses in the same positions with about the rounds of 10, 100 and 1000 ms,
and with more exploration below the root. Where choices differ, long searches with other seeds say what each is worth. They give every
move of the root its share of the rounds: a search that follows its favourite only prices the others too low. The mean loss of a decision, times the
decisions of a game, is what more rounds can bring at most as long as the search itself stays the same. Positions come from logs, from
before the last card but one is drawn.
"""

import argparse
import math
import random
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from croupier.durak.arena.log import stream_log
from croupier.durak.engine.observation import observe
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_steps import steps
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.master import only_answer
from croupier.durak.players.review import evidence_of


class Setting(NamedTuple):
    """A search that chooses: its rounds, and how strongly it explores below the root."""

    rounds: int
    deep_exploration: float

    def __str__(self) -> str:
        return f"{self.rounds:>7,} rounds, exploration {self.deep_exploration:g} below the root"


#: About what 10, 100 and 1000 ms bring on one core.
SETTINGS = tuple(Setting(rounds, deep) for deep in (0.35, 0.7) for rounds in (2_500, 25_000, 250_000))

#: The judges: a root that tries every move, and either exploration below it.
_JUDGE_ROUNDS = 400_000
_JUDGE_EXPLORATION = 2.5  # times 4 with so many rounds
_JUDGES_BELOW = (0.35, 0.7)

#: A point more in a game of two equal players, in Elo: the slope of the curve at 50 %.
_ELO_A_POINT = 1600 / math.log(10)

Move = frozenset[int]


class Decisions(NamedTuple):
    """The choices that an engine had in some games before the stock ran out, each as the position in which it had to choose."""

    positions: list[GameState]
    games: int


def decisions(logs: Iterable[Path], engine: str) -> Decisions:
    """Collect the decisions of an engine in some logs; a game that two of them played counts twice."""
    positions: list[GameState] = []
    games = 0
    for record in chain.from_iterable(map(stream_log, logs)):
        if isinstance(record, BrokenGame):
            continue
        games += sum(engine in name for name in (record.player1_name, record.player2_name))
        positions += _choices(record, engine)
    return Decisions(positions, games)


def _choices(record: GameRecord, engine: str) -> list[GameState]:
    names = (record.player1_name, record.player2_name)
    states = (step.state for step in steps(record))
    return [
        state
        for state in states
        if state.to_act is not None
        and engine in names[state.to_act]
        and state.deck_count > 1
        and only_answer(observe(state, state.to_act)) is None
    ]


def losses(state: GameState, seed: int) -> list[float]:
    """Return what the choice of each setting loses against the best of them all, by the mean of the judges."""
    assert state.to_act is not None
    seen, evidence = observe(state, state.to_act), evidence_of(state, state.to_act)
    moves = [
        frozenset(
            Evaluator(deep_exploration=setting.deep_exploration).best_move(
                seen, evidence, Budget(rounds=setting.rounds), seed
            )
        )
        for setting in SETTINGS
    ]
    if len(set(moves)) == 1:
        return [0.0] * len(moves)
    judged = [
        {
            frozenset(value.cards): value.expected_score
            for value in Evaluator(exploration=_JUDGE_EXPLORATION, deep_exploration=deep).evaluate(
                seen, evidence, Budget(rounds=_JUDGE_ROUNDS), seed + 1 + number
            )
        }
        for number, deep in enumerate(_JUDGES_BELOW)
    ]
    worth = {move: fmean(scores[move] for scores in judged) for move in judged[0]}
    best = max(worth.values())
    return [best - worth[move] for move in moves]


def _mean(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) / math.sqrt(len(values))


def _line(name: str, values: Sequence[float], decisions_a_game: float) -> str:
    mean, error = _mean(values)
    elo = _ELO_A_POINT * decisions_a_game
    return f"{name}: {1000 * mean:+.2f} ± {1000 * error:.2f} points in 1000 decisions, {elo * mean:+.0f} ± {elo * error:.0f} Elo"


def described(found: Sequence[Sequence[float]], decisions_a_game: float) -> list[str]:
    """Return a line for the loss of each setting, and one for what each number of rounds gains with less exploration below the root."""
    lines = [
        _line(f"{setting} loses", [row[number] for row in found], decisions_a_game)
        for number, setting in enumerate(SETTINGS)
    ]
    half = len(SETTINGS) // 2
    for number in range(half):
        gains = [row[number + half] - row[number] for row in found]
        lines.append(
            _line(
                f"{SETTINGS[number].rounds:>7,} rounds, {SETTINGS[number].deep_exploration:g} instead of "
                f"{SETTINGS[number + half].deep_exploration:g} gains",
                gains,
                decisions_a_game,
            )
        )
    return lines


def main() -> None:
    """Measure on a sample of the decisions of some logs; what is known so far is printed from time to time."""
    parser = argparse.ArgumentParser(description="What the search loses by ending early.")
    parser.add_argument("logs", type=Path, nargs="+", metavar="LOG")
    parser.add_argument("--engine", default="durak-master", help="a part of its name (durak-master)")
    parser.add_argument("--positions", type=int, default=200, help="how many to look at (200)")
    parser.add_argument(
        "--skip", type=int, default=0, help="leave out so many of the sample first, to go on with it (0)"
    )
    parser.add_argument("--seed", type=int, default=2026, help="of the sample and of the searches (2026)")
    arguments = parser.parse_args()
    made = decisions(arguments.logs, arguments.engine)
    a_game = len(made.positions) / made.games
    print(f"{made.games} games with {len(made.positions)} decisions before the stock ran out", flush=True)
    sample = random.Random(arguments.seed).sample(made.positions, len(made.positions))
    found: list[list[float]] = []
    for number in range(arguments.skip, min(len(sample), arguments.skip + arguments.positions)):
        found.append(losses(sample[number], arguments.seed + (1 + len(_JUDGES_BELOW)) * number))
        if len(found) % 20 == 0 or len(found) == arguments.positions:
            print(f"{len(found)} positions", *described(found, a_game), sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
