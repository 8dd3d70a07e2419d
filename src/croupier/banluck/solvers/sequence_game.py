r"""Heads-up Banluck as a sequence-form game, exactly and without abstraction.

Both sides decide on rank multisets, and each sees only its own cards (the dealer also the player's card count).
A *plan* of a side gives each action at each decision node a mass: how many of the orders in which the
node's cards can come, weighted by the side's own choices, take that action. The probability that two hands
come in given orders depends on their union alone, so with :math:`x` and :math:`y` the plans of player and dealer

.. math:: \mathrm{EV}(x, y) = \sum_b x_{R_b}^\top M_b\, y_{C_b}

over one block :math:`b` for each card count that the dealer can tell apart, and one for the Ban hands. Many
orders lead to one multiset, so the nodes of a side form an acyclic graph rather than a tree; since what follows
does not depend on the order, nothing is lost (see ``docs/methods/banluck.md``).

Hands that leave no choice are folded away: a child of the player's hit that is over pays into the hit itself, and
a dealer's forced draws pay into the draw, or the deal, that led to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.permissions import (
    may_surrender,
    player_may_act,
    player_must_hit,
)
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import (
    TWO_CARD_HANDS,
    Flags,
    Floats,
    HandTable,
    Integers,
    deals,
    hand_table,
    joint_probability,
)
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS, FORCED, GO, STOP, fill_block
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, Shown

#: The sequence that everybody has played before the first decision.
ROOT = 0

_PACK = np.array(PACK_COUNTS)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionGraph:
    """The decisions of one side, parents before children.

    Sequence 0 is the root; node k has the sequences 1 + 2k (stop) and 2 + 2k (go).

    Attributes
    ----------
    legal
        Which of its two actions a node allows.
    first_link, link_node, link_count
        Sequence s leads to the nodes ``link_node[first_link[s]:first_link[s+1]]``, each by ``link_count`` orders.
    """

    legal: Flags
    first_link: Integers
    link_node: Integers
    link_count: Floats

    @property
    def node_count(self) -> int:
        """How many decision nodes there are."""
        return len(self.legal)

    @property
    def sequence_count(self) -> int:
        """How many sequences there are, the root included."""
        return 1 + 2 * len(self.legal)


@dataclass(frozen=True, slots=True, eq=False)
class PayoffBlock:
    """Player's units for the sequences of a block: rows are the player's, columns the dealer's."""

    rows: Integers
    columns: Integers
    payoff: Floats
    payoff_transposed: Floats


@dataclass(frozen=True, slots=True, eq=False)
class DealerNode:
    """Where the dealer decides: on a surrender (after something was shown), or against card counts of the player."""

    multiset: int
    shown: Shown | None = None
    card_counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SequenceGame:
    """One rule set as a zero-sum game over plans."""

    rules: BanluckRules
    player: DecisionGraph
    dealer: DecisionGraph
    player_nodes: tuple[int, ...]
    dealer_nodes: tuple[DealerNode, ...]
    blocks: tuple[PayoffBlock, ...]
    layouts: "tuple[BlockLayout, ...]"

    def without(self, removed: Sequence[tuple[float, Integers]]) -> "SequenceGame":
        """Return the game that goes on when nobody holds a Ban hand and some cards are out of the pack.

        ``removed`` lists which cards (counts by class) may be out, each with its probability.

        >>> game = sequence_game(BanluckRules())
        >>> len(game.without([(1.0, deals().counts[54])]).blocks)
        4
        """
        table = hand_table(self.rules)
        blocks = []
        for layout in self.layouts:
            parts = [weight * layout.filled(table, _PACK - cards).payoff for weight, cards in removed]
            blocks.append(_block(layout.rows, layout.columns, np.sum(parts, axis=0)))
        return replace(self, blocks=tuple(blocks))

    def player_gradient(self, dealer_plan: Floats) -> Floats:
        """Return what each sequence of the player earns against a dealer's plan."""
        gradient = np.zeros(self.player.sequence_count)
        for block in self.blocks:
            gradient[block.rows] += block.payoff @ dealer_plan[block.columns]
        return gradient

    def dealer_gradient(self, player_plan: Floats) -> Floats:
        """Return what each sequence of the dealer costs the player, given the player's plan."""
        gradient = np.zeros(self.dealer.sequence_count)
        for block in self.blocks:
            gradient[block.columns] += block.payoff_transposed @ player_plan[block.rows]
        return gradient

    def value(self, player_plan: Floats, dealer_plan: Floats) -> float:
        """Return the player's expected units per hand."""
        return float(player_plan @ self.player_gradient(dealer_plan))


