"""What becomes of a dealer's hand at Banluck against one hand of the player, up to the dealer's next decision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.hand import HandValue, evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, Multiset
from croupier.banluck.engine.permissions import DealerPermission, dealer_permission, may_surrender
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.banluck.engine.settlement import settle
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, deals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_CARD_COUNTS = np.array([len(hand) for hand in MULTISETS])
_FIRST, _SECOND = np.array(MULTISETS[:TWO_CARD_HANDS]).T


def two_card_probabilities(left: Integers) -> Floats:
    """Return the probability of each two-card hand from a pack that holds so many cards of each class.

    >>> two_card_probabilities(np.array([2, 0, 0, 0, 0, 0, 0, 0, 1, 0]))[[0, 8]].round(3)
    array([0.333, 0.667])
    """
    ways = np.where(_FIRST == _SECOND, left[_FIRST] * (left[_FIRST] - 1), 2 * left[_FIRST] * left[_SECOND])
    cards = left.sum()
    probabilities: Floats = ways / (cards * (cards - 1))
    return probabilities


@dataclass(frozen=True, slots=True, eq=False)
class DealerWays:
    """The dealer's hands against one final hand of the player.

    A row holds first what the player is paid where no decision follows (times the probability of that), then the probability of each
    decision of the dealer that comes next.

    Attributes
    ----------
    card_count
        How many cards the player holds.
    two_cards
        The probability of each two-card hand, given the player's cards.
    rows
        The row of each multiset.
    dealt
        The row of a deal, without Ban hands and hands that may be surrendered.
    paid
        What the player is paid where the dealer stands, by decision.
    drawn
        The row of a draw, by decision.
    """

    card_count: int
    two_cards: Floats
    rows: Floats
    dealt: Floats
    paid: Floats
    drawn: Floats


class DealerHands:
    """All hands of a dealer under some rules, from a pack."""

    def __init__(self, rules: BanluckRules, pack: tuple[int, ...]) -> None:
        self.rules, self._pack = rules, np.array(pack)
        self._values = [evaluate_classes(hand, rules) for hand in MULTISETS]
        distinct = list(dict.fromkeys(self._values))
        self._distinct = distinct
        self._place = np.array([distinct.index(value) for value in self._values])
        self._played = [place for place, value in enumerate(distinct) if not value.is_ban]
        #: The two-card hands that the dealer may surrender.
        self.surrendered = [hand for hand in range(TWO_CARD_HANDS) if may_surrender(MULTISETS[hand], rules)]
        is_dealt = np.array([not value.is_ban for value in self._values[:TWO_CARD_HANDS]])
        is_dealt[self.surrendered] = False
        self._is_dealt = is_dealt
        self._kinds = {count: self._permissions(count) for count in range(MIN_CARDS, MAX_CARDS + 1)}
        self._choices: dict[int, list[int]] = {
            count: np.flatnonzero(kinds == DealerPermission.CHOICE).tolist()
            for count, kinds in self._kinds.items()
        }
        self._ways: dict[Multiset, DealerWays] = {}
        self._paid: dict[HandValue, Floats] = {}

    def left(self, removed: Multiset) -> Integers:
        """Return how many cards of each class are left without a hand."""
        return self._pack - np.bincount(removed, minlength=len(self._pack)) if removed else self._pack

    def choices(self, card_count: int) -> list[int]:
        """Return the multisets on which the dealer decides against a player of some cards."""
        return self._choices[card_count]

    def _permissions(self, card_count: int) -> Integers:
        kinds = [
            DealerPermission.STOP if value.is_bust else dealer_permission(value, self.rules, card_count)
            for value in self._distinct
        ]
        permissions: Integers = np.array(kinds)[self._place]
        return permissions

    def _units(self, player: HandValue) -> Floats:
        """Return what a player's hand is paid against each value of a dealer who stands."""
        if player not in self._paid:
            units = [settle(player, dealer, self.rules).units for dealer in self._distinct]
            self._paid[player] = np.array(units)
        return self._paid[player]

    def ways(self, final: Multiset) -> DealerWays:
        """Return the dealer's ways against a final hand; the tree asks for most of them several times."""
        if final not in self._ways:
            self._ways[final] = self._new_ways(final)
        return self._ways[final]

    def _new_ways(self, final: Multiset) -> DealerWays:
        units = self._units(evaluate_classes(final, self.rules))
        kinds, choices = self._kinds[len(final)], self.choices(len(final))
        if len(set(units[self._played].tolist())) == 1:  # lost, or won, whatever the dealer does
            kinds, choices = np.full(len(MULTISETS), DealerPermission.STOP), []
        rows = np.zeros((len(MULTISETS), 1 + len(self.choices(len(final)))))
        is_end = kinds == DealerPermission.STOP
        rows[is_end, 0] = units[self._place[is_end]]
        rows[choices, np.arange(1, 1 + len(choices))] = 1.0
        left, drawn = self.left(final), np.zeros((rows.shape[1] - 1, rows.shape[1]))
        for card_count in range(MAX_CARDS - 1, MIN_CARDS - 1, -1):
            goes_on = np.flatnonzero((card_count == _CARD_COUNTS) & ~is_end)
            if goes_on.size:
                after = _averages(rows, goes_on, left)
                is_choice = kinds[goes_on] == DealerPermission.CHOICE
                rows[goes_on[~is_choice]] = after[~is_choice]
                drawn[np.searchsorted(choices, goes_on[is_choice])] = after[is_choice]
        two_cards = two_card_probabilities(left)
        dealt = (two_cards * self._is_dealt) @ rows[:TWO_CARD_HANDS]
        paid = units[self._place[self.choices(len(final))]]
        return DealerWays(len(final), two_cards, rows[:TWO_CARD_HANDS].copy(), dealt, paid, drawn)


def _averages(rows: Floats, hands: Integers, left: Integers) -> Floats:
    """Return the average of the rows after one more card, from a pack that lacks the player's cards."""
    counts = np.maximum(left - deals().counts[hands], 0)
    probabilities = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    averages: Floats = np.einsum("hc,hcr->hr", probabilities, rows[deals().child[hands]])
    return averages
