"""``blackjack profile``: what a count profile is made of, how it is saved, resumed and read again, and how it is played."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

import numpy as np

from croupier.blackjack.counting.bet_ramp import BetRamp
from croupier.blackjack.counting.indices import indices_of
from croupier.blackjack.counting.people import NO_SLIPS, PersonAtTable, Slips
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_kernel import GROUPS, play_profile
from croupier.blackjack.counting.profile_layout import ProfileLayout, profile_layout
from croupier.blackjack.counting.profile_tally import ProfileTally
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.runs import IndexChoice, counting_plan
from croupier.blackjack.counting.system import CountingSystem, system_of
from croupier.blackjack.engine.betting import MAX_SEATS
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.simulation.length import Length, verify_length
from croupier.blackjack.simulation.runs import USUAL_ROUNDS
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED
from croupier.blackjack.simulation.table_setup import Seating, verify_seating
from croupier.blackjack.solvers.chart import Chart
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed, verify_seed
from croupier.runs.blocks import Prefix
from croupier.runs.execution import Execution, Progress, execute
from croupier.runs.executors import verify_workers
from croupier.runs.plan import Plan

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.run import Run

#: The most places that a profile records together.
MOST_SPOTS = 3

#: One unit at every count.
_ONE_UNIT = BetRamp(((0, 1),))


@dataclass(frozen=True, slots=True)
class ProfileRounds:
    """The rounds of a profile in blocks, each on a stream of its own. Every group of a block ends with a whole shoe."""

    somebody: PersonAtTable
    layout: ProfileLayout
    spots: int
    seed: int
    length: Length

    def __call__(self, block: int) -> ProfileTally:
        """Play a block."""
        return self.play(block, *self.length.of_block(block))

    def play(self, block: int, rounds: int, shoes: int) -> ProfileTally:
        """Play at least so many rounds or shoes on the stream of a block, whichever is reached first, in groups of whole shoes."""
        seating, person = self.somebody.seating, self.somebody.person()
        records, bins = self.somebody.records(self.seed, block), self.layout.bins(self.spots)
        cells = self.layout.empty_cells(self.spots)
        peaks = np.zeros(len(bins.leaves), dtype=np.int64)
        lows = np.zeros(len(bins.single_enters), dtype=np.int64)
        states = np.zeros(1 + len(peaks) + len(lows), dtype=np.int64)
        for group in range(GROUPS):
            of_rounds, of_shoes = (
                whole * (group + 1) // GROUPS - whole * group // GROUPS for whole in (rounds, shoes)
            )
            play_profile(
                of_rounds, of_shoes, seating.cut, records, peaks, lows, states, cells[group], bins, person
            )
        if records.shoe[IS_EXHAUSTED]:
            raise InputError(
                f"{seating.seats} places: a round has asked for more cards than {seating.rules.decks} decks hold; "
                "play fewer places or more decks"
            )
        return ProfileTally(cells)


@dataclass(frozen=True, slots=True)
class ProfilePlan(Plan):
    """Everything that decides what a count profile records.

    Attributes
    ----------
    rules, strategy
        The table, and how cards are counted and played; its ramp is one unit.
    choice
        Which index plays are made.
    spots, others
        Places that you may play, 1 to 3, and places of others. All bet one unit every round: a place that you do not
        play is played by somebody else.
    rounds, shoes, seed
        How long to play, and the cards. With a number of shoes, that many are played instead, and they are the same whatever is counted.
    slips
        How often you err.
    other_chart
        What the others play; None as you do, by the count.

    Examples
    --------
    >>> plan = profile_plan(BlackjackRules(decks=1), indices="none", rounds=20_000, seed=1)
    >>> plan.run(workers=1).rounds >= 20_000
    True
    """

    kind: ClassVar[str] = "blackjack profile"

    rules: BlackjackRules
    strategy: CountingStrategy
    choice: IndexChoice = "all"
    spots: int = 1
    others: int = 0
    rounds: int = USUAL_ROUNDS
    seed: int = field(default_factory=fresh_seed)
    shoes: int | None = None
    slips: Slips = NO_SLIPS
    other_chart: Chart | None = None

    @property
    def length(self) -> Length:
        """How long to play."""
        return Length(rounds=self.rounds) if self.shoes is None else Length(shoes=self.shoes)

    @property
    def seating(self) -> Seating:
        """Who plays what where."""
        return Seating(
            self.rules,
            self.strategy.lowest_chart,
            self.spots + self.others,
            self.strategy.play(self.rules),
            is_paired=self.shoes is not None,
        )

    @property
    def somebody(self) -> PersonAtTable:
        """Who plays there."""
        return PersonAtTable(self.seating, self.strategy.system, self.spots, self.slips, self.other_chart)

    @property
    def layout(self) -> ProfileLayout:
        """How the rounds are sorted."""
        return profile_layout(self.rules, self.strategy.system, self.strategy.rounding, cut=self.seating.cut)

    def parameters(self) -> dict[str, Any]:
        """Return the system, how it is played, the places, and how long."""
        return {
            "system": self.strategy.system.to_dict(),
            "choice": self.choice,
            "indices": self.strategy.indices.to_dict(),
            "chart": self.strategy.chart.to_csv(),
            "rounding": self.strategy.rounding,
            "estimate": self.strategy.estimate,
            "spots": self.spots,
            "others": self.others,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "miscounts": self.slips.miscounts,
            "misplays": self.slips.misplays,
            "other_chart": None if self.other_chart is None else self.other_chart.to_csv(),
        }

    @classmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
        saved = run.parameters
        strategy = CountingStrategy(
            system_of(saved["system"]),
            _ONE_UNIT,
            indices_of(saved["indices"]),
            Chart.from_csv(saved["chart"]),
            saved["rounding"],
            saved["estimate"],
        )
        rules = BlackjackRules.create(run.rules)
        return cls(
            rules,
            strategy,
            saved["choice"],
            saved["spots"],
            saved["others"],
            saved["rounds"],
            run.seed,
            saved["shoes"],
            Slips(saved.get("miscounts", 0.0), saved.get("misplays", 0.0)),
            None if saved.get("other_chart") is None else Chart.from_csv(saved["other_chart"]),
        )

    def verify(self) -> None:
        """Raise an InputError unless the places, the length and the seed are possible."""
        if not 1 <= self.spots <= MOST_SPOTS:
            raise InputError(f"spots = {self.spots}: a profile records 1 to {MOST_SPOTS} places of your own")
        if not 0 <= self.others <= MAX_SEATS - self.spots:
            raise InputError(
                f"others = {self.others}: beside {self.spots} of your own a table has 0 to {MAX_SEATS - self.spots} places"
            )
        verify_length(self.length)
        verify_seating(self.seating)
        self.slips.verify()
        if self.other_chart is not None:
            if not self.others:
                raise InputError("a chart of other players: there are none; name how many with others")
            verify_seating(replace(self.seating, chart=self.other_chart))
        verify_seed(self.seed)

    def profile_of(self, tally: ProfileTally, seconds: float) -> CountProfile:
        """Return what was recorded as a profile."""
        return CountProfile(
            rules=self.rules,
            strategy=self.strategy,
            spots=self.spots,
            others=self.others,
            layout=self.layout,
            cells=tally.cells,
            scale=self.seating.scale,
            seed=self.seed,
            seconds=seconds,
            slips=self.slips,
            other_chart=self.other_chart,
        )

    def run(self, **execution: Unpack[Execution]) -> CountProfile:
        """Play and record; see :class:`~croupier.runs.execution.Execution` for the parameters."""
        self.verify()
        verify_workers(execution.get("workers"))
        work = ProfileRounds(self.somebody, self.layout, self.spots, self.seed, self.length)
        work.play(0, 1, 1)  # compiles, or reads what was compiled before, so that the clock does not see it

        def result_of(prefix: Prefix[ProfileTally]) -> CountProfile:
            return self.profile_of(prefix.summary, prefix.seconds)

        return execute(
            work,
            ProfileTally,
            result_of,
            done=lambda tally: (tally.rounds, max(tally.rounds, self.rounds)),
            blocks=self.length.blocks,
            **execution,
        )


def profile_plan(
    rules: BlackjackRules,
    system: CountingSystem | str = "hi-lo",
    *,
    indices: IndexChoice = "all",
    rounding: Rounding = "floor",
    estimate: int = 1,
    spread: int = 8,
    step: Callable[[str], object] = lambda _: None,
    **others: Any,
) -> ProfilePlan:
    """Put a plan together from what a person names; chart and indices are computed.

    Parameters
    ----------
    spread
        If only some indices are chosen by what they earn: with the usual bets of this spread.
    step
        Told what is computed next.
    others
        The other attributes of :class:`ProfilePlan`.
    """
    counting = counting_plan(
        rules, system, spread=spread, choice=indices, rounding=rounding, estimate=estimate
    )
    strategy = counting.prepared(step).strategy
    assert strategy is not None, "a prepared plan has a strategy"
    plan = ProfilePlan(rules, replace(strategy, ramp=_ONE_UNIT), indices, **others)
    plan.verify()
    return plan


def profile_of_run(run: "Run") -> CountProfile:
    """Return the profile of a saved run; of one that was interrupted, as far as it is.

    Raises
    ------
    InputError
        If it is not a run of ``blackjack profile``, or has nothing yet.
    """
    if run.kind != ProfilePlan.kind:
        raise InputError(
            f"run {run.id} is a run of `{run.kind}`; `croupier runs list --kind '{ProfilePlan.kind}'` lists profiles"
        )
    if run.state is None:
        raise InputError(f"run {run.id} has played no block yet; resume it first")
    return ProfilePlan.of_run(run).profile_of(ProfileTally.from_state(run.state), run.seconds)


def profile(
    rules: BlackjackRules | None = None,
    system: CountingSystem | str = "hi-lo",
    *,
    indices: IndexChoice = "all",
    rounding: Rounding = "floor",
    estimate: int = 1,
    spots: int = 1,
    others: int = 0,
    miscounts: float = 0.0,
    misplays: float = 0.0,
    other_chart: Chart | None = None,
    rounds: int = USUAL_ROUNDS,
    seed: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CountProfile:
    """Record what every count of a table is worth, once; then ask about any bets without playing.

    Parameters
    ----------
    rules, system, indices, rounding, estimate
        As in :func:`~croupier.blackjack.counting.runs.count`.
    spots, others
        Places that you may play, 1 to 3, and places of others. A place that you do not play is played by somebody else, so that the
        same cards come whatever you bet.
    miscounts, misplays
        How often you err: see :class:`~croupier.blackjack.counting.people.Slips`. Rounds are then sorted by the count that you believe in.
    other_chart
        What the others play; as you do, by the count, if none is given.
    rounds, seed, workers, progress
        As in :func:`~croupier.blackjack.simulation.runs.simulate`. The last shoes are played to their cut cards, so a few
        more rounds are dealt.

    Examples
    --------
    >>> table = profile(BlackjackRules(decks=1), indices="none", spots=2, rounds=200_000, seed=1)
    >>> best = table.bets(spread=8, bankroll=1000, spots="0:1,2:2")
    >>> best.win_per_100.value > 0, best.score.value >= best.c_score.value
    (True, True)
    """
    plan = profile_plan(
        BlackjackRules() if rules is None else rules,
        system,
        indices=indices,
        rounding=rounding,
        estimate=estimate,
        spots=spots,
        others=others,
        slips=Slips(miscounts, misplays),
        other_chart=other_chart,
        rounds=rounds,
        seed=fresh_seed() if seed is None else seed,
    )
    return plan.run(workers=workers, progress=progress)
