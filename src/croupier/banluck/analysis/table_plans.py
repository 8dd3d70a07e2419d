"""Strategies for many deals at once: what a seat and the dealer do in every row of :class:`~croupier.banluck.analysis.sampled_deals.SampledDeals`."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from croupier.banluck.analysis.sampled_deals import SampledDeals
from croupier.banluck.analysis.table_kernel import TablePolicy, table_policy
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import (
    dealer_permission,
    may_be_opened,
    may_surrender,
    must_be_opened,
    player_may_act,
    player_must_hit,
)
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, HandTable, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.banluck.solvers.table.dealer_states import ClosedAction
from croupier.banluck.solvers.table.strategy import TableStrategy

FIRST, SECOND = 0, 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TablePlan(ABC):
    """Strategies of all seats and the dealer, with what the rules say of every multiset.

    Attributes
    ----------
    acts, must_hit
        Whether a seat decides on a multiset, and whether the rules force a hit there.
    can_void
        Which multisets a dealer may surrender.
    by_total
        What a dealer may do with each by its total alone.
    is_bust
        Which of them are bust.
    shows
        What a seat that holds each shows when Ban hands are shown (:class:`~croupier.banluck.solvers.strategy.Shown`).
    may_open, must_open
        Whether a player of each card count may or must be opened at a total of choice.
    """

    rules: BanluckRules
    table: HandTable
    acts: Flags
    must_hit: Flags
    can_void: Flags
    by_total: Integers
    is_bust: Flags
    shows: Integers
    may_open: Flags
    must_open: Flags

    @abstractmethod
    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits, in each deal."""

    @abstractmethod
    def keeps(self, dealer: Integers, shown: Integers) -> Floats:
        """Return how often the dealer keeps each of these hands; ``shown`` has a row a deal and a column a seat."""

    @abstractmethod
    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Let the dealer open players where there is a choice; tell where the dealer then draws."""


def columns_of(hands: Integers) -> Integers:
    """Return the columns of the card counts of hands."""
    columns: Integers = deals().card_count[hands] - MIN_CARDS
    return columns


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HeadsUpPlan(TablePlan):
    """Strategies for one player, at a table of any size: each seat plays as if alone, and the dealer asks about each player in turn.

    Attributes
    ----------
    hit
        How often a seat hits each multiset.
    draw
        How often the dealer wants to draw on each, a column a player's card count.
    keep
        How often the dealer keeps each, a column a :class:`~croupier.banluck.solvers.strategy.Shown`.
    """

    hit: Floats
    draw: Floats
    keep: Floats

    @classmethod
    def of(cls, rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy) -> Self:
        """Apply the rules to the strategies."""
        facts = rule_facts(rules)
        keep = 1.0 - dealer.surrender * facts["can_void"][:, None]
        allowed = np.where(facts["acts"], np.where(facts["must_hit"], 1.0, player.hit), 0.0)
        return cls(**facts, hit=allowed, draw=dealer.draw, keep=keep)

    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits, in each deal."""
        hit: Floats = self.hit[sample.hands[:, seat]]
        return hit

    def keeps(self, dealer: Integers, shown: Integers) -> Floats:
        """Return how often the dealer keeps each hand: by the best Ban hand shown."""
        keep: Floats = self.keep[dealer, shown.max(axis=1)]
        return keep

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Ask about each closed player in turn, as the dealer's strategy for one player does; tell where the dealer draws."""
        draws = np.zeros(sample.count, dtype=np.bool_)
        asked = np.zeros(sample.count, dtype=np.bool_)
        for seat in range(sample.hands.shape[1]):
            here = choice & sample.closed[:, seat]
            column = columns_of(sample.hands[:, seat])
            wants = sample.decides(self.draw[sample.dealer, column])
            if self.rules.reveal == "none":
                draws |= here & ~asked & wants
                asked |= here
                continue
            opens = here & self.may_open[column] & (self.must_open[column] | ~wants)
            sample.settle(seat, opens)
            draws |= here & ~opens & wants
        return draws & sample.closed.any(axis=1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoPlayerPlan(TablePlan):
    """The solved strategies of a table of two, with an answer to everything (:mod:`~croupier.banluck.solvers.table.completion`)."""

    policy: TablePolicy

    @classmethod
    def of(cls, rules: BanluckRules, strategy: TableStrategy) -> Self:
        """Apply the rules to the strategies."""
        return cls(**rule_facts(rules), policy=table_policy(strategy, rules))

    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits: by its own cards, and by what it sees of the other."""
        policy = self.policy
        own, other = sample.hands[:, seat], sample.hands[:, 1 - seat]
        hit = policy.first[own] if seat == FIRST else policy.second[np.maximum(columns_of(other), 0), own]
        row = np.where(other >= 0, policy.row_remaining[other], -1)
        # The first seat acts before the second can be bust: what it sees is a Ban hand, or nothing.
        seen = ~sample.closed[:, 1 - seat] & (row >= 0) & ((seat == SECOND) | self.table.is_ban[other])
        hit = np.where(seen, policy.remaining_hit[row, own], hit)
        return np.where(self.acts[own], np.where(self.must_hit[own], 1.0, hit), 0.0)

    def keeps(self, dealer: Integers, shown: Integers) -> Floats:
        """Return how often the dealer keeps each hand: by what both seats show."""
        surrenders: Floats = self.policy.surrender[dealer, shown[:, FIRST], shown[:, SECOND]]
        return 1.0 - surrenders * self.can_void[dealer]

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Let the dealer open one of two closed players, or draw; then open the other, or draw."""
        policy = self.policy
        if not len(policy.closed):  # rules that leave the dealer no choice
            return np.zeros_like(choice)
        choices = np.where(choice, policy.choice_of[sample.dealer], 0)
        columns = [np.maximum(columns_of(sample.hands[:, seat]), 0) for seat in (FIRST, SECOND)]
        both = choice & sample.closed.all(axis=1)
        action = drawn_action(sample, policy.closed[choices, columns[FIRST], columns[SECOND]])
        draws: Flags = both & (action == ClosedAction.DRAW)
        for seat in (FIRST, SECOND):
            sample.settle(seat, both & (action == ClosedAction.OPEN_FIRST + seat))
        one = choice & (sample.closed.sum(axis=1) == 1)
        for closed in (FIRST, SECOND):
            here = one & sample.closed[:, closed] & ~self.must_open[columns[closed]]
            draw = self._known_draws(sample.hands[:, 1 - closed], 1 - closed, choices, columns[closed])
            draws |= here & sample.decides(draw)
        return draws

    def _known_draws(self, known: Integers, seat: int, choices: Integers, column: Integers) -> Floats:
        """Return how often the dealer draws against one closed player, the hand of the other being known."""
        policy = self.policy
        rows = policy.row_first if seat == FIRST else policy.row_second
        tables = policy.first_known if seat == FIRST else policy.second_known
        draw = tables[rows[known], choices, column]
        row = policy.row_remaining[known]
        from_start = (row >= 0) & ((seat == FIRST) | self.table.is_ban[known])
        return np.where(from_start, policy.remaining_draw[row, choices, column], draw)


def drawn_action(sample: SampledDeals, chances: Floats) -> Integers:
    """Take one of several actions in each deal."""
    upper = chances.cumsum(axis=1)
    luck = sample.uniform()[:, None] * upper[:, -1:]
    action: Integers = (upper <= luck).sum(axis=1)
    return action


@lru_cache(maxsize=8)
def rule_facts(rules: BanluckRules) -> dict[str, Any]:
    """Return what the rules say of every multiset and card count, by the names of a plan's attributes."""
    values = hand_table(rules).values
    return {
        "rules": rules,
        "table": hand_table(rules),
        "acts": np.array([player_may_act(value) for value in values]),
        "must_hit": np.array([player_must_hit(value, rules) for value in values]),
        "by_total": np.array([dealer_permission(value, rules) for value in values], dtype=np.int64),
        "can_void": np.array([may_surrender(hand, rules) for hand in MULTISETS]),
        "is_bust": np.array([value.is_bust for value in values]),
        "shows": np.array(
            [Shown[value.hand_class.name] if value.is_ban else Shown.NOTHING for value in values]
        ),
        "may_open": np.array([may_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]),
        "must_open": np.array([must_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]),
    }
