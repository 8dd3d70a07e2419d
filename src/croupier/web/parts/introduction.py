"""A game in a minute, and its words, beside the table."""

from collections.abc import Iterable
from functools import cache

from nicegui import ui

from croupier.texts import Texts
from croupier.web.parts.drawing import draw, written


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
    details = ui.html(_introduction_html(game, texts.language), sanitize=False, tag="details")
    details.classes("sheet learn").props["data-testid"] = "learn"
    if is_new:
        details.props["open"] = True


@cache
def _introduction_html(game: str, language: str) -> str:
    """Return what is inside; one element of the page instead of thirty, the same for everybody who reads this language."""
    texts = Texts(language)

    def paint() -> None:
        draw("summary", texts("learn.title"))
        with draw("ol"):
            for step in lines(texts(f"learn.{game}.steps")):
                draw("li", step)
        with draw("details"):
            draw("summary", texts("learn.words"))
            with draw("dl"):
                for word, meaning in glossary(texts, game):
                    draw("dt", word)
                    draw("dd", meaning)

    return written(paint)[0]


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
