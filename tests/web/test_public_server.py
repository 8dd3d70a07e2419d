"""A web app for other machines: it accepts any host name and compresses its answers."""

from pathlib import Path

import httpx

from tests.web.serving import WebServer


def test_a_public_lab_answers_to_any_name_and_packs_what_it_sends(tmp_path: Path) -> None:
    server = WebServer(tmp_path, ("--host", "0.0.0.0", "--token", "open sesame"))
    server.start()
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as browser:
        page = browser.get("/", headers={"Host": "lab.example"})
    assert server.stop() == 0
    assert (page.status_code, page.headers["Content-Encoding"]) == (200, "gzip")
    assert "Croupier" in page.text
