"""Where kernels run, and how their random streams are cut; light enough for a command line that plays nothing."""

from functools import cache
from typing import Literal

#: Where kernels run.
Device = Literal["cpu", "cuda"]

#: How the rounds of a run are cut into random streams.
StreamName = Literal["blocks", "lanes"]


@cache
def why_no_gpu() -> str | None:
    """Say why nothing can be played on a GPU here; None if it can."""
    from croupier.numerics import gpu  # noqa: PLC0415 - slow to import, and only asked by who wants a GPU

    return gpu.why_no_gpu()


def missing_gpu(device: Device) -> str | None:
    """Return the line for somebody who asked for a GPU where there is none; None if there is, or nobody asked.

    >>> missing_gpu("cpu") is None
    True
    """
    reason = why_no_gpu() if device == "cuda" else None
    return None if reason is None else f"{reason}; the processor plays instead"
