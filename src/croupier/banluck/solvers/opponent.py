"""The sides of a table, and the names of those who play the other one: all that a command line needs to know."""

from enum import StrEnum


class Role(StrEnum):
    """The side that a person takes."""

    PLAYER = "player"
    DEALER = "dealer"


class OpponentName(StrEnum):
    """Who plays the other side."""

    SIMPLE = "simple"
    EQUILIBRIUM = "equilibrium"
