"""Draw the faces and the back of the cards as SVG.

A card is 240 wide and 336 high. Suits are paths in a box of 100 by 100 around the origin. Pips are placed as on usual cards:
in three columns, the lower half upside down. Jack, queen and king are half figures, drawn twice, once upside down.
"""

from functools import cache
from math import cos, pi, sin

from croupier.cards import CardError, format_card, parse_card
from croupier.cards.card import RANK_LETTERS, card_name, rank_of, suit_of

WIDTH, HEIGHT = 240, 336

_SUIT_PATHS = (
    # clubs
    "M0-46A23 23 0 0 1 17-8A23 23 0 1 1 5 26C6 36 12 43 20 47H-20C-12 43-6 36-5 26A23 23 0 1 1-17-8A23 23 0 0 1 0-46Z",
    # diamonds
    "M0-48C9-28 22-12 38 0C22 12 9 28 0 48C-9 28-22 12-38 0C-22-12-9-28 0-48Z",
    # hearts
    "M0 46C-12 26-44 8-44-18C-44-36-31-46-20-46C-10-46-3-39 0-30C3-39 10-46 20-46C31-46 44-36 44-18C44 8 12 26 0 46Z",
    # spades
    "M0-48C10-26 42-10 42 14C42 29 31 36 21 36C14 36 8 33 5 28C6 38 12 44 20 47H-20C-12 44-6 38-5 28"
    "C-8 33-14 36-21 36C-31 36-42 29-42 14C-42-10-10-26 0-48Z",
)
_INK = ("#1d2733", "#c8102e", "#c8102e", "#1d2733")
_ROBE = ("#2d6a4f", "#d4a017", "#c8102e", "#27408b")
_GOLD, _SKIN, _PAPER, _EDGE = "#e3b23c", "#f6dcc0", "#fdfdfb", "#b9bcc2"

_LEFT, _MIDDLE, _RIGHT = 82, 120, 158
_TOP, _BOTTOM = 76, 260
_CENTRE = HEIGHT // 2
_UPPER, _LOWER = 137, 199  # the inner rows of nines and tens

#: The places of the pips for each rank from two to ten; those below the middle are upside down.
_PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM)),
    ((_MIDDLE, _TOP), (_MIDDLE, _CENTRE), (_MIDDLE, _BOTTOM)),
    tuple((x, y) for y in (_TOP, _BOTTOM) for x in (_LEFT, _RIGHT)),
    (*((x, y) for y in (_TOP, _BOTTOM) for x in (_LEFT, _RIGHT)), (_MIDDLE, _CENTRE)),
    tuple((x, y) for y in (_TOP, _CENTRE, _BOTTOM) for x in (_LEFT, _RIGHT)),
    (*((x, y) for y in (_TOP, _CENTRE, _BOTTOM) for x in (_LEFT, _RIGHT)), (_MIDDLE, 122)),
    (
        *((x, y) for y in (_TOP, _CENTRE, _BOTTOM) for x in (_LEFT, _RIGHT)),
        (_MIDDLE, 122),
        (_MIDDLE, 214),
    ),
    (*((x, y) for y in (_TOP, _UPPER, _LOWER, _BOTTOM) for x in (_LEFT, _RIGHT)), (_MIDDLE, _CENTRE)),
    (
        *((x, y) for y in (_TOP, _UPPER, _LOWER, _BOTTOM) for x in (_LEFT, _RIGHT)),
        (_MIDDLE, 106),
        (_MIDDLE, 230),
    ),
)
_JACK, _QUEEN, _KING, _ACE = (RANK_LETTERS.index(letter) for letter in "JQKA")


@cache
def card_svg(code: str) -> str:
    """Draw the card with a code such as ``9H``, or the back for ``back``.

    Raises
    ------
    CardError
        If there is no such card.

    Examples
    --------
    >>> card_svg("9H").count("<use") == 9 + 2
    True
    >>> card_svg("1H")
    Traceback (most recent call last):
    croupier.cards.card.CardError: card '1H': no rank '1' (ranks are 2-9, 10 or T, J, Q, K, A)
    """
    if code == "back":
        return _sheet("back of a card", _back())
    if code in _JOKERS:
        return _sheet(*_JOKERS[code])
    card = parse_card(code)
    if format_card(card) != code:
        raise CardError(f"card '{code}': it is written {format_card(card)}")
    return _sheet(card_name(card), _face(card))


def _joker(ink: str) -> str:
    """Draw a star in the middle, and the word down both sides."""
    points = " ".join(
        f"{WIDTH / 2 + radius * sin(corner * pi / 5):.1f},{HEIGHT / 2 - radius * cos(corner * pi / 5):.1f}"
        for corner, radius in enumerate((78, 32) * 5)
    )
    word = "".join(
        f'<text x="27" y="{44 + 34 * place}" text-anchor="middle" font-family="Georgia, \'DejaVu Serif\', serif" '
        f'font-weight="700" font-size="32" fill="{ink}">{letter}</text>'
        for place, letter in enumerate("JOKER")
    )
    return f'<polygon points="{points}" fill="{ink}"/>{word}{_turned(word)}'


def _sheet(title: str, drawing: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title>'
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="16" fill="{_PAPER}" stroke="{_EDGE}" '
        f'stroke-width="2"/>{drawing}</svg>'
    )


def _face(card: int) -> str:
    rank, suit = rank_of(card), suit_of(card)
    corner = _corner(rank, suit)
    return (
        f'<defs><path id="s" fill="{_INK[suit]}" d="{_SUIT_PATHS[suit]}"/></defs>'
        f"{corner}{_turned(corner)}{_middle(rank, suit)}"
    )


