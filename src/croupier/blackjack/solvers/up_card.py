"""Everything about one up-card: what standing, hitting, doubling and splitting are worth on every hand."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.dealer_hands import DealerTrie, dealer_trie
from croupier.blackjack.solvers.hands import Flags, Floats, HandSpace, Integers, hand_space, hands_with
from croupier.blackjack.solvers.splitting import split_weights
from croupier.blackjack.solvers.value_kernels import (
    DOUBLE,
    HIT,
    STAND,
    TableFacts,
    best_play,
    split_value,
    stand_values,
)
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.rulebook import RulesError

_NO_CHARLIE = 1000


def table_facts(rules: BlackjackRules, up_card: int) -> TableFacts:
    """Read the rules for an up-card."""
    pays_at_once = rules.twenty_one_pays_at_once or rules.charlie != "off"
    if rules.hole_card == "no-peek-original-bet" and pays_at_once:
        raise RulesError(
            "options 'hole_card' and 'twenty_one_pays_at_once' or 'charlie': what a hand paid at once owes to a later natural "
            'is not defined under hole_card = "no-peek-original-bet"; use "no-peek" or "peek"'
        )
    leaves_out = rules.hole_card != "no-peek" and rules.natural_beats_21
    partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(up_card, -1)
    return TableFacts(
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
    may_double_first: Flags = field(init=False)
    may_double_split: Flags = field(init=False)
    _split_stands: dict[int, tuple[Floats, Flags]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = table_facts(self.rules, self.point)
        self.trie = dealer_trie(self.point, hits_soft_17=self.rules.soft17 == "hit")
        size = len(self.space.total)
        self.stand, self.hit, self.double, self.play = (np.full(size, -np.inf) for _ in range(4))
        several = np.flatnonzero(self.space.card_count >= 2)
        stand_values(several, self.left, self.step, self.facts, self.space, self.trie, self.stand)
        best_play(
            self.stand, self.left, self.step, self.facts.natural_point, self.space, self.hit, self.double, self.play
        )  # fmt: skip
        self.may_double_first = doubling_hands(self.rules)
        self.may_double_split = self.may_double_first & self.rules.double_after_split

    def chance_of_natural(self, hand: int) -> float:
        """Return the chance that the dealer has a natural, given the player's hand."""
        partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(self.point)
        if partner is None or not self.rules.natural_beats_21:
            return 0.0
        rest = self.left - self.step * self.space.counts[hand]
        return float(max(rest[partner], 0.0) / rest.sum())

    def hits_or_stands(self) -> Integers:
        """Return the better of standing and hitting, for every hand; 21 stands."""
        return np.where((self.hit > self.stand) & (self.space.total < 21), HIT, STAND)

    def best_decisions(self) -> Integers:
        """Return the best of standing, hitting and, with two cards, doubling, for every hand."""
        better = self.double > np.maximum(self.stand, self.hit)
        return np.where(better & self.may_double_first, DOUBLE, self.hits_or_stands())

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
        weights = split_weights(
            pair_left, float(self.left.sum() - 2 * self.step), self.step, self.most_hands(point)
        )
        if point not in self._split_stands:
            shape = (len(weights.whatever), len(self.space.total))
            self._split_stands[point] = np.full(shape, -np.inf), np.zeros(shape, dtype=np.bool_)
        stand, known = self._split_stands[point]
        return split_value(
            weights, self.space.find((point,)), point, pair_left, hands_with(point), after,
            self.left, self.step, self.facts, self.space, self.trie, stand, known,
        )  # fmt: skip

    def most_hands(self, point: int) -> int:
        """Return how many hands a split of a class may make."""
        resplits = point != ACE_CLASS or self.rules.resplit_aces
        return self.rules.split_hands if resplits else 2

    def decisions_after_split(self, point: int, decision: Integers, hit_or_stand: Integers) -> Integers:
        """Return what hands do after a split: as before it where the rules allow that, else the next best."""
        after = decision.copy()
        seconds = self.space.child[self.space.find((point,))]
        may_double = self.may_double_split[seconds]
        if point == ACE_CLASS and not self.rules.double_split_aces:
            may_double = np.zeros_like(may_double)
        doubles = (decision[seconds] == DOUBLE) & may_double
        single_card_only = point == ACE_CLASS and not self.rules.hit_split_aces
        others = STAND if single_card_only else np.where(decision == DOUBLE, hit_or_stand, decision)[seconds]
        after[seconds] = np.where(doubles, DOUBLE, others)
        return after


@lru_cache(maxsize=256)
def doubling_hands(rules: BlackjackRules) -> Flags:
    """Tell which first two cards the rules let be doubled.

    >>> bool(doubling_hands(BlackjackRules(double="9-11"))[hand_space().find((0, 0))])
    False
    """
    space = hand_space()
    lowest = {"any": 0, "9-11": 9, "10-11": 10, "none": 99}[rules.double]
    highest = 20 if rules.double == "any" else 11  # 21 must stand
    hard_or_soft_too = ~space.is_soft | rules.double_soft
    allowed: Flags = (
        (space.card_count == 2) & (space.total >= lowest) & (space.total <= highest) & hard_or_soft_too
    )
    return allowed
