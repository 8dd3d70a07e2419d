"""The account in which a house offers games to strangers: commitments that players take one by one.

The house makes the account at an address that follows from its key, so a player needs to know only the house's key. A
player takes a commitment by Join, without the house's signature. The house fills the free places again.
"""

from dataclasses import dataclass
from typing import Self

from solders.pubkey import Pubkey

from croupier.solana.codes import HOUSE_TYPE, LAYOUT_VERSION, MOST_COMMITMENTS
from croupier.solana.layout import HOUSE, KEY_SIZE, LayoutError

#: The seed with which the address follows from the house's key.
HOUSE_SEED = "blackjack-house"
_FREE = bytes(KEY_SIZE)


def house_address(program: Pubkey, house: Pubkey) -> Pubkey:
    """Return the address of a house's account.

    >>> str(house_address(Pubkey(bytes([7] * 32)), Pubkey(bytes([9] * 32))))[:8]
    '99pMBC9r'
    """
    return Pubkey.create_with_seed(house, HOUSE_SEED, program)


def house_size(capacity: int) -> int:
    """Return the bytes of an account with this many places.

    >>> house_size(32)
    1072
    """
    return HOUSE.size + KEY_SIZE * capacity


@dataclass(frozen=True, slots=True)
class HouseAccount:
    """A house and the places for its commitments; a free place is ``None``.

    Examples
    --------
    >>> account = HouseAccount(Pubkey.default(), (None, bytes([5] * 32)))
    >>> HouseAccount.decode(account.encode()) == account, account.free_places
    (True, 1)
    >>> HouseAccount.decode(bytes(80))
    Traceback (most recent call last):
    croupier.solana.layout.LayoutError: house: version 0 and type 0; expected version 1 and type 2
    """

    house: Pubkey
    tips: tuple[bytes | None, ...]

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode an account's data.

        Raises
        ------
        LayoutError
            If the bytes are not a house's account, or contradict each other.
        """
        values = HOUSE.unpack(data[: HOUSE.size])
        if (values["version"], values["type"]) != (LAYOUT_VERSION, HOUSE_TYPE):
            raise LayoutError(
                f"house: version {values['version']} and type {values['type']}; "
                f"expected version {LAYOUT_VERSION} and type {HOUSE_TYPE}"
            )
        capacity = values["capacity"]
        if not 1 <= capacity <= MOST_COMMITMENTS or len(data) != house_size(capacity):
            raise LayoutError(f"house: {len(data)} bytes do not hold {capacity} commitments")
        places = (data[start : start + KEY_SIZE] for start in range(HOUSE.size, len(data), KEY_SIZE))
        return cls(Pubkey(values["house"]), tuple(None if tip == _FREE else tip for tip in places))

    def encode(self) -> bytes:
        """Encode the account's data."""
        head = {
            "version": LAYOUT_VERSION,
            "type": HOUSE_TYPE,
            "house": bytes(self.house),
            "capacity": len(self.tips),
        }
        return HOUSE.pack(head) + b"".join(_FREE if tip is None else tip for tip in self.tips)

    @property
    def free_places(self) -> int:
        """The number of places without a commitment."""
        return self.tips.count(None)
