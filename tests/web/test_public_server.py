"""A web app for other machines: it says where it can be opened, knows its names, and compresses its answers."""

from pathlib import Path

import httpx

from croupier.web.settings import Settings
from tests.web.serving import WebServer


def test_a_public_server_answers_to_its_addresses_and_names_and_compresses(tmp_path: Path) -> None:
    server = WebServer(tmp_path, ("--host", "0.0.0.0", "--token", "open sesame", "--name", "casino.example"))
    server.start()
    assert server.url == f"http://127.0.0.1:{server.port}", "nobody can open 0.0.0.0"
    with httpx.Client(base_url=server.url, timeout=60) as browser:
        page = browser.get("/", headers={"Host": "casino.example"})
        by_address = browser.get("/", headers={"Host": f"192.168.1.5:{server.port}"})
        rebound = browser.get("/", headers={"Host": "evil.example"})
    assert server.stop() == 0
    assert (page.status_code, page.headers["Content-Encoding"]) == (200, "gzip")
    assert "Croupier" in page.text
    assert (by_address.status_code, rebound.status_code) == (200, 403)
    assert "--name" in rebound.text


def test_a_private_server_takes_no_other_name() -> None:
    assert Settings().allowed_names == {"127.0.0.1", "localhost", "[::1]"}
