"""Many deals at once of a table of several players: dealt, filtered by what was seen, and played on by given strategies.

Arrays hold a row a deal. A hand is its place in :data:`~croupier.banluck.engine.multisets.MULTISETS`; the pack is counted by point
class. What the rules allow and pay comes from the hand table of the solvers.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS, multiset_index
from croupier.banluck.engine.permissions import (
    DealerPermission,
    dealer_permission,
    may_be_opened,
    may_surrender,
    must_be_opened,
    player_may_act,
    player_must_hit,
)
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, HandTable, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy
from croupier.cards import POINT_CLASSES

_CLASSES = range(len(POINT_CLASSES))
_PAIR = np.array([[multiset_index((min(a, b), max(a, b))) for b in _CLASSES] for a in _CLASSES])

#: No hand yet.
NO_HAND = -1


class ImpossibleDeal(Exception):  # noqa: N818 - nobody made a mistake
    """No deal agrees with what was seen: the strategies never lead there."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlan:
    """Both strategies with what the rules force filled in, and what the rules say of every multiset.

    Attributes
    ----------
    hit
        How often a seat hits each multiset.
    draw
        How often the dealer wants to draw on each, a column a player's card count.
    keep
        How often the dealer keeps each, a column a :class:`~croupier.banluck.solvers.strategy.Shown`.
    by_total
        What a dealer may do with each by its total alone.
    is_bust
        Which of them are bust.
    may_open, must_open
        Whether a player of each card count may or must be opened at a total of choice.
    """

    rules: BanluckRules
    table: HandTable
    hit: Floats
    draw: Floats
    keep: Floats
    by_total: Integers
    is_bust: Flags
    may_open: Flags
    must_open: Flags

    @classmethod
    def of(cls, rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy) -> Self:
        """Apply the rules to the strategies."""
        acts, must_hit, by_total, can_void, is_bust = _permissions(rules)
        return cls(
            rules,
            hand_table(rules),
            np.where(acts, np.where(must_hit, 1.0, player.hit), 0.0),
            dealer.draw,
            1.0 - dealer.surrender * can_void[:, None],
            by_total,
            is_bust,
            np.array([may_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]),
            np.array([must_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]),
        )


@lru_cache(maxsize=8)
def _permissions(rules: BanluckRules) -> tuple[Flags, Flags, Integers, Flags, Flags]:
    values = hand_table(rules).values
    return (
        np.array([player_may_act(value) for value in values]),
        np.array([player_must_hit(value, rules) for value in values]),
        np.array([dealer_permission(value, rules) for value in values], dtype=np.int64),
        np.array([may_surrender(hand, rules) for hand in MULTISETS]),
        np.array([value.is_bust for value in values]),
    )


