"""What every index play earns: your eighteen, computed for the rules, the system and the bets at hand.

Two methods. The exact solver says what a cell gains at a count over the chart without one; that is weighed with how often the count
comes and with the bet there. The simulator plays rounds twice, with the play and without it, on the same cards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.blackjack.counting.bet_ramp import BetRamp, parse_ramp, usual_ramp
from croupier.blackjack.counting.indices import CountIndices, cell_worths, compute_indices
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.scale import CountScale, count_scale, excess_variance
from croupier.blackjack.counting.system import (
    CountingSystem,
    counted_shoe,
    find_system,
    verify_countable,
    verify_indexed,
)
from croupier.blackjack.counting.values import insurance_at_counts
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart
from croupier.blackjack.solvers.hands import Floats
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.cards import ACE_CLASS
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.streams import fresh_seed
from croupier.results import FromRules, Result

if TYPE_CHECKING:
    import pandas as pd

    from croupier.blackjack.counting.answers import Figure

#: What insurance is called among the rows of a chart.
INSURANCE = "insurance"

#: Depths over which counts are averaged.
_DEPTHS = 60

#: Rounds that each play is dealt when nothing else is asked for.
USUAL_ROUNDS = 2_000_000

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class IndexValue:
    """What a cell that changes with the count earns.

    Attributes
    ----------
    row, up_card
        The cell; ``insurance`` against an ace for insurance.
    text
        Where it changes, such as ``H, S from +0``.
    per_100
        What it wins in 100 rounds over the chart without a count, in units, from the exact solver.
    played
        The same from rounds played twice, with its error; None if nothing was played.
    """

    row: str
    up_card: str
    text: str
    per_100: float
    played: "Figure | None" = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "hand": self.row,
            "up_card": self.up_card,
            "change": self.text,
            "per_100": self.per_100,
            "played": None if self.played is None else self.played.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class IndexValues(FromRules, Result):
    """The index plays of a system by what they earn, the best first.

    Attributes
    ----------
    system, ramp
        What is counted, and what is bet at which count.
    values
        The plays.
    all_played
        What all of them together won in 100 rounds that were played twice; None if nothing was played.
    rounds, seed
        How many rounds each play was dealt, and their cards; 0 and None if nothing was played.
    """

    rules: BlackjackRules
    system: CountingSystem
    ramp: BetRamp
    values: tuple[IndexValue, ...]
    all_played: "Figure | None" = None
    rounds: int = 0
    seed: int | None = None

    @property
    def per_100(self) -> float:
        """What all plays together win in 100 rounds, in units, from the exact solver."""
        return sum(value.per_100 for value in self.values)

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "system": self.system.to_dict(),
            "ramp": str(self.ramp),
            "per_100": self.per_100,
            "all_played": None if self.all_played is None else self.all_played.to_dict(),
            "values": [value.to_dict() for value in self.values],
            "rounds": self.rounds,
            "seed": self.seed,
        }

    def facts(self) -> dict[str, str]:
        """Return the eighteen best plays, as text."""
        best = {f"{value.row} against {value.up_card}": _worth(value) for value in self.values[:18]}
        total = {f"all {len(self.values)}": f"{self.per_100:+.4f} per 100 rounds"}
        return best | total | {"bets": str(self.ramp), "rules": BLACKJACK.describe(self.rules)}

    def to_frame(self) -> "pd.DataFrame":
        """Return a line per play as a data frame."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame([value.to_dict() for value in self.values])


def _worth(value: IndexValue) -> str:
    played = (
        ""
        if value.played is None
        else f"; played {value.played.value:+.4f} ± {value.played.stderr or 0.0:.4f}"
    )
    return f"{value.text}: {value.per_100:+.4f} per 100 rounds{played}"


def count_shares(
    rules: BlackjackRules, system: CountingSystem, rounding: Rounding, scale: CountScale
) -> Floats:
    """Return how often each whole count of a scale comes, over all depths to the cut card, counts taken as normally distributed.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> rules = BlackjackRules(decks=6)
    >>> scale = count_scale(rules, HI_LO)
    >>> shares = count_shares(rules, HI_LO, "floor", scale)
    >>> [round(float(shares[scale.counts.index(count)]), 3) for count in (-1, 0, 3)]
    [0.225, 0.225, 0.038]
    """
    decks = verify_countable(rules)
    packs_left = decks * (1.0 - rules.penetration * (np.arange(_DEPTHS) + 0.5) / _DEPTHS)
    shares = np.zeros(len(scale.counts))
    for packs in packs_left.tolist():
        deviation = excess_variance(system, decks, packs) ** 0.5
        edges = [
            _edge(count, packs, decks, system, rounding) / deviation
            for count in (*scale.counts, scale.counts[-1] + 1)
        ]
        below = np.array([_NORMAL.cdf(edge) for edge in edges])
        below[0], below[-1] = 0.0, 1.0  # lower and higher counts are played as the first and the last
        shares += np.diff(below) / _DEPTHS
    return shares


def _edge(count: int, packs: float, decks: int, system: CountingSystem, rounding: Rounding) -> float:
    """Return the excess at which a whole count begins."""
    if not system.is_balanced:
        return system.per_pack - (system.pivot(decks) - (count - 0.5)) / packs
    if rounding == "nearest":
        return count - 0.5
    return count - 1.0 if rounding == "truncate" and count <= 0 else float(count)


