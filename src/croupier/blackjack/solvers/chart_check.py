"""What a chart asks for that the rules do not allow, and what is played instead."""

from dataclasses import dataclass

from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import (
    HandFacts,
    is_finished,
    why_not_double,
    why_not_split,
    why_not_surrender,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import ROW_FACTS, UP_CARDS, Chart, ChartError, Code
from croupier.blackjack.solvers.chart_moves import CODES, SPLITS_TO_DOUBLE, WISHES
from croupier.cards import ACE_CLASS, parse_rank


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

    Raises
    ------
    ChartError
        If an entry can never be followed and names no second choice.

    Examples
    --------
    >>> remarks = check(Chart.uniform("S").replace({("9", "3"): "D"}), BlackjackRules(double="10-11"))
    >>> print(remarks[0])
    9 against 3: D cannot be played (the total is 9, and only 10-11 may be doubled here); hit instead
    """
    verify_columns(chart, rules)
    return [
        Remark(row, up_card, code, problem, instead)
        for (row, up_card), code in chart.cells.items()
        for problem, instead in problems(row, up_card, code, rules)
    ]


def verify_columns(chart: Chart, rules: BlackjackRules) -> None:
    """Raise a ChartError if the columns of a chart are not what the players of a table see of the dealer's cards.

    >>> verify_columns(Chart.uniform("S"), BlackjackRules(hole_card="open"))
    Traceback (most recent call last):
    croupier.blackjack.solvers.chart.ChartError: chart: its columns are up-cards; with hole_card = "open" they must be the dealer's totals, \
4 to 20 and soft 12 to soft 21
    """
    is_open = rules.hole_card == "open"
    if (chart.columns == UP_CARDS) == is_open:
        raise ChartError(
            'chart: its columns are up-cards; with hole_card = "open" they must be the dealer\'s totals, 4 to 20 and soft 12 to soft 21'
            if is_open
            else f'chart: its columns are the dealer\'s totals; with hole_card = "{rules.hole_card}" they must be up-cards, 2 to 9, T and A'
        )


def problems(row: str, up_card: str, code: Code, rules: BlackjackRules) -> list[tuple[str, str]]:
    """List why an entry cannot be played, each with what is played instead.

    >>> problems("11", "6", Code.DOUBLE, BlackjackRules(double="none"))
    [('this table does not allow doubling', 'hit')]
    >>> problems("12", "6", Code.SPLIT, BlackjackRules())
    Traceback (most recent call last):
    croupier.blackjack.solvers.chart.ChartError: chart: row '12' against 6: P on a total names no second choice; \
use H, S, D, DS, R or RS
    """
    wishes = WISHES[code]
    if None in wishes and ROW_FACTS[row].pair is None:
        raise ChartError(
            f"chart: row '{row}' against {up_card}: {code} on a total names no second choice; use H, S, D, DS, R or RS"
        )
    found = []
    for move, instead in zip(wishes, (*wishes[1:], Move.STAND), strict=False):
        reason = _why_not(move, row, up_card, code, rules)
        if reason is not None:
            found.append((reason, "the pair's total" if instead is None else str(instead)))
    return found


def legal_codes(row: str, up_card: str, rules: BlackjackRules) -> tuple[Code, ...]:
    """List the codes of a cell that the rules allow and that play differently from each other on first two cards or longer hands.

    A pair has no longer hands, so DS and RS are left to D and R there. Rows of 21 stand.

    >>> [code.value for code in legal_codes("11", "6", BlackjackRules())]
    ['H', 'S', 'D', 'DS']
    >>> [code.value for code in legal_codes("8,8", "A", BlackjackRules(surrender="late", double_after_split=False))]
    ['H', 'S', 'D', 'P', 'R', 'RP']
    """
    hand = ROW_FACTS[row]
    if is_finished(rules, hand.total, 2):
        return (Code.STAND,)
    if hand.pair is None:
        codes = [code for code in CODES if Move.SPLIT not in WISHES[code]]
    else:
        codes = [code for code in CODES if code not in (Code.DOUBLE_OR_STAND, Code.SURRENDER_OR_STAND)]
    return tuple(code for code in codes if not problems(row, up_card, code, rules))


def _why_not(move: Move | None, row: str, up_card: str, code: Code, rules: BlackjackRules) -> str | None:
    hand = ROW_FACTS[row]
    facts = HandFacts(hand.total, hand.is_soft)
    match move:
        case Move.DOUBLE:
            return why_not_double(rules, facts)
        case Move.SURRENDER:
            return why_not_surrender(rules, facts, against_ace=up_card == UP_CARDS[ACE_CLASS])
        case Move.SPLIT:
            if hand.pair is None:
                return "it is not a pair"
            if code in SPLITS_TO_DOUBLE and not rules.double_after_split:
                return "hands from a split may not be doubled here"
            rank = parse_rank(hand.pair)
            assert rank is not None, "the rank of a row"
            return why_not_split(rules, rank, rank)
        case _:
            return None
