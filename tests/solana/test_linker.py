"""The linker: its programs run as the C says; code that the runtime would misexecute is refused, with its place."""

import importlib.util
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solders.instruction import Instruction
from solders.message import Message
from solders.transaction import Transaction
from solders.transaction_metadata import TransactionMetadata

from croupier.solana.local_chain import LocalChain
from croupier.solana.toolchain.compiler import COMPILER_FLAGS, compile_object
from croupier.solana.toolchain.elf import (
    FILE_HEADER,
    RELOCATION,
    SECTION_HEADER,
    SYMBOL,
    LinkError,
    read_object,
)
from croupier.solana.toolchain.instruction_set import verify_code
from croupier.solana.toolchain.linker import SbpfVersion, link
from croupier.solana.toolchain.syscalls import murmur3

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="the compiler (ziglang) is not installed"
)
PROGRAMS = Path(__file__).parent / "programs"

EXIT = bytes.fromhex("9500000000000000")
CALL = bytes.fromhex("85100000ffffffff")
LOAD_WIDE = bytes.fromhex("1801000000000000 0000000000000000")
TEXT, CONSTANTS, DATA = 1, 2, 3


@dataclass
class Draft:
    """An object file to write: code, constants, writable data, symbols and relocations."""

    code: bytes = EXIT
    constants: bytes = b""
    data: bytes = b""
    symbols: list[tuple[str, int, int]] = field(default_factory=lambda: [("entrypoint", TEXT, 0)])
    relocations: list[tuple[int, int, str]] = field(default_factory=list)
    constant_relocations: list[tuple[int, int, str]] = field(default_factory=list)

    def write(self) -> bytes:
        """Write the object: sections .text, .rodata, .data, .rel.text, .rel.rodata, .symtab, .strtab."""
        names = [name for name, _, _ in self.symbols]
        sections = [".text", ".rodata", ".data", ".rel.text", ".rel.rodata", ".symtab", ".strtab"]
        strings = b"\0" + b"".join(text.encode() + b"\0" for text in [*sections, *names])

        def place(text: str) -> int:
            return strings.index(b"\0" + text.encode() + b"\0") + 1

        def table(entries: list[tuple[int, int, str]]) -> bytes:
            return b"".join(
                RELOCATION.pack(offset, (names.index(name) + 1) << 32 | kind)
                for offset, kind, name in entries
            )

        symbols = bytes(SYMBOL.size) + b"".join(
            SYMBOL.pack(place(name), 0x12, 0, section, value, 0) for name, section, value in self.symbols
        )
        contents = [
            (self.code, 1, 6, 0, 0),
            (self.constants, 1, 2, 0, 0),
            (self.data, 1, 3, 0, 0),
            (table(self.relocations), 9, 0, 6, 1),
            (table(self.constant_relocations), 9, 0, 6, 2),
            (symbols, 2, 0, 7, 1),
            (strings, 3, 0, 0, 0),
        ]
        body, headers = b"", bytes(SECTION_HEADER.size)
        for title, (content, kind, flags, linked, info) in zip(sections, contents, strict=True):
            offset = FILE_HEADER.size + len(body)
            headers += SECTION_HEADER.pack(
                place(title), kind, flags, 0, offset, len(content), linked, info, 8, 0
            )
            body += content + bytes(-len(content) % 8)
        start = FILE_HEADER.size + len(body)
        header = FILE_HEADER.pack(
            b"\x7fELF\2\1\1" + bytes(9), 1, 247, 1, 0, 0, start, 0, 64, 0, 0, 64, len(contents) + 1, 7
        )
        return header + body + headers


def instruction(
    opcode: int, destination: int = 0, source: int = 0, offset: int = 0, immediate: int = 0
) -> bytes:
    return struct.pack("<BBhi", opcode, source << 4 | destination, offset, immediate)


# ---- linked programs run ----


