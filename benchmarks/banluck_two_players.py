"""Measure Banluck with two players: solving, memory, dealing.

    .venv/bin/python -m benchmarks.banluck_two_players [--quick] [--json FILE]

Times depend on the machine; ratios are taken within the run. See ``benchmarks/README.md``.
"""

import json
import subprocess
import sys
import time

import numpy as np

from benchmarks.report import Report, argument_parser, best_time
from croupier.banluck.analysis.solving import solve, solve_table
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.solvers.hand_table import deals
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.strategy import SeatPlay
from croupier.banluck.solvers.table.two_seats import TwoSeatGame

SEED = 2024

#: Solves one table in a process of its own, and prints what it took.
SOLVE = """
import json, resource, sys, time
from croupier.banluck.engine import BANLUCK
from croupier.banluck.solvers.table.equilibrium import solve_two_players

solved = solve_two_players(BANLUCK.rules(sys.argv[1]), information=sys.argv[2])
print(json.dumps({
    "seconds": solved.seconds, "cpu": time.process_time(), "rounds": solved.rounds, "mixed": solved.mixed,
    "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10),
    "gain": solved.certificate.largest_gain, "dealer_value": solved.certificate.dealer_value,
}))
"""


def measure_solve(report: Report, name: str, information: str) -> float:
    """Solve a preset in a new process; return what the dealer earns."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, name, information], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    group = f"{name}, {information} information"
    mixed = (
        f"{found['rounds']} strategies tried, {found['mixed']} mixed" if found["mixed"] else "best replies"
    )
    report.add(group, "solve", found["seconds"], "s", "about 60 s", mixed)
    report.add(group, "processor time, start included", found["cpu"], "s")
    report.add(group, "peak memory", found["peak"], "MB")
    report.add(group, "largest gain of anybody", found["gain"], "units", "≤ 1e-6")
    return float(found["dealer_value"])


def measure_sums(report: Report, rules: BanluckRules, repetitions: int) -> None:
    """Measure the sums over a closed hand against the same sums in NumPy, pair by pair."""
    hit = np.round(solve(rules).player.hit)
    table = TwoSeatGame(rules)
    play = SeatPlay(hit, np.repeat(hit[None], COUNTS, axis=0))
    table.seat_sums(play)  # compiles
    ours = best_time(lambda: table.seat_sums(play), repetitions)
    changed = hit.copy()
    changed[np.flatnonzero(table.seats.acts & ~table.seats.must_hit)[::40]] = 0.5
    base = table.seat_sums(play)
    near = best_time(lambda: table.seat_sums(SeatPlay(changed, play.second), base), repetitions)
    listed = table.lists[-1]
    pairs = np.argwhere(listed.sum_of >= 0)
    sample = pairs[:: len(pairs) // 200]
    seconds = best_time(lambda: _pair_by_pair(table, sample), repetitions) / len(sample)
    total = seconds * sum(int((sums.sum_of >= 0).sum()) for sums in (*table.lists, table.busts))
    group = "sums over closed hands, reference"
    report.add(group, "all of one way to play", ours, "s")
    report.add(group, "after a few decisions have changed", near, "s")
    report.add(group, "baseline: NumPy, pair by pair", total, "s", "", f"estimated from {len(sample)} pairs")
    report.add(group, "baseline / ours", total / ours, "×")


def _pair_by_pair(table: TwoSeatGame, pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> float:
    """Sum over all closed hands for some pairs of a known hand and a dealer's hand, without sharing anything between them."""
    falling = np.array(
        [[np.prod(np.arange(have, have - take, -1.0)) for take in range(6)] for have in range(17)]
    )
    closed = deals().counts[table.seats.final]
    masses = table.seats.masses(np.full(len(deals().counts), 0.5))[table.seats.final]
    known = table.lists[-1].known
    total = 0.0
    for row, column in pairs:
        left = table.pack - deals().counts[known[row]] - deals().counts[table.dealer.hands[column]]
        total += float(masses @ np.prod(falling[left, closed], axis=1))
    return total


def measure_simulator(report: Report, rules: BanluckRules, hands: int) -> None:
    """Deal hands of a solved table; compare what comes out with what was solved."""
    solution = solve_table(rules, 2)
    group = f"simulator, reference, {hands:,} deals"
    alone = simulate_table(solution.strategy, rules, hands=hands // 4, seed=SEED, workers=1)
    report.add(group, "1 worker", 2 * alone.hands / alone.seconds, "player hands/s")
    started = time.perf_counter()
    result = simulate_table(solution.strategy, rules, hands=hands, seed=SEED, workers=2)
    speed = 2 * hands / (time.perf_counter() - started)
    report.add(group, "2 workers", speed, "player hands/s", "over 10 million")
    solved = (*solution.values, solution.dealer_value)
    found = (*result.values, result.dealer_value)
    errors = (*result.stderrs, result.dealer_stderr)
    off = max(abs(a - b) / error for a, b, error in zip(solved, found, errors, strict=True))
    report.add(group, "off the exact values", off, "standard errors", "under 4", f"seed {SEED}")


def main() -> None:
    """Measure everything and print the report."""
    arguments = argument_parser(__doc__, "solve reference only, and deal less").parse_args()
    is_quick = arguments.quick
    report = Report("Banluck with two players")
    names = ["reference"] if is_quick else [preset.name for preset in BANLUCK.presets]
    reference = BANLUCK.rules("reference")
    with report.console.status("measuring sums") as status:
        measure_sums(report, reference, 2 if is_quick else 5)
        for name in names:
            status.update(f"solving {name}")
            full = measure_solve(report, name, "full")
            forgets = measure_solve(report, name, "counts")
            report.add(f"{name}, counts information", "dealer earns less by", full - forgets, "units")
        status.update("dealing")
        measure_simulator(report, reference, 4_000_000 if is_quick else 500_000_000)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
