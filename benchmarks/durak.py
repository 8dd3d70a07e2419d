"""Measure durak: kernels, the end-game solver, start-up, the master's strength, games between real processes.

    .venv/bin/python -m benchmarks.durak [--quick] [--pairs N] [--json FILE]

Times depend on the machine; ratios are taken within the run. See ``benchmarks/README.md``.
"""

import os
import random
import shlex
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from benchmarks.durak_games import DUMMY, play_many
from benchmarks.report import Report, argument_parser, best_time, run_child
from croupier.durak.arena.engine_spec import EngineSpec, read_engine
from croupier.durak.arena.entrant import EngineObject
from croupier.durak.arena.log import GameLog, problems, stream_log
from croupier.durak.arena.match import Books, MatchPlan, MatchResult, play_match
from croupier.durak.arena.roster import Roster
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.rules import DurakRules
from croupier.durak.players.base import FunctionEngine
from croupier.durak.players.budget import Budget, Clock
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.endgame import EndgameSolver
from croupier.durak.players.levels import LEVELS
from croupier.durak.players.master import MasterEngine
from croupier.durak.players.play_outs import PlayOuts
from croupier.durak.players.random_player import RandomEngine

_SEED = 2026

#: The speed of the first public implementation, through processes.
_OLD_GAMES_PER_SECOND = 19

#: Games of the readable engine, and end games of each size.
_READABLE_GAMES = 100
_ENDINGS = 40

#: The rounds of each thread that plays a move out: some 0.2 seconds.
_THREAD_ROUNDS = 50_000


def _program(name: str) -> str:
    """Return one of our engines as the first word of a command line."""
    return shlex.quote(str(Path(sys.executable).with_name(name)))


def measure_kernels(report: Report, *, is_quick: bool) -> None:
    """Compare compiled games of the sample engine against itself with games in the readable engine."""
    games = 100_000 if is_quick else 1_000_000
    play_many(DUMMY, DUMMY, games=1000, seed=_SEED, workers=1)
    result = play_many(DUMMY, DUMMY, games=games, seed=_SEED, workers=1)
    group = "sample engine against itself"
    fast = report.add(
        group, "compiled, one core", games / result.seconds, "games/s", "over 20,000", f"{games:,} games"
    )
    slow = report.add(
        group,
        "readable engine",
        _READABLE_GAMES / best_time(_play_readable, 2),
        "games/s",
        "old program: 120",
    )
    report.add(group, "compiled / readable", fast / slow, "×")
    report.add(group, "draws", 100 * result.draw_share, "%", "about 20 %")
    report.add(group, "points of the first to move", 100 * result.first_mover_points, "%", "about 55 %")


def _play_readable() -> None:
    chance = random.Random(_SEED)
    for game in range(_READABLE_GAMES):
        state = start(DurakRules(), chance.sample(PACK, len(PACK)), leader=game % 2)
        while state.to_act is not None:
            state = answer(state, dummy_policy(observe(state, state.to_act)))


def _endings(first: int, second: int) -> list[Observation]:
    """Return random end games with an empty stock, as the attacker sees them."""
    chance, found = random.Random(f"{first} {second}"), []
    for _ in range(_ENDINGS):
        deck = tuple(chance.sample(PACK, len(PACK)))
        hands = (deck[:first], deck[first : first + second])
        state = replace(start(DurakRules(), deck, leader=0), hands=hands, drawn=len(PACK), bout=5)
        found.append(observe(replace(state, discarded=deck[first + second :]), 0))
    return found


