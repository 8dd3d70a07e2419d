"""The house's side of the randomness: chains of hashes that are committed to before a game and revealed link by link.

Every game gets a chain of its own. The house keeps one secret and the number of chains it has opened; chain *n* begins
with HMAC-SHA256(secret, n), each link is the SHA-256 of the one before, and the last is the tip that goes into the
game. A tip must never be used twice: the pre-images of the first game would be known in the second. The number is
therefore on disk before a tip is handed out.
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

#: One reveal for the deal, one for each further card of the longest hand, one for the dealer.
LINKS = HAND_SIZE + 1
_SECRET_SIZE = 32


class HouseError(InputError):
    """A house file that is none, or a pre-image that this house does not have."""


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
    """A house with its secret on disk.

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
        """Make a house file with a secret (a fresh one by default); an existing file is never replaced."""
        if secret is not None and len(secret) != _SECRET_SIZE:
            raise HouseError(f"house secret: {len(secret)} bytes; it has {_SECRET_SIZE}")
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
            If it is no house file.
        """
        text = read_text(path, what="house file")
        try:
            data = json.loads(text)
            secret, opened = bytes.fromhex(data["secret"]), data["opened"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise HouseError(
                f"house file '{path}': it holds no secret and no number of opened chains"
            ) from None
        if len(secret) != _SECRET_SIZE or not _is_count(opened):
            raise HouseError(
                f"house file '{path}': the secret has {_SECRET_SIZE} bytes, the number of opened chains is 0 or more"
            )
        return cls(path, secret, opened)

    @property
    def opened(self) -> int:
        """How many chains have been handed out."""
        return self._opened

    def open_chain(self) -> bytes:
        """Return the tip of a chain that was never used; that it is used now is on disk before this returns.

        Processes that share the file take turns, so that no two of them get the same chain.

        Raises
        ------
        HouseError
            If the file has become that of another house.
        """
        with folder_lock(self._path, "house file"):
            newest = House.load(self._path)
            if newest._secret != self._secret:
                raise HouseError(f"house file '{self._path}': it holds another secret than before")
            number = newest.opened
            self._opened = number + 1
            replace_private(self._path, self._text(), "house file")
        self._remembered = number
        self._remember(number)
        return chain_links(self._secret, number)[-1]

    def preimage_of(self, tip: bytes) -> bytes:
        """Return the link before a tip, with which the house answers the next request of that game.

        Raises
        ------
        HouseError
            If no chain of this house has that link.
        """
        while tip not in self._preimages and self._remembered:
            self._remembered -= 1
            self._remember(self._remembered)
        if tip not in self._preimages:
            raise HouseError(
                f"chain tip {tip.hex()}: it belongs to none of this house's {self._opened} chains"
            )
        return self._preimages[tip]

    def _remember(self, number: int) -> None:
        links = chain_links(self._secret, number)
        self._preimages.update(zip(links[1:], links[:-1], strict=True))

    def _text(self) -> str:
        return json.dumps({"secret": self._secret.hex(), "opened": self._opened}) + "\n"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
