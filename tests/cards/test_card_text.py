import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import (
    ACE,
    ACE_CLASS,
    DECK_SIZE,
    POINT_CLASSES,
    RANK_LETTERS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    TEN,
    TEN_CLASS,
    CardError,
    card_name,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    parse_rank,
    point_class,
    point_class_of_rank,
    rank_of,
    suit_of,
    verify_distinct,
)

ALL_CARDS = range(DECK_SIZE)
SUIT_SPELLINGS = "CDHScdhs♣♦♥♠"
SPELLINGS = [rank + suit for rank in (*"23456789TJQKAtjqka", "10") for suit in SUIT_SPELLINGS]

distinct_cards = st.lists(st.sampled_from(ALL_CARDS), unique=True, max_size=DECK_SIZE)


def test_a_code_is_four_times_the_rank_plus_the_suit() -> None:
    spelled = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
    assert [parse_card(text) for text in spelled] == list(range(52))
    assert all(card == 4 * rank_of(card) + suit_of(card) for card in ALL_CARDS)


def test_ranks_run_from_the_deuce_to_the_ace_and_suits_from_clubs_to_spades() -> None:
    assert (rank_of(parse_card("2C")), rank_of(parse_card("AS"))) == (0, 12)
    assert (TEN, ACE) == (8, 12)
    assert [suit_of(parse_card(f"A{suit}")) for suit in "CDHS"] == [0, 1, 2, 3]
    assert SUIT_NAMES == ("clubs", "diamonds", "hearts", "spades")
    assert [card_name(card) for card in (0, 34, 51)] == ["deuce of clubs", "ten of hearts", "ace of spades"]


@pytest.mark.parametrize("symbols", [False, True], ids=["letters", "symbols"])
@pytest.mark.parametrize("change", [str.upper, str.lower], ids=["upper", "lower"])
def test_every_card_is_read_back_from_its_text(change: Callable[[str], str], symbols: bool) -> None:
    assert [parse_card(change(format_card(card, symbols=symbols))) for card in ALL_CARDS] == list(ALL_CARDS)


def test_all_texts_of_cards_are_different() -> None:
    for symbols in (False, True):
        assert len({format_card(card, symbols=symbols) for card in ALL_CARDS}) == DECK_SIZE
    assert len({card_name(card) for card in ALL_CARDS}) == DECK_SIZE


@pytest.mark.parametrize("suit", SUIT_SPELLINGS)
def test_a_ten_may_be_written_with_a_letter_or_with_digits(suit: str) -> None:
    assert parse_card(f"10{suit}") == parse_card(f"T{suit}") == parse_card(f"t{suit}")
    assert RANK_LETTERS[rank_of(parse_card(f"10{suit}"))] == "T"


def test_spaces_around_a_card_do_not_matter() -> None:
    assert parse_card("  AS\n") == parse_card("AS")


@given(distinct_cards, st.booleans())
def test_a_list_of_cards_is_read_back_in_its_order(cards: list[int], symbols: bool) -> None:
    assert list(parse_cards(format_cards(cards, symbols=symbols))) == cards


@given(
    distinct_cards.filter(lambda cards: len(cards) > 1),
    st.lists(st.text(alphabet=" ,;\t\n", min_size=1, max_size=3), min_size=DECK_SIZE, max_size=DECK_SIZE),
)
def test_spaces_commas_and_semicolons_separate_cards(cards: list[int], gaps: list[str]) -> None:
    text = "".join(format_card(card) + gap for card, gap in zip(cards, gaps, strict=False))
    assert list(parse_cards(text)) == cards
    assert list(parse_cards(gaps[-1] + text)) == cards