def computed_values(
    rules: BlackjackRules, system: CountingSystem, chart: Chart, rounding: Rounding, ramp: BetRamp
) -> tuple[IndexValue, ...]:
    """Return what every cell that changes with the count earns in 100 rounds, from the exact solver, the best first.

    The bet is that of the count at the decision, and the cards are those that the count leads to expect.
    """
    scale = count_scale(rules, system, rounding)
    indices = compute_indices(rules, system, chart, rounding)
    weights = count_shares(rules, system, rounding, scale) * [
        float(ramp.bet(count)) for count in scale.counts
    ]
    chances = np.array([_chances_of_up_cards(rules, system, excess) for excess in scale.excesses.tolist()])
    found = []
    for (row, up_card), worths in cell_worths(rules, system, chart, rounding, UP_CARDS).items():
        plays = [play for play in indices.plays if (play.row, play.up_card) == (row, up_card)]
        if not plays:
            continue
        base = worths[chart[row, up_card]]
        gain = np.zeros(len(scale.counts))
        for number, count in enumerate(scale.counts):
            code = next((play.code for play in reversed(plays) if count >= play.count), plays[0].below)
            gain[number] = worths[code][number] - base[number]
        text = ", ".join(
            [plays[0].below.value, *(f"{play.code.value} from {play.count:+d}" for play in plays)]
        )
        often = weights * chances[:, UP_CARDS.index(up_card)]
        found.append(IndexValue(row, up_card, text, 100.0 * float(often @ gain)))
    if indices.insurance is not None:
        worth = insurance_at_counts(rules, system, scale.excesses)
        taken = np.array(scale.counts) >= indices.insurance
        earned = 50.0 * float((weights * chances[:, ACE_CLASS] * taken) @ worth)
        found.append(IndexValue(INSURANCE, "A", f"from {indices.insurance:+d}", earned))
    return tuple(sorted(found, key=lambda value: -value.per_100))


def _chances_of_up_cards(rules: BlackjackRules, system: CountingSystem, excess: float) -> Floats:
    shoe = counted_shoe(ShoeCounts.full(rules), system, excess)
    shares: Floats = shoe.classes / shoe.cards
    return shares


def best_indices(indices: CountIndices, values: Iterable[IndexValue], number: int) -> CountIndices:
    """Keep the plays that earn most, so many of them; insurance counts as one."""
    kept = list(values)[:number]
    cells = {(value.row, value.up_card) for value in kept}
    chosen = indices.only(cells)
    return chosen if (INSURANCE, "A") in cells else replace(chosen, insurance=None, insurance_exact=None)


def index_values(
    rules: BlackjackRules | None = None,
    system: CountingSystem | str = "hi-lo",
    *,
    spread: int = 8,
    ramp: BetRamp | str | None = None,
    rounding: Rounding = "floor",
    play_best: int = 0,
    rounds: int = USUAL_ROUNDS,
    seed: int | None = None,
    workers: int | None = None,
) -> IndexValues:
    """Say what every index play earns in 100 rounds, the best first.

    Parameters
    ----------
    rules, system, spread, ramp, rounding
        As in :func:`~croupier.blackjack.counting.runs.count`.
    play_best
        So many of the best are also played: rounds with the play and without it, on the same cards.
    rounds, seed, workers
        How many rounds each of them is dealt, the cards, and on how many processors.

    Examples
    --------
    >>> values = index_values(BlackjackRules(decks=6), ramp="0:1", play_best=0)
    >>> [(value.row, value.up_card) for value in values.values[:2]]
    [('16', 'T'), ('insurance', 'A')]
    """
    table = BlackjackRules() if rules is None else rules
    chosen = find_system(system) if isinstance(system, str) else system
    verify_countable(table)
    verify_indexed(table)
    if not 0 <= play_best <= len(ROWS) * len(UP_CARDS):
        raise InputError(f"play_best = {play_best}: a number of plays, from 0 on")
    if ramp is None:
        ramp = usual_ramp(table, chosen, spread)
    bets = parse_ramp(ramp) if isinstance(ramp, str) else ramp
    chart = best_chart(table).chart
    values = computed_values(table, chosen, chart, rounding, bets)
    if not play_best:
        return IndexValues(table, chosen, bets, values)
    from croupier.blackjack.counting.replayed_play import gain_over  # noqa: PLC0415 - only played ones need its kernels

    fresh = fresh_seed() if seed is None else seed
    indices = compute_indices(table, chosen, chart, rounding)
    everything = CountingStrategy(chosen, bets, indices, chart, rounding)
    nothing = replace(everything, indices=CountIndices(None, None, ()))

    def played(value: IndexValue) -> IndexValue:
        alone = replace(everything, indices=best_indices(indices, [value], 1))
        gain = gain_over(
            table,
            alone,
            nothing,
            rounds=rounds,
            seed=fresh,
            up_card=UP_CARDS.index(value.up_card),
            workers=workers,
        )
        return replace(value, played=_per_100(gain))

    seen = tuple(played(value) for value in values[:play_best]) + values[play_best:]
    total = gain_over(table, everything, nothing, rounds=rounds, seed=fresh, workers=workers)
    return IndexValues(table, chosen, bets, seen, _per_100(total), rounds, fresh)


def _per_100(gain: "Figure") -> "Figure":
    return gain._replace(
        value=100.0 * gain.value, stderr=None if gain.stderr is None else 100.0 * gain.stderr
    )
