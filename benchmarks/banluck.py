"""Measure the Banluck solvers: one command, one report.

    .venv/bin/python -m benchmarks.banluck [--quick] [--json FILE] [--open-spiel-python PYTHON]

Times depend on the machine; ratios are taken within the run. See ``benchmarks/README.md``.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from benchmarks.report import Report, argument_parser, best_time, run_child
from croupier.banluck.analysis.simulator import simulate_strategies
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.hand import evaluate_with_aces
from croupier.banluck.engine.multisets import multiset_index, parse_multiset
from croupier.banluck.solvers import linear_program
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.equilibrium import Equilibrium, equilibrium_of_plans
from croupier.banluck.solvers.hand_table import hand_table
from croupier.banluck.solvers.linear_program import solve_linear_program
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.sequence_game import SequenceGame, sequence_game

REFERENCE = BanluckRules()
SEED = 2024

#: Solves the default rules; run in a new process, so that imports count.
COLD_SOLVE = """
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
solve_equilibrium(BanluckRules(), tolerance=1e-7)
"""

#: For an interpreter with OpenSpiel: its CFR+ in C++, on a game with about as many information sets as ours.
OPEN_SPIEL = """
import json, sys, time
from importlib.metadata import version
import pyspiel

game = pyspiel.load_game("leduc_poker")
solver = pyspiel.CFRPlusSolver(game)
solver.evaluate_and_update_policy()
iterations, started = 0, time.perf_counter()
while time.perf_counter() - started < float(sys.argv[1]):
    solver.evaluate_and_update_policy()
    iterations += 1
seconds = time.perf_counter() - started
sets = len(solver.tabular_average_policy().policy_table())
print(json.dumps({"version": version("open_spiel"), "seconds_per_iteration": seconds / iterations,
                  "iterations": iterations, "information_sets": sets,
                  "nash_conv": pyspiel.nash_conv(game, solver.average_policy())}))
"""


def forget_tables() -> None:
    """Clear all caches except the compiled kernels."""
    sequence_game.cache_clear()
    hand_table.cache_clear()
    evaluate_with_aces.cache_clear()


def build_tables(rules: BanluckRules) -> SequenceGame:
    """Build a game without any cache."""
    forget_tables()
    return sequence_game(rules)


def measure_solvers(report: Report, name: str, rules: BanluckRules, repetitions: int) -> None:
    """Measure solving rules by regret minimisation and by linear programming."""
    game = build_tables(rules)
    nodes = game.player.node_count + game.dealer.node_count
    building = report.add(
        name, "tables", best_time(lambda: build_tables(rules), repetitions), "s", note=f"{nodes} decisions"
    )

    def measure(algorithm: Algorithm, tolerance: float, goal: str) -> tuple[float, Equilibrium]:
        solutions = [
            solve_equilibrium(rules, algorithm=algorithm, tolerance=tolerance) for _ in range(repetitions)
        ]
        best = min(solutions, key=lambda solution: solution.seconds)
        what = f"{algorithm} to {tolerance:.0e}"
        report.add(name, what, best.seconds, "s", goal, f"{best.iterations} iterations")
        return best.seconds, best

    sequence_game(rules)
    plus, _ = measure(Algorithm.CFR_PLUS, 1e-6, "")
    report.add(name, "tables + cfr+ to 1e-06", building + plus, "s", "about 1 s")
    predictive, solved = measure(Algorithm.PCFR_PLUS, 1e-9, "a few s")
    program = solve_linear_program(rules)
    seconds = best_time(lambda: solve_linear_program(rules), repetitions)
    report.add(name, "LP", seconds, "s", note=f"exploitability {program.exploitability:.0e}")
    report.add(name, "LP / cfr+, time", seconds / plus, "×")
    report.add(name, "LP / pcfr+, time", seconds / predictive, "×")
    difference = abs(program.value - solved.value)
    report.add(name, "LP value − pcfr+ value", difference, "units", "≤ 1e-9", f"value {program.value:+.9f}")


def measure_unscaled_program(report: Report, repetitions: int) -> None:
    """Solve the textbook program with HiGHS's defaults, and certify the solution that it calls optimal."""
    game = sequence_game(REFERENCE)
    scaled = solve_linear_program(REFERENCE)
    claimed, solution = solve_unscaled(game)
    group = "peer: LP, unscaled"
    report.add(group, "time", best_time(lambda: solve_unscaled(game), repetitions), "s")
    report.add(group, "claimed − true value", claimed - scaled.value, "units", note='HiGHS says "optimal"')
    report.add(group, "certified exploitability", solution.exploitability, "units")
    report.add(group, "ours, scaled", scaled.exploitability, "units", note="rounding alone")


