"""Look for end games that an engine threw away, by a solver that shares no code with the package.

    .venv/bin/python -m benchmarks.durak_endgames LOG... [--engine durak-master] [--seconds 2]

A position is looked at once nothing is hidden any more: the stock is empty, or only the open trump is left. The last position of a game comes
first: what the solver has learnt from it helps with those before it. After some positions in a row that cannot be proven in time, those before
them count as not proven either: they hold as many cards or more.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.durak_rivals import build
from croupier.durak.arena.log import stream_log
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_steps import Step, steps
from croupier.durak.engine.state import GameState, Result

#: So many positions in a row that cannot be proven end the look at a game.
_HOPELESS = 3

_QUESTIONS = {Phase.ATTACK: "move", Phase.DEFEND: "respond", Phase.THROW_IN: "give_more"}
_WORDS = {1: "won", 0: "drawn", -1: "lost"}


class Mistake(NamedTuple):
    """A move that gave something away: the game's number in the log, the question, the values before and after."""

    game: int
    question: str
    before: int
    after: int

    def __str__(self) -> str:
        return f"game {self.game}: {_WORDS[self.before]}, then {_WORDS[self.after]}: {self.question}"


@dataclass
class EndgameCheck:
    """What the check has found."""

    games: int = 0
    endgames: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    def __str__(self) -> str:
        judged, unproven = self.decisions["judged"], self.decisions["unproven"]
        lines = [
            f"{self.games} games, {self.endgames} with open end games",
            f"{judged} decisions judged, {unproven} not proven in time, {len(self.mistakes)} gave something away",
            *(f"  {mistake}" for mistake in self.mistakes),
        ]
        return "\n".join(lines)


class Solver:
    """The solver as a process; values are from the side of the player in turn."""

    def __init__(self, rival: Path, seconds: float) -> None:
        self._process = subprocess.Popen(
            [rival, "solve", "--time-ms", str(1000 * seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def value(self, question: str) -> int | None:
        """Return 1, 0 or -1; None where the time did not suffice."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(question, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().strip()
        return None if answer == "?" else int(answer)


def question_of(state: GameState, seat: int) -> str:
    """Write a position as the solver reads it."""
    seen, other = observe(state, seat), observe(state, 1 - seat)
    return " ## ".join(
        (
            f"{_QUESTIONS[seen.phase]} {cards_text(seen.hand)}",
            cards_text(other.hand),
            cards_text(seen.table),
            cards_text((seen.trump,)),
            str(seen.deck_count),
        )
    )


def _result(state: GameState, seat: int) -> int:
    if state.result is Result.DRAW:
        return 0
    return 1 if (state.result is Result.FIRST) == (seat == 0) else -1


class _Moment(NamedTuple):
    """An open position of a game: who led to it, the question that it asks, and the values of both seats if proven."""

    seat: int | None
    question: str
    values: tuple[int, int] | None


def _moment(step: Step, solver: Solver | None) -> _Moment:
    state = step.state
    if state.to_act is None:
        first = _result(state, 0)
        return _Moment(step.seat, "", (first, -first))
    question = question_of(state, state.to_act)
    value = None if solver is None else solver.value(question)
    if value is None:
        return _Moment(step.seat, question, None)
    return _Moment(step.seat, question, (value, -value) if state.to_act == 0 else (-value, value))


def _moments(record: GameRecord, solver: Solver) -> list[_Moment]:
    """Return the open positions of a game in their order."""
    open_steps = [step for step in steps(record) if step.state.deck_count <= 1 and not step.is_forfeit]
    moments, unproven = list[_Moment](), 0
    for step in reversed(open_steps):
        moments.append(_moment(step, solver if unproven < _HOPELESS else None))
        unproven = unproven + 1 if moments[-1].values is None else 0
    return moments[::-1]


def check_logs(
    logs: Iterable[Path],
    rival: Path,
    engine: str,
    seconds: float = 2.0,
    progress: Callable[[EndgameCheck], None] | None = None,
) -> EndgameCheck:
    """Check every open decision of an engine in some logs; games are numbered across them."""
    check = EndgameCheck()
    with Solver(rival, seconds) as solver:
        for record in chain.from_iterable(map(stream_log, logs)):
            check.games += 1
            if isinstance(record, BrokenGame):
                continue
            names = (record.player1_name, record.player2_name)
            moments = _moments(record, solver)
            check.endgames += bool(moments)
            for before, after in pairwise(moments):
                seat = after.seat
                if seat is None or engine not in names[seat]:
                    continue
                if before.values is None or after.values is None:
                    check.decisions["unproven"] += 1
                    continue
                check.decisions["judged"] += 1
                if after.values[seat] < before.values[seat]:
                    mistake = Mistake(check.games, before.question, before.values[seat], after.values[seat])
                    check.mistakes.append(mistake)
            if progress is not None:
                progress(check)
    return check


def _show(check: EndgameCheck) -> None:
    if check.games % 50 == 0:
        print(f"{check.games} games, {len(check.mistakes)} mistakes", file=sys.stderr)


def main() -> None:
    """Check logs and print what was found."""
    parser = argparse.ArgumentParser(description="Look for end games that an engine threw away.")
    parser.add_argument("logs", type=Path, nargs="+", metavar="LOG")
    parser.add_argument("--engine", default="durak-master", help="a part of its name (durak-master)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for the proof of a position (2)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(check_logs(arguments.logs, build(Path(folder)), arguments.engine, arguments.seconds, _show))


if __name__ == "__main__":
    main()
