"""Read relocatable ELF object files for BPF; every byte is checked."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.errors import InputError

MAGIC = b"\x7fELF"
CLASS_64, LITTLE_ENDIAN, CURRENT_VERSION = 2, 1, 1
TYPE_RELOCATABLE, TYPE_SHARED = 1, 3
MACHINE_BPF = 247

FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQ")

SECTION_BITS, SECTION_SYMBOLS, SECTION_RELOCATIONS_WITH_ADDEND = 1, 2, 4
SECTION_NO_BITS, SECTION_RELOCATIONS = 8, 9
FLAG_WRITE, FLAG_ALLOC, FLAG_EXECUTE = 1, 2, 4
UNDEFINED_SECTION, FIRST_RESERVED_SECTION = 0, 0xFF00


class LinkError(InputError):
    """An object file cannot become a Solana program; the message says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an object file with its bytes (none if the file only reserves space)."""

    index: int
    name: str
    kind: int
    flags: int
    size: int
    link: int
    info: int
    alignment: int
    data: bytes

    @property
    def is_code(self) -> bool:
        """Whether the section holds instructions."""
        return bool(self.flags & FLAG_EXECUTE)

    @property
    def is_writable_data(self) -> bool:
        """Whether the section is writable at run time: it is marked so, or has a size but no content."""
        if not self.flags & FLAG_ALLOC:
            return False
        return bool(self.flags & FLAG_WRITE) or self.kind == SECTION_NO_BITS

    @property
    def is_constant_data(self) -> bool:
        """Whether the section holds constants for the program; unwind tables do not count."""
        is_kept = bool(self.flags & FLAG_ALLOC) and not self.is_code and not self.is_writable_data
        return is_kept and self.name != ".eh_frame"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name and its place: a section's index and an offset in the section."""

    name: str
    section: int
    offset: int

    @property
    def is_undefined(self) -> bool:
        """Whether the linker has to resolve it."""
        return self.section == UNDEFINED_SECTION


@dataclass(frozen=True, slots=True)
class Relocation:
    """A place in a section that needs a symbol's address."""

    section: int
    offset: int
    kind: int
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """The parts of an object file that a linker needs."""

    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    relocations: tuple[Relocation, ...]


def read_object(data: bytes) -> ObjectFile:
    """Read an object file.

    Raises
    ------
    LinkError
        If anything in it is broken.

    Examples
    --------
    >>> read_object(b"not an object")
    Traceback (most recent call last):
    croupier.solana.toolchain.elf.LinkError: object file: it does not start like a 64-bit little-endian ELF file
    """
    header = _file_header(data)
    sections = tuple(_sections(data, header))
    symbols = _symbols(sections)
    return ObjectFile(sections, symbols, tuple(_relocations(sections, symbols)))


def _file_header(data: bytes) -> tuple[Any, ...]:
    expected = MAGIC + bytes([CLASS_64, LITTLE_ENDIAN, CURRENT_VERSION])
    if not data.startswith(expected):
        raise LinkError("object file: it does not start like a 64-bit little-endian ELF file")
    header = _unpack(FILE_HEADER, data, 0, "file header")
    if header[1] != TYPE_RELOCATABLE:
        raise LinkError(
            f"object file: its ELF type is {header[1]}; a relocatable object is {TYPE_RELOCATABLE}"
        )
    if header[2] != MACHINE_BPF:
        raise LinkError(f"object file: it is for machine {header[2]}; BPF is {MACHINE_BPF}")
    if header[11] != SECTION_HEADER.size:
        raise LinkError(f"object file: section headers of {header[11]} bytes; expected {SECTION_HEADER.size}")
    return header


def _sections(data: bytes, header: tuple[Any, ...]) -> Iterator[Section]:
    table, count, names_index = header[6], header[12], header[13]
    headers = [
        _unpack(SECTION_HEADER, data, table + index * SECTION_HEADER.size, f"header of section {index}")
        for index in range(count)
    ]
    if names_index >= count:
        raise LinkError(
            f"object file: section names are in section {names_index}, but there are only {count}"
        )
    names = _section_bytes(data, headers[names_index], names_index)
    for index, fields in enumerate(headers):
        name, kind, flags, _address, _offset, size, link, info, alignment, _entry_size = fields
        content = b"" if kind == SECTION_NO_BITS else _section_bytes(data, fields, index)
        yield Section(
            index, _string(names, name, f"section {index}"), kind, flags, size, link, info, alignment, content
        )


def _symbols(sections: tuple[Section, ...]) -> tuple[Symbol, ...]:
    tables = [section for section in sections if section.kind == SECTION_SYMBOLS]
    if len(tables) != 1:
        raise LinkError(f"object file: {len(tables)} symbol tables; an object has one")
    table = tables[0]
    if table.link >= len(sections):
        raise LinkError(
            f"object file: names of symbols are in section {table.link}, but there are only {len(sections)}"
        )
    names = sections[table.link].data
    symbols = []
    for index, fields in enumerate(_records(SYMBOL, table)):
        name, _kind, _visibility, section, value, _size = fields
        if len(sections) <= section < FIRST_RESERVED_SECTION:
            raise LinkError(f"symbol {index}: it is in section {section}, but there are only {len(sections)}")
        text = _string(names, name, f"symbol {index}")
        if not text and section < len(sections):
            text = sections[section].name
        symbols.append(Symbol(text, section, value))
    return tuple(symbols)


def _relocations(sections: tuple[Section, ...], symbols: tuple[Symbol, ...]) -> Iterator[Relocation]:
    for table in sections:
        if table.kind == SECTION_RELOCATIONS_WITH_ADDEND:
            raise LinkError(
                f"section {table.name}: it has relocations with addends, which BPF compilers do not write"
            )
        if table.kind != SECTION_RELOCATIONS:
            continue
        if table.info >= len(sections):
            raise LinkError(f"section {table.name}: it relocates section {table.info}, which does not exist")
        for offset, info in _records(RELOCATION, table):
            if info >> 32 >= len(symbols):
                raise LinkError(
                    f"section {table.name}: a relocation names symbol {info >> 32}, which does not exist"
                )
            yield Relocation(table.info, offset, info & 0xFFFFFFFF, symbols[info >> 32])


def _records(form: struct.Struct, section: Section) -> Iterator[tuple[Any, ...]]:
    if len(section.data) % form.size:
        raise LinkError(
            f"section {section.name}: {len(section.data)} bytes are not a multiple of {form.size}"
        )
    return form.iter_unpack(section.data)


def _section_bytes(data: bytes, header: tuple[Any, ...], index: int) -> bytes:
    offset, size = header[4], header[5]
    if offset + size > len(data):
        raise LinkError(f"section {index}: it ends at byte {offset + size}, but the file has {len(data)}")
    return data[offset : offset + size]


def _unpack(form: struct.Struct, data: bytes, offset: int, what: str) -> tuple[Any, ...]:
    if offset + form.size > len(data):
        raise LinkError(f"{what}: it ends at byte {offset + form.size}, but the file has {len(data)}")
    return form.unpack_from(data, offset)


def _string(names: bytes, offset: int, what: str) -> str:
    end = names.find(b"\0", offset)
    if offset > len(names) or end < 0:
        raise LinkError(f"{what}: its name, at byte {offset} of the names, does not end")
    try:
        return names[offset:end].decode("ascii")
    except UnicodeDecodeError:
        raise LinkError(f"{what}: its name is not ASCII") from None
