"""A person's place at a real ``croupier GAME play`` process."""

import codecs
import errno
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CROUPIER = str(Path(sys.executable).parent / "croupier")
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "120", "LANG": "C.UTF-8", "TERM": "dumb"}
PATIENCE = 120
SECOND_THOUGHT = 20

#: Makes the terminal on stdin the one whose Ctrl-C reaches the command, then becomes the command.
WITH_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"

CTRL_C, CTRL_D = b"\x03", b"\x04"


class Chair:
    """Hears up to a question, answers it."""

    def __init__(self, process: subprocess.Popen[bytes], ear: int, mouth: int) -> None:
        self.process, self.ear, self.mouth = process, ear, mouth
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

    def verify_left_in_peace(self) -> None:
        assert self.listen() == ""
        assert "Traceback" not in self.heard
        assert self.process.wait(PATIENCE) == 0

    def _read(self) -> bytes:
        try:
            return os.read(self.ear, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # how a pseudo-terminal says that the other side has left
                return b""
            raise


@contextmanager
def seated(game: str, *options: str, **environment: str) -> Iterator[Chair]:
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
            yield Chair(process, process.stdout.fileno(), process.stdin.fileno())
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
            yield Chair(process, ours, ours)
        finally:
            process.kill()
            os.close(ours)
