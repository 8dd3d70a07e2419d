"""Where a game of durak stands: who is asked for what."""

from enum import StrEnum


class Phase(StrEnum):
    """What the player in turn is asked for."""

    ATTACK = "attack"
    DEFEND = "defend"
    THROW_IN = "throw_in"
    OVER = "over"