@lru_cache(maxsize=8)
def sequence_game(rules: BanluckRules) -> SequenceGame:
    """Build the game of a rule set.

    >>> game = sequence_game(BanluckRules())
    >>> game.player.node_count > 400, len(game.blocks)
    (True, 5)
    """
    table = hand_table(rules)
    player_nodes = tuple(_reachable(np.array([player_may_act(value) for value in table.values])))
    row_of = {hand: node for node, hand in enumerate(player_nodes)}
    dealer = _DealerSide(table)
    layouts = tuple(
        _layout(table, row_of, dealer, group, card_count) for group in dealer.groups for card_count in group
    )
    return SequenceGame(
        rules=rules,
        player=_player_graph(table, player_nodes, row_of),
        dealer=dealer.graph(),
        player_nodes=player_nodes,
        dealer_nodes=tuple(dealer.nodes),
        blocks=(_specials_block(table, dealer), *(layout.filled(table, _PACK) for layout in layouts)),
        layouts=layouts,
    )


def _reachable(goes_on: Flags) -> list[int]:
    """List the hands that go on and can come up at all: A-A-A goes on, but A-A is settled before it can be hit."""
    reached = np.zeros(len(MULTISETS), dtype=np.bool_)
    reached[:TWO_CARD_HANDS] = True
    for hand in range(len(MULTISETS)):
        if reached[hand] and goes_on[hand]:
            after = deals().child[hand]
            reached[after[after >= 0]] = True
    return np.flatnonzero(reached & goes_on).tolist()


def _player_graph(table: HandTable, nodes: tuple[int, ...], node_of: dict[int, int]) -> DecisionGraph:
    legal = np.ones((len(nodes), 2), dtype=np.bool_)
    legal[:, STOP] = [not player_must_hit(table.values[hand], table.rules) for hand in nodes]
    links: list[dict[int, float]] = [{} for _ in range(1 + 2 * len(nodes))]
    for hand, node in node_of.items():
        if hand < TWO_CARD_HANDS:
            links[ROOT][node] = float(deals().orders[hand])
        for after in deals().child[hand]:
            if after in node_of:
                links[1 + 2 * node + GO][node_of[after]] = 1.0
    return _graph(legal, links)


def _graph(legal: Flags, links: list[dict[int, float]]) -> DecisionGraph:
    first = np.concatenate(([0], np.cumsum([len(link) for link in links])))
    return DecisionGraph(
        legal,
        first.astype(np.int64),
        np.array([node for link in links for node in link], dtype=np.int64),
        np.array([count for link in links for count in link.values()], dtype=np.float64),
    )


