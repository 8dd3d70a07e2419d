"""The deals in which a search tries its moves.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
from collections.abc import Sequence
from functools import partial

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.budget import HAND_ROUNDS, JUDGED_HAND_ROUNDS, Clock
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.question import (
    UNSUSPECTED,
    PossibleHands,
    Suspicion,
    possible_hands,
    question_words,
    stock_bytes,
    words,
)
from croupier.durak.players.side_by_side import side_by_side
from croupier.durak.players.splitmix import SplitMix64


class Deals:
    """A question and hands that the other player may hold, as the kernels lay them out.

    Parameters
    ----------
    seen
        What the player in turn may know.
    evidence
        What the other player has done so far, if that was followed.
    suspicion
        Whether the other player always plays its cheapest card.
    seed
        The seed of the hands, and of whatever else is drawn from the stream.
    cap
        How many attack cards the rules of the table allow in a bout.
    asks_policy
        Whether the policy network is asked how well a hand explains what was done with it.

    Attributes
    ----------
    question, stock
        What is asked, and room for the stock of a deal.
    hands
        The hands that were drawn so far; none at first.
    stream
        The random stream; kernels change it in place.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.phases import Phase
    >>> deals = Deals(Observation(Phase.ATTACK, PACK[:6], (), (), 24, 6, PACK[35]), None, seed=1)
    >>> deals.draw(5)
    >>> deals.draw(3)
    >>> deals.hands.size
    8
    """

    def __init__(
        self,
        seen: Observation,
        evidence: Evidence | None,
        suspicion: Suspicion = UNSUSPECTED,
        seed: int = 0,
        cap: int = PACK_SIZE,
        *,
        asks_policy: bool = False,
    ) -> None:
        self._seen, self._evidence, self._suspicion = seen, evidence, suspicion
        self._asks_policy = asks_policy
        taken = () if evidence is None else evidence.taken
        self.question, self.stock = question_words(seen, cap, taken=taken), stock_bytes(seen)
        self.hands = PossibleHands(0, words([]), words([]))
        self.stream = (ctypes.c_uint64 * 1)(seed)

    def any_hand(self) -> int:
        """Draw a hand that fits what is seen, whatever the other player has done, for what does not depend on it."""
        return possible_hands(self._seen, None, 1, self.stream).hands[0]

    @property
    def rounds_a_hand(self) -> int:
        """How many rounds of a tree search take as long as a hand is drawn."""
        return JUDGED_HAND_ROUNDS if self._asks_policy else HAND_ROUNDS

    def draw(self, hands: int) -> None:
        """Draw some more hands of the other player."""
        drawn = possible_hands(
            self._seen,
            self._evidence,
            hands,
            self.stream,
            self._suspicion,
            asks_policy=self._asks_policy,
        )
        self.hands = self.hands.joined(drawn) if self.hands.size else drawn


def seeds_of_threads(seed: int, threads: int) -> list[int]:
    """Return a seed for each of some threads, the first of which is the seed itself.

    >>> seeds_of_threads(7, 1), len(set(seeds_of_threads(7, 3)))
    ([7], 3)
    """
    stream = SplitMix64(seed)
    return [seed % 2**64, *(stream.next_word() for _ in range(threads - 1))]


def draw_hands(deals: Sequence[Deals], clock: Clock) -> None:
    """Draw as many hands for each thread as a clock has time for."""
    while hands := clock.next_hands(deals[0].rounds_a_hand):
        side_by_side(partial(Deals.draw, hands=hands), deals)
