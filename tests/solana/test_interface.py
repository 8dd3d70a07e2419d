"""The C header, the documentation and the Python client agree on every byte."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from solders.instruction import Instruction
from solders.pubkey import Pubkey

from croupier.solana import instructions, stake_instructions
from croupier.solana.addresses import next_number
from croupier.solana.bankroll import BetLimits
from croupier.solana.codes import Tag
from croupier.solana.stake import Stake
from croupier.solana.toolchain.compiler import PROGRAM_SOURCE, compile_object
from tests.solana.interface import interface

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="the compiler (ziglang) is not installed"
)
HEADER = (PROGRAM_SOURCE.parent / "layout.h").read_text(encoding="utf-8")
IDL = interface()
PREFIXES = {"status": "STATUS_", "result": "RESULT_", "event": "EVENT_"}


def records() -> list[dict[str, Any]]:
    data = {entry["data"]["name"]: entry["data"] for entry in IDL["instructions"]}
    return [*IDL["accounts"], *IDL["events"], *data.values()]


def names_and_numbers() -> dict[str, int]:
    """Return every name in the C header's enumerations and constants, with the IDL's value."""
    numbers: dict[str, int] = dict(IDL["constants"])
    for enumeration, prefix in PREFIXES.items():
        numbers |= {prefix + name: value for name, value in IDL["enums"][enumeration].items()}
    numbers |= {f"ERROR_{error['name']}": error["code"] for error in IDL["errors"]}
    return numbers | {f"TAG_{entry['name'].upper()}": entry["tag"] for entry in IDL["instructions"]}


@needs_compiler
def test_the_c_header_agrees_with_the_python_client(tmp_path: Path) -> None:
    """The compiler compares them: one static assertion per field and number."""
    lines = [f'#include "{PROGRAM_SOURCE.parent / "layout.h"}"']
    for record in records():
        name = record["name"]
        for part in record["fields"]:
            where = f"__builtin_offsetof(struct {name}, {part['name']}) == {part['offset']}"
            size = f"sizeof(((struct {name} *)0)->{part['name']}) == {part['size']}"
            lines.append(f'_Static_assert({where} && {size}, "{name}.{part["name"]}");')
        if name != "revealed_event":
            lines.append(f'_Static_assert(sizeof(struct {name}) == {record["size"]}, "{name}");')
    for name, number in names_and_numbers().items():
        lines.append(f'_Static_assert({name} == {number}, "{name}");')
    source = tmp_path / "agreement.c"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert compile_object(source)


def test_the_python_client_names_everything_that_the_c_header_does() -> None:
    enumerators = set(
        re.findall(r"^    ((?:STATUS|RESULT|EVENT|ERROR|TAG)_\w+) = \d+,", HEADER, re.MULTILINE)
    )
    assert enumerators == names_and_numbers().keys() - IDL["constants"].keys()
    structs = set(re.findall(r"^struct (\w+) \{", HEADER, re.MULTILINE))
    assert structs == {record["name"] for record in records()}


def test_the_offsets_in_the_comments_of_the_c_header_are_right() -> None:
    offsets = {
        record["name"]: {part["name"]: part["offset"] for part in record["fields"]} for record in records()
    }
    sizes = {record["name"]: record["size"] for record in records()}
    for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", HEADER, re.MULTILINE | re.DOTALL):
        commented = re.findall(r"(\w+)(?:\[[^]]*\])?;\s+/\*\s+(\d+)", body)
        expected = {field: str(offset) for field, offset in offsets[name].items()}
        if name == "revealed_event":
            expected["drawn"] = "116"
        if name in ("house", "commit_data"):
            expected["tip"] = str(sizes[name])
        assert dict(commented) == expected


def test_numbers_and_keys_are_aligned() -> None:
    for record in records():
        for part in record["fields"]:
            unit = {"u16": 2, "u32": 4, "u64": 8, "key": 8}.get(part["kind"], 1)
            assert part["offset"] % unit == 0, (record["name"], part["name"])


@pytest.mark.parametrize("tag", list(Tag))
def test_the_builders_pass_the_right_accounts_and_data(tag: Tag) -> None:
    program, player, house = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))
    built: dict[Tag, Instruction] = {
        Tag.CREATE: instructions.create(
            program,
            player,
            house,
            number=next_number(program, player),
            player_seed=bytes(32),
            chain_tip=bytes(32),
        ),
        Tag.DEAL: instructions.deal(program, house, player),
        Tag.HIT: instructions.hit(program, house, player),
        Tag.STAND: instructions.stand(program, house, player),
        Tag.REVEAL: instructions.reveal(program, player, house, bytes(32), bytes(32)),
        Tag.CLAIM: instructions.claim(program, house, player),
        Tag.CLEANUP: instructions.cleanup(program, house, player),
        Tag.OPEN_HOUSE: instructions.open_house(program, house, 1, lamports=1)[1],
        Tag.COMMIT: instructions.commit(program, house, [bytes(32)]),
        Tag.JOIN: instructions.join(
            program,
            player,
            house,
            place=3,
            number=next_number(program, player),
            player_seed=bytes(32),
            chain_tip=bytes(32),
        ),
        Tag.CLOSE_HOUSE: instructions.close_house(program, house),
        Tag.OPEN_BANKROLL: stake_instructions.open_bankroll(program, house, BetLimits(), lamports=1)[1],
        Tag.SET_LIMITS: stake_instructions.set_limits(program, house, BetLimits()),
        Tag.WITHDRAW: stake_instructions.withdraw(program, house, 1),
        Tag.CLOSE_BANKROLL: stake_instructions.close_bankroll(program, house),
        Tag.JOIN_STAKED: stake_instructions.join_staked(
            program,
            player,
            house,
            Stake(program, 5, 6),
            place=3,
            number=next_number(program, player),
            player_seed=bytes(32),
            chain_tip=bytes(32),
        ),
        Tag.SETTLE: stake_instructions.settle(program, house, player, program),
    }
    entry = IDL["instructions"][tag]
    instruction = built[tag]
    assert instruction.data[0] == entry["tag"] == tag
    assert len(instruction.data) == entry["data"]["size"] + (32 if tag is Tag.COMMIT else 0)
    flags = [(meta.is_signer, meta.is_writable) for meta in instruction.accounts]
    assert flags == [(account["is_signer"], account["is_writable"]) for account in entry["accounts"]]


def test_wrong_arguments_of_create_are_refused_before_they_reach_the_chain() -> None:
    program, player, house = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))
    number = next_number(program, player)
    for wrong in (
        {"decks": 9},
        {"player_seed": b"short"},
        {"chain_tip": b""},
        {"number": 2**64},
        {"lamports": 0},
    ):
        arguments: dict[str, Any] = {
            "number": number,
            "player_seed": bytes(32),
            "chain_tip": bytes(32),
            **wrong,
        }
        with pytest.raises(ValueError, match=r"decks|bytes|number|lamports"):
            instructions.create(program, player, house, **arguments)


def documentation() -> str:
    """The rules of the game and the description of its program."""
    pages = ("rules/solana.md", "reference/solana-program.md")
    return "".join((Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8") for page in pages)


def test_the_documentation_has_every_byte_every_instruction_and_every_error() -> None:
    page = documentation()
    rows = [
        f"| {part['offset']} | {part['size']} | `{part['name']}` | {part['kind']} |"
        for account in IDL["accounts"]
        for part in account["fields"]
    ]
    rows += [f"| {error['code']} | `{error['name']}` | {error['meaning']} |" for error in IDL["errors"]]
    rows += [
        f"| {entry['tag']} | `{entry['name']}` | {entry['accounts'][0]['name']} (writable), "
        for entry in IDL["instructions"]
    ]
    assert [row for row in rows if row not in page] == []


def test_the_documentation_has_the_windows_and_the_values() -> None:
    page = documentation().replace("\n", " ")
    assert f"more than {IDL['constants']['REVEAL_WINDOW']} slots" in page
    assert f"more than {IDL['constants']['PLAYER_WINDOW']:,} slots" in page
    for values in (IDL["enums"]["status"], IDL["enums"]["result"]):
        for name, value in values.items():
            assert (
                f"{value} {name.lower().replace('_', ' ').replace('player turn', 'player' + chr(39) + 's turn')}"
                in page
            )