class _DealerSide:
    """The dealer's nodes, group by group, while a game is being built."""

    def __init__(self, table: HandTable) -> None:
        self.table = table
        rules = table.rules
        #: Card counts of the player that the dealer cannot, or can, tell apart.
        self.groups: tuple[tuple[int, ...], ...] = (
            (PLAYER_CARD_COUNTS,) if rules.reveal == "none" else tuple((n,) for n in PLAYER_CARD_COUNTS)
        )
        self.kinds = {group: self._kinds(group) for group in self.groups}
        self.nodes: list[DealerNode] = []
        self.links: list[dict[int, float]] = [{}]
        self.keep_sequence: dict[tuple[int, Shown], int] = {}
        self.choice_node: dict[tuple[int, ...], dict[int, int]] = {}
        shown_kinds = list(Shown) if rules.surrender == "after_specials" else [Shown.NOTHING]
        for hand in range(TWO_CARD_HANDS):
            if may_surrender(MULTISETS[hand], rules):
                for shown in shown_kinds:
                    node = self._add_node(DealerNode(hand, shown=shown))
                    self.links[ROOT][node] = 1.0
                    self.keep_sequence[hand, shown] = 1 + 2 * node + GO
        for group in self.groups:
            self._add_group(group)

    def _kinds(self, group: tuple[int, ...]) -> Integers:
        """Say of each multiset whether the dealer's hand ends there, must draw, or is the dealer's choice."""
        kinds = self.table.dealer[:, PLAYER_CARD_COUNTS.index(group[0])].copy()
        unreachable = np.ones(len(MULTISETS), dtype=np.bool_)
        unreachable[_reachable(kinds != ENDS)] = False
        kinds[unreachable] = ENDS
        return kinds

    def entry_sequence(self, hand: int, shown: Shown = Shown.NOTHING) -> int:
        """Return the sequence with which the dealer enters a hand that was dealt."""
        if self.table.rules.surrender != "after_specials":
            shown = Shown.NOTHING
        return self.keep_sequence.get((hand, shown), ROOT)

    def graph(self) -> DecisionGraph:
        return _graph(np.ones((len(self.nodes), 2), dtype=np.bool_), self.links)

    def _add_node(self, node: DealerNode) -> int:
        self.nodes.append(node)
        self.links += [{}, {}]
        return len(self.nodes) - 1

    def _add_group(self, group: tuple[int, ...]) -> None:
        kinds = self.kinds[group]
        node_of = {}
        for hand in np.flatnonzero(kinds == CHOICE).tolist():
            node_of[hand] = self._add_node(DealerNode(hand, card_counts=group))
        self.choice_node[group] = node_of
        arrivals = _arrivals(kinds)
        for hand, node in node_of.items():
            for after in deals().child[hand].tolist():
                if after >= 0:
                    self._link(1 + 2 * node + GO, arrivals[after], node_of, 1.0)
        for hand in range(TWO_CARD_HANDS):
            if not self.table.values[hand].is_ban:
                self._link(self.entry_sequence(hand), arrivals[hand], node_of, float(deals().orders[hand]))

    def _link(
        self, sequence: int, arrivals: dict[int, float], node_of: dict[int, int], orders: float
    ) -> None:
        links = self.links[sequence]
        for hand, count in arrivals.items():
            node = node_of[hand]
            links[node] = links.get(node, 0.0) + orders * count


def _arrivals(kinds: Integers) -> list[dict[int, float]]:
    """Say for each multiset at which choices a dealer who is dealt it arrives by forced draws, in how many orders."""
    arrivals: list[dict[int, float]] = [{} for _ in MULTISETS]
    for hand in range(len(MULTISETS) - 1, -1, -1):
        if kinds[hand] == CHOICE:
            arrivals[hand] = {hand: 1.0}
        elif kinds[hand] == FORCED:
            merged: dict[int, float] = {}
            for after in deals().child[hand].tolist():
                if after >= 0:
                    for choice, count in arrivals[after].items():
                        merged[choice] = merged.get(choice, 0.0) + count
            arrivals[hand] = merged
    return arrivals


def _specials_block(table: HandTable, dealer: _DealerSide) -> PayoffBlock:
    """Pay the deals in which either side holds a Ban hand: one row, the player's root."""
    paid: dict[int, float] = {ROOT: 0.0}
    two_cards = range(TWO_CARD_HANDS)
    for own in two_cards:
        shown = _shown_by(table, own)
        for other in two_cards:
            if table.values[own].is_ban or table.values[other].is_ban:
                sequence = dealer.entry_sequence(other, shown)
                orders = deals().orders[own] * deals().orders[other]
                units = table.payoff[table.code[own], table.code[other]]
                paid[sequence] = paid.get(sequence, 0.0) + float(orders * units) * joint_probability(
                    deals().counts[own] + deals().counts[other]
                )
    return _block(np.array([ROOT]), np.array(list(paid)), np.array([list(paid.values())]))


