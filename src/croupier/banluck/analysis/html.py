"""Results as HTML, for notebooks: plain tables with their own few colours."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

_LEFT = 'style="text-align:left"'


def table(rows: Iterable[Mapping[str, object]], caption: str = "") -> str:
    """Lay rows of named values out as a table; the names of the first row are its head.

    >>> table([{"hand": "T-6", "worth": -0.451}])
    '<table><tr><th style="text-align:left">hand</th><th style="text-align:left">worth</th></tr><tr><td style="text-align:left">T-6</td><td style="text-align:left">-0.451</td></tr></table>'
    """
    rows = list(rows)
    names = list(rows[0]) if rows else []
    head = "".join(f"<th {_LEFT}>{escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td {_LEFT}>{escape(_text(row.get(name)))}</td>' for name in names)}</tr>"
        for row in rows
    )
    return f"<table>{_caption(caption)}<tr>{head}</tr>{body}</table>"


def coloured_grid(
    caption: str,
    totals: Sequence[int],
    rows: Iterable[tuple[str, Sequence[str]]],
    colours: Mapping[str, str],
) -> str:
    """Lay letters out by row and total, each on the colour of its letter; an empty letter leaves a gap.

    >>> "background:#e08214" in coloured_grid("Player", (16,), [("2 hard", ("H",))], {"H": "#e08214"})
    True
    """
    head = "".join(f"<th>{total}</th>" for total in totals)
    body = "".join(
        f"<tr><th {_LEFT}>{escape(name)}</th>{''.join(_cell(letter, colours) for letter in letters)}</tr>"
        for name, letters in rows
    )
    return f"<table>{_caption(caption)}<tr><th></th>{head}</tr>{body}</table>"


def _cell(letter: str, colours: Mapping[str, str]) -> str:
    if not letter:
        return "<td></td>"
    return f'<td style="text-align:center;color:white;background:{colours[letter]}">{escape(letter)}</td>'


def _caption(caption: str) -> str:
    return f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
