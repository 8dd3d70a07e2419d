"""What a simulation found: the value of the game with its error, and where it comes from."""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from croupier.blackjack.engine.moves import MOVES, Move
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.engine.side_bets import JSON_KEYS, OLD_NAMES, SIDE_BETS
from croupier.blackjack.simulation import table_kernel as kernel
from croupier.blackjack.simulation.table_setup import Seating
from croupier.blackjack.simulation.tally import OUTCOMES, Tally
from croupier.blackjack.solvers.chart import ROWS, columns_of_size
from croupier.extras import needs
from croupier.numerics.devices import StreamName
from croupier.results import Estimate, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the rounds, or of the hands: how many, how large a share, and what they won on average, in units.

    ``stderr`` is the standard error of that average, where results were squared.
    """

    count: int
    share: float
    mean: float
    stderr: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"count": self.count, "share": self.share, "mean": self.mean, "stderr": self.stderr}


@dataclass(frozen=True, slots=True)
class SideBetResult:
    """What a side bet of one unit came to."""

    value: float
    std: float
    stderr: float
    kinds: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"value": self.value, "std": self.std, "stderr": self.stderr, "kinds": self.kinds}


@dataclass(frozen=True, slots=True, repr=False)
class SimulationResult(Estimate, Result):
    """What a simulation found, from the player's side.

    Attributes
    ----------
    value
        What was won per initial bet: doubled and split bets and insurance count in what is won, not in what it is divided by.
    std
        Standard deviation of one player's result in one round, in units.
    stderr
        Standard error of ``value``, from shoe to shoe: rounds of one shoe, and seats of one round, are not independent.
    rounds, seats, shoes
        How many rounds were played, at how many seats, and from how many shoes, the last of a block dealt in part.
    rounds_per_shoe, cards_per_round
        Over the shoes that were dealt to their cut card; None if there was none.
    mean_bet, staked, hands
        Units of the initial bet; all bets together per initial bet; hands per player and round.
    seed, seconds
        Where the cards came from, and how long it took. Two results of the same rounds are equal whatever it says.
    outcomes
        How hands ended; shares are of all hands.
    cells
        By row and up-card of the first decision: rounds, their share, and the mean result per initial bet, dealer's naturals included.
    moves
        The same by the first move; NONE where there was nothing to decide.
    insurance
        How often it was taken, per player and round.
    side_bets
        Perfect pairs and 21+3, where they were counted.
    seating
        What was played.
    stream
        How rounds were cut into random streams: the same seed deals other cards on another stream.
    """

    value: float
    std: float
    stderr: float
    rounds: int
    seats: int
    shoes: int
    rounds_per_shoe: float | None
    cards_per_round: float | None
    mean_bet: float
    staked: float
    hands: float
    insurance: float
    seed: int
    seconds: float = field(compare=False)
    outcomes: dict[Outcome, Share]
    cells: dict[tuple[str, str], Share]
    moves: dict[Move, Share]
    side_bets: dict[str, SideBetResult]
    seating: Seating
    stream: StreamName = "blocks"

    @property
    def rules(self) -> BlackjackRules:
        """The rules that were played by."""
        return self.seating.rules

    @property
    def rounds_per_second(self) -> float:
        """The speed, over all workers."""
        return self.rounds / self.seconds if self.seconds > 0 else 0.0

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in; cells are left to :meth:`cells_csv`."""
        return {
            "value": self.value,
            "std": self.std,
            "stderr": self.stderr,
            "interval": list(self.confidence_interval()),
            "rounds": self.rounds,
            "seats": self.seats,
            "shoes": self.shoes,
            "rounds_per_shoe": self.rounds_per_shoe,
            "cards_per_round": self.cards_per_round,
            "mean_bet": self.mean_bet,
            "staked": self.staked,
            "hands": self.hands,
            "insurance": self.insurance,
            "seed": self.seed,
            "stream": self.stream,
            "seconds": self.seconds,
            "rounds_per_second": self.rounds_per_second,
            "outcomes": {str(outcome): share.to_dict() for outcome, share in self.outcomes.items()},
            "moves": {move.value: share.to_dict() for move, share in self.moves.items()},
            "side_bets": {
                key: bet.to_dict()
                for name, bet in self.side_bets.items()
                for key in (JSON_KEYS[name], *([name] if name in OLD_NAMES else []))
            },
        }

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        low, high = self.interval
        return {
            "value": f"{self.value:+.5%} ± {self.stderr:.5%} of the initial bet",
            "95 % interval": f"{low:+.5%} to {high:+.5%}",
            "standard deviation of a round": f"{self.std:.4f} initial bets",
            "rounds": f"{self.rounds:,} at {self.seats} seat{'' if self.seats == 1 else 's'}, seed {self.seed}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the cells of the first decision as a data frame: a line for each hand against each up-card.

        The columns are ``hand``, ``up_card``, ``rounds``, ``share``, ``mean`` (per initial bet) and ``stderr``.
        """
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        lines = [
            (row, up_card, share.count, share.share, share.mean, share.stderr)
            for (row, up_card), share in self.cells.items()
        ]
        return pd.DataFrame(lines, columns=["hand", "up_card", "rounds", "share", "mean", "stderr"])

    def cells_csv(self) -> str:
        """Write the cells as CSV, one a line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["hand", "up_card", "rounds", "share", "mean", "stderr"])
        for (row, up_card), share in self.cells.items():
            error = "" if share.stderr is None else f"{share.stderr:.8f}"
            writer.writerow([row, up_card, share.count, f"{share.share:.10f}", f"{share.mean:+.8f}", error])
        return out.getvalue()


