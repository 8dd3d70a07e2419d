"""No instruction takes more than 3,300 compute units, as measured by the benchmark."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 3300
ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="the compiler (ziglang) is not installed"
)
def test_every_instruction_stays_within_its_compute_units(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "benchmarks.solana", "--quick", "--json", str(report)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    measurements = json.loads(report.read_text(encoding="utf-8"))["measurements"]
    rows = {row["what"]: row["value"] for row in measurements if row["group"] == "maximum per instruction"}
    assert {name.split()[0].strip(",") for name in rows} == {
        "Create",
        "Deal",
        "Hit",
        "Stand",
        "Reveal",
        "Claim",
        "Cleanup",
    }
    assert {name: units for name, units in rows.items() if units > LIMIT} == {}
