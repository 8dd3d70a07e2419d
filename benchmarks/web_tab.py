"""A browser tab without a browser: it loads a page of the web app, keeps its elements, clicks, and receives changes.

It speaks the protocol of the page's script (Socket.IO over one web socket) and is light enough to run a hundred of them.
"""

import asyncio
import html
import json
import re
import time
import uuid
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import urlencode

import httpx
from websockets.asyncio.client import ClientConnection, connect

_ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
_QUERY = re.compile(r"query: (\{.*?\}),")
_BUTTON = re.compile(r'<[^>]* data-testid="((?:choice|card)-[^"]*)"[^>]* data-click="(\d+)"')


class Tab:
    """One visitor with one page open.

    Parameters
    ----------
    base, path
        The address of the web app, and the page.
    cookies
        Those of a visitor who has been there before; a new visitor has none.

    Attributes
    ----------
    heard
        A list for everything that the server says, the page and each frame; None unless somebody listens.
    cookies
        What the visitor brings next time.
    """

    def __init__(self, base: str, path: str, cookies: dict[str, str] | None = None) -> None:
        self._base = base
        self._path = path
        self.cookies = dict(cookies or {})
        self.heard: list[str] | None = None
        self._elements: dict[str, dict[str, Any]] = {}
        self._client_id = ""
        self._changes = 0
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> Self:
        async with httpx.AsyncClient(base_url=self._base, timeout=120, cookies=self.cookies) as http:
            answer = await http.get(self._path)
        page = answer.text
        self.cookies |= dict(answer.cookies)
        self._hear(page)
        elements, query = _ELEMENTS.search(page), _QUERY.search(page)
        assert elements is not None, "a page has elements"
        assert query is not None, "a page says how to connect"
        self._elements = json.loads(html.unescape(elements[1]))
        asked = json.loads(query[1].replace("'", '"').replace("True", "true").replace("False", "false"))
        self._client_id = asked["client_id"]
        asked |= {"tab_id": str(uuid.uuid4()), "document_id": str(uuid.uuid4()), "implicit_handshake": "true"}
        address = f"{self._base.replace('http', 'ws', 1)}/_nicegui_ws/socket.io/?EIO=4&transport=websocket&"
        self._socket: ClientConnection = await connect(
            address + urlencode(asked),
            additional_headers={
                "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            },
            open_timeout=120,
            max_size=None,
        )
        await self._socket.recv()
        await self._socket.send("40")
        self._listener = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._listener.cancel()
        await self._socket.close()

    def choices(self) -> list[str]:
        """Return the test ids of all choices and cards that can be clicked now."""
        return sorted(self._buttons())

    def _buttons(self) -> dict[str, tuple[str, int]]:
        """Return the drawing and the number of every choice and card."""
        return {
            testid: (number, int(place))
            for number, element in self._elements.items()
            for testid, place in _BUTTON.findall(element.get("props", {}).get("html", ""))
        }

    async def click(self, testid: str) -> float:
        """Click, wait until the page has changed, and return the seconds that it took."""
        before, started = self._changes, time.perf_counter()
        await self.send(self.click_message(testid))
        await self.until(lambda: self._changes > before)
        return time.perf_counter() - started

    def click_message(self, testid: str) -> str:
        """Return what the page sends for a click."""
        number, place = self._buttons()[testid]
        drawing = self._elements[number]
        listener = next(event for event in drawing["events"] if event["type"] == "choose")
        message = {
            "id": int(number),
            "client_id": self._client_id,
            "listener_id": listener["listener_id"],
            "args": [json.dumps({"place": place, "version": drawing["props"]["version"]})],
        }
        return "42" + json.dumps(["event", message])

    async def send(self, frame: str) -> None:
        """Send a frame as it is."""
        await self._socket.send(frame)

    @property
    def shown(self) -> str:
        """The HTML of everything that is drawn."""
        return "".join(element.get("props", {}).get("html", "") for element in self._elements.values())

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until the page is so."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(is_so), 120)

    async def until_choices(self) -> list[str]:
        """Wait until there are choices, and return them."""
        await self.until(lambda: bool(self._buttons()))
        return self.choices()

    def _hear(self, text: str) -> None:
        if self.heard is not None:
            self.heard.append(text)

    async def _listen(self) -> None:
        async for frame in self._socket:
            self._hear(str(frame))
            if frame == "2":
                await self._socket.send("3")
            elif isinstance(frame, str) and frame.startswith('42["update"'):
                update = json.loads(frame[2:])[1]
                update.pop("_id", None)
                for number, element in update.items():
                    if element is None:
                        self._elements.pop(number, None)
                    else:
                        self._elements[number] = element
                async with self._changed:
                    self._changes += 1
                    self._changed.notify_all()
