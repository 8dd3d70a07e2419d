import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import EngineSpec

ZOO = Path(__file__).parent / "zoo"


@pytest.fixture(scope="session")
def animal() -> Callable[..., EngineSpec]:
    """Return an engine of the zoo, run by this Python without its site packages: it starts in an instant."""

    def find(name: str, **options: object) -> EngineSpec:
        return EngineSpec((sys.executable, "-S", "-E", str(ZOO / name)), name, **options)  # type: ignore[arg-type]

    return find


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., EngineSpec]:
    """Return an engine made of a few lines of Python."""

    def write(text: str, name: str = "script", **options: object) -> EngineSpec:
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return EngineSpec((sys.executable, "-S", "-E", str(path)), name, **options)  # type: ignore[arg-type]

    return write
