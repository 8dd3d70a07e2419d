"""How every command prints JSON: one object on one line, with the version of Croupier."""

import json
from collections.abc import Mapping
from typing import Any

import typer

from croupier import __version__


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object and name the version of Croupier in it.

    A saved run keeps the version that it was played with.

    Examples
    --------
    >>> print_json({"version": "0.1.0", "value": 0.5})
    {"version": "0.1.0", "value": 0.5}
    """
    typer.echo(json.dumps({"version": __version__, **data}, allow_nan=False))
