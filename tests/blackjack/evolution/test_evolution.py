"""Charts bred by exact fitness: legal genes only, the same run from the same seed, and the optimum at the end."""

import numpy as np
import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, Population, evolve, first_population, is_settled
from croupier.blackjack.evolution.evolved_chart import Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool
from croupier.blackjack.solvers.chart import UP_CARDS, Code
from croupier.blackjack.solvers.chart_check import check
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.chart_moves import CODES
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.errors import InputError

INFINITE = BlackjackRules(decks="infinite")
SMALL = Breeding(population=10, generations=6)
PRESETS = [preset.rules for preset in BLACKJACK.presets if preset.rules.hole_card != "open"]
NAMES = [preset.name for preset in BLACKJACK.presets if preset.rules.hole_card != "open"]


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(INFINITE)


def test_charts_for_two_open_cards_are_not_bred() -> None:
    with pytest.raises(InputError, match="bred by up-card"):
        GenePool(BlackjackRules(hole_card="open"))


@pytest.mark.parametrize("rules", PRESETS, ids=NAMES)
def test_no_genome_gives_advice_that_the_rules_do_not_allow(rules: BlackjackRules) -> None:
    pool = GenePool(rules)
    population = first_population(rules, Breeding(population=8), seed=5)
    for place in range(8):
        assert check(pool.chart(population.columns[:, place]), rules) == []


@pytest.mark.parametrize("rules", PRESETS[:3], ids=NAMES[:3])
def test_a_genome_is_worth_what_its_chart_is_worth(rules: BlackjackRules) -> None:
    genome = first_population(rules, Breeding(population=4), seed=2).columns[:, 0]
    table = GenePool(rules).chart(genome)
    fitness = ExactFitness(rules)
    shares = [fitness.values(up_card, [genome[up_card]], 1)[0] for up_card in range(len(UP_CARDS))]
    assert sum(shares) == pytest.approx(chart_value(rules, table), abs=1e-12)


def test_the_best_chart_is_a_genome_and_comes_back_from_it() -> None:
    best = solve_total_dependent(INFINITE)
    pool = GenePool(INFINITE)
    for up_card, column in best.columns.items():
        genes = pool.genes(column)
        assert pool.genes(pool.column(genes)).tolist() == genes.tolist()
        assert all(int(gene) in legal for gene, legal in zip(genes, pool.alleles[up_card], strict=True))


def test_surrender_and_doubling_are_alleles_only_where_they_are_allowed() -> None:
    pool = GenePool(BlackjackRules(double="10-11", double_soft=False, surrender="early-not-ace"))

    def codes(row: str, up_card: str) -> set[str]:
        legal = pool.alleles[UP_CARDS.index(up_card)][GENE_ROWS.index(row)]
        return {CODES[allele].value for allele in legal}

    assert codes("10", "5") == {"H", "S", "D", "DS", "R", "RS"}
    assert codes("9", "5") == {"H", "S", "R", "RS"}
    assert codes("soft 18", "A") == {"H", "S"}
    assert codes("8,8", "T") == {"H", "S", "P", "PH", "PS", "R", "RP"}
    assert codes("8,8", "A") == {"H", "S", "P", "PH", "PS"}


def test_the_same_seed_breeds_the_same_charts_and_another_seed_others() -> None:
    fitness = ExactFitness(INFINITE)
    runs = [evolve(INFINITE, fitness, SMALL, first_population(INFINITE, SMALL, seed)) for seed in (1, 1, 2)]
    assert np.array_equal(runs[0].columns, runs[1].columns)
    assert not np.array_equal(runs[0].columns, runs[2].columns)


def test_a_run_that_is_kept_and_resumed_is_the_run_that_was_not_stopped() -> None:
    fitness = ExactFitness(INFINITE)
    whole = evolve(INFINITE, fitness, SMALL, first_population(INFINITE, SMALL, 3))
    half = evolve(
        INFINITE, fitness, Breeding(population=10, generations=3), first_population(INFINITE, SMALL, 3)
    )
    kept = Population.from_state(half.to_state())
    resumed = evolve(INFINITE, ExactFitness(INFINITE), SMALL, kept)
    assert np.array_equal(resumed.columns, whole.columns)
    assert [line.best for line in resumed.history] == [line.best for line in whole.history]


def test_a_population_kept_by_0_1_is_read_in_the_codes_of_today() -> None:
    old = np.zeros((10, 4, len(GENE_ROWS)), dtype=np.uint8)  # everything hits, but
    old[:, :, GENE_ROWS.index("16")] = 5  # RS
    old[:, :, GENE_ROWS.index("8,8")] = 8  # as its total
    old[:, :, GENE_ROWS.index("9,9")] = 6  # P
    population = Population.from_state({"seed": 1, "columns": old.tobytes().hex(), "history": []})
    names = {
        row: CODES[population.columns[3, 2, GENE_ROWS.index(row)]].value for row in ("12", "16", "8,8", "9,9")
    }
    assert names == {"12": "H", "16": "RS", "8,8": "RS", "9,9": "P"}


def test_with_elitism_the_best_never_gets_worse() -> None:
    bred = evolve(INFINITE, ExactFitness(INFINITE), SMALL, first_population(INFINITE, SMALL, 4))
    best = [line.best for line in bred.history]
    assert best == sorted(best)


def test_patience_ends_a_run_that_stands_still() -> None:
    fitness = ExactFitness(INFINITE)
    still = Breeding(population=4, generations=50, mutations=0.0, patience=5, elite=3)
    bred = evolve(INFINITE, fitness, still, first_population(INFINITE, still, 1))
    assert is_settled(bred, still, fitness)
    assert bred.generation < 50


@pytest.mark.verify
def test_evolution_by_exact_fitness_ends_at_the_optimum() -> None:
    """A game without splits, so that it is over in seconds; the benchmarks breed whole charts from five seeds."""
    rules = BlackjackRules(decks="infinite", split_hands=1, double="9-11")
    breeding = Breeding(population=60)
    bred = evolve(rules, ExactFitness(rules), breeding, first_population(rules, breeding, 1))
    evolved = Judge(rules).judged(bred, bred.history[-1].leader, breeding, "exact", 1.0)
    assert evolved.loss < 1e-12
    assert evolved.differences == ()
    assert evolved.losses[0] > 0.01


def test_each_differing_cell_is_named_with_its_cost(judge: Judge) -> None:
    spoilt = judge.best.copy()
    row, up_card = GENE_ROWS.index("16"), UP_CARDS.index("6")
    spoilt[up_card, row] = CODES.index(Code.HIT)
    dear, free = judge.differences(spoilt)
    assert free == ()
    assert [(d.row, d.up_card, d.code, d.best_code) for d in dear] == [("16", "6", "H", "S")]
    assert dear[0].cost == pytest.approx(judge.loss(spoilt), abs=1e-15)
    assert dear[0].cost > 0.001


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ({"population": 3}, "population 3: must be from 4 to 10000"),
        ({"elite": 80}, "elite 80: must be from 1 to 79"),
        ({"mutations": -1.0}, "mutations -1: must be from 0 to 36"),
        ({"tournament": 0}, "tournament 0: must be from 1 to 80"),
    ],
)
def test_breeding_that_cannot_be_is_refused(setting: dict[str, float], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Breeding(**setting)  # type: ignore[arg-type]
