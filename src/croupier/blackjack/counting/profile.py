"""A count profile: what every count and depth of a table is worth, from which any question about bets is answered without playing."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.blackjack.counting.answers import Answer, answer_of, errors_of_ratios
from croupier.blackjack.counting.bet_ramp import BetRamp
from croupier.blackjack.counting.direct_play import (
    Cover,
    PlayedBankrolls,
    PlayedBets,
    play_bankrolls,
    play_question,
)
from croupier.blackjack.counting.people import NO_SLIPS, PersonAtTable, Slips
from croupier.blackjack.counting.profile_kernel import FIELDS_PER_SPOT, ROUNDS, Cells
from croupier.blackjack.counting.profile_layout import ProfileLayout
from croupier.blackjack.counting.questions import Question, bet_choice, question_of
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.shoe_paths import ShoeSample
from croupier.blackjack.counting.system import verify_countable
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.table_setup import Seating
from croupier.blackjack.solvers.chart import Chart
from croupier.extras import needs
from croupier.numerics.streams import fresh_seed
from croupier.results import Estimate, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """The rounds that began with one count.

    Attributes
    ----------
    count, rounds, share
        The count, how many rounds, and which part of all.
    value, stderr, std
        What one place wins with one unit, its error over groups of whole shoes, and the standard deviation of a round. The error is None where
        only one group has seen the count.
    correlation
        Between two places of the same round; None where only one place is recorded.
    """

    count: int
    rounds: int
    share: float
    value: float
    stderr: float | None
    std: float
    correlation: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CountProfile(Estimate, Result):
    """What every count of a table is worth with one unit on each place.

    Attributes
    ----------
    rules, strategy
        The table, and how the cards are counted and played. The ramp of the strategy is one unit.
    spots, others
        Places that you may play, and places of other players.
    slips, other_chart
        How often you err, and what the others play; None as you do.
    layout, cells, scale
        How rounds are sorted, what is recorded of them, and a unit as a whole number.
    seed, seconds
        Where the cards came from, and how long it took.
    """

    rules: BlackjackRules
    strategy: CountingStrategy
    spots: int
    others: int
    layout: ProfileLayout
    cells: Cells
    scale: int
    seed: int
    seconds: float = field(compare=False)
    slips: Slips = NO_SLIPS
    other_chart: Chart | None = None
    _dealt_again: list[ShoeSample] = field(default_factory=list, init=False, compare=False)

    @property
    def shoes(self) -> ShoeSample:
        """Whole shoes of the table, for the risks of ruin. They are dealt at the first question, which takes a tenth of a second, and kept."""
        if not self._dealt_again:
            self._dealt_again.append(ShoeSample.of(self))
        return self._dealt_again[0]

    @property
    def somebody(self) -> PersonAtTable:
        """Who plays, at which table."""
        seating = Seating(
            self.rules,
            self.strategy.lowest_chart,
            self.spots + self.others,
            self.strategy.play(self.rules),
        )
        return PersonAtTable(seating, self.strategy.system, self.spots, self.slips, self.other_chart)

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return int(self.cells[:, 0, :, :, ROUNDS].sum())

    @property
    def value(self) -> float:  # type: ignore[override]
        """What one unit on the first place wins per round at all counts."""
        return float(self.cells[:, 0, :, :, 1].sum()) / (self.scale * self.rounds)

    @property
    def stderr(self) -> float:  # type: ignore[override]
        """The error of the value, over groups of whole shoes; of a single group, as if its rounds were independent."""
        groups = self.cells[:, 0].sum(axis=(1, 2))
        (error,) = errors_of_ratios(groups[:, 1:2], groups[:, ROUNDS : ROUNDS + 1])
        if error is not None:
            return error / self.scale
        square = float(self.cells[:, 0, :, :, 2].sum()) / (self.scale**2 * self.rounds)
        return math.sqrt(max(square - self.value**2, 0.0) / self.rounds)

    @property
    def by_count(self) -> tuple[ProfileLine, ...]:
        """What each count is worth, rising."""
        groups = self.cells[:, 0].sum(axis=1)
        seen = np.flatnonzero(groups[:, :, ROUNDS].sum(axis=0))
        return tuple(
            _line(self.layout.counts[place], groups[:, place], self.scale, self.rounds)
            for place in seen.tolist()
        )

    def played(self, question: Question) -> Cells:
        """Return what is recorded of the rounds that a player is in for, by group, count and field."""
        steps = self.layout.steps_before(question.penetration, verify_countable(self.rules))
        states = self.layout.states_in(question.enter, question.leave, returns=question.returns)
        found: Cells = self.cells[:, states, :steps].sum(axis=(1, 2))
        return found

    def dealt(self, question: Question) -> Cells:
        """Return how many rounds are dealt in front of the cut card, by group."""
        steps = self.layout.steps_before(question.penetration, verify_countable(self.rules))
        found: Cells = self.cells[:, 0, :steps, :, ROUNDS].sum(axis=(1, 2))
        return found

    def answer(self, bets: BetRamp | str = "1:1", **circumstances: Any) -> Answer:
        """Say what bets by count come to. Nothing is played: the answer is arithmetic on what was recorded.

        Parameters
        ----------
        bets
            Units on each place from rising counts on, such as ``1:1,2:2,3:4``; 0 sits a round out.
        circumstances
            The attributes of :class:`~croupier.blackjack.counting.questions.Question`: spots, entering and leaving, the cut card, the
            bankroll, the limits of the table, hours, a goal.

        Raises
        ------
        InputError
            If the profile does not hold what is asked for.

        Examples
        --------
        >>> from croupier import blackjack
        >>> table = blackjack.profile(blackjack.Rules(decks=1), indices="none", rounds=200_000, seed=1)
        >>> flat = table.answer("1:1", bankroll=500)
        >>> abs(flat.win_rate.value - table.value) < 1e-12, flat.ruin.value
        (True, 1.0)
        >>> wide = table.answer("0:0,1:1,2:4", bankroll=500, hours=100)
        >>> wide.win_rate.value > flat.win_rate.value, 0 < wide.trip_ruin.value < 1
        (True, True)
        """
        question = question_of(bets, circumstances)
        return answer_of(self, bet_choice(self, question))

    def bets(
        self,
        *,
        spread: float | None = None,
        kelly: float | None = None,
        sit_out_below: int | None = None,
        **circumstances: Any,
    ) -> Answer:
        """Find the best bets, and say what they come to.

        Parameters
        ----------
        spread
            The best ramp from one unit to so many: the largest SCORE.
        kelly
            Instead: the bets that make the bankroll grow fastest, times this fraction.
        sit_out_below
            Bet nothing at counts below this one; by default every round is played.
        circumstances
            As for :meth:`answer`.

        Examples
        --------
        >>> from croupier import blackjack
        >>> table = blackjack.profile(blackjack.Rules(decks=1), indices="none", rounds=200_000, seed=1)
        >>> best = table.bets(spread=8)
        >>> best.score.value >= table.answer("0:1,1:8").c_score.value
        True
        >>> whole = table.bets(kelly=0.5, bankroll=10_000, minimum=10, maximum=500, chip=5)
        >>> all(bet % 5 == 0 for _, bet in whole.bets)
        True
        """
        if kelly is not None:
            circumstances["kelly"] = kelly
        question = question_of("0:1", circumstances)
        return answer_of(self, bet_choice(self, question, spread, kelly, sit_out_below))

    def play(
        self,
        bets: BetRamp | str = "1:1",
        *,
        rounds: int = 10_000_000,
        seed: int | None = None,
        cover: Cover | None = None,
        workers: int | None = None,
        **circumstances: Any,
    ) -> PlayedBets:
        """Play bets for real with new cards: the second method behind :meth:`answer`, and the only one for cover limits.

        Parameters
        ----------
        bets, circumstances
            As for :meth:`answer`.
        cover
            How fast bets may rise; as fast as the count says if none is given.

        Examples
        --------
        >>> from croupier import blackjack
        >>> table = blackjack.profile(blackjack.Rules(decks=1), indices="none", rounds=200_000, seed=1)
        >>> answer, played = table.answer("0:1,1:4"), table.play("0:1,1:4", rounds=200_000, seed=2)
        >>> abs(answer.win_rate.value - played.win_rate.value) < 4 * (answer.win_rate.stderr + played.win_rate.stderr)
        True
        """
        question = question_of(bets, circumstances)
        fresh = fresh_seed() if seed is None else seed
        return play_question(self, question, rounds=rounds, seed=fresh, cover=cover, workers=workers)

    def play_bankrolls(
        self,
        bets: BetRamp | str = "1:1",
        *,
        trips: int = 10_000,
        seed: int | None = None,
        cover: Cover | None = None,
        resize: float | None = None,
        workers: int | None = None,
        **circumstances: Any,
    ) -> PlayedBankrolls:
        """Play bankrolls for real, until they are lost, win the goal, or the trip is over.

        Parameters
        ----------
        bets, circumstances
            As for :meth:`answer`, with the hours of a trip, a goal, or both.
        trips
            How many bankrolls.
        resize
            Bets follow the bankroll, whenever it has changed by this part since they last did; 0 after every round. Such a bankroll
            ends at the floor.

        Examples
        --------
        >>> from croupier import blackjack
        >>> table = blackjack.profile(blackjack.Rules(decks=1), indices="none", rounds=200_000, seed=1)
        >>> ends = table.play_bankrolls("0:1,1:4", trips=200, seed=2, bankroll=50, goal=50)
        >>> round(ends.ruined.value + ends.reached.value, 9), ends.left.value
        (1.0, 0.0)
        """
        question = question_of(bets, circumstances)
        fresh = fresh_seed() if seed is None else seed
        return play_bankrolls(
            self, question, trips=trips, seed=fresh, cover=cover, resize=resize, workers=workers
        )

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "value": self.value,
            "stderr": self.stderr,
            "rounds": self.rounds,
            "seed": self.seed,
            "seconds": self.seconds,
            "by_count": [line.to_dict() for line in self.by_count],
        }

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        lines = [line for line in self.by_count if line.value > 0 and line.share > 0.0005]
        first = f"{lines[0].count:+d}" if lines else "none"
        return {
            "rounds": f"{self.rounds:,}, seed {self.seed}",
            "one unit every round": f"{self.value:+.4%}",
            "first count that wins": first,
            "system": f"{self.strategy.system.name}, {len(self.strategy.indices.plays)} index plays",
            "places": f"{self.spots} of your own, {self.others} of others"
            + ("" if self.other_chart is None else ", who play by a chart of their own"),
            **self._mistakes(),
            "rules": BLACKJACK.describe(self.rules),
        }

    def _mistakes(self) -> dict[str, str]:
        if self.slips.is_nothing:
            return {}
        rates = f"{self.slips.miscounts:.1%} of the rounds miscounted, {self.slips.misplays:.1%} misplayed"
        return {"mistakes": rates}

    def to_frame(self) -> "pd.DataFrame":
        """Return the profile by count as a data frame, with the attributes of :class:`ProfileLine` as columns."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame([line.to_dict() for line in self.by_count])

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the cells as plain values, ready for JSON."""
        return {
            **self.figures(),
            "interval": list(self.interval),
            "spots": self.spots,
            "others": self.others,
            "miscounts": self.slips.miscounts,
            "misplays": self.slips.misplays,
            "other_chart": None if self.other_chart is None else self.other_chart.to_dict(),
            "enters": list(self.layout.enters),
            "leaves": list(self.layout.leaves),
            "system": self.strategy.system.to_dict(),
            "rounding": self.strategy.rounding,
            "estimate": self.strategy.estimate,
            "indices": self.strategy.indices.to_dict(),
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }


def _line(count: int, groups: Cells, scale: int, all_rounds: int) -> ProfileLine:
    """Sum up a count; ``groups`` is what each group has recorded of it."""
    record = groups.sum(axis=0).tolist()
    rounds = record[ROUNDS]
    value = record[1] / (scale * rounds)
    variance = max(record[2] / (scale * scale * rounds) - value**2, 0.0)
    correlation = None
    if len(record) > 1 + FIELDS_PER_SPOT and variance > 0:
        together = record[3] / (scale * rounds)
        of_two = record[4] / (scale * scale * rounds) - together**2
        correlation = of_two / (2 * variance) - 1.0
    (error,) = errors_of_ratios(groups[:, 1:2], groups[:, ROUNDS : ROUNDS + 1])
    return ProfileLine(
        count,
        rounds,
        rounds / all_rounds,
        value,
        None if error is None else error / scale,
        math.sqrt(variance),
        correlation,
    )
