"""The old commands durak-autoplay and durak-logviewer as real processes."""

import errno
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from croupier.durak.arena.log import problems, read_log

BIN = Path(sys.executable).parent
ZOO = Path(__file__).parents[1] / "durak" / "arena" / "zoo"
OLD_GAMES = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "120", "LANG": "C.UTF-8", "NO_COLOR": "1"}
PATIENCE = 120
ESCAPES = re.compile(rb"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[()][0-9A-Za-z]|\][^\x07]*\x07|[=>])")


def run(command: str, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / command, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=PATIENCE,
        check=False,
        cwd=cwd,
    )


def animal(name: str) -> str:
    return f"'{sys.executable}' -S -E '{ZOO / name}'"


def test_autoplay_prints_the_documented_text_byte_for_byte(tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    words = ("--matches-number", "2", "--match-size", "5", "--log-file", log)
    process = run("durak-autoplay", animal("tame.py"), animal("wrong_ok"), *words)
    assert process.returncode == 0
    assert process.stdout == (
        "Playing 2 matches, 5 games each\n"
        "10 of 10\n"
        "Engine1 (python -S -E tame.py) scores:\t2.0\n"
        "Engine2 (python -S -E wrong_ok) scores:\t0.0\n"
        "\n"
        "Match 1 - Engine1 wins: 5, Engine2 wins: 0, Draws: 0\n"
        "Match 2 - Engine1 wins: 5, Engine2 wins: 0, Draws: 0\n"
    )
    assert process.stderr == "".join(f"Match {n} - Engine2 forfeited 5: wrong ok\n" for n in (1, 2))
    games = read_log(log)
    assert len(games) == 10
    assert list(problems(games)) == []


def test_autoplay_gives_half_a_point_for_a_tied_match() -> None:
    words = ("--matches-number", "1", "--match-size", "2")
    process = run("durak-autoplay", animal("tame.py"), animal("tame.py"), *words)
    assert [line.split("\t")[1] for line in process.stdout.splitlines()[2:4]] == ["0.5", "0.5"]


def test_autoplay_counts_games_in_place_on_a_terminal() -> None:
    master, slave = pty.openpty()
    words = ("--matches-number", "1", "--match-size", "2")
    with subprocess.Popen(
        [BIN / "durak-autoplay", animal("tame.py"), animal("tame.py"), *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=ENVIRONMENT,
    ) as process:
        os.close(slave)
        shown = Terminal(master).read_to_the_end()
        assert process.wait(PATIENCE) == 0
    os.close(master)
    head = b"Playing 1 matches, 2 games each\r\n\r1 of 2\r2 of 2\r2 of 2\r\nEngine1 (python -S -E tame.py) scores:\t"
    assert shown.startswith(head)


def test_autoplay_copies_the_conversation_to_stderr_when_debugging() -> None:
    words = ("--matches-number", "1", "--match-size", "1", "--debug")
    process = run("durak-autoplay", animal("tame.py"), animal("tame.py"), *words)
    lines = process.stderr.splitlines()
    assert re.fullmatch(r"engine1 <- init [6789TJQKA][CDHS]", lines[0])
    assert lines[1] == "engine1 -> ok"
    assert lines[2].startswith("engine2 <- init")
    assert lines[-1] == "engine2 <- game_end"


@pytest.mark.parametrize(
    ("line", "clue"),
    [
        (("durak-autoplay", "/no/such/engine", "durak-dummy"), "there is no such file"),
        (("durak-autoplay", "durak-dummy"), "ENGINE2"),
        (("durak-logviewer", "/no/such/games.log"), "there is no such file"),
        (("durak-logviewer",), "no log (*.log) in this folder"),
        (("durak-logviewer", str(OLD_GAMES)), "this is no terminal"),
        (("durak-logviewer", __file__), "not a durak log"),
    ],
)
def test_the_old_commands_refuse_bad_input_in_one_line(
    line: tuple[str, ...], clue: str, tmp_path: Path
) -> None:
    process = run(*line, cwd=tmp_path)
    assert process.returncode == 2
    assert process.stderr.startswith(f"{line[0]}: error: ")
    assert process.stderr.count("\n") == 1
    assert clue in process.stderr


@pytest.mark.parametrize("command", ["durak-autoplay", "durak-logviewer"])
def test_the_old_commands_explain_themselves(command: str) -> None:
    process = run(command, "--help")
    assert process.returncode == 0
    assert f"Usage: {command}" in process.stdout
    assert f"Example: {command}" in process.stdout


class Terminal:
    """A pseudo-terminal with a program in it, and what it has shown so far."""

    def __init__(self, master: int) -> None:
        self._master = master

    def wait_for(self, words: str) -> None:
        shown = b""
        while words.encode() not in ESCAPES.sub(b"", shown):
            chunk = self._read()
            assert chunk, f"ended before {words!r}: {shown!r}"
            shown += chunk

    def read_to_the_end(self) -> bytes:
        shown = b""
        while chunk := self._read():
            shown += chunk
        return shown

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def _read(self) -> bytes:
        assert select.select([self._master], [], [], PATIENCE)[0]
        try:
            return os.read(self._master, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # how a pseudo-terminal says that the other side has left
                return b""
            raise


def test_the_log_viewer_runs_in_a_real_terminal() -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = {**ENVIRONMENT, "TERM": "xterm-256color"}
    with subprocess.Popen(
        [BIN / "durak-logviewer", OLD_GAMES],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    ) as process:
        os.close(slave)
        terminal = Terminal(master)
        try:
            terminal.wait_for("20 of 20 games")
            terminal.press("\r")
            terminal.wait_for("position 1 of 46")
            terminal.press("\x1b[F")
            terminal.wait_for("position 46 of 46")
            terminal.press("q")
            terminal.read_to_the_end()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            os.close(master)
