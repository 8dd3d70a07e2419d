"""Libraries that only some parts of Croupier need, and the one line for a person who does not have them.

Croupier installs small. What needs more calls :func:`needs` before it imports more.
"""

from importlib.util import find_spec

from croupier.errors import InputError

#: What each extra brings, as it is imported; a test compares this with pyproject.toml.
EXTRAS = {
    "cluster": ("distributed",),
    "gpu": ("numba_cuda",),
    "logviewer": ("textual",),
    "openspiel": ("open_spiel", "pyspiel"),
    "plots": ("jinja2", "matplotlib", "pandas", "plotly", "reportlab", "resvg_py", "seaborn"),
    "postgres": ("psycopg",),
    "rl": ("PIL", "gymnasium", "pettingzoo", "resvg_py"),
    "solana": ("solana", "solders"),
    "solana-build": ("ziglang",),
    "training": ("torch",),
    "web": ("fastapi", "nicegui", "plotly", "segno", "uvicorn"),
}


class MissingExtraError(InputError, ImportError):
    """A library that an extra brings is not installed; the message says what to run."""


def needs(extra: str) -> None:
    """Do nothing if an extra is installed; otherwise say how to install it.

    Raises
    ------
    MissingExtraError
        If one of its libraries is missing.

    Examples
    --------
    >>> needs("plots")
    """
    for library in EXTRAS[extra]:
        if find_spec(library) is None:
            raise MissingExtraError(f"{library} is not installed; run: pip install 'croupier[{extra}]'")
