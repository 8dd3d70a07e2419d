"""The translation files: every text exists in every language, with the same placeholders."""

import string

import pytest

from croupier.texts import DEFAULT_LANGUAGE, LANGUAGES, Texts, load_texts
from croupier.web.shell import PAGES


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != DEFAULT_LANGUAGE])
def test_every_text_is_translated(language: str) -> None:
    assert set(load_texts(language)) == set(load_texts(DEFAULT_LANGUAGE))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != DEFAULT_LANGUAGE])
def test_translations_have_the_same_places_for_values(language: str) -> None:
    theirs, ours = load_texts(language), load_texts(DEFAULT_LANGUAGE)
    assert {key: places(theirs[key]) for key in ours} == {key: places(ours[key]) for key in ours}


def test_every_page_has_a_title_a_short_name_and_a_line_on_the_home_page() -> None:
    texts = Texts(DEFAULT_LANGUAGE)
    for game, pages in PAGES.items():
        assert texts(game)
        for _, name, short in pages:
            assert texts(f"nav.{name}")
            assert texts(short)
            assert texts(f"home.{name}")


def test_an_unknown_language_is_english() -> None:
    assert Texts("tlh")("nav.home") == "Home"
