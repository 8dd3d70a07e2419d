"""``croupier durak new-engine``: every skeleton is built and keeps the protocol, where its tools are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from croupier.durak.arena.compliance import Grade, check_engine
from croupier.durak.arena.engine_spec import Limits, read_engine
from croupier.durak.arena.new_engine import Language
from tests.cli.calling import call

#: What building and running a skeleton takes.
TOOLS = {
    Language.PYTHON: (),
    Language.C: ("make", "cc"),
    Language.JS: ("node",),
    Language.RUST: ("make", "rustc"),
    Language.GO: ("make", "go"),
}
PATIENT = Limits(start=120, answer=120)


@pytest.mark.parametrize("language", Language)
def test_a_skeleton_keeps_the_protocol(language: Language, tmp_path: Path) -> None:
    folder = tmp_path / "my engine"
    made = call("durak", "new-engine", folder, "--language", language, "--name", "mine")
    assert (made.returncode, made.stderr) == (0, "")
    assert "croupier durak check" in made.stdout
    missing = [tool for tool in TOOLS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"written, but not run: no {', '.join(missing)} here")
    if (folder / "Makefile").exists():
        subprocess.run(["make", "-C", folder], check=True, capture_output=True)
    spec = read_engine(str(folder / "engine.toml"))
    assert (spec.name, spec.version) == ("mine", "1")
    for alive in (spec, spec.staying_alive()):
        findings = list(check_engine(alive, PATIENT, rounds=1))
        assert [finding for finding in findings if finding.grade is not Grade.RIGHT] == []


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("mine")
    refused = call("durak", "new-engine", tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is not empty" in refused.stderr
    assert (tmp_path / "engine.py").read_text() == "mine"


def test_a_name_that_would_break_the_engine_file_is_refused(tmp_path: Path) -> None:
    refused = call("durak", "new-engine", tmp_path / "new", "--name", 'a"b')
    assert refused.returncode == 2
    assert "letters, digits" in refused.stderr
    assert not (tmp_path / "new").exists()
