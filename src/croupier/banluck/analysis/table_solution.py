"""A solved table of several players: values by seat, what anybody could gain, charts by seat."""

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.banluck.analysis import html
from croupier.banluck.analysis.chart import ChartGrid
from croupier.banluck.analysis.table_charts import counts_charts, dealer_charts, seat_charts
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.table.counts_equilibrium import CountsEquilibrium
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.equilibrium import TwoPlayerEquilibrium
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.extras import needs
from croupier.results import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Sampling:
    """What a sampled solution says of its own precision, in units per hand.

    ``TableSolution.gains`` are then measured on the deals on which the best replies were found, which makes them too high on average.
    On other deals the same replies do worse than the true best ones. The true gains lie between the two means.

    Attributes
    ----------
    deals, seed, iterations
        Deals on which each side was measured, the seed of them all, and how many iterations were learnt.
    dealer_stderr
        The standard error of ``dealer_value``.
    held_out_gains, held_out_stderr
        The gains on other deals, by seat, and their standard errors.
    held_out_dealer_gain, held_out_dealer_stderr
        The same for the dealer.
    memory_gains, memory_stderr, dealer_memory_gain, dealer_memory_stderr
        What each seat and the dealer could gain at least, on other deals, if they also remembered the low cards among those shown or opened. This is
        beyond what ``information`` allows.
    """

    deals: int
    seed: int
    iterations: int
    dealer_stderr: float
    held_out_gains: tuple[float, ...]
    held_out_stderr: tuple[float, ...]
    held_out_dealer_gain: float
    held_out_dealer_stderr: float
    memory_gains: tuple[float, ...]
    memory_stderr: tuple[float, ...]
    dealer_memory_gain: float
    dealer_memory_stderr: float


