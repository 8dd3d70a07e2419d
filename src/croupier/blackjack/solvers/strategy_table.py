"""Strategy tables: hard totals, soft totals and pairs against the up-card, in the usual codes, with their second choices.

====  ==========================================  =====================================
code  first choice                                where that is not allowed
====  ==========================================  =====================================
H     hit                                         stand on 21
S     stand
D     double                                      hit
DS    double                                      stand
P     split                                       play the pair by its total
PH    split, where split hands may be doubled     hit
PS    split, where split hands may be doubled     stand
R     surrender                                   hit
RS    surrender                                   stand
RP    surrender                                   split
====  ==========================================  =====================================

No advice is ever turned silently into something else: :func:`check` lists every entry that the rules do not allow, and what
is played instead.
"""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart_columns import BY_TOTAL, CELLS, DOUBLE_OR_STAND, ChartColumn
from croupier.blackjack.solvers.hands import CLASSES
from croupier.blackjack.solvers.total_dependent import TotalDependent
from croupier.blackjack.solvers.value_kernels import DOUBLE, HIT, STAND
from croupier.cards import ACE_CLASS, POINT_CLASSES
from croupier.errors import InputError

_SOFT = CELLS // 2

#: Up-cards in the order of a chart's columns.
UP_CARDS = POINT_CLASSES


class Code(StrEnum):
    """What a cell advises."""

    HIT = "H"
    STAND = "S"
    DOUBLE = "D"
    DOUBLE_OR_STAND = "DS"
    SPLIT = "P"
    SPLIT_OR_HIT = "PH"
    SPLIT_OR_STAND = "PS"
    SURRENDER = "R"
    SURRENDER_OR_STAND = "RS"
    SURRENDER_OR_SPLIT = "RP"


_STANDS = {Code.STAND, Code.DOUBLE_OR_STAND, Code.SPLIT_OR_STAND, Code.SURRENDER_OR_STAND}
_DOUBLES = {Code.DOUBLE, Code.DOUBLE_OR_STAND}
_SPLITS = {Code.SPLIT, Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND, Code.SURRENDER_OR_SPLIT}
_SURRENDERS = {Code.SURRENDER, Code.SURRENDER_OR_STAND, Code.SURRENDER_OR_SPLIT}

#: What a pair does that is not split or given up; P and RP leave it to the total.
_PAIR_PLAY = {
    Code.HIT: HIT,
    Code.STAND: STAND,
    Code.DOUBLE: DOUBLE,
    Code.DOUBLE_OR_STAND: DOUBLE_OR_STAND,
    Code.SPLIT_OR_HIT: HIT,
    Code.SPLIT_OR_STAND: STAND,
    Code.SURRENDER: HIT,
    Code.SURRENDER_OR_STAND: STAND,
}

HARD_ROWS = tuple(f"{total}" for total in range(4, 22))
SOFT_ROWS = tuple(f"soft {total}" for total in range(12, 22))
PAIR_ROWS = tuple(f"{rank},{rank}" for rank in POINT_CLASSES)
ROWS = (*HARD_ROWS, *SOFT_ROWS, *PAIR_ROWS)


class TableError(InputError):
    """A strategy table that cannot be read; the message names the row, the column and the code."""


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


