"""Answers of a count profile: win rate, standard deviation, SCORE, N0 and risks of ruin of any bets, each with its error."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from croupier.blackjack.counting.bankroll import (
    certainty_equivalent,
    custom_score,
    desirability_index,
    rounds_to_overcome,
    score_of_index,
)
from croupier.blackjack.counting.best_bets import CountMoments, best_factor
from croupier.blackjack.counting.overshoot import past_grid
from croupier.blackjack.counting.profile_kernel import FIELDS_PER_SPOT, ROUNDS, Cells
from croupier.blackjack.counting.questions import BetChoice, Question, moments_of, spots_of
from croupier.blackjack.counting.ruin import RuinRisks
from croupier.blackjack.counting.shoe_paths import ShoePaths, bettor_of
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.solvers.hands import Floats
from croupier.errors import InputError
from croupier.results import Result

if TYPE_CHECKING:
    from croupier.blackjack.counting.profile import CountProfile


class Figure(NamedTuple):
    """A number and its standard error; None where a run is too short to tell."""

    value: float
    stderr: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return both as plain values."""
        return self._asdict()

    @property
    def chance_range(self) -> tuple[float, float] | None:
        """For a chance: one error either way, cut at 0 and 1, where it would pass one of them; None where it would not.

        >>> Figure(0.99, 0.04).chance_range, Figure(0.5, 0.04).chance_range
        ((0.95, 1.0), None)
        """
        if self.stderr is None or (self.stderr <= self.value <= 1.0 - self.stderr):
            return None
        return max(self.value - self.stderr, 0.0), min(self.value + self.stderr, 1.0)


@dataclass(frozen=True, slots=True)
class BetLine:
    """What is bet at one count, and what it comes to.

    Attributes
    ----------
    count, share
        The count, and which part of all rounds dealt is played at it.
    places, bet
        How many places are played, and what is bet on each, in money.
    value, stderr, std
        Mean, its error over groups of whole shoes, and standard deviation of what all places together win with one unit on each. The error
        is None where only one group has seen the count.
    """

    count: int
    share: float
    places: int
    bet: float
    value: float
    stderr: float | None
    std: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Result):
    """What bets by count come to, in money and per round *dealt*, whether it is played or not.

    Attributes
    ----------
    question, rounds
        What was asked, and how many rounds of the profile the answer rests on.
    bets
        What is bet on each place: ``(count, money)`` from rising counts on.
    played, mean_bet
        Which part of all rounds is played, and what is bet per round dealt, over all places.
    win_rate, win_per_100, win_per_hour
        What is won, per round, in 100 rounds and in an hour.
    std, std_per_hour
        The standard deviation of a round and of an hour.
    c_score, score
        The square of the DI with these bets; with the best bets of the same spread, at the same counts, on the same places (SCORE).
    desirability_index, n0
        1000 means per standard deviation, and rounds until the expected win is one standard deviation; N0 is None for a game that does not
        win.
    certainty_equivalent
        What an hour is worth to a player who fears risk as Kelly's fraction says.
    ruin, trip_ruin, goal_ruin, drawdown
        The chance to lose the bankroll: ever, within the trip, before the goal; and to see it fall to its floor ever if bets follow it.
        None where there is no trip or no goal.
    overshoot
        By how much the last bets take a lost bankroll past nothing on average, in money. The risks allow for it.
    by_count
        The bets, count by count.
    risks
        What the risks of ruin of these bets are for other bankrolls, trips and goals.
    """

    question: Question
    rounds: int
    bets: tuple[tuple[int, float], ...]
    played: Figure
    mean_bet: Figure
    win_rate: Figure
    win_per_100: Figure
    win_per_hour: Figure
    std: Figure
    std_per_hour: Figure
    c_score: Figure
    score: Figure
    desirability_index: Figure
    n0: Figure | None
    certainty_equivalent: Figure
    ruin: Figure
    trip_ruin: Figure | None
    goal_ruin: Figure | None
    drawdown: Figure
    overshoot: float
    by_count: tuple[BetLine, ...]
    risks: RuinRisks

    @property
    def ramp(self) -> str:
        """The bets as text: money on each place from rising counts on."""
        return ",".join(f"{count}:{bet:g}" for count, bet in self.bets)

    def bet_array(self, counts: Sequence[int]) -> Floats:
        """Return the bets on each place by count.

        Parameters
        ----------
        counts
            The counts of the profile.
        """
        bets = np.array([bet for _, bet in self.bets])
        steps = np.searchsorted([count for count, _ in self.bets], counts, side="right") - 1
        found: Floats = bets[np.maximum(steps, 0)]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        asked = {
            name: getattr(self.question, name)
            for name in self.question.__slots__
            if name not in ("ramp", "spots")
        }
        figures = {
            name: value.to_dict() if isinstance(value, Figure) else value
            for name in self.__slots__
            if name not in ("question", "bets", "by_count", "risks")
            for value in (getattr(self, name),)
        }
        return {
            "bets": self.ramp,
            "spots": str(self.question.spots),
            **figures,
            "by_count": [line.to_dict() for line in self.by_count],
            "asked": asked,
        }

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        found = {
            "bets": self.ramp,
            "won per 100 rounds": _text(self.win_per_100, "+,.3f"),
            "won per hour": _text(self.win_per_hour, "+,.2f"),
            "standard deviation": f"{_text(self.std, ',.3f')} a round, {self.std_per_hour.value:,.1f} an hour",
            "SCORE": f"{_text(self.score, '.2f')}; c-SCORE {_text(self.c_score, '.2f')}",
            "DI": _text(self.desirability_index, ".3f"),
            "N0": "it does not win" if self.n0 is None else f"{_text(self.n0, ',.0f')} rounds",
            "certainty equivalent": f"{_text(self.certainty_equivalent, '+,.2f')} an hour",
            "risk of ruin": chance_text(self.ruin),
        }
        if self.trip_ruin is not None:
            found[f"in a trip of {self.question.hours:g} hours"] = chance_text(self.trip_ruin)
        if self.goal_ruin is not None:
            found[f"before {self.question.goal:g} are won"] = chance_text(self.goal_ruin)
        found[f"ever down to {self.question.floor:.0%}, bets resized"] = chance_text(self.drawdown)
        return found | {"rounds": f"{self.rounds:,}"}


