import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: Property tests never fail because a machine is busy, and `make test` tries the same examples every time.
#: `make verify` tries new ones (`--hypothesis-profile verify`). Hypothesis sets other defaults where it finds CI in the environment,
#: so everything is said outright.
settings.register_profile(
    "verify", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("test", settings.get_profile("verify"), derandomize=True)
settings.load_profile("test")

# A shell's background job ignores Ctrl-C, and so would the processes that are started here to be interrupted.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

GOLDEN = Path(__file__).parent / "golden"
LONG_CHECKS = Path(__file__).parent / "verify"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-golden", action="store_true", help="write the golden files anew instead of comparing"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the long checks to `make verify`."""
    for item in items:
        if LONG_CHECKS in item.path.parents:
            item.add_marker("verify")


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
