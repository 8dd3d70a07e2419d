"""Plans with one side changed, and a plan whose dealer is watched: how other ways to play are measured on the same deals."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np

from croupier.banluck.analysis.dealer_rules import Closed, DealerWay, Habit, Kind, is_odd, kind_of
from croupier.banluck.analysis.sampled_deals import SampledDeals
from croupier.banluck.analysis.table_plans import TablePlan, columns_of, rule_facts
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers, deals
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.texts import say


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChangedPlan(TablePlan):
    """A plan that does what another one does; subclasses change one thing."""

    base: TablePlan

    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits, in each deal."""
        return self.base.hits(sample, seat)

    def keeps(self, dealer: Integers, shown: Integers) -> Floats:
        """Return how often the dealer keeps each hand."""
        return self.base.keeps(dealer, shown)

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Let the dealer open players where there is a choice; tell where the dealer then draws."""
        return self.base.opened(sample, choice)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeatPlan(ChangedPlan):
    """One seat hits by its own cards alone; everybody else plays as before."""

    seat: int
    hit: Floats

    @classmethod
    def of(cls, base: TablePlan, seat: int, hit: Floats) -> Self:
        """Change a seat."""
        allowed = np.where(base.acts, np.where(base.must_hit, 1.0, hit), 0.0)
        return cls(**rule_facts(base.rules), base=base, seat=seat, hit=allowed)

    def hits(self, sample: SampledDeals, seat: int) -> Floats:
        """Return how often a seat hits, in each deal."""
        if seat != self.seat:
            return self.base.hits(sample, seat)
        own: Floats = self.hit[sample.hands[:, seat]]
        return own


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HabitPlan(ChangedPlan):
    """A dealer of a habit; the seats, and the surrender, as before."""

    habit: Habit

    @classmethod
    def of(cls, base: TablePlan, habit: Habit) -> Self:
        """Change the dealer."""
        return cls(**rule_facts(base.rules), base=base, habit=habit)

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Open, draw or stand by the habit, one player after the other; what it leaves open is played as before."""
        draws = np.zeros(sample.count, dtype=np.bool_)
        active = choice & sample.closed.any(axis=1)
        for _ in range(sample.closed.shape[1] + 1):
            if not active.any():
                break
            way, can_open, must_open = self._ways(sample, active)
            left = active & (way == _LEFT)
            if left.any():
                draws |= self.base.opened(sample, left)
            opens = active & ((way == _OPEN) & can_open | must_open)
            draws |= active & (way == _DRAW) & ~must_open
            self._open_one(sample, opens)
            active = opens & sample.closed.any(axis=1)
        return draws

    def _ways(self, sample: SampledDeals, active: Flags) -> tuple[Integers, Flags, Flags]:
        """Return the code of what the habit does in each deal, and whether somebody may, or must, be opened."""
        columns = np.maximum(columns_of(sample.hands), 0)
        held = [(sample.closed & (columns == column)).sum(axis=1) for column in range(len(self.may_open))]
        can_open: Flags = np.any(sample.closed & self.may_open[columns], axis=1)
        must_open: Flags = np.any(sample.closed & self.must_open[columns], axis=1)
        keys = np.stack([sample.dealer, *held, can_open.astype(np.int64)], axis=1)
        way: Integers = np.full(sample.count, _LEFT)
        cases, which = np.unique(keys[active], axis=0, return_inverse=True)
        codes = []
        for hand, *numbers, may in cases.tolist():
            counts = [count for count, number in zip(PLAYER_CARD_COUNTS, numbers, strict=True) if number]
            codes.append(_CODES[self.habit(kind_of(hand, self.rules), Closed.of(counts), bool(may))])
        way[active] = np.array(codes, dtype=np.int64)[which.ravel()]
        return way, can_open, must_open

    def _open_one(self, sample: SampledDeals, opens: Flags) -> None:
        """Open the first player who may be opened, those of three or five cards before those of four."""
        left = opens.copy()
        columns = np.maximum(columns_of(sample.hands), 0)
        odd = np.array([is_odd(count) for count in PLAYER_CARD_COUNTS])
        for is_wanted in (odd & self.may_open, self.may_open):
            for seat in range(sample.closed.shape[1]):
                here = left & sample.closed[:, seat] & is_wanted[columns[:, seat]]
                sample.settle(seat, here)
                left &= ~here


class Done(NamedTuple):
    """What a dealer did at one total: the card counts of the players who were opened, and whether a card was drawn then.

    >>> Done((3, 4), True).said, Done((), False).said
    ('open 3 4, draw', 'stand')
    """

    opened: tuple[int, ...]
    draws: bool

    @property
    def said(self) -> str:
        """What was done, as text."""
        if not self.opened:
            return say(f"several.dealer_rule.{'draw' if self.draws else 'stand'}")
        key = "open_cards_draw" if self.draws else "open_cards"
        return say(f"several.dealer_rule.{key}", cards=" ".join(map(str, self.opened)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WatchedPlan(ChangedPlan):
    """The dealer's decisions, counted.

    Attributes
    ----------
    seen
        How often the dealer did something: by kind of hand and sorted card counts of the closed players.
    """

    seen: dict[tuple[Kind, tuple[int, ...]], "Counter[Done]"] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    @classmethod
    def of(cls, base: TablePlan) -> Self:
        """Watch a dealer."""
        return cls(**rule_facts(base.rules), base=base)

    def opened(self, sample: SampledDeals, choice: Flags) -> Flags:
        """Let the dealer decide, and count what comes of it."""
        before = sample.closed.copy()
        counts = np.where(before, deals().card_count[np.maximum(sample.hands, 0)], 0)
        draws = self.base.opened(sample, choice)
        watched = np.flatnonzero(choice)
        opened = np.sort(np.where(before & ~sample.closed, counts, 0), axis=1)
        keys = np.concatenate(
            [
                sample.dealer[watched, None],
                np.sort(counts, axis=1)[watched],
                opened[watched],
                draws[watched, None],
            ],
            axis=1,
        )
        cases, times = np.unique(keys, axis=0, return_counts=True)
        players = before.shape[1]
        for case, number in zip(cases.tolist(), times.tolist(), strict=True):
            kind = kind_of(case[0], self.rules)
            held, opened_counts = (
                tuple(count for count in part if count)
                for part in (case[1 : 1 + players], case[1 + players : -1])
            )
            self.seen[kind, held][Done(opened_counts, bool(case[-1]))] += number
        return draws


_DRAW, _OPEN, _STAND, _LEFT = range(4)
_CODES = {DealerWay.DRAW: _DRAW, DealerWay.OPEN: _OPEN, DealerWay.STAND: _STAND, None: _LEFT}
