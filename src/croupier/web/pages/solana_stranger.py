"""Blackjack on Solana with a house elsewhere: the visitor's browser or wallet keeps the key and signs; this page only asks."""

import asyncio
import base64
import json
import os
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from croupier.errors import InputError
from croupier.web.models.solana_machine import missing_part
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import attempt, sentence
from croupier.web.services import Services
from croupier.web.shell import frame, page

if TYPE_CHECKING:
    from croupier.solana.remote_player import RemotePlayer

#: The cluster, the program and the house; the same as for the commands.
_VARIABLES = ("CROUPIER_SOLANA_URL", "CROUPIER_SOLANA_PROGRAM", "CROUPIER_SOLANA_HOUSE")
#: How long a visitor may look at a transaction in a wallet; its blockhash expires after about a minute.
_SIGNING_SECONDS = 120.0
_KEY_SECONDS = 60.0
_WHAT_IT_IS = (
    "Play against a house that runs elsewhere. Your key stays in this browser or in your wallet. Every transaction is shown "
    "before you sign it. Use a test network; bets are not offered here."
)


def register(services: Services) -> None:
    """Register the page."""

    @page("/solana/stranger")
    async def stranger() -> None:
        async with frame(services, "nav.solana", styles=("solana",)):
            tag("h1", "Blackjack with a stranger")
            missing = await asyncio.to_thread(missing_part)
            unset = [name for name in _VARIABLES if not os.environ.get(name)]
            if missing is None and unset:
                missing = f"set {', '.join(unset)} before croupier serve, to name the cluster, the program and the house"
            if missing is not None:
                tag("p", sentence(missing), "sheet bad", role="alert", data_testid="missing")
                return
            ui.add_head_html('<script src="/static/solana-key.js"></script>')
            tag("p", _WHAT_IT_IS, "quiet")
            _StrangerPage(*(os.environ[name] for name in _VARIABLES)).build()


class _StrangerPage:
    """One open page."""

    def __init__(self, url: str, program: str, house: str) -> None:
        self._url, self._program, self._house = url, program, house
        self._player: RemotePlayer | None = None
        self._wallets: list[str] = []

    def build(self) -> None:
        """Build the page."""
        self._place = tag("div", classes="stack sheet")
        self._draw()
        ui.timer(0, self._find_wallets, once=True)

    async def _find_wallets(self) -> None:
        self._wallets = await ui.run_javascript("solanaKey.names()", timeout=_KEY_SECONDS)
        self._draw()

    def _draw(self, state: str = "", choices: tuple[tuple[str, str], ...] = ()) -> None:
        self._place.clear()
        with self._place:
            if self._player is None:
                button("Use a key of this browser", "own-key", lambda: self._connect("solanaKey.own()"))
                for name in self._wallets:
                    call = f"solanaKey.connect({json.dumps(name)})"
                    button(f"Connect {name}", f"wallet-{name}", partial(self._connect, call))
                return
            tag("p", f"You are {self._player.player}", "quiet", data_testid="address")
            tag("p", state or "No game is open.", data_testid="state")
            for name, words in choices:
                button(words, f"choice-{name}", partial(self._choose, name))

    async def _connect(self, call: str) -> None:
        from solders.pubkey import Pubkey  # noqa: PLC0415 - needs the extra

        from croupier.solana.cluster import Cluster  # noqa: PLC0415
        from croupier.solana.remote_player import RemotePlayer  # noqa: PLC0415

        key = await ui.run_javascript(call, timeout=_SIGNING_SECONDS)
        cluster = Cluster(self._url, Pubkey.from_string(self._program))
        ui.context.client.on_delete(lambda: cluster.__aexit__(None, None, None))
        self._player = RemotePlayer(cluster, Pubkey(base64.b64decode(key)), Pubkey.from_string(self._house))
        self._draw("", (("open", "Open a game"),))

    async def _choose(self, name: str) -> None:
        await attempt(self._ask(name))

    async def _ask(self, name: str) -> None:
        """Show a transaction before it is signed."""
        from croupier.solana.codes import Tag  # noqa: PLC0415 - needs the extra
        from croupier.solana.remote_player import explained  # noqa: PLC0415

        player = self._player
        assert player is not None, "choices are shown to a player only"
        wire = await (player.opening() if name == "open" else player.request(Tag[name.upper()]))
        lines = explained(wire, player.cluster.program)
        self._place.clear()
        with self._place:
            tag("h2", "You are about to sign")
            with tag("ul", data_testid="to-sign"):
                for line in lines:
                    tag("li", line)
            with tag("details"):
                tag("summary", "The bytes")
                tag(
                    "code",
                    base64.b64encode(wire).decode(),
                    data_testid="bytes",
                    style="overflow-wrap: anywhere",
                )
            button("Sign and send", "sign", lambda: attempt(self._send(wire)), is_main=True)
            button("Do not sign", "leave", lambda: attempt(self._look()))

    async def _send(self, wire: bytes) -> None:
        player = self._player
        assert player is not None, "only a player signs"
        call = f"solanaKey.sign({json.dumps(base64.b64encode(wire).decode())})"
        try:
            signed = base64.b64decode(await ui.run_javascript(call, timeout=_SIGNING_SECONDS))
        except (TimeoutError, ValueError, TypeError):
            await self._look()
            raise InputError("the transaction was not signed") from None
        try:
            await player.send(wire, signed)
        finally:
            await self._look()

    async def _look(self) -> None:
        """Show the game as it stands on the chain; wait for the house if it has to answer."""
        from croupier.solana.cluster_game import ClusterGame  # noqa: PLC0415 - needs the extra

        player = self._player
        assert player is not None, "only a player has a game"
        game = await player.state()
        if game is not None and game.status.waits_for_house and player.number is not None:
            self._draw(f"{game}. The house has to answer ...")
            waiting = ClusterGame(player.cluster, player.player, player.number).wait_for_answer()
            game = await waiting
        self._draw("" if game is None else str(game), _choices(game))


def _choices(game: object) -> tuple[tuple[str, str], ...]:
    from croupier.solana.codes import Status  # noqa: PLC0415 - needs the extra
    from croupier.solana.game import Game  # noqa: PLC0415

    if not isinstance(game, Game):
        return (("open", "Open a game"),)
    match game.status:
        case Status.CREATED:
            return (("deal", "Deal"),)
        case Status.PLAYER_TURN:
            return (("hit", "Hit"), ("stand", "Stand"))
        case Status.FINISHED:
            return (("cleanup", "Close the game and take the rent back"),)
        case _:
            return (("claim", "Claim the game: the house is late"),)
