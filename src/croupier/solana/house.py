"""The house's part of the randomness: a chain of hashes per game, committed to first and revealed link by link.

The house keeps one secret and the number of chains it has opened. Chain *n* begins with HMAC-SHA256(secret, n), each
link is the SHA-256 of the one before, and the last link is the tip that goes into the game. A tip must never be used
twice, because the first game would reveal the pre-images of the second. The number is therefore saved before a tip is
returned.

A game shows only its current tip. Hashing it further leads to the tip that the chain began with, and an index beside the
secret leads from there to the chain's number. So a pre-image is found in constant time, and so is that there is none.
"""

import hashlib
import hmac
import json
import secrets
from pathlib import Path
from typing import Any

from croupier.errors import InputError
from croupier.files import read_text
from croupier.solana.chain_index import ChainIndex
from croupier.solana.codes import HAND_SIZE
from croupier.solana.private_files import create_private, folder_lock, replace_private
from croupier.solana.randomness import next_tip

#: Reveals per game: one for the deal, one per further card of the longest hand, one for the dealer.
LINKS = HAND_SIZE + 1
_SECRET_SIZE = 32


class HouseError(InputError):
    """A file is not a house file, or this house does not have a pre-image."""


def chain_links(secret: bytes, number: int) -> tuple[bytes, ...]:
    """Return a chain from its first link to its tip.

    >>> links = chain_links(bytes(32), 0)
    >>> len(links), next_tip(links[-2]) == links[-1]
    (25, True)
    """
    links = [hmac.digest(secret, number.to_bytes(8, "little"), hashlib.sha256)]
    for _ in range(LINKS):
        links.append(next_tip(links[-1]))
    return tuple(links)


class House:
    """A house whose secret is in a file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     house = House.create(Path(folder) / "house.json")
    ...     tip = house.open_chain()
    ...     preimage = House.load(Path(folder) / "house.json").preimage_of(tip)
    >>> next_tip(preimage) == tip
    True
    """

    def __init__(self, path: Path, secret: bytes, opened: int) -> None:
        self._path = path
        self._secret = secret
        self._opened = opened
        self._index = ChainIndex(path.with_suffix(".index"), secret)

    @classmethod
    def create(cls, path: Path, secret: bytes | None = None) -> "House":
        """Create a house file, with a new random secret by default.

        Raises
        ------
        FileError
            If the file already exists or cannot be written.
        HouseError
            If the secret has the wrong size.
        """
        if secret is not None and len(secret) != _SECRET_SIZE:
            raise HouseError(f"house secret: {len(secret)} bytes; expected {_SECRET_SIZE}")
        house = cls(path, secrets.token_bytes(_SECRET_SIZE) if secret is None else secret, 0)
        create_private(path, house._text(), "house file")
        return house

    @classmethod
    def load(cls, path: Path) -> "House":
        """Read a house file.

        Raises
        ------
        FileError
            If the file cannot be read.
        HouseError
            If it is not a house file.
        """
        text = read_text(path, what="house file")
        try:
            data = json.loads(text)
            secret, opened = bytes.fromhex(data["secret"]), data["opened"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise HouseError(
                f"house file '{path}': it must hold a secret and the number of opened chains"
            ) from None
        if len(secret) != _SECRET_SIZE or not _is_count(opened):
            raise HouseError(
                f"house file '{path}': the secret must have {_SECRET_SIZE} bytes, and the number of opened chains must be 0 or more"
            )
        return cls(path, secret, opened)

    @property
    def opened(self) -> int:
        """The number of chains that were opened."""
        return self._opened

    def open_chain(self) -> bytes:
        """Return the tip of an unused chain, after saving that it is used now.

        Raises
        ------
        HouseError
            If the file now holds another secret.
        """
        return self.open_chains(1)[0]

    def open_chains(self, count: int) -> list[bytes]:
        """Return the tips of unused chains, after saving that they are used now.

        Processes that share the file take turns, so that no two of them get the same chain. An index that knows more
        chains than the file means that the file is an old copy; the chains that the index knows are not used again.

        Raises
        ------
        HouseError
            If the file now holds another secret.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     house = House.create(Path(folder) / "house.json")
        ...     len(set(house.open_chains(3))), house.opened
        (3, 3)
        """
        with folder_lock(self._path, "house file"):
            newest = House.load(self._path)
            if newest._secret != self._secret:
                raise HouseError(f"house file '{self._path}': its secret has changed; load the file again")
            first = max(newest.opened, self._index.covered)
            self._opened = first + count
            replace_private(self._path, self._text(), "house file")
        tips = [self._tip(number) for number in range(first, self._opened)]
        self._catch_up(first)
        self._index.extend(first, tips)
        indexed = self._index.candidates(tips)
        usable = [tip for place, tip in enumerate(tips) if indexed[place] == first + place]
        # Two tips that begin alike cannot both be found again; the second is left out.
        return usable if len(usable) == count else usable + self.open_chains(count - len(usable))

    def preimage_of(self, tip: bytes) -> bytes:
        """Return the link before a tip, which answers the next request of that game.

        Raises
        ------
        HouseError
            If the tip belongs to no chain of this house.
        """
        preimage = self._find(tip)
        if preimage is None:
            self._opened = House.load(self._path).opened
            if self._catch_up(self._opened):
                preimage = self._find(tip)
        if preimage is None:
            raise HouseError(
                f"chain tip {tip.hex()}: it belongs to none of this house's {self._opened} chains"
            )
        return preimage

    def _find(self, tip: bytes) -> bytes | None:
        """Hash the tip on to the end of its chain, and look for the chain's number."""
        further = [tip]
        for _ in range(LINKS - 1):
            further.append(next_tip(further[-1]))
        for steps, number in self._index.candidates(further).items():
            links = chain_links(self._secret, number)
            if links[LINKS - steps] == tip:
                return links[LINKS - steps - 1]
        return None

    def _catch_up(self, opened: int) -> bool:
        """Add the chains to the index that were opened without it, and return whether there were any."""
        covered = self._index.covered
        self._index.extend(covered, (self._tip(number) for number in range(covered, opened)))
        return covered < opened

    def _tip(self, number: int) -> bytes:
        return chain_links(self._secret, number)[-1]

    def _text(self) -> str:
        return json.dumps({"secret": self._secret.hex(), "opened": self._opened}) + "\n"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
