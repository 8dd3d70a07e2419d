"""What more rounds of ``durak-master``'s search gain, by the judgement of a longer search.

    .venv/bin/python -m benchmarks.durak_convergence LOG... [--engine durak-master] [--positions 200]

Matches need thousands of games to tell 10 Elo from 0. Here the search chooses in the same position with a small, a middle and a large
number of rounds. Where the choices differ, two long searches with other seeds say what each of them is worth. The mean difference of a
decision, times the decisions of a game, is the gain in points that more rounds can bring as long as the search itself stays the same.
Positions come from the log, from before the last card but one is drawn.
"""

import argparse
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from rich.progress import track

from croupier.durak.arena.log import stream_log
from croupier.durak.engine.observation import observe
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_steps import steps
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator
from croupier.durak.players.master import only_answer
from croupier.durak.players.review import evidence_of

#: About what 10, 100 and 1000 ms bring on one core.
_ROUNDS = (2_500, 25_000, 250_000)

_JUDGE_ROUNDS = 400_000
_JUDGE_EXPLORATION = 1.0
_JUDGE_SEEDS = (1, 2)

#: A point more in a game of two equal players, in Elo: the slope of the curve at 50 %.
_ELO_A_POINT = 1600 / math.log(10)

Move = frozenset[int]


class Decisions(NamedTuple):
    """The choices that an engine had in some games before the stock ran out, each as the position in which it had to choose."""

    positions: list[GameState]
    games: int


@dataclass
class Gain:
    """What the larger of two numbers of rounds gains at each decision, in points."""

    fewer: int
    more: int
    gains: list[float] = field(default_factory=list)

    def described(self, decisions_a_game: float) -> str:
        """Return one line: the gain of a decision and of a game, one standard error each."""
        mean, error = fmean(self.gains), stdev(self.gains) / math.sqrt(len(self.gains))
        elo = _ELO_A_POINT * decisions_a_game
        return (
            f"{self.more:,} rounds instead of {self.fewer:,}: {1000 * mean:.2f} ± {1000 * error:.2f} points in 1000 decisions, "
            f"{elo * mean:+.0f} ± {elo * error:.0f} Elo"
        )


def decisions(logs: Iterable[Path], engine: str) -> Decisions:
    """Collect the decisions of an engine in some logs."""
    positions = []
    games = 0
    for record in chain.from_iterable(map(stream_log, logs)):
        if isinstance(record, BrokenGame):
            continue
        games += 1
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


def _chosen(state: GameState, seed: int) -> list[Move]:
    """Return the choice of each number of rounds."""
    assert state.to_act is not None
    seen, evidence, evaluator = observe(state, state.to_act), evidence_of(state, state.to_act), Evaluator()
    return [frozenset(evaluator.best_move(seen, evidence, Budget(rounds=rounds), seed)) for rounds in _ROUNDS]


def _judged(state: GameState, seed: int) -> dict[Move, float]:
    """Return what each move is worth by two long searches."""
    assert state.to_act is not None
    seen, evidence = observe(state, state.to_act), evidence_of(state, state.to_act)
    judge = Evaluator(exploration=_JUDGE_EXPLORATION)
    judged = [
        {
            frozenset(value.cards): value.expected_score
            for value in judge.evaluate(seen, evidence, Budget(rounds=_JUDGE_ROUNDS), seed + own)
        }
        for own in _JUDGE_SEEDS
    ]
    return {move: fmean(scores[move] for scores in judged) for move in judged[0]}


def gains(positions: Sequence[GameState], seed: int) -> list[Gain]:
    """Measure what each number of rounds gains over the one before."""
    pairs = [Gain(fewer, more) for fewer, more in pairwise(_ROUNDS)]
    for number, state in enumerate(track(positions, "positions")):
        own_seed = seed + (1 + len(_JUDGE_SEEDS)) * number
        moves = _chosen(state, own_seed)
        worth = _judged(state, own_seed) if len(set(moves)) > 1 else dict.fromkeys(moves, 0.0)
        for pair, (fewer, more) in zip(pairs, pairwise(moves), strict=True):
            pair.gains.append(worth[more] - worth[fewer])
    return pairs


def main() -> None:
    """Measure on a sample of the decisions of some logs."""
    parser = argparse.ArgumentParser(
        description="What more rounds gain, by the judgement of a longer search."
    )
    parser.add_argument("logs", type=Path, nargs="+", metavar="LOG")
    parser.add_argument("--engine", default="durak-master", help="a part of its name (durak-master)")
    parser.add_argument("--positions", type=int, default=200, help="how many to look at (200)")
    parser.add_argument("--seed", type=int, default=2026, help="of the sample and of the searches (2026)")
    arguments = parser.parse_args()
    found = decisions(arguments.logs, arguments.engine)
    sample = random.Random(arguments.seed).sample(found.positions, arguments.positions)
    print(f"{found.games} games with {len(found.positions)} decisions before the stock ran out")
    for gain in gains(sample, arguments.seed):
        print(gain.described(len(found.positions) / found.games))


if __name__ == "__main__":
    main()
