"""What playing with a count came to: per round, by count, and for a bankroll."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from croupier.blackjack.counting import kernel
from croupier.blackjack.counting.bankroll import (
    custom_score,
    desirability_index,
    risk_of_ruin,
    rounds_to_overcome,
)
from croupier.blackjack.counting.bet_ramp import BetRamp
from croupier.blackjack.counting.indices import CountIndices
from croupier.blackjack.counting.system import CountingSystem, verify_countable
from croupier.blackjack.counting.tally import CountingTally
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.counted_play import CountedPlay, Rounding
from croupier.blackjack.simulation.result import error_over_shoes
from croupier.blackjack.solvers.chart import Chart
from croupier.extras import needs
from croupier.numerics.devices import StreamName
from croupier.results import Estimate, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CountingStrategy:
    """How to count, bet and play.

    Attributes
    ----------
    chart
        The chart without a count.
    indices
        Where the count changes it.
    rounding, estimate
        How a true count becomes whole, and how finely the packs left are estimated: see
        :class:`~croupier.blackjack.simulation.counted_play.CountedPlay`.
    """

    system: CountingSystem
    ramp: BetRamp
    indices: CountIndices
    chart: Chart
    rounding: Rounding = "floor"
    estimate: int = 1

    @property
    def lowest_chart(self) -> Chart:
        """The chart below all indices."""
        return self.indices.chart(self.chart)

    def play(self, rules: BlackjackRules) -> CountedPlay:
        """Return the strategy as the simulator plays it."""
        return CountedPlay(
            tags=self.system.card_tags,
            initial=self.system.initial_count(verify_countable(rules)),
            is_true=self.system.is_balanced,
            rounding=self.rounding,
            estimate=self.estimate,
            ramp=self.ramp.bets,
            ramp_start=self.ramp.start,
            insurance_at=self.indices.insurance,
            deviations=self.indices.deviations(),
        )


@dataclass(frozen=True, slots=True)
class CountLine:
    """The rounds that began with one count.

    Attributes
    ----------
    count, mean_count
        The count by which was bet, and the mean of the exact counts that were rounded to it.
    packs_left
        The harmonic mean of the packs not yet seen.
    rounds, share
        How many rounds, and which part of all.
    bet
        Units bet.
    value, stderr
        What was won per initial bet, with its error as if rounds were independent (rounds of one count nearly are).
    std
        The standard deviation of a round, in initial bets.
    insured
        How often insurance was taken, per round.
    """

    count: int
    mean_count: float
    packs_left: float
    rounds: int
    share: float
    bet: float
    value: float
    stderr: float | None
    std: float
    insured: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, repr=False)
class CountingResult(Estimate, Result):
    """What playing with a count came to, from the player's side.

    Attributes
    ----------
    value, std, stderr
        Units won per *round*, whatever was bet; the standard deviation of a round; the error of the value, over independent shoes.
    mean_bet
        Units bet per round; ``value / mean_bet`` is what is won per initial bet.
    rounds_per_shoe
        Over shoes dealt to their cut card; None if there was none.
    by_count
        The same by the count before the deal, rising.
    seed, stream, seconds
        Where the cards came from, on ``blocks`` or ``lanes``, and how long it took. Two results of the same rounds are equal whatever it says.
    """

    value: float
    std: float
    stderr: float
    mean_bet: float
    rounds: int
    rounds_per_shoe: float | None
    by_count: tuple[CountLine, ...]
    seed: int
    seconds: float = field(compare=False)
    rules: BlackjackRules
    strategy: CountingStrategy
    stream: StreamName = "blocks"

    @property
    def per_bet(self) -> float:
        """What was won per initial bet, as ``simulate`` gives it."""
        return self.value / self.mean_bet

    @property
    def n0(self) -> float | None:
        """See :func:`~croupier.blackjack.counting.bankroll.rounds_to_overcome`."""
        return rounds_to_overcome(self.value, self.std)

    @property
    def score(self) -> float:
        """See :func:`~croupier.blackjack.counting.bankroll.custom_score`."""
        return custom_score(self.value, self.std)

    @property
    def desirability(self) -> float:
        """See :func:`~croupier.blackjack.counting.bankroll.desirability_index`."""
        return desirability_index(self.value, self.std)

    def risk_of_ruin(self, bankroll: float) -> float:
        """See :func:`~croupier.blackjack.counting.bankroll.risk_of_ruin`."""
        return risk_of_ruin(self.value, self.std, bankroll)

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "value": self.value,
            "std": self.std,
            "stderr": self.stderr,
            "interval": list(self.confidence_interval()),
            "per_100_rounds": 100 * self.value,
            "per_bet": self.per_bet,
            "mean_bet": self.mean_bet,
            "n0": self.n0,
            "score": self.score,
            "desirability_index": self.desirability,
            "rounds": self.rounds,
            "rounds_per_shoe": self.rounds_per_shoe,
            "seed": self.seed,
            "stream": self.stream,
            "seconds": self.seconds,
            "by_count": [line.to_dict() for line in self.by_count],
        }

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        low, high = self.interval
        return {
            "per 100 rounds": f"{100 * self.value:+.3f} units (95 %: {100 * low:+.3f} to {100 * high:+.3f})",
            "per initial bet": f"{self.per_bet:+.4%}; {self.mean_bet:.3f} units bet per round",
            "standard deviation of a round": f"{self.std:.3f} units",
            "system": f"{self.strategy.system.name}, bets {self.strategy.ramp}, {len(self.strategy.indices.plays)} index plays",
            "N0": "it does not win"
            if self.n0 is None
            else f"{self.n0:,.0f} rounds; c-SCORE {self.score:.2f}",
            "rounds": f"{self.rounds:,}, seed {self.seed}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the result by count as a data frame, with the attributes of :class:`CountLine` as columns."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame([line.to_dict() for line in self.by_count])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            **self.figures(),
            "system": self.strategy.system.to_dict(),
            "ramp": str(self.strategy.ramp),
            "rounding": self.strategy.rounding,
            "estimate": self.strategy.estimate,
            "indices": self.strategy.indices.to_dict(),
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }


def counting_result(
    tally: CountingTally,
    rules: BlackjackRules,
    strategy: CountingStrategy,
    *,
    scale: int,
    seed: int,
    seconds: float,
    stream: StreamName = "blocks",
) -> CountingResult:
    """Turn counts into figures."""
    rounds, bets, won = (int(total) for total in tally.by_count.sum(axis=0)[: kernel.INSURED])
    value = won / (scale * rounds)
    square = float(tally.sums[:, kernel.SQUARED].sum()) / (scale * scale * rounds)
    std = math.sqrt(max(square - value * value, 0.0))
    full_shoes = tally.spreads[kernel.FULL_SHOES]
    over_shoes = tally.spreads[
        [kernel.SHOES, kernel.WON_SQUARED, kernel.WON_TIMES_ROUNDS, kernel.ROUNDS_SQUARED]
    ].tolist()
    return CountingResult(
        value=value,
        std=std,
        stderr=error_over_shoes(over_shoes, value, scale, rounds) or std / math.sqrt(rounds),
        mean_bet=bets / rounds,
        rounds=rounds,
        rounds_per_shoe=float(tally.spreads[kernel.FULL_SHOE_ROUNDS] / full_shoes) if full_shoes else None,
        by_count=tuple(
            _line(tally, place, scale, rounds)
            for place in range(kernel.COUNTS)
            if tally.by_count[place, kernel.ROUNDS]
        ),
        seed=seed,
        seconds=seconds,
        rules=rules,
        strategy=strategy,
        stream=stream,
    )


def _line(tally: CountingTally, place: int, scale: int, all_rounds: int) -> CountLine:
    rounds, bets, won, insured = tally.by_count[place].tolist()
    bet = bets / rounds
    value = won / (scale * bets)
    square = float(tally.sums[place, kernel.SQUARED]) / (scale * scale * rounds * bet * bet)
    std = math.sqrt(max(square - value * value, 0.0))
    return CountLine(
        count=place - kernel.COUNT_RANGE,
        mean_count=float(tally.sums[place, kernel.EXACT_COUNT]) / rounds,
        packs_left=rounds / float(tally.sums[place, kernel.PER_PACK]),
        rounds=rounds,
        share=rounds / all_rounds,
        bet=bet,
        value=value,
        stderr=std / math.sqrt(rounds) if rounds > 1 else None,
        std=std,
        insured=insured / rounds,
    )
