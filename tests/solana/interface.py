"""The program's interface as the Python client knows it: every record, code and constant."""

from enum import IntEnum
from typing import Any

from croupier.cards import DECK_SIZE
from croupier.solana import layout
from croupier.solana.addresses import BUMP, GAME_SEED
from croupier.solana.codes import (
    BANKROLL_TYPE,
    GAME_TYPE,
    HAND_SIZE,
    HOUSE_TYPE,
    LAYOUT_VERSION,
    LEAST_RENT,
    MOST_COMMITMENTS,
    MOST_DECKS,
    PLAYER_WINDOW,
    REVEAL_WINDOW,
    STAKED_VERSION,
    EventType,
    GameError,
    Result,
    Status,
    Tag,
)

_ACCOUNTS = {
    Tag.CREATE: ("game writable", "player signer writable", "house signer", "system_program"),
    Tag.DEAL: ("game writable", "player signer"),
    Tag.HIT: ("game writable", "player signer"),
    Tag.STAND: ("game writable", "player signer"),
    Tag.REVEAL: ("game writable", "house signer", "slot_hashes"),
    Tag.CLAIM: ("game writable", "claimant signer"),
    Tag.CLEANUP: ("game writable", "player writable"),
    Tag.OPEN_HOUSE: ("house_account writable", "house signer"),
    Tag.COMMIT: ("house_account writable", "house signer"),
    Tag.JOIN: ("game writable", "player signer writable", "house_account writable", "system_program"),
    Tag.CLOSE_HOUSE: ("house_account writable", "house signer writable"),
    Tag.OPEN_BANKROLL: ("bankroll writable", "house signer"),
    Tag.SET_LIMITS: ("bankroll writable", "house signer"),
    Tag.WITHDRAW: ("bankroll writable", "house signer writable"),
    Tag.CLOSE_BANKROLL: ("bankroll writable", "house signer writable"),
    Tag.JOIN_STAKED: (
        "game writable",
        "player signer writable",
        "house_account writable",
        "system_program",
        "bankroll writable",
    ),
    Tag.SETTLE: ("game writable", "player writable", "bankroll writable"),
}
_DATA = {
    Tag.CREATE: layout.CREATE_DATA,
    Tag.REVEAL: layout.REVEAL_DATA,
    Tag.COMMIT: layout.COMMIT_DATA,
    Tag.JOIN: layout.CREATE_DATA,
    Tag.OPEN_BANKROLL: layout.LIMITS_DATA,
    Tag.SET_LIMITS: layout.LIMITS_DATA,
    Tag.WITHDRAW: layout.WITHDRAW_DATA,
    Tag.JOIN_STAKED: layout.JOIN_STAKED_DATA,
}


def interface() -> dict[str, Any]:
    """Describe the program's accounts, instructions, events, errors and constants.

    >>> interface()["errors"][0]["name"]
    'UNKNOWN_INSTRUCTION'
    """
    return {
        "name": "croupier_blackjack",
        "version": LAYOUT_VERSION,
        "byte_order": "little-endian",
        "card_code": "13 * suit + rank; suits hearts, diamonds, clubs, spades; ranks ace, 2 to 10, jack, queen, king",
        "address": {
            "seeds": [GAME_SEED.decode(), "player key", "number u64", "bump u8"],
            "bump": BUMP,
        },
        "constants": {
            "LAYOUT_VERSION": LAYOUT_VERSION,
            "STAKED_VERSION": STAKED_VERSION,
            "TYPE_GAME": GAME_TYPE,
            "TYPE_HOUSE": HOUSE_TYPE,
            "TYPE_BANKROLL": BANKROLL_TYPE,
            "LEAST_RENT": LEAST_RENT,
            "MOST_COMMITMENTS": MOST_COMMITMENTS,
            "CARD_COUNT": DECK_SIZE,
            "HAND_SIZE": HAND_SIZE,
            "MOST_DECKS": MOST_DECKS,
            "REVEAL_WINDOW": REVEAL_WINDOW,
            "PLAYER_WINDOW": PLAYER_WINDOW,
        },
        "instructions": [
            {
                "name": tag.name.lower(),
                "tag": tag.value,
                "accounts": [_account(text) for text in _ACCOUNTS[tag]],
                "data": _record(_DATA.get(tag, layout.PLAIN_DATA)),
            }
            for tag in Tag
        ],
        "accounts": [_record(form) for form in (layout.GAME, layout.STAKE, layout.HOUSE, layout.BANKROLL)],
        "events": [
            {"type": kind.value, **_record(form)}
            for kind, form in zip(
                EventType,
                (layout.CREATED_EVENT, layout.REVEALED_EVENT, layout.CLAIMED_EVENT, layout.SETTLED_EVENT),
                strict=True,
            )
        ],
        "enums": {"status": _values(Status), "result": _values(Result), "event": _values(EventType)},
        "errors": [
            {"code": error.value, "name": error.name, "meaning": error.meaning} for error in GameError
        ],
    }


def _account(text: str) -> dict[str, Any]:
    name, *marks = text.split()
    return {"name": name, "is_signer": "signer" in marks, "is_writable": "writable" in marks}


def _record(form: layout.Layout) -> dict[str, Any]:
    fields = [
        {"name": part.name, "kind": part.kind, "offset": part.offset, "size": part.size}
        for part in form.fields
    ]
    return {"name": form.name, "size": form.size, "fields": fields}


def _values(enumeration: type[IntEnum]) -> dict[str, int]:
    return {member.name: member.value for member in enumeration}
