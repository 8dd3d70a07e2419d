"""The cards of a match: one deck for each pair, which depends only on the seed and the pair's number."""

from croupier.cards import shuffle
from croupier.durak.arena.game_number import Deal
from croupier.durak.engine.dealing import lowest_trump_leader
from croupier.durak.engine.pack import PACK
from croupier.numerics.streams import RandomStream

#: Names the stream that decides who leads where neither hand holds a trump, apart from the one that shuffles.
_COIN = 1


def deal_of_pair(seed: int, pair: int) -> Deal:
    """Return the cards of a pair; they depend on the seed and the pair alone.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text
    >>> deal = deal_of_pair(seed=1, pair=0)
    >>> cards_text(deal.deck[:6]), deal.leader
    ('7D AS JS TC 8C QH', 0)
    >>> deal == deal_of_pair(1, 0), deal == deal_of_pair(1, 1)
    (True, False)
    """
    deck = shuffle(PACK, (seed, pair))
    leader = lowest_trump_leader(deck)
    return Deal(deck, RandomStream((seed, pair, _COIN)).below(2) if leader is None else leader)
