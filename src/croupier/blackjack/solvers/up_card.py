"""Everything about one up-card: what standing, hitting, doubling and splitting are worth on every hand."""

from dataclasses import dataclass, field

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.dealer_hands import DealerTrie, dealer_trie
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, HandSpace, Integers, hand_space
from croupier.blackjack.solvers.splitting import split_value
from croupier.blackjack.solvers.value_kernels import (
    DOUBLE,
    HIT,
    STAND,
    best_play,
    fixed_play,
    mark_reached,
    stand_values,
)
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.lab.rules import RulesError

_NO_CHARLIE = 1000


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kernels need of the rules, for one up-card.

    Attributes
    ----------
    natural_point
        The class of the dealer's second card that would make a natural and that the player's values leave out; -1 if none.
    natural_result
        What a bet loses to a dealer's natural within the values: nothing where it is left out, else -1.
    """

    natural_point: int
    natural_result: float
    natural_is_21: bool
    pays_21: bool
    charlie: int

    @classmethod
    def of(cls, rules: BlackjackRules, up_card: int) -> "TableFacts":
        """Read the rules for an up-card."""
        pays_at_once = rules.twenty_one_pays_at_once or rules.charlie != "off"
        if rules.hole_card == "no-peek-original-bet" and pays_at_once:
            raise RulesError(
                "options 'hole_card' and 'twenty_one_pays_at_once' or 'charlie': what a hand paid at once owes to a later natural "
                'is not defined under hole_card = "no-peek-original-bet"; use "no-peek" or "peek"'
            )
        leaves_out = rules.hole_card != "no-peek" and rules.natural_beats_21
        partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(up_card, -1)
        return cls(
            natural_point=partner if leaves_out else -1,
            natural_result=0.0 if leaves_out else -1.0,
            natural_is_21=not rules.natural_beats_21,
            pays_21=rules.twenty_one_pays_at_once,
            charlie=_NO_CHARLIE if rules.charlie == "off" else rules.charlie,
        )


@dataclass(slots=True, eq=False)
class UpCard:
    """The values of all hands against one up-card, from a shoe without that card."""

    rules: BlackjackRules
    point: int
    left: Floats
    step: float
    space: HandSpace = field(default_factory=hand_space)
    stand: Floats = field(init=False)
    hit: Floats = field(init=False)
    double: Floats = field(init=False)
    play: Floats = field(init=False)
    facts: TableFacts = field(init=False)
    trie: DealerTrie = field(init=False)
    _split_stands: dict[tuple[int, int], tuple[Floats, Flags]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = TableFacts.of(self.rules, self.point)
        self.trie = dealer_trie(self.point, hits_soft_17=self.rules.soft17 == "hit")
        size = len(self.space.total)
        self.stand, self.hit, self.double, self.play = (np.full(size, -np.inf) for _ in range(4))
        self._fill_stands(self.space.card_count >= 2, self.left, self.stand)
        space, facts = self.space, self.facts
        best_play(
            self.stand, self.left, self.step, facts.natural_point, space.counts, space.total, space.child,
            self.hit, self.double, self.play,
        )  # fmt: skip

    def chance_of_natural(self, hand: int) -> float:
        """Return the chance that the dealer has a natural, given the player's hand."""
        partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(self.point)
        if partner is None or not self.rules.natural_beats_21:
            return 0.0
        rest = self.left - self.step * self.space.counts[hand]
        return float(max(rest[partner], 0.0) / rest.sum())

    def may_double(self, hand: int, *, after_split: bool = False) -> bool:
        """Tell whether the rules let a two-card hand be doubled."""
        total, soft = int(self.space.total[hand]), bool(self.space.is_soft[hand])
        lowest = {"any": 0, "9-11": 9, "10-11": 10, "none": 99}[self.rules.double]
        highest = 20 if self.rules.double == "any" else 11  # 21 must stand
        if not lowest <= total <= highest or (soft and not self.rules.double_soft):
            return False
        return not after_split or self.rules.double_after_split

    def hits_or_stands(self) -> Integers:
        """Return the better of standing and hitting, for every hand; 21 stands."""
        return np.where((self.hit > self.stand) & (self.space.total < 21), HIT, STAND)

    def best_decisions(self) -> Integers:
        """Return the best of standing, hitting and, with two cards, doubling, for every hand."""
        decision = self.hits_or_stands()
        for hand in np.flatnonzero(self.space.card_count == 2).tolist():
            if self.may_double(hand) and self.double[hand] > max(self.stand[hand], self.hit[hand]):
                decision[hand] = DOUBLE
        return decision

    def split(self, point: int, pair_left: float, decision: Integers, hit_or_stand: Integers) -> float:
        """Return the joint value of splitting a pair, all hands played by the decisions.

        Parameters
        ----------
        pair_left
            Cards left that make a pair with those of the pair; for ten-value cards these may be of one rank only.
        decision
            What every hand does before a split; after it, the same where the rules allow it.
        hit_or_stand
            What a two-card hand does where it may not double.
        """
        after = self.decisions_after_split(point, decision, hit_or_stand)
        resplits = point != ACE_CLASS or self.rules.resplit_aces
        shoe = self.left.copy()
        shoe[point] -= 2 * self.step
        cache: dict[int, tuple[float, float]] = {}

        def values(further: int) -> tuple[float, float]:
            if further not in cache:
                cache[further] = self._one_hand(point, further, pair_left, after)
            return cache[further]

        return split_value(
            pair_left,
            float(shoe.sum()),
            self.step,
            self.rules.split_hands if resplits else 2,
            lambda further: values(further)[0],
            lambda further: values(further)[1],
        )

    def decisions_after_split(self, point: int, decision: Integers, hit_or_stand: Integers) -> Integers:
        """Return what hands do after a split: as before it where the rules allow that, else the next best."""
        after = decision.copy()
        single = self.space.find((point,))
        one_card_only = point == ACE_CLASS and not self.rules.hit_split_aces
        for hand in self.space.child[single].tolist():
            if one_card_only:
                after[hand] = STAND
            if after[hand] == DOUBLE and not self._may_double_split(point, hand):
                after[hand] = hit_or_stand[hand]
            if one_card_only and self._may_double_split(point, hand) and decision[hand] == DOUBLE:
                after[hand] = DOUBLE
        return after

    def _may_double_split(self, point: int, hand: int) -> bool:
        if point == ACE_CLASS and not self.rules.double_split_aces:
            return False
        return self.may_double(hand, after_split=True)

    def _one_hand(
        self, point: int, further: int, pair_left: float, decision: Integers
    ) -> tuple[float, float]:
        """Return A_k and B_k of :mod:`~croupier.blackjack.solvers.splitting` for k further pair cards out of the shoe."""
        space = self.space
        single = space.find((point,))
        left = self.left.copy()
        left[point] -= self.step * (1 + further)
        needs, stands = np.empty(len(space.total), dtype=np.bool_), np.empty(len(space.total), dtype=np.bool_)
        mark_reached(space.child[single], decision, space.counts, space.child, left, self.step, needs, stands)
        stand = self._stands_after_split(point, further, left, stands)
        play = np.full(len(space.total), -np.inf)
        fixed_play(
            decision, stand, left, self.step, self.facts.natural_point, space.counts, space.child, needs, play
        )
        rest = left - self.step * space.counts[single]
        pairs = pair_left - self.step * further
        others = rest.copy()
        others[point] -= pairs
        cards = rest.sum()
        worth = play[space.child[single]]
        not_pair = (
            float(sum(others[card] * worth[card] for card in range(CLASSES) if others[card] > 0)) / cards
        )
        with_pair = float(pairs * worth[point]) / cards if pairs > 0 else 0.0
        return not_pair, not_pair + with_pair

    def _stands_after_split(self, point: int, further: int, left: Floats, wanted: Flags) -> Floats:
        """Return standing values from the shoe of a split, computing each hand once."""
        if (point, further) not in self._split_stands:
            size = len(self.space.total)
            self._split_stands[point, further] = np.full(size, -np.inf), np.zeros(size, dtype=np.bool_)
        values, known = self._split_stands[point, further]
        missing = wanted & ~known
        if missing.any():
            self._fill_stands(missing, left, values)
            known |= missing
        return values

    def _fill_stands(self, wanted: Flags, left: Floats, out: Floats) -> None:
        space, facts, trie = self.space, self.facts, self.trie
        stand_values(
            wanted, left, self.step, facts.natural_point, facts.natural_result, facts.natural_is_21, facts.pays_21, facts.charlie,
            space.counts, space.total, space.card_count,
            trie.parent, trie.point, trie.repeat, trie.depth, trie.orders, trie.ending, out,
        )  # fmt: skip
