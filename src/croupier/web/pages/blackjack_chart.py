"""A chart as a grid of cells: letters and colours, hard, soft and pairs against the up-card, or against the dealer's total."""

from collections.abc import Callable, Collection, Mapping
from functools import partial

from croupier.blackjack.play.cells import SECTIONS
from croupier.blackjack.play.phrases import row_phrase
from croupier.blackjack.solvers.chart import HARD_DEALER_TOTALS, SOFT_DEALER_TOTALS, UP_CARDS, Code
from croupier.texts import say
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag

#: A cell: its row and its column.
Place = tuple[str, str]


class ChartGrid:
    """A chart that can change.

    Parameters
    ----------
    label
        What it shows, for a screen reader.
    mark
        The test id; a cell's is ``mark-row-up_card``.
    on_pick
        Called with the cell that is chosen; without it cells are plain text.
    """

    def __init__(self, label: str, mark: str, on_pick: Callable[[Place], object] | None = None) -> None:
        self._label, self._mark, self._on_pick = label, mark, on_pick
        self._codes: Mapping[Place, str] = {}
        self._classes: Mapping[Place, str] = {}
        self._hints: Mapping[Place, str] = {}
        self._drawing = Drawing(self._draw)

    def show(
        self,
        codes: Mapping[Place, str],
        *,
        classes: Mapping[Place, str] | None = None,
        hints: Mapping[Place, str] | None = None,
    ) -> None:
        """Show codes, with further classes and what is said when the pointer rests on a cell."""
        self._codes, self._classes, self._hints = codes, classes or {}, hints or {}
        self._drawing.refresh()

    def mark_differing(self, codes: Mapping[Place, str], differing: Collection[Place]) -> None:
        """Show codes, and ring the cells that differ from the best chart."""
        self.show(codes, classes=dict.fromkeys(differing, "differs"))

    def _draw(self) -> None:
        is_open = any(column in SOFT_DEALER_TOTALS for _, column in self._codes)
        classes = "charts charts-open" if is_open else "charts"
        with draw("div", classes=classes, role="group", aria_label=self._label, data_testid=self._mark):
            if is_open:
                for name, rows in SECTIONS.items():
                    self._draw_open(name, rows)
            else:
                for name, rows in SECTIONS.items():
                    self._draw_section(name, rows, UP_CARDS, say(f"simulator.section.{name}"))

    def _draw_open(self, name: str, rows: tuple[str, ...]) -> None:
        """Draw a part of a chart for two open cards of the dealer's: against hard totals, and against soft ones."""
        *soft, natural = SOFT_DEALER_TOTALS
        if any(code != Code.STAND for (_, column), code in self._codes.items() if column == natural):
            soft.append(natural)  # naturals are ordinary 21s here, so that a dealer's is played against
        for kind, columns in (("hard", HARD_DEALER_TOTALS), ("soft", tuple(soft))):
            caption = say(f"simulator.section.open_{kind}", rows=say(f"simulator.section.{name}"))
            with draw("div", classes="scroll", tabindex="0"):
                self._draw_section(name, rows, columns, caption)

    def _draw_section(self, name: str, rows: tuple[str, ...], columns: tuple[str, ...], caption: str) -> None:
        with draw("table", classes=f"chart chart-{name}"):
            draw("caption", caption)
            with draw("thead"), draw("tr"):
                draw("td")
                for column in columns:
                    draw("th", _row_name(column), scope="col")
            with draw("tbody"):
                for row in rows:
                    with draw("tr"):
                        draw("th", _row_name(row), scope="row")
                        for column in columns:
                            with draw("td"):
                                self._draw_cell((row, column))

    def _draw_cell(self, place: Place) -> None:
        code, pick = self._codes.get(place, ""), self._on_pick
        meaning = code_phrase(code) if code else say("simulator.section.unknown")
        label = say(
            "simulator.section.cell",
            code=code or "·",
            row=row_phrase(place[0]),
            up_card=row_phrase(place[1]),
            meaning=meaning,
        )
        draw(
            "span" if pick is None else "button",
            code or "·",
            f"cell code-{code[:1].lower() or 'none'} {self._classes.get(place, '')}",
            on_click=None if pick is None else partial(pick, place),
            role="img" if pick is None else None,
            type=None if pick is None else "button",
            aria_label=label,
            title=self._hints.get(place) or meaning,
            data_testid=f"{self._mark}-{place[0].replace(' ', '-').replace(',', '')}-{place[1].replace(' ', '-')}",
        )


def _row_name(row: str) -> str:
    """Return what stands before a row or above a column: a total, or a rank."""
    name = row.removeprefix("soft ").partition(",")[0]
    return "10" if name == "T" else name


def code_phrase(code: str) -> str:
    """Say what a code advises.

    >>> code_phrase("DS")
    'double, else stand'
    """
    return say(f"simulator.code.{code}")


def legend() -> None:
    """Say what the letters mean."""
    with tag("p", classes="legend quiet"):
        for code in (Code.HIT, Code.STAND, Code.DOUBLE, Code.DOUBLE_OR_STAND, Code.SPLIT, Code.SURRENDER):
            with tag("span", classes="legend-entry"):
                tag("span", code.value, f"cell code-{code.value[0].lower()}")
                tag("span", code_phrase(code.value))
