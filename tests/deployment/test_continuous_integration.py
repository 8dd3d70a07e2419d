"""The CI workflow and the pre-commit hooks call what the project has."""

import os
import re
import sys
from pathlib import Path

import typer
import yaml

from croupier.cli.main import app
from tests.docs.test_docs_are_true import ROOT, command_paths


def test_continuous_integration_calls_what_the_makefile_has() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
    steps = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    targets = {step.split()[1] for step in steps if step.startswith("make ")}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets == {"test", "docs", "verify"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert jobs["verify"]["if"] == "github.event_name == 'schedule'"
    known = {" ".join(path) for path in command_paths(typer.main.get_command(app))}
    assert all(" ".join(step.split()[1:3]) in known for step in steps if step.startswith("croupier "))


def test_pre_commit_runs_tools_of_the_project() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    for hook in hooks:
        tool = Path(hook["entry"].split()[0])
        assert tool.parent == Path(".venv/bin")
        assert Path(sys.executable).with_name(tool.name).exists()
        assert os.access(Path(sys.executable).with_name(tool.name), os.X_OK)