@dataclass(frozen=True, eq=False, repr=False)
class TableSolution(Result):
    """A table of several players and a dealer, within a certified distance of an equilibrium.

    Figures are in units of the bet, per hand.

    Attributes
    ----------
    values
        What each seat earns, the first to act first.
    dealer_value
        What the dealer earns from all seats together.
    gains, dealer_gain
        What each seat, and the dealer, could gain at most by another strategy while the others keep theirs.
    stderr
        The standard errors of the values; None where they are exact.
    method, information
        How it was solved, and on what everybody decides: ``full`` is all that is public at the table; ``counts`` are the own cards and
        card counts.
    strategy
        How everybody plays: a ``TableStrategy`` for two players, a ``CountsStrategy`` for more.
    sampling
        How far to trust sampled figures; None where they are exact.
    """

    rules: BanluckRules
    values: tuple[float, ...]
    dealer_value: float
    gains: tuple[float, ...]
    dealer_gain: float
    stderr: tuple[float, ...] | None
    method: str
    information: str
    seconds: float
    strategy: TableStrategy | CountsStrategy
    sampling: Sampling | None = None
    version: str = __version__

    @classmethod
    def of(cls, solved: TwoPlayerEquilibrium | CountsEquilibrium) -> "TableSolution":
        """Return an exact solution for two players, or a sampled one for more."""
        if isinstance(solved, CountsEquilibrium):
            return cls._sampled(solved)
        found = solved.certificate
        return cls(
            solved.rules,
            found.values,
            found.dealer_value,
            found.gains,
            found.dealer_gain,
            None,
            "exact best replies" if not solved.mixed else f"exact, dealer mixes {solved.mixed} strategies",
            solved.information,
            solved.seconds,
            solved.strategy,
        )

    @classmethod
    def _sampled(cls, solved: CountsEquilibrium) -> "TableSolution":
        found = solved.certificate
        errors = tuple(value.stderr for value in found.values)
        return cls(
            solved.rules,
            tuple(value.mean for value in found.values),
            -math.fsum(value.mean for value in found.values),
            tuple(gain.in_sample for gain in found.gains),
            found.dealer_gain.in_sample,
            errors,
            f"regret minimisation on sampled deals, {solved.iterations} iterations",
            "counts",
            solved.seconds,
            solved.strategy,
            Sampling(
                found.deals,
                solved.seed,
                solved.iterations,
                math.hypot(*errors),
                tuple(gain.held_out.mean for gain in found.gains),
                tuple(gain.held_out.stderr for gain in found.gains),
                found.dealer_gain.held_out.mean,
                found.dealer_gain.held_out.stderr,
                tuple(gain.held_out.mean for gain in found.memory_gains),
                tuple(gain.held_out.stderr for gain in found.memory_gains),
                found.dealer_memory_gain.held_out.mean,
                found.dealer_memory_gain.held_out.stderr,
            ),
        )

    @property
    def players(self) -> int:
        """How many players are seated."""
        return len(self.values)

    @property
    def largest_gain(self) -> float:
        """The most that anybody could gain: how far from an equilibrium this is."""
        return max(*self.gains, self.dealer_gain)

    @cached_property
    def charts(self) -> tuple[ChartGrid, ...]:
        """Charts to memorise: the seats', by what earlier seats hold, and the dealer's, by what the closed players hold."""
        if isinstance(self.strategy, CountsStrategy):
            return counts_charts(self.strategy, self.rules)
        return (*seat_charts(self.strategy, self.rules), *dealer_charts(self.strategy, self.rules))

    @property
    def legend(self) -> str:
        """What the letters of the charts mean."""
        opens = "1 or 2 whom to open first"
        if isinstance(self.strategy, CountsStrategy):
            opens = "2 to 5 open a hand of so many cards"
        return f"Players: H hit, S stand. Dealer: D draw, S stand, {opens}."

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        facts = {"Rules": f"{BANLUCK.describe(self.rules)}, {self.players} players"}
        for row in self.rows():
            facts[str(row["side"]).capitalize()] = self._sentence(row)
        facts["Method"] = f"{self.method}, {self.information} information, {self.seconds:.1f} s"
        if self.sampling is not None:
            found = self.sampling
            facts["Memory"] = (
                f"remembering cards would gain the dealer {found.dealer_memory_gain:.1e} ± {found.dealer_memory_stderr:.1e}, "
                f"a player {max(found.memory_gains):.1e} or more"
            )
            facts["Sample"] = f"{found.deals:,} deals a side, seed {found.seed}"
        return facts

    def _sentence(self, row: dict[str, Any]) -> str:
        if self.sampling is None:
            return f"{row['value']:+.9f} units a hand, could gain {row['gain']:.1e}"
        return (
            f"{row['value']:+.6f} ± {row['stderr']:.6f} units a hand, could gain {row['gain']:.1e} "
            f"(held out {row['held_out']:.1e} ± {row['held_out_stderr']:.1e})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data."""
        return {
            "players": self.players,
            "values": list(self.values),
            "dealer_value": self.dealer_value,
            "gains": list(self.gains),
            "dealer_gain": self.dealer_gain,
            "stderr": None if self.stderr is None else list(self.stderr),
            "method": self.method,
            "information": self.information,
            "seconds": self.seconds,
            "sampling": None if self.sampling is None else asdict(self.sampling),
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the values as a table, a row a seat, the dealer last."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only tables need it

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """Return the values as rows, a row a seat, the dealer last."""
        names = [*(f"player {seat + 1}" for seat in range(self.players)), "dealer"]
        values, gains = [*self.values, self.dealer_value], [*self.gains, self.dealer_gain]
        rows: list[dict[str, Any]] = [
            {"side": name, "value": value, "gain": gain}
            for name, value, gain in zip(names, values, gains, strict=True)
        ]
        if self.sampling is not None and self.stderr is not None:
            found = self.sampling
            errors = [*self.stderr, found.dealer_stderr]
            held_out = [*found.held_out_gains, found.held_out_dealer_gain]
            held_out_errors = [*found.held_out_stderr, found.held_out_dealer_stderr]
            for row, error, gain, gain_error in zip(rows, errors, held_out, held_out_errors, strict=True):
                row |= {"stderr": error, "held_out": gain, "held_out_stderr": gain_error}
        return rows

    def _repr_html_(self) -> str:
        caption = f"{self.facts()['Rules']}: {self.facts()['Method']}"
        return html.table(self.rows(), caption) + "".join(chart._repr_html_() for chart in self.charts)
