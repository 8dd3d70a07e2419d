"""The pages for an unknown address and for a page that failed."""

import logging
from html import escape

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from croupier.texts import HTML_LANGUAGES, Texts
from croupier.web.preferences import Preferences

_log = logging.getLogger(__name__)


def register(application: FastAPI) -> None:
    """Install the handlers for missing pages and for pages that fail."""

    @application.exception_handler(404)
    async def not_found(request: Request, _error: Exception) -> Response:
        return _page(request, 404, "not_found")

    @application.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        _log.error("%s failed", request.url.path, exc_info=error)
        return _page(request, 500, "failed")


def offline_notice(request: Request) -> Response:
    """Return the page that the browser keeps for the time when the server cannot be reached."""
    return _page(request, 200, "offline")


def _page(request: Request, status: int, key: str) -> Response:
    texts = Texts(Preferences().best_language(request.headers.get("accept-language", "")))
    title, text, home = (escape(texts(name)) for name in (f"shell.{key}", f"shell.{key}_help", "nav.home"))
    return HTMLResponse(
        f'<!doctype html><html lang="{HTML_LANGUAGES[texts.language]}"><head><meta charset="utf-8"><title>{title} – Croupier</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/static/croupier.css"></head>'
        f'<body><main class="page"><h1>{title}</h1><p>{text}</p><p><a href="/">{home}</a></p></main></body></html>',
        status_code=status,
    )