def _text(figure: Figure, style: str) -> str:
    error = "" if figure.stderr is None else f" ± {figure.stderr:{style.lstrip('+')}}"
    return f"{figure.value:{style}}{error}"


def chance_text(figure: Figure) -> str:
    """Write a chance with its error; as a range where that would pass 0 or 100 %.

    >>> chance_text(Figure(0.25, 0.01)), chance_text(Figure(1.0, 0.04367)), chance_text(Figure(1.0, 0.0))
    ('25.000% ± 1.000%', '100.000% (95.633% to 100.000%)', '100.000% ± 0.000%')
    """
    if figure.chance_range is None:
        return _text(figure, ".3%")
    low, high = figure.chance_range
    return f"{figure.value:.3%} ({low:.3%} to {high:.3%})"


class _Samples(NamedTuple):
    """Sums of a profile: first of all groups, then without each of them in turn (jackknife)."""

    cells: Cells  # [sample, count, field]
    dealt: Integers  # [sample]

    def moments(self, sample: int, spots: Integers, scale: int) -> CountMoments:
        """Return what one unit on each place comes to in a sample, by count."""
        return moments_of(self.cells[sample], int(self.dealt[sample]), spots, scale)


def _samples_of(profile: "CountProfile", question: Question) -> _Samples:
    groups, dealt = profile.played(question), profile.dealt(question)
    total, all_dealt = groups.sum(axis=0), dealt.sum()
    seen = np.flatnonzero(dealt)
    if len(seen) < 2:
        return _Samples(total[None], all_dealt[None])
    without = total[None] - groups[seen]
    return _Samples(np.concatenate([total[None], without]), np.append(all_dealt, all_dealt - dealt[seen]))


