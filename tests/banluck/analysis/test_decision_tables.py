"""The tables of a strategy hold every decision, the same in each format."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from croupier.banluck.analysis.decision_tables import Side, decisions_csv, decisions_frame, export_tables
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine.multisets import format_multiset
from croupier.errors import InputError

Solved = Callable[[str], Solution]


@pytest.mark.parametrize("side", ["player", "dealer"])
def test_tables_in_every_format_hold_the_same(side: Side, solved: Solved, tmp_path: Path) -> None:
    book = solved("reference").book
    export_tables(book, tmp_path / "new" / "folder")
    written = tmp_path / "new" / "folder" / side
    frame = decisions_frame(book, side)
    records = json.loads(written.with_suffix(".json").read_text())
    pd.testing.assert_frame_equal(pd.DataFrame(records), frame)
    lines = written.with_suffix(".csv").read_text()
    assert lines == decisions_csv(book, side)
    assert list(csv.DictReader(lines.splitlines())) == [
        {name: "" if value is None else str(value) for name, value in record.items()} for record in records
    ]
    decisions = book.player_decisions if side == "player" else book.dealer_decisions
    assert frame["hand"].tolist() == [format_multiset(advice.hand) for advice in decisions]


def test_a_third_side_is_refused(solved: Solved) -> None:
    with pytest.raises(InputError, match="no side 'house'; choose player, dealer"):
        decisions_csv(solved("reference").book, "house")  # type: ignore[arg-type]
