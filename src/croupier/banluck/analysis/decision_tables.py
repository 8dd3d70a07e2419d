"""Every decision of a side as a table: a data frame, CSV and JSON."""

import csv
import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.errors import InputError
from croupier.extras import needs
from croupier.files import make_folder, write_text

if TYPE_CHECKING:
    import pandas as pd

#: Who decides.
Side = Literal["player", "dealer"]


def decisions_frame(book: StrategyBook, side: Side) -> "pd.DataFrame":
    """Return a side's decisions as a data frame, a row a hand."""
    decisions = _decisions(book, side)
    needs("plots")
    import pandas as pd  # noqa: PLC0415 - takes longer to import than a game to solve

    return pd.DataFrame([advice.to_dict() for advice in decisions])


def decisions_csv(book: StrategyBook, side: Side) -> str:
    """Return a side's decisions as CSV; an unknown value is an empty cell.

    Examples
    --------
    >>> from croupier import banluck
    >>> decisions_csv(banluck.solve().book, "player").splitlines()[0][:24]
    'hand,cards,total,soft,ag'
    """
    rows = _rows(book, side)
    lines = io.StringIO()
    writer = csv.DictWriter(lines, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return lines.getvalue()


def export_tables(book: StrategyBook, folder: Path) -> list[Path]:
    """Write both sides' decisions as CSV and JSON, and return the paths.

    Examples
    --------
    >>> import tempfile
    >>> from croupier import banluck
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in export_tables(banluck.solve().book, Path(folder))]
    ['player.csv', 'player.json', 'dealer.csv', 'dealer.json']
    """
    make_folder(folder)
    paths = []
    sides: tuple[Side, ...] = ("player", "dealer")
    for side in sides:
        texts = {
            "csv": decisions_csv(book, side),
            "json": json.dumps(_rows(book, side), indent=1, allow_nan=False),
        }
        for ending, text in texts.items():
            path = folder / f"{side}.{ending}"
            write_text(path, text)
            paths.append(path)
    return paths


def _decisions(book: StrategyBook, side: Side) -> tuple[Advice, ...]:
    if side not in ("player", "dealer"):
        raise InputError(f"no side '{side}'; choose player, dealer")
    return book.player_decisions if side == "player" else book.dealer_decisions


def _rows(book: StrategyBook, side: Side) -> list[dict[str, Any]]:
    """Return a side's decisions as plain data, None for a value that is unknown."""
    return [
        {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in advice.to_dict().items()
        }
        for advice in _decisions(book, side)
    ]
