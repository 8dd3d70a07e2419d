"""Work in several threads; compiled code runs without the interpreter's lock.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")
Found = TypeVar("Found")


def side_by_side(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """Do some work with every part, each in a thread of its own, and return what was found; a single part needs no thread.

    >>> side_by_side(abs, [-1, 2])
    [1, 2]
    """
    if len(parts) == 1:
        return [work(parts[0])]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - takes a while, and only several threads need it

    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(work, parts))
