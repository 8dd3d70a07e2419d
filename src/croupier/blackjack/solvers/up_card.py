"""Everything about one up-card: what standing, hitting, doubling and splitting are worth on every hand."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, HIT, STAND, SURRENDER, Move
from croupier.blackjack.engine.permissions import (
    HandFacts,
    dealer_draws,
    is_finished,
    is_free_split,
    most_hands,
    why_not_double,
    why_not_hit,
    why_not_rescue,
    why_not_surrender,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart_moves import column_of
from croupier.blackjack.solvers.dealer_hands import DealerTrie, dealer_trie
from croupier.blackjack.solvers.doubled_hands import best_moves, planned_moves
from croupier.blackjack.solvers.hands import (
    CLASSES,
    Flags,
    Floats,
    HandSpace,
    Integers,
    hand_space,
    hands_of_several,
    hands_with,
)
from croupier.blackjack.solvers.split_kernels import split_value
from croupier.blackjack.solvers.splitting import SplitWeights, first_hand_weights, split_weights
from croupier.blackjack.solvers.table_facts import table_facts
from croupier.blackjack.solvers.value_kernels import (
    RESCUE_LOSS,
    DoubledMoves,
    FinalValues,
    TableFacts,
    best_play,
    doubled_values,
    final_values,
    given_up_value,
    hit_value,
    stand_values,
)
from croupier.cards import ACE_CLASS, TEN_CLASS

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
    hole
        The dealer's other card where both lie open; it is out of the shoe too, and the two are no natural that ends the round.
    hands
        Whose values are wanted, with all that they can become; those of other hands are left open.
    is_open
        Whether a hand has anything to decide: not 21, and not a charlie.
    may_double
        Whether hands that do not come from a split may be doubled.
    may_give_up
        Whether hands may be given up at any time, not as the first two cards only.
    unit, lost
        What each bet on a doubled hand is worth if it stands, and the chance that the dealer's hand wins.
    doubled_moves, final
        What doubled hands do at best (no rows where they can only stand), and what hands are worth then that get no card by a plain hit.
    planned_moves, planned_final
        The same where doubled hands go by their totals (:mod:`~croupier.blackjack.solvers.doubled_hands`), as players of a chart do.
    most_hands
        How many hands a split of each class may make.
    """

    rules: BlackjackRules
    point: int
    left: Floats
    step: float
    hole: int | None = None
    space: HandSpace = field(default_factory=hand_space)
    hands: Integers = field(default_factory=hands_of_several)
    stand: Floats = field(init=False)
    unit: Floats = field(init=False)
    lost: Floats = field(init=False)
    hit: Floats = field(init=False)
    double: Floats = field(init=False)
    play: Floats = field(init=False)
    facts: TableFacts = field(init=False)
    trie: DealerTrie = field(init=False)
    is_open: Flags = field(init=False)
    may_double: Flags = field(init=False)
    may_give_up: Flags = field(init=False)
    doubled_moves: DoubledMoves = field(init=False)
    final: FinalValues = field(init=False)
    planned_moves: DoubledMoves = field(init=False)
    planned_final: FinalValues = field(init=False)
    most_hands: tuple[int, ...] = field(init=False)
    _after_split: tuple["_AfterSplit", "_AfterSplit"] = field(init=False)
    _split_stands: dict[int, tuple[Floats, Flags]] = field(init=False, default_factory=dict)
    _split_values: dict[tuple[int, float, bool, bytes], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = table_facts(self.rules, self.point)
        hits_soft_17 = dealer_draws(self.rules, 17, True)
        self.trie = dealer_trie(self.point, hits_soft_17=hits_soft_17, hole_card=self.hole)
        size = len(self.space.total)
        self.stand, self.unit, self.hit, self.double, self.play = (np.full(size, -np.inf) for _ in range(5))
        self.lost = np.zeros(size)
        stand_values(
            self.hands,
            self.left,
            self.step,
            self.facts,
            self.space,
            self.trie,
            self.stand,
            self.unit,
            self.lost,
        )
        self.is_open = open_hands(self.rules)
        self.may_double = doubling_hands(self.rules)
        self.may_give_up = surrendering_hands(self.rules)
        self.doubled_moves = best_moves(self.rules, self.unit, self.left, self.step, self.facts)
        self.planned_moves = planned_moves(self.rules, column_of(self.point, self.hole))
        self.final = self._final(self.doubled_moves)
        has_plan = not np.array_equal(self.planned_moves, self.doubled_moves)
        self.planned_final = self._final(self.planned_moves) if has_plan else self.final
        best_play(
            self.hands,
            self.final, self.is_open, self.may_double, self.may_give_up, self.left, self.step, self.facts, self.space,
            self.hit, self.double, self.play,
        )  # fmt: skip
        self.most_hands = tuple(most_hands(self.rules, point) for point in range(CLASSES))
        self._after_split = _after_split(self.rules, is_ace=False), _after_split(self.rules, is_ace=True)

    def _final(self, moves: DoubledMoves) -> FinalValues:
        doubled = np.full((len(moves), len(self.unit)), -np.inf)
        doubled_values(self.hands, moves, self.unit, self.left, self.step, self.facts, self.space, doubled)
        return final_values(self.stand, self.unit, self.lost, doubled, 1.0, self.facts)

    def doubled_actions(self, hand: int, doubles: int) -> dict[Move, float]:
        """Return the joint value of everything that may be done with a hand that has been doubled so often, by bets that are at risk."""
        values = np.full((len(self.doubled_moves), len(self.unit)), -np.inf)
        doubled_values(
            self.hands, self.doubled_moves, self.unit, self.left, self.step, self.facts, self.space, values
        )
        stake = 2.0**doubles
        facts = HandFacts(
            int(self.space.total[hand]),
            bool(self.space.is_soft[hand]),
            int(self.space.card_count[hand]),
            doubles=doubles,
        )
        actions = {Move.STAND: stake * float(self.unit[hand])}
        if why_not_double(self.rules, facts) is None:
            actions[Move.DOUBLE] = hit_value(
                hand, values[doubles], self.left, self.step, self.facts.natural_point, self.space, 2.0 * stake
            )
        if why_not_rescue(self.rules, facts) is None:
            actions[Move.SURRENDER] = self.given_up(hand, RESCUE_LOSS, stake)
        return actions

    def free_actions(self, hand: int, pair_left: float | None) -> dict[Move, float]:
        """Return the joint value of everything that may be done with a hand that was split with a free bet.

        ``pair_left`` are the cards left that would make a pair with those of a pair that may be split again, else None.
        """
        final = final_values(self.stand, self.unit, self.lost, self.unit[None], 0.0, self.facts)
        hit, double, play = (np.full(len(self.stand), -np.inf) for _ in range(3))
        best_play(
            self.hands,
            final,
            self.is_open,
            self.may_double,
            self.may_give_up,
            self.left,
            self.step,
            self.facts,
            self.space,
            hit,
            double,
            play,
        )
        actions = {
            Move.STAND: float(final.single[hand]),
            Move.HIT: float(hit[hand]),
            Move.DOUBLE: float(double[hand]),
        }
        if pair_left is not None:
            point = int(np.argmax(self.space.counts[hand]))
            after = self.decisions_after_split(point, self.best_decisions(), self.hits_or_stands())
            cards = float(self.left.sum() - 2 * self.step)
            weights = split_weights(pair_left, cards, self.step, self.most_hands[point])
            actions[Move.SPLIT] = self._split_hands(weights, point, pair_left, after, self.doubled_moves, 0.0)
        return actions

    def given_up(self, hand: int, loss: float, stake: float = 1.0) -> float:
        """Return the joint value of giving up a hand in its turn, by the part of its stake that this costs."""
        return float(given_up_value(hand, loss, stake, self.left, self.step, self.facts, self.space))

    def chance_of_natural(self, hand: int) -> float:
        """Return the chance that the dealer has a natural, given the player's hand."""
        partner = {TEN_CLASS: ACE_CLASS, ACE_CLASS: TEN_CLASS}.get(self.point)
        if partner is None or self.hole is not None or not self.rules.natural_beats_21:
            return 0.0
        rest = self.left - self.step * self.space.counts[hand]
        return float(max(rest[partner], 0.0) / rest.sum())

    def hits_or_stands(self) -> Integers:
        """Return the better of standing, hitting and, where that may be done at any time, giving up, for every hand that has a choice."""
        made = np.where((self.hit > self.stand) & self.is_open, HIT, STAND)
        return self._unless_given_up(made, np.maximum(self.hit, self.stand))

    def best_decisions(self) -> Integers:
        """Return the best of standing, hitting, doubling and, where that may be done at any time, giving up, for every hand."""
        otherwise = np.maximum(self.stand, self.hit)
        doubles = (self.double > otherwise) & self.may_double
        made = np.where(doubles, DOUBLE, np.where((self.hit > self.stand) & self.is_open, HIT, STAND))
        return self._unless_given_up(made, np.where(doubles, self.double, otherwise))

    def _unless_given_up(self, made: Integers, worth: Floats) -> Integers:
        """Give hands up for which that is worth more than what else is done."""
        for hand in np.flatnonzero(self.may_give_up).tolist():
            if self.given_up(hand, self.facts.surrender_loss) > worth[hand]:
                made[hand] = SURRENDER
        return made

    def split(
        self,
        point: int,
        pair_left: float,
        decision: Integers,
        hit_or_stand: Integers,
        *,
        is_planned: bool = False,
    ) -> float:
        """Return the joint value of splitting a pair, all hands played by the decisions.

        Parameters
        ----------
        pair_left
            Cards left that make a pair with those of the pair; for ten-value cards these may be of one rank only.
        decision
            What every hand does before a split; after it, the same where the rules allow it.
        hit_or_stand
            What a hand does where it may not double.
        is_planned
            Whether doubled hands go by their totals, else as it is best before the split.
        """
        after = self.decisions_after_split(point, decision, hit_or_stand)
        key = point, pair_left, is_planned, after[hands_with(point)].astype(np.uint8).tobytes()
        value = self._split_values.get(key)
        if value is None:
            if len(self._split_values) >= _KEPT_SPLITS:
                self._split_values.clear()
            moves = self.planned_moves if is_planned else self.doubled_moves
            value = self._split_values[key] = self._split(point, pair_left, after, moves)
        return value

    def _split(self, point: int, pair_left: float, after: Integers, moves: DoubledMoves) -> float:
        cards = float(self.left.sum() - 2 * self.step)
        weights = split_weights(pair_left, cards, self.step, self.most_hands[point])
        if not is_free_split(self.rules, point):
            return self._split_hands(weights, point, pair_left, after, moves, 1.0)
        first = first_hand_weights(pair_left, cards, self.step, self.most_hands[point])
        others = SplitWeights(weights.not_pair - first.not_pair, weights.whatever - first.whatever)
        return self._split_hands(first, point, pair_left, after, moves, 1.0) + self._split_hands(
            others, point, pair_left, after, moves, 0.0
        )

    def _split_hands(
        self,
        weights: SplitWeights,
        point: int,
        pair_left: float,
        after: Integers,
        moves: DoubledMoves,
        risk: float,
    ) -> float:
        if point not in self._split_stands:
            rows, size = len(weights.whatever), len(self.space.total)
            self._split_stands[point] = (
                np.zeros((rows, 3, size)),
                np.zeros((rows, size), dtype=np.bool_),
            )
        standing, known = self._split_stands[point]
        return split_value(
            weights, self.space.find((point,)), point, pair_left, hands_with(point), after, moves, risk,
            self.left, self.step, self.facts, self.space, self.trie, standing, known,
        )  # fmt: skip

    def decisions_after_split(self, point: int, decision: Integers, hit_or_stand: Integers) -> Integers:
        """Return what hands do after a split: as before it where the rules allow that, else the next best."""
        split = self._after_split[point == ACE_CLASS]
        after: Integers = np.where((decision == DOUBLE) & ~split.may_double, hit_or_stand, decision)
        if not split.may_hit:
            seconds = self.space.child[self.space.find((point,))]
            after[seconds] = np.where(after[seconds] == HIT, STAND, after[seconds])
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


@lru_cache(maxsize=256)
def surrendering_hands(rules: BlackjackRules) -> Flags:
    """Tell which hands may be given up in their turn at tables where that is not left to the first two cards.

    >>> bool(surrendering_hands(BlackjackRules(surrender="late")).any())
    False
    """
    space = hand_space()
    if not rules.surrender_any_cards:
        return np.zeros(len(space.total), dtype=np.bool_)
    facts = zip(space.total.tolist(), space.is_soft.tolist(), space.card_count.tolist(), strict=True)
    return np.array(
        [
            cards >= 2
            and why_not_surrender(rules, HandFacts(total, is_soft, cards), against_ace=False) is None
            for total, is_soft, cards in facts
        ]
    )
