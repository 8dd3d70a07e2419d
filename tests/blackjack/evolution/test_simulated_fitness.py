"""Races between columns: the same cards for all, new cards each season, and scores that agree with the exact values."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, evolve, first_population
from croupier.blackjack.evolution.evolved_chart import Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool
from croupier.blackjack.evolution.runs import EvolutionPlan
from croupier.blackjack.evolution.simulated_fitness import SimulatedFitness
from croupier.blackjack.solvers.chart import UP_CARDS
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.errors import InputError
from tests.long_cases import cases

INFINITE = BlackjackRules(decks="infinite")
NO_SPLITS = BlackjackRules(decks="infinite", split_hands=1)
ROUNDS = 40_000
OPEN = [preset.rules for preset in BLACKJACK.presets if preset.rules.hole_card == "open"]
PRESETS = [preset.rules for preset in BLACKJACK.presets if preset.rules.hole_card != "open"]
NAMES = [preset.name for preset in BLACKJACK.presets if preset.rules.hole_card != "open"]


@pytest.mark.parametrize("rules", cases([INFINITE, *PRESETS], long=PRESETS[2:]), ids=["infinite", *NAMES])
def test_a_race_agrees_with_the_exact_value_within_its_error(rules: BlackjackRules) -> None:
    """The first generation's races are the shortest: 20,000 rounds, played in whole blocks."""
    columns = first_population(rules, Breeding(population=4), seed=9).columns
    exact, simulated = ExactFitness(rules), SimulatedFitness(rules, ROUNDS, seed=3, generations=8)
    shoe = ShoeCounts.full(rules)
    for up_card in range(len(UP_CARDS)):
        genes = [columns[up_card, 0]]
        chance = shoe.classes[up_card] / shoe.cards
        error = chance * 1.6 / math.sqrt(20_000)
        difference = simulated.values(up_card, genes, 1)[0] - exact.values(up_card, genes, 1)[0]
        assert abs(difference) < 4.5 * error


@pytest.mark.parametrize("rules", OPEN)
def test_presets_with_two_open_cards_are_refused(rules: BlackjackRules) -> None:
    """They are left out above: a chart of theirs has no column of an up-card."""
    with pytest.raises(InputError, match="charts are bred by up-card"):
        SimulatedFitness(rules, ROUNDS, seed=3, generations=8)


def test_the_same_seed_gives_the_same_scores_and_another_seed_others() -> None:
    columns = first_population(INFINITE, Breeding(population=4), seed=1).columns[3]
    scores = [
        SimulatedFitness(INFINITE, ROUNDS, seed, generations=8).values(3, columns, 1) for seed in (1, 1, 2)
    ]
    assert scores[0] == scores[1] != scores[2]


def test_the_cards_last_for_a_season_and_races_get_longer() -> None:
    fitness = SimulatedFitness(INFINITE, 200_000, seed=1, generations=48)
    lasting = [generation for generation in range(1, 49) if not fitness.is_lasting(generation)]
    assert lasting == [1, 9, 17, 25, 33, 41]
    lengths = [fitness._length(generation) for generation in lasting]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (20_000, 200_000)


def test_a_cell_that_costs_much_is_found_out_and_one_that_plays_alike_is_not() -> None:
    judge = Judge(INFINITE)
    up_card = UP_CARDS.index("6")
    spoilt, alike = judge.best[up_card].copy(), judge.best[up_card].copy()
    spoilt[GENE_ROWS.index("16")] = 0  # hits
    alike[GENE_ROWS.index("4")] = 0  # as it is: both hit
    fitness = SimulatedFitness(INFINITE, ROUNDS, seed=2, generations=8)
    best, worse, same = fitness.values(up_card, [judge.best[up_card], spoilt, alike], 1)
    assert worse < best == same


@pytest.mark.verify
def test_breeding_by_races_gets_close_to_the_optimum() -> None:
    """A short run of a game without splits; the benchmarks run the whole one from five seeds."""
    rules = BlackjackRules(decks="infinite", split_hands=1, double="none")
    breeding = Breeding(population=24, generations=24, patience=0)
    fitness = SimulatedFitness(rules, ROUNDS, seed=4, generations=24)
    bred = evolve(rules, fitness, breeding, first_population(rules, breeding, 4))
    judge = Judge(rules)
    winner = fitness.winner(bred)
    assert judge.loss(bred.history[0].leader) > 0.02
    assert judge.loss(winner) < 0.004
    assert np.array_equal(winner, fitness.winner(bred))


ON_SIMULATED_GPU = """
import numpy as np
from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.evolution import simulated_fitness
from croupier.blackjack.evolution.breeding import Breeding, first_population

simulated_fitness._BLOCK = 4
for rules, up_card in ((BlackjackRules(decks="infinite"), 3), (BlackjackRules(decks=1, hole_card="no-peek"), 8)):
    columns = first_population(rules, Breeding(population=4), seed=1).columns[up_card]
    standings = []
    for device in ("cpu", "cuda"):
        track = simulated_fitness._Track(rules, 1, device)
        plans, running = track._plans(up_card, columns), np.array([0, 3, 2])
        standings.append([track._run(up_card, plans, running, range(3), (7, 1, up_card)) for _ in range(2)])
    here, there = standings
    assert here[0].sums.tolist() == there[0].sums.tolist() == there[1].sums.tolist(), (rules, here[0].sums, there[0].sums)
    assert here[0].sums.any()
"""


def test_a_simulated_gpu_plays_the_races_of_the_processor() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", ON_SIMULATED_GPU], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_gpu_plays_no_exact_fitness() -> None:
    with pytest.raises(InputError, match="device 'cuda': a GPU plays simulated fitness, not exact"):
        EvolutionPlan(INFINITE, seed=1).run(device="cuda")


def test_refining_repairs_what_clearly_loses() -> None:
    judge = Judge(NO_SPLITS)
    spoilt = judge.best.copy()
    row = GENE_ROWS.index("20")
    spoilt[3, row] = next(
        allele for allele in GenePool(NO_SPLITS).alleles[3][row] if allele != spoilt[3, row]
    )
    fitness = SimulatedFitness(NO_SPLITS, 20_000, seed=1, generations=1)
    refined = fitness._refined(3, spoilt[3], 20_000, 2)
    assert refined[row] == judge.best[3, row]


def test_only_simulated_fitness_is_refined() -> None:
    with pytest.raises(InputError, match="refine_rounds: only simulated fitness is refined, not exact"):
        EvolutionPlan(INFINITE, seed=1, refine_rounds=20_000).verify()
    with pytest.raises(InputError, match="refine_rounds 7: a race has from 20000 to"):
        EvolutionPlan(INFINITE, "simulated", seed=1, refine_rounds=7).verify()
