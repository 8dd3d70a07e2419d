"""The names of the ways to solve the game: all that a command line needs to know before it solves anything."""

from enum import StrEnum


class Algorithm(StrEnum):
    """The ways to solve the game."""

    CFR = "cfr"
    CFR_PLUS = "cfr+"
    DCFR = "dcfr"
    PCFR_PLUS = "pcfr+"
    LP = "lp"
