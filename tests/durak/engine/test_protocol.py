"""The protocol as text: what is sent, what is understood, and what is refused with which reason."""

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import format_card, parse_card, shuffle
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.pack import (
    PACK,
    CardFault,
    beats,
    card_text,
    cards_text,
    rank_of,
    read_card,
    suit_of,
)
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import (
    AnswerError,
    AnswerFault,
    CommandError,
    notices,
    opening,
    parse_answer,
    parse_command,
    question,
)
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove

Position = Callable[..., GameState]
Play = Callable[[GameState, str], GameState]


def test_the_cards_are_those_of_the_house() -> None:
    for card in PACK:
        assert card_text(card) == format_card(card)
        assert read_card(card_text(card)) == card == parse_card(card_text(card))
        assert 4 * rank_of(card) + suit_of(card) == card
    assert len(PACK) == 36
    assert [card_text(PACK[0]), card_text(PACK[-1])] == ["6C", "AS"]


def test_of_two_different_cards_at_most_one_beats_the_other() -> None:
    for card in PACK:
        assert not beats(card, card, trump_suit=1)
        for other in PACK:
            assert not (beats(card, other, 1) and beats(other, card, 1))


def test_an_empty_list_leaves_two_spaces_before_the_separator() -> None:
    asked = question(start(DurakRules(), PACK))
    assert asked is not None
    assert asked.line.startswith("move  ## {")


def test_a_deal_without_cards_is_sent_to_both_after_every_bout(position: Position, play: Play) -> None:
    before = play(position("6C 8S", "9C 8D", trump="AH"), "6C, 9C")
    told = notices(before, play(before, "-"))
    assert [notice.seat for notice in told] == [0, 1]
    assert all(notice.line.startswith("deal  ## {") for notice in told)


def test_nothing_is_told_within_a_bout(position: Position, play: Play) -> None:
    before = position("6C 8S", "9C 8D", trump="AH")
    assert notices(before, play(before, "6C")) == ()
    assert notices(play(before, "6C"), play(before, "6C, -")) == ()


def test_the_first_engine_is_told_first() -> None:
    told = opening(start(DurakRules(), PACK, leader=1))
    assert [(notice.seat, notice.line.split()[0]) for notice in told] == [
        (0, "init"),
        (1, "init"),
        (0, "deal"),
        (1, "deal"),
    ]


def test_the_data_carry_the_public_facts_as_seen_from_the_seat(position: Position, play: Play) -> None:
    state = play(position("6C 8S AS", "9C", stock="7D 7H"), "6C")
    asked = question(state)
    assert asked is not None
    assert (asked.seat, asked.line.partition(" ## ")[0]) == (1, "respond 6C")
    data = json.loads(asked.line.partition(" ## ")[2])
    assert list(data) == ["discarded", "deck_count", "on_table", "enemy_count", "trump"]
    assert (data["deck_count"], data["on_table"], data["enemy_count"], data["trump"]) == (2, ["6C"], 2, "7H")
    assert len(data["discarded"]) == 30


def test_there_is_no_question_after_the_end(position: Position, play: Play) -> None:
    assert question(play(position("6C", "9D 9S", trump="AH"), "6C")) is None


