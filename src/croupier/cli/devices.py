"""The options ``--device`` and ``--stream``, and the line for somebody who has no GPU."""

from typing import Annotated

import typer

from croupier.numerics.devices import Device, StreamName, missing_gpu

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
