"""What a card counter has to know under some rules, and what not knowing it costs: plays and bets by count.

Plays are priced by the exact solver on the cards that the count leads to expect. Bets are priced by a small count profile: what a bet wins on
average at a count, less what its risk is worth to a player for whom the ramp is right (certainty equivalent).
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from croupier.blackjack.counting.bet_ramp import BetRamp
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_runs import profile_plan
from croupier.blackjack.counting.questions import moments_of, question_of, spots_of
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.scale import CountScale, count_scale
from croupier.blackjack.counting.system import counted_shoe, verify_countable
from croupier.blackjack.counting.values import (
    HandValuesAtCounts,
    excess_before_hand,
    hand_values_at_counts,
    insurance_at_counts,
)
from croupier.blackjack.engine.moves import MOVES
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.play.cells import ChartBook, FirstHand, chart_book, decides_before_the_peek
from croupier.blackjack.play.coach import before_the_peek, chance_of_natural
from croupier.blackjack.solvers.analysis import Step
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.chart_columns import columns_of
from croupier.blackjack.solvers.hands import hand_space
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.table_facts import table_facts
from croupier.cards import DECK_SIZE

#: The profile behind the prices of bets: its rounds, its cards, and the spread of the ramp that is taught.
_ROUNDS, _SEED, SPREAD = 8_000_000, 1, 8

#: The bankroll in units to whose owner bets are priced where no ramp wins.
_USUAL_BANKROLL = 1000.0

#: Rule sets that are kept in memory.
_REMEMBERED = 4


@dataclass(frozen=True, slots=True)
class CountWorth:
    """What a unit comes to at one count: how often it is bet, its mean and its mean square."""

    share: float
    mean: float
    square: float


@dataclass(frozen=True, eq=False)
class CounterBook:
    """A rule set and a counting system, worked out.

    Attributes
    ----------
    strategy
        Chart, indices and system; its ramp is the one that is taught.
    worths
        What a unit comes to, by count. Means rise with the count (isotonic regression).
    tolerance
        The risk that the ramp is right for: a mean of m and a mean square of q are worth ``m - q / (2 tolerance)``, in units.
    rounds
        How many rounds the worths rest on.
    """

    rules: BlackjackRules
    strategy: CountingStrategy
    chart_book: ChartBook
    worths: dict[int, CountWorth]
    tolerance: float
    rounds: int
    _columns: dict[int, HandValuesAtCounts] = field(default_factory=dict)

    @property
    def decks(self) -> int:
        """How many decks the shoe has."""
        return verify_countable(self.rules)

    @property
    def scale(self) -> CountScale:
        """The whole counts, and what each stands for."""
        return count_scale(self.rules, self.strategy.system, self.strategy.rounding)

    def count_of(self, running: int, cards_left: int) -> int:
        """Return the count by which is bet and played: the true count, made whole, or the running count of an unbalanced system."""
        if not self.strategy.system.is_balanced:
            return running
        true = running * DECK_SIZE / max(cards_left, 1)
        match self.strategy.rounding:
            case "floor":
                return int(np.floor(true))
            case "nearest":
                return int(np.floor(true + 0.5))
            case _:
                return int(np.trunc(true))

    def bet(self, count: int) -> int:
        """Return what the ramp bets at a count, in units."""
        return self.strategy.ramp.bet(count)

    def bet_cost(self, count: int, bet: float) -> float:
        """Return what another bet than the ramp's gives away in a round at a count: certainty equivalents, in units."""
        worth = self.worths[min(max(count, min(self.worths)), max(self.worths))]

        def certain(units: float) -> float:
            return units * worth.mean - units**2 * worth.square / (2.0 * self.tolerance)

        return max(certain(self.bet(count)) - certain(bet), 0.0)

    def chart_at(self, count: int) -> Chart:
        """Return the chart as it is played at a count."""
        indices = self.strategy.indices
        reached = {
            (play.row, play.up_card): play.code
            for play in sorted(indices.plays, key=lambda play: play.count)
            if play.count <= count
        }
        return indices.chart(self.strategy.chart).replace(reached)

    def worths_at(self, hand: FirstHand, count: int) -> dict[str, float]:
        """Return what each action is worth with a first hand at a count, in initial bets, as :class:`FirstHand` has it without one."""
        place = self._place(count)
        values = self._values(hand.up_card).values[:, place, hand_space().find(hand.cards)]
        joint: dict[str, float] = {
            move.value: float(values[move.number])
            for move in MOVES
            if move.value in hand.worths and np.isfinite(values[move.number])
        }
        natural = self._chance_of_natural(hand, place)
        worths = {name: worth / (1.0 - natural) for name, worth in joint.items()}
        if decides_before_the_peek(hand.up_card, "surrender" in hand.worths, self.rules):
            return before_the_peek(worths, natural)
        return worths

    def insurance_worth(self, count: int) -> float:
        """Return what insuring is worth at a count, in initial bets; declining is 0."""
        excess = self.scale.excesses[self._place(count)]
        return float(insurance_at_counts(self.rules, self.strategy.system, np.array([excess]))[0]) / 2.0

    def _place(self, count: int) -> int:
        counts = self.scale.counts
        return min(max(count, counts[0]), counts[-1]) - counts[0]

    def _values(self, up_card: int) -> HandValuesAtCounts:
        if up_card not in self._columns:
            column = {up_card: columns_of(self.strategy.chart)[up_card]}
            system, excesses = self.strategy.system, self.scale.excesses
            self._columns.update(hand_values_at_counts(self.rules, system, column, excesses))
        return self._columns[up_card]

    def _chance_of_natural(self, hand: FirstHand, place: int) -> float:
        """Return the chance of a natural that the values leave out, at a count with these cards seen."""
        if table_facts(self.rules, hand.up_card).natural_point < 0:
            return 0.0
        system, full = self.strategy.system, ShoeCounts.full(self.rules)
        before = excess_before_hand(system, self.decks, hand.up_card, self.scale.excesses[place : place + 1])
        rest = full.without([full.ranks_of_class(hand.up_card)[0]])
        bent = counted_shoe(rest, system, float(before[0, hand_space().find(hand.cards)]))
        unseen = bent.without(full.ranks_of_class(point)[0] for point in hand.cards)
        return chance_of_natural(self.rules, hand.up_card, unseen)


