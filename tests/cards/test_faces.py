"""The drawings of the cards."""

import xml.etree.ElementTree as ET

import pytest

from croupier.cards import CardError, format_card
from croupier.cards.card import DECK_SIZE, RANK_LETTERS, card_name, rank_of
from croupier.cards.faces import card_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("card", range(DECK_SIZE))
def test_every_card_is_a_drawing_with_its_name(card: int) -> None:
    root = ET.fromstring(card_svg(format_card(card)))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == card_name(card)


@pytest.mark.parametrize(
    "card", [card for card in range(DECK_SIZE) if rank_of(card) <= RANK_LETTERS.index("T")]
)
def test_a_number_has_as_many_pips_as_it_says_and_one_in_each_corner(card: int) -> None:
    root = ET.fromstring(card_svg(format_card(card)))
    assert len(root.findall(f".//{SVG}use")) == rank_of(card) + 2 + 2


def test_all_drawings_differ() -> None:
    codes = [format_card(card) for card in range(DECK_SIZE)] + ["back"]
    assert len({card_svg(code) for code in codes}) == len(codes)


@pytest.mark.parametrize("code", ["", "1H", "9h", "10H", "9H/../../etc", "<script>", "back.svg"])
def test_what_is_no_card_is_refused(code: str) -> None:
    with pytest.raises(CardError):
        card_svg(code)
