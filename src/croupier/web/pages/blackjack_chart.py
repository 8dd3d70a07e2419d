"""A chart as a grid of cells: letters and colours, hard, soft and pairs against the up-card."""

from collections.abc import Callable, Collection, Mapping

from nicegui.elements.mixins.text_element import TextElement

from croupier.blackjack.solvers.strategy_table import Code
from croupier.cards import POINT_CLASSES
from croupier.web.models.blackjack_cells import SECTIONS
from croupier.web.parts.elements import tag

#: A cell: its row and its up-card.
Place = tuple[str, str]

MEANINGS = {
    Code.HIT: "hit",
    Code.STAND: "stand",
    Code.DOUBLE: "double, else hit",
    Code.DOUBLE_OR_STAND: "double, else stand",
    Code.SPLIT: "split",
    Code.SPLIT_OR_HIT: "split if split hands may be doubled, else hit",
    Code.SPLIT_OR_STAND: "split if split hands may be doubled, else stand",
    Code.SURRENDER: "surrender, else hit",
    Code.SURRENDER_OR_STAND: "surrender, else stand",
    Code.SURRENDER_OR_SPLIT: "surrender, else split",
}


class ChartGrid:
    """A chart that can change: only cells that differ are sent again.

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
        self._cells: dict[Place, TextElement] = {}
        self._shown: dict[Place, tuple[str, str, str]] = {}
        self._mark, self._on_pick = mark, on_pick
        with tag("div", classes="charts", role="group", aria_label=label, data_testid=mark):
            for name, rows in SECTIONS.items():
                self._section(name, rows)

    def show(
        self,
        codes: Mapping[Place, str],
        *,
        classes: Mapping[Place, str] | None = None,
        hints: Mapping[Place, str] | None = None,
    ) -> None:
        """Show codes, with further classes and what is said when the pointer rests on a cell."""
        for place, element in self._cells.items():
            code = codes.get(place, "")
            look = (code, (classes or {}).get(place, ""), (hints or {}).get(place, ""))
            if self._shown.get(place) == look:
                continue
            self._shown[place] = look
            element.set_text(code or "·")
            element.classes(replace=f"cell code-{code[:1].lower() or 'none'} {look[1]}")
            words = MEANINGS[Code(code)] if code else "not known yet"
            element.props["aria-label"] = f"{place[0]} against {place[1]}: {words}"
            element.props["title"] = look[2] or words
            element.update()

    def mark_differing(self, codes: Mapping[Place, str], differing: Collection[Place]) -> None:
        """Show codes, and ring the cells that differ from the best chart."""
        self.show(codes, classes=dict.fromkeys(differing, "differs"))

    def _section(self, name: str, rows: tuple[str, ...]) -> None:
        with tag("table", classes=f"chart chart-{name}"):
            tag("caption", {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs of"}[name])
            with tag("thead"), tag("tr"):
                tag("th", "", scope="col")
                for up_card in POINT_CLASSES:
                    tag("th", "10" if up_card == "T" else up_card, scope="col")
            with tag("tbody"):
                for row in rows:
                    with tag("tr"):
                        tag("th", _row_name(row), scope="row")
                        for up_card in POINT_CLASSES:
                            with tag("td"):
                                self._cell((row, up_card))

    def _cell(self, place: Place) -> None:
        mark = f"{self._mark}-{place[0].replace(' ', '-').replace(',', '')}-{place[1]}"
        if self._on_pick is None:
            self._cells[place] = tag("span", "·", "cell", role="img", data_testid=mark)
            return
        pick = self._on_pick
        cell = tag("button", "·", "cell", type="button", data_testid=mark)
        cell.on("click", lambda: pick(place), args=[])
        self._cells[place] = cell


def _row_name(row: str) -> str:
    """Return what stands before a row: a total, or the rank of a pair."""
    name = row.removeprefix("soft ").partition(",")[0]
    return "10" if name == "T" else name


def legend() -> None:
    """Say what the letters mean."""
    with tag("p", classes="legend quiet"):
        for code in (Code.HIT, Code.STAND, Code.DOUBLE, Code.DOUBLE_OR_STAND, Code.SPLIT, Code.SURRENDER):
            with tag("span", classes="legend-entry"):
                tag("span", code.value, f"cell code-{code.value[0].lower()}")
                tag("span", MEANINGS[code])
