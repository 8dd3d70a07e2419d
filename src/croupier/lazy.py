"""Public names that load when they are first used.

A package of a game imports nothing by itself: durak engines start by the thousand and import it.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__all__``, ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package
        Its ``__name__``.
    homes
        The names of each module below it, separated by spaces; ``Rules=DurakRules`` where the module calls it otherwise.

    Examples
    --------
    >>> names, load, _ = lazy_names("croupier.durak", {"engine.rules": "Rules=DurakRules", "engine.pack": "beats"})
    >>> names
    ['Rules', 'beats']
    >>> load("Rules")
    <class 'croupier.durak.engine.rules.DurakRules'>
    >>> load("trick")
    Traceback (most recent call last):
    AttributeError: module 'croupier.durak' has no attribute 'trick'
    """
    places = {}
    for module, names in homes.items():
        for entry in names.split():
            name, _, original = entry.partition("=")
            places[name] = f"{package}.{module}", original or name

    def load(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = places[name]
        value = getattr(import_module(module), original)
        setattr(sys.modules[package], name, value)  # from now on found without this function
        return value

    return sorted(places), load, lambda: sorted(places)
