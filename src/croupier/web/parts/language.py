"""The language of an open page."""

from weakref import WeakKeyDictionary

from nicegui import Client, context

from croupier.texts import DEFAULT_LANGUAGE, Texts

_ENGLISH = Texts(DEFAULT_LANGUAGE)

_texts: WeakKeyDictionary[Client, Texts] = WeakKeyDictionary()


def set_page_texts(texts: Texts) -> None:
    """Say which texts the page that is being built shows."""
    _texts[context.client] = texts


def page_texts(client: Client | None = None) -> Texts:
    """Return the texts of a page, of the one that is being built or has been clicked unless another is named."""
    return _texts.get(client or context.client, _ENGLISH)
