"""The names of croupier.durak: all there, all documented, and none loaded before it is used."""

import doctest
import inspect
import subprocess
import sys
from typing import get_type_hints

import pytest

from croupier import durak


@pytest.mark.parametrize("name", durak.__all__)
def test_every_public_name_loads_and_is_documented(name: str) -> None:
    value = getattr(durak, name)
    assert inspect.getdoc(value)
    assert name in dir(durak)


@pytest.mark.parametrize("name", durak.__all__)
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    """In its own documentation or that of its methods; ``make test`` runs them all."""
    value = getattr(durak, name)
    own = vars(value).values() if inspect.isclass(value) else ()
    texts = [inspect.getdoc(thing) or "" for thing in (value, *own)]
    assert any(doctest.DocTestParser().get_examples(text) for text in texts)


def test_type_hints_of_the_functions_can_be_read() -> None:
    for function in (durak.match, durak.tournament, durak.serve):
        assert get_type_hints(function)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'poker'"):
        _ = durak.poker  # type: ignore[attr-defined]


@pytest.mark.parametrize("program", ["durak", "durak.Engine", "durak.serve", "durak.cards_text"])
def test_an_engine_loads_no_more_than_it_uses(program: str) -> None:
    heavy = ["numba", "numpy", "pandas", "pydantic", "rich", "typer", "asyncio", "dataclasses", "inspect"]
    code = (
        f"import sys\nfrom croupier import durak\n{program}\nprint([n for n in {heavy} if n in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
