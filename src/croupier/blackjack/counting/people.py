"""People at a table: what they get wrong at which rate, and who sits beside them."""

from dataclasses import dataclass, replace

import numpy as np

from croupier.blackjack.counting import person_kernel
from croupier.blackjack.counting.mistakes import mistaken_chart
from croupier.blackjack.counting.system import CountingSystem
from croupier.blackjack.simulation import round_terms
from croupier.blackjack.simulation.shoe_kernel import POINT_MASK, SIZE
from croupier.blackjack.simulation.simulator import block_stream
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.blackjack.solvers.chart import Chart
from croupier.errors import InputError
from croupier.numerics.random_kernels import Stream

#: Keeps the random numbers that decide on mistakes apart from those that shuffle.
_SLIPS = 1 << 40


@dataclass(frozen=True, slots=True)
class Slips:
    """How often somebody errs.

    Attributes
    ----------
    miscounts
        The chance, per round, that the running count is off by one from then on, up or down; a shuffle makes it right again.
    misplays
        The chance that a round is played badly: without indices, and by a chart with all common mistakes (see
        :func:`~croupier.blackjack.counting.mistakes.mistaken_chart`).

    Examples
    --------
    >>> Slips(miscounts=0.02).is_nothing, Slips().is_nothing
    (False, True)
    >>> Slips(miscounts=2).verify()
    Traceback (most recent call last):
    croupier.errors.InputError: miscounts 2: a rate lies between 0 and 1, such as 0.02
    """

    miscounts: float = 0.0
    misplays: float = 0.0

    @property
    def is_nothing(self) -> bool:
        """Whether nothing ever goes wrong."""
        return self.miscounts == 0 and self.misplays == 0

    def verify(self) -> None:
        """Raise an InputError unless both are rates."""
        for name in self.__slots__:
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} {getattr(self, name):g}: a rate lies between 0 and 1, such as 0.02")


NO_SLIPS = Slips()


@dataclass(frozen=True, slots=True)
class PersonAtTable:
    """Somebody on the first places of a table.

    Attributes
    ----------
    seating, system
        The table as it is played without mistakes, and what is counted.
    own
        How many places are this person's.
    slips
        How often what goes wrong.
    other_chart
        What the others play; None as this person does, the index plays included.
    """

    seating: Seating
    system: CountingSystem
    own: int
    slips: Slips = NO_SLIPS
    other_chart: Chart | None = None

    def person(self) -> person_kernel.Person:
        """Return the person as compiled code reads it."""
        seating, slips = self.seating, self.slips
        cards, shoe = shoe_of(seating)
        aces = int(np.count_nonzero(cards[: shoe[SIZE]] & POINT_MASK == round_terms.ACE_POINT))
        by_chart = replace(seating.play, deviations=())
        wrong = (
            replace(seating, chart=mistaken_chart(seating.rules), play=by_chart)
            if slips.misplays
            else seating
        )
        others = (
            seating if self.other_chart is None else replace(seating, chart=self.other_chart, play=by_chart)
        )
        return person_kernel.Person(
            slips.is_nothing and self.other_chart is None and self.system.aces == 0,
            self.system.aces,
            aces,
            float(slips.miscounts),
            float(slips.misplays),
            seating.seats if self.other_chart is None else self.own,
            setup_of(seating),
            setup_of(wrong),
            setup_of(others),
        )

    def records(self, seed: int, block: int) -> person_kernel.Records:
        """Return what the rounds of a block are dealt from and written into."""
        cards, shoe = shoe_of(self.seating)
        return person_kernel.Records(
            cards,
            shoe,
            block_stream(seed, block),
            _slip_stream(seed, block),
            *round_terms.empty_records(self.seating.seats),
            np.zeros((round_terms.OUTCOME_COUNT, 2), dtype=np.int64),
            np.zeros(person_kernel.MIND, dtype=np.int64),
        )


def _slip_stream(seed: int, block: int) -> Stream:
    return block_stream(seed, block + _SLIPS)
