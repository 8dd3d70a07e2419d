"""The program that compiles the search to machine code: ``python -m croupier.durak.players.native_build FILE``."""

import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from numba import cfunc, types

from croupier.durak.players.native_code import UNREACHED, packed
from croupier.durak.players.native_entries_kernel import ENTRIES
from croupier.files import write_bytes

#: Symbols of Numba that the code names in places which it never reaches: it allocates nothing and raises nothing.
_OF_NUMBA = ("NRT_", "numba_")


def object_code() -> bytes:
    """Compile every entry and return the content of the file that engine processes load."""
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        codemodel="jitdefault",
        jit=True,
    )
    entries = []
    for function, parameters in ENTRIES:
        callback = cfunc(types.int64(*parameters), cache=True)(function)
        module = llvm.parse_assembly(callback.inspect_llvm())
        for declared in module.functions:
            if declared.is_declaration and declared.name.startswith(_OF_NUMBA):
                declared.name = UNREACHED + declared.name
        unresolved = [declared.name for declared in module.functions if declared.is_declaration]
        letters = "".join(_letter(parameter) for parameter in parameters)
        entries.append((callback.native_name, letters, machine.emit_object(module), unresolved))
    return packed(entries)


def _letter(parameter: Any) -> str:
    if isinstance(parameter, types.CPointer):
        return "p"
    return "d" if parameter == types.float64 else "i"


def main() -> None:
    """Compile and write the file, whole or not at all."""
    write_bytes(Path(sys.argv[1]), object_code(), what="compiled code")


if __name__ == "__main__":
    main()
