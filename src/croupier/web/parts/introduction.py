"""A game in a minute, and its words, beside the table."""

from collections.abc import Iterable

from croupier.texts import Texts
from croupier.web.parts.elements import tag


def show_introduction(game: str, texts: Texts, *, is_new: bool) -> None:
    """Put the introduction of a game on the page.

    Parameters
    ----------
    game
        The game, a key of ``learn`` in the texts.
    texts
        The reader's texts.
    is_new
        Whether the visitor has not played yet; then the introduction is unfolded.
    """
    with tag("details", classes="sheet learn", open=is_new, data_testid="learn"):
        tag("summary", texts("learn.title"))
        with tag("ol"):
            for step in lines(texts(f"learn.{game}.steps")):
                tag("li", step)
        with tag("details"):
            tag("summary", texts("learn.words"))
            with tag("dl"):
                for word, meaning in glossary(texts, game):
                    tag("dt", word)
                    tag("dd", meaning)


def lines(text: str) -> list[str]:
    r"""Return the lines of a text that are not empty.

    >>> lines("\none\ntwo\n")
    ['one', 'two']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]


def glossary(texts: Texts, game: str) -> Iterable[tuple[str, str]]:
    """Yield the words of a game with their meanings.

    >>> dict(glossary(Texts("en"), "banluck"))["push"]
    'nobody wins'
    """
    for line in lines(texts(f"learn.{game}.glossary")):
        word, _, meaning = line.partition(": ")
        yield word, meaning
