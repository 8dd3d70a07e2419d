"""What an evolution has come to: its chart, what that is exactly worth, what it loses to the best one, and in which cells."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, Generation, Population
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool, Genes
from croupier.blackjack.solvers.chart import UP_CARDS, Chart
from croupier.blackjack.solvers.chart_columns import Study, column_studies
from croupier.blackjack.solvers.pricing import ROUNDING, CellPrice, differing_cells
from croupier.blackjack.solvers.total_dependent import best_column
from croupier.extras import needs
from croupier.results import FromRules, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EvolvedChart(FromRules, Result):
    """The result of an evolution. All values are exact, none is a score of training.

    Attributes
    ----------
    value, optimum
        What the chart and the best chart are worth, in initial bets per round.
    differences
        Genes that differ at a cost, the most costly first.
    free_differences
        Genes that differ without any cost: they never come up, or two codes play alike there.
    losses
        What the leader of each generation lost to the optimum.
    """

    rules: BlackjackRules
    breeding: Breeding
    seed: int
    fitness: str
    chart: Chart
    value: float
    optimum: float
    differences: tuple[CellPrice, ...]
    free_differences: tuple[CellPrice, ...]
    history: tuple[Generation, ...]
    losses: tuple[float, ...]
    seconds: float

    @property
    def loss(self) -> float:
        """What the chart loses to the best one, in initial bets per round."""
        return self.optimum - self.value

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        return {
            "value": f"{self.value:+.6%} of the initial bet, exactly",
            "loss to the best chart": f"{self.loss:.7f} bets per round ({self.optimum:+.6%})",
            "cells that cost something": f"{len(self.differences)}",
            "generations": f"{len(self.history)} by {self.fitness} fitness, seed {self.seed}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def _repr_html_(self) -> str:
        """Show the facts and the chart in a notebook."""
        return Result._repr_html_(self) + self.chart._repr_html_()

    def to_frame(self) -> "pd.DataFrame":
        """Return the generations as a data frame: best and mean score, columns evaluated, and what the leader exactly loses."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        lines = [
            (line.number, line.best, line.mean, line.evaluated, loss)
            for line, loss in zip(self.history, self.losses, strict=True)
        ]
        return pd.DataFrame(lines, columns=["generation", "best", "mean", "evaluated", "loss"])

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "value": self.value,
            "optimum": self.optimum,
            "loss": self.loss,
            "fitness": self.fitness,
            "differing_cells": len(self.differences),
            "differences": [cell.to_dict() for cell in self.differences],
            "free_differences": len(self.free_differences),
            "generations": len(self.history),
            "evaluated_columns": sum(line.evaluated for line in self.history),
            "seed": self.seed,
            "seconds": self.seconds,
            "version": self.version,
            "chart": {row: {up: self.chart[row, up].value for up in UP_CARDS} for row in GENE_ROWS},
        }


class Judge:
    """Values charts exactly, and knows the best one.

    Examples
    --------
    >>> judge = Judge(BlackjackRules(decks="infinite"))
    >>> f"{judge.optimum:+.6%}", judge.loss(judge.best)
    ('-0.511734%', 0.0)
    """

    def __init__(self, rules: BlackjackRules) -> None:
        self.rules = rules
        self._pool = GenePool(rules)
        self._studies = column_studies(rules)
        self.best: Genes = np.array([self._pool.genes(best_column(study)) for _, study in self._in_order()])
        self.optimum = self.value(self.best)

    def value(self, genome: Genes) -> float:
        """Return the exact value of a chart."""
        return sum(
            chance * (study.value(self._pool.column(genes)) + study.natural_value())
            for (chance, study), genes in zip(self._in_order(), genome, strict=True)
        )

    def loss(self, genome: Genes) -> float:
        """Return what a chart loses to the best one."""
        return self.optimum - self.value(genome)

    def differences(self, genome: Genes) -> tuple[tuple[CellPrice, ...], tuple[CellPrice, ...]]:
        """List the genes that are not as in the best chart: those that cost something, and those that do not."""
        found = [
            cell
            for (chance, study), genes, best in zip(self._in_order(), genome, self.best, strict=True)
            for cell in differing_cells(self._pool.column(genes), self._pool.column(best), study, chance)
        ]
        costly = sorted((cell for cell in found if abs(cell.cost) > ROUNDING), key=lambda cell: -cell.cost)
        return tuple(costly), tuple(cell for cell in found if abs(cell.cost) <= ROUNDING)

    def judged(
        self, population: Population, genome: Genes, breeding: Breeding, fitness: str, seconds: float
    ) -> EvolvedChart:
        """Sum up an evolution that has ended with a chart."""
        costly, free = self.differences(genome)
        return EvolvedChart(
            self.rules,
            breeding,
            population.seed,
            fitness,
            self._pool.chart(genome),
            self.value(genome),
            self.optimum,
            costly,
            free,
            population.history,
            tuple(self.loss(line.leader) for line in population.history),
            seconds,
        )

    def _in_order(self) -> list[tuple[float, Study]]:
        return [self._studies[up_card] for up_card in range(len(UP_CARDS))]
