"""Run a command as another user in a network namespace of its own, with nothing but one JSON-RPC server in reach.

    python -m tests.solana.separation SOCKET PORT USER COMMAND...

The namespace has a loopback device only. A relay in it listens on PORT of 127.0.0.1 and hands every connection to a Unix
socket, behind which the server is. The command's process id is printed first.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_CHUNK = 2**16


def is_possible() -> bool:
    """Whether this process may make network namespaces and change its user."""
    if os.getuid() != 0 or not all(shutil.which(name) for name in ("unshare", "ip", "setpriv")):
        return False
    return subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0


def command_for(socket_file: Path, port: int, user: int, command: list[str]) -> list[str]:
    """Return the command line that runs a command separately."""
    relay = [sys.executable, "-m", "tests.solana.separation", str(socket_file), str(port), str(user)]
    return ["unshare", "--net", *relay, *command]


def relay(listener: socket.socket, connect: Callable[[], socket.socket]) -> None:
    """Hand every connection to another server, in threads, until the listener is closed."""

    def pump(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(_CHUNK):
                target.sendall(chunk)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def join(near: socket.socket) -> None:
        with near, connect() as far:
            answers = threading.Thread(target=pump, args=(far, near), daemon=True)
            answers.start()
            pump(near, far)
            answers.join()

    def accept() -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                threading.Thread(target=join, args=(near,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def to_unix_socket(path: Path) -> socket.socket:
    """Connect to a Unix socket."""
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(path))
    return client


def main() -> None:
    """Make the loopback device work, start the relay, and run the command as the user."""
    socket_file, port, user, *command = sys.argv[1:]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    listener = socket.create_server(("127.0.0.1", int(port)))
    relay(listener, lambda: to_unix_socket(Path(socket_file)))
    as_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"]
    with subprocess.Popen([*as_user, *command]) as process:
        print(process.pid, flush=True)
        sys.exit(process.wait())


if __name__ == "__main__":
    main()
