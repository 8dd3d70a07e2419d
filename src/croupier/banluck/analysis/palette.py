"""Colours of the pictures and of the report. People who do not see red and green can tell them apart."""

from croupier.banluck.engine.settlement import Outcome

#: Differences of expected values beyond this many units are all painted in the darkest colour.
COLOUR_LIMIT = 0.5

#: Purple for stopping, orange for going on (ColorBrewer's PuOr without its ends, which are too dark to write on).
DIVERGING = (
    "#644395", "#8477af", "#a9a1cb", "#c6c4df", "#e1e2ee", "#f7f7f6",
    "#fce6c8", "#fecd8f", "#f8ae55", "#e2861a", "#c4680b",
)  # fmt: skip
FORCED = "#dcdcdc"

#: What is better for the player, and for the dealer.
FOR_PLAYER, FOR_DEALER = "#de8f05", "#0173b2"

#: Blue for what the dealer wins, orange for what the player wins, grey for nothing, pink for Ban hands of either side.
OUTCOME_COLOURS = {
    Outcome.VOID: "#dcdcdc",
    Outcome.BAN: "#cc79a7",
    Outcome.BUST: "#56b4e9",
    Outcome.BOTH_BUST: "#b3b3b3",
    Outcome.FORFEIT: "#1c3f5e",
    Outcome.DEALER_BUST: "#f0b34e",
    Outcome.WIN: "#d55e00",
    Outcome.LOSS: "#0072b2",
    Outcome.PUSH: "#8a8a8a",
}

#: Lines of a plot, in this order (seaborn's palette "colorblind").
LINES = (
    "#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#ece133", "#56b4e9",
)  # fmt: skip
