"""What a player can do with a hand: the one list of moves, as words and as numbers."""

from enum import IntFlag, StrEnum


class Move(StrEnum):
    """What a player does with a hand. NONE: there was nothing to decide.

    Examples
    --------
    >>> Move("hit").number, f"{Move.SURRENDER}"
    (2, 'surrender')
    """

    NONE = "none"
    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"

    @property
    def number(self) -> int:
        """The move as arrays and compiled code hold it. Saved runs keep these numbers, so they never change."""
        return MOVES.index(self)


MOVES = tuple(Move)

#: The moves as numbers, for arrays and compiled code.
NONE, STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(len(MOVES))


class Allowed(IntFlag):
    """What a hand may do beside standing, as flags."""

    NOTHING = 0
    SPLIT = 1
    SURRENDER = 2
    DOUBLE = 4
    HIT = 8

    @classmethod
    def of(cls, *moves: Move) -> "Allowed":
        """Return the flags of some moves; standing has none.

        >>> Allowed.of(Move.STAND, Move.HIT, Move.DOUBLE) == Allowed.HIT | Allowed.DOUBLE
        True
        """
        flags = cls.NOTHING
        for move in moves:
            if move.name in cls.__members__:
                flags |= cls[move.name]
        return flags


#: How many sets of flags there are.
ALL_ALLOWED = 16
