"""`import croupier` is instant; the games come with their first use."""

import subprocess
import sys

import pytest

import croupier

#: What a game or a command needs and `import croupier` must not load.
HEAVY = (
    "numpy",
    "numba",
    "scipy",
    "pydantic",
    "sqlalchemy",
    "typer",
    "rich",
    "importlib.metadata",
    "croupier.",
)


def loaded_by(statement: str) -> set[str]:
    """Return the modules of a fresh interpreter after a statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_neither_games_nor_libraries() -> None:
    extra = loaded_by("import croupier") - loaded_by("")
    assert not [name for name in extra if name.startswith(HEAVY)]
    assert "croupier" in extra


@pytest.mark.parametrize("game", ["banluck", "blackjack", "durak"])
def test_a_game_loads_when_it_is_first_used_and_no_other_with_it(game: str) -> None:
    loaded = loaded_by(f"import croupier\ncroupier.{game}")
    others = {"banluck", "blackjack", "durak"} - {game}
    assert f"croupier.{game}" in loaded
    assert not [name for name in loaded for other in others if name.startswith(f"croupier.{other}")]


def test_the_package_lists_what_it_loads_late() -> None:
    assert {"__version__", "banluck", "blackjack", "durak"} <= set(dir(croupier))
    assert croupier.__version__.count(".") == 2


def test_an_unknown_name_is_refused_as_of_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'croupier' has no attribute 'poker'"):
        _ = croupier.poker  # type: ignore[attr-defined]
