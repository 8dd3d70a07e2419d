"""Cases of a test that `make test` leaves to `make verify`."""

from collections.abc import Collection, Iterable

import pytest


def cases(values: Iterable[object], *, long: Collection[object]) -> list[object]:
    """Take all ``values`` as cases of a test; ``make verify`` alone runs the ``long`` ones."""
    return [pytest.param(value, marks=[pytest.mark.verify] * (value in long)) for value in values]
