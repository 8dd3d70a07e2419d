from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-golden", action="store_true", help="write the golden files anew instead of comparing"
    )


@pytest.fixture
def compare_with_golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with its recorded file, line by line; ``--record-golden`` records it."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--record-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return compare
