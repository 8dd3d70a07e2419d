"""On a machine that cannot run the chain, one line says what is missing."""

import subprocess
import sys
from pathlib import Path

from croupier.web.models.solana_machine import missing_part

#: What an interpreter does whose solders came without the runtime: what the page is made of can be imported.
WITHOUT_RUNTIME = """
import sys
sys.modules["solders.litesvm"] = None
import croupier.web.models.solana_account, croupier.web.models.solana_view
from croupier.web.models.solana_machine import missing_part
print(missing_part())
"""


def test_nothing_is_missing_here() -> None:
    assert missing_part() is None


def test_a_missing_runtime_is_named_with_what_to_install() -> None:
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT_RUNTIME], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(said) == 1
    assert said[0].startswith("the Solana runtime cannot be loaded (")
    assert "pip install" in said[0]


def test_a_missing_program_is_named_with_what_to_do(tmp_path: Path) -> None:
    said = missing_part(tmp_path / "blackjack.so")
    assert said is not None
    assert f"'{tmp_path / 'blackjack.so'}' is missing" in said
    assert "croupier solana build" in said
