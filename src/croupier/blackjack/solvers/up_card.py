"""Everything about one up-card: what standing, hitting, doubling and splitting are worth on every hand."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, HIT, STAND
from croupier.blackjack.engine.permissions import (
    HandFacts,
    charlie_cards,
    dealer_draws,
    is_finished,
    most_hands,
    why_not_double,
    why_not_hit,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.dealer_hands import DealerTrie, dealer_trie
from croupier.blackjack.solvers.hands import (
    CLASSES,
    Flags,
    Floats,
    HandSpace,
    Integers,
    hand_space,
    hands_with,
)
from croupier.blackjack.solvers.splitting import split_weights
from croupier.blackjack.solvers.value_kernels import (
    TableFacts,
    best_play,
    split_value,
    stand_values,
)
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.rulebook import RulesError
from croupier.texts import say


def table_facts(rules: BlackjackRules, up_card: int) -> TableFacts:
    """Read the rules for an up-card.

    Raises
    ------
    RulesError
        For hands paid at once where a later natural takes the original bet only: whether it also takes a bet whose hand is
        already paid differs from hand to hand of a split, and the values here know of one hand at a time.
    """
    pays_at_once = rules.twenty_one_pays_at_once or rules.charlie != "off"
    if rules.hole_card == "no-peek-original-bet" and pays_at_once:
        raise RulesError(say("blackjack.refused.original_bet"))
    leaves_out = rules.hole_card != "no-peek" and rules.natural_beats_21
    partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(up_card, -1)
    return TableFacts(
        natural_point=partner if leaves_out else -1,
        natural_is_21=not rules.natural_beats_21,
        pays_21=rules.twenty_one_pays_at_once,
        charlie=charlie_cards(rules),
        pushes_22=rules.dealer_22_pushes,
    )


#: Values of splits that an up-card remembers: searches for charts ask for the same ones again and again.
_KEPT_SPLITS = 4096


class _AfterSplit(NamedTuple):
    """What the second card of a hand from a split leaves open."""

    may_hit: bool
    may_double: Flags


def _after_split(rules: BlackjackRules, *, is_ace: bool) -> _AfterSplit:
    any_total = HandFacts(12, False, from_split=True, is_split_ace=is_ace)
    may_hit = why_not_hit(rules, any_total) is None
    return _AfterSplit(may_hit, doubling_hands(rules, from_split=True, is_split_ace=is_ace))


@dataclass(slots=True, eq=False)
class UpCard:
    """The values of all hands against one up-card, from a shoe without that card.

    Attributes
    ----------
    is_open
        Whether a hand has anything to decide: not 21, and not a charlie.
    may_double_first
        Whether first two cards may be doubled.
    most_hands
        How many hands a split of each class may make.
    """

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
    is_open: Flags = field(init=False)
    may_double_first: Flags = field(init=False)
    most_hands: tuple[int, ...] = field(init=False)
    _after_split: tuple["_AfterSplit", "_AfterSplit"] = field(init=False)
    _split_stands: dict[int, tuple[Floats, Flags]] = field(init=False, default_factory=dict)
    _split_values: dict[tuple[int, float, bytes], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = table_facts(self.rules, self.point)
        self.trie = dealer_trie(self.point, hits_soft_17=dealer_draws(self.rules, 17, True))
        size = len(self.space.total)
        self.stand, self.hit, self.double, self.play = (np.full(size, -np.inf) for _ in range(4))
        several = np.flatnonzero(self.space.card_count >= 2)
        stand_values(several, self.left, self.step, self.facts, self.space, self.trie, self.stand)
        best_play(
            self.stand, self.left, self.step, self.facts.natural_point, self.space, self.hit, self.double, self.play
        )  # fmt: skip
        self.is_open = open_hands(self.rules)
        self.may_double_first = doubling_hands(self.rules)
        self.most_hands = tuple(most_hands(self.rules, point) for point in range(CLASSES))
        self._after_split = _after_split(self.rules, is_ace=False), _after_split(self.rules, is_ace=True)

    def chance_of_natural(self, hand: int) -> float:
        """Return the chance that the dealer has a natural, given the player's hand."""
        partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(self.point)
        if partner is None or not self.rules.natural_beats_21:
            return 0.0
        rest = self.left - self.step * self.space.counts[hand]
        return float(max(rest[partner], 0.0) / rest.sum())

    def hits_or_stands(self) -> Integers:
        """Return the better of standing and hitting, for every hand that has anything to decide."""
        return np.where((self.hit > self.stand) & self.is_open, HIT, STAND)

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
        key = point, pair_left, after[hands_with(point)].astype(np.uint8).tobytes()
        value = self._split_values.get(key)
        if value is None:
            if len(self._split_values) >= _KEPT_SPLITS:
                self._split_values.clear()
            value = self._split_values[key] = self._split(point, pair_left, after)
        return value

    def _split(self, point: int, pair_left: float, after: Integers) -> float:
        weights = split_weights(
            pair_left, float(self.left.sum() - 2 * self.step), self.step, self.most_hands[point]
        )
        if point not in self._split_stands:
            shape = (len(weights.whatever), len(self.space.total))
            self._split_stands[point] = np.full(shape, -np.inf), np.zeros(shape, dtype=np.bool_)
        stand, known = self._split_stands[point]
        return split_value(
            weights, self.space.find((point,)), point, pair_left, hands_with(point), after,
            self.left, self.step, self.facts, self.space, self.trie, stand, known,
        )  # fmt: skip

    def decisions_after_split(self, point: int, decision: Integers, hit_or_stand: Integers) -> Integers:
        """Return what hands do after a split: as before it where the rules allow that, else the next best."""
        after = decision.copy()
        seconds = self.space.child[self.space.find((point,))]
        split = self._after_split[point == ACE_CLASS]
        before = decision[seconds]
        doubles = (before == DOUBLE) & split.may_double[seconds]
        hits = np.where(before == DOUBLE, hit_or_stand[seconds], before)
        others = hits if split.may_hit else STAND
        after[seconds] = np.where(doubles, DOUBLE, others)
        return after


@lru_cache(maxsize=256)
def open_hands(rules: BlackjackRules) -> Flags:
    """Tell which hands have anything to decide.

    >>> five_deuces = hand_space().find((0, 0, 0, 0, 0))
    >>> [bool(open_hands(rules)[five_deuces]) for rules in (BlackjackRules(), BlackjackRules(charlie=5))]
    [True, False]
    """
    space = hand_space()
    facts = zip(space.total.tolist(), space.card_count.tolist(), strict=True)
    return np.array([not is_finished(rules, total, cards) for total, cards in facts])


@lru_cache(maxsize=1024)
def doubling_hands(rules: BlackjackRules, *, from_split: bool = False, is_split_ace: bool = False) -> Flags:
    """Tell which hands the rules let be doubled, as dealt or from a split.

    >>> bool(doubling_hands(BlackjackRules(double="9-11"))[hand_space().find((0, 0))])
    False
    """
    space = hand_space()
    facts = zip(space.total.tolist(), space.is_soft.tolist(), space.card_count.tolist(), strict=True)
    return np.array(
        [why_not_double(rules, HandFacts(*hand, from_split, is_split_ace)) is None for hand in facts]
    )
