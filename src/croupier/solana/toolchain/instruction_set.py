"""The instructions that every version of the runtime executes as the compiler means them.

An SBPF instruction has eight bytes: opcode, registers (destination in the low half, source in the high half), a signed
16-bit offset and a signed 32-bit immediate. ``lddw`` takes two instructions.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from croupier.solana.toolchain.elf import LinkError

INSTRUCTION_SIZE = 8
FRAME_SIZE = 4096
FRAME_POINTER = 10

LOAD_WIDE, CALL, CALL_REGISTER, EXIT, JUMP = 0x18, 0x85, 0x8D, 0x95, 0x05
ADD_IMMEDIATE, MOVE_REGISTER = 0x07, 0xBF

_FORM = struct.Struct("<BBhi")
_LOADS = frozenset((0x61, 0x69, 0x71, 0x79))
_STORES = frozenset((0x62, 0x6A, 0x72, 0x7A, 0x63, 0x6B, 0x73, 0x7B))
_ARITHMETIC = frozenset(
    operation | source | 7
    for operation in (0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x90, 0xA0, 0xB0, 0xC0)
    for source in (0x00, 0x08)
) | {0x87}
_BRANCHES = frozenset(
    condition | source | 5
    for condition in (0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xA0, 0xB0, 0xC0, 0xD0)
    for source in (0x00, 0x08)
) | {JUMP}
_KNOWN = _ARITHMETIC | _BRANCHES | _LOADS | _STORES | {LOAD_WIDE, CALL, EXIT}
_WRITES_REGISTER = _ARITHMETIC | _LOADS | {LOAD_WIDE}
_DIVISIONS_BY_CONSTANT = frozenset((0x37, 0x97))
_SHIFTS_BY_CONSTANT = frozenset((0x67, 0x77, 0xC7))
_SIGNED_DIVISIONS = frozenset((0x37, 0x3F, 0x97, 0x9F))
_BYTE_SWAPS = frozenset((0xD4, 0xDC))
_CLASS_NAMES = {4: "32-bit arithmetic", 6: "a 32-bit comparison"}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, and its place in the code in bytes."""

    place: int
    opcode: int
    destination: int
    source: int
    offset: int
    immediate: int

    @property
    def size(self) -> int:
        """The size in bytes."""
        return 2 * INSTRUCTION_SIZE if self.opcode == LOAD_WIDE else INSTRUCTION_SIZE


def decode(code: bytes) -> Iterator[Instruction]:
    """Split code into instructions.

    Raises
    ------
    LinkError
        If the code ends inside an instruction.

    Examples
    --------
    >>> [instruction.opcode == EXIT for instruction in decode(bytes.fromhex("b700000000000000 9500000000000000"))]
    [False, True]
    >>> list(decode(b"abc"))
    Traceback (most recent call last):
    croupier.solana.toolchain.elf.LinkError: code: 3 bytes are not a multiple of 8
    """
    if len(code) % INSTRUCTION_SIZE:
        raise LinkError(f"code: {len(code)} bytes are not a multiple of {INSTRUCTION_SIZE}")
    place = 0
    while place < len(code):
        opcode, registers, offset, immediate = _FORM.unpack_from(code, place)
        instruction = Instruction(place, opcode, registers & 15, registers >> 4, offset, immediate)
        if place + instruction.size > len(code):
            raise LinkError(f"instruction at {place:#x}: the second half of lddw is missing")
        yield instruction
        place += instruction.size


def verify_code(code: bytes) -> None:
    """Verify that the runtime executes every instruction as the compiler meant it.

    The stack is checked too: each function has a frame of 4,096 bytes, and the bytes below it belong to another
    function.

    Raises
    ------
    LinkError
        If an instruction is not allowed, or reaches outside its frame.
    """
    instructions = list(decode(code))
    if not instructions:
        raise LinkError("code: it is empty")
    starts = {instruction.place for instruction in instructions}
    previous = None
    for instruction in instructions:
        _verify_instruction(instruction)
        _verify_stack(instruction, previous)
        if instruction.opcode == LOAD_WIDE:
            _verify_second_half(code, instruction)
        if instruction.opcode in _BRANCHES:
            target = instruction.place + INSTRUCTION_SIZE * (1 + instruction.offset)
            if target not in starts:
                raise _refusal(instruction, f"it jumps to {target:#x}, where no instruction begins")
        previous = instruction
    if instructions[-1].opcode not in (EXIT, JUMP):
        raise _refusal(instructions[-1], "the code ends here without an exit")


def _verify_instruction(instruction: Instruction) -> None:
    opcode = instruction.opcode
    if opcode not in _KNOWN:
        raise _refusal(instruction, _reason(opcode))
    if opcode in _SIGNED_DIVISIONS and instruction.offset:
        raise _refusal(instruction, "signed division, which the runtime executes as unsigned")
    if opcode in _ARITHMETIC and instruction.offset:
        raise _refusal(instruction, "a sign-extending move, which the runtime executes as a plain one")
    if instruction.destination > FRAME_POINTER or instruction.source > FRAME_POINTER:
        raise _refusal(instruction, "a register above r10")
    if instruction.destination == FRAME_POINTER and opcode in _WRITES_REGISTER:
        raise _refusal(instruction, "it writes the frame pointer r10, which only the runtime moves")
    if opcode in _DIVISIONS_BY_CONSTANT and instruction.immediate == 0:
        raise _refusal(instruction, "a division by the constant zero")
    if opcode in _SHIFTS_BY_CONSTANT and not 0 <= instruction.immediate < 64:
        raise _refusal(instruction, f"a shift by {instruction.immediate}; registers have 64 bits")


def _reason(opcode: int) -> str:
    if opcode & 7 in _CLASS_NAMES and opcode not in _BYTE_SWAPS:
        what = _CLASS_NAMES[opcode & 7]
        return f"{what}, which the runtime extends differently; compile with -mcpu=v2"
    if opcode == CALL_REGISTER:
        return "a call through a pointer, which the versions of the runtime encode differently"
    return f"opcode {opcode:#04x} is not executed alike by all versions of the runtime"


def _verify_stack(instruction: Instruction, previous: Instruction | None) -> None:
    """Raise if an instruction reaches outside the frame, through r10 or through a copy of it that is moved at once."""
    opcode, below = instruction.opcode, None
    base = instruction.source if opcode in _LOADS else instruction.destination
    if opcode in _LOADS | _STORES and base == FRAME_POINTER:
        below = instruction.offset
    elif opcode == ADD_IMMEDIATE and previous is not None and previous.opcode == MOVE_REGISTER:
        is_address = previous.source == FRAME_POINTER and previous.destination == instruction.destination
        below = instruction.immediate if is_address else None
    if below is not None and not -FRAME_SIZE <= below < 0:
        raise _refusal(
            instruction, f"it reaches r10{below:+d}; a stack frame has {FRAME_SIZE} bytes below r10"
        )


def _verify_second_half(code: bytes, instruction: Instruction) -> None:
    opcode, registers, offset, _ = _FORM.unpack_from(code, instruction.place + INSTRUCTION_SIZE)
    if opcode or registers or offset:
        raise _refusal(instruction, "the second half of lddw is not valid")


def _refusal(instruction: Instruction, reason: str) -> LinkError:
    return LinkError(f"instruction at {instruction.place:#x}: {reason}")
