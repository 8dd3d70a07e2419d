"""The account of a game, byte by byte, without a browser."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solders.pubkey import Pubkey

from croupier.solana.codes import Status
from croupier.solana.layout import GAME, LayoutError
from croupier.web.models.solana_account import FieldView, decode_account

DECKS = 2
#: Two decks less the ace of hearts (code 0), twice, and the king of spades (code 51).
COUNTS = bytes([DECKS - 2, *[DECKS] * 50, DECKS - 1])


def account(**values: object) -> bytes:
    usual = {
        "version": 1,
        "type": 1,
        "decks": DECKS,
        "status": Status.PLAYER_TURN,
        "player": b"p" * 32,
        "counts": COUNTS,
        "player_cards": bytes([0, 0]),
        "player_count": 2,
        "dealer_cards": bytes([51]),
        "dealer_count": 1,
        "cards_left": sum(COUNTS),
        "house": b"h" * 32,
        "number": 7,
        "slot": 12,
    }
    return GAME.pack(usual | values)


def by_name(data: bytes, before: bytes = b"") -> dict[str, FieldView]:
    return {field.name: field for field in decode_account(data, before)}


@given(st.binary(min_size=GAME.size, max_size=GAME.size), st.data())
@settings(max_examples=50)
def test_every_byte_is_shown_once_and_marked_if_it_changed(noise: bytes, data: st.DataObject) -> None:
    now = account(player=noise[:32], player_seed=noise[32:64], number=noise[64], slot=noise[65])
    place = data.draw(st.integers(0, GAME.size - 1))
    before = bytearray(now)
    before[place] ^= data.draw(st.integers(1, 255))
    shown = [byte for field in decode_account(now, bytes(before)) for byte in field.bytes]
    assert [byte.offset for byte in shown] == list(range(GAME.size))
    assert bytes.fromhex("".join(byte.hex for byte in shown)) == now
    assert [byte.offset for byte in shown if byte.is_changed] == [place]


def test_the_runs_of_a_field_are_its_bytes_in_order() -> None:
    before = account()
    for field in decode_account(account(slot=12 + 256), before):
        assert " ".join(text for text, _ in field.runs) == " ".join(byte.hex for byte in field.bytes)
        assert field.is_changed == (field.name == "slot")


def test_a_new_account_was_all_zeros() -> None:
    data = account()
    marked = {byte.offset for field in decode_account(data, b"") for byte in field.bytes if byte.is_changed}
    assert marked == {place for place, value in enumerate(data) if value}


def test_every_field_says_what_it_means() -> None:
    fields = by_name(account())
    assert fields["counts"].meaning == "101 of 104 cards left; gone: A♥ A♥ K♠"
    assert fields["player_cards"].meaning == "A♥ A♥"
    assert fields["dealer_cards"].meaning == "K♠"
    assert fields["status"].meaning == "3: the player's turn"
    assert fields["result"].meaning == "0: open"
    assert str(Pubkey(b"p" * 32)) in fields["player"].meaning
    assert fields["slot"].meaning == "slot 12: the last change"
    assert (
        by_name(account(status=Status.HIT_REQUESTED))["slot"].meaning == "slot 12: its hash decides the cards"
    )
    assert all(field.meaning for field in fields.values())


def test_every_byte_says_what_it_means() -> None:
    fields = by_name(account())
    assert [byte.meaning for byte in fields["counts"].bytes][::51] == ["A♥: 0 left", "K♠: 1 left"]
    assert [byte.meaning for byte in fields["player_cards"].bytes][1:3] == [
        "A♥, code 0",
        "after the last card, not used",
    ]
    assert fields["number"].bytes[1].meaning == "times 256"
    assert fields["house"].bytes[31].meaning == "byte 32 of 32"


def test_a_closed_account_has_no_fields() -> None:
    assert decode_account(b"", account()) == ()


def test_bytes_that_are_no_account_are_refused() -> None:
    with pytest.raises(LayoutError, match="255 bytes; expected 256"):
        decode_account(bytes(255), b"")