@needs_compiler
@pytest.mark.parametrize("version", [0, 3])
def test_linked_code_computes_what_the_c_source_says(version: SbpfVersion) -> None:
    chain = LocalChain()
    chain.deploy(link(compile_object(PROGRAMS / "arithmetic.c"), version))
    payer = chain.funded_key()
    message = Message([Instruction(chain.program, b"", [])], payer.pubkey())
    result = chain.svm.send_transaction(Transaction([payer], message, chain.svm.latest_blockhash()))
    assert isinstance(result, TransactionMetadata)
    first = sum([1, 1000, 10**6, 10**9][place] * place for place in range(4))
    second = 0
    for letter in b"croupier":
        second = second * 31 + letter
    mask = 2**64 - 1
    third = (first * 3 + second * 5 + mask // 7 + 12345678901234567 % 11 + (1 << 60)) & mask
    frames = [[level * 1000 + place for place in range(400)] for level in range(6)]
    fourth = sum(map(sum, frames)) + sum(frame[0] for frame in frames[1:]) + 17
    assert struct.unpack("<4Q", bytes(result.return_data().data)) == (first, second, third, fourth)


def test_the_smallest_program_has_the_headers_of_version_3() -> None:
    program = link(Draft(constants=b"abc").write())
    header = FILE_HEADER.unpack_from(program)
    assert header[1:5] == (3, 247, 1, 1 << 32)
    assert header[7] == 3
    constants, code = (struct.unpack_from("<IIQQQQQQ", program, 64 + 56 * index) for index in range(2))
    assert constants == (1, 4, 176, 0, 0, 16, 16, 8)
    assert code == (1, 1, 192, 1 << 32, 1 << 32, 8, 8, 8)
    assert program[176:] == bytes(8) + b"abc" + bytes(5) + EXIT


def test_the_entry_point_may_lie_anywhere_in_the_code() -> None:
    draft = Draft(code=EXIT + EXIT, symbols=[("entrypoint", TEXT, 8)])
    assert FILE_HEADER.unpack_from(link(draft.write()))[4] == (1 << 32) + 8
    LocalChain().deploy(link(draft.write()))


def test_a_system_call_becomes_the_hash_of_its_name() -> None:
    draft = Draft(
        CALL + EXIT, symbols=[("entrypoint", TEXT, 0), ("sol_log_", 0, 0)], relocations=[(0, 10, "sol_log_")]
    )
    assert link(draft.write())[-16:] == b"\x85\0\0\0" + murmur3(b"sol_log_").to_bytes(4, "little") + EXIT


def test_a_call_in_the_program_becomes_relative() -> None:
    code = CALL + EXIT + EXIT
    draft = Draft(
        code, symbols=[("entrypoint", TEXT, 0), ("other", TEXT, 16)], relocations=[(0, 10, "other")]
    )
    assert link(draft.write())[-24:-16] == bytes.fromhex("8510000001000000")


def test_no_constant_lies_at_address_zero() -> None:
    draft = Draft(
        LOAD_WIDE + EXIT,
        constants=b"12345678",
        symbols=[("entrypoint", TEXT, 0), ("word", CONSTANTS, 0)],
        relocations=[(0, 1, "word")],
    )
    assert link(draft.write())[-24:-8] == bytes.fromhex("1801000008000000 0000000000000000")


# ---- refused code ----


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (instruction(0x04), r"instruction at 0x0: 32-bit arithmetic.*-mcpu=v2"),
        (instruction(0xBC, 1, 2), "32-bit arithmetic"),
        (instruction(0x16), "a 32-bit comparison"),
        (instruction(0x37, offset=1, immediate=3), "signed division"),
        (instruction(0x9F, 1, 2, offset=1), "signed division"),
        (instruction(0xBF, 1, 2, offset=8), "a sign-extending move"),
        (instruction(0x8D, 1), "a call through a pointer"),
        (instruction(0xDC, 1, immediate=16), "opcode 0xdc"),
        (instruction(0xD7, 1, immediate=16), "opcode 0xd7"),
        (instruction(0xDB, 1, 2), "opcode 0xdb"),
        (instruction(0x81, 1, 2), "opcode 0x81"),
        (instruction(0x00), "opcode 0x00"),
        (instruction(0xB7, 11), "a register above r10"),
        (instruction(0xBF, 1, 12), "a register above r10"),
        (instruction(0x07, 10, immediate=-64), "it writes the frame pointer"),
        (instruction(0x79, 10, 1), "it writes the frame pointer"),
        (instruction(0x37, 1, immediate=0), "a division by the constant zero"),
        (instruction(0x97, 1, immediate=0), "a division by the constant zero"),
        (instruction(0x67, 1, immediate=64), "a shift by 64"),
        (instruction(0x77, 1, immediate=-1), "a shift by -1"),
        (instruction(0x7B, 10, 1, offset=-4104), "reaches r10-4104; a stack frame has 4096"),
        (instruction(0x79, 1, 10, offset=8), r"reaches r10\+8"),
        (instruction(0xBF, 1, 10) + instruction(0x07, 1, immediate=-5000), "reaches r10-5000"),
        (instruction(0x05, offset=5), "it jumps to 0x30, where no instruction begins"),
        (instruction(0x05, offset=-2), "it jumps to -0x8"),
        (instruction(0x15, offset=1) + LOAD_WIDE, "it jumps to 0x10, where no instruction begins"),
        (instruction(0x18) + instruction(0x07), "the second half of lddw is not valid"),
        (instruction(0x85, source=1, immediate=9), "a call that leads nowhere"),
        (CALL, "a call that leads nowhere"),
        (instruction(0x85, immediate=123), "a call that leads nowhere"),
    ],
)
def test_code_that_would_be_misexecuted_is_refused(code: bytes, reason: str) -> None:
    with pytest.raises(LinkError, match=reason):
        link(Draft(code + EXIT).write())


