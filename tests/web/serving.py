"""A real ``croupier serve`` process with its own store and folder."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class WebServer:
    """The web app in a separate process, which can be killed and started again with its saved data."""

    folder: Path
    arguments: tuple[str, ...] = ()
    port: int = 0
    url: str = ""
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def store(self) -> str:
        """The path of its store."""
        return str(self.folder / "lab.sqlite")

    def start(self) -> None:
        """Start it and wait for its address; every later start takes the same port."""
        command = [
            *(str(Path(sys.executable).with_name("croupier")), "serve", "--port", str(self.port)),
            *("--store", self.store, "--folder", str(self.folder / "web"), *self.arguments),
        ]
        # NiceGUI behaves differently if it sees that a test is running.
        environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
        log = (self.folder / "lab.log").open("a", encoding="utf-8")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        )
        log.close()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"http://\S+:(\d+)", line)
        assert match, f"it said {line!r}; its log: {(self.folder / 'lab.log').read_text()}"
        self.url, self.port = match[0], int(match[1])

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """Stop it as Ctrl-C does; return its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode
