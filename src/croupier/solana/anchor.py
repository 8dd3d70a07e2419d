"""The program's interface as an Anchor IDL (specification 0.1.0), for clients in other languages.

The program is not written with Anchor, but its bytes can be described in Anchor's terms: a discriminator is any number of
first bytes, and numbers, keys and lists lie as Borsh writes them. The tag of an instruction and the zeros after it are
its discriminator; the version and the type of an account are its own.
"""

from typing import Any

from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.sysvar import SLOT_HASHES

from croupier import __version__
from croupier.solana import layout
from croupier.solana.codes import (
    BANKROLL_TYPE,
    GAME_TYPE,
    HOUSE_TYPE,
    LAYOUT_VERSION,
    STAKED_VERSION,
    EventType,
    GameError,
    Result,
    Status,
    Tag,
)
from croupier.solana.layout import KEY_SIZE, Layout

_KEYS = ("player", "house", "game", "bankroll")
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
_ADDRESSES = {"system_program": SYSTEM_PROGRAM, "slot_hashes": SLOT_HASHES}
_DOCS = {
    Tag.CREATE: "Open a game; player and house sign.",
    Tag.DEAL: "Request the first cards.",
    Tag.HIT: "Request a card.",
    Tag.STAND: "Request the dealer's play.",
    Tag.REVEAL: "Answer the request with the next pre-image and the hash of the request's slot.",
    Tag.CLAIM: "End the game because the other side is late.",
    Tag.CLEANUP: "Close a finished game; the rent goes to the player.",
    Tag.OPEN_HOUSE: "Turn an account of the program into a house's.",
    Tag.COMMIT: "Put commitments into the free places of a house's account.",
    Tag.JOIN: "Open a game with a commitment out of a house's account; the player alone signs.",
    Tag.CLOSE_HOUSE: "Close a house's account; the rent goes to the house.",
    Tag.OPEN_BANKROLL: "Turn an account of the program into a house's bankroll, with its limits.",
    Tag.SET_LIMITS: "Change the limits of a bankroll; open games are not affected.",
    Tag.WITHDRAW: "Pay lamports out of a bankroll to its house.",
    Tag.CLOSE_BANKROLL: "Close a bankroll whose games are all settled; its lamports go to the house.",
    Tag.JOIN_STAKED: "Join with a bet, which the house's bankroll covers.",
    Tag.SETTLE: "Close a finished game with stakes; each side gets its share.",
}
_TIPS = {"name": "tips", "type": {"vec": {"array": ["u8", KEY_SIZE]}}}
#: The instructions whose data has fields, how many bytes their discriminator takes, and a list that may follow.
_DATA: dict[Tag, tuple[Layout, int, dict[str, Any] | None]] = {
    Tag.CREATE: (layout.CREATE_DATA, 1, None),
    Tag.JOIN: (layout.CREATE_DATA, 1, None),
    Tag.JOIN_STAKED: (layout.JOIN_STAKED_DATA, 1, None),
    Tag.OPEN_BANKROLL: (layout.LIMITS_DATA, 8, None),
    Tag.SET_LIMITS: (layout.LIMITS_DATA, 8, None),
    Tag.WITHDRAW: (layout.WITHDRAW_DATA, 8, None),
    Tag.REVEAL: (layout.REVEAL_DATA, 8, None),
    Tag.COMMIT: (layout.COMMIT_DATA, 4, _TIPS),
}


def anchor_idl(program: Pubkey) -> dict[str, Any]:
    """Return the IDL of the program at an address.

    >>> idl = anchor_idl(Pubkey.default())
    >>> idl["metadata"]["spec"], idl["errors"][0]["code"], [entry["name"] for entry in idl["accounts"]]
    ('0.1.0', 6000, ['Game', 'StakedGame', 'House', 'Bankroll'])
    """
    drawn = {"name": "drawn", "type": "bytes"}
    staked_game, staked_created = (
        form.followed_by(form.name, *(f"{part.name} {part.kind}" for part in layout.STAKE.fields))
        for form in (layout.GAME, layout.CREATED_EVENT)
    )
    events = {
        (EventType.CREATED, LAYOUT_VERSION): _struct("Created", layout.CREATED_EVENT, 2),
        (EventType.CREATED, STAKED_VERSION): _struct("StakedCreated", staked_created, 2),
        (EventType.REVEALED, LAYOUT_VERSION): _struct("Revealed", layout.REVEALED_EVENT, 2, drawn),
        (EventType.CLAIMED, LAYOUT_VERSION): _struct("Claimed", layout.CLAIMED_EVENT, 2),
        (EventType.SETTLED, LAYOUT_VERSION): _struct("Settled", layout.SETTLED_EVENT, 2),
    }
    accounts = {
        (LAYOUT_VERSION, GAME_TYPE): _struct("Game", layout.GAME, 2),
        (STAKED_VERSION, GAME_TYPE): _struct("StakedGame", staked_game, 2),
        (LAYOUT_VERSION, HOUSE_TYPE): _struct("House", layout.HOUSE, 2, _TIPS),
        (LAYOUT_VERSION, BANKROLL_TYPE): _struct("Bankroll", layout.BANKROLL, 2),
    }
    return {
        "address": str(program),
        "metadata": {
            "name": "croupier_blackjack",
            "version": __version__,
            "spec": "0.1.0",
            "description": "Blackjack with cards that neither side can choose",
        },
        "instructions": [_instruction(tag) for tag in Tag],
        "accounts": [
            {"name": struct["name"], "discriminator": list(head)} for head, struct in accounts.items()
        ],
        "events": [
            {"name": struct["name"], "discriminator": [int(number) for number in head]}
            for head, struct in events.items()
        ],
        "errors": [
            {"code": error.value, "name": _camel(error.name), "msg": error.meaning} for error in GameError
        ],
        "types": [*accounts.values(), *events.values()],
        "constants": [
            {"name": f"{kind.__name__.upper()}_{member.name}", "type": "u8", "value": str(member.value)}
            for kind in (Status, Result)
            for member in kind
        ],
    }


def _instruction(tag: Tag) -> dict[str, Any]:
    form, size, tail = _DATA.get(tag, (layout.PLAIN_DATA, layout.PLAIN_DATA.size, None))
    return {
        "name": tag.name.lower(),
        "docs": [_DOCS[tag]],
        "discriminator": [tag.value, *bytes(size - 1)],
        "accounts": [_account(text) for text in _ACCOUNTS[tag]],
        "args": _fields(form, size, tail),
    }


def _account(text: str) -> dict[str, Any]:
    name, *marks = text.split()
    account: dict[str, Any] = {"name": name}
    account |= {mark: True for mark in ("writable", "signer") if mark in marks}
    return account | ({"address": str(_ADDRESSES[name])} if name in _ADDRESSES else {})


def _struct(name: str, form: Layout, start: int, tail: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"name": name, "type": {"kind": "struct", "fields": _fields(form, start, tail)}}


def _fields(form: Layout, start: int, tail: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Describe the fields from an offset on; a list that follows brings its own length, which is the last field."""
    parts = [part for part in form.fields if part.offset >= start]
    fields = [{"name": part.name, "type": _kind(part)} for part in (parts if tail is None else parts[:-1])]
    return fields if tail is None else [*fields, tail]


def _kind(part: layout.Field) -> Any:
    if part.kind.startswith("u"):
        return part.kind
    return "pubkey" if part.name in _KEYS else {"array": ["u8", part.size]}


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
