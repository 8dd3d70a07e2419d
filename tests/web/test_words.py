"""The translation files: every text in every language, with the same places for values."""

import string

import pytest

from croupier.web.shell import PAGES
from croupier.web.words import DEFAULT_LANGUAGE, LANGUAGES, Words, texts


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != DEFAULT_LANGUAGE])
def test_every_text_is_translated(language: str) -> None:
    assert set(texts(language)) == set(texts(DEFAULT_LANGUAGE))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != DEFAULT_LANGUAGE])
def test_translations_have_the_same_places_for_values(language: str) -> None:
    theirs, ours = texts(language), texts(DEFAULT_LANGUAGE)
    assert {key: places(theirs[key]) for key in ours} == {key: places(ours[key]) for key in ours}


def test_every_page_has_a_title_a_short_name_and_a_line_on_the_home_page() -> None:
    words = Words(DEFAULT_LANGUAGE)
    for game, pages in PAGES.items():
        assert words(game)
        for _, name, short in pages:
            assert words(f"nav.{name}")
            assert words(short)
            assert words(f"home.{name}")


def test_an_unknown_language_is_english() -> None:
    assert Words("tlh")("nav.home") == "Home"
