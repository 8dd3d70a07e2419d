"""The container's files, as far as they can be tried without a container engine."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest
import typer

from croupier.cli.main import app
from tests.deployment.dockerfile import ROOT, compose, health_command, instructions, last, start_command
from tests.docs.test_docs_are_true import command_paths
from tests.runs.postgres_server import needs_postgres, postgres
from tests.web.serving import WebServer


def test_the_container_runs_as_nobody_in_particular() -> None:
    assert last("USER") == "croupier"
    assert "useradd --system --uid 10001 --no-create-home" in last("RUN")
    assert last("VOLUME") == last("WORKDIR") == "/data"


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    allowed = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        if line.startswith("!")
    }
    copied = {
        name
        for kind, words in instructions()
        if kind == "COPY" and "--from" not in words
        for name in words.split()[:-1]
    }
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_what_is_installed_exists() -> None:
    (requirement,) = (
        words.split()[-1].strip('"')
        for kind, words in instructions()
        if kind == "RUN" and "pip install" in words
    )
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(requirement.removeprefix(".[").removesuffix("]").split(",")) <= set(extras)


def test_its_commands_exist() -> None:
    run = [shlex.split(words) for kind, words in instructions() if kind == "RUN"]
    called = [words[1:] for words in (*run, start_command()) if Path(words[0]).name == "croupier"]
    assert len(called) == 2
    known = set(command_paths(typer.main.get_command(app)))
    assert all((words[0],) in known for words in called)


def test_compose_keeps_the_promises_of_the_page() -> None:
    web, database = compose()["croupier"], compose()["database"]
    assert web["read_only"] is True
    assert web["tmpfs"] == ["/tmp"]
    assert web["cap_drop"] == ["ALL"]
    assert [port.split(":")[0] for port in web["ports"]] == ["127.0.0.1"]
    assert web["depends_on"]["database"]["condition"] == "service_healthy"
    assert database["healthcheck"]["test"][1] == "pg_isready"
    assert re.fullmatch(
        r"postgresql://croupier:\$\{POSTGRES_PASSWORD:\?.*\}@database/croupier",
        web["environment"]["CROUPIER_STORE"],
    )
    assert set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text(encoding="utf-8"))) == {
        "POSTGRES_PASSWORD", "CROUPIER_TOKEN",
    }  # fmt: skip


@pytest.mark.verify
@needs_postgres
def test_the_server_of_the_container_is_healthy_while_postgresql_is(tmp_path: Path) -> None:
    """Its start command, with a folder and a port of the test, and its health check, before and after the database ends."""
    program, command, *options = start_command()
    assert (program, command) == ("croupier", "serve")
    given = dict(zip(options[::2], options[1::2], strict=True))
    assert (given.pop("--port"), given.pop("--folder")) == ("8080", "/data/web")
    with postgres() as url:
        server = WebServer(tmp_path, (*(word for pair in given.items() for word in pair), "--store", url))
        server.start()
        check = [
            sys.executable,
            *(word.replace(":8080/", f":{server.port}/") for word in health_command()[1:]),
        ]
        assert subprocess.run(check, check=False, capture_output=True).returncode == 0
    answer = httpx.get(f"http://127.0.0.1:{server.port}/health", timeout=60)
    assert (answer.status_code, answer.text) == (503, "the store cannot be read\n")
    assert subprocess.run(check, check=False, capture_output=True).returncode != 0
    assert server.stop() == 0