def with_error(values: Floats) -> Figure:
    """Return the first value, with its error from those in which one group is missing (the jackknife of B. Efron)."""
    if len(values) == 1:
        return Figure(float(values[0]), None)
    missing = values[1:]
    error = math.sqrt((len(missing) - 1) / len(missing) * float(((missing - missing.mean()) ** 2).sum()))
    return Figure(float(values[0]), error)


class _Results(NamedTuple):
    """Mean and standard deviation of a round, sample by sample."""

    means: Floats
    stds: Floats

    def figure(self, measure: Callable[[float, float], float]) -> Figure:
        """Return what a measure of both comes to, with its error."""
        found = [
            measure(mean, std) for mean, std in zip(self.means.tolist(), self.stds.tolist(), strict=True)
        ]
        return with_error(np.array(found))


def through(figure: Figure, measure: Callable[[float], float]) -> Figure:
    """Return a measure of a figure, with its error from what the measure is one error higher and one error lower.

    Where a measure bends or ends inside the error, as a risk of ruin does at 1 and a SCORE at 0, this holds and the jackknife does not.

    >>> through(Figure(3.0, 1.0), lambda index: index**2)  # the root of 4 * 9 * 1 + 1
    Figure(value=9.0, stderr=6.082762530298219)
    """
    value = measure(figure.value)
    if figure.stderr is None:
        return Figure(value, None)
    up, down = (measure(figure.value + side * figure.stderr) - value for side in (1, -1))
    return Figure(value, math.sqrt((up**2 + down**2) / 2))


class _Ruin(NamedTuple):
    """Risks of ruin with their errors: those of mean and standard deviation over the groups of the profile, and those of the sample of shoes."""

    results: _Results
    paths: tuple[ShoePaths, ...]  # of all shoes of the sample, then without each of its groups

    @classmethod
    def of(
        cls,
        profile: "CountProfile",
        question: Question,
        bets: Floats,
        spots: Integers,
        moments: CountMoments,
        results: _Results,
    ) -> Self:
        """Sum up the shoes of a profile with some bets."""
        bettor = bettor_of(profile, question, bets, spots, moments)
        return cls(results, profile.shoes.paths(bettor, float(moments.shares @ (bets**2 * moments.squares))))

    @property
    def risks(self) -> RuinRisks:
        """The risks of the whole profile and the whole sample."""
        return RuinRisks(float(self.results.means[0]), float(self.results.stds[0]), self.paths[0])

    def figure(self, measure: Callable[[RuinRisks], float]) -> Figure:
        """Return a risk, with its error."""
        of_profile = self.results.figure(lambda mean, std: measure(replace(self.risks, mean=mean, std=std)))
        return self._with_sample(of_profile, measure)

    def for_ever(self, measure: Callable[[RuinRisks], float]) -> Figure:
        """Return a risk that depends on the mean over the variance and ends at 1 where it is 0, with its error."""
        std = float(self.results.stds[0])
        rate = self.results.figure(lambda mean, std: 2.0 * mean / std**2 if std > 0 else 0.0)
        of_profile = through(rate, lambda twice: measure(replace(self.risks, mean=twice * std**2 / 2.0)))
        return self._with_sample(of_profile, measure)

    def _with_sample(self, of_profile: Figure, measure: Callable[[RuinRisks], float]) -> Figure:
        of_sample = with_error(np.array([measure(replace(self.risks, paths=paths)) for paths in self.paths]))
        if of_profile.stderr is None:
            return of_profile
        return Figure(of_profile.value, math.hypot(of_profile.stderr, of_sample.stderr or 0.0))


def _results(samples: _Samples, bets: Floats, choice: BetChoice, spots: Integers, scale: int) -> _Results:
    """Return what bets come to, tips paid. If they were chosen by the same rounds, what that flatters is taken off."""
    field, places = 1 + FIELDS_PER_SPOT * (spots - 1), np.arange(len(spots))
    won, squared = samples.cells[:, places, field], samples.cells[:, places, field + 1]
    dealt = np.maximum(samples.dealt, 1) * float(scale)
    flattery, of_square = _flattery(samples, choice, spots, scale)
    means = won @ bets / dealt - flattery
    squares = squared @ bets**2 / (dealt * scale) - of_square
    deviations = np.sqrt(np.maximum(squares - means**2, 0.0))
    return _Results(means - choice.question.tips / choice.question.rounds_per_hour, deviations)