def test_a_call_without_its_relocation_is_refused_in_version_0_too() -> None:
    with pytest.raises(LinkError, match="a call that leads nowhere"):
        link(Draft(CALL + EXIT).write(), 0)


def test_the_place_of_a_bad_instruction_is_named() -> None:
    with pytest.raises(LinkError, match="instruction at 0x18: 32-bit"):
        link(Draft(LOAD_WIDE + instruction(0xB7) + instruction(0x04) + EXIT).write())


def test_code_must_end_with_an_exit() -> None:
    with pytest.raises(LinkError, match="ends here without an exit"):
        verify_code(instruction(0xB7))
    with pytest.raises(LinkError, match="code: it is empty"):
        verify_code(b"")
    with pytest.raises(LinkError, match="second half of lddw is missing"):
        verify_code(LOAD_WIDE[:8])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sol_log", "calls 'sol_log', which is neither a function of the program nor a system call"),
        ("memcpy", "calls 'memcpy', which the runtime calls sol_memcpy_"),
        ("__multi3", "calls '__multi3', a compiler routine for 128-bit"),
    ],
)
def test_unknown_calls_are_refused_by_name(name: str, reason: str) -> None:
    draft = Draft(CALL + EXIT, symbols=[("entrypoint", TEXT, 0), (name, 0, 0)], relocations=[(0, 10, name)])
    with pytest.raises(LinkError, match=reason):
        link(draft.write())


def test_writable_data_is_refused() -> None:
    with pytest.raises(LinkError, match=r"section \.data: 4 bytes of writable data"):
        link(Draft(data=b"1234").write())


def test_pointers_in_constants_are_refused() -> None:
    draft = Draft(constants=bytes(8), constant_relocations=[(0, 2, "entrypoint")])
    with pytest.raises(LinkError, match="constant data: it holds the address of 'entrypoint'"):
        link(draft.write())


def test_addresses_of_functions_are_refused() -> None:
    draft = Draft(LOAD_WIDE + EXIT, relocations=[(0, 1, "entrypoint")])
    with pytest.raises(LinkError, match="address of 'entrypoint', which is not constant data"):
        link(draft.write())


def test_addresses_of_nothing_are_refused() -> None:
    draft = Draft(
        LOAD_WIDE + EXIT, symbols=[("entrypoint", TEXT, 0), ("gone", 0, 0)], relocations=[(0, 1, "gone")]
    )
    with pytest.raises(LinkError, match="the address of 'gone', which does not exist"):
        link(draft.write())
    draft = Draft(
        LOAD_WIDE + EXIT,
        constants=bytes(8),
        symbols=[("entrypoint", TEXT, 0), ("far", CONSTANTS, 99)],
        relocations=[(0, 1, "far")],
    )
    with pytest.raises(LinkError, match="past their end"):
        link(draft.write())


def test_a_program_needs_an_entry_point() -> None:
    with pytest.raises(LinkError, match="no function 'entrypoint'"):
        link(Draft(symbols=[("start", TEXT, 0)]).write())
    with pytest.raises(LinkError, match="not in a code section"):
        link(Draft(constants=b"x", symbols=[("entrypoint", CONSTANTS, 0)]).write())
    with pytest.raises(LinkError, match="where no instruction begins"):
        link(Draft(symbols=[("entrypoint", TEXT, 4)]).write())


