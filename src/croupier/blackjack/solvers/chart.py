"""Charts: a code for hard totals, soft totals and pairs against each up-card, with the usual second choices.

Where both of the dealer's cards lie open, a chart has a column for each of the dealer's totals instead, hard and soft.

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

A chart says nothing about rules. :func:`~croupier.blackjack.solvers.chart_check.check` lists the entries that a rule set does not
allow, and what is played instead.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.cards import ACE_CLASS, POINT_CLASSES
from croupier.errors import InputError
from croupier.extras import needs
from croupier.files import read_text

if TYPE_CHECKING:
    import pandas as pd

    from croupier.blackjack.engine.rules import BlackjackRules

#: Up-cards in the order of a chart's columns.
UP_CARDS = tuple(POINT_CLASSES)

#: The dealer's totals in the order of a chart's columns where both cards lie open. A soft 21 is only played against where naturals are
#: ordinary 21s.
HARD_DEALER_TOTALS = tuple(f"{total}" for total in range(4, 21))
SOFT_DEALER_TOTALS = tuple(f"soft {total}" for total in range(12, 22))
DEALER_TOTALS = (*HARD_DEALER_TOTALS, *SOFT_DEALER_TOTALS)

#: A colour for what a code does first, told apart without red and green.
CODE_COLOURS = {"H": "#f0e442", "S": "#56b4e9", "D": "#009e73", "P": "#cc79a7", "R": "#d55e00"}


class Code(StrEnum):
    """What a cell advises.

    Examples
    --------
    >>> Code("DS").meaning
    'double, else stand'
    """

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

    @property
    def meaning(self) -> str:
        """The code in words."""
        return _MEANINGS[self]

    def meaning_by(self, rules: "BlackjackRules") -> str:
        """Return the code in words, as it is played by some rules.

        Where split hands may be doubled, PH and PS differ from P only for a pair that may not be split again.

        >>> from croupier.blackjack.engine.rules import BlackjackRules
        >>> Code("PH").meaning_by(BlackjackRules())
        'split; hit a pair that may not be split again'
        """
        if rules.double_after_split and self is Code.SPLIT_OR_HIT:
            return "split; hit a pair that may not be split again"
        if rules.double_after_split and self is Code.SPLIT_OR_STAND:
            return "split; stand on a pair that may not be split again"
        return self.meaning


_MEANINGS = {
    Code.HIT: "hit",
    Code.STAND: "stand",
    Code.DOUBLE: "double, else hit",
    Code.DOUBLE_OR_STAND: "double, else stand",
    Code.SPLIT: "split",
    Code.SPLIT_OR_HIT: "split if it is allowed and split hands may be doubled, else hit",
    Code.SPLIT_OR_STAND: "split if it is allowed and split hands may be doubled, else stand",
    Code.SURRENDER: "surrender, else hit",
    Code.SURRENDER_OR_STAND: "surrender, else stand",
    Code.SURRENDER_OR_SPLIT: "surrender, else split",
}


class Row(NamedTuple):
    """A row of a chart: what it is called, its total, whether that is soft, and the rank of a pair or None.

    Examples
    --------
    >>> ROW_FACTS["soft 18"]
    Row(name='soft 18', total=18, is_soft=True, pair=None)
    >>> ROW_FACTS["8,8"].total, ROW_FACTS["A,A"].total
    (16, 12)
    """

    name: str
    total: int
    is_soft: bool
    pair: str | None


def _pair_row(point: int, rank: str) -> Row:
    is_ace = point == ACE_CLASS
    return Row(f"{rank},{rank}", 12 if is_ace else 2 * (point + 2), is_ace, rank)


HARD_ROWS = tuple(f"{total}" for total in range(4, 22))
SOFT_ROWS = tuple(f"soft {total}" for total in range(12, 22))
PAIR_ROWS = tuple(f"{rank},{rank}" for rank in POINT_CLASSES)
ROWS = (*HARD_ROWS, *SOFT_ROWS, *PAIR_ROWS)

#: The rows by name, in their order.
ROW_FACTS: dict[str, Row] = {
    row.name: row
    for row in (
        *(Row(name, int(name), False, None) for name in HARD_ROWS),
        *(Row(name, int(name.split()[1]), True, None) for name in SOFT_ROWS),
        *(_pair_row(point, rank) for point, rank in enumerate(POINT_CLASSES)),
    )
}

_SECTIONS = {"hard totals": HARD_ROWS, "soft totals": SOFT_ROWS, "pairs": PAIR_ROWS}


def _places(columns: tuple[str, ...]) -> dict[tuple[str, str], int]:
    return {cell: place for place, cell in enumerate((row, column) for row in ROWS for column in columns)}


#: Where each cell is in a chart, by its number of columns.
_PLACES = {len(columns): _places(columns) for columns in (UP_CARDS, DEALER_TOTALS)}


def columns_of_size(size: int) -> tuple[str, ...]:
    """Return the columns of a chart that has so many.

    >>> columns_of_size(10) == UP_CARDS, columns_of_size(27)[-1]
    (True, 'soft 21')
    """
    return UP_CARDS if size == len(UP_CARDS) else DEALER_TOTALS


class ChartError(InputError):
    """A chart that cannot be read; the message names the row, the column and the code."""


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """A complete chart: a code for every row and up-card. Charts compare, hash and travel to other processes.

    Attributes
    ----------
    codes
        The codes row by row, in the order of ROWS and of the columns: UP_CARDS or DEALER_TOTALS.

    Examples
    --------
    >>> mimic = Chart.from_rule(lambda row, up_card: "H" if row.total < 17 else "S")
    >>> mimic["16", "T"].value
    'H'
    >>> mine = mimic.replace({("16", "T"): "S"})
    >>> mine["16", "T"].value, mine == mimic, len({mine, mimic})
    ('S', False, 2)
    """

    codes: tuple[Code, ...]

    def __post_init__(self) -> None:
        sizes = [len(places) for places in _PLACES.values()]
        if len(self.codes) not in sizes:
            raise ChartError(f"chart: {len(self.codes)} codes; a chart has {' or '.join(map(str, sizes))}")

    def __getitem__(self, cell: tuple[str, str]) -> Code:
        _verify_cell(*cell, self.columns)
        return self.codes[self._cells[cell]]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def columns(self) -> tuple[str, ...]:
        """What its columns stand for: up-cards, or the dealer's totals where both cards lie open."""
        return columns_of_size(len(self.codes) // len(ROWS))

    @property
    def column_groups(self) -> tuple[tuple[str, ...], ...]:
        """The columns that people look at, in groups that fit side by side: all up-cards, or the dealer's hard totals and soft ones.

        A soft 21 is shown only where somebody does anything but stand: elsewhere it is a natural, which ends the round.
        """
        if self.columns == UP_CARDS:
            return (UP_CARDS,)
        *soft, natural = SOFT_DEALER_TOTALS
        is_played = any(self[row, natural] is not Code.STAND for row in ROWS)
        return HARD_DEALER_TOTALS, SOFT_DEALER_TOTALS if is_played else tuple(soft)

    @property
    def _cells(self) -> dict[tuple[str, str], int]:
        return _PLACES[len(self.codes) // len(ROWS)]

    @property
    def cells(self) -> dict[tuple[str, str], Code]:
        """The codes by row and column."""
        return dict(zip(self._cells, self.codes, strict=True))

    def replace(self, changes: Mapping[tuple[str, str], Code | str]) -> "Chart":
        """Return the chart with some cells changed.

        >>> Chart.uniform("S").replace({("12", "3"): "X"})
        Traceback (most recent call last):
        croupier.blackjack.solvers.chart.ChartError: chart: row '12' against 3: no code 'X'; codes are \
H, S, D, DS, P, PH, PS, R, RS, RP
        """
        return self.from_cells({**self.cells, **changes})

    @classmethod
    def uniform(cls, code: Code | str, columns: tuple[str, ...] = UP_CARDS) -> "Chart":
        """Return the chart that has one code everywhere.

        >>> Chart.uniform("S")["12", "6"].value, Chart.uniform("S", DEALER_TOTALS)["12", "soft 17"].value
        ('S', 'S')
        """
        return cls.from_rule(lambda row, column: code, columns)  # noqa: ARG005

    @classmethod
    def from_rule(
        cls, rule: Callable[[Row, str], Code | str], columns: tuple[str, ...] = UP_CARDS
    ) -> "Chart":
        """Build a chart from a function of a :class:`Row` and a column (an up-card: 2 to 9, T, A) to a code."""
        return cls.from_cells(
            {(row, column): rule(ROW_FACTS[row], column) for row, column in _PLACES[len(columns)]}
        )

    @classmethod
    def from_cells(cls, entries: Mapping[tuple[str, str], Code | str]) -> "Chart":
        """Build a chart from codes by row and up-card; unknown or missing rows, up-cards and codes are refused by name.

        If any column is a total that no up-card has, the columns are the dealer's totals.
        """
        named = {column for _, column in entries}
        is_open = bool(named & (set(DEALER_TOTALS) - set(UP_CARDS)))
        columns = DEALER_TOTALS if is_open else UP_CARDS
        codes: dict[tuple[str, str], Code] = {}
        for (row, column), text in entries.items():
            _verify_cell(row, column, columns)
            codes[row, column] = _read_code(row, column, text)
        places = _PLACES[len(columns)]
        for row, column in places:
            if (row, column) not in codes:
                raise ChartError(f"chart: no entry for row '{row}' against {column}")
        return cls(tuple(codes[cell] for cell in places))

    @classmethod
    def from_text(cls, text: str) -> "Chart":
        """Read a chart from JSON (text that begins with a brace) or CSV."""
        return cls.from_json(text) if text.lstrip().startswith("{") else cls.from_csv(text)

    def to_csv(self) -> str:
        """Write the chart as CSV: a line for each row, a column for each of its columns."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["hand", *self.columns])
        for row, codes in self.to_dict().items():
            writer.writerow([row, *codes.values()])
        return out.getvalue()

    @classmethod
    def from_csv(cls, text: str) -> "Chart":
        """Read a chart from CSV; unknown or missing rows, columns and codes are refused by name."""
        lines = [line for line in csv.reader(io.StringIO(text)) if line]
        if not lines or lines[0][:1] != ["hand"]:
            raise ChartError("chart: the first line must be 'hand' and the up-cards")
        entries: dict[tuple[str, str], str] = {}
        for what, names in (("up-card", lines[0][1:]), ("row", [line[0] for line in lines[1:]])):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ChartError(f"chart: {what} '{twice}' is given twice")
        for line in lines[1:]:
            if len(line) != len(lines[0]):
                raise ChartError(
                    f"chart: row '{line[0]}' has {len(line) - 1} entries for {len(lines[0]) - 1} up-cards"
                )
            entries |= {
                (line[0].strip(), up_card.strip()): code
                for up_card, code in zip(lines[0][1:], line[1:], strict=True)
            }
        return cls.from_cells(entries)

    def to_dict(self) -> dict[str, dict[str, str]]:
        """Return the codes by row, then by up-card, as plain values.

        >>> Chart.uniform("H").to_dict()["soft 18"]["9"]
        'H'
        """
        return {row: {column: self[row, column].value for column in self.columns} for row in ROWS}

    def to_json(self) -> str:
        """Write the chart as JSON: an object of rows, each an object of up-cards."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> "Chart":
        """Read a chart from JSON, with the same checks as CSV."""
        try:
            data = json.loads(text)
            entries = {(row, up_card): code for row, line in data.items() for up_card, code in line.items()}
        except (json.JSONDecodeError, AttributeError):
            raise ChartError("chart: not a JSON object of rows and up-cards") from None
        return cls.from_cells(entries)

    def to_frame(self) -> "pd.DataFrame":
        """Return the codes as a data frame: rows of the chart by up-cards.

        >>> Chart.uniform("H").to_frame().loc["16", "T"]
        'H'
        """
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame.from_dict(self.to_dict(), orient="index")

    def __str__(self) -> str:
        return "\n\n".join(self._text(columns) for columns in self.column_groups)

    def _text(self, columns: tuple[str, ...]) -> str:
        width = max(len(row) for row in ROWS)
        wide = max(4, 1 + max(map(len, columns)))
        lines = [" " * width + "".join(f"{column:>{wide}}" for column in columns)]
        for rows in _SECTIONS.values():
            lines += [
                f"{row:<{width}}" + "".join(f"{self[row, column].value:>{wide}}" for column in columns)
                for row in rows
            ]
            lines.append("")
        return "\n".join(lines[:-1])

    def __repr__(self) -> str:
        counts = Counter(self.codes)
        return f"<Chart: {', '.join(f'{counts[code]} {code}' for code in Code if counts[code])}>"

    def _repr_html_(self) -> str:
        """Show the chart in a notebook, coloured by what each code does first."""
        head = "".join(f"<th>{column}</th>" for column in self.columns)
        body = []
        for name, rows in _SECTIONS.items():
            body.append(f'<tr><th style="text-align:left">{escape(name)}</th>{head}</tr>')
            for row in rows:
                cells = "".join(_html_cell(self[row, column]) for column in self.columns)
                body.append(f'<tr><th style="text-align:left">{escape(row)}</th>{cells}</tr>')
        return f'<table style="border-collapse:collapse">{"".join(body)}</table>'


def read_chart(path: Path) -> Chart:
    """Read a chart from a file, JSON or CSV; errors name the file."""
    text = read_text(path, what="chart")
    try:
        return Chart.from_text(text)
    except ChartError as error:
        raise ChartError(f"chart '{path}'{str(error).removeprefix('chart')}") from None


def _html_cell(code: Code) -> str:
    style = f"background:{CODE_COLOURS[code.value[0]]};color:#000;text-align:center;border:1px solid #fff"
    return f'<td style="{style}" title="{escape(code.meaning)}">{code.value}</td>'


def _verify_cell(row: str, column: str, columns: tuple[str, ...]) -> None:
    if row not in ROW_FACTS:
        raise ChartError(f"chart: no row '{row}'; rows are {', '.join(ROWS)}")
    if column not in columns:
        what, all_ = (
            ("up-card", "up-cards") if columns == UP_CARDS else ("dealer's total", "the dealer's totals")
        )
        raise ChartError(f"chart: no {what} '{column}'; {all_} are {', '.join(columns)}")


def _read_code(row: str, up_card: str, text: Code | str) -> Code:
    try:
        return Code(str(text).strip().upper())
    except ValueError:
        raise ChartError(
            f"chart: row '{row}' against {up_card}: no code '{text}'; codes are {', '.join(Code)}"
        ) from None
