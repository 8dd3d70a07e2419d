"""Build the program: compile the C of ``program/`` with the clang of PyPI's ``ziglang``, then link it.

The compiler is an extra (``pip install 'croupier[solana-build]'``). Only building needs it: the package contains the
finished program.
"""

import os
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from croupier.errors import InputError
from croupier.extras import needs
from croupier.files import read_bytes
from croupier.solana.toolchain.linker import SbpfVersion, link

#: Version 2 of the BPF instruction set: later ones have 32-bit arithmetic, which the runtime extends differently.
COMPILER_FLAGS = (
    "-target", "bpfel-freestanding", "-mcpu=v2", "-O2", "-ffreestanding", "-fno-builtin",
    "-mllvm", "-bpf-stack-size=4096", "-fno-asynchronous-unwind-tables", "-Wall", "-Wextra", "-Werror", "-c",
)  # fmt: skip

PROGRAM_SOURCE = Path(str(files("croupier.solana") / "program" / "blackjack.c"))
PROGRAM_FILE = Path(str(files("croupier.solana") / "program" / "blackjack.so"))
#: The same program for clusters that do not run SBPF version 3 yet.
OLDER_PROGRAM_FILE = PROGRAM_FILE.with_name("blackjack-v0.so")


class BuildError(InputError):
    """The compiler rejects the source."""


def compile_object(source: Path, include: Path | None = None) -> bytes:
    """Compile one C file to a BPF object; ``include`` is a further folder for headers.

    Raises
    ------
    MissingExtraError
        If there is no compiler.
    BuildError
        If it rejects the source.
    """
    needs("solana-build")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "program.o"
        headers = [] if include is None else ["-I", str(include)]
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "cc",
            *COMPILER_FLAGS,
            *headers,
            source.name,
            "-o",
            str(target),
        ]
        # The compiler's usual cache needs a home folder, and would save nothing here.
        cache = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        compilation = subprocess.run(
            command,
            cwd=source.parent,
            env=os.environ | cache,
            capture_output=True,
            text=True,
            check=False,
        )
        if compilation.returncode != 0:
            raise BuildError(
                f"'{source}' does not compile: {compilation.stderr.strip() or 'no reason given'}"
            )
        return read_bytes(target, what="object file")


def build_program(
    source: Path = PROGRAM_SOURCE, version: SbpfVersion = 3, include: Path | None = None
) -> bytes:
    """Compile and link a program.

    Raises
    ------
    BuildError
        If it does not compile.
    LinkError
        If the runtime would execute it differently from what the compiler meant.
    """
    return link(compile_object(source, include), version)


def read_program(version: SbpfVersion = 3) -> bytes:
    """Return the blackjack program of the package, in SBPF version 3 or, for older clusters, 0.

    >>> read_program()[1:4]
    b'ELF'
    """
    return read_bytes(PROGRAM_FILE if version == 3 else OLDER_PROGRAM_FILE, what="program")


def delivered_programs() -> dict[SbpfVersion, bytes]:
    """Return the programs of the package by their version of the instruction set.

    >>> sorted(delivered_programs())
    [0, 3]
    """
    return {3: read_program(3), 0: read_program(0)}