@pytest.mark.parametrize("text", ["", "  ", "\n", ",;"])
def test_no_text_is_no_cards(text: str) -> None:
    assert parse_cards(text) == ()


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_an_empty_card_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(CardError, match=r"^card '': empty; .* such as AS or 10H$"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1X", "card '1X': no suit 'X' (suits are C, D, H, S) and no rank '1' (ranks are"),
        ("A", "card 'A': no suit 'A' (suits are C, D, H, S) and no rank ''"),
        ("S", "card 'S': no rank ''"),
        ("ASS", "card 'ASS': no rank 'AS'"),
        ("AX", "card 'AX': no suit 'X'"),
        ("1S", "card '1S': no rank '1'"),
        ("11S", "card '11S': no rank '11'"),
        ("100S", "card '100S': no rank '100'"),
        ("SA", "card 'SA': no suit 'A' (suits are C, D, H, S) and no rank 'S'"),
        ("A S", "card 'A S': no rank 'A '"),
        ("★♠", "card '★♠': no rank '★'"),
        ("A🂡", "card 'A🂡': no suit '🂡'"),
        ("٢S", "card '٢S': no rank '٢'"),
        ("Aß", "card 'Aß': no suit 'ß'"),
    ],
)
def test_a_card_that_does_not_exist_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_card(text)
    assert str(refusal.value).startswith(complaint)


def test_the_bad_card_of_a_list_is_the_one_that_is_named() -> None:
    with pytest.raises(CardError, match=r"^card '1X':"):
        parse_cards("AS 10H, 1X; 9C")


@given(st.sampled_from(SPELLINGS) | st.text(alphabet=string.printable + SUIT_SYMBOLS + "ßÅ十", max_size=4))
def test_nothing_but_the_known_spellings_is_a_card(text: str) -> None:
    token = text.strip()
    if token in SPELLINGS:
        rank = "T" if token[:-1] == "10" else token[:-1].upper()
        assert parse_card(text) == 4 * RANK_LETTERS.index(rank) + SUIT_SPELLINGS.index(token[-1]) % 4
    else:
        with pytest.raises(CardError):
            parse_card(text)


def test_no_other_character_of_unicode_passes_for_a_suit_or_a_rank() -> None:
    """The long s of old print, U+017F, once passed for spades: its capital is S."""
    passed = set()
    for character in map(chr, range(0x10000)):
        for text in (f"A{character}", f"{character}S"):
            try:
                parse_card(text)
            except CardError:
                continue
            passed.add(text)
    assert passed == {text for text in SPELLINGS if len(text) == 2 and (text[0] == "A" or text[1] == "S")}


@pytest.mark.parametrize(
    ("text", "named"), [("AS AS", "AS"), ("AS KD a♠ 9C", "AS"), ("10h;2C,T♥", "TH"), ("9C 9C 9C", "9C")]
)
def test_a_card_given_twice_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_cards(text)
    assert str(refusal.value) == f"card '{named}' is given twice; a deck holds it once"


@pytest.mark.parametrize("code", [-1, 52, 1000])
def test_a_code_outside_the_pack_is_refused(code: int) -> None:
    with pytest.raises(CardError, match=rf"^card code {code}: codes run from 0 to 51$"):
        verify_distinct([0, code])


def test_a_rank_that_does_not_exist_is_none() -> None:
    assert [parse_rank(text) for text in ("2", "10", "t", "K", "a")] == [0, 8, 8, 11, 12]
    assert [parse_rank(text) for text in ("", "1", "0", "11", "23", "X", " A")] == [None] * 7


def test_ten_jack_queen_and_king_are_one_point_class() -> None:
    assert {point_class(parse_card(f"{rank}{suit}")) for rank in "TJQK" for suit in "CDHS"} == {TEN_CLASS}
    assert POINT_CLASSES[TEN_CLASS] == "T"


def test_pips_and_aces_keep_a_point_class_of_their_own() -> None:
    assert [POINT_CLASSES[point_class(parse_card(f"{rank}H"))] for rank in "23456789A"] == list("23456789A")
    assert [point_class_of_rank(rank) for rank in range(13)] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 9]
    assert ACE_CLASS == 9
