"""What columns are worth to the selection: exactly, or by simulation."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.evolution.genome import GenePool, Genes
from croupier.blackjack.solvers.chart_columns import Study, column_studies


@dataclass(slots=True, eq=False)
class ExactFitness:
    """Fitness by the exact value of a chart, in the sense of the solver: nothing is left to luck.

    ``workers`` threads value columns, one for each processor by default.

    Examples
    --------
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> rules = BlackjackRules(decks="infinite")
    >>> best, pool, fitness = solve_total_dependent(rules), GenePool(rules), ExactFitness(rules)
    >>> shares = [fitness.values(up_card, [pool.genes(column)], 1) for up_card, column in best.columns.items()]
    >>> abs(sum(share for share, in shares) - best.value) < 1e-12
    True
    """

    rules: BlackjackRules
    workers: int | None = None
    _pool: GenePool = field(init=False)
    _studies: dict[int, tuple[float, Study]] = field(init=False)

    def __post_init__(self) -> None:
        self._pool = GenePool(self.rules)
        self._studies = column_studies(self.rules)

    def values(self, up_card: int, columns: Sequence[Genes], generation: int) -> list[float]:  # noqa: ARG002
        """Return what each column adds to the exact value of a chart; the same in every generation."""
        chance, study = self._studies[up_card]
        naturals = study.natural_value()

        def value(genes: Genes) -> float:
            return chance * (study.value(self._pool.column(genes)) + naturals)

        workers = self.workers or os.cpu_count() or 1
        if workers == 1 or len(columns) == 1:
            return [value(genes) for genes in columns]
        with ThreadPoolExecutor(workers) as threads:
            return list(threads.map(value, columns))

    def is_lasting(self, generation: int) -> bool:  # noqa: ARG002
        """Exact values hold for good."""
        return True
