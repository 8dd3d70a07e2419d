"""Cards as a person types them at the durak table: any case, 10 or T, letters or symbols for suits."""

from croupier.cards import CardError, parse_cards
from croupier.durak.engine.pack import PACK, RANKS, SUITS
from croupier.errors import foreign_letters


def read_typed_cards(text: str) -> tuple[int, ...]:
    """Return the cards that a person has typed.

    Raises
    ------
    CardError
        If they are no cards of the durak pack; the message names its ranks, and letters that only look like the right ones.

    Examples
    --------
    >>> read_typed_cards("9h 10d")
    (30, 33)
    >>> read_typed_cards("2h")
    Traceback (most recent call last):
    croupier.cards.card.CardError: card '2h' is not in the pack; ranks are 6 7 8 9 10 J Q K A, suits C D H S
    """
    cards: list[int] = []
    for token in text.replace(",", " ").replace(";", " ").split():
        try:
            found = parse_cards(token)
        except CardError:
            raise _no_card(token, "is no card") from None
        if not set(found) <= set(PACK):
            raise _no_card(token, "is not in the pack")
        cards += found
    if len(set(cards)) < len(cards):
        parse_cards(text)  # says which one is given twice
    return tuple(cards)


def _no_card(token: str, what: str) -> CardError:
    ranks = " ".join(RANKS).replace("T", "10")
    return CardError(
        f"card '{token}' {what}; ranks are {ranks}, suits {' '.join(SUITS)}{foreign_letters(token)}"
    )
