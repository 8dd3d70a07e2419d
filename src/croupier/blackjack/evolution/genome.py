"""Charts as genomes: a gene for every cell, its alleles the codes that the rules allow there.

So the best genome is the best chart, and impossible advice cannot be bred.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import HARD_ROWS, PAIR_ROWS, ROWS, SOFT_ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_check import legal_codes
from croupier.blackjack.solvers.chart_columns import Column, chart_of
from croupier.blackjack.solvers.chart_moves import CODES
from croupier.errors import InputError

#: Rows that have a gene: 21 always stands.
GENE_ROWS = (*HARD_ROWS[:-1], *SOFT_ROWS[:-1], *PAIR_ROWS)

_PLACES = np.array([ROWS.index(row) for row in GENE_ROWS])

#: A pair has no longer hands, so these play alike there.
_PLAYS_LIKE = {Code.DOUBLE_OR_STAND: Code.DOUBLE, Code.SURRENDER_OR_STAND: Code.SURRENDER}

#: The genes of one up-card, or of a whole chart with a row for each up-card: places in CODES.
Genes = Column


@dataclass(frozen=True)
class GenePool:
    """The charts that a rule set allows.

    Examples
    --------
    >>> pool = GenePool(BlackjackRules(double="10-11", split_tens=False))
    >>> [CODES[allele].value for allele in pool.alleles[0][GENE_ROWS.index("9")]]
    ['H', 'S']
    >>> f"{pool.charts:.1e}"
    '9.9e+150'
    """

    rules: BlackjackRules

    def __post_init__(self) -> None:
        if self.rules.hole_card == "open":
            raise InputError(
                'charts are bred by up-card; set hole_card to "peek", or use the exact best chart of open cards'
            )

    @cached_property
    def alleles(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What each gene may be, by up-card and row."""
        return tuple(tuple(self._legal(row, up_card) for row in GENE_ROWS) for up_card in UP_CARDS)

    @property
    def charts(self) -> float:
        """How many charts there are."""
        return float(np.prod([float(len(legal)) for column in self.alleles for legal in column]))

    def column(self, genes: Genes) -> Column:
        """Return the genes of one up-card as a column of a chart."""
        column = np.full(len(ROWS), CODES.index(Code.STAND), dtype=np.uint8)
        column[_PLACES] = genes
        return column

    def genes(self, column: Column) -> Genes:
        """Return the genes of a column; a code that is no allele becomes the one that plays alike."""
        genes: Genes = column[_PLACES].copy()
        for row, name in enumerate(GENE_ROWS):
            if name in PAIR_ROWS and (like := _PLAYS_LIKE.get(CODES[genes[row]])):
                genes[row] = CODES.index(like)
        return genes

    def chart(self, genome: Genes) -> Chart:
        """Write a whole genome as a chart."""
        return chart_of({place: self.column(genes) for place, genes in enumerate(genome)})

    def _legal(self, row: str, up_card: str) -> tuple[int, ...]:
        return tuple(CODES.index(code) for code in legal_codes(row, up_card, self.rules))
