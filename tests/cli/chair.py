"""A person's place at ``croupier GAME play``: in the tests' own process, in a process of its own, or at a terminal.

The three say the same (the tests of the games compare them), and the first does not take the second that a process takes to start.
"""

import codecs
import errno
import os
import pty
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tests.cli.calling import commanded, run_to_the_end

CROUPIER = str(Path(sys.executable).parent / "croupier")
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "120", "LANG": "C.UTF-8", "TERM": "dumb"}
PATIENCE = 120

#: A key is pressed again after this: long, because a second Ctrl-C may also come while a slow machine still leaves after the first.
SECOND_THOUGHT = 60

#: Makes the terminal on stdin the one whose Ctrl-C reaches the command, then becomes the command.
WITH_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"

CTRL_C, CTRL_D = b"\x03", b"\x04"


class Chair:
    """Hears up to a question, answers it."""

    def __init__(
        self, ear: int, mouth: int, wait: Callable[[], int], end_answers: Callable[[], None] | None = None
    ) -> None:
        self.ear, self.mouth = ear, mouth
        self.wait = wait
        self._end_answers = end_answers
        self.heard = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def listen(self, key: bytes = b"") -> str:
        """Return what is said up to the next question, or to the end; a key that gets no answer is pressed again, as one would.

        Ctrl-C that comes after the question and right before Python begins to read is not noticed before the next key.
        """
        said = ""
        while not said.endswith(" > "):
            ready, _, _ = select.select([self.ear], [], [], SECOND_THOUGHT if key else PATIENCE)
            if not ready and key:
                os.write(self.mouth, key)
                key = b""
                continue
            assert ready, f"no word after: {said!r}"
            chunk = self._read()
            if not chunk:
                break
            said += self._decoder.decode(chunk)
        self.heard += said
        return said

    def answer(self, answer: str | bytes) -> str:
        """Answer, and return what is said up to the next question, or to the end."""
        if isinstance(answer, bytes):
            os.write(self.mouth, answer)
            return self.listen(answer)
        os.write(self.mouth, f"{answer}\n".encode())
        return self.listen()

    @property
    def question(self) -> str:
        return self.heard.rpartition("\n")[2]

    def leave_without_a_word(self) -> None:
        """Close the command's standard input, and hear what is said to the end."""
        assert self._end_answers is not None, "a terminal has no end; press Ctrl-D"
        self._end_answers()
        self.listen()

    def verify_left_in_peace(self) -> None:
        assert self.listen() == ""
        assert "Traceback" not in self.heard
        assert self.wait() == 0

    def _read(self) -> bytes:
        try:
            return os.read(self.ear, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # how a pseudo-terminal says that the other side has left
                return b""
            raise


class _Command(threading.Thread):
    """A command that runs in this process until it ends, or until its input does."""

    status: int | None = None

    def __init__(self, output: TextIO) -> None:
        super().__init__(name="croupier")
        self._output = output

    def run(self) -> None:
        with self._output:  # the end of the command is the end of what can be heard
            self.status = run_to_the_end()

    def wait(self) -> int:
        self.join(PATIENCE)
        assert self.status is not None, "the command goes on"
        return self.status


@contextmanager
def seated(game: str, *options: str) -> Iterator[Chair]:
    """Sit down in the tests' own process."""
    (ear, told), (asked, mouth) = os.pipe(), os.pipe()
    with (
        open(ear, "rb", buffering=0),
        open(asked, encoding="utf-8") as answers,
        open(told, "w", encoding="utf-8") as output,
        open(mouth, "wb", buffering=0) as own_answers,
        commanded(["croupier", game, "play", *options], answers, output, output, ENVIRONMENT),
    ):
        command = _Command(output)
        command.start()
        chair = Chair(ear, mouth, command.wait, own_answers.close)
        try:
            yield chair
        finally:
            own_answers.close()
            while chair.listen():
                pass
            command.join(PATIENCE)


@contextmanager
def seated_in_a_process(game: str, *options: str, **environment: str) -> Iterator[Chair]:
    with subprocess.Popen(
        [CROUPIER, game, "play", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=ENVIRONMENT | environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Chair(
                process.stdout.fileno(),
                process.stdin.fileno(),
                lambda: process.wait(PATIENCE),
                process.stdin.close,
            )
        finally:
            process.kill()


@contextmanager
def seated_at_a_terminal(game: str, *options: str) -> Iterator[Chair]:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", WITH_TERMINAL, CROUPIER, game, "play", *options],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=ENVIRONMENT,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            yield Chair(ours, ours, lambda: process.wait(PATIENCE))
        finally:
            process.kill()
            os.close(ours)
