"""The account from which a house covers bets, with the limits that the house has set."""

from dataclasses import dataclass
from typing import Self

from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.solana.codes import BANKROLL_TYPE, LAYOUT_VERSION
from croupier.solana.layout import BANKROLL, LayoutError

#: The seed with which the address follows from the house's key.
BANKROLL_SEED = "blackjack-bankroll"
_LARGEST = 2**64 - 1


def bankroll_address(program: Pubkey, house: Pubkey) -> Pubkey:
    """Return the address of a house's bankroll.

    >>> str(bankroll_address(Pubkey(bytes([7] * 32)), Pubkey(bytes([9] * 32))))[:8]
    'DDnRt5MR'
    """
    return Pubkey.create_with_seed(house, BANKROLL_SEED, program)


@dataclass(frozen=True, slots=True)
class BetLimits:
    """What a house covers, in lamports.

    Parameters
    ----------
    least_bet, most_bet
        The bets that are taken.
    bond
        What the house puts into each game beyond the bet, and loses if it does not answer.
    reserve
        What stays in the bankroll: no bet is taken that would need it.

    Examples
    --------
    >>> BetLimits(10, 5)
    Traceback (most recent call last):
    croupier.errors.InputError: bets from 10 to 5 lamports; the least is 1 or more, and not above the most
    """

    least_bet: int = 1_000_000
    most_bet: int = 100_000_000
    bond: int = 1_000_000
    reserve: int = 1_500_000

    def __post_init__(self) -> None:
        if not 1 <= self.least_bet <= self.most_bet:
            raise InputError(
                f"bets from {self.least_bet:,} to {self.most_bet:,} lamports; the least is 1 or more, and not above the most"
            )
        if self.bond < 0 or self.reserve < 1:
            raise InputError(
                f"a bond of {self.bond:,} and a reserve of {self.reserve:,} lamports; they are at least 0 and 1"
            )
        if max(self.most_bet + self.bond, self.reserve) > _LARGEST:
            raise InputError("limits of a bankroll: they do not fit into 64 bits")


@dataclass(frozen=True, slots=True)
class Bankroll:
    """A house's bankroll.

    Examples
    --------
    >>> bankroll = Bankroll(Pubkey.default(), BetLimits(), open_games=2)
    >>> Bankroll.decode(bankroll.encode()) == bankroll, len(bankroll.encode())
    (True, 80)
    >>> bankroll.most_covered(held=10_000_000)
    7500000
    >>> Bankroll.decode(bytes(80))
    Traceback (most recent call last):
    croupier.solana.layout.LayoutError: bankroll: version 0 and type 0; expected version 1 and type 3
    """

    house: Pubkey
    limits: BetLimits
    open_games: int = 0

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode an account's data.

        Raises
        ------
        LayoutError
            If the bytes are not a bankroll, or contradict each other.
        """
        values = BANKROLL.unpack(data)
        if (values["version"], values["type"]) != (LAYOUT_VERSION, BANKROLL_TYPE):
            raise LayoutError(
                f"bankroll: version {values['version']} and type {values['type']}; "
                f"expected version {LAYOUT_VERSION} and type {BANKROLL_TYPE}"
            )
        try:
            limits = BetLimits(values["least_bet"], values["most_bet"], values["bond"], values["reserve"])
        except InputError as error:
            raise LayoutError(f"bankroll: {error}") from None
        return cls(Pubkey(values["house"]), limits, values["open_games"])

    def encode(self) -> bytes:
        """Encode the account's data."""
        limits = self.limits
        return BANKROLL.pack(
            {
                "version": LAYOUT_VERSION,
                "type": BANKROLL_TYPE,
                "house": bytes(self.house),
                "least_bet": limits.least_bet,
                "most_bet": limits.most_bet,
                "bond": limits.bond,
                "reserve": limits.reserve,
                "open_games": self.open_games,
            }
        )

    def most_covered(self, held: int) -> int:
        """Return the largest bet that a bankroll with these lamports takes; 0 if it takes none."""
        most = min(self.limits.most_bet, held - self.limits.reserve - self.limits.bond)
        return most if most >= self.limits.least_bet else 0