def _flattery(samples: _Samples, choice: BetChoice, spots: Integers, scale: int) -> tuple[float, float]:
    """Return by how much the rounds that chose the bets flatter their mean and mean square (cross-validation).

    Bets are chosen again without each group, with the same factor. What they come to on all groups is compared with what they come to
    on the group that had no say.
    """
    if len(samples.dealt) == 1 or not choice.leaves_choice:
        return 0.0, 0.0
    field, places = 1 + FIELDS_PER_SPOT * (spots - 1), np.arange(len(spots))
    bets = np.array(
        [choice.bets(samples.moments(sample, spots, scale)) for sample in range(1, len(samples.dealt))]
    )
    of_all, of_groups = samples.cells[0], samples.cells[0] - samples.cells[1:]
    dealt = float(samples.dealt[0]) * scale
    groups = len(bets)
    found = []
    for power, offset in ((1, 0), (2, 1)):
        placed = bets**power
        on_all = float((placed @ of_all[places, field + offset]).sum()) / groups
        held_out = float((placed * of_groups[:, places, field + offset]).sum())
        found.append((on_all - held_out) / (dealt * (scale if power == 2 else 1)))
    return found[0], found[1]


def answer_of(profile: "CountProfile", choice: BetChoice) -> Answer:
    """Say what bets in money on each place, by the counts of a profile, come to."""
    question = choice.question
    spots = spots_of(profile, question)
    samples = _samples_of(profile, question)
    moments = samples.moments(0, spots, profile.scale)
    bets = choice.bets(moments)
    results = _results(samples, bets, choice, spots, profile.scale)
    if not results.stds[0] > 0:
        raise InputError("nothing is bet: at none of the counts at which you are in is there a bet above 0")
    best = _best_of_spread(moments, bets, question)
    best_results = _results(samples, best.bets(moments), best, spots, profile.scale)
    rounds = samples.cells[:, :, ROUNDS] / np.maximum(samples.dealt, 1)[:, None]
    hourly, bankroll = question.rounds_per_hour, question.bankroll
    index, best_index = (found.figure(desirability_index) for found in (results, best_results))
    ruin, trip, goal = (
        _Ruin.of(profile, question, bets, spots, moments, results),
        question.hours,
        question.goal,
    )
    return Answer(
        question=question,
        rounds=int(samples.dealt[0]),
        bets=_steps(profile.layout.counts, bets),
        played=with_error(rounds @ (bets > 0).astype(np.float64)),
        mean_bet=with_error(rounds @ (bets * spots)),
        win_rate=with_error(results.means),
        win_per_100=with_error(100 * results.means),
        win_per_hour=with_error(hourly * results.means),
        std=with_error(results.stds),
        std_per_hour=with_error(math.sqrt(hourly) * results.stds),
        c_score=through(index, score_of_index),
        score=through(best_index, score_of_index),
        desirability_index=index,
        n0=_n0(results),
        certainty_equivalent=results.figure(
            lambda mean, std: hourly * certainty_equivalent(mean, std, bankroll, question.kelly)
        ),
        ruin=ruin.for_ever(lambda risks: risks.ever(bankroll)),
        trip_ruin=None if trip is None else ruin.figure(lambda risks: risks.trip(bankroll, trip * hourly)),
        goal_ruin=None if goal is None else ruin.figure(lambda risks: risks.goal(bankroll, goal)),
        drawdown=ruin.for_ever(lambda risks: risks.drawdown(bankroll, question.floor)),
        overshoot=ruin.risks.paths.down.overshoot + past_grid(bankroll, ruin.risks.paths.grid),
        by_count=_lines(profile, samples, bets, spots),
        risks=ruin.risks,
    )


