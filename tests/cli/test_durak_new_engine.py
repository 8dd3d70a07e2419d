"""``croupier durak new-engine``: the skeletons keep the protocol, whatever language they are written in, and play alike."""

import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.durak.arena.compliance import Grade, check_engine
from croupier.durak.arena.engine_spec import Limits, read_engine
from croupier.durak.arena.new_engine import SKELETONS, Language
from tests.cli.calling import call
from tests.long_cases import cases

PATIENT = Limits(start=120, answer=120)


def test_every_skeleton_is_offered() -> None:
    programs = {
        file.name
        for file in files("croupier.durak.arena.skeletons").iterdir()
        if file.name.startswith("engine.")
    }
    assert programs == {skeleton.file for skeleton in SKELETONS.values()}


@pytest.mark.parametrize("language", cases(Language, long=[Language.RUST]))
def test_a_new_engine_keeps_the_protocol(language: Language, tmp_path: Path) -> None:
    folder, skeleton = tmp_path / "my engine", SKELETONS[language]
    made = call("durak", "new-engine", folder, "--language", language, "--name", "mine")
    assert (made.returncode, made.stderr) == (0, "")
    assert "croupier durak check" in made.stdout
    assert skeleton.build in made.stdout
    tool = (skeleton.build or skeleton.command).split()[0]
    if not shutil.which(tool):
        pytest.skip(f"written, but not run: {tool} is not installed")
    if skeleton.build:
        environment = os.environ | {"GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off"}
        subprocess.run(skeleton.build.split(), check=True, env=environment, cwd=folder)
    spec = read_engine(str(folder / "engine.toml"))
    assert (spec.name, spec.version) == ("mine", "1")
    findings = list(check_engine(spec, PATIENT, rounds=1))
    assert [finding for finding in findings if finding.grade is not Grade.RIGHT] == []
    met = next(finding.detail for finding in findings if finding.trial.startswith("situations met"))
    assert met == (
        "games 8, deals 129, leads 119, additions 56, throw-ins 86, defences 68, deals without cards 37, game ends 8"
    )


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
