"""Kernels on a GPU, from the functions that the processor runs.

Numba compiles the same Python functions for NVIDIA's GPUs. What has to differ there stands here: what lanes do
together (:mod:`croupier.numerics.together`), where arrays lie, and that there may be no GPU.
"""

from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np
from numba import config
from numba.core.dispatcher import Dispatcher

from croupier.extras import MissingExtraError, needs
from croupier.numerics.kernel_content import names_of
from croupier.numerics.together import add_to, in_any_lane, runs_alone

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it when it is imported; NumPy 2.5 has dropped it
    setattr(np, "row_stack", np.vstack)  # noqa: B010 - unknown to type checkers

#: Numba's CUDA module: that of numba-cuda where it is installed.
cuda: Any = import_module("numba.cuda")

#: Shared memory that a kernel gets without asking for more, in bytes.
SHARED_BYTES = 48 * 1024

#: Threads that run in step.
WARP = 32


def is_simulated() -> bool:
    """Tell whether Numba only simulates a GPU (``NUMBA_ENABLE_CUDASIM=1``), as tests do."""
    return bool(vars(config)["ENABLE_CUDASIM"])


def why_no_gpu() -> str | None:
    """Say why nothing can be played on a GPU; None if it can."""
    if is_simulated():
        return None
    try:
        needs("gpu")
    except MissingExtraError as error:
        return str(error)
    return None if cuda.is_available() else "no NVIDIA GPU is found"


def multiprocessors() -> int:
    """Return how many multiprocessors the GPU has."""
    return 1 if is_simulated() else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def threads_with_shared(width: int, most: int = 128) -> int:
    """Return how many threads a block may have that each use so many bytes of shared memory: whole warps.

    >>> threads_with_shared(316), threads_with_shared(420)
    (128, 96)
    """
    return max(min(most, SHARED_BYTES // width) // WARP * WARP, WARP)


def padded(width: int) -> int:
    """Round a thread's share of shared memory up to an odd number of words: threads at the same place then use different banks.

    >>> padded(316), padded(56)
    (316, 60)
    """
    words = -(-width // 4)
    return 4 * (words + 1 - words % 2)


def grid_shape(lanes: int, threads: int) -> tuple[int, int]:
    """Return how many threads a block of threads has, and how many blocks there are for so many lanes.

    >>> grid_shape(1000, 128)
    (128, 8)
    """
    threads = min(threads, lanes) if is_simulated() else threads
    return threads, -(-lanes // threads)


@cache
def on_gpu(kernel: Any) -> Any:
    """Return a compiled function of ours as a function for the GPU, and with it every one that it calls."""
    if kernel is add_to:
        return _device_function(_add_atomically, is_inlined=True)
    if kernel is in_any_lane and not is_simulated():
        return _device_function(_holds_in_warp, is_inlined=True)
    if kernel is runs_alone:
        return _device_function(_runs_in_step, is_inlined=True)
    function = kernel.py_func
    called = {
        name: on_gpu(value)
        for name in names_of(function.__code__)
        if isinstance(value := function.__globals__.get(name), Dispatcher)
    }
    copy = FunctionType(
        function.__code__,
        {**function.__globals__, **called},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__module__ = function.__module__
    return _device_function(copy, is_inlined=kernel.targetoptions.get("forceinline", False))


def _device_function(function: Any, *, is_inlined: bool) -> Any:
    options = {} if is_simulated() else {"forceinline": is_inlined}
    return cuda.jit(device=True, **options)(function)


def _add_atomically(sums: Any, place: Any, amount: Any) -> None:
    cuda.atomic.add(sums, place, amount)


def _holds_in_warp(condition: bool) -> Any:
    return cuda.any_sync(0xFFFFFFFF, condition)


def _runs_in_step() -> bool:
    return False


def sent(values: Any) -> Any:
    """Copy the arrays of a tuple, and of those within it, to the GPU."""
    if isinstance(values, tuple):
        there = [sent(value) for value in values]
        return type(values)(*there) if hasattr(values, "_fields") else tuple(there)
    return cuda.to_device(values) if hasattr(values, "dtype") and values.shape else values
