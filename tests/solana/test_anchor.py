"""The Anchor IDL: read by its own rules, it gives the bytes that our client writes and reads."""

import json
import struct
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from solders.instruction import Instruction
from solders.pubkey import Pubkey

from croupier.solana import instructions, stake_instructions
from croupier.solana.addresses import next_number
from croupier.solana.anchor import anchor_idl
from croupier.solana.bankroll import Bankroll, BetLimits
from croupier.solana.codes import Result, Status
from croupier.solana.events import Claimed, Created, Event, Revealed, Settled, encode_event
from croupier.solana.game import Game
from croupier.solana.house_account import HouseAccount
from croupier.solana.stake import Stake

PROGRAM, PLAYER, HOUSE = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))
IDL = anchor_idl(PROGRAM)
NUMBER = next_number(PROGRAM, PLAYER)
_NUMBERS = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q"}


def read(kind: Any, data: bytes, place: int) -> tuple[Any, int]:
    """Read a value as Borsh does; return it and the place after it."""
    if isinstance(kind, str) and kind in _NUMBERS:
        size = struct.calcsize(_NUMBERS[kind])
        return struct.unpack_from(_NUMBERS[kind], data, place)[0], place + size
    if kind == "pubkey":
        return Pubkey(data[place : place + 32]), place + 32
    if kind == "bytes":
        (count,) = struct.unpack_from("<I", data, place)
        return data[place + 4 : place + 4 + count], place + 4 + count
    if "array" in kind:
        size = kind["array"][1]
        return data[place : place + size], place + size
    (count,) = struct.unpack_from("<I", data, place)
    values, place = [], place + 4
    for _ in range(count):
        value, place = read(kind["vec"], data, place)
        values.append(value)
    return values, place


def decoded(discriminator: list[int], fields: list[dict[str, Any]], data: bytes) -> dict[str, Any]:
    """Read bytes by the IDL: the discriminator, the fields, and nothing more."""
    place = len(discriminator)
    assert list(data[:place]) == discriminator
    values = {}
    for part in fields:
        values[part["name"]], place = read(part["type"], data, place)
    assert place == len(data)
    return values


def entry(section: str, name: str) -> dict[str, Any]:
    (found,) = [entry for entry in IDL[section] if entry["name"] == name]
    assert isinstance(found, dict)
    return found


CREATION: dict[str, Any] = {"number": NUMBER, "player_seed": b"s" * 32, "chain_tip": b"t" * 32, "decks": 3}
STAKE = Stake(PROGRAM, bet=5, cover=6)
BET_LIMITS: dict[str, Any] = {"least_bet": 1, "most_bet": 2, "bond": 3, "reserve": 4}
INSTRUCTIONS: dict[str, tuple[Instruction, dict[str, Any]]] = {
    "create": (instructions.create(PROGRAM, PLAYER, HOUSE, **CREATION), CREATION),
    "deal": (instructions.deal(PROGRAM, HOUSE, PLAYER), {}),
    "hit": (instructions.hit(PROGRAM, HOUSE, PLAYER), {}),
    "stand": (instructions.stand(PROGRAM, HOUSE, PLAYER), {}),
    "reveal": (
        instructions.reveal(PROGRAM, PLAYER, HOUSE, b"p" * 32, b"h" * 32),
        {"preimage": b"p" * 32, "slot_hash": b"h" * 32},
    ),
    "claim": (instructions.claim(PROGRAM, HOUSE, PLAYER), {}),
    "cleanup": (instructions.cleanup(PROGRAM, HOUSE, PLAYER), {}),
    "open_house": (instructions.open_house(PROGRAM, HOUSE, 1, lamports=1)[1], {}),
    "commit": (
        instructions.commit(PROGRAM, HOUSE, [b"1" * 32, b"2" * 32]),
        {"tips": [b"1" * 32, b"2" * 32]},
    ),
    "join": (
        instructions.join(PROGRAM, PLAYER, HOUSE, place=5, **CREATION),
        {"place": 5, **CREATION},
    ),
    "close_house": (instructions.close_house(PROGRAM, HOUSE), {}),
    "open_bankroll": (
        stake_instructions.open_bankroll(PROGRAM, HOUSE, BetLimits(**BET_LIMITS), lamports=1)[1],
        BET_LIMITS,
    ),
    "set_limits": (stake_instructions.set_limits(PROGRAM, HOUSE, BetLimits(**BET_LIMITS)), BET_LIMITS),
    "withdraw": (stake_instructions.withdraw(PROGRAM, HOUSE, 77), {"lamports": 77}),
    "close_bankroll": (stake_instructions.close_bankroll(PROGRAM, HOUSE), {}),
    "join_staked": (
        stake_instructions.join_staked(PROGRAM, PLAYER, HOUSE, STAKE, place=5, **CREATION),
        {"place": 5, "bet": 5, "cover": 6, **CREATION},
    ),
    "settle": (stake_instructions.settle(PROGRAM, HOUSE, PLAYER, STAKE.bankroll), {}),
}


