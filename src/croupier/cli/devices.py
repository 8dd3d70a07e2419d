"""The options ``--device`` and ``--stream``, and the line for somebody who has no GPU."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.numerics.devices import Device, StreamName, missing_gpu, usual_workers

if TYPE_CHECKING:
    from croupier.cli.saving import Saving

DeviceOption = Annotated[
    Device,
    typer.Option(
        "--device",
        help="Where to play; cuda is an NVIDIA GPU. Without one, the CPU deals the same cards.",
    ),
]

StreamOption = Annotated[
    StreamName | None,
    typer.Option(
        "--stream",
        help="The random streams: a seed deals other cards on each. lanes with cuda, otherwise blocks.",
    ),
]


def tell_of_missing_gpu(device: Device) -> None:
    """Say that the processor plays if a GPU was asked for and there is none."""
    missing = missing_gpu(device)
    if missing is not None:
        typer.echo(f"croupier: {missing}", err=True)


def saving_on(device: Device, saving: "Saving") -> "Saving":
    """Return how a run on a device is saved and shared out, with the usual workers of the device; say so if there is no GPU."""
    tell_of_missing_gpu(device)
    if saving.workers is None and saving.cluster is None:
        return replace(saving, workers=usual_workers(device))
    return saving
