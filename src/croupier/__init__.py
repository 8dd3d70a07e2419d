"""Croupier: card games played, solved, simulated, evolved and fought out between engines.

The games are `croupier.banluck`, `croupier.blackjack` and `croupier.durak`. Each loads when it is first used, so
``import croupier`` takes no time.

Examples
--------
>>> import croupier
>>> croupier.blackjack.__name__
'croupier.blackjack'
>>> from croupier import banluck
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["__version__", "banluck", "blackjack", "durak"]

if TYPE_CHECKING:
    from croupier import banluck, blackjack, durak

    __version__: str
else:  # hidden from type checkers, so that they refuse a name that is not there

    def __getattr__(name: str) -> object:
        """Load a game, or look the version up: both take longer than the process of a durak engine needs to start."""
        if name == "__version__":
            return import_module("importlib.metadata").version("croupier")
        if name in __all__:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
