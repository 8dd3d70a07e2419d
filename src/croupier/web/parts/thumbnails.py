"""Small pictures of the pages, drawn with cards, cells and lines."""

from croupier.cards import parse_cards
from croupier.texts import Texts
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw

#: The cards on the felt of each page that is a table; a word in capitals is a card face down.
_TABLES = {
    "banluck_table": "AS JH|",
    "blackjack_table": "AC KD|",
    "blackjack_trainer": "10C 6D|",
    "durak_table": "7H|10H QS",
    "durak_party": "6D 6S|9D JS",
    "durak_replay": "AH KS|QD",
    "durak_exercise": "6C|AH 7S",
    "friends": "AS AH|9D 7C",
}

#: Rows of a strategy chart: h is hit, s is stand, d is double.
_CHARTS = {
    "banluck_explorer": ("hhhhhh", "hhhhss", "hhssss", "hsssss"),
    "blackjack_simulator": ("hddddd", "shhhhs", "ssssss", "sddssh"),
}

_CURVES = {
    "my_game": "0,70 15,60 30,72 45,40 60,48 75,25 100,15",
    "blackjack_counter": "0,92 20,90 40,86 55,74 65,52 75,30 85,18 100,12",
    "durak_arena": "0,50 12,30 25,45 40,28 60,33 80,26 100,27",
    "solana": "0,80 33,80 33,50 66,50 66,20 100,20",
}


def draw_thumbnail(name: str, texts: Texts) -> None:
    """Draw the picture of a page; one without a picture of its own gets the back of a card."""
    with draw("div", classes="thumbnail", aria_hidden="true"):
        if name in _CHARTS:
            with draw("div", classes="thumbnail-chart"):
                for cell in "".join(_CHARTS[name]):
                    draw("span", classes=f"cell-{cell}")
        elif name in _CURVES:
            with draw("svg", viewBox="0 0 100 100", preserveAspectRatio="none"):
                draw("polyline", classes="chart-line", points=_CURVES[name])
        else:
            for part in _TABLES.get(name, "|").split("|"):
                with draw("div", classes="thumbnail-cards"):
                    for card in parse_cards(part) or (None,):
                        show_card(card, texts)
