"""How long a simulation is played, and in how many blocks."""

import math
from dataclasses import dataclass

from croupier.blackjack.simulation.table_setup import Seating
from croupier.errors import InputError

#: Rounds and shoes of one random stream. Part of what a seed means: another size deals other cards.
BLOCK_ROUNDS = 2**20
BLOCK_SHOES = 2**14

#: More rounds and shoes than anybody plays.
NO_LIMIT = 2**62


@dataclass(frozen=True, slots=True)
class Length:
    """How long to play: so many rounds, so many shoes, or until the standard error is small enough.

    Examples
    --------
    >>> Length(rounds=3_000_000).blocks, Length(shoes=1).blocks, Length(target_stderr=1e-4).blocks
    (3, 1, None)
    """

    rounds: int | None = None
    shoes: int | None = None
    target_stderr: float | None = None

    @property
    def blocks(self) -> int | None:
        """In how many blocks it is played, where that is known before."""
        if self.rounds is not None:
            return math.ceil(self.rounds / BLOCK_ROUNDS)
        return None if self.shoes is None else math.ceil(self.shoes / BLOCK_SHOES)

    def of_block(self, block: int) -> tuple[int, int]:
        """Return how many rounds or shoes end a block, whichever is reached first."""
        if self.shoes is not None:
            return NO_LIMIT, min(BLOCK_SHOES, self.shoes - block * BLOCK_SHOES)
        left = NO_LIMIT if self.rounds is None else self.rounds - block * BLOCK_ROUNDS
        return min(BLOCK_ROUNDS, left), NO_LIMIT


def verify_length(length: Length) -> None:
    """Raise unless exactly one end is named, and it can be reached.

    >>> verify_length(Length(rounds=1, shoes=1))
    Traceback (most recent call last):
    croupier.errors.InputError: how long to play: name one of rounds, shoes and target standard error
    """
    named = [end for end in (length.rounds, length.shoes, length.target_stderr) if end is not None]
    if len(named) != 1:
        raise InputError("how long to play: name one of rounds, shoes and target standard error")
    if length.rounds is not None and length.rounds < 1:
        raise InputError(f"rounds = {length.rounds}: at least 1 round has to be played")
    if length.shoes is not None and length.shoes < 1:
        raise InputError(f"shoes = {length.shoes}: at least 1 shoe has to be played")
    if length.target_stderr is not None and not length.target_stderr > 0:
        raise InputError(
            f"target standard error = {length.target_stderr}: it must be above 0, such as 0.0001"
        )


def out_of_cards(seating: Seating) -> InputError:
    """Return the error of a table at which a round has asked for more cards than there are."""
    return InputError(
        f"{seating.seats} seats: a round has asked for more cards than {seating.rules.decks} decks hold; "
        "play fewer seats or more decks"
    )
