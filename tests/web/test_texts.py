"""The translation files: every text exists in every language, with the same places for values."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import babel
import pytest
from babel.numbers import format_decimal, format_percent

import croupier
from croupier.banluck.engine import BANLUCK
from croupier.blackjack.engine import BLACKJACK
from croupier.durak.engine.rules import DURAK
from croupier.texts import DEFAULT_LANGUAGE, LANGUAGES, Original, Texts, load_texts
from croupier.texts.locale import LOCALES, LocalFormatter
from croupier.web.preferences import Preferences
from croupier.web.shell import PAGES

TRANSLATIONS = [language for language in LANGUAGES if language != DEFAULT_LANGUAGE]

#: Parts of the catalogue that nobody has translated yet; pages that show them say that they are English.
UNTRANSLATED: dict[str, tuple[str, ...]] = dict.fromkeys(TRANSLATIONS, ())


def wanted(language: str) -> set[str]:
    english = {key for key in load_texts(DEFAULT_LANGUAGE) if not key.startswith(UNTRANSLATED[language])}
    return english | set(rule_keys())


def rule_keys() -> Iterator[str]:
    """Yield the keys of what the rules say of themselves; in English that stands in their models."""
    for book in (BANLUCK, BLACKJACK):
        for option in book.model.options():
            yield f"rules.{book.game}.meaning.{option.name}"
            if isinstance(option.allowed, Original):
                yield option.allowed.key
    named = [("banluck", preset.name) for preset in BANLUCK.presets]
    named += [("blackjack", preset.name) for preset in BLACKJACK.presets]
    named += [("durak", preset.name) for preset in DURAK.presets]
    yield from (f"rules.{game}.preset.{name}" for game, name in named)


def fields(text: str) -> Iterator[tuple[str, str]]:
    for _, name, spec, _ in string.Formatter().parse(text):
        if name is not None:
            yield name, spec or ""


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_is_translated(language: str) -> None:
    assert set(load_texts(language)) == wanted(language)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_have_the_same_places_for_values(language: str) -> None:
    theirs, ours = load_texts(language), load_texts(DEFAULT_LANGUAGE)
    names = {
        key: ({name for name, _ in fields(theirs[key])}, {name for name, _ in fields(ours[key])})
        for key in theirs
        if key in ours
    }
    assert {key: places for key, places in names.items() if places[0] != places[1]} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_words_have_all_forms_of_the_language(language: str) -> None:
    forms = {
        key: spec
        for key, text in load_texts(language).items()
        for _, spec in fields(text)
        if ("|" in spec or "#" in spec) and len(spec.split("|")) != LOCALES[language].forms
    }
    assert forms == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_and_plurals_follow_the_unicode_locale_data(language: str) -> None:
    locale, reference = LOCALES[language], babel.Locale(language)
    assert locale.forms == len(set(map(locale.plural, range(130))))
    for number in (0.0, -3.25, 1234567.5):
        assert locale.number(number, ",.2f") == format_decimal(number, "#,##0.00", language).replace("-", "−")
    assert locale.number(0.256, ".0%") == format_percent(0.256, locale=language)
    places = {"one": 0, "few": 1, "many": 2, "other": locale.forms - 1}
    for count in range(130):
        assert locale.plural(count) == places[reference.plural_form(count)], count


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_read_as_it_is_written(language: str) -> None:
    locale = LOCALES[language]
    for number in (0.5, -3.25, 1234.5, 17.0):
        assert float(locale.read(locale.number(number, ",g"))) == number


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    known = load_texts(DEFAULT_LANGUAGE)
    missing = [f"{path}: {key}" for path, key in keys_in_code() if key not in known]
    assert missing == []


def keys_in_code() -> Iterator[tuple[str, str]]:
    """Yield the keys that are written out in calls of ``say`` and of texts; keys made of parts cannot be seen."""
    root = Path(croupier.__file__).parent
    for path in root.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "texts" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(
                    func=ast.Name(id="say" | "texts" | "DurakRefusal")
                    | ast.Attribute(attr="texts" | "_texts"),
                    args=[ast.Constant(value=str(key)), *_],
                ):
                    yield str(path.relative_to(root)), key
                case _:
                    pass


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


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("vi-VN", "vi"),
        ("en;q=0.5, ru;q=0.8", "ru"),
        ("de, fr", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_that_the_browser_wants_most(accepted: str, language: str) -> None:
    assert Preferences().best_language(accepted) == language


def test_templates_are_filled_as_python_fills_them() -> None:
    """The places of a template are looked for once and remembered; the standard library looks for them every time."""
    for language in LANGUAGES:
        formatter = LocalFormatter(LOCALES[language], Texts(language).shown)
        for key, template in load_texts(language).items():
            names = {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}
            if all(name.isidentifier() for name in names):
                values = dict.fromkeys(names, 7)
                expected = string.Formatter.vformat(formatter, template, (), values)
                assert formatter.vformat(template, (), values) == expected, key
