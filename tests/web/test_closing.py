"""The web app closes in order, even if it is interrupted several times."""

import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.web.serving import WebServer


@pytest.mark.verify
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_lab_that_is_told_to_close_again_and_again_closes_in_order(tmp_path: Path, number: int) -> None:
    server = WebServer(tmp_path)
    server.start()
    assert server.process is not None
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(
            b"GET / HTTP/1.1\r\n"
        )  # a request that never ends; the web app waits for it briefly
        while server.process.poll() is None:
            server.process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(0.1)
    output, _ = server.process.communicate()
    assert (server.process.returncode, output) == (0, "Croupier has closed; tables are kept.\n")
    assert (tmp_path / "lab.log").read_text() == ""
