"""Build the web app and serve it."""

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI, HTTPException, Response
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from croupier.cards import CardError
from croupier.cards.faces import card_svg
from croupier.errors import InputError
from croupier.files import read_text, write_text
from croupier.runs.database import StoreError, open_database
from croupier.runs.played import PlayedStore
from croupier.runs.sessions import SessionStore
from croupier.web import failures, pages
from croupier.web.garbage import collect_by_pages
from croupier.web.guard import Guard
from croupier.web.jobs import Jobs
from croupier.web.played import PlayedHands
from croupier.web.services import Services
from croupier.web.sessions import TableSessions
from croupier.web.settings import Settings, network_address
from croupier.web.signatures import remember_signatures
from croupier.web.sockets import bind_sockets_to_visitors

#: How long a visitor's cookie, and so the visitor's tables, stay valid: one year.
COOKIE_SECONDS = 365 * 24 * 3600

#: A browser that lost its connection, such as a sleeping phone, can return to its page for this long.
RECONNECT_SECONDS = 30.0

#: How many actions of visitors run at once, and so how many tables are saved together. Most of them wait for the disk.
WORKING_THREADS = 32

#: How many messages a page keeps for a browser that returns; each may hold a whole table. With more to send, the page is reloaded.
RESENT_MESSAGES = 50


def serve(settings: Settings, *, open_at: str | None = None) -> None:
    """Serve the web app until it is interrupted.

    Parameters
    ----------
    settings
        Where it listens and where it saves its data.
    open_at
        The address of a page to open in the browser, or None.

    Raises
    ------
    InputError
        If a setting is not valid, the port is taken, or the store cannot be opened.
    """
    settings.verify()
    with _listening(settings) as listener, open_database(settings.store, create=True) as database:
        played = PlayedHands(PlayedStore(database))
        services = Services(settings, TableSessions(SessionStore(database), played), played, Jobs())
        addresses = _addresses(settings, listener.getsockname()[1])
        config = uvicorn.Config(
            build_app(services, on_ready=partial(_announce, addresses, open_at)),
            log_level="warning",
            timeout_graceful_shutdown=3,
            ws_max_size=2**20,
            # Like the compression of pages: not worth its time for a browser on the same machine.
            ws_per_message_deflate=settings.is_public,
        )
        server = _Server(config)
        collect_by_pages()
        _on_interrupt(server.handle_exit)  # also before uvicorn installs its own handlers
        try:
            server.run([listener])
        finally:
            _on_interrupt(
                signal.SIG_IGN
            )  # it is closing already; ignore further signals until the process ends
            services.jobs.stop_all()
            services.jobs.close()
    print("Croupier has closed; tables are kept.", flush=True)


def _on_interrupt(action: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, action)


class _Server(uvicorn.Server):
    """A server that always closes in order, even if it is interrupted twice; closing takes a few seconds."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as uvicorn calls it
        self.should_exit = True


def build_app(services: Services, on_ready: "partial[None] | None" = None) -> ASGIApp:
    """Return the web app with all its pages.

    Parameters
    ----------
    services
        What the pages share.
    on_ready
        Called when the application has started.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        workers = ThreadPoolExecutor(WORKING_THREADS, thread_name_prefix="action")
        asyncio.get_running_loop().set_default_executor(workers)
        if on_ready is not None:
            asyncio.get_running_loop().call_soon(on_ready)
        yield
        services.jobs.stop_all()

    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    application.mount("/static", StaticFiles(directory=str(files("croupier.web").joinpath("static"))))

    @application.get("/cards/{code}.svg")
    def card(code: str) -> Response:
        try:
            drawing = card_svg(code)
        except CardError as error:
            raise HTTPException(404, str(error)) from None
        return Response(drawing, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @application.get("/service-worker.js")
    def service_worker() -> Response:
        """Return the worker from the root, because it may only see to pages below its own address."""
        path = str(files("croupier.web").joinpath("static", "service-worker.js"))
        return FileResponse(path, media_type="text/javascript")

    @application.get("/offline")
    def offline(request: Request) -> Response:
        return failures.offline_notice(request)

    @application.get("/health")
    def health() -> Response:
        """Say whether tables can be shown, for containers and load balancers."""
        try:
            services.sessions.store.verify_readable()
        except StoreError as error:
            logging.getLogger(__name__).warning("health check: %s", error)
            return PlainTextResponse("the store cannot be read\n", status_code=503)
        return PlainTextResponse("ok\n")

    nicegui_app.storage.path = services.settings.folder
    # NiceGUI keeps a record of every tab for a month. No page uses them.
    nicegui_app.storage.max_tab_storage_age = 2 * RECONNECT_SECONDS
    pages.register_all(services)
    failures.register(nicegui_app)
    bind_sockets_to_visitors()
    remember_signatures()
    ui.run_with(
        application,
        title="Croupier",
        favicon=Path(str(files("croupier.web").joinpath("static", "favicon.svg"))),
        dark=None,
        tailwind=False,
        # Compression is not worth its time for a browser on the same machine.
        gzip_middleware_factory=GZipMiddleware if services.settings.is_public else None,
        reconnect_timeout=RECONNECT_SECONDS,
        message_history_length=RESENT_MESSAGES,
        binding_refresh_interval=None,
        storage_secret=_secret(services.settings.folder),
        session_middleware_kwargs={"max_age": COOKIE_SECONDS, "same_site": "lax"},
        show_welcome_message=False,
    )
    settings = services.settings
    return Guard(application, settings.allowed_names, any_address=settings.is_public)


def _secret(folder: Path) -> str:
    """Return the key that signs cookies; it is saved, so that visitors are recognized after a restart."""
    path = folder / "cookie-key"
    if not path.exists():
        write_text(path, secrets.token_hex(32), what="key of the web app")
        path.chmod(0o600)
    return read_text(path, what="key of the web app").strip()


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """Open the port first, so that a taken port is reported at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, settings.port))
            listener.listen()  # connections are accepted from now on; the pages follow a moment later
        except socket.gaierror:
            raise InputError(
                f"host '{settings.host}': no such address on this machine; try 127.0.0.1"
            ) from None
        except OSError as error:
            raise InputError(
                f"cannot listen at {settings.host} port {settings.port}: {(error.strerror or str(error)).lower()}; "
                "choose another with --port, or --port 0 for any free one"
            ) from None
        yield listener


def _addresses(settings: Settings, port: int) -> list[str]:
    """Return the addresses to open: the one of this machine first, then the one of others in the network."""
    hosts = [settings.host]
    if settings.host in ("0.0.0.0", "::"):
        hosts = ["127.0.0.1", *filter(None, [network_address()])]
    return [f"http://{f'[{host}]' if ':' in host else host}:{port}" for host in hosts]


def _announce(addresses: Sequence[str], open_at: str | None) -> None:
    address, *others = addresses
    elsewhere = f", for other machines at {' and '.join(others)}" if others else ""
    print(f"Croupier is at {address}{elsewhere} (Ctrl-C ends it)", flush=True)
    if open_at is not None and not webbrowser.open(f"{address}{open_at}"):
        logging.getLogger(__name__).warning("no browser could be opened; go to %s%s", address, open_at)
