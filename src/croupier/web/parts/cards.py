"""Cards on a page, for show or for play."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache

from croupier.cards.card import rank_of, suit_of
from croupier.durak.engine.pack import JOKERS, card_text
from croupier.texts import Texts
from croupier.web.parts.drawing import draw

#: How many cards of a fan show half of themselves; more overlap until only their corners are seen.
_LOOSE_CARDS = 3


def spoken_name(card: int | None, texts: Texts) -> str:
    """Return a card's name for a screen reader.

    >>> spoken_name(34, Texts("en")), spoken_name(None, Texts("en"))
    ('10 of hearts', 'face-down card')
    """
    return _spoken_name(card, texts.language)


@cache
def _spoken_name(card: int | None, language: str) -> str:
    texts = Texts(language)
    if card is None:
        return texts("cards.back")
    if card in JOKERS:
        return texts("cards.black_joker" if card == JOKERS[0] else "cards.red_joker")
    rank, suit = texts("cards.ranks").split()[rank_of(card)], texts("cards.suits").split()[suit_of(card)]
    return texts("cards.name", rank=rank, suit=suit)


def show_card(card: int | None, texts: Texts, *, classes: str = "", mark: str = "") -> None:
    """Draw a card, or a back for None.

    Parameters
    ----------
    card
        The card.
    texts
        The visitor's texts.
    classes
        Further CSS classes: ``small``, ``dim``, ``best``.
    mark
        A test id instead of ``card-9H`` (``card-back`` for a back).
    """
    code = "back" if card is None else card_text(card)
    draw(
        "img",
        classes=f"playing-card {classes}",
        src=f"/cards/{code}.svg",
        alt=spoken_name(card, texts),
        draggable="false",
        data_testid=mark or f"card-{code}",
    )


def card_button(
    card: int,
    texts: Texts,
    on_click: Callable[[], Awaitable[object]],
    *,
    enabled: bool = True,
    selected: bool = False,
    is_best: bool = False,
    key: str = "",
    hint: str = "",
) -> None:
    """Draw a card that can be played: a button with the card's name.

    Parameters
    ----------
    card, texts
        As for :func:`show_card`.
    on_click
        Called when it is chosen.
    enabled
        Whether it can be chosen now; otherwise it is dimmed.
    selected
        Whether it is already chosen, to be played with others.
    is_best
        Whether the coach would choose it.
    key, hint
        What stands below it: the key that plays it, and something such as its value.
    """
    code = card_text(card)
    with draw(
        "button",
        classes="card-button best" if is_best else "card-button",
        on_click=on_click if enabled else None,
        type="button",
        aria_label=" · ".join(filter(None, (spoken_name(card, texts), key, hint))),
        aria_pressed="true" if selected else None,
        disabled=not enabled,
        data_testid=f"card-{code}",
    ):
        draw("img", classes="playing-card", src=f"/cards/{code}.svg", alt="", draggable="false")
        with draw("span", classes="card-hint", aria_hidden="true"):
            # What is read aloud has to contain what is seen, so the dot stands in both.
            draw("span", (f"{key} · " if hint else key) or "\u00a0", "card-key")
            if hint:
                draw("span", hint, "card-worth")


def fan(cards: Sequence[int | None], texts: Texts, *, label: str, classes: str = "") -> None:
    """Draw a hand of overlapping cards.

    Parameters
    ----------
    cards
        The cards; None for face-down cards.
    texts
        The visitor's texts.
    label
        The hand's name for a screen reader.
    classes
        Further CSS classes.
    """
    tight = "tight" if len(cards) > _LOOSE_CARDS else ""
    with draw("div", classes=f"fan {tight} {classes}", role="group", aria_label=label):
        for card in cards:
            show_card(card, texts)
