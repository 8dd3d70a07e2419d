"""What people commonly get wrong, as changes of a chart."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from croupier.blackjack.counting.system import verify_indexed
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import (
    HARD_ROWS,
    PAIR_ROWS,
    ROW_FACTS,
    ROWS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
    Code,
)
from croupier.blackjack.solvers.total_dependent import best_chart

_SMALL, _LARGE = ("2", "3", "4", "5", "6"), ("7", "8", "9", "T", "A")

_UNDOUBLED = {Code.DOUBLE: Code.HIT, Code.DOUBLE_OR_STAND: Code.STAND}
_UNSURRENDERED = {
    Code.SURRENDER: Code.HIT,
    Code.SURRENDER_OR_STAND: Code.STAND,
    Code.SURRENDER_OR_SPLIT: Code.SPLIT,
}

#: Codes that may split a pair.
_SPLITS = (Code.SPLIT, Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND, Code.SURRENDER_OR_SPLIT)

#: Says what somebody plays instead of a code; None where the mistake does not touch it.
Change = Callable[[Chart, str, str], Code | None]


@dataclass(frozen=True, slots=True)
class ChartMistake:
    """A habit at the table.

    Attributes
    ----------
    name
        What is done.
    change
        What becomes of a cell of the right chart.
    is_whole
        Whether it is a way to play every hand, not one mistake among others.
    """

    name: str
    change: Change
    is_whole: bool = False

    def chart(self, right: Chart) -> Chart:
        """Return a chart with the mistake."""
        changes = {}
        for row in ROWS:
            for up_card in UP_CARDS:
                code = self.change(right, row, up_card)
                if code is not None:
                    changes[row, up_card] = code
        return right.replace(changes)


def _plays(rows: Iterable[str], up_cards: Iterable[str], code: Code) -> Change:
    chosen, against = frozenset(rows), frozenset(up_cards)
    return lambda _, row, up_card: code if row in chosen and up_card in against else None


def _turns(codes: dict[Code, Code], rows: Iterable[str], up_cards: Iterable[str] = UP_CARDS) -> Change:
    chosen, against = frozenset(rows), frozenset(up_cards)
    return lambda right, row, up_card: (
        codes.get(right[row, up_card]) if row in chosen and up_card in against else None
    )


def _keeps_together(rows: Iterable[str], up_cards: Iterable[str] = UP_CARDS) -> Change:
    """Play pairs by their totals; those that the chart does not split stay as they are."""
    chosen, against = frozenset(rows), frozenset(up_cards)

    def change(right: Chart, row: str, up_card: str) -> Code | None:
        if row not in chosen or up_card not in against or right[row, up_card] not in _SPLITS:
            return None
        facts = ROW_FACTS[row]
        return right[
            f"soft {facts.total}" if facts.is_soft or facts.pair == "A" else str(facts.total), up_card
        ]

    return change


def _like_the_dealer(_: Chart, row: str, __: str) -> Code:
    return Code.HIT if ROW_FACTS[row].total < 17 else Code.STAND


def _never_busts(_: Chart, row: str, __: str) -> Code | None:
    facts = ROW_FACTS[row]
    if facts.is_soft or facts.pair is not None or facts.total < 12:
        return None
    return Code.STAND


#: Common mistakes, after the lists of misplayed hands in books for beginners. What the rules do not offer costs nothing.
MISTAKES = (
    ChartMistake("stands with 16 against 7 to ace", _plays(["16"], _LARGE, Code.STAND)),
    ChartMistake("stands with 12 to 15 against 7 to ace", _plays(HARD_ROWS[8:12], _LARGE, Code.STAND)),
    ChartMistake("stands with 12 against 2 and 3", _plays(["12"], "23", Code.STAND)),
    ChartMistake("hits 12 against 4 to 6", _plays(["12"], "456", Code.HIT)),
    ChartMistake("hits 13 to 16 against 2 to 6", _plays(HARD_ROWS[9:13], _SMALL, Code.HIT)),
    ChartMistake("stands with soft 17", _plays(["soft 17"], UP_CARDS, Code.STAND)),
    ChartMistake("stands with soft 18 against 9 to ace", _plays(["soft 18"], "9TA", Code.STAND)),
    ChartMistake("doubles no soft hand", _turns(_UNDOUBLED, SOFT_ROWS)),
    ChartMistake("does not double 11", _turns(_UNDOUBLED, ["11"])),
    ChartMistake("does not double 10", _turns(_UNDOUBLED, ["10", "5,5"])),
    ChartMistake("does not double 9", _turns(_UNDOUBLED, ["9"])),
    ChartMistake("does not split aces", _keeps_together(["A,A"])),
    ChartMistake("does not split eights against 9 to ace", _keeps_together(["8,8"], "9TA")),
    ChartMistake("does not split nines", _keeps_together(["9,9"])),
    ChartMistake("does not split 2s, 3s, 6s and 7s", _keeps_together(["2,2", "3,3", "6,6", "7,7"])),
    ChartMistake("splits tens against 4 to 6", _plays(["T,T"], "456", Code.SPLIT)),
    ChartMistake("splits tens always", _plays(["T,T"], UP_CARDS, Code.SPLIT)),
    ChartMistake("splits fives", _plays(["5,5"], UP_CARDS, Code.SPLIT)),
    ChartMistake("splits fours always", _plays(["4,4"], UP_CARDS, Code.SPLIT)),
    ChartMistake("does not surrender", _turns(_UNSURRENDERED, ROWS)),
    ChartMistake("never doubles", _turns(_UNDOUBLED, ROWS), is_whole=True),
    ChartMistake("never splits", _keeps_together(PAIR_ROWS), is_whole=True),
    ChartMistake("never busts: stands with every hard 12 and more", _never_busts, is_whole=True),
    ChartMistake("plays like the dealer", _like_the_dealer, is_whole=True),
)

#: The close ones, which people make who know the chart by and large.
_SLIPPED = (
    "stands with 16 against 7 to ace",
    "stands with 12 against 2 and 3",
    "hits 12 against 4 to 6",
    "stands with soft 17",
    "stands with soft 18 against 9 to ace",
    "doubles no soft hand",
    "does not double 9",
    "does not split eights against 9 to ace",
    "does not split nines",
    "does not split 2s, 3s, 6s and 7s",
)


@lru_cache(maxsize=8)
def mistaken_chart(rules: BlackjackRules) -> Chart:
    """Return the best chart with ten common mistakes in it at once: what a misplayed round is played by.

    >>> chart = mistaken_chart(BlackjackRules())
    >>> chart["16", "T"].value, chart["12", "4"].value, chart["11", "6"].value
    ('S', 'H', 'D')
    """
    verify_indexed(rules)
    chart = best_chart(rules).chart
    for mistake in MISTAKES:
        if mistake.name in _SLIPPED:
            chart = mistake.chart(chart)
    return chart
