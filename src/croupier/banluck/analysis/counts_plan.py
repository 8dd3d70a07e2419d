"""The solved strategies of a table that go by card counts, for many deals at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from croupier.banluck.analysis.sampled_deals import SampledDeals
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.table_plans import (
    TablePlan,
    TwoPlayerPlan,
    columns_of,
    drawn_action,
    rule_facts,
)
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers
from croupier.banluck.solvers.table.completion import completed
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealt_hands import Cards, cards_of, first_rows
from croupier.banluck.solvers.table.situations import DRAW, KINDS, OPEN, Situations, situations


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CountsPlan(TablePlan):
    """Strategies of any number of players who go by card counts.

    Attributes
    ----------
    state_of
        The dealer's state by situation and by how many hands of each kind are closed, written as one number.
    """

    strategy: CountsStrategy
    cards: Cards
    situations: Situations
    state_of: Integers

    @classmethod
    def of(cls, rules: BanluckRules, strategy: CountsStrategy) -> Self:
        """Apply the rules to the strategies."""
        found = situations(rules, strategy.players)
        radix = strategy.players + 1
        state_of = np.full((len(found.hands), radix**KINDS), -1)
        keys = _key(found.closed, radix)
        for situation in range(len(found.hands)):
            own = slice(found.first_state[situation], found.first_state[situation + 1])
            state_of[situation, keys[own]] = np.arange(own.start, own.stop)
        return cls(
            **rule_facts(rules),
            strategy=strategy,
            cards=cards_of(rules),
            situations=found,
            state_of=state_of,
        )

    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits: by its own cards, and by how many earlier seats are closed with two cards and with more."""
        own = sample.hands[:, seat]
        closed = sample.closed[:, :seat]
        two = (closed & (columns_of(sample.hands[:, :seat]) == 0)).sum(axis=1)
        row = first_rows(self.strategy.players)[seat] + two * (seat + 1) + closed.sum(axis=1) - two
        return np.where(self.acts[own], np.where(self.must_hit[own], 1.0, self.strategy.hit[row, own]), 0.0)

    def keeps(self, dealer: Integers, shown: Integers) -> Floats:
        """Return how often the dealer keeps each hand: by how many Ban hands are shown, where that is known."""
        surrender = self.strategy.dealer.surrender
        place = self.cards.dealer_place[dealer]
        column = (shown > 0).sum(axis=1) if surrender.shape[1] > 1 else 0
        voids: Floats = np.where(self.can_void[dealer], surrender[place, column], 0.0)
        return 1.0 - voids

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Let the dealer open players one by one, until the dealer draws or stands."""
        draws = np.zeros(sample.count, dtype=np.bool_)
        active = choice & sample.closed.any(axis=1)
        kinds, situation = self._situation(sample)
        choices = np.maximum(self.cards.choice[sample.dealer], 0)
        for _ in range(sample.closed.shape[1] + 1):
            if not active.any():
                break
            held = np.stack([(sample.closed & (kinds == kind)).sum(axis=1) for kind in range(KINDS)], axis=1)
            state = self.state_of[situation, _key(held, self.strategy.players + 1)]
            action = drawn_action(sample, self.strategy.dealer.closed[state, choices])
            draws |= active & (action == DRAW)
            opens = active & (action >= OPEN)
            left = opens.copy()
            for seat in range(sample.closed.shape[1]):
                here = left & sample.closed[:, seat] & (kinds[:, seat] == action - OPEN)
                sample.settle(seat, here)
                left &= ~here
            active = opens & sample.closed.any(axis=1)
        return draws

    def closed_state(self, counts: Sequence[int]) -> int:
        """Return the dealer's state when the turn begins and all players are closed with these card counts."""
        kinds = self.situations.kind_of[np.asarray(counts) - MIN_CARDS]
        held = np.bincount(kinds, minlength=KINDS)
        key = _key(held, self.strategy.players + 1)
        return int(self.state_of[self.situations.number[key], key])

    def _situation(self, sample: SampledDeals) -> tuple[Integers, Integers]:
        """Return the kind of each seat's hand, and the situation in which the dealer's turn began."""
        hands = np.maximum(sample.hands, 0)
        kinds = self.situations.kind_of[np.maximum(columns_of(hands), 0)]
        bans = self.cards.is_ban[hands]
        played = ~(bans | self.cards.is_shown_bust[hands])
        begun = np.stack([(played & (kinds == kind)).sum(axis=1) for kind in range(KINDS)], axis=1)
        shown = bans.sum(axis=1) if self.situations.shown_counts else np.zeros(sample.count, dtype=np.int64)
        radix = self.strategy.players + 1
        key = shown * radix**KINDS + _key(begun, radix)
        return kinds, self.situations.number[key]


def _key(counts: Integers, radix: int) -> Integers:
    """Write counts by kind as one number."""
    key: Integers = counts @ (radix ** np.arange(KINDS - 1, -1, -1))
    return key


def plan_of(solution: TableSolution, heads_up: Solution) -> TablePlan:
    """Return the strategies of a solved table; with two players, those of one answer what they never lead to."""
    rules = solution.rules
    if isinstance(solution.strategy, CountsStrategy):
        return CountsPlan.of(rules, solution.strategy)
    strategy = completed(solution.strategy, rules, heads_up.player, heads_up.dealer)
    return TwoPlayerPlan.of(rules, strategy)
