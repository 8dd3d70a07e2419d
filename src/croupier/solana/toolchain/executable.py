"""Write the finished program as SBPF version 3, or version 0 for older clusters."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from croupier.solana.toolchain.elf import (
    CLASS_64,
    CURRENT_VERSION,
    FILE_HEADER,
    FLAG_ALLOC,
    FLAG_EXECUTE,
    FLAG_WRITE,
    LITTLE_ENDIAN,
    MACHINE_BPF,
    MAGIC,
    PROGRAM_HEADER,
    RELOCATION,
    SECTION_BITS,
    SECTION_HEADER,
    SECTION_RELOCATIONS,
    SYMBOL,
    TYPE_SHARED,
)

CONSTANTS_ADDRESS_V3, CODE_ADDRESS_V3 = 0, 1 << 32

_LOAD, _DYNAMIC_SEGMENT = 1, 2
_EXECUTABLE, _WRITABLE, _READABLE = 1, 2, 4
_SECTION_STRINGS, _SECTION_DYNAMIC, _SECTION_DYNAMIC_SYMBOLS = 3, 6, 11
_RELOCATE_ADDRESS, _RELOCATE_CALL = 8, 10
_DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_SYMENT, _DT_REL, _DT_RELSZ, _DT_RELENT = 5, 6, 10, 11, 17, 18, 19
_GLOBAL_UNTYPED = 0x10
_V0_PROGRAM_HEADERS = 3
_V0_CODE_OFFSET = FILE_HEADER.size + _V0_PROGRAM_HEADERS * PROGRAM_HEADER.size


@dataclass(frozen=True, slots=True)
class SystemCall:
    """A call that the version 0 loader has to fill in."""

    place: int
    name: str


@dataclass(frozen=True, slots=True)
class Executable:
    """A program with its addresses filled in, and the places that version 0 leaves to the loader.

    Those places are the system calls, and the ``lddw`` instructions whose address moves with the program.
    """

    code: bytes
    constants: bytes
    entry: int
    calls: tuple[SystemCall, ...]
    addresses: tuple[int, ...]


def write_v3(program: Executable) -> bytes:
    """Write version 3: a header, two segments back to back, and nothing else."""
    count = 2
    start = FILE_HEADER.size + count * PROGRAM_HEADER.size
    constants = _segment(_LOAD, _READABLE, start, CONSTANTS_ADDRESS_V3, len(program.constants))
    code = _segment(_LOAD, _EXECUTABLE, start + len(program.constants), CODE_ADDRESS_V3, len(program.code))
    header = _file_header(entry=CODE_ADDRESS_V3 + program.entry, version=3, segments=count)
    return header + constants + code + program.constants + program.code


def constants_address_v0(code_size: int) -> int:
    """Return the address of the constants in version 0, where addresses are file offsets."""
    return _V0_CODE_OFFSET + code_size


def write_v0(program: Executable) -> bytes:
    """Write version 0: a shared object with sections, dynamic symbols and relocations."""
    names = sorted({call.name for call in program.calls})
    string_table, string_offsets = _strings(names)
    symbols = bytes(SYMBOL.size) + b"".join(
        SYMBOL.pack(string_offsets[name], _GLOBAL_UNTYPED, 0, 0, 0, 0) for name in names
    )
    relocations = b"".join(
        RELOCATION.pack(_V0_CODE_OFFSET + place, _RELOCATE_ADDRESS) for place in program.addresses
    ) + b"".join(
        RELOCATION.pack(_V0_CODE_OFFSET + call.place, (names.index(call.name) + 1) << 32 | _RELOCATE_CALL)
        for call in program.calls
    )
    constants_at = constants_address_v0(len(program.code))
    dynamic_at = constants_at + len(program.constants)
    dynamic_size = 8 * struct.calcsize("<QQ")
    symbols_at = dynamic_at + dynamic_size
    strings_at = symbols_at + len(symbols)
    relocations_at = strings_at + len(string_table)
    dynamic = b"".join(
        struct.pack("<QQ", tag, value)
        for tag, value in (
            (_DT_STRTAB, strings_at),
            (_DT_SYMTAB, symbols_at),
            (_DT_STRSZ, len(string_table)),
            (_DT_SYMENT, SYMBOL.size),
            (_DT_REL, relocations_at),
            (_DT_RELSZ, len(relocations)),
            (_DT_RELENT, RELOCATION.size),
            (0, 0),
        )
    )
    sections = (
        _Part(".text", SECTION_BITS, FLAG_ALLOC | FLAG_EXECUTE, _V0_CODE_OFFSET, program.code),
        _Part(".rodata", SECTION_BITS, FLAG_ALLOC, constants_at, program.constants),
        _Part(".dynamic", _SECTION_DYNAMIC, FLAG_ALLOC | FLAG_WRITE, dynamic_at, dynamic, 16, link=5),
        _Part(
            ".dynsym", _SECTION_DYNAMIC_SYMBOLS, FLAG_ALLOC, symbols_at, symbols, SYMBOL.size, link=5, info=1
        ),
        _Part(".dynstr", _SECTION_STRINGS, FLAG_ALLOC, strings_at, string_table),
        _Part(
            ".rel.dyn", SECTION_RELOCATIONS, FLAG_ALLOC, relocations_at, relocations, RELOCATION.size, link=4
        ),
    )
    segments = (
        _segment(
            _LOAD, _READABLE | _EXECUTABLE, _V0_CODE_OFFSET, _V0_CODE_OFFSET, dynamic_at - _V0_CODE_OFFSET
        )
        + _segment(_LOAD, _READABLE, dynamic_at, dynamic_at, relocations_at + len(relocations) - dynamic_at)
        + _segment(_DYNAMIC_SEGMENT, _READABLE | _WRITABLE, dynamic_at, dynamic_at, dynamic_size)
    )
    return _with_sections(program.entry, segments, sections)


@dataclass(frozen=True, slots=True)
class _Part:
    """A section of version 0; its address is its offset in the file."""

    name: str
    kind: int
    flags: int
    offset: int
    data: bytes
    entry_size: int = 0
    link: int = 0
    info: int = 0


def _with_sections(entry: int, segments: bytes, sections: Sequence[_Part]) -> bytes:
    section_names, name_offsets = _strings([section.name for section in sections] + [".shstrtab"])
    names_at = sections[-1].offset + len(sections[-1].data)
    headers = bytes(SECTION_HEADER.size) + b"".join(
        SECTION_HEADER.pack(
            name_offsets[part.name], part.kind, part.flags, part.offset, part.offset, len(part.data),
            part.link, part.info, 8, part.entry_size,
        )
        for part in sections
    )  # fmt: skip
    headers += SECTION_HEADER.pack(
        name_offsets[".shstrtab"], _SECTION_STRINGS, 0, 0, names_at, len(section_names), 0, 0, 1, 0
    )
    header = _file_header(
        entry=_V0_CODE_OFFSET + entry,
        version=0,
        segments=_V0_PROGRAM_HEADERS,
        section_table=names_at + len(section_names),
        sections=len(sections) + 2,
    )
    content = b"".join(part.data for part in sections)
    return header + segments + content + section_names + headers


def _file_header(
    *, entry: int, version: int, segments: int, section_table: int = 0, sections: int = 0
) -> bytes:
    return FILE_HEADER.pack(
        MAGIC + bytes([CLASS_64, LITTLE_ENDIAN, CURRENT_VERSION]) + bytes(9),
        TYPE_SHARED,
        MACHINE_BPF,
        CURRENT_VERSION,
        entry,
        FILE_HEADER.size,
        section_table,
        version,
        FILE_HEADER.size,
        PROGRAM_HEADER.size,
        segments,
        SECTION_HEADER.size,
        sections,
        max(sections - 1, 0),
    )


def _segment(kind: int, flags: int, offset: int, address: int, size: int) -> bytes:
    return PROGRAM_HEADER.pack(kind, flags, offset, address, address, size, size, 8)


def _strings(names: Sequence[str]) -> tuple[bytes, dict[str, int]]:
    """Return a string table, padded to eight bytes, and where each name begins in it."""
    table, offsets = bytearray(1), {}
    for name in names:
        offsets[name] = len(table)
        table.extend(name.encode() + b"\0")
    table.extend(bytes(-len(table) % 8))
    return bytes(table), offsets
