"""Monte Carlo: deal real cards from a real deck, play two strategies against each other, count what happens.

The third answer, beside the exact solvers: nothing here is shared with them but the strategies.
"""

import hashlib
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from croupier.banluck.analysis import html, lane_kernel
from croupier.banluck.analysis import simulation_kernel as kernel
from croupier.banluck.analysis.dealing import Tally, dealing_of
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, format_multiset
from croupier.banluck.engine.permissions import DealerPermission, dealer_permission
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.devices import Device, StreamName
from croupier.numerics.random_kernels import Stream
from croupier.numerics.streams import verify_seed
from croupier.results import Estimate
from croupier.runs.blocks import Prefix
from croupier.runs.execution import Execution, execute
from croupier.runs.executors import verify_workers

if TYPE_CHECKING:  # only a table needs pandas
    import pandas as pd

#: What the rows of the kernel's histogram stand for.
OUTCOME_OF_ROW = {
    kernel.VOID: Outcome.VOID,
    kernel.BAN: Outcome.BAN,
    kernel.BUST: Outcome.BUST,
    kernel.BOTH_BUST: Outcome.BOTH_BUST,
    kernel.FORFEIT: Outcome.FORFEIT,
    kernel.DEALER_BUST: Outcome.DEALER_BUST,
    kernel.WIN: Outcome.WIN,
    kernel.LOSS: Outcome.LOSS,
    kernel.PUSH: Outcome.PUSH,
}


@dataclass(frozen=True, slots=True)
class OutcomeFrequency:
    """How often hands ended in one way, and what they brought the player on average when they did."""

    outcome: Outcome
    probability: float
    mean_units: float
    count: int