def measure_endgame(report: Report, *, is_quick: bool) -> None:
    """Measure the time to solve random end games, each with an empty cache."""
    group = "end game solver, hands of"
    for first, second in ((4, 4), (6, 6), (7, 7), (6, 8)) + (() if is_quick else ((8, 8), (9, 9))):
        times, unsolved = [], 0
        for seen in _endings(first, second):
            solver = EndgameSolver()
            begin = time.perf_counter()
            unsolved += solver.solve(seen, positions=5_000_000) is None
            times.append(time.perf_counter() - begin)
        median = sorted(times)[len(times) // 2]
        note = f"mean {sum(times) / len(times) * 1000:.1f} ms, {unsolved} of {_ENDINGS} not within 5 million positions"
        report.add(group, f"{first} and {second} cards, median", median, "s", note=note)
    hard, allowance = _endings(10, 10)[0], 1_000_000
    seconds = best_time(lambda: EndgameSolver().solve(hard, positions=allowance), 3)
    report.add(group, "positions per second", allowance / seconds, "positions/s")


def measure_log(report: Report, *, is_quick: bool) -> None:
    """Check a large log, made of many copies of some games, compiled and by the readable engine."""
    megabytes = 20 if is_quick else 200
    with tempfile.TemporaryDirectory() as folder:
        base, large = Path(folder) / "base.log", Path(folder) / "large.log"
        with GameLog(base) as log:
            dummy = EngineObject("dummy", FunctionEngine(dummy_policy))
            other = EngineObject("random", RandomEngine(1))
            play_match(dummy, other, MatchPlan(100, seed=_SEED), books=Books(log=log))
        data = base.read_bytes()
        copies = megabytes * 1_000_000 // len(data) + 1
        with large.open("wb") as file:
            for _ in range(copies):
                file.write(data)
        begin = time.perf_counter()
        if any(problems(stream_log(base))):
            raise RuntimeError("a game of the arena does not replay")
        readable = 200 / (time.perf_counter() - begin)
        seconds, memory = run_child([_program("croupier"), "durak", "replay", "--check", str(large)])
        games = 200 * copies
        group = f"a log of {megabytes} MB"
        fast = report.add(
            group,
            "replay --check",
            games / seconds,
            "games/s",
            "at least 5,000",
            f"{games:,} games, {seconds:.1f} s",
        )
        report.add(group, "replay --check, peak memory", memory, "MB", "constant")
        report.add(group, "replay --check / readable engine", fast / readable, "×")


def measure_start(report: Report) -> None:
    """Measure the time from the start of a process to its first ok."""
    for program in ("durak-dummy", "durak-random", "durak-master"):
        spec = read_engine(_program(program))
        seconds = min(_start_time(spec) for _ in range(5))
        report.add("start to the first ok", program, seconds, "s", "well under 1 s")


def _start_time(spec: EngineSpec) -> float:
    with Roster() as roster:
        begin = time.perf_counter()
        roster.start(spec).ask("init 8H", limit=60)
        return time.perf_counter() - begin


def measure_strength(report: Report, pairs: int) -> None:
    """Play the master against the sample engine, as real processes, one game at a time."""
    for milliseconds, goal in ((10, "at least 76 %"), (100, "at least 82 %, aim 90 %")):
        master = read_engine(f"{_program('durak-master')} --time-ms {milliseconds} --seed 1")
        result = play_match(master, read_engine("durak-dummy"), MatchPlan(pairs, seed=_SEED, concurrency=1))
        _add_decided(report, "master against the sample engine", f"{milliseconds} ms per move", result, goal)


def _add_decided(report: Report, group: str, what: str, result: MatchResult, goal: str = "") -> None:
    tally = result.tally
    decided = 100 * tally.wins / max(1, tally.wins + tally.losses)
    note = f"{tally.wins} won, {tally.losses} lost, {tally.draws} drawn, {tally.forfeit_count} forfeited"
    report.add(group, f"{what}, decided games won", decided, "%", goal, note)


def measure_levels(report: Report, pairs: int) -> None:
    """Play each level against the one below it, with as many search rounds as take about 10 ms per move."""
    for weaker, stronger in pairwise(LEVELS):
        names = f"level {stronger.number}", f"level {weaker.number}"
        engines = (MasterEngine(Budget(rounds=2500), level=level) for level in (stronger, weaker))
        entrants = [EngineObject(name, engine) for name, engine in zip(names, engines, strict=True)]
        result = play_match(entrants[0], entrants[1], MatchPlan(pairs, seed=_SEED))
        _add_decided(report, "levels", f"{stronger.number} against {weaker.number}", result, "over 50 %")


def measure_threads(report: Report) -> None:
    """Compare the play-outs a second of the master's first move in one, two, ... threads, up to one for each processor."""
    chance = random.Random(_SEED)
    seen = observe(start(DurakRules(), chance.sample(PACK, len(PACK)), leader=0), 0)
    speeds = []
    for threads in range(1, (os.cpu_count() or 1) + 1):
        play_outs = PlayOuts(threads=threads)

        def compare(play_outs: PlayOuts = play_outs) -> float:
            begin = time.perf_counter()
            found = play_outs.compare(seen, None, Clock(Budget(rounds=_THREAD_ROUNDS)), seed=_SEED)
            return sum(games for games, _ in found.values()) / (time.perf_counter() - begin)

        speeds.append(max(compare() for _ in range(3)))
        report.add("threads", f"{threads} at a time", speeds[-1], "play-outs/s")
    report.add("threads", f"{len(speeds)} against 1", speeds[-1] / speeds[0], "×", "over 1")


def measure_arena(report: Report, *, is_quick: bool) -> None:
    """Measure games per second between two sample engines, with processes kept alive and with new ones."""
    dummy = read_engine("durak-dummy")
    group = f"arena, {os.cpu_count()} games at a time"
    for what, engine, pairs, goal in (
        ("processes kept alive", dummy.staying_alive(), 250, "at least 5 ×"),
        ("a new process per game", dummy, 25, ""),
    ):
        games = play_match(engine, engine, MatchPlan(pairs if is_quick else 4 * pairs, seed=_SEED))
        speed = report.add(group, what, games.games_per_second, "games/s", note=f"{games.games_played} games")
        report.add(group, f"{what} / old program", speed / _OLD_GAMES_PER_SECOND, "×", goal)


def main() -> None:
    """Measure everything and print the report."""
    parser = argument_parser("Measure durak.", "fewer games and repetitions; 10 pairs")
    parser.add_argument(
        "--pairs", type=int, metavar="N", help="pairs of games for each strength (500; 10 with --quick)"
    )
    arguments = parser.parse_args()
    pairs = arguments.pairs or (10 if arguments.quick else 500)
    report = Report("Durak")
    with report.console.status("playing compiled games") as status:
        measure_kernels(report, is_quick=arguments.quick)
        status.update("solving end games")
        measure_endgame(report, is_quick=arguments.quick)
        status.update("checking a log")
        measure_log(report, is_quick=arguments.quick)
        status.update("playing out in several threads")
        measure_threads(report)
        status.update("starting processes")
        measure_start(report)
        status.update("playing through processes")
        measure_arena(report, is_quick=arguments.quick)
        status.update("playing the levels")
        measure_levels(report, min(pairs, 150))
        status.update("playing the master")
        measure_strength(report, pairs)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
