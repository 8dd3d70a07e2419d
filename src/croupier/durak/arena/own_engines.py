"""The engines that come with Croupier.

Light on purpose: the process of a slot imports it, and starts without NumPy.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.engine.rules import DurakRules

#: Our programs, which are known to play game after game in one process.
OWN_PROGRAMS = ("durak-dummy", "durak-random", "durak-master")


def is_own(spec: EngineSpec) -> bool:
    """Return whether a program has the name of one of ours.

    >>> is_own(EngineSpec(("/usr/bin/durak-dummy",), "cheap"))
    True
    """
    return Path(spec.command[0]).name in OWN_PROGRAMS


def compile_search(specs: Iterable[EngineSpec], rules: DurakRules | None = None) -> None:
    """Compile the search of ``durak-master`` if it takes part: the first start ever would take longer than engines may.

    >>> compile_search([EngineSpec(("/usr/bin/durak-dummy",), "cheap")])
    """
    if not any(_is_installed_master(spec) for spec in specs):
        return
    from croupier.durak.players import native_code  # noqa: PLC0415 - only for a match in which it plays

    if not native_code.is_ready():
        native_code.native_code()
    if rules is not None and not rules.is_compiled:
        from croupier.durak.players.variant_master import load_kernels  # noqa: PLC0415 - loads Numba

        load_kernels()


def _is_installed_master(spec: EngineSpec) -> bool:
    """Return whether it is the program beside this Python; another installation has its own compiled code."""
    installed = Path(sys.executable).with_name("durak-master")
    return installed.is_file() and Path(spec.command[0]).resolve() == installed.resolve()