def _corner(rank: int, suit: int) -> str:
    letter = "10" if RANK_LETTERS[rank] == "T" else RANK_LETTERS[rank]
    squeeze = ' textLength="34" lengthAdjust="spacingAndGlyphs"' if letter == "10" else ""
    return (
        f'<text x="27" y="48" text-anchor="middle" font-family="Georgia, \'DejaVu Serif\', serif" font-weight="700" '
        f'font-size="42" fill="{_INK[suit]}"{squeeze}>{letter}</text>{_pip(27, 72, 0.3)}'
    )


def _turned(drawing: str) -> str:
    """Return a drawing upside down, at the other end of the card."""
    return f'<g transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})">{drawing}</g>'


def _pip(x: int, y: int, scale: float, *, upside_down: bool = False) -> str:
    turn = " rotate(180)" if upside_down else ""
    return f'<use href="#s" transform="translate({x} {y}){turn} scale({scale})"/>'


def _middle(rank: int, suit: int) -> str:
    if rank == _ACE:
        return _pip(WIDTH // 2, HEIGHT // 2, 1.25)
    if rank in (_JACK, _QUEEN, _KING):
        half = _figure(rank, suit)
        frame = (
            f'<rect x="52" y="34" width="136" height="268" rx="8" fill="#f7f1e1" stroke="{_INK[suit]}" '
            f'stroke-width="2"/><path d="M52 168L188 168" stroke="{_GOLD}" stroke-width="3"/>'
        )
        return frame + half + _turned(half)
    return "".join(_pip(x, y, 0.46, upside_down=y > _CENTRE) for x, y in _PIPS[rank])


def _figure(rank: int, suit: int) -> str:
    """Draw the upper half of a jack, a queen or a king."""
    robe = _ROBE[suit]
    body = (
        f'<path d="M60 167C62 138 84 128 104 126L136 126C156 128 178 138 180 167Z" fill="{robe}"/>'
        f'<path d="M104 126L120 150L136 126Z" fill="#fff"/>'
        f'<path d="M112 138L120 167L128 138Z" fill="{_GOLD}"/>'
    )
    face = (
        f'<ellipse cx="120" cy="102" rx="20" ry="24" fill="{_SKIN}"/>'
        '<path d="M111 99h5M124 99h5M116 114q4 3 8 0" stroke="#3b2a20" stroke-width="2" fill="none" stroke-linecap="round"/>'
    )
    hair = {
        _JACK: '<path d="M98 104C96 78 144 78 142 104L146 116C136 112 138 92 120 90C102 92 104 112 94 116Z" fill="#8a5a2b"/>',
        _QUEEN: (
            '<path d="M98 92C88 124 92 130 98 134L106 126C100 116 102 96 120 86C138 96 140 116 134 126L142 134'
            'C148 130 152 124 142 92C136 78 104 78 98 92Z" fill="#5b3a1e"/>'
        ),
        _KING: (
            '<path d="M100 108C100 138 112 142 120 142C128 142 140 138 140 108C136 122 130 120 120 120C110 120 104 122 '
            '100 108Z" fill="#6b6257"/>'
        ),
    }[rank]
    hat = {
        _JACK: (
            f'<path d="M96 86C98 70 142 70 144 86Z" fill="{robe}"/><rect x="94" y="82" width="52" height="7" rx="3" '
            f'fill="{_GOLD}"/><path d="M142 82C160 74 162 58 152 48C152 62 144 66 138 78Z" fill="{_GOLD}"/>'
        ),
        _QUEEN: (
            f'<path d="M98 84L96 62L108 74L120 56L132 74L144 62L142 84Z" fill="{_GOLD}"/>'
            f'<circle cx="120" cy="54" r="4" fill="{robe}"/><circle cx="96" cy="60" r="3" fill="{robe}"/>'
            f'<circle cx="144" cy="60" r="3" fill="{robe}"/>'
        ),
        _KING: (
            f'<path d="M96 86L92 58L106 70L120 50L134 70L148 58L144 86Z" fill="{_GOLD}"/>'
            f'<rect x="95" y="80" width="50" height="8" rx="2" fill="{robe}"/>'
            f'<path d="M117 40h6v5h5v5h-5v7h-6v-7h-5v-5h5Z" fill="{_GOLD}"/>'
        ),
    }[rank]
    return (
        body + hair + face + hat + _pip(72, 58, 0.3)
        if rank != _KING
        else body + face + hair + hat + _pip(72, 54, 0.3)
    )


def _back() -> str:
    return (
        '<defs><pattern id="p" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="24" height="24" fill="#7a1f2b"/><path d="M12 3L21 12L12 21L3 12Z" fill="none" stroke="#d9a441" '
        'stroke-width="1.6"/><circle cx="12" cy="12" r="2.4" fill="#d9a441"/></pattern></defs>'
        '<rect x="14" y="14" width="212" height="308" rx="10" fill="url(#p)" stroke="#d9a441" stroke-width="3"/>'
        '<circle cx="120" cy="168" r="40" fill="#7a1f2b" stroke="#d9a441" stroke-width="3"/>'
        '<path d="M120 138L144 168L120 198L96 168Z" fill="#d9a441"/>'
    )


#: The jokers by their codes: their names, and their drawings.
_JOKERS = {"XB": ("black joker", _joker(_INK[0])), "XR": ("red joker", _joker(_INK[1]))}
