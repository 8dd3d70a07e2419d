"""Pictures of a table for ``render_mode="rgb_array"``: the card faces of the web app on green felt."""

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from croupier.cards.faces import HEIGHT, WIDTH, card_svg
from croupier.durak.engine.pack import card_text

Picture = NDArray[np.uint8]

#: A closed card.
BACK = -1

_FELT = (22, 92, 62)
_CARD = (WIDTH // 2, HEIGHT // 2)
_GAP = 12


class Line(NamedTuple):
    """Cards in a line, with what is written in front of them; ``BACK`` for closed ones."""

    label: str
    cards: Sequence[int]


@lru_cache(maxsize=64)
def _face(card: int) -> Image.Image:
    code = "back" if card == BACK else card_text(card)
    png = bytes(resvg_py.svg_to_bytes(svg_string=card_svg(code), width=_CARD[0]))
    return Image.open(io.BytesIO(png)).convert("RGBA")


@lru_cache(maxsize=64)
def _label(text: str) -> Image.Image:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="150" height="{_CARD[1]}"><text x="8" y="{_CARD[1] // 2}" fill="#fff" '
        f'font-family="DejaVu Sans, sans-serif" font-size="18">{text}</text></svg>'
    )
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGBA")


def table_picture(lines: Sequence[Line], columns: int = 6, rows: int = 2) -> Picture:
    """Draw lines of cards, as an array of height, width and three colours.

    Parameters
    ----------
    lines
        From top to bottom.
    columns, rows
        The smallest table that is drawn; longer lines overlap, more lines make it higher.

    Examples
    --------
    >>> picture = table_picture([Line("dealer", [51, BACK]), Line("you", [8, 21])])
    >>> picture.shape, picture.dtype
    ((396, 954, 3), dtype('uint8'))
    """
    label_width, (card_width, card_height) = 150, _CARD
    width = label_width + columns * (card_width + _GAP) + _GAP
    height = max(rows, len(lines)) * (card_height + _GAP) + _GAP + 24
    image = Image.new("RGB", (width, height), _FELT)
    for row, line in enumerate(lines):
        top = _GAP + row * (card_height + _GAP) + _GAP
        label = _label(line.label)
        image.paste(label, (0, top), label)
        step = card_width + _GAP
        if len(line.cards) > columns:
            step = (columns * step - card_width) // (len(line.cards) - 1)
        for place, card in enumerate(line.cards):
            face = _face(card)
            image.paste(face, (label_width + place * step, top), face)
    return np.asarray(image)
