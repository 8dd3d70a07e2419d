"""A page looks the same in every form: its boxes and words stand where they were put."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from croupier.errors import InputError
from croupier.page import A5, Page

_SVG = "{http://www.w3.org/2000/svg}"


def _page() -> Page:
    page = Page("A <title> & more", *A5)
    page.write(20, 30, "first\nsecond <b>", size=10, is_bold=True)
    page.grid(
        (50, 100, 60, 40),
        ["2", "3"],
        [("16", ["H", ""]), ("17", ["S", "DS"])],
        {"H": "#ff0000", "S": "#00ff00", "D": "#0000ff"},
        sizes=(7, 7, 7),
        ruled_rows=frozenset({1}),
    )
    return page


def test_cells_lie_under_their_columns_and_beside_their_rows() -> None:
    page = _page()
    places = {words.text: words for words in page.words}
    assert places["H"].left == places["2"].left == places["S"].left == 65
    assert places["DS"].left == places["3"].left == 95
    assert places["H"].foot == places["16"].foot < places["17"].foot == places["S"].foot == places["DS"].foot
    assert [box.colour for box in page.boxes] == ["#ff0000", "#00ff00", "#0000ff", "#000000"]
    assert all(box.left >= 50 and box.left + box.width <= 110.4 for box in page.boxes)


def test_an_svg_holds_every_text_as_it_is_written() -> None:
    root = ElementTree.fromstring(_page().svg())
    assert [text.text for text in root.iter(f"{_SVG}text")] == [words.text for words in _page().words]
    assert root.findtext(f"{_SVG}title") == "A <title> & more"


def test_a_pdf_is_one_page_of_a5_and_the_same_every_time() -> None:
    written = _page().pdf()
    assert re.search(rb"/MediaBox \[ 0 0 419.76 595.44 \]", written)
    assert b"/Count 1" in written
    assert written == _page().pdf()


def test_a_png_has_200_dots_an_inch() -> None:
    header = _page().png()[:24]
    assert header.startswith(b"\x89PNG")
    assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (1166, 1654)


def test_a_page_is_saved_in_the_form_of_its_name(tmp_path: Path) -> None:
    _page().save(tmp_path / "new" / "card.SVG")
    assert (tmp_path / "new" / "card.SVG").read_text(encoding="utf-8") == _page().svg()
    with pytest.raises(InputError, match=r"the name must end in \.png, \.svg or \.pdf"):
        _page().save(tmp_path / "card.gif")
