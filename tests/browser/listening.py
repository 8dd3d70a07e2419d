"""Hears what a browser is told, to find out whether it is told too much."""

from playwright.sync_api import Page, WebSocket


def listened_to(page: Page) -> list[str]:
    """Return a list that fills with what the server sends over sockets, and with the addresses that the page asks for."""
    heard: list[str] = []

    def hear(data: str | bytes) -> None:
        heard.append(data if isinstance(data, str) else data.decode("latin-1"))

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    page.on("request", lambda request: heard.append(request.url))
    return heard
