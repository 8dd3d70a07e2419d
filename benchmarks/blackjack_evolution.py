"""Measure the evolution of charts: time and loss, from five seeds.

    .venv/bin/python -m benchmarks.blackjack_evolution [--quick] [--json FILE]

Losses are exact and do not depend on the machine; times do. See ``benchmarks/README.md``.
"""

import time

from benchmarks.report import Report, argument_parser
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, evolve, first_population
from croupier.blackjack.evolution.evolved_chart import Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.simulated_fitness import SimulatedFitness

INFINITE = BlackjackRules(decks="infinite")
SIMULATED = Breeding(population=40, generations=48, patience=0)
RACE_ROUNDS = 1_000_000


def measure_exact(report: Report, name: str, rules: BlackjackRules, goal: str, seeds: range) -> None:
    """Measure evolution by exact fitness."""
    judge = Judge(rules)
    breeding = Breeding()
    for seed in seeds:
        started = time.perf_counter()
        bred = evolve(rules, ExactFitness(rules), breeding, first_population(rules, breeding, seed))
        seconds = time.perf_counter() - started
        leader = bred.history[-1].leader
        costly, _ = judge.differences(leader)
        note = f"{bred.generation} generations, {len(costly)} cells differ at a cost"
        report.add(name, f"seed {seed}: time", seconds, "s", goal, note)
        report.add(name, f"seed {seed}: loss", max(judge.loss(leader), 0.0), "units", "under 0.0001")


def measure_simulated(report: Report, seeds: range) -> None:
    """Measure evolution by simulated races with the same cards."""
    judge = Judge(INFINITE)
    name = f"infinite packs, races of {RACE_ROUNDS:,}"
    for seed in seeds:
        started = time.perf_counter()
        fitness = SimulatedFitness(INFINITE, RACE_ROUNDS, seed, SIMULATED.generations)
        bred = evolve(INFINITE, fitness, SIMULATED, first_population(INFINITE, SIMULATED, seed))
        winner = fitness.winner(bred)
        seconds = time.perf_counter() - started
        costly, _ = judge.differences(winner)
        report.add(
            name, f"seed {seed}: time", seconds, "s", "a few minutes", f"{len(costly)} cells differ at a cost"
        )
        report.add(name, f"seed {seed}: loss", judge.loss(winner), "units", "under 0.001")


def main() -> None:
    """Measure everything and print the report."""
    arguments = argument_parser("Measure the evolution of charts.", "one seed each").parse_args()
    seeds = range(1, 2 if arguments.quick else 6)
    report = Report("Evolution")
    with report.console.status("breeding by exact fitness") as status:
        measure_exact(report, "infinite packs, exact", INFINITE, "under a minute", seeds)
        strip = BLACKJACK.load("vegas-strip", None, ())
        measure_exact(report, "vegas-strip, exact", strip, "a few minutes", seeds)
        status.update("breeding by races")
        measure_simulated(report, seeds)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
