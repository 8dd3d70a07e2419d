"""The machine code of the compiled search, kept in a file and loaded without Numba, so that an engine process starts at once.

Importing Numba and loading its cache takes more than a second; llvmlite alone, which links the code here, a tenth of that.
The code is compiled once, by a separate process, and kept under a name made from its sources, the processor and the versions:
if any of them changes, it is compiled again. It is kept where compiled kernels are (:mod:`~croupier.folders`).

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import hashlib
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import croupier
from croupier.folders import CACHE_VARIABLES, cache_folders, writable_cache

_PACKAGE = Path(croupier.__file__).parent

#: Every file whose code ends up in the machine code.
SOURCES = (
    "durak/engine/bit_kernels.py",
    "durak/engine/board_kernels.py",
    "durak/players/drawn_hands_kernel.py",
    "durak/players/endgame_kernel.py",
    "durak/players/hidden_cards_kernel.py",
    "durak/players/known_cards_kernel.py",
    "durak/players/move_kernels.py",
    "durak/players/native_entries_kernel.py",
    "durak/players/network_shapes.py",
    "durak/players/play_model_kernel.py",
    "durak/players/play_out_kernel.py",
    "durak/players/policy_kernels.py",
    "durak/players/policy_network_kernel.py",
    "durak/players/search_kernel.py",
    "durak/players/skilled_policy_kernel.py",
    "durak/players/value_kernel.py",
    "errors.py",
    "folders.py",
    "numerics/compiled.py",
    "numerics/half_words.py",
    "numerics/kernel_cache.py",
    "numerics/kernel_content.py",
    "numerics/random_kernels.py",
)

#: What the machine code depends on besides its sources.
_FURTHER = (
    "durak/players/counter_policy_network.npy",
    "durak/players/counter_value_network.npy",
    "durak/players/native_build.py",
    "durak/players/play_model.npy",
    "durak/players/policy_network.npy",
    "durak/players/value_network.npy",
)

_PREFIX = f"durak-{sys.implementation.cache_tag}-"

#: How many versions of the code are kept, for those who work on several.
_KEPT_VERSIONS = 8

_BUILDER = "croupier.durak.players.native_build"

#: A prefix for Numba's functions that the code names but never reaches. They need names of their own, because symbols are known to
#: the whole process and Numba's code must still find Numba's functions.
UNREACHED = "croupier_unreached_"


class NativeCode(NamedTuple):
    """The functions of :mod:`~croupier.durak.players.native_entries_kernel`, called with numbers and memory of ctypes."""

    search: Callable[..., int]
    hands: Callable[..., int]
    cheap_log_odds: Callable[..., int]
    policy_log_odds: Callable[..., int]
    bounds: Callable[..., int]
    begin_play_outs: Callable[..., int]
    play_out: Callable[..., int]


class _Entry(NamedTuple):
    symbol: str
    size: int
    parameters: str  # one letter each: p memory, i whole number, d fraction
    unresolved: list[str]


@cache
def native_code() -> NativeCode:
    """Return the compiled functions; the first call ever on a machine compiles them, which takes a minute or so.

    Examples
    --------
    >>> native_code() is native_code()
    True
    """
    for folder in cache_folders():
        path = folder / _file_name()
        if path.is_file():
            return _linked(path.read_bytes())
    return _linked(_built())


def is_ready() -> bool:
    """Return whether the code has been compiled on this machine."""
    return any((folder / _file_name()).is_file() for folder in cache_folders())


def packed(entries: list[tuple[str, str, bytes, list[str]]]) -> bytes:
    """Return compiled functions as the content of a file: one line that describes them, then their object code."""
    described = [
        _Entry(symbol, len(code), parameters, unresolved) for symbol, parameters, code, unresolved in entries
    ]
    return json.dumps(described).encode() + b"\n" + b"".join(code for _, _, code, _ in entries)


@cache
def _file_name() -> str:
    """Return a name made from all that the machine code depends on."""
    import llvmlite  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a while, and only a search needs it
    import llvmlite.binding as llvm  # type: ignore[import-untyped]  # noqa: PLC0415

    digest = hashlib.sha256()
    for source in (*SOURCES, *_FURTHER):
        digest.update((_PACKAGE / source).read_bytes())
    digest.update(f"{llvmlite.__version__} {llvm.get_host_cpu_name()}".encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    return f"{_PREFIX}{digest.hexdigest()[:20]}.bin"


def _built() -> bytes:
    """Compile in a separate process, so that neither Numba nor a stale cache of it is loaded into this one."""
    folder = writable_cache()
    with (folder / f"{_PREFIX}lock").open("w") as lock:
        return _built_once(folder / _file_name(), lock.fileno())


def _built_once(target: Path, lock: int) -> bytes:
    """Compile unless another process has done so meanwhile."""
    import fcntl  # noqa: PLC0415 - hardly ever needed, as those below
    import shutil  # noqa: PLC0415
    import subprocess  # noqa: PLC0415

    fcntl.flock(lock, fcntl.LOCK_EX)
    if not target.is_file():
        if sys.stderr.isatty():
            print("durak-master: compiling for this machine, once; a minute or so", file=sys.stderr)
        parts = target.with_suffix(".parts")
        # What a killed compilation left would be taken for whole code.
        shutil.rmtree(parts, ignore_errors=True)
        kept = sorted(
            target.parent.glob(f"{_PREFIX}*.bin"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        for outdated in kept[_KEPT_VERSIONS:]:
            outdated.unlink()
        subprocess.run(
            [sys.executable, "-m", _BUILDER, str(target)],
            env={**os.environ, **dict.fromkeys(CACHE_VARIABLES, str(parts))},
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        shutil.rmtree(parts, ignore_errors=True)
    return target.read_bytes()


def _linked(content: bytes) -> NativeCode:
    import llvmlite.binding as llvm  # noqa: PLC0415

    head, _, code = content.partition(b"\n")
    entries = [_Entry(*entry) for entry in json.loads(head)]
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    stop = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    begin = 0
    for entry in entries:
        for symbol in entry.unresolved:
            if symbol.startswith(UNREACHED):
                llvm.add_symbol(symbol, stop)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code[begin : begin + entry.size]))
        begin += entry.size
    engine.finalize_object()
    _KEPT.append(engine)
    return NativeCode(*(_function(engine, entry) for entry in entries))


#: What owns the machine code: without it the functions would be gone.
_KEPT: list[Any] = []

_TYPES = {"p": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double}


def _function(engine: Any, entry: _Entry) -> Callable[..., int]:
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *(_TYPES[letter] for letter in entry.parameters))
    return prototype(engine.get_function_address(entry.symbol))
