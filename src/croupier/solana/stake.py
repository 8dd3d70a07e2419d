"""The stakes of a game: the player's bet, the house's cover, and who gets what at the end."""

from dataclasses import dataclass
from typing import Self

from solders.pubkey import Pubkey

from croupier.solana.codes import Result
from croupier.solana.layout import STAKE, LayoutError

_PLAYER_WINS = (Result.PLAYER_WINS, Result.DEALER_BUST)


@dataclass(frozen=True, slots=True)
class Stake:
    """Bet and cover in lamports; both lie in the game's account until it is settled.

    The cover is the bet and a bond. A house that loses by cards loses the bet; one that does not answer loses the bond, too.

    Examples
    --------
    >>> stake = Stake(Pubkey.default(), bet=1000, cover=1500)
    >>> {result.name: stake.house_share(result) for result in (Result.PLAYER_WINS, Result.TIE, Result.HOUSE_FORFEIT)}
    {'PLAYER_WINS': 500, 'TIE': 1500, 'HOUSE_FORFEIT': 0}
    >>> stake.house_share(Result.DEALER_WINS), stake.player_gain(Result.HOUSE_FORFEIT)
    (2500, 1500)
    >>> print(stake)
    bet 1,000 lamports, covered by 1,500
    """

    bankroll: Pubkey
    bet: int
    cover: int

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode the bytes that follow a game of version 2.

        Raises
        ------
        LayoutError
            If the size is wrong, or the cover is smaller than the bet.
        """
        values = STAKE.unpack(data)
        if values["cover"] < values["bet"]:
            raise LayoutError(f"stake: a bet of {values['bet']} with a cover of {values['cover']}")
        return cls(Pubkey(values["bankroll"]), values["bet"], values["cover"])

    def encode(self) -> bytes:
        """Encode the stakes."""
        return STAKE.pack({"bankroll": bytes(self.bankroll), "bet": self.bet, "cover": self.cover})

    @property
    def bond(self) -> int:
        """What the house loses beyond the bet if it does not answer."""
        return self.cover - self.bet

    def house_share(self, result: Result) -> int:
        """Return what the bankroll gets when a game ends so.

        Raises
        ------
        ValueError
            If the game is not over.
        """
        if result is Result.OPEN:
            raise ValueError("an open game has no shares")
        if result in _PLAYER_WINS:
            return self.bond
        if result is Result.TIE:
            return self.cover
        return 0 if result is Result.HOUSE_FORFEIT else self.bet + self.cover

    def player_gain(self, result: Result) -> int:
        """Return what the player wins or, below zero, loses."""
        return self.cover - self.house_share(result)

    def __str__(self) -> str:
        return f"bet {self.bet:,} lamports, covered by {self.cover:,}"
