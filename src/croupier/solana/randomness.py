"""Draw cards from hashes, with the same arithmetic as ``program/cards.h``.

The seed of a reveal is the SHA-256 of the pre-image, the player's seed, the slot hash and the game's address, 32 bytes
each. It is read as sixteen 16-bit numbers. When they are used up, the SHA-256 of the seed gives sixteen more, and so
on. Each number picks one of the cards left. Numbers beyond the last full multiple of the card count are discarded, so
every card is equally likely.
"""

import hashlib
import struct
from collections.abc import Sequence

from solders.pubkey import Pubkey

_NUMBERS = struct.Struct("<16H")


def next_tip(preimage: bytes) -> bytes:
    """Return the chain tip that a pre-image hashes to.

    >>> next_tip(bytes(32)).hex()[:8]
    '66687aad'
    """
    return hashlib.sha256(preimage).digest()


def reveal_seed(preimage: bytes, player_seed: bytes, slot_hash: bytes, game: Pubkey) -> bytes:
    """Return the seed for the cards of one reveal.

    >>> len(reveal_seed(bytes(32), bytes(32), bytes(32), Pubkey.default()))
    32
    """
    return hashlib.sha256(preimage + player_seed + slot_hash + bytes(game)).digest()


class CardStream:
    """Uniform random numbers from a seed.

    Examples
    --------
    >>> stream = CardStream(bytes(range(32)))
    >>> [stream.below(52) for _ in range(4)]
    [48, 42, 36, 30]
    """

    def __init__(self, seed: bytes) -> None:
        self._block = seed
        self._used = 0

    def below(self, bound: int) -> int:
        """Draw a number from 0 up to but not including ``bound``, each equally likely."""
        limit = 65536 - 65536 % bound
        while (number := self._next()) >= limit:
            pass
        return number % bound

    def _next(self) -> int:
        if self._used == 16:
            self._block, self._used = hashlib.sha256(self._block).digest(), 0
        number: int = _NUMBERS.unpack(self._block)[self._used]
        self._used += 1
        return number


def draw_code(counts: Sequence[int], stream: CardStream) -> int:
    """Pick one of the cards left, each equally likely, by walking along the counts.

    >>> draw_code([0, 2, 0, 1], CardStream(bytes(32)))
    1
    """
    position = stream.below(sum(counts))
    for code, count in enumerate(counts):
        if position < count:
            return code
        position -= count
    raise AssertionError("a number below the sum of the counts falls into one of them")
