"""Which processor a game runs on.

Of a referee and two engines, only one works at a time. On one processor they hand over to each other in a few microseconds;
across processors each line first wakes a sleeping one, which costs more than the line.
"""

import os
from collections.abc import Iterator
from itertools import cycle, repeat


def processors_for(slots: int) -> Iterator[int | None]:
    """Yield a processor for each of a match's slots; None (any processor) where there are more processors than slots.

    An engine that thinks in several threads, or while it is not its turn, can use the others.

    Examples
    --------
    >>> shares = processors_for(slots=10_000)
    >>> len({next(shares) for _ in range(10_000)}) == len(os.sched_getaffinity(0))
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return repeat(None)
    available = sorted(os.sched_getaffinity(0))
    return cycle(available) if slots >= len(available) else repeat(None)


def keep_to(processor: int | None) -> None:
    """Let the calling thread, and every process that it starts, run on one processor; None changes nothing."""
    if processor is not None:
        os.sched_setaffinity(0, {processor})