@pytest.mark.parametrize("name", [entry["name"] for entry in IDL["instructions"]])
def test_instructions_have_the_bytes_and_the_accounts_of_the_idl(name: str) -> None:
    instruction, expected = INSTRUCTIONS[name]
    described = entry("instructions", name)
    values = decoded(described["discriminator"], described["args"], instruction.data)
    assert values | expected == values
    assert not any(any(value) for part, value in values.items() if part.startswith("reserved"))
    flags = [(meta.is_signer, meta.is_writable) for meta in instruction.accounts]
    assert flags == [("signer" in account, "writable" in account) for account in described["accounts"]]
    for meta, account in zip(instruction.accounts, described["accounts"], strict=True):
        assert account.get("address", str(meta.pubkey)) == str(meta.pubkey)


def test_no_instruction_is_taken_for_another() -> None:
    for one in IDL["instructions"]:
        for other in IDL["instructions"]:
            prefix = one["discriminator"]
            assert one is other or other["discriminator"][: len(prefix)] != prefix


def fields_of(name: str) -> list[dict[str, Any]]:
    return list(entry("types", name)["type"]["fields"])


def test_accounts_are_read_by_the_idl() -> None:
    game = Game.created(PLAYER, HOUSE, b"t" * 32, b"s" * 32, number=NUMBER, decks=2, slot=77)
    values = decoded(entry("accounts", "Game")["discriminator"], fields_of("Game"), game.encode())
    assert (values["player"], values["house"], values["slot"], values["cards_left"]) == (
        PLAYER,
        HOUSE,
        77,
        104,
    )
    staked = replace(game, stake=STAKE)
    values = decoded(
        entry("accounts", "StakedGame")["discriminator"], fields_of("StakedGame"), staked.encode()
    )
    assert (values["slot"], values["bankroll"], values["bet"], values["cover"]) == (77, PROGRAM, 5, 6)
    bankroll = Bankroll(HOUSE, BetLimits(**BET_LIMITS), open_games=9)
    values = decoded(entry("accounts", "Bankroll")["discriminator"], fields_of("Bankroll"), bankroll.encode())
    assert values | BET_LIMITS == values
    assert (values["house"], values["open_games"]) == (HOUSE, 9)
    account = HouseAccount(HOUSE, (b"1" * 32, None))
    values = decoded(entry("accounts", "House")["discriminator"], fields_of("House"), account.encode())
    assert (values["house"], values["tips"]) == (HOUSE, [b"1" * 32, bytes(32)])


EVENTS: list[Event] = [
    Created(1, NUMBER, HOUSE, PLAYER, HOUSE, b"s" * 32, b"t" * 32),
    Revealed(Status.HIT_REQUESTED, Status.FINISHED, Result.TIE, 9, PLAYER, b"p" * 32, b"h" * 32, (4, 51)),
    Claimed(Status.CREATED, Result.PLAYER_FORFEIT, 9, PLAYER),
    Created(1, NUMBER, HOUSE, PLAYER, HOUSE, b"s" * 32, b"t" * 32, STAKE),
    Settled(Result.TIE, 7, 8, PLAYER),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_are_read_by_the_idl(event: Event) -> None:
    name = type(event).__name__
    if isinstance(event, Created) and event.stake is not None:
        name = "StakedCreated"
    values = decoded(entry("events", name)["discriminator"], fields_of(name), encode_event(event))
    assert values["game"] == event.game
    if isinstance(event, Revealed):
        assert tuple(values["drawn"]) == event.drawn


def test_the_file_in_the_package_is_the_idl() -> None:
    text = (files("croupier.solana") / "idl.json").read_text(encoding="utf-8")
    shipped = json.loads(text)
    assert shipped == anchor_idl(Pubkey.default()) | {"metadata": shipped["metadata"]}
    assert shipped["metadata"]["spec"] == "0.1.0"
