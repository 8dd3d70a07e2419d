"""What a seat meets at a table of several, sampled: the others and the dealer are dealt, the seat's own hands are summed over exactly.

For every row of the seat (how many earlier seats are closed with two cards and with more) and each of its hands, the sum over deals of what
it wins by standing there, times the probability of its cards from what the others leave in the pack. Whatever
the seat does, its value is linear in these sums.

The heads-up game is dealt from the same cards. Its value is known exactly, so what a seat earns is that value and the mean *difference*
between the two games, which varies much less than either (a control variate).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import DealerStrategy, Shown
from croupier.banluck.solvers.table.counts_dealer import CountsPolicy
from croupier.banluck.solvers.table.dealer_sample import Tree
from croupier.banluck.solvers.table.dealt_hands import (
    CARD_COUNTS,
    block_stream,
    cards_of,
    first_rows,
    full_pack,
)
from croupier.banluck.solvers.table.seat_hands import SeatReply, seat_hands
from croupier.banluck.solvers.table.seat_kernels import SeatTable, Slots, fill_seat_sample
from croupier.banluck.solvers.table.situations import situations


@dataclass(slots=True)
class SeatSample:
    """Sums over deals for one seat; divide by ``deals`` for means.

    Attributes
    ----------
    worth
        What ending on each multiset brings, by row (by row and memory, where rows are split).
    alone
        The same against the heads-up dealer, over all rows.
    ban_difference
        What the seat's own Ban hands bring at this table more than heads-up, because the dealer surrenders otherwise.
    """

    worth: Floats
    alone: Floats
    ban_difference: float
    deals: int

    @classmethod
    def dealt(
        cls,
        rules: BanluckRules,
        players: int,
        seat: int,
        hit: Floats,
        dealer: CountsPolicy,
        heads_up: DealerStrategy,
        deals_count: int,
        seed: int,
        *path: int,
        memories: int = 1,
    ) -> "SeatSample":
        """Deal a block of hands to the others, who play by ``hit``, and to the dealer.

        With ``MEMORIES``, rows are split by how many low cards the hands shown so far leave.
        """
        rows = (seat + 1) ** 2 * memories
        tree_hands, tree, slots = _slots(rules)
        worth, alone = np.zeros((rows, len(tree_hands))), np.zeros(len(tree_hands))
        ban = np.zeros(1)
        table = _seat_table(rules, players, seat, hit, dealer, heads_up, memories)
        fill_seat_sample(worth, alone, ban, deals_count, table, tree, slots, block_stream(seed, *path))
        spread = np.zeros((rows, len(MULTISETS)))
        spread[:, tree_hands] = worth
        spread_alone = np.zeros(len(MULTISETS))
        spread_alone[tree_hands] = alone
        return cls(spread, spread_alone, float(ban[0]), deals_count)

    def add(self, other: "SeatSample") -> None:
        """Add the deals of another sample to this one."""
        self.worth += other.worth
        self.alone += other.alone
        self.ban_difference += other.ban_difference
        self.deals += other.deals

    def forgotten(self, memories: int) -> "SeatSample":
        """Return the same sample with rows that are not split."""
        worth = self.worth.reshape(-1, memories, len(MULTISETS)).sum(axis=1)
        return SeatSample(worth, self.alone, self.ban_difference, self.deals)

    def replies(self, rules: BanluckRules, hit: Floats, *, best: bool) -> list[SeatReply]:
        """Value the seat's way to play, or find the best one, row by row; values are sums over the deals."""
        seats = seat_hands(rules)
        return [
            SeatReply.of(seats, worth, np.where(seats.acts, 0.0, worth), own, best=best)
            for worth, own in zip(self.worth, hit, strict=True)
        ]

    def value(self, rules: BanluckRules, hit: Floats) -> float:
        """Return what the seat earns by its hands without a Ban hand on either side, a deal."""
        return sum(reply.value for reply in self.replies(rules, hit, best=False)) / self.deals

    def difference(self, rules: BanluckRules, hit: Floats, alone_hit: Floats) -> float:
        """Return what the seat earns at this table more than heads-up, a deal."""
        seats = seat_hands(rules)
        alone = SeatReply.of(
            seats, self.alone, np.where(seats.acts, 0.0, self.alone), alone_hit, best=False
        ).value
        return self.value(rules, hit) + (self.ban_difference - alone) / self.deals


@lru_cache(maxsize=8)
def _slots(rules: BanluckRules) -> tuple[Integers, Tree, Slots]:
    """Return the hands that a seat can end on, their tree, and their slots."""
    seats, codes = seat_hands(rules), hand_table(rules).code
    hands = np.sort(np.concatenate((seats.final, seats.bust)))
    is_bust = np.isin(hands, seats.bust)
    units = np.zeros(len(MULTISETS))
    units[seats.bust] = seats.bust_units
    counts = np.where(is_bust, CARD_COUNTS, deals().card_count[hands] - 2)
    keys = np.stack((counts, np.where(is_bust, 0, codes[hands]), np.round(units[hands] * 1e6)), axis=1)
    found, slot = np.unique(keys, axis=0, return_inverse=True)
    first = np.array([int(np.flatnonzero(slot.ravel() == number)[0]) for number in range(len(found))])
    return (
        hands,
        Tree.of(hands),
        Slots(slot.ravel().astype(np.int64), counts[first], codes[hands][first], units[hands][first]),
    )


def _seat_table(
    rules: BanluckRules,
    players: int,
    seat: int,
    hit: Floats,
    dealer: CountsPolicy,
    heads_up: DealerStrategy,
    memories: int,
) -> SeatTable:
    cards = cards_of(rules)
    surrender = np.where((cards.dealer_place >= 0)[:, None], dealer.surrender[cards.dealer_place], 0.0)
    return SeatTable(
        seat,
        memories,
        hit,
        first_rows(players),
        cards,
        situations(rules, players),
        dealer.closed,
        np.ascontiguousarray(surrender),
        surrender.shape[1] > 1,
        heads_up.draw,
        hand_table(rules).dealer,
        heads_up.surrender,
        _ban_rows(rules),
        full_pack(),
    )


def _ban_rows(rules: BanluckRules) -> Floats:
    facts, cards = hand_table(rules), cards_of(rules)
    is_seen = rules.surrender == "after_specials"
    rows = []
    for hand in np.flatnonzero(cards.is_ban):
        shown = Shown[facts.values[hand].hand_class.name] if is_seen else Shown.NOTHING
        rows.append((*MULTISETS[hand], deals().orders[hand], shown, cards.shown_units[hand]))
    return np.array(rows, dtype=np.float64)
