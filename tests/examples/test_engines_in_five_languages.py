"""The durak engines of examples/engines keep the protocol, whatever language they are written in, and play alike."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.durak.arena.compliance import Grade, check_engine
from croupier.durak.arena.engine_spec import read_engine

ENGINES = Path(__file__).parents[2] / "examples" / "engines"
#: How to make a program of a source file, and what to run then; both as people type it in the folder of the engine.
LANGUAGES = {
    "py": ("", f"{sys.executable} engine.py"),
    "c": ("cc -O2 -o engine engine.c", "./engine"),
    "js": ("", "node engine.js"),
    "rs": ("rustc -O engine.rs", "./engine"),
    "go": ("go build -o engine engine.go", "./engine"),
}


def test_every_engine_is_tested() -> None:
    assert {path.suffix.removeprefix(".") for path in ENGINES.iterdir() if path.is_file()} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_engine_keeps_the_protocol(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build, command = LANGUAGES[language]
    tool = (build or command).split()[0]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    shutil.copy(ENGINES / f"engine.{language}", tmp_path)
    monkeypatch.chdir(tmp_path)
    if build:
        environment = os.environ | {"GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off"}
        subprocess.run(build.split(), check=True, env=environment)
    findings = list(check_engine(read_engine(command), rounds=1))
    assert [finding for finding in findings if finding.grade is not Grade.RIGHT] == []
    met = next(finding.detail for finding in findings if finding.trial.startswith("situations met"))
    assert met == (
        "games 8, deals 129, leads 119, additions 56, throw-ins 86, defences 68, deals without cards 37, game ends 8"
    )