@pytest.mark.parametrize(
    ("text", "phase", "fault"),
    [
        ("9c", Phase.ATTACK, AnswerFault.LOWER_CASE),
        ("th 9c", Phase.THROW_IN, AnswerFault.LOWER_CASE),
        ("5H", Phase.DEFEND, AnswerFault.UNKNOWN_CARD),
        ("10H", Phase.DEFEND, AnswerFault.UNKNOWN_CARD),
        ("7X", Phase.ATTACK, AnswerFault.UNKNOWN_CARD),
        ("9C 5H", Phase.THROW_IN, AnswerFault.UNKNOWN_CARD),
        ("ok", Phase.ATTACK, AnswerFault.GARBAGE),
        ("your move?", Phase.ATTACK, AnswerFault.GARBAGE),
        ("9C,9D", Phase.THROW_IN, AnswerFault.GARBAGE),
        ("9CD", Phase.ATTACK, AnswerFault.GARBAGE),
        ("7♥", Phase.ATTACK, AnswerFault.GARBAGE),
        ("\x00", Phase.ATTACK, AnswerFault.GARBAGE),
        ("x" * 10_000, Phase.ATTACK, AnswerFault.GARBAGE),
        ("9C 9D", Phase.ATTACK, AnswerFault.TOO_MANY_CARDS),
        ("9C 9C", Phase.DEFEND, AnswerFault.TOO_MANY_CARDS),
    ],
)
def test_an_answer_that_is_none_says_in_which_way(text: str, phase: Phase, fault: AnswerFault) -> None:
    with pytest.raises(AnswerError) as caught:
        parse_answer(text, phase)
    assert caught.value.fault is fault
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["", " ", "\n", "\r\n", "\t \n"])
def test_white_space_alone_is_an_empty_answer(text: str) -> None:
    assert parse_answer(text, Phase.DEFEND) == ()


def test_white_space_around_an_answer_is_stripped() -> None:
    assert parse_answer(" \t9C  TD\r\n", Phase.THROW_IN) == (read_card("9C"), read_card("TD"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no command ''"),
        ("MOVE", "no command 'MOVE'"),
        ("move 9c ## {}", "command 'move': card '9c': lower case"),
        ("move ## {", "command 'move': Expecting property name"),
        ("move ## []", "the data after ## are no JSON object"),
    ],
)
def test_a_line_that_is_no_command_is_refused(line: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        parse_command(line)


@pytest.mark.parametrize("fault", list(CardFault))
def test_every_fault_of_a_card_is_a_fault_of_an_answer(fault: CardFault) -> None:
    assert AnswerFault(fault.value).name == fault.name


TEXTS = {card_text(card) for card in PACK}
WORDS = st.one_of(
    st.sampled_from(sorted(TEXTS)), st.text(alphabet="6789TJQKACDHS10ahx ", max_size=3), st.text(max_size=3)
)


@given(st.lists(WORDS, max_size=4).map(" ".join))
def test_a_text_is_an_answer_exactly_if_all_its_words_are_cards(text: str) -> None:
    words = text.split()
    if set(words) <= TEXTS:
        assert cards_text(parse_answer(text, Phase.THROW_IN)) == " ".join(words)
    else:
        with pytest.raises(AnswerError) as caught:
            parse_answer(text, Phase.THROW_IN)
        first_fault = next(word for word in words if word not in TEXTS)
        assert (caught.value.fault is AnswerFault.LOWER_CASE) is (first_fault.upper() in TEXTS)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.data())
def test_what_is_sent_reads_back_as_the_state(seed: int, data: st.DataObject) -> None:
    state = start(DurakRules(), shuffle(PACK, seed), leader=seed % 2)
    for _ in range(60):
        asked = question(state)
        if asked is None:
            break
        command = parse_command(asked.line.replace(" ", "   ") + "\r\n")
        assert command.cards == state.table
        assert [read_card(card) for card in command.data["discarded"]] == list(state.discarded)
        assert command.data["enemy_count"] == len(state.hands[1 - asked.seat])
        held = sorted(state.hands[asked.seat])
        wanted = data.draw(st.sampled_from([*held, None]))
        cards = () if wanted is None else (wanted,)
        with suppress(IllegalMove):
            state = answer(state, parse_answer(f" {cards_text(cards)}\n", state.phase))


def test_a_letter_that_only_looks_like_a_latin_one_is_named() -> None:
    with pytest.raises(AnswerError, match="the second character is CYRILLIC CAPITAL LETTER ES"):
        parse_answer("7\N{CYRILLIC CAPITAL LETTER ES}", Phase.ATTACK)
