"""Charts as genomes: a gene for every cell, its alleles the codes that the rules allow there.

A pair has a gene of its own for splitting and giving up; a pair that does neither plays by its total, as in the charts of
:mod:`~croupier.blackjack.solvers.total_dependent`. So the best genome is the best chart, and impossible advice cannot be bred.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import (
    HARD_ROWS,
    PAIR_ROWS,
    ROW_FACTS,
    ROWS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
    Code,
)
from croupier.blackjack.solvers.chart_check import problems
from croupier.blackjack.solvers.chart_columns import BY_TOTAL, CELLS, ChartColumn, cell_of, code_of
from croupier.blackjack.solvers.hands import CLASSES, Flags

#: The code of a gene is its place here. The last one is no code of a chart: a pair that is neither split nor given up.
ALLELES = (
    Code.HIT,
    Code.STAND,
    Code.DOUBLE,
    Code.DOUBLE_OR_STAND,
    Code.SURRENDER,
    Code.SURRENDER_OR_STAND,
    Code.SPLIT,
    Code.SURRENDER_OR_SPLIT,
)
_BY_TOTAL = len(ALLELES)

#: Rows that have a gene: 21 always stands.
TOTAL_ROWS = (*HARD_ROWS[:-1], *SOFT_ROWS[:-1])
GENE_ROWS = (*TOTAL_ROWS, *PAIR_ROWS)

_TOTAL_ALLELES = range(6)
_PAIR_ALLELES = (_BY_TOTAL, 4, 6, 7)
_CELLS = np.array([cell_of(ROW_FACTS[row]) for row in TOTAL_ROWS])

#: The genes of one up-card, or of a whole chart with a row for each up-card.
Genes = NDArray[np.uint8]


def _flags(*codes: Code) -> Flags:
    return np.array([code in codes for code in (*ALLELES, None)])


_HITS = _flags(Code.HIT, Code.DOUBLE, Code.SURRENDER)
_DOUBLES = _flags(Code.DOUBLE, Code.DOUBLE_OR_STAND)
_SURRENDERS = _flags(Code.SURRENDER, Code.SURRENDER_OR_STAND, Code.SURRENDER_OR_SPLIT)
_SPLITS = _flags(Code.SPLIT, Code.SURRENDER_OR_SPLIT)


@dataclass(frozen=True)
class GenePool:
    """The charts that a rule set allows.

    Examples
    --------
    >>> pool = GenePool(BlackjackRules(double="10-11", split_tens=False))
    >>> [ALLELES[allele].value for allele in pool.alleles[0][TOTAL_ROWS.index("9")]]
    ['H', 'S']
    >>> f"{pool.charts:.1e}"
    '2.4e+111'
    """

    rules: BlackjackRules

    @cached_property
    def alleles(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What each gene may be, by up-card and row."""
        return tuple(tuple(self._legal(row, up_card) for row in GENE_ROWS) for up_card in UP_CARDS)

    @property
    def charts(self) -> float:
        """How many charts there are."""
        return float(np.prod([float(len(legal)) for column in self.alleles for legal in column]))

    def column(self, genes: Genes) -> ChartColumn:
        """Return the genes of one up-card in the form that the exact evaluation reads."""
        totals, pairs = genes[: len(TOTAL_ROWS)], genes[len(TOTAL_ROWS) :]
        hit = np.ones(CELLS, dtype=np.bool_)
        double, surrender = np.zeros(CELLS, dtype=np.bool_), np.zeros(CELLS, dtype=np.bool_)
        hit[_CELLS], double[_CELLS], surrender[_CELLS] = _HITS[totals], _DOUBLES[totals], _SURRENDERS[totals]
        return ChartColumn(
            hit, double, surrender, _SPLITS[pairs], _SURRENDERS[pairs], np.full(CLASSES, BY_TOTAL)
        )

    def genes(self, column: ChartColumn) -> Genes:
        """Return the genes of a column that plays unsplit pairs by their totals."""
        totals = [ALLELES.index(code_of(column, row)) for row in TOTAL_ROWS]
        pairs = [
            7 if up and split else 6 if split else 4 if up else _BY_TOTAL
            for split, up in zip(column.split.tolist(), column.surrender_pair.tolist(), strict=True)
        ]
        return np.array([*totals, *pairs], dtype=np.uint8)

    def table(self, genome: Genes) -> Chart:
        """Write a whole genome as a chart."""
        cells = {}
        for up_card, genes in zip(UP_CARDS, genome, strict=True):
            column = self.column(genes)
            for row in ROWS:
                cells[row, up_card] = code_of(column, row)
        return Chart.from_cells(cells)

    def _legal(self, row: str, up_card: str) -> tuple[int, ...]:
        if row not in PAIR_ROWS:
            return tuple(
                allele for allele in _TOTAL_ALLELES if not problems(row, up_card, ALLELES[allele], self.rules)
            )
        return tuple(
            allele
            for allele in _PAIR_ALLELES
            if allele == _BY_TOTAL or not problems(row, up_card, ALLELES[allele], self.rules)
        )