def win_samples(profile: "CountProfile", choice: BetChoice) -> Floats:
    """Return what bets win per round: first of the whole profile, then without each of its groups."""
    samples, spots = _samples_of(profile, choice.question), spots_of(profile, choice.question)
    bets = choice.bets(samples.moments(0, spots, profile.scale))
    return _results(samples, bets, choice, spots, profile.scale).means


def score_samples(profile: "CountProfile", choice: BetChoice) -> Floats:
    """Return the c-SCORE of bets: first of the whole profile, then without each of its groups."""
    samples, spots = _samples_of(profile, choice.question), spots_of(profile, choice.question)
    bets = choice.bets(samples.moments(0, spots, profile.scale))
    results = _results(samples, bets, choice, spots, profile.scale)
    return np.array(
        [custom_score(mean, std) for mean, std in zip(*map(np.ndarray.tolist, results), strict=True)]
    )


def _n0(results: _Results) -> Figure | None:
    """Return N0; its error is None where the game does not win without one of the groups."""
    if results.means[0] <= 0:
        return None
    if results.means.min() <= 0:
        return Figure(rounds_to_overcome(float(results.means[0]), float(results.stds[0])) or 0.0, None)
    return results.figure(lambda mean, std: rounds_to_overcome(mean, std) or 0.0)


def _best_of_spread(moments: CountMoments, bets: Floats, question: Question) -> BetChoice:
    """Choose the best bets between the smallest and the largest of some, at the counts at which they bet."""
    plays = bets > 0
    least, most = np.where(plays, bets[plays].min(), 0.0), np.where(plays, bets.max(), 0.0)
    factor = best_factor(moments, least, most)
    return BetChoice(factor, least, most, least, replace(question, chip=None))


def _steps(counts: tuple[int, ...], bets: Floats) -> tuple[tuple[int, float], ...]:
    """Write bets by count as steps: where they change."""
    changes = [0, *(np.flatnonzero(np.diff(bets)) + 1).tolist()]
    steps = [(counts[place], float(bets[place])) for place in changes]
    if len(steps) > 1:
        return ((steps[1][0] - 1, steps[0][1]), *steps[1:])
    return ((0, steps[0][1]),)


def errors_of_ratios(won: Cells, rounds: Cells) -> list[float | None]:
    """Return the errors of what was won per round, from groups that share no shoe; None where only one of them has rounds.

    To the first order a group with n rounds that won w moves the ratio m by (w - m n) / N, N being all rounds. Groups lie on the first axis.

    >>> errors_of_ratios(np.array([[1, 5], [-1, 0], [2, 0], [-2, 0]]), np.array([[2, 2], [2, 0], [2, 0], [2, 0]]))
    [0.45643546458763845, None]
    """
    groups, all_rounds = np.count_nonzero(rounds, axis=0), np.maximum(rounds.sum(axis=0), 1)
    moves = (won - won.sum(axis=0) / all_rounds * rounds) / all_rounds
    errors = np.sqrt((moves**2).sum(axis=0) * groups / np.maximum(groups - 1, 1))
    return [error if seen > 1 else None for error, seen in zip(errors.tolist(), groups.tolist(), strict=True)]


def _lines(profile: "CountProfile", samples: _Samples, bets: Floats, spots: Integers) -> tuple[BetLine, ...]:
    moments = samples.moments(0, spots, profile.scale)
    stds = np.sqrt(np.maximum(moments.squares - moments.means**2, 0.0))
    groups = samples.cells[0] - samples.cells[1:]
    won = groups[:, np.arange(len(spots)), 1 + FIELDS_PER_SPOT * (spots - 1)]
    errors = errors_of_ratios(won / profile.scale, groups[:, :, ROUNDS])
    return tuple(
        BetLine(
            count,
            float(moments.shares[place]),
            int(spots[place]),
            float(bets[place]),
            float(moments.means[place]),
            errors[place],
            float(stds[place]),
        )
        for place, count in enumerate(profile.layout.counts)
        if moments.shares[place] > 0
    )
