"""What kernels do differently when many lanes run at a time, as on a GPU.

On a processor each lane has the kernel and its sums to itself, and these functions are as simple as they look.
:mod:`croupier.numerics.gpu` puts others in their place.
"""

from typing import Any

from croupier.numerics.compiled import inlined_lean


@inlined_lean
def add_to(sums: Any, place: Any, amount: Any) -> None:
    """Add an amount to a place of an array that all lanes add to.

    Amounts must be whole numbers: these give the same sum in any order, also as floating-point numbers below 2**53.
    """
    sums[place] += amount


@inlined_lean
def in_any_lane(condition: Any) -> Any:
    """Tell whether a condition holds in any of the lanes that run in step; they all go on together."""
    return condition


@inlined_lean
def runs_alone() -> bool:
    """Tell whether a lane runs alone, as on a processor, where a branch that was guessed wrong costs more than some needless work."""
    return True
