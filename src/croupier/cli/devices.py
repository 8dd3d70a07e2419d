"""The option ``--device``, and the line for somebody who has no GPU."""

from typing import Annotated

import typer

from croupier.numerics.devices import Device, missing_gpu

DeviceOption = Annotated[
    Device,
    typer.Option(
        "--device",
        help="Where to play; cuda is an NVIDIA GPU. Without one, the CPU plays the same rounds.",
    ),
]


def tell_of_missing_gpu(device: Device) -> None:
    """Say that the processor plays if a GPU was asked for and there is none."""
    missing = missing_gpu(device)
    if missing is not None:
        typer.echo(f"croupier: {missing}", err=True)
