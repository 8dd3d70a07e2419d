"""Hears what a browser is told, to find out whether it is told too much."""

import re

from playwright.sync_api import Page, WebSocket

#: What a socket is called: random letters, among which anything can be found.
_NAME_OF_SOCKET = re.compile(r'"sid":"[\w-]+"')


def listened_to(page: Page) -> list[str]:
    """Return a list that fills with what the server sends over sockets but for their names, and with the addresses asked for."""
    heard: list[str] = []

    def hear(data: str | bytes) -> None:
        text = data if isinstance(data, str) else data.decode("latin-1")
        heard.append(_NAME_OF_SOCKET.sub("", text))

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    page.on("request", lambda request: heard.append(request.url))
    return heard
