"""Property tests depend neither on luck nor on the load of the machine."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings


@pytest.mark.parametrize(("profile", "is_fixed"), [("test", True), ("verify", False)])
def test_profiles_have_no_deadline(profile: str, is_fixed: bool) -> None:
    chosen = settings.get_profile(profile)
    assert chosen.deadline is None
    assert HealthCheck.too_slow in chosen.suppress_health_check
    assert chosen.derandomize is is_fixed


def test_tests_run_by_one_of_the_profiles() -> None:
    assert settings.get_current_profile_name() in ("test", "verify")


def test_no_test_sets_a_deadline_or_luck_of_its_own() -> None:
    own = {Path(__file__).name, "conftest.py"}
    for path in Path(__file__).parent.rglob("*.py"):
        if path.name not in own:
            text = path.read_text(encoding="utf-8")
            assert "deadline=" not in text, path
            assert "derandomize=" not in text, path