@dataclass(frozen=True, slots=True)
class SimulationResult(Estimate):
    """What a simulation found, in units of the player's bet, from the player's side.

    Attributes
    ----------
    value
        Mean units a hand.
    std
        Standard deviation of one hand.
    stderr
        Standard error of ``value``.
    hands, seed
        How many hands were played, and from which seed.
    seconds
        How long it took, compilation not counted, over all sessions of a resumed run. Not compared: equal hands are equal results.
    outcomes
        Every way in which a hand ended, in the order of :class:`Outcome`; those that never happened are left out.
    rules
        The rules played by.
    stream
        How the hands were cut into random streams, ``blocks`` or ``lanes``; a seed deals other cards on each.
    """

    value: float
    std: float
    stderr: float
    hands: int
    seed: int
    seconds: float = field(compare=False)
    outcomes: tuple[OutcomeFrequency, ...]
    rules: BanluckRules
    stream: StreamName = "blocks"

    @property
    def hands_per_second(self) -> float:
        """The speed, over all workers."""
        return self.hands / self.seconds

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "value": self.value,
            "std": self.std,
            "stderr": self.stderr,
            "hands": self.hands,
            "seed": self.seed,
            "stream": self.stream,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
            "outcomes": [
                {
                    "outcome": str(row.outcome),
                    "probability": row.probability,
                    "mean_units": row.mean_units,
                    "count": row.count,
                }
                for row in self.outcomes
            ],
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return how hands ended as a table, a row an outcome.

        >>> from croupier import banluck
        >>> frame = banluck.simulate(banluck.Rules(), player="stand-on-16", dealer="classic", hands=1000, seed=1).to_frame()
        >>> list(frame.columns)
        ['outcome', 'probability', 'mean_units', 'count']
        """
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame(self.figures()["outcomes"])

    def _repr_html_(self) -> str:
        return html.table(self.figures()["outcomes"], str(self).partition("\n")[0])

    def __str__(self) -> str:
        low, high = self.confidence_interval()
        rows = [
            f"{row.outcome:<12} {row.probability:>9.4%} {row.mean_units:>+10.4f} {row.count:>14,}"
            for row in self.outcomes
        ]
        return "\n".join(
            [
                f"value {self.value:+.6f} ± {self.stderr:.6f} units a hand (95 %: {low:+.6f} to {high:+.6f})",
                f"standard deviation {self.std:.4f} units",
                f"{self.hands:,} hands, seed {self.seed}, {self.seconds:.1f} s, {self.hands_per_second:,.0f} hands/s",
                "",
                f"{'outcome':<12} {'share':>9} {'mean units':>10} {'hands':>14}",
                *rows,
            ]
        )


@dataclass(frozen=True, slots=True)
class HeadsUp:
    """One player and the dealer, in the form that compiled code reads."""

    gpu_waves: ClassVar[int] = 16

    setup: kernel.Setup

    def play_block(self, hands: int, stream: Stream) -> kernel.Histogram:
        """Play so many hands on a stream; count them by outcome and price."""
        return kernel.play_block(hands, *self.setup, stream)

    def play_lanes(self, first: int, stop: int, key: np.uint64, hands: int) -> kernel.Histogram:
        """Play lanes of a run of so many hands here."""
        return lane_kernel.play_lanes(first, stop, key, hands, *self.setup)

    def play_on_gpu(self, first: int, stop: int, key: np.uint64, hands: int, block: int) -> kernel.Histogram:
        """Play lanes on a GPU."""
        from croupier.banluck.analysis import gpu_play  # noqa: PLC0415 - needs a GPU

        return gpu_play.play_heads_up(self.setup, first, stop, key, hands, block)


def simulate_strategies(
    player: PlayerStrategy,
    dealer: DealerStrategy,
    rules: BanluckRules,
    *,
    hands: int,
    seed: int,
    stream: StreamName = "blocks",
    device: Device = "cpu",
    block_lanes: int | None = None,
    **execution: Unpack[Execution],
) -> SimulationResult:
    """Play hands heads-up, every one from a freshly shuffled deck of 52 cards.

    What the rules force is done whatever a strategy says; for the rest both sides do as their strategies tell.
    The same hands are dealt and the same counts come back for a seed on any number of workers.

    Parameters
    ----------
    player, dealer
        The strategies, pure or mixed.
    rules
        The rules to play by.
    hands
        How many hands to play, at least 1.
    seed
        A whole number from 0 on.
    stream
        How the hands are cut into random streams: long ones on ``"blocks"``, short ones on ``"lanes"``. They deal different cards.
    device, block_lanes
        For lanes: ``"cuda"`` plays them on a GPU, or here where there is none; and how many make a block. The counts are the same.
    execution
        See :class:`~croupier.runs.execution.Execution`.

    Raises
    ------
    InputError
        If a number is out of its range, or if the dealer's strategy uses the player's card count where
        ``reveal = "none"`` forbids it.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> result = simulate_strategies(stand_on(16, rules), classic_dealer(rules), rules, hands=100_000, seed=1)
    >>> print(f"{result.value:+.4f} ± {result.stderr:.4f}")
    -0.0123 ± 0.0032
    """
    verify_workers(execution.get("workers"))
    if hands < 1:
        raise InputError(f"hands = {hands}: at least 1 hand has to be played")
    verify_seed(seed)
    _verify_reveal(dealer, rules)
    setup = kernel.setup_of(rules, player, dealer)
    work = dealing_of(HeadsUp(setup), hands, seed, stream, device, block_lanes)
    # Compiles, or reads what was compiled before, so that the clock does not see it.
    replace(work, hands=1)(0)
    return execute(
        work,
        Tally,
        lambda prefix: _result(prefix, setup.options, seed, rules, stream),
        done=lambda tally: (tally.hands, hands),
        blocks=work.blocks,
        **execution,
    )


def strategy_digest(player: PlayerStrategy, dealer: DealerStrategy) -> str:
    """Return a fingerprint of two strategies, to tell whether a resumed run would play the same.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> sixteen, seventeen = (strategy_digest(stand_on(total, rules), classic_dealer(rules)) for total in (16, 17))
    >>> sixteen == seventeen
    False
    """
    digest = hashlib.sha256()
    for probabilities in (player.hit, dealer.draw, dealer.surrender):
        digest.update(np.ascontiguousarray(probabilities).tobytes())
    return digest.hexdigest()[:16]


def _verify_reveal(dealer: DealerStrategy, rules: BanluckRules) -> None:
    """Refuse a dealer who looks at the player's card count where the rules forbid it."""
    if rules.reveal != "none":
        return
    for index in np.flatnonzero(np.ptp(dealer.draw, axis=1)):
        hand = evaluate_classes(MULTISETS[index], rules)
        if dealer_permission(hand, rules) is DealerPermission.CHOICE:
            draws = ", ".join(
                f"{draw:g} against {count}"
                for draw, count in zip(dealer.draw[index], PLAYER_CARD_COUNTS, strict=True)
            )
            raise InputError(
                f"dealer's strategy at {format_multiset(MULTISETS[index])}: draws {draws} cards; under "
                'reveal = "none" the dealer must draw equally often whatever the player\'s card count'
            )


def _result(
    prefix: Prefix[Tally], options: kernel.Options, seed: int, rules: BanluckRules, stream: StreamName
) -> SimulationResult:
    histogram = prefix.summary.histogram
    units = kernel.units_by_column(options)
    hands = prefix.summary.hands
    counts = histogram.sum(axis=0)
    value = math.fsum(counts * units) / hands
    std = math.sqrt(math.fsum(counts * (units - value) ** 2) / hands)
    outcomes = tuple(
        OutcomeFrequency(OUTCOME_OF_ROW[row], count / hands, math.fsum(cells * units) / count, count)
        for row, cells in enumerate(histogram)
        if (count := int(cells.sum()))
    )
    return SimulationResult(
        value, std, std / math.sqrt(hands), hands, seed, prefix.seconds, outcomes, rules, stream
    )
