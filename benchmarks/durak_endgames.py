"""Look for end games that an engine threw away, by a solver that shares no code with the package.

    .venv/bin/python -m benchmarks.durak_endgames LOG [--engine durak-master] [--seconds 2]

A position is looked at once nothing is hidden any more: the stock is empty, or only the open trump is left.
"""

import argparse
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.durak_rivals import build
from croupier.durak.arena.log import stream_log
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_steps import steps
from croupier.durak.engine.state import GameState, Result

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


def _question(state: GameState, seat: int) -> str:
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


def _values(record: GameRecord, solver: Solver) -> Iterator[tuple[int | None, str, tuple[int, int] | None]]:
    """Yield for every open moment who led to it, the question that it asks, and the values of both seats if proven."""
    for step in steps(record):
        state = step.state
        if state.deck_count > 1 or step.is_forfeit:
            continue
        if state.to_act is None:
            first = _result(state, 0)
            yield step.seat, "", (first, -first)
            continue
        question = _question(state, state.to_act)
        value = solver.value(question)
        signed = None if value is None else (value, -value) if state.to_act == 0 else (-value, value)
        yield step.seat, question, signed


def check_log(log: Path, rival: Path, engine: str, seconds: float = 2.0) -> EndgameCheck:
    """Check every open decision of an engine in a log."""
    check = EndgameCheck()
    with Solver(rival, seconds) as solver:
        for number, record in enumerate(stream_log(log), 1):
            if isinstance(record, BrokenGame):
                continue
            check.games += 1
            names = (record.player1_name, record.player2_name)
            moments = list(_values(record, solver))
            check.endgames += bool(moments)
            for (_, question, before), (seat, _, after) in pairwise(moments):
                if seat is None or engine not in names[seat]:
                    continue
                if before is None or after is None:
                    check.decisions["unproven"] += 1
                    continue
                check.decisions["judged"] += 1
                if after[seat] < before[seat]:
                    check.mistakes.append(Mistake(number, question, before[seat], after[seat]))
    return check


def main() -> None:
    """Check a log and print what was found."""
    parser = argparse.ArgumentParser(description="Look for end games that an engine threw away.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--engine", default="durak-master", help="a part of its name (durak-master)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for the proof of a position (2)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(check_log(arguments.log, build(Path(folder)), arguments.engine, arguments.seconds))


if __name__ == "__main__":
    main()