def counter_book(rules: BlackjackRules, system: str = "hi-lo", step: Step = lambda _: None) -> CounterBook:
    """Work out what a counter has to know, from memory if it was done lately.

    Examples
    --------
    >>> book = counter_book(BlackjackRules(decks=1))
    >>> book.count_of(running=3, cards_left=39), book.bet(-2), book.bet_cost(-2, 1)
    (4, 1, 0.0)
    >>> book.bet_cost(-2, 8) > book.bet_cost(-2, 2) > 0
    True
    """
    verify_countable(rules)
    step("the bets of a card counter")
    return _worked_out(rules, system)


@lru_cache(_REMEMBERED)
def _worked_out(rules: BlackjackRules, system: str) -> CounterBook:
    plan = profile_plan(rules, system, rounds=_ROUNDS, seed=_SEED)
    found = plan.run()
    best = found.bets(spread=SPREAD, unit=1.0, chip=1.0, bankroll=_USUAL_BANKROLL)
    ramp = BetRamp(tuple((count, int(bet)) for count, bet in best.bets))
    mean, std = best.win_rate.value, best.std.value
    strategy = CountingStrategy(
        found.strategy.system,
        ramp,
        found.strategy.indices,
        found.strategy.chart,
        found.strategy.rounding,
        found.strategy.estimate,
    )
    return CounterBook(
        rules,
        strategy,
        chart_book(rules),
        _worths(found),
        std**2 / mean if mean > 0 else _USUAL_BANKROLL,
        found.rounds,
    )


def _worths(found: CountProfile) -> dict[int, CountWorth]:
    """Return what a unit comes to at the counts that were seen."""
    question = question_of("0:1", {})
    moments = moments_of(
        found.played(question).sum(axis=0),
        int(found.dealt(question).sum()),
        spots_of(found, question),
        found.scale,
    )
    means = moments.slopes * moments.squares
    return {
        count: CountWorth(float(share), float(mean), float(square))
        for count, share, mean, square in zip(
            found.layout.counts, moments.shares, means, moments.squares, strict=True
        )
        if share > 0
    }
