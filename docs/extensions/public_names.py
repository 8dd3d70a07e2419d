"""Show every public name of a module: ``.. public-names:: croupier.banluck``, and ``.. name-list::`` for one line each.

The names are those of the module's ``__all__``, so a new name is in the reference as soon as it is public.
"""

from collections.abc import Mapping
from importlib import import_module
from inspect import getdoc

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from croupier.rulebook import Rules

PACKAGES = ("croupier.banluck", "croupier.blackjack", "croupier.durak", "croupier.environments")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    for module in PACKAGES:
        for name, thing in public_names(module).items():
            if hasattr(thing, "__name__"):  # BanluckRules is public as Rules, and no alias
                thing.__name__ = name
    app.add_directive("public-names", PublicNames)
    app.add_directive("name-list", NameList)
    return {"parallel_read_safe": True}


def public_names(module: str) -> dict[str, object]:
    """Return the public names of a module: functions first, then the classes that they take and return.

    >>> list(public_names("croupier.durak"))[:3]
    ['beats', 'cards_text', 'match']
    """
    package = import_module(module)
    things = {name: getattr(package, name) for name in package.__all__}
    return dict(sorted(things.items(), key=lambda entry: (isinstance(entry[1], type), entry[0].lower())))


class PublicNames(SphinxDirective):
    """Every public name with its whole docstring."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the entries of a module."""
        (module,) = self.arguments
        entries = [_entry(f"{module}.{name}", thing) for name, thing in public_names(module).items()]
        return self.parse_text_to_nodes("\n".join(entries))


class NameList(SphinxDirective):
    """A module with one line for each of its public names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        (module,) = self.arguments
        lines = [f":doc:`{module} <{module.removeprefix('croupier.')}>`", ""]
        for name, thing in public_names(module).items():
            role = "class" if isinstance(thing, type) else "func" if callable(thing) else "data"
            lines += [f":py:{role}:`{name} <{module}.{name}>`", f"   {_summary(thing)}"]
        return self.parse_text_to_nodes("\n".join(lines))


def _entry(path: str, thing: object) -> str:
    """Return the directive for one name.

    >>> print(_entry("croupier.durak.beats", len))
    .. autofunction:: croupier.durak.beats
    <BLANKLINE>
    """
    if isinstance(thing, Mapping):
        module, _, name = path.rpartition(".")
        return f".. py:data:: {name}\n   :module: {module}\n   :type: Mapping\n\n   {_summary(thing)}\n"
    if not isinstance(thing, type):
        return f".. autofunction:: {path}\n"
    if issubclass(thing, Rules):  # its options are on the page of the rules
        return f".. autoclass:: {path}\n"
    return f".. autoclass:: {path}\n   :members:\n   :inherited-members: object, tuple, str, int, VectorEnv\n"


def _summary(thing: object) -> str:
    """Return what a thing is, in a line.

    >>> _summary(len)
    'Return the number of items in a container.'
    >>> _summary({"six-deck": 1, "european": 2})
    'Rules by the name of their preset: six-deck, european.'
    """
    if isinstance(thing, Mapping):
        return f"Rules by the name of their preset: {', '.join(thing)}."
    return (getdoc(thing) or "").splitlines()[0]
