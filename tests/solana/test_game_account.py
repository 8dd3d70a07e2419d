"""The game account: encoding and decoding agree, and impossible bytes are refused."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solders.pubkey import Pubkey

from croupier.solana.card_codes import to_card
from croupier.solana.codes import Result, Status
from croupier.solana.events import decode_event
from croupier.solana.game import Game
from croupier.solana.layout import LayoutError

KEYS = st.binary(min_size=32, max_size=32)
CARDS = st.lists(st.integers(0, 51), max_size=23).map(tuple)
GAMES = st.builds(
    Game,
    decks=st.integers(1, 8),
    status=st.sampled_from(Status),
    result=st.sampled_from(Result),
    player=KEYS.map(Pubkey),
    counts=st.lists(st.integers(0, 8), min_size=52, max_size=52).map(tuple),
    player_cards=CARDS,
    dealer_cards=CARDS,
    house=KEYS.map(Pubkey),
    chain_tip=KEYS,
    player_seed=KEYS,
    number=st.integers(0, 2**64 - 1),
    slot=st.integers(0, 2**64 - 1),
)
GAME_1 = Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=1)


@given(GAMES)
def test_an_account_reads_back_as_it_was_written(game: Game) -> None:
    assert Game.decode(game.encode()) == game


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_a_game_or_a_layout_error(data: bytes) -> None:
    with pytest.raises(LayoutError):
        Game.decode(data)
    with pytest.raises(LayoutError):
        decode_event(data)


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=5))
@settings(max_examples=300)
def test_a_damaged_account_is_read_or_refused_but_never_crashes(damage: list[tuple[int, int]]) -> None:
    data = bytearray(GAME_1.encode())
    for place, value in damage:
        data[place] = value
    try:
        game = Game.decode(bytes(data))
    except LayoutError as error:
        assert str(error)  # noqa: PT017 - either outcome is right
    else:
        assert Game.decode(game.encode()) == game


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (0, 2, "stake: 0 bytes"),
        (0, 3, "version 3"),
        (1, 3, "type 3"),
        (2, 0, "do not add up"),
        (3, 9, "9 is not a valid Status"),
        (4, 99, "99 is not a valid Result"),
        (5, 1, "reserved bytes 'reserved_a'"),
        (40, 7, "do not add up"),
        (115, 24, "the player's hand of 24 cards"),
        (139, 255, "the dealer's hand of 255 cards"),
    ],
)
def test_bytes_that_contradict_each_other_are_refused(place: int, value: int, reason: str) -> None:
    data = bytearray(GAME_1.encode())
    data[place] = value
    with pytest.raises(LayoutError, match=reason):
        Game.decode(bytes(data))


def test_card_codes_translate_one_to_one() -> None:
    assert sorted(to_card(code) for code in range(52)) == list(range(52))


def test_a_game_prints_its_hands_and_its_result() -> None:
    game = replace(
        GAME_1,
        status=Status.FINISHED,
        result=Result.DEALER_WINS,
        player_cards=(0, 5),
        dealer_cards=(22, 51),
    )
    assert str(game).endswith("player AH 6H (soft 17), dealer TD KS (20); dealer wins")
