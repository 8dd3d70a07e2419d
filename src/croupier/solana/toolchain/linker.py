"""Link the compiler's object file into a Solana program.

No linker on PyPI writes the final file: lld refuses BPF, and GNU ld cannot make shared objects for it. The job is
small: put code and constants where the runtime expects them, fill in addresses, number the system calls, and refuse
instructions that the runtime would execute differently from what the compiler meant.

The versions differ in form only. Version 3 has two segments, constants at address 0 and code at 2**32, and needs no
relocation at load time. Version 0 is a shared object whose dynamic relocations the loader resolves.
"""

import struct
from dataclasses import dataclass
from typing import Literal

from croupier.solana.toolchain.elf import LinkError, ObjectFile, Relocation, Section, Symbol, read_object
from croupier.solana.toolchain.executable import (
    Executable,
    SystemCall,
    constants_address_v0,
    write_v0,
    write_v3,
)
from croupier.solana.toolchain.instruction_set import CALL, INSTRUCTION_SIZE, LOAD_WIDE, decode, verify_code
from croupier.solana.toolchain.syscalls import SYSCALLS, murmur3

SbpfVersion = Literal[0, 3]

ENTRY_SYMBOL = "entrypoint"
#: Address 0 stays unused because C takes it for the null pointer.
FIRST_CONSTANT = 8
LARGEST_PROGRAM = 10 * 1024 * 1024

_WIDE, _RELATIVE_CALL = 1, 10
_INTERNAL_CALL = 1
_SYSCALL_NUMBERS = frozenset(murmur3(name.encode()) for name in SYSCALLS)


