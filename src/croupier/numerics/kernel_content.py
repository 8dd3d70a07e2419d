"""What a kernel is made of, as a digest: its code, the code of every function it calls, and the values of the constants they use.

The code is taken from memory, not from the source file. It is what will be compiled, even if the file has changed since the import.
"""

import hashlib
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

#: What Numba knows by itself. Versions stand for its content.
_LIBRARIES = ("builtins", "llvmlite", "math", "numba", "numpy", "operator", "typing")
_VERSIONS = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, numpy {np.__version__}"

_PLAIN = (type(None), bool, int, float, complex, str, bytes, slice, EllipsisType, np.generic, np.dtype)


def digest_of(kernel: Callable[..., object]) -> str:
    """Return a digest that changes with anything that is compiled into a kernel.

    Raises
    ------
    TypeError
        If the kernel uses a global value of a kind whose content is not known here.

    Examples
    --------
    >>> def half(number: int) -> int:
    ...     return number // DIVISOR
    >>> DIVISOR = 2
    >>> before = digest_of(half)
    >>> def half(number: int) -> int:
    ...     return number // DIVISOR
    >>> DIVISOR = 3
    >>> digest_of(half) == before
    False
    """
    text = "\n".join((_VERSIONS, *sorted(contents_of(kernel).values())))
    return hashlib.sha256(text.encode()).hexdigest()


def contents_of(*kernels: Callable[..., object]) -> dict[Any, str]:
    """Return kernels and every function that is compiled into them, each with its content as text."""
    contents: dict[Any, str] = {}
    waiting: list[Any] = list(kernels)
    while waiting:
        function = waiting.pop()
        if function not in contents:
            contents[function], called = _content(function)
            waiting += called
    return contents


@cache
def _content(used: Any) -> tuple[str, tuple[Any, ...]]:
    """Return a function's code, options and constants as text, and the functions that it uses."""
    function: FunctionType = (
        used.py_func if isinstance(used, Dispatcher) else getattr(used, "__wrapped__", used)
    )
    options = used.targetoptions if isinstance(used, Dispatcher) else {}
    name = f"{function.__module__}.{function.__qualname__}"
    called = []
    lines = [name, repr(sorted(options.items())), _text(function.__code__)]
    lines += [_text(value) for value in (function.__defaults__, *_closure(function))]
    for place, value in _globals_of(function):
        if _is_own_function(value):
            called.append(value)
        try:
            lines.append(f"{place} = {_text(value)}")
        except TypeError as error:
            raise TypeError(f"kernel {name} uses {place}: {error}") from None
    return "\n".join(lines), tuple(called)


def _closure(function: FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def _globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """List the global values that a function names, and what it takes out of modules of ours."""
    names = sorted(set(names_of(function.__code__)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, ModuleType) and not _is_of_library(value.__name__):
                yield from ((f"{name}.{part}", vars(value)[part]) for part in names if part in vars(value))


def names_of(code: CodeType) -> Iterator[str]:
    """List the names of globals and attributes that a function uses."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_of(constant)


def _is_own_function(value: object) -> bool:
    is_function = isinstance(value, Dispatcher | _Intrinsic | FunctionType)
    return is_function and not _is_of_library(getattr(value, "__module__", None) or "")


def _is_of_library(module: str) -> bool:
    return module.partition(".")[0] in _LIBRARIES


def _text(value: object) -> str:
    """Write a value so that equal texts mean equal values, in every process."""
    if isinstance(value, Enum):
        return f"{type(value).__qualname__}.{value.name} = {_text(value.value)}"
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(map(_text, value))})"
    if isinstance(value, frozenset):
        return f"frozenset({', '.join(sorted(map(_text, value)))})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, CodeType):
        return _code_text(value)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
    if _is_own_function(value) or isinstance(value, BuiltinFunctionType | FunctionType):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    raise TypeError(f"a {type(value).__qualname__} has no content that a cached kernel could be compared by")


def _code_text(code: CodeType) -> str:
    parts = (
        code.co_code,
        code.co_exceptiontable,
        code.co_flags,
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
        code.co_consts,
    )
    return _text(parts)