def solve_unscaled(game: SequenceGame) -> tuple[float, Equilibrium]:
    """Solve the unscaled sequence form; return the value that HiGHS claims, and its certified solution."""
    plans, values = game.player.sequence_count, game.dealer.node_count + 1
    plan_flow, value_flow = linear_program._flow(game.player), linear_program._flow(game.dealer).T
    objective = np.zeros(plans + values)
    objective[plans] = -1.0
    started = time.perf_counter()
    result = linprog(
        objective,
        A_ub=hstack([-linear_program._payoff(game).T, value_flow], format="csr"),
        b_ub=np.zeros(game.dealer.sequence_count),
        A_eq=hstack([plan_flow, csr_array((plan_flow.shape[0], values))], format="csr"),
        b_eq=np.eye(1, plan_flow.shape[0])[0],
        bounds=linear_program._bounds(game.player, values),
        method="highs",
    )
    assert result.status == 0, result.message
    return -float(result.fun), equilibrium_of_plans(
        game.rules,
        Algorithm.LP,
        np.maximum(result.x[:plans], 0.0),
        np.maximum(-result.ineqlin.marginals, 0.0),
        tolerance=1e-7,
        iterations=int(result.nit),
        seconds=time.perf_counter() - started,
    )


def measure_cold_start(report: Report, repetitions: int, is_quick: bool) -> None:
    """Measure what a person waits for: a new process, imports included."""
    group = "cold start"
    python = [sys.executable, "-c", COLD_SOLVE]
    run_child(python)
    runs = [run_child(python) for _ in range(repetitions)]
    report.add(group, "import + solve to 1e-07", min(seconds for seconds, _ in runs), "s", "under 5 s")
    report.add(group, "its peak memory", max(memory for _, memory in runs), "MB", "under 500 MB")
    command = [str(Path(sys.executable).with_name("croupier")), "banluck", "solve", "--json"]
    if not Path(command[0]).exists():
        report.leave_out("croupier banluck solve", f"no command '{command[0]}'; install the package")
    elif subprocess.run([*command, "--help"], capture_output=True, check=False).returncode != 0:
        report.leave_out("croupier banluck solve", "this version of the command line has no 'banluck solve'")
    else:
        run_child(command)
        runs = [run_child(command) for _ in range(repetitions)]
        report.add(group, "banluck solve --json", min(seconds for seconds, _ in runs), "s", "under 5 s")
        report.add(group, "its peak memory", max(memory for _, memory in runs), "MB", "under 500 MB")
    if is_quick:
        report.leave_out("a run without the Numba cache", "--quick")
    else:
        with tempfile.TemporaryDirectory() as folder:
            seconds, _ = run_child(python, NUMBA_CACHE_DIR=folder)
        report.add(group, "without the Numba cache", seconds, "s", note="the first run ever")


def measure_simulator(report: Report, hands: int) -> None:
    """Measure dealt hands per second, on one and on two workers."""
    solution = solve_equilibrium(REFERENCE, tolerance=1e-7)
    group = "simulator"
    speeds = {}
    for workers in (1, 2):
        results = [
            simulate_strategies(
                solution.player, solution.dealer, REFERENCE, hands=hands, seed=SEED, workers=workers
            )
            for _ in range(3)
        ]
        best = max(results, key=lambda result: result.hands_per_second)
        speeds[workers] = best.hands_per_second
        goal = "over 10 million" if workers == 2 else ""
        name = "1 worker" if workers == 1 else "2 workers"
        report.add(group, name, best.hands_per_second, "hands/s", goal, f"{hands:,} hands")
    report.add(group, "2 workers / 1 worker", speeds[2] / speeds[1], "×")
    deviation = abs(best.value - solution.value) / best.stderr
    report.add(group, "off the exact value", deviation, "standard errors", "under 4", f"seed {SEED}")