@pytest.mark.parametrize(("place", "kind"), [(0, 10), (4, 1), (16, 10), (2**63, 1), (24, 1)])
def test_a_relocation_must_sit_on_an_instruction_of_its_kind(place: int, kind: int) -> None:
    draft = Draft(LOAD_WIDE + EXIT, relocations=[(place, kind, "entrypoint")])
    with pytest.raises(LinkError, match="there is no instruction"):
        link(draft.write())


def test_an_unknown_relocation_is_refused() -> None:
    with pytest.raises(LinkError, match="relocation of kind 3"):
        link(Draft(relocations=[(0, 3, "entrypoint")]).write())


def test_only_versions_0_and_3_are_linked() -> None:
    with pytest.raises(LinkError, match="SBPF version 2"):
        link(Draft().write(), 2)  # type: ignore[arg-type]


@needs_compiler
@pytest.mark.parametrize(
    ("source", "flags", "reason"),
    [
        ("u64 entrypoint(const unsigned *in) { return in[0] * in[1]; }", ("-mcpu=v3",), "32-bit arithmetic"),
        ("static u64 calls; u64 entrypoint(void) { return calls++; }", (), "writable data"),
        ("extern u64 sol_sleep(u64); u64 entrypoint(void) { return sol_sleep(3); }", (), "sol_sleep"),
        (
            "extern void memcpy(void *, void *, u64); u64 entrypoint(char *in) { memcpy(in, in + 8, 8); return 0; }",
            (),
            "memcpy.*sol_memcpy_",
        ),
        (
            "u64 entrypoint(u64 *in) { volatile u64 x[700]; for (u64 i = 0; i < 700; i++) x[i] = *in; return x[5]; }",
            ("-mllvm", "-bpf-stack-size=8192"),
            "a stack frame has 4096",
        ),
    ],
)
def test_what_a_real_compiler_can_produce_is_refused(
    tmp_path: Path, source: str, flags: tuple[str, ...], reason: str
) -> None:
    file, target = tmp_path / "wrong.c", tmp_path / "wrong.o"
    file.write_text(f"typedef unsigned long long u64;\n{source}\n", encoding="utf-8")
    base = [flag for flag in COMPILER_FLAGS if flag != "-Werror"]
    if "-mllvm" in flags:
        base = [flag for flag in base if flag not in ("-mllvm", "-bpf-stack-size=4096")]
    command = [sys.executable, "-m", "ziglang", "cc", *base, *flags, str(file), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(LinkError, match=reason):
        link(target.read_bytes())


# ---- broken files ----

WHOLE = Draft(
    LOAD_WIDE + CALL + CALL + EXIT + EXIT,
    constants=b"12345678",
    symbols=[("entrypoint", TEXT, 0), ("word", CONSTANTS, 0), ("sol_log_", 0, 0), ("other", TEXT, 40)],
    relocations=[(0, 1, "word"), (16, 10, "sol_log_"), (24, 10, "other")],
).write()


def test_the_whole_file_links() -> None:
    for version in (0, 3):
        LocalChain().deploy(link(WHOLE, version))


def test_a_file_cut_off_anywhere_is_refused() -> None:
    for size in range(len(WHOLE)):
        with pytest.raises(LinkError):
            link(WHOLE[:size])


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (4, b"\1", "64-bit little-endian ELF file"),
        (5, b"\2", "64-bit little-endian ELF file"),
        (16, b"\3\0", "ELF type is 3"),
        (18, b"\x3e\0", "machine 62"),
        (58, b"\x38\0", "section headers of 56 bytes"),
        (62, b"\x63\0", "section names are in section 99"),
    ],
)
def test_a_wrong_file_header_is_refused(place: int, value: bytes, reason: str) -> None:
    with pytest.raises(LinkError, match=reason):
        link(WHOLE[:place] + value + WHOLE[place + len(value) :])


@given(st.binary(max_size=400))
@settings(max_examples=200)
def test_arbitrary_bytes_give_nothing_but_a_link_error(data: bytes) -> None:
    with pytest.raises(LinkError):
        link(data)
    with pytest.raises(LinkError):
        read_object(WHOLE[:64] + data)


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=4))
@settings(max_examples=600)
def test_a_damaged_file_links_or_is_refused_but_never_crashes_the_linker(
    damage: list[tuple[int, int]],
) -> None:
    data = bytearray(WHOLE)
    for place, value in damage:
        data[place] = value
    for version in (0, 3):
        try:
            assert link(bytes(data), version)[:4] == b"\x7fELF"
        except LinkError as error:
            assert str(error)  # noqa: PT017 - either outcome is right
