"""Hostile requests, from foreign pages or from attackers, neither break the web app nor reach foreign data."""

import asyncio
import http.client
import json
import random
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
import pytest
import websockets.sync.client as websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from benchmarks.web_tab import Tab
from croupier.runs.database import open_database
from croupier.web.guard import LARGEST_BODY
from croupier.web.shell import PAGES
from tests.web.serving import WebServer

ADDRESSES = ["/", *(address for pages in PAGES.values() for address, _, _ in pages)]
FEW = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("security"))
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def browser(server: WebServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


def answer(
    server: WebServer, method: str, target: str, headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    """Send a request with a raw target that ordinary clients would not send."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.putrequest(method, target, skip_host=headers is not None and "Host" in headers)
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_the_health_check_says_ok_and_no_more(browser: httpx.Client) -> None:
    answer = browser.get("/health")
    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_only_this_machine_is_listened_to_by_default(server: WebServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60):
        pass
    with pytest.raises(ConnectionRefusedError):  # a server on all addresses would also listen here
        socket.create_connection(("127.0.0.2", server.port), timeout=60)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_ours_is_turned_away(server: WebServer, host: str) -> None:
    status, body = answer(server, "GET", "/", {"Host": host})
    assert status == 403
    assert b"the Host header must name this machine" in body


def test_the_names_of_this_machine_are_answered(server: WebServer) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert answer(server, "GET", "/cards/9H.svg", {"Host": f"{name}:{server.port}"})[0] == 200


def test_what_stays_on_the_machine_is_not_packed(browser: httpx.Client) -> None:
    page = browser.get("/")
    assert "gzip" in page.request.headers["Accept-Encoding"]
    assert "Content-Encoding" not in page.headers


def test_pages_of_others_are_turned_away(server: WebServer, browser: httpx.Client) -> None:
    assert browser.get("/", headers={"Origin": "https://evil.example"}).status_code == 403
    assert browser.get("/", headers={"Origin": server.url}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_pages_of_other_sites_load_is_refused_but_a_link_is_followed(
    browser: httpx.Client, site: str
) -> None:
    embedded = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    assert browser.get("/cards/9H.svg", headers=embedded).status_code == 403
    framed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert browser.get("/", headers=framed).status_code == 403
    followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert browser.get("/", headers=followed).status_code == 200


def test_a_page_can_be_used_by_its_visitor_only(server: WebServer) -> None:
    """A socket that knows a page's ids cannot act there; the visitor's own can."""

    def tables() -> int:
        with open_database(server.store) as database, database.connect() as connection:
            rows = connection.exec_driver_sql("select visitor from rooms where room = 'blackjack'")
            return len(rows.all())

    async def attack() -> None:
        async with Tab(server.url, "/blackjack/table") as victim, Tab(server.url, "/durak/table") as thief:
            await victim.until_choices()
            await thief.send(victim.click_message("choice-deal"))
            choices = await thief.until_choices()
            await thief.click(choices[0])  # its own page answers, so the frame before it has been read
            assert tables() == 0
            await victim.click("choice-deal")
            assert tables() == 1

    asyncio.run(attack())


def test_a_socket_for_a_page_of_somebody_else_is_turned_away(
    server: WebServer, browser: httpx.Client
) -> None:
    page = browser.get("/").text
    client = re.search(r"'client_id': '([^']+)'", page)
    assert client is not None
    query = urlencode(
        {
            "client_id": client[1],
            "tab_id": "t",
            "document_id": "d",
            "next_message_id": 0,
            "implicit_handshake": "true",
        }
    )
    address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket&{query}"
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    for headers, code in (({}, "44"), ({"Cookie": cookie}, "40")):
        with websockets.connect(address, additional_headers=headers, open_timeout=60) as connection:
            connection.recv(60)
            connection.send("40")
            assert str(connection.recv(60)).startswith(code)


def test_only_the_owner_may_read_the_store(server: WebServer) -> None:
    for path in (Path(server.store), *Path(server.store).parent.glob("*.sqlite-*")):
        assert path.stat().st_mode & 0o077 == 0, path.name


def test_a_socket_from_a_page_of_others_is_turned_away(server: WebServer) -> None:
    with pytest.raises(InvalidStatus, match="403"), open_socket(server, origin="https://evil.example"):
        pytest.fail("it was let in")


def test_a_body_that_is_too_large_is_refused_whatever_its_head_says(
    server: WebServer, browser: httpx.Client
) -> None:
    large = b"x" * (LARGEST_BODY + 1)
    assert browser.post("/", content=large).status_code == 413
    pieces = (large[start : start + 65536] for start in range(0, len(large), 65536))
    assert browser.post("/_nicegui/client/x/upload/1", content=pieces).status_code in (404, 413)
    assert answer(server, "POST", "/", {"Content-Length": "-1"})[0] in (400, 413)


@pytest.mark.parametrize(
    "target",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/cards/../../etc/passwd.svg",
        "/cards/%2e%2e%2fapp.py.svg",
        "/../../../../etc/passwd",
        "/cookie-key",
        "/web/cookie-key",
    ],
)
def test_no_path_leads_out_of_the_lab(server: WebServer, target: str) -> None:
    status, body = answer(server, "GET", target)
    assert status == 404
    assert b"root:" not in body
    assert b"import " not in body


@FEW
@given(path=st.text(max_size=60))
def test_no_path_breaks_it(server: WebServer, browser: httpx.Client, path: str) -> None:
    assert browser.get("/" + quote(path.encode("utf-8", "surrogatepass"))).status_code < 500


@FEW
@given(
    address=st.sampled_from(ADDRESSES),
    query=st.lists(
        st.tuples(
            st.sampled_from(["preset", "set", "hand", "log", "game", "step", "seed", "x"]),
            st.text(max_size=40),
        ),
        max_size=4,
    ),
)
def test_no_query_breaks_a_page(browser: httpx.Client, address: str, query: list[tuple[str, str]]) -> None:
    written = urlencode([(name, value.encode("utf-8", "replace")) for name, value in query])
    assert browser.get(f"{address}?{written}").status_code < 500


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
def test_no_method_breaks_it(server: WebServer, method: str) -> None:
    assert answer(server, method, "/")[0] in range(200, 500)


def vandalism(seed: int, count: int) -> Iterator[str | bytes]:
    """Generate frames: events with all kinds of content, and noise."""
    dice = random.Random(seed)
    leaves: list[object] = [
        None,
        True,
        -1,
        2**70,
        1e308,
        "",
        "x" * 3000,
        "<b>",
        "\u0000",
        [],
        {},
        [[[[]]]],
        {"a": {"b": [1]}},
    ]
    keys = [
        "client_id",
        "id",
        "listener_id",
        "args",
        "request_id",
        "next_message_id",
        "tab_id",
        "document_id",
    ]
    for _ in range(count):
        event = dice.choice(
            ["event", "handshake", "javascript_response", "ack", "log", "connect", "no such", 7]
        )
        whole = {key: dice.choice(leaves) for key in dice.sample(keys, dice.randrange(len(keys)))}
        yield "42" + json.dumps([event, dice.choice([whole, *leaves])])
        yield "".join(chr(dice.randrange(1, 0x2FF)) for _ in range(dice.randrange(40)))
        yield dice.randbytes(dice.randrange(40))
        yield dice.choice(["", "4", "40", "41", "42[", "43", "45", "451-[]", "3", "6", "42/x,[]"])


@pytest.mark.parametrize("seed", range(8))
def test_nothing_on_the_socket_breaks_it(server: WebServer, browser: httpx.Client, seed: int) -> None:
    with (
        open_socket(server) as vandal,
        suppress(ConnectionClosed),
    ):  # the web app may close the connection
        for frame in vandalism(seed, count=10):
            vandal.send(frame)
    assert browser.get("/").status_code == 200


@contextmanager
def open_socket(server: WebServer, origin: str | None = None) -> Iterator[websockets.ClientConnection]:
    """Open a Socket.IO connection that belongs to no page."""
    address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    claimed = None if origin is None else Origin(origin)
    with websockets.connect(address, origin=claimed, open_timeout=60) as connection:
        connection.recv(60)
        connection.send("40")
        yield connection


def test_every_page_has_one_main_element(browser: httpx.Client) -> None:
    """NiceGUI's layout is a main element; a second one inside of it confuses screen readers."""
    for address in ADDRESSES:
        assert '"tag":"main"' not in browser.get(address).text.replace(" ", ""), address


def test_no_page_is_in_english_for_a_russian(browser: httpx.Client) -> None:
    for address in ADDRESSES:
        page = browser.get(address, headers={"Accept-Language": "ru"}).text.replace(" ", "")
        assert '"lang":"en"' not in page, address


def test_the_app_can_be_installed_and_a_shared_link_has_a_picture(
    server: WebServer, browser: httpx.Client
) -> None:
    page = browser.get("/banluck/table").text
    assert f'property="og:image" content="{server.url}/static/share.png"' in page
    manifest = browser.get("/static/manifest.webmanifest").json()
    for icon in (*manifest["icons"], {"src": "/static/share.png"}, {"src": "/service-worker.js"}):
        assert browser.get(icon["src"]).status_code == 200
    assert "Your tables are safe" in browser.get("/offline").text


def test_preferences_are_saved_only_if_they_are_known(browser: httpx.Client) -> None:
    browser.get("/")
    assert browser.post("/preferences", json={"language": "ru"}).status_code == 204
    assert 'documentElement.lang = "ru"' in browser.get("/").text
    for wrong in ({"language": "xx"}, {"dark": "perhaps"}, {"name": "x"}):
        assert browser.post("/preferences", json=wrong).status_code == 422
    stranger = {"Origin": "https://evil.example"}
    assert browser.post("/preferences", json={"dark": True}, headers=stranger).status_code == 403


def test_text_from_an_address_is_escaped(browser: httpx.Client) -> None:
    attack = "</script><script>alert(1)</script>"
    for address in ADDRESSES:
        page = browser.get(address, params={"preset": attack, "hand": attack, "log": attack}).text
        assert attack not in page


def test_headers_keep_everything_at_home(browser: httpx.Client) -> None:
    policy = browser.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "http:" not in policy.replace("ws:", "")


def test_a_page_that_is_not_there_says_so_in_the_visitors_language(browser: httpx.Client) -> None:
    assert "There is no such page" in browser.get("/nowhere").text
    assert "Такой страницы нет" in browser.get("/nowhere", headers={"Accept-Language": "ru"}).text
    assert browser.get("/nowhere").status_code == 404


def test_the_cookie_cannot_be_forged(server: WebServer, browser: httpx.Client) -> None:
    browser.get("/")
    genuine = next(iter(browser.cookies.jar))
    assert genuine.name == "session"
    assert genuine.has_nonstandard_attr("httponly")
    forged = json.dumps({"id": "another visitor"})
    answered = httpx.get(server.url, cookies={"session": forged}, timeout=60)
    assert answered.status_code == 200
    assert "session" in answered.cookies
