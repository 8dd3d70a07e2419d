"""Where kernels run, and how their random streams are cut; light enough for a command line that plays nothing."""

from functools import cache
from typing import Literal, get_args

from croupier.errors import InputError

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


def verify_device(stream: str, device: str) -> None:
    """Raise unless a stream can be played on a device.

    >>> verify_device("blocks", "cuda")
    Traceback (most recent call last):
    croupier.errors.InputError: device 'cuda': a GPU plays the stream 'lanes', not 'blocks'
    """
    for what, name, names in (("stream", stream, get_args(StreamName)), ("device", device, get_args(Device))):
        if name not in names:
            raise InputError(f"{what} '{name}': choose {' or '.join(names)}")
    if device == "cuda" and stream != "lanes":
        raise InputError(f"device 'cuda': a GPU plays the stream 'lanes', not '{stream}'")


def chosen_stream(stream: StreamName | None, device: Device) -> StreamName:
    """Return the stream that is asked for, or the usual one of a device.

    >>> chosen_stream(None, "cuda"), chosen_stream(None, "cpu")
    ('lanes', 'blocks')
    """
    return stream or ("lanes" if device == "cuda" else "blocks")


def usual_workers(device: Device) -> int | None:
    """Return how many threads keep a device busy: two for each GPU, so that one launches while the other counts; None: all processors."""
    if device == "cuda" and why_no_gpu() is None:
        from croupier.numerics.gpu import cuda  # noqa: PLC0415 - needs a GPU

        return 2 * len(cuda.gpus)
    return None
