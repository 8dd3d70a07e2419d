"""Sums that several workers may add to at the same time.

On a processor each worker has arrays of its own, and adding is adding. On a GPU thousands of threads add to one array: there
:mod:`croupier.numerics.cuda` puts an atomic addition in the place of :func:`add_to`. Whatever is added must be whole numbers, which give
the same sum in any order, also as floating-point numbers below 2**53.
"""

from typing import Any

from croupier.numerics.compiled import inlined_lean


@inlined_lean
def add_to(sums: Any, place: Any, amount: Any) -> None:
    """Add an amount to a place of an array."""
    sums[place] += amount
