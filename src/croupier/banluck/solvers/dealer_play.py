"""What becomes of the dealer's hand, card by card, given the player's cards: exact, with card removal.

This looks forward from the deal with conditional probabilities and shares nothing with the
sequence-form tables but the judgement of hands; the baseline, the exact outcome distributions and the
explanations stand on it, and the equilibrium is tested against it.
"""

from dataclasses import dataclass

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.permissions import DealerPermission, may_surrender
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import (
    TWO_CARD_HANDS,
    Flags,
    Floats,
    Integers,
    deals,
    hand_table,
    two_card_probabilities,
)
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, Shown
from croupier.numerics.compiled import compiled

_PACK = np.array(PACK_COUNTS)


@dataclass(frozen=True, slots=True, eq=False)
class DealerPlay:
    """A dealer's strategy under a rule set, with the forced draws filled in.

    Attributes
    ----------
    draw
        Probability of one more card, a row a multiset, a column a player's card count; 0 where the hand ends.
    surrender
        Probability of voiding the hand, a row a two-card multiset, a column a :class:`Shown`.
    is_ban
        Whether a two-card multiset is a Ban hand.
    """

    draw: Floats
    surrender: Floats
    is_ban: Flags

    @classmethod
    def of(cls, strategy: DealerStrategy, rules: BanluckRules) -> "DealerPlay":
        """Apply the rules to a strategy: what is forced is forced, what is impossible does not happen."""
        table = hand_table(rules)
        is_choice = table.dealer == DealerPermission.CHOICE
        draw = np.where(is_choice, strategy.draw, table.dealer == DealerPermission.DRAW)
        can_void = np.array([may_surrender(hand, rules) for hand in MULTISETS[:TWO_CARD_HANDS]])
        surrender = strategy.surrender[:TWO_CARD_HANDS] * can_void[:, None]
        if rules.surrender == "blind":
            surrender = np.repeat(surrender[:, :1], len(Shown), axis=1)
        return cls(draw, surrender, table.is_ban[:TWO_CARD_HANDS])

    def final_hands(self, player_hand: int) -> Floats:
        """Return the probability of each final hand of the dealer against a player who ends with a hand.

        Only hands that are played count: the dealer holds no Ban hand and does not surrender. The rest of the
        probability, up to 1, is that the hand is void or settled before.
        """
        reach = np.zeros(len(MULTISETS))
        reach[:TWO_CARD_HANDS] = self.survives(player_hand)
        return self._play_on(reach, player_hand)

    def final_hands_after_draw(self, dealer_hand: int, player_hand: int) -> Floats:
        """Return the probability of each final hand of a dealer who draws to a hand against a player's final hand."""
        table = deals()
        left = _PACK - table.counts[player_hand] - table.counts[dealer_hand]
        possible = left > 0
        reach = np.zeros(len(MULTISETS))
        reach[table.child[dealer_hand][possible]] = left[possible] / left.sum()
        return self._play_on(reach, player_hand)

    def survives(self, player_hand: int) -> Floats:
        """Return the probability of each two-card hand of the dealer with which the hand is played on."""
        dealt = two_card_probabilities(deals().counts[player_hand])
        return dealt * ~self.is_ban * (1.0 - self.surrender[:, Shown.NOTHING])

    def _play_on(self, reach: Floats, player_hand: int) -> Floats:
        table = deals()
        draw = self.draw[:, PLAYER_CARD_COUNTS.index(len(MULTISETS[player_hand]))]
        left = _PACK - table.counts[player_hand]
        return _push_through_draws(reach, draw, left, table.counts, table.card_count, table.child)


@compiled
def _push_through_draws(
    reach: Floats, draw: Floats, left: Integers, counts: Integers, card_count: Integers, child: Integers
) -> Floats:
    """Push probability through the draws, hands of fewer cards first, and return where it comes to rest."""
    final = np.zeros(len(reach))
    cards = left.sum()
    for hand in range(len(reach)):
        if reach[hand] == 0.0:
            continue
        final[hand] = reach[hand] * (1.0 - draw[hand])
        if draw[hand] > 0.0:
            for point in range(len(left)):
                available = left[point] - counts[hand, point]
                if available > 0:
                    reach[child[hand, point]] += (
                        reach[hand] * draw[hand] * available / (cards - card_count[hand])
                    )
    return final