def result_of(
    tally: Tally, seating: Seating, seed: int, seconds: float, stream: StreamName = "blocks"
) -> SimulationResult:
    """Turn counts into figures."""
    scale, sums = seating.scale, tally.sums
    count, bets, won = (int(total) for total in tally.cells.sum(axis=(0, 1, 2)))
    value = won / (scale * bets)
    mean = won / (scale * count)
    square = float(tally.squares.sum()) / (scale * scale * count)
    full_shoes, full_rounds = int(sums[kernel.FULL_SHOES]), int(sums[kernel.FULL_SHOE_ROUNDS])
    std = math.sqrt(max(square - mean * mean, 0.0))
    return SimulationResult(
        value=value,
        std=std,
        stderr=error_over_shoes(tally.spreads.tolist(), value, scale, bets) or std / math.sqrt(count),
        rounds=tally.rounds,
        seats=seating.seats,
        shoes=int(tally.spreads[kernel.SHOES]),
        rounds_per_shoe=full_rounds / full_shoes if full_shoes else None,
        cards_per_round=int(sums[kernel.FULL_SHOE_CARDS]) / full_rounds if full_rounds else None,
        mean_bet=bets / count,
        staked=int(sums[kernel.TABLE_STAKED]) / (scale * bets),
        hands=int(sums[kernel.TABLE_HANDS]) / count,
        insurance=int(sums[kernel.INSURED]) / count,
        seed=seed,
        seconds=seconds,
        outcomes=dict(_outcomes(tally, scale)),
        cells=dict(_cells(tally, scale)),
        moves=dict(_moves(tally, scale)),
        side_bets=dict(_side_bets(tally, seating)),
        seating=seating,
        stream=stream,
    )


def standard_error(tally: Tally, seating: Seating) -> float:
    """Return the standard error of the value of a tally, or infinity while there is none."""
    _, bets, won = (int(total) for total in tally.cells.sum(axis=(0, 1, 2)))
    value = won / (seating.scale * bets)
    return error_over_shoes(tally.spreads.tolist(), value, seating.scale, bets) or math.inf


def error_over_shoes(sums: Sequence[float], value: float, scale: int, bets: int) -> float | None:
    """Return the error of a quotient of two sums over shoes; None for a single shoe.

    With results x and bets b of m independent shoes it is the root of m / (m - 1) times the sum of (x - value b)^2, divided
    by the sum of b (W. G. Cochran, "Sampling Techniques", 3rd ed., section 6.3).

    Parameters
    ----------
    sums
        The number of shoes, and the sums of x^2, x b and b^2.
    """
    shoes, xx, xb, bb = sums
    if shoes < 2:
        return None
    rate = value * scale
    spread = max(xx - 2 * rate * xb + rate * rate * bb, 0.0)
    return math.sqrt(spread * shoes / (shoes - 1)) / (scale * bets)


def _outcomes(tally: Tally, scale: int) -> Iterator[tuple[Outcome, Share]]:
    hands = int(tally.outcomes[:, 0].sum())
    for outcome, (count, won) in zip(OUTCOMES, tally.outcomes.tolist(), strict=True):
        if count:
            yield outcome, Share(count, count / hands, won / (scale * count))


def _cells(tally: Tally, scale: int) -> Iterator[tuple[tuple[str, str], Share]]:
    counts, squares = tally.cells.sum(axis=2), tally.squares.sum(axis=2)
    for row, name in enumerate(ROWS):
        for place, up_card in enumerate(columns_of_size(counts.shape[1])):
            if counts[row, place, kernel.CELL_ROUNDS]:
                yield (name, up_card), _share(tally, counts[row, place], squares[row, place], scale)


def _moves(tally: Tally, scale: int) -> Iterator[tuple[Move, Share]]:
    counts, squares = tally.cells.sum(axis=(0, 1)), tally.squares.sum(axis=(0, 1))
    for number, move in enumerate(MOVES):
        if counts[number, kernel.CELL_ROUNDS]:
            yield move, _share(tally, counts[number], squares[number], scale)


def _share(tally: Tally, sums: Any, square: float, scale: int) -> Share:
    """Describe some rounds; the error of their mean takes them as independent, which rounds of one cell nearly are."""
    count, bets, won = (int(total) for total in sums)
    mean, in_units = won / (scale * bets), won / (scale * count)
    variance = max(float(square) / (scale * scale * count) - in_units * in_units, 0.0)
    error = math.sqrt(variance / count) * count / bets if count > 1 else None
    return Share(count, count / int(tally.cells[..., kernel.CELL_ROUNDS].sum()), mean, error)


def _side_bets(tally: Tally, seating: Seating) -> Iterator[tuple[str, SideBetResult]]:
    counted = iter(tally.side_kinds.tolist())
    for side_bet in SIDE_BETS:
        counts = list(islice(counted, 1 + len(side_bet.kinds)))
        bets = sum(counts)
        if bets:
            prizes = side_bet.prizes(seating.rules)
            pays = [-1.0, *(prizes[kind] or -1.0 for kind in side_bet.kinds)]
            value = sum(count * pay for count, pay in zip(counts, pays, strict=True)) / bets
            square = sum(count * pay * pay for count, pay in zip(counts, pays, strict=True)) / bets
            std = math.sqrt(square - value * value)
            shares = {str(kind): count / bets for kind, count in zip(side_bet.kinds, counts[1:], strict=True)}
            yield side_bet.name, SideBetResult(value, std, std / math.sqrt(bets), shares)
