"""When Python looks for garbage.

Objects that refer to each other, as those of a page do, are freed by the garbage collector only. A full collection walks through all
objects of the process, some two thousand a page, and nobody is answered meanwhile: with five hundred pages for half a second.
Python starts one whenever the objects have grown by a quarter. Here the program itself is left out, full collections become rare,
and pages that were closed are collected together.
"""

import gc

from nicegui import Client, app

#: After so many new objects the youngest are looked at, after so many of these times the next older ones, and then all.
THRESHOLDS = (10_000, 10, 100)

#: How many closed pages are worth a full collection; with many open pages, which make it slow, half as many as are open.
CLOSED_PAGES = 100


class ClosedPages:
    """Counts closed pages, and says when to collect what they have left behind.

    >>> closed = ClosedPages()
    >>> [number for number in range(1, 1001) if closed.is_enough(open_pages=600)]
    [300, 600, 900]
    """

    def __init__(self) -> None:
        self._count = 0

    def is_enough(self, open_pages: int) -> bool:
        """Count one more, and tell whether that is enough for a collection."""
        self._count += 1
        if self._count < max(CLOSED_PAGES, open_pages // 2):
            return False
        self._count = 0
        return True


def collect_by_pages() -> None:
    """Leave what is loaded so far out of all collections, and collect when enough pages were closed."""
    closed = ClosedPages()

    def collect_if_enough() -> None:
        if closed.is_enough(len(Client.instances)):
            gc.collect()

    app.on_delete(collect_if_enough)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
