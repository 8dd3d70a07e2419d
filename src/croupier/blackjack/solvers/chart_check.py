"""What a chart asks for that the rules do not allow, and what is played instead."""

from dataclasses import dataclass

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import PAIR_ROWS, ROW_FACTS, UP_CARDS, Chart, Code
from croupier.cards import ACE_CLASS

STANDS = frozenset((Code.STAND, Code.DOUBLE_OR_STAND, Code.SPLIT_OR_STAND, Code.SURRENDER_OR_STAND))
DOUBLES = frozenset((Code.DOUBLE, Code.DOUBLE_OR_STAND))
SPLITS = frozenset((Code.SPLIT, Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND, Code.SURRENDER_OR_SPLIT))
SURRENDERS = frozenset((Code.SURRENDER, Code.SURRENDER_OR_STAND, Code.SURRENDER_OR_SPLIT))


@dataclass(frozen=True, slots=True)
class Remark:
    """An entry that the rules do not allow, and what is played instead."""

    row: str
    up_card: str
    code: Code
    problem: str
    instead: str

    def __str__(self) -> str:
        return f"{self.row} against {self.up_card}: {self.code} cannot be played ({self.problem}); {self.instead} instead"


def check(chart: Chart, rules: BlackjackRules) -> list[Remark]:
    """List the entries that the rules do not allow, each with what is played instead.

    Examples
    --------
    >>> remarks = check(Chart.uniform("S").replace({("9", "3"): "D"}), BlackjackRules(double="10-11"))
    >>> print(remarks[0])
    9 against 3: D cannot be played (only 10-11 may be doubled); hit instead
    """
    return [
        Remark(row, up_card, code, problem, instead)
        for (row, up_card), code in chart.cells.items()
        for problem, instead in problems(row, up_card, code, rules)
    ]


def problems(row: str, up_card: str, code: Code, rules: BlackjackRules) -> list[tuple[str, str]]:
    """List why an entry cannot be played, each with what is played instead.

    >>> problems("11", "6", Code.DOUBLE, BlackjackRules(double="none"))
    [('there is no doubling', 'hit')]
    """
    found = []
    if code in DOUBLES and (problem := _why_not_double(row, rules)):
        found.append((problem, "stand" if code in STANDS else "hit"))
    if code in SPLITS and (problem := why_not_split(row, code, rules)):
        by_total = "the pair's total" if row in PAIR_ROWS else "hit"
        instead = {Code.SPLIT_OR_HIT: "hit", Code.SPLIT_OR_STAND: "stand"}.get(code, by_total)
        found.append((problem, instead))
    if code in SURRENDERS:
        forbidden = rules.surrender == "none" or (
            rules.surrender == "early-not-ace" and up_card == UP_CARDS[ACE_CLASS]
        )
        if forbidden:
            instead = {Code.SURRENDER: "hit", Code.SURRENDER_OR_STAND: "stand"}.get(code, "split")
            found.append(("there is no surrender", instead))
    return found


def _why_not_double(row: str, rules: BlackjackRules) -> str | None:
    if rules.double == "none":
        return "there is no doubling"
    hand = ROW_FACTS[row]
    if hand.is_soft and not rules.double_soft:
        return "soft hands may not be doubled"
    lowest = {"any": 4, "9-11": 9, "10-11": 10}[rules.double]
    if rules.double != "any" and not lowest <= hand.total <= 11:
        return f"only {rules.double} may be doubled"
    return None


def why_not_split(row: str, code: Code, rules: BlackjackRules) -> str | None:
    """Say why a row cannot be split as a code asks for, or None."""
    if row not in PAIR_ROWS:
        return "it is not a pair"
    if rules.split_hands < 2:
        return "there is no splitting"
    if row == "T,T" and not rules.split_tens:
        return "ten-value pairs may not be split"
    if code in (Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND) and not rules.double_after_split:
        return "split hands may not be doubled"
    return None