@dataclass(frozen=True, slots=True, eq=False)
class StrategyTable:
    """A complete chart: a code for every row and up-card."""

    cells: Mapping[tuple[str, str], Code]

    def code(self, row: str, up_card: str) -> Code:
        """Return the advice of a cell.

        >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
        >>> best = solve_total_dependent(BlackjackRules(decks="infinite"))
        >>> StrategyTable.of(best).code("16", "T").value
        'H'
        """
        return self.cells[row, up_card]

    @classmethod
    def of(cls, best: TotalDependent) -> "StrategyTable":
        """Write a computed chart in codes."""
        cells = {}
        for up_card, column in best.columns.items():
            for row in ROWS:
                cells[row, UP_CARDS[up_card]] = code_of(column, row)
        return cls(cells)

    def columns(self, rules: BlackjackRules) -> dict[int, ChartColumn]:
        """Return the chart in the form that the exact evaluation reads, second choices taken where the rules ask for them."""
        return {place: self._column(letter, rules) for place, letter in enumerate(UP_CARDS)}

    def to_csv(self) -> str:
        """Write the chart as CSV, a row a line, an up-card a column."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["hand", *UP_CARDS])
        for row in ROWS:
            writer.writerow([row, *(self.cells[row, up_card].value for up_card in UP_CARDS)])
        return out.getvalue()

    @classmethod
    def from_csv(cls, text: str) -> "StrategyTable":
        """Read a chart as CSV; unknown or missing rows, columns and codes are refused by name."""
        lines = [line for line in csv.reader(io.StringIO(text)) if line]
        if not lines or lines[0][:1] != ["hand"]:
            raise TableError("strategy table: the first line must be 'hand' and the up-cards")
        entries: dict[tuple[str, str], str] = {}
        for what, names in (("up-card", lines[0][1:]), ("row", [line[0] for line in lines[1:]])):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise TableError(f"strategy table: {what} '{twice}' is given twice")
        for line in lines[1:]:
            if len(line) != len(lines[0]):
                raise TableError(
                    f"strategy table: row '{line[0]}' has {len(line) - 1} entries for {len(lines[0]) - 1} up-cards"
                )
            entries |= {
                (line[0].strip(), up_card.strip()): code
                for up_card, code in zip(lines[0][1:], line[1:], strict=True)
            }
        return cls._from_entries(entries)

    def to_json(self) -> str:
        """Write the chart as JSON: rows of up-cards."""
        return json.dumps({row: {up: self.cells[row, up].value for up in UP_CARDS} for row in ROWS})

    @classmethod
    def from_json(cls, text: str) -> "StrategyTable":
        """Read a chart as JSON, with the same checks as CSV."""
        try:
            data = json.loads(text)
            entries = {(row, up_card): code for row, line in data.items() for up_card, code in line.items()}
        except (json.JSONDecodeError, AttributeError):
            raise TableError("strategy table: not a JSON object of rows and up-cards") from None
        return cls._from_entries(entries)

    @classmethod
    def _from_entries(cls, entries: Mapping[tuple[str, str], str]) -> "StrategyTable":
        cells = {}
        codes = [code.value for code in Code]
        for (row, up_card), text in entries.items():
            if row not in ROWS:
                raise TableError(f"strategy table: no row '{row}'; rows are {', '.join(ROWS)}")
            if up_card not in UP_CARDS:
                raise TableError(
                    f"strategy table: no up-card '{up_card}'; up-cards are {', '.join(UP_CARDS)}"
                )
            code = str(text).strip().upper()
            if code not in codes:
                raise TableError(
                    f"strategy table: row '{row}' against {up_card}: no code '{text}'; codes are {', '.join(codes)}"
                )
            cells[row, up_card] = Code(code)
        for row in ROWS:
            for up_card in UP_CARDS:
                if (row, up_card) not in cells:
                    raise TableError(f"strategy table: no entry for row '{row}' against {up_card}")
        return cls(cells)

    def _column(self, up_card: str, rules: BlackjackRules) -> ChartColumn:
        hit = np.ones(CELLS, dtype=np.bool_)
        double, surrender = np.zeros(CELLS, dtype=np.bool_), np.zeros(CELLS, dtype=np.bool_)
        split, surrender_pair = np.zeros(CLASSES, dtype=np.bool_), np.zeros(CLASSES, dtype=np.bool_)
        for row in (*HARD_ROWS, *SOFT_ROWS):
            code, cell = self.cells[row, up_card], cell_of_row(row)
            hit[cell], double[cell], surrender[cell] = (
                code not in _STANDS,
                code in _DOUBLES,
                code in _SURRENDERS,
            )
        pair_play = np.full(CLASSES, BY_TOTAL)
        for point, row in enumerate(PAIR_ROWS):
            code = self.cells[row, up_card]
            split[point] = code in _SPLITS and _why_not_split(row, code, rules) is None
            goes_by_total = code is Code.SPLIT and not split[point]
            surrender_pair[point] = code in _SURRENDERS or (goes_by_total and surrender[_pair_cell(point)])
            pair_play[point] = _PAIR_PLAY.get(code, BY_TOTAL)
        return ChartColumn(hit, double, surrender, split, surrender_pair, pair_play)


def check(table: StrategyTable, rules: BlackjackRules) -> list[Remark]:
    """List the entries that the rules do not allow, each with what is played instead.

    Examples
    --------
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> best = solve_total_dependent(BlackjackRules(decks="infinite"))
    >>> remarks = check(StrategyTable.of(best), BlackjackRules(double="10-11"))
    >>> print(remarks[0])
    9 against 3: D cannot be played (only 10-11 may be doubled); hit instead
    """
    remarks = []
    for (row, up_card), code in table.cells.items():
        for problem, instead in problems(row, up_card, code, rules):
            remarks.append(Remark(row, up_card, code, problem, instead))
    return remarks


def problems(row: str, up_card: str, code: Code, rules: BlackjackRules) -> list[tuple[str, str]]:
    """List why an entry cannot be played, each with what is played instead.

    >>> problems("11", "6", Code.DOUBLE, BlackjackRules(double="none"))
    [('there is no doubling', 'hit')]
    """
    found = []
    if code in _DOUBLES and (problem := _why_not_double(row, rules)):
        found.append((problem, "stand" if code in _STANDS else "hit"))
    if code in _SPLITS and (problem := _why_not_split(row, code, rules)):
        by_total = "the pair's total" if row in PAIR_ROWS else "hit"
        instead = {Code.SPLIT_OR_HIT: "hit", Code.SPLIT_OR_STAND: "stand"}.get(code, by_total)
        found.append((problem, instead))
    if code in _SURRENDERS:
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
    cell = _pair_cell(PAIR_ROWS.index(row)) if row in PAIR_ROWS else cell_of_row(row)
    total, soft = cell % _SOFT, cell >= _SOFT
    if soft and not rules.double_soft:
        return "soft hands may not be doubled"
    lowest = {"any": 4, "9-11": 9, "10-11": 10}[rules.double]
    if rules.double != "any" and not lowest <= total <= 11:
        return f"only {rules.double} may be doubled"
    return None


def _why_not_split(row: str, code: Code, rules: BlackjackRules) -> str | None:
    if row not in PAIR_ROWS:
        return "it is not a pair"
    if rules.split_hands < 2:
        return "there is no splitting"
    if row == "T,T" and not rules.split_tens:
        return "ten-value pairs may not be split"
    if code in (Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND) and not rules.double_after_split:
        return "split hands may not be doubled"
    return None


def cell_of_row(row: str) -> int:
    """Return the cell of a row of totals, as :class:`~croupier.blackjack.solvers.chart_columns.ChartColumn` numbers them.

    >>> cell_of_row("16"), cell_of_row("soft 16")
    (16, 38)
    """
    return int(row.rsplit(maxsplit=1)[-1]) + (_SOFT if row.startswith("soft") else 0)


def code_of(column: ChartColumn, row: str) -> Code:
    """Write one entry of a computed column as a code."""
    if row in PAIR_ROWS:
        point = PAIR_ROWS.index(row)
        if column.surrender_pair[point]:
            return (
                Code.SURRENDER_OR_SPLIT
                if column.split[point]
                else _total_surrender(column, _pair_cell(point))
            )
        if column.split[point]:
            return Code.SPLIT
        return _total_code(column, _pair_cell(point))
    cell = cell_of_row(row)
    return _total_surrender(column, cell) if column.surrender[cell] else _total_code(column, cell)


def _pair_cell(point: int) -> int:
    return 12 + _SOFT if point == ACE_CLASS else 2 * (point + 2)


def _total_code(column: ChartColumn, cell: int) -> Code:
    if column.double[cell]:
        return Code.DOUBLE if column.hit[cell] else Code.DOUBLE_OR_STAND
    return Code.HIT if column.hit[cell] and cell % _SOFT != 21 else Code.STAND


def _total_surrender(column: ChartColumn, cell: int) -> Code:
    return Code.SURRENDER if column.hit[cell] else Code.SURRENDER_OR_STAND
