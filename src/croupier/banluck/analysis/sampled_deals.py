"""Many deals at once of a table of several players: dealt, filtered by what was seen, and played on by given strategies.

Arrays hold a row a deal. A hand is its place in :data:`~croupier.banluck.engine.multisets.MULTISETS`; the pack is counted by point
class. What the rules allow and pay comes from the hand table of the solvers, and who does what from a
:class:`~croupier.banluck.analysis.table_plans.TablePlan`.
"""

from typing import TYPE_CHECKING

import numpy as np

from croupier.banluck.engine.multisets import PACK_COUNTS, multiset_index
from croupier.banluck.engine.permissions import DealerPermission
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers, deals
from croupier.cards import POINT_CLASSES

if TYPE_CHECKING:
    from croupier.banluck.analysis.table_plans import TablePlan

_CLASSES = range(len(POINT_CLASSES))
_PAIR = np.array([[multiset_index((min(a, b), max(a, b))) for b in _CLASSES] for a in _CLASSES])

#: No hand yet.
NO_HAND = -1


class ImpossibleDeal(Exception):  # noqa: N818 - nobody made a mistake
    """No deal agrees with what was seen: the strategies never lead there."""


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

    def __init__(self, plan: "TablePlan", seen: Integers, players: int, count: int, seed: int) -> None:
        self.plan = plan
        self.count = count
        self._cards = self._luck = np.random.Generator(np.random.PCG64(seed))
        self.left = np.repeat((np.array(PACK_COUNTS) - seen)[None], count, axis=0)
        self.hands = np.full((count, players), NO_HAND)
        self.dealer = np.full(count, NO_HAND)
        self.closed = np.zeros((count, players), dtype=np.bool_)
        self.units = np.zeros((count, players))

    def copy(self, seed: int) -> "SampledDeals":
        """Return the same deals, to be played on with other luck."""
        other = object.__new__(SampledDeals)
        other.plan, other.count = self.plan, self.count
        other._cards = other._luck = np.random.Generator(np.random.PCG64(seed))
        for name in ("left", "hands", "dealer", "closed", "units"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def choose_apart(self, seed: int) -> None:
        """Take choices by luck of their own, so that other choices do not change the cards that come."""
        (choices,) = np.random.SeedSequence(seed).spawn(1)
        self._luck = np.random.Generator(np.random.PCG64(choices))

    # Dealing

    def card(self, wanted: Flags) -> Integers:
        """Draw a card in the wanted deals and return its point class; luck is used in all, so that copies stay in step."""
        upper = self.left.cumsum(axis=1)
        drawn = self._cards.random(self.count) * upper[:, -1]
        point: Integers = (upper <= drawn[:, None]).sum(axis=1)
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
        decided: Flags = self.uniform() < probability
        return decided

    def uniform(self) -> Floats:
        """Return a number from 0 to 1 for each deal."""
        return self._luck.random(self.count)

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
        acts = self.closed[:, seat].copy()
        for _ in range(MAX_CARDS - MIN_CARDS):
            acts &= self.decides(self.plan.hits(self, seat))
            self.hands[:, seat] = self.grown(self.hands[:, seat], acts)
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
            draws |= self.plan.opened(self, kind == DealerPermission.CHOICE)
            for seat in range(self.hands.shape[1]):
                self.settle(seat, ~draws)
            if not draws.any():
                return
            self.draw(draws)


def played_hands(plan: "TablePlan", players: int, count: int, seed: int) -> SampledDeals:
    """Deal and play whole hands from the full pack, everybody by the plan; the same seed deals the same cards, whoever plays."""
    sample = SampledDeals(plan, np.zeros(len(PACK_COUNTS), dtype=np.int64), players, count, seed)
    sample.choose_apart(seed)
    is_ban = plan.table.is_ban
    for seat in range(players):
        sample.hands[:, seat] = sample.two_cards()
    sample.dealer = sample.two_cards()
    sees_bans = plan.rules.surrender == "after_specials"
    shown = plan.shows[sample.hands] if sees_bans else np.zeros_like(sample.hands)
    sample.closed[:] = sample.decides(plan.keeps(sample.dealer, shown))[:, None]
    for seat in range(players):
        sample.settle(seat, is_ban[sample.dealer] | is_ban[sample.hands[:, seat]])
    for seat in range(players):
        sample.play_seat(seat)
    sample.play_dealer()
    return sample
