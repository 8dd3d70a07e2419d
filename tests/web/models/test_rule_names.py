"""The names of options for people: every option has one, and every value that the form offers is taken by the rules."""

import pytest

from croupier.banluck.engine import BANLUCK
from croupier.blackjack.engine import BLACKJACK
from croupier.errors import InputError
from croupier.rulebook import RuleBook, Rules
from croupier.texts import LANGUAGES, Texts
from croupier.web.models.rule_names import GROUPS, offered_values, typed_value, value_name

BOOKS = pytest.mark.parametrize("book", [BANLUCK, BLACKJACK], ids=lambda book: book.game)


@BOOKS
def test_every_option_stands_in_one_group(book: RuleBook[Rules]) -> None:
    named = [name for group in GROUPS[book.game].values() for name in group]
    assert sorted(named) == sorted(option.name for option in book.model.options())


@BOOKS
def test_every_offered_value_is_allowed_and_has_a_name_of_its_own(book: RuleBook[Rules]) -> None:
    rules = book.presets[0].rules
    for option in book.model.options():
        offered = offered_values(option, getattr(rules, option.name))
        names = {value_name(option.name, value) for value in offered}
        assert len(names) == len(offered)
        assert not any("[" in name or "_" in name for name in names)
        for value in offered:
            rules.model_validate({**rules.model_dump(), option.name: value})


@BOOKS
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_field_shows_can_be_typed_again(book: RuleBook[Rules], language: str) -> None:
    texts = Texts(language)
    for preset in book.presets:
        for option in book.model.options():
            value = getattr(preset.rules, option.name)
            if not offered_values(option, value):
                typed = typed_value(
                    preset.rules, option.name, texts.shown(value_name(option.name, value)), texts
                )
                assert preset.rules.replaced({option.name: typed}) == preset.rules


def test_nothing_is_not_a_value() -> None:
    with pytest.raises(InputError, match="Smallest bet: empty"):
        typed_value(BLACKJACK.presets[0].rules, "minimum_bet", " ", Texts("en"))
