"""Which games a match consists of: pairs from one deck each, with the seats swapped in the second game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from croupier.cards import shuffle
from croupier.durak.engine.dealing import lowest_trump_leader
from croupier.durak.engine.pack import PACK
from croupier.lab.streams import RandomStream

#: Names the stream that decides who leads where neither hand holds a trump, apart from the one that shuffles.
_COIN = 1


class GameNumber(NamedTuple):
    """A game of a match: its pair, and whether the first engine sits in the second seat."""

    pair: int
    is_swapped: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a pair, and the seat that leads: the same in both games."""

    deck: tuple[int, ...]
    leader: int


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


def games_of_match(pairs: int) -> Iterator[GameNumber]:
    """Yield all games in order.

    >>> list(games_of_match(1))
    [GameNumber(pair=0, is_swapped=False), GameNumber(pair=0, is_swapped=True)]
    """
    return (GameNumber(pair, is_swapped) for pair in range(pairs) for is_swapped in (False, True))