def measure_lookup(report: Report) -> None:
    """Measure the time from a hand to its entry in a solved strategy."""
    solution = solve(REFERENCE)
    book = solution.book
    hand = parse_multiset("T-6")
    times = 20_000

    def repeated(look_up: Callable[[], object]) -> float:
        def task() -> None:
            for _ in range(times):
                look_up()

        return best_time(task, 3) / times

    group = "look-up"
    report.add(
        group,
        "frequency by hand",
        repeated(lambda: solution.player.hit[multiset_index(hand)]),
        "s",
        "under 1 ms",
    )
    report.add(group, "advice by hand", repeated(lambda: book.player_advice(hand)), "s", "under 1 ms")
    report.add(
        group,
        "advice by text, 'K-6'",
        repeated(lambda: book.player_advice(parse_multiset("K-6"))),
        "s",
        "under 1 ms",
    )
    report.add(
        group,
        "baseline, whole game",
        best_time(lambda: solve_baseline(REFERENCE), 3),
        "s",
        note="backward induction",
    )


def measure_open_spiel(report: Report, python: str | None, seconds: float) -> None:
    """Compare one CFR+ iteration of ours with one of OpenSpiel's C++ solver, in the same run."""
    peer = "OpenSpiel"
    if python is None:
        report.leave_out(peer, "not given; name an interpreter that has it with --open-spiel-python PYTHON")
        return
    try:
        child = subprocess.run(
            [python, "-c", OPEN_SPIEL, str(seconds)], capture_output=True, text=True, check=False
        )
    except OSError as error:
        report.leave_out(peer, f"'{python}': {error.strerror}")
        return
    if child.returncode != 0:
        report.leave_out(peer, f"'{python}': {child.stderr.strip().splitlines()[-1]}")
        return
    theirs = json.loads(child.stdout)
    game = sequence_game(REFERENCE)
    solve_equilibrium(REFERENCE, algorithm=Algorithm.CFR_PLUS, tolerance=1e-12, max_iterations=50)
    ours = solve_equilibrium(REFERENCE, algorithm=Algorithm.CFR_PLUS, tolerance=1e-12, max_iterations=2000)
    nodes = game.player.node_count + game.dealer.node_count
    our_iteration = ours.seconds / ours.iterations
    group = f"peer: OpenSpiel {theirs['version']}"
    their_sets = theirs["information_sets"]
    report.add(
        group, "its cfr+, leduc_poker", theirs["seconds_per_iteration"], "s", note=f"{their_sets} decisions"
    )
    report.add(group, "our cfr+, reference", our_iteration, "s", note=f"{nodes} decisions, with checks")
    report.add(group, "its decisions updated", their_sets / theirs["seconds_per_iteration"], "decisions/s")
    report.add(group, "our decisions updated", nodes / our_iteration, "decisions/s")
    ratio = (nodes / our_iteration) / (their_sets / theirs["seconds_per_iteration"])
    report.add(group, "ours / its", ratio, "×", note="general tree : matrices")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argument_parser("Measure the Banluck solvers.", "two rule sets, fewer repetitions and hands")
    parser.add_argument(
        "--open-spiel-python", metavar="PYTHON", help="an interpreter that can import pyspiel"
    )
    return parser.parse_args()


def main() -> None:
    """Measure everything and print the report."""
    arguments = parse_arguments()
    is_quick = arguments.quick
    repetitions = 2 if is_quick else 5
    report = Report("Banluck")
    rule_sets = {preset.name: preset.rules for preset in BANLUCK.presets}
    rule_sets["reference, reveal = none"] = REFERENCE.replaced({"reveal": "none"})
    if is_quick:
        rule_sets = {name: rule_sets[name] for name in ("reference", "singapore")}
    with report.console.status("warming up") as status:
        solve_equilibrium(REFERENCE, tolerance=1e-4)
        for name, rules in rule_sets.items():
            status.update(f"solving {name}")
            measure_solvers(report, name, rules, repetitions)
        status.update("solving the unscaled linear program")
        measure_unscaled_program(report, repetitions)
        status.update("starting fresh processes")
        measure_cold_start(report, repetitions, is_quick)
        status.update("dealing hands")
        measure_simulator(report, 2_000_000 if is_quick else 20_000_000)
        status.update("looking up hands")
        measure_lookup(report)
        status.update("asking OpenSpiel")
        measure_open_spiel(report, arguments.open_spiel_python, 1.0 if is_quick else 5.0)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
