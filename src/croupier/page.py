"""A page to print or carry: coloured boxes and words, written as PDF, SVG or PNG.

ReportLab writes the PDF and resvg the PNG. Both start in a tenth of a second, where Matplotlib needs a second to draw a chart. The font is
the DejaVu Sans that comes with Matplotlib.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Literal

from croupier.extras import needs
from croupier.files import make_folder, write_bytes
from croupier.pictures import picture_form

#: A5 upright, in points: a page in a pocket, and the shape of a telephone.
A5 = (419.76, 595.44)

#: How wide a PNG is: 200 dots an inch.
_DOTS = 200 / 72

#: Of the size of the font: the height of capital letters, from the top of a line to the letters' feet, and from line to line.
_CAPITALS, _ASCENT, _LEADING = 0.73, 0.80, 1.2

#: What lies between the boxes of a grid.
_GAP = 0.8

_FONTS = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}

Anchor = Literal["start", "middle", "end"]
_GREY = "#222222"


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle, its place in points from the top left corner of the page."""

    left: float
    top: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; ``left`` is its beginning, middle or end, and ``foot`` where its letters stand."""

    left: float
    foot: float
    text: str
    size: float
    is_bold: bool
    anchor: Anchor
    colour: str


@dataclass(slots=True)
class Page:
    """A page that is being drawn.

    Examples
    --------
    >>> page = Page("Chart", *A5)
    >>> round(page.write(20, 30, "Hit 16 against a ten.", size=10))
    42
    >>> [words.text for words in page.words]
    ['Hit 16 against a ten.']
    >>> page.svg().count("<text")
    1
    """

    title: str
    width: float
    height: float
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)

    def fill(self, left: float, top: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.boxes.append(Box(left, top, width, height, colour))

    def write(
        self,
        left: float,
        top: float,
        text: str,
        *,
        size: float,
        is_bold: bool = False,
        colour: str = "#000000",
    ) -> float:
        """Write lines of text below a height; return where the next line would begin."""
        for line in text.splitlines():
            self.words.append(Words(left, top + _ASCENT * size, line, size, is_bold, "start", colour))
            top += _LEADING * size
        return top

    def write_wrapped(self, left: float, top: float, text: str, characters: int, *, size: float) -> float:
        """Write a paragraph of lines with at most so many characters; return where the next line would begin."""
        return self.write(left, top, "\n".join(textwrap.wrap(text, characters)), size=size, colour=_GREY)

    def _label(self, left: float, middle: float, text: str, size: float, anchor: Anchor) -> None:
        """Write a line whose capital letters lie around a height."""
        self.words.append(Words(left, middle + _CAPITALS * size / 2, text, size, False, anchor, "#000000"))

    def grid(
        self,
        box: tuple[float, float, float, float],
        columns: Sequence[str],
        rows: Sequence[tuple[str, Sequence[str]]],
        colours: Mapping[str, str],
        *,
        sizes: tuple[float, float, float] = (8, 7, 7),
        ruled_rows: frozenset[int] = frozenset(),
        ruled_columns: frozenset[int] = frozenset(),
    ) -> None:
        """Draw coloured cells with their texts; an empty text leaves a cell out.

        Parameters
        ----------
        box
            Left, top, width and height of the cells. Columns are named above them, and rows to their left.
        colours
            The colour of a cell by the first letter of its text.
        sizes
            Of the texts of the cells, the names of columns and the names of rows.
        ruled_rows, ruled_columns
            Before which rows and columns there is a dark line.
        """
        left, top, width, height = box
        across, down = width / len(columns), height / len(rows)
        of_cells, of_columns, of_rows = sizes
        for x, column in enumerate(columns):
            self._label(left + (x + 0.5) * across, top - of_columns, column, of_columns, "middle")
        for y, (name, texts) in enumerate(rows):
            middle = top + (y + 0.5) * down
            self._label(left - 3, middle, name, of_rows, "end")
            for x, text in enumerate(texts):
                if text:
                    corner = left + x * across + _GAP / 2, top + y * down + _GAP / 2
                    self.fill(*corner, across - _GAP, down - _GAP, colours[text[0]])
                    self._label(left + (x + 0.5) * across, middle, text, of_cells, "middle")
        for x in ruled_columns:
            self.fill(left + x * across - _GAP / 2, top, _GAP, height, "#000000")
        for y in ruled_rows:
            self.fill(left, top + y * down - _GAP / 2, width, _GAP, "#000000")

    def svg(self) -> str:
        """Return the page as SVG; its texts stay texts, in the reader's DejaVu Sans or what is like it."""
        boxes = [
            f'<rect x="{box.left:.2f}" y="{box.top:.2f}" width="{box.width:.2f}" height="{box.height:.2f}" fill="{box.colour}"/>'
            for box in (Box(0, 0, self.width, self.height, "#ffffff"), *self.boxes)
        ]
        lines = [
            f'<text x="{words.left:.2f}" y="{words.foot:.2f}" font-size="{words.size:g}" text-anchor="{words.anchor}" '
            f'font-weight="{"bold" if words.is_bold else "normal"}" fill="{words.colour}">{escape(words.text)}</text>'
            for words in self.words
        ]
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}pt" height="{self.height}pt" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="DejaVu Sans, Verdana, sans-serif" xml:space="preserve">',
                f"<title>{escape(self.title)}</title>",
                *boxes,
                *lines,
                "</svg>\n",
            ]
        )

    def pdf(self) -> bytes:
        """Return the page as PDF, with the letters of the font that it uses."""
        from reportlab.pdfbase.pdfmetrics import registerFont  # noqa: PLC0415 - an extra
        from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - an extra
        from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - an extra

        for file in _FONTS.values():
            registerFont(TTFont(file, font_folder() / file))
        written = BytesIO()
        canvas = Canvas(written, pagesize=(self.width, self.height), invariant=True)
        canvas.setTitle(self.title)
        for box in self.boxes:
            canvas.setFillColor(box.colour)
            canvas.rect(
                box.left, self.height - box.top - box.height, box.width, box.height, stroke=False, fill=True
            )
        draw = {
            "start": canvas.drawString,
            "middle": canvas.drawCentredString,
            "end": canvas.drawRightString,
        }
        for words in self.words:
            canvas.setFillColor(words.colour)
            canvas.setFont(_FONTS[words.is_bold], words.size)
            draw[words.anchor](words.left, self.height - words.foot, words.text)
        canvas.save()
        return written.getvalue()

    def png(self) -> bytes:
        """Return the page as PNG, with 200 dots an inch."""
        import resvg_py  # noqa: PLC0415 - an extra

        fonts = [str(font_folder() / file) for file in _FONTS.values()]
        width = round(self.width * _DOTS)
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=self.svg(), width=width, dpi=96, skip_system_fonts=True, font_files=fonts
            )
        )

    def save(self, path: Path, form: str | None = None, *, what: str = "page") -> None:
        """Write the page to a file; the form is that of the name unless one is given."""
        needs("plots")
        form = form or picture_form(path, what)
        data = self.svg().encode() if form == "svg" else self.pdf() if form == "pdf" else self.png()
        make_folder(path.parent, what=what)
        write_bytes(path, data, what=what)


def font_folder() -> Path:
    """Return where Matplotlib keeps its fonts; it is not imported for that.

    >>> (font_folder() / "DejaVuSans.ttf").exists()
    True
    """
    matplotlib = find_spec("matplotlib")
    assert matplotlib is not None, "the extra plots is installed"
    assert matplotlib.origin is not None, "Matplotlib lies in a folder"
    return Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf"