class SampledDeals:
    """Deals of one table, a row a deal.

    Attributes
    ----------
    left
        The unseen cards of each point class that are still in the pack.
    hands
        Each seat's hand, or ``NO_HAND``.
    dealer
        The dealer's hand.
    closed
        Which seats are still to be settled.
    units
        What each seat has been paid.
    """

    def __init__(self, plan: TablePlan, seen: Integers, players: int, count: int, seed: int) -> None:
        self.plan = plan
        self.count = count
        self._luck = np.random.Generator(np.random.PCG64(seed))
        self.left = np.repeat((np.array(PACK_COUNTS) - seen)[None], count, axis=0)
        self.hands = np.full((count, players), NO_HAND)
        self.dealer = np.full(count, NO_HAND)
        self.closed = np.zeros((count, players), dtype=np.bool_)
        self.units = np.zeros((count, players))

    def copy(self, seed: int) -> "SampledDeals":
        """Return the same deals, to be played on with other luck."""
        other = object.__new__(SampledDeals)
        other.plan, other.count = self.plan, self.count
        other._luck = np.random.Generator(np.random.PCG64(seed))
        for name in ("left", "hands", "dealer", "closed", "units"):
            setattr(other, name, getattr(self, name).copy())
        return other

    # Dealing

    def card(self, wanted: Flags) -> Integers:
        """Draw a card in the wanted deals and return its point class; luck is used in all, so that copies stay in step."""
        upper = self.left.cumsum(axis=1)
        point: Integers = (upper <= (self._luck.random(self.count) * upper[:, -1])[:, None]).sum(axis=1)
        self.left[wanted, point[wanted]] -= 1
        return point

    def two_cards(self) -> Integers:
        """Deal two cards."""
        everywhere = np.ones(self.count, dtype=np.bool_)
        hands: Integers = _PAIR[self.card(everywhere), self.card(everywhere)]
        return hands

    def grown(self, hands: Integers, wanted: Flags) -> Integers:
        """Return hands with one more card in the wanted deals."""
        after: Integers = np.where(wanted, deals().child[hands, self.card(wanted)], hands)
        return after

    def decides(self, probability: Floats) -> Flags:
        """Take a mixed decision in each deal."""
        decided: Flags = self._luck.random(self.count) < probability
        return decided

    def keep_only(self, fitting: Flags) -> None:
        """Replace deals that do not fit what was seen by copies of those that do."""
        found = np.flatnonzero(fitting)
        if not len(found):
            raise ImpossibleDeal
        chosen = found[self._luck.integers(len(found), size=self.count)]
        rows = np.where(fitting, np.arange(self.count), chosen)
        self.left, self.hands, self.dealer = self.left[rows], self.hands[rows], self.dealer[rows]
        self.closed, self.units = self.closed[rows], self.units[rows]

    # Playing

    def play_seat(self, seat: int) -> None:
        """Let a seat play by its strategy; a bust that is settled at once is."""
        hands, acts = self.hands[:, seat], self.closed[:, seat].copy()
        for _ in range(MAX_CARDS - MIN_CARDS):
            acts &= self.decides(self.plan.hit[hands])
            hands = self.grown(hands, acts)
        self.hands[:, seat] = hands
        self.settle_bust(seat)

    def settle_bust(self, seat: int) -> None:
        """Settle a seat that is bust, where the rules do that at once."""
        if self.plan.rules.both_bust == "player_loses":
            hands = self.hands[:, seat]
            bust = self.closed[:, seat] & self.plan.is_bust[hands]
            self.units[bust, seat] = self.plan.table.lost[hands[bust]]
            self.closed[bust, seat] = False

    def settle(self, seat: int, wanted: Flags) -> None:
        """Settle a seat at the dealer's present hand, in the wanted deals in which it is closed."""
        table = self.plan.table
        rows = wanted & self.closed[:, seat]
        self.units[rows, seat] = table.payoff[
            table.code[self.hands[rows, seat]], table.code[self.dealer[rows]]
        ]
        self.closed[rows, seat] = False

    def draw(self, wanted: Flags) -> None:
        """Give the dealer a card in the wanted deals."""
        self.dealer = self.grown(self.dealer, wanted)

    def play_dealer(self) -> None:
        """Let the dealer play by the strategy until everybody is settled."""
        for _ in range(MAX_CARDS):
            kind = np.where(self.closed.any(axis=1), self.plan.by_total[self.dealer], DealerPermission.STOP)
            draws = kind == DealerPermission.DRAW
            draws |= self._open_or_draw(kind == DealerPermission.CHOICE)
            for seat in range(self.hands.shape[1]):
                self.settle(seat, ~draws)
            if not draws.any():
                return
            self.draw(draws)

    def _open_or_draw(self, choice: Flags) -> Flags:
        """Ask about each closed player in turn, as the dealer's strategy for one player does; tell where the dealer draws."""
        draws = np.zeros(self.count, dtype=np.bool_)
        asked = np.zeros(self.count, dtype=np.bool_)
        for seat in range(self.hands.shape[1]):
            here = choice & self.closed[:, seat]
            column = deals().card_count[self.hands[:, seat]] - MIN_CARDS
            wants = self.decides(self.plan.draw[self.dealer, column])
            if self.plan.rules.reveal == "none":
                draws |= here & ~asked & wants
                asked |= here
                continue
            opens = here & self.plan.may_open[column] & (self.plan.must_open[column] | ~wants)
            self.settle(seat, opens)
            draws |= here & ~opens & wants
        return draws & self.closed.any(axis=1)
