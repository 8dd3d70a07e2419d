"""What both players know of the cards besides those on the table, as compiled code."""

from typing import NamedTuple

from croupier.durak.engine.board_kernels import Position
from croupier.numerics.compiled import inlined


class KnownCards(NamedTuple):
    """Cards that were seen to go out of play, or into the hand of a seat."""

    discarded: int
    first: int  # cards that seat 0 has taken; some may have been played since
    second: int


@inlined
def known_after(known: KnownCards, before: Position, move: int, after: Position) -> KnownCards:
    """Return what is known after a move: where a bout has ended, its cards are out of play, or with who took them."""
    if after.table:
        return known
    cards = before.table | move
    if after.attacker != before.attacker:
        return KnownCards(known.discarded | cards, known.first, known.second)
    if after.attacker == 1:
        return KnownCards(known.discarded, known.first | cards, known.second)
    return KnownCards(known.discarded, known.first, known.second | cards)


@inlined
def taken_by(known: KnownCards, seat: int) -> int:
    """Return the cards that a seat has taken."""
    return known.first if seat == 0 else known.second
