"""The house's part of the randomness: a chain of hashes per game, committed to first and revealed link by link.

The house keeps one secret and the number of chains it has opened. Chain *n* begins with HMAC-SHA256(secret, n), each
link is the SHA-256 of the one before, and the last link is the tip that goes into the game. A tip must never be used
twice, because the first game would reveal the pre-images of the second. The number is therefore saved before a tip is
returned.
"""

import hashlib
import hmac
import json
import secrets
from pathlib import Path
from typing import Any

from croupier.errors import InputError
from croupier.files import read_text
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
        self._preimages: dict[bytes, bytes] = {}
        self._remembered = opened

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

        Processes that share the file take turns, so that no two of them get the same chain.

        Raises
        ------
        HouseError
            If the file now holds another secret.
        """
        with folder_lock(self._path, "house file"):
            newest = House.load(self._path)
            if newest._secret != self._secret:
                raise HouseError(f"house file '{self._path}': its secret has changed; load the file again")
            number = newest.opened
            self._opened = number + 1
            replace_private(self._path, self._text(), "house file")
        self._remembered = number
        self._add_links(number)
        return chain_links(self._secret, number)[-1]

    def preimage_of(self, tip: bytes) -> bytes:
        """Return the link before a tip, which answers the next request of that game.

        Raises
        ------
        HouseError
            If the tip belongs to no chain of this house.
        """
        while tip not in self._preimages and self._remembered:
            self._remembered -= 1
            self._add_links(self._remembered)
        if tip not in self._preimages:
            raise HouseError(
                f"chain tip {tip.hex()}: it belongs to none of this house's {self._opened} chains"
            )
        return self._preimages[tip]

    def _add_links(self, number: int) -> None:
        links = chain_links(self._secret, number)
        self._preimages.update(zip(links[1:], links[:-1], strict=True))

    def _text(self) -> str:
        return json.dumps({"secret": self._secret.hex(), "opened": self._opened}) + "\n"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
