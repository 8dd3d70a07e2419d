"""What people read, in every language: sentences from the files in this folder, and numbers as each language writes them.

Code names a text by its key: ``texts("home.headline")``. Code that does not know who reads says a :class:`Phrase`, which is English
text for the terminal and for programs, and which a page can put into the visitor's language: ``texts.shown(phrase)``.
"""

from croupier.texts.catalogue import DEFAULT_LANGUAGE, HTML_LANGUAGES, LANGUAGES, Texts, load_texts
from croupier.texts.phrase import Figure, Original, Phrase, either, figure, in_row, original, say, sentence

__all__ = [
    "DEFAULT_LANGUAGE",
    "HTML_LANGUAGES",
    "LANGUAGES",
    "Figure",
    "Original",
    "Phrase",
    "Texts",
    "either",
    "figure",
    "in_row",
    "load_texts",
    "original",
    "say",
    "sentence",
]
