"""A lab that other machines may reach: it answers to any name, and packs what has a long way to go."""

from pathlib import Path

import httpx

from tests.web.serving import Lab


def test_a_public_lab_answers_to_any_name_and_packs_what_it_sends(tmp_path: Path) -> None:
    lab = Lab(tmp_path, ("--host", "0.0.0.0", "--token", "open sesame"))
    lab.start()
    with httpx.Client(base_url=f"http://127.0.0.1:{lab.port}", timeout=60) as browser:
        page = browser.get("/", headers={"Host": "lab.example"})
    assert lab.stop() == 0
    assert (page.status_code, page.headers["Content-Encoding"]) == (200, "gzip")
    assert "Croupier" in page.text
