"""Real Chromium before a real ``croupier serve`` process, with a store and a folder of its own."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.web.serving import WebServer

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCREENSHOTS = Path("artefacts/screenshots")
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}

#: Generous, because a busy machine compiles kernels while a page waits; passing tests never come near.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@pytest.fixture(scope="module")
def start_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., WebServer]]:
    """Make labs; ``start_lab("name", prepare=...)`` may fill the store before the web app opens it."""
    labs: list[WebServer] = []

    def start(name: str, *arguments: str, prepare: Callable[[WebServer], object] | None = None) -> WebServer:
        server = WebServer(tmp_path_factory.mktemp(name), arguments)
        if prepare is not None:
            prepare(server)
        labs.append(server)
        server.start()
        return server

    yield start
    for server in labs:
        server.stop()


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., WebServer], request: pytest.FixtureRequest) -> WebServer:
    """Return a web app for all tests of a module."""
    return start_lab(Path(request.node.name).stem)


@pytest.fixture(scope="module")
def lab_url(server: WebServer) -> str:
    """Return where the module's lab is."""
    return server.url


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start one Chromium for a module; Playwright's event loop must be gone before tests that run loops of their own."""
    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@dataclass
class Witness:
    """What happened in a browser that must not happen."""

    complaints: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Note errors on the console, uncaught exceptions, and requests that leave the machine."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "127.0.0.1":
            self.complaints.append(f"a request left the machine: {request.url}")


@pytest.fixture
def witness() -> Iterator[Witness]:
    """Fail the test if a page complained or a request left the machine; a test may clear what it provoked."""
    watching = Witness()
    yield watching
    assert watching.complaints == []


@pytest.fixture
def new_context(chromium: Browser, witness: Witness) -> Iterator[Callable[..., BrowserContext]]:
    """Make browsers that know nothing of each other: ``new_context(locale="ru-RU", color_scheme="dark")``."""
    contexts: list[BrowserContext] = []

    def make(size: str = "desktop", **options: object) -> BrowserContext:
        context = chromium.new_context(viewport=SIZES[size], **{"locale": "en-GB", **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        context.on("page", witness.watch)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def visit(lab_url: str, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Open a page of the web app in a browser of its own: ``visit("/banluck", size="phone")``."""

    def open_page(path: str, **options: object) -> Page:
        page = new_context(**options).new_page()
        page.goto(lab_url + path)
        # Quick hands that type and click before the page is connected may be heard in another order.
        page.wait_for_function("window.did_handshake")
        return page

    return open_page


@pytest.fixture
def shot() -> Callable[..., Path]:
    """Write a picture of a page to ``artefacts/screenshots/NAME.png``."""

    def take(page: Page, name: str, *, full_page: bool = True) -> Path:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=path, full_page=full_page, animations="disabled")
        return path

    return take
