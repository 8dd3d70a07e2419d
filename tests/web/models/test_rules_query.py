"""Rules in the address of a page."""

from contextlib import suppress
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.banluck.engine.rules import BANLUCK
from croupier.blackjack.engine.rules import BLACKJACK
from croupier.errors import InputError
from croupier.rulebook import RuleBook
from croupier.web.models.rules_query import rules_from_query, rules_to_query


@pytest.mark.parametrize("book", [BANLUCK, BLACKJACK], ids=lambda book: book.game)
def test_every_preset_comes_back_from_its_address(book: RuleBook) -> None:  # type: ignore[type-arg]
    for preset in book.presets:
        query = parse_qs(rules_to_query(book, preset.rules))
        assert rules_from_query(book, query["preset"][0], query.get("set", [])) == preset.rules


def test_changed_rules_come_back_from_their_address() -> None:
    rules = BANLUCK.preset("reference").rules.replaced(
        {"reveal": "none", "ace_values": ((10, 11), (1, 10), (1,), (1,))}
    )
    query = parse_qs(rules_to_query(BANLUCK, rules))
    assert rules_from_query(BANLUCK, query["preset"][0], query.get("set", [])) == rules


@given(preset=st.text(max_size=30), settings=st.lists(st.text(max_size=60), max_size=5))
def test_nonsense_is_refused_as_bad_input_and_nothing_else(preset: str, settings: list[str]) -> None:
    with suppress(InputError):
        rules_from_query(BLACKJACK, preset, settings)


def test_an_address_that_is_too_long_is_not_read() -> None:
    with pytest.raises(InputError, match="at most 100, of at most 500 characters"):
        rules_from_query(BLACKJACK, None, ["decks=2"] * 101)
    with pytest.raises(InputError, match="at most 100, of at most 500 characters"):
        rules_from_query(BLACKJACK, None, ["decks=" + "2" * 500])
