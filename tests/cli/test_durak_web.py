"""The old commands that open a page of the web app, as real processes."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

OLD_GAMES = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
PATIENCE = 120


def command(name: str, folder: Path, *words: str | Path) -> list[str]:
    program = f"from croupier.cli.durak_scripts import {name}; {name}()"
    place = ("--folder", str(folder / "web"), "--store", str(folder / "web.sqlite"))
    return [sys.executable, "-c", program, *(str(word) for word in words), *place, "--no-browser"]


@contextmanager
def served(words: list[str]) -> Iterator[str]:
    """Run a command that serves the web app; give the address of its page, and end it as Ctrl-C does."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        page = re.fullmatch(r"The page is (\S+)\n", process.stdout.readline())
        app = re.match(r"Croupier is at (\S+)", process.stdout.readline())
        assert page
        assert app
        try:
            yield app[1] + page[1]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


@pytest.mark.verify
def test_the_gui_is_the_table_of_the_web_app(tmp_path: Path) -> None:
    with served(command("gui", tmp_path)) as address:
        assert address.endswith("/durak/table")
        assert "Durak table" in fetched(address)


@pytest.mark.verify
def test_a_log_is_looked_at_in_the_browser_by_its_name_and_not_by_its_path(tmp_path: Path) -> None:
    with served(command("logviewer", tmp_path, OLD_GAMES, "--web")) as address:
        assert re.search(r"/durak/replay\?log=old-games\.[0-9a-f]{12}\.log&game=1&step=1$", address)
        assert "log-old-games" in fetched(
            address
        )  # the game follows once a browser is there: tests/browser looks at it
    with served(command("logviewer", tmp_path, "--web")) as address:
        assert address.endswith("/durak/replay")
        assert "old-games" in fetched(address)


def test_what_is_no_log_is_said_in_one_line(tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.log"
    rubbish.write_text("rubbish")
    for path, reason in (
        (rubbish, "no game in it can be read"),
        (tmp_path / "none", "there is no such file"),
    ):
        process = subprocess.run(
            command("logviewer", tmp_path, path, "--web"),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert process.returncode == 2
        assert process.stderr.count("\n") == 1
        assert reason in process.stderr
