"""Where a game of durak stands: who is asked for what."""

from enum import StrEnum


class Phase(StrEnum):
    """What the player in turn is asked for.

    >>> [str(phase) for phase in Phase]
    ['attack', 'defend', 'throw_in', 'over']
    """

    ATTACK = "attack"
    DEFEND = "defend"
    THROW_IN = "throw_in"
    OVER = "over"
