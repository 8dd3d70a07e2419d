"""The game account as a frozen record."""

from dataclasses import dataclass
from typing import Self

from solders.pubkey import Pubkey

from croupier.blackjack.engine import HandValue, evaluate
from croupier.cards import DECK_SIZE
from croupier.solana.card_codes import format_codes, to_cards
from croupier.solana.codes import (
    GAME_TYPE,
    HAND_SIZE,
    LAYOUT_VERSION,
    MOST_DECKS,
    STAKED_VERSION,
    Result,
    Status,
)
from croupier.solana.layout import GAME, LayoutError
from croupier.solana.stake import Stake


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game on the chain. Cards are the program's codes (:mod:`~croupier.solana.card_codes`).

    Examples
    --------
    >>> from dataclasses import replace
    >>> game = Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=7)
    >>> game.cards_left, game.status.name, len(game.encode())
    (52, 'CREATED', 256)
    >>> Game.decode(game.encode()) == game
    True
    >>> Game.decode(bytes(256))
    Traceback (most recent call last):
    croupier.solana.layout.LayoutError: game: version 0 and type 0; expected version 1 and type 1

    A game with stakes is of version 2 and 48 bytes longer:

    >>> staked = replace(game, stake=Stake(Pubkey.default(), bet=1000, cover=1500))
    >>> len(staked.encode()), Game.decode(staked.encode()) == staked
    (304, True)
    """

    decks: int
    status: Status
    result: Result
    player: Pubkey
    counts: tuple[int, ...]
    player_cards: tuple[int, ...]
    dealer_cards: tuple[int, ...]
    house: Pubkey
    chain_tip: bytes
    player_seed: bytes
    number: int
    slot: int
    stake: Stake | None = None

    @classmethod
    def created(
        cls,
        player: Pubkey,
        house: Pubkey,
        chain_tip: bytes,
        player_seed: bytes,
        *,
        number: int,
        decks: int = 1,
        slot: int = 0,
        stake: Stake | None = None,
    ) -> Self:
        """Return a game in its state after Create."""
        return cls(
            decks,
            Status.CREATED,
            Result.OPEN,
            player,
            (decks,) * DECK_SIZE,
            (),
            (),
            house,
            chain_tip,
            player_seed,
            number,
            slot,
            stake,
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode an account's data.

        Raises
        ------
        LayoutError
            If the bytes are not a game, or contradict each other.
        """
        is_staked = data[:2] == bytes([STAKED_VERSION, GAME_TYPE])
        values = GAME.unpack(data[: GAME.size] if is_staked else data)
        if not is_staked and (values["version"], values["type"]) != (LAYOUT_VERSION, GAME_TYPE):
            raise LayoutError(
                f"game: version {values['version']} and type {values['type']}; "
                f"expected version {LAYOUT_VERSION} and type {GAME_TYPE}"
            )
        hands = []
        for who in ("player", "dealer"):
            count, cards = values[f"{who}_count"], values[f"{who}_cards"]
            if count > HAND_SIZE or any(card >= DECK_SIZE for card in cards[:count]):
                raise LayoutError(f"game: the {who}'s hand of {count} cards is not valid")
            hands.append(tuple(cards[:count]))
        if not 1 <= values["decks"] <= MOST_DECKS or sum(values["counts"]) != values["cards_left"]:
            raise LayoutError(f"game: its counts do not add up to the {values['cards_left']} cards left")
        try:
            status, result = Status(values["status"]), Result(values["result"])
        except ValueError as error:
            raise LayoutError(f"game: {error}") from None
        return cls(
            values["decks"],
            status,
            result,
            Pubkey(values["player"]),
            tuple(values["counts"]),
            hands[0],
            hands[1],
            Pubkey(values["house"]),
            values["chain_tip"],
            values["player_seed"],
            values["number"],
            values["slot"],
            Stake.decode(data[GAME.size :]) if is_staked else None,
        )

    def encode(self) -> bytes:
        """Encode the account's data."""
        game = GAME.pack(
            {
                "version": self.version,
                "type": GAME_TYPE,
                "decks": self.decks,
                "status": self.status,
                "result": self.result,
                "player": bytes(self.player),
                "counts": bytes(self.counts),
                "player_cards": bytes(self.player_cards),
                "player_count": len(self.player_cards),
                "dealer_cards": bytes(self.dealer_cards),
                "dealer_count": len(self.dealer_cards),
                "cards_left": self.cards_left,
                "house": bytes(self.house),
                "chain_tip": self.chain_tip,
                "player_seed": self.player_seed,
                "number": self.number,
                "slot": self.slot,
            }
        )
        return game if self.stake is None else game + self.stake.encode()

    @property
    def version(self) -> int:
        """The version of the account: 2 with stakes, else 1."""
        return LAYOUT_VERSION if self.stake is None else STAKED_VERSION

    @property
    def cards_left(self) -> int:
        """The number of cards left to draw."""
        return sum(self.counts)

    @property
    def player_value(self) -> HandValue:
        """The value of the player's hand."""
        return evaluate(to_cards(self.player_cards), can_be_natural=False)

    @property
    def dealer_value(self) -> HandValue:
        """The value of the dealer's hand."""
        return evaluate(to_cards(self.dealer_cards), can_be_natural=False)

    def __str__(self) -> str:
        lines = [f"game {self.number} of {self.player}: {self.status.name.lower().replace('_', ' ')}"]
        if self.dealer_cards:
            player, dealer = format_codes(self.player_cards), format_codes(self.dealer_cards)
            lines.append(f"player {player} ({self.player_value}), dealer {dealer} ({self.dealer_value})")
        if self.result is not Result.OPEN:
            lines.append(self.result.name.lower().replace("_", " "))
        if self.stake is not None:
            lines.append(str(self.stake))
        return "; ".join(lines)