def link(data: bytes, version: SbpfVersion = 3) -> bytes:
    """Link one object file into a program for the given version of SBPF.

    Raises
    ------
    LinkError
        If the file is broken, or the runtime would execute it differently from what the compiler meant.

    Examples
    --------
    >>> link(b"")
    Traceback (most recent call last):
    croupier.solana.toolchain.elf.LinkError: object file: it does not start like a 64-bit little-endian ELF file
    """
    if version not in (0, 3):
        raise LinkError(f"SBPF version {version}: choose version 0 or 3")
    source = read_object(data)
    _verify_sections(source)
    layout = _lay_out(source, version)
    executable = _relocated(source, layout, version)
    verify_code(executable.code)
    _verify_calls(executable, version)
    return write_v3(executable) if version == 3 else write_v0(executable)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The places of the kept sections, in the code or in the constants."""

    code: bytearray
    constants: bytearray
    code_places: dict[int, int]
    constant_places: dict[int, int]
    constants_address: int


def _verify_sections(source: ObjectFile) -> None:
    for section in source.sections:
        if section.is_writable_data and section.size:
            raise LinkError(
                f"section {section.name}: {section.size} bytes of writable data; a program on Solana keeps nothing "
                "between calls, so make it const or put it on the stack"
            )
    if sum(section.size for section in source.sections) > LARGEST_PROGRAM:
        raise LinkError(f"object file: larger than {LARGEST_PROGRAM} bytes, which no account holds")


def _lay_out(source: ObjectFile, version: SbpfVersion) -> _Layout:
    code, constants = bytearray(), bytearray(FIRST_CONSTANT)
    code_places, constant_places = {}, {}
    for section in source.sections:
        if section.is_code:
            code_places[section.index] = _append(code, section)
        elif section.is_constant_data:
            constant_places[section.index] = _append(constants, section)
    constants.extend(bytes(-len(constants) % INSTRUCTION_SIZE))
    address = 0 if version == 3 else constants_address_v0(len(code))
    return _Layout(code, constants, code_places, constant_places, address)


def _append(content: bytearray, section: Section) -> int:
    if section.alignment > 4096:
        raise LinkError(f"section {section.name}: aligned to {section.alignment} bytes; the maximum is 4096")
    content.extend(bytes(-len(content) % max(section.alignment, 1)))
    place = len(content)
    content.extend(section.data)
    return place


def _relocated(source: ObjectFile, layout: _Layout, version: SbpfVersion) -> Executable:
    calls: list[SystemCall] = []
    addresses: list[int] = []
    for relocation in source.relocations:
        if relocation.section in layout.constant_places:
            raise LinkError(
                f"constant data: it holds the address of '{relocation.symbol.name}'; pointers in constants would need "
                "relocation at load time, which version 3 does not have"
            )
        if relocation.section not in layout.code_places:
            continue  # debug and unwind tables are not kept
        place = layout.code_places[relocation.section] + relocation.offset
        _verify_place(layout, place, relocation)
        if relocation.kind == _RELATIVE_CALL:
            call = _resolve_call(layout, place, relocation.symbol, version)
            calls.extend(call)
        elif relocation.kind == _WIDE:
            _resolve_address(layout, place, relocation.symbol)
            addresses.append(place)
        else:
            raise LinkError(
                f"instruction at {place:#x}: relocation of kind {relocation.kind}; only 1 and 10 are supported"
            )
    entry = _entry(source, layout)
    return Executable(bytes(layout.code), bytes(layout.constants), entry, tuple(calls), tuple(addresses))


def _verify_place(layout: _Layout, place: int, relocation: Relocation) -> None:
    """Raise unless the relocation is at an instruction of its kind."""
    wanted = {_RELATIVE_CALL: (CALL, 8), _WIDE: (LOAD_WIDE, 16)}.get(relocation.kind)
    if wanted is None:
        return
    opcode, size = wanted
    if place % INSTRUCTION_SIZE or place + size > len(layout.code) or layout.code[place] != opcode:
        raise LinkError(
            f"relocation for '{relocation.symbol.name}': there is no instruction {opcode:#04x} at {place:#x}"
        )


def _resolve_call(
    layout: _Layout, place: int, symbol: Symbol, version: SbpfVersion
) -> tuple[SystemCall, ...]:
    """Fill in a call: relative for a function of the program, by the hash of its name for a system call."""
    if not symbol.is_undefined:
        (addend,) = struct.unpack_from("<i", layout.code, place + 4)
        target = _code_place(layout, symbol) + (addend + 1) * INSTRUCTION_SIZE
        relative = (target - place) // INSTRUCTION_SIZE - 1
        if not -(2**31) <= relative < 2**31:
            raise LinkError(f"instruction at {place:#x}: '{symbol.name}' is too far away")
        _write_call(layout.code, place, _INTERNAL_CALL, relative)
        return ()
    if symbol.name not in SYSCALLS:
        raise LinkError(f"instruction at {place:#x}: it calls '{symbol.name}'{_advice(symbol.name)}")
    if version == 3:
        number = murmur3(symbol.name.encode())
        _write_call(layout.code, place, 0, number - 2**32 if number >= 2**31 else number)
        return ()
    _write_call(layout.code, place, _INTERNAL_CALL, -1)
    return (SystemCall(place, symbol.name),)


def _advice(name: str) -> str:
    if f"sol_{name}_" in SYSCALLS:
        return f", which the runtime calls sol_{name}_; call that"
    if name.startswith("__"):
        return ", a compiler routine for 128-bit or floating-point arithmetic; the program must avoid these"
    return ", which is neither a function of the program nor a system call of the runtime"


def _resolve_address(layout: _Layout, place: int, symbol: Symbol) -> None:
    if symbol.is_undefined:
        raise LinkError(
            f"instruction at {place:#x}: it takes the address of '{symbol.name}', which does not exist"
        )
    if symbol.section not in layout.constant_places:
        raise LinkError(
            f"instruction at {place:#x}: it takes the address of '{symbol.name}', which is not constant data; "
            "functions cannot be called through pointers"
        )
    (addend,) = struct.unpack_from("<I", layout.code, place + 4)
    offset = layout.constant_places[symbol.section] + symbol.offset + addend
    if offset > len(layout.constants):
        raise LinkError(
            f"instruction at {place:#x}: '{symbol.name}' lies {offset} bytes into the constants, past their end"
        )
    address = layout.constants_address + offset
    struct.pack_into("<I", layout.code, place + 4, address)
    struct.pack_into("<I", layout.code, place + 12, 0)


def _entry(source: ObjectFile, layout: _Layout) -> int:
    for symbol in source.symbols:
        if symbol.name == ENTRY_SYMBOL and not symbol.is_undefined:
            place = _code_place(layout, symbol)
            if place % INSTRUCTION_SIZE or place >= len(layout.code):
                raise LinkError(f"'{ENTRY_SYMBOL}' lies at {place:#x}, where no instruction begins")
            return place
    raise LinkError(f"object file: it has no function '{ENTRY_SYMBOL}', where the runtime starts")


def _code_place(layout: _Layout, symbol: Symbol) -> int:
    if symbol.section not in layout.code_places:
        raise LinkError(f"'{symbol.name}' is called, but it is not in a code section")
    return layout.code_places[symbol.section] + symbol.offset


def _write_call(code: bytearray, place: int, source: int, immediate: int) -> None:
    struct.pack_into("<BBhi", code, place, CALL, source << 4, 0, immediate)


def _verify_calls(program: Executable, version: SbpfVersion) -> None:
    """Raise if a call leads nowhere, for example because its relocation is missing."""
    instructions = list(decode(program.code))
    starts = {instruction.place for instruction in instructions}
    left_to_loader = {call.place for call in program.calls}
    for instruction in instructions:
        if instruction.opcode != CALL or instruction.place in left_to_loader:
            continue
        target = instruction.place + INSTRUCTION_SIZE * (1 + instruction.immediate)
        if version == 3 and instruction.source == 0:
            leads_somewhere = instruction.immediate % 2**32 in _SYSCALL_NUMBERS
        else:
            is_elsewhere = target in starts and target != instruction.place
            leads_somewhere = instruction.source == _INTERNAL_CALL and is_elsewhere
        if not leads_somewhere:
            raise LinkError(f"instruction at {instruction.place:#x}: a call that leads nowhere")
