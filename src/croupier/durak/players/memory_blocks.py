"""Memory for compiled code, without NumPy.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import mmap
from typing import Any


def zeroed(kind: Any, count: int) -> Any:
    """Return a zeroed array of a ctypes type, which the system provides only as far as it is touched.

    >>> zeroed(ctypes.c_int64, 1_000_000)[999_999]
    0
    """
    return (kind * count).from_buffer(mmap.mmap(-1, count * ctypes.sizeof(kind)))