def _shown_by(table: HandTable, hand: int) -> Shown:
    name = table.values[hand].hand_class.name
    return Shown[name] if name in Shown.__members__ else Shown.NOTHING


def _block(rows: Integers, columns: Integers, payoff: Floats) -> PayoffBlock:
    return PayoffBlock(rows, columns, np.ascontiguousarray(payoff), np.ascontiguousarray(payoff.T))


@dataclass(frozen=True, slots=True, eq=False)
class BlockLayout:
    """What the block of a card count is filled from, whatever the pack: see :func:`~croupier.banluck.solvers.payoff_kernel.fill_block`."""

    rows: Integers
    columns: Integers
    hands: Integers
    first_target: Integers
    targets: Integers
    entry: Integers
    choice_column: Integers
    kinds: Integers

    def filled(self, table: HandTable, pack: Integers) -> PayoffBlock:
        """Pay the hands in which nobody holds a Ban hand and the player ends with this card count."""
        payoff = np.zeros((len(self.rows), len(self.columns)))
        fill_block(
            payoff, self.hands, self.first_target, self.targets, self.entry, self.choice_column, self.kinds,
            table.code, table.payoff, table.lost, deals().orders,
            deals().counts, deals().card_count, deals().child, deals().parent, deals().last_class, pack,
        )  # fmt: skip
        return _block(self.rows, self.columns, payoff)


def _layout(
    table: HandTable, node_of: dict[int, int], dealer: _DealerSide, group: tuple[int, ...], card_count: int
) -> BlockLayout:
    rows, hands, first_target, targets = _player_rows(node_of, (card_count,))
    columns = [ROOT, *sorted({s for (_, shown), s in dealer.keep_sequence.items() if shown is Shown.NOTHING})]
    place = {sequence: column for column, sequence in enumerate(columns)}
    entry = np.array(
        [
            -1 if table.values[hand].is_ban else place[dealer.entry_sequence(hand)]
            for hand in range(TWO_CARD_HANDS)
        ]
    )
    choice_column = np.full(len(MULTISETS), -1)
    for hand, node in dealer.choice_node[group].items():
        choice_column[hand] = len(columns)
        columns += [1 + 2 * node + STOP, 1 + 2 * node + GO]
    kinds = dealer.kinds[group]
    return BlockLayout(
        np.array(rows), np.array(columns), hands, first_target, targets, entry, choice_column, kinds
    )


def _player_rows(
    node_of: dict[int, int], group: tuple[int, ...]
) -> tuple[list[int], Integers, Integers, Integers]:
    """List the player's sequences that can end with a card count of the group, and the final hands that pay into them.

    Returns the sequences (rows of the block), the final hands, and for each of these the rows it pays into.
    """
    row_of: dict[int, int] = {}
    pays_into: dict[int, list[int]] = {}

    def add(hand: int, sequence: int) -> None:
        row = row_of.setdefault(sequence, len(row_of))
        pays_into.setdefault(hand, []).append(row)

    for hand, node in node_of.items():
        if len(MULTISETS[hand]) in group:
            add(hand, 1 + 2 * node + STOP)
        if len(MULTISETS[hand]) + 1 in group:
            for after in deals().child[hand].tolist():
                if after >= 0 and after not in node_of:
                    add(after, 1 + 2 * node + GO)
    first_target = np.concatenate(([0], np.cumsum([len(rows) for rows in pays_into.values()])))
    targets = np.array([row for rows in pays_into.values() for row in rows], dtype=np.int64)
    return list(row_of), np.array(list(pays_into), dtype=np.int64), first_target.astype(np.int64), targets
