"""Blackjack on Solana with a house elsewhere: the visitor's browser or wallet keeps the key and signs; this page only asks."""

import asyncio
import base64
import json
import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from croupier.errors import InputError
from croupier.texts import Texts, say, sentence
from croupier.web.models.solana_machine import missing_part
from croupier.web.pages.solana_parts import show_hand
from croupier.web.parts.drawing import Drawing
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import attempt
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

if TYPE_CHECKING:
    from croupier.solana.remote_player import RemotePlayer
    from croupier.web.models.solana_stranger import StrangerView

#: The cluster, the program and the house; the same as for the commands.
_VARIABLES = ("CROUPIER_SOLANA_URL", "CROUPIER_SOLANA_PROGRAM", "CROUPIER_SOLANA_HOUSE")
#: How long a visitor may look at a transaction in a wallet; its blockhash expires after about a minute.
_SIGNING_SECONDS = 120.0
_KEY_SECONDS = 60.0


def register(services: Services) -> None:
    """Register the page."""

    @page("/solana/stranger")
    async def stranger() -> None:
        async with frame(services, "nav.solana", styles=("solana",), is_translated=True) as visit:
            tag("h1", visit.texts("solana.stranger.title"))
            missing = await asyncio.to_thread(missing_part)
            unset = [name for name in _VARIABLES if not os.environ.get(name)]
            if missing is None and unset:
                missing = visit.texts("solana.stranger.unset", names=", ".join(unset))
            tag("p", visit.texts("solana.stranger.what"), "quiet")
            if missing is not None:
                with tag("section", classes="sheet stack notice", role="alert"):
                    tag("h2", visit.texts("solana.stranger.missing_title"))
                    tag("p", sentence(missing), data_testid="missing")
                    with tag("div", classes="line"):
                        tag("a", visit.texts("solana.stranger.try_here"), "plain-button main", href="/solana")
                return
            ui.add_head_html('<script src="/static/solana-key.js"></script>')
            _StrangerPage(visit, *(os.environ[name] for name in _VARIABLES)).build()


class _StrangerPage:
    """One open page."""

    def __init__(self, visit: Visit, url: str, program: str, house: str) -> None:
        self._texts = visit.texts
        self._url, self._program, self._house = url, program, house
        self._connected: RemotePlayer | None = None
        self._bet: ui.input | None = None

    def build(self) -> None:
        """Build the page."""
        self._place = tag("div", classes="stack sheet")
        self._show_keys([])
        ui.timer(0, self._find_wallets, once=True)

    # The visitor's key

    async def _find_wallets(self) -> None:
        self._show_keys(await ui.run_javascript("solanaKey.names()", timeout=_KEY_SECONDS))

    def _show_keys(self, wallets: list[str]) -> None:
        self._place.clear()
        with self._place:
            own = self._texts("solana.stranger.own_key")
            button(own, "own-key", lambda: attempt(self._connect("solanaKey.own()")))
            for name in wallets:
                call = f"solanaKey.connect({json.dumps(name)})"
                button(
                    self._texts("solana.stranger.connect", name=name),
                    f"wallet-{name}",
                    partial(self._choose_wallet, call),
                )

    async def _choose_wallet(self, call: str) -> None:
        await attempt(self._connect(call))

    async def _connect(self, call: str) -> None:
        from solders.pubkey import Pubkey  # noqa: PLC0415 - needs the extra

        from croupier.solana.cluster import Cluster  # noqa: PLC0415
        from croupier.solana.remote_player import RemotePlayer  # noqa: PLC0415

        key = await ui.run_javascript(call, timeout=_SIGNING_SECONDS)
        cluster = Cluster(self._url, Pubkey.from_string(self._program))
        ui.context.client.on_delete(lambda: cluster.__aexit__(None, None, None))
        player = RemotePlayer(cluster, Pubkey(base64.b64decode(key)), Pubkey.from_string(self._house))
        await player.resume()
        self._connected = player
        await self._look()

    @property
    def _player(self) -> "RemotePlayer":
        assert self._connected is not None, "choices are shown to a player only"
        return self._connected

    # The game

    async def _look(self) -> None:
        """Show the game as it stands on the chain; wait for the house if it has to answer."""
        from croupier.web.models.solana_stranger import stranger_view  # noqa: PLC0415 - needs the extra

        game, is_closed = await self._player.outcome()
        if game is not None and game.status.waits_for_house:
            await self._show(replace(stranger_view(game), choices=()))
            await self._player.answered()
            game, is_closed = await self._player.outcome()
        await self._show(stranger_view(game, is_closed=is_closed))

    async def _show(self, view: "StrangerView") -> None:
        from croupier.web.models.solana_stranger import bet_offer, sol  # noqa: PLC0415 - needs the extra

        player = self._player
        balance = await player.cluster.balance(player.player)
        can_open = any(name == "open" for name, _ in view.choices)
        limits = await player.bet_limits() if can_open else None
        self._bet = None
        self._place.clear()
        with self._place, tag("div", classes="solana-stranger"):
            if view.dealer.cards:
                with tag("div", classes="felt stack"):
                    Drawing(partial(_draw_hands, view, self._texts))
            with tag("div", classes="stack"):
                tag("p", view.words, "prompt", role="status", data_testid="state")
                for line in view.stakes:
                    tag("p", line, data_testid="stakes")
                if can_open:
                    tag("p", bet_offer(limits), "quiet", data_testid="bet-offer")
                if limits is not None:
                    self._bet = ui.input(self._texts("solana.stranger.bet")).props(
                        'outlined dense data-testid="bet"'
                    )
                with tag("div", classes="solana-buttons"):
                    for name, words in view.choices:
                        chosen = partial(self._choose, name)
                        button(words, f"choice-{name}", chosen, is_main=len(view.choices) == 1)
                you = say("solana.stranger.you_are", address=str(player.player))
                tag("p", you, "quiet solana-address", data_testid="address")
                has = say("solana.stranger.balance", sol=sol(balance))
                tag("p", has, "quiet", data_testid="balance")

    async def _choose(self, name: str) -> None:
        await attempt(self._ask(name))

    # Signing

    async def _ask(self, name: str) -> None:
        """Show a transaction before it is signed."""
        from croupier.solana.codes import Tag  # noqa: PLC0415 - needs the extra
        from croupier.solana.remote_player import explained  # noqa: PLC0415

        player = self._player
        if name != "open" and await player.state() is None:
            # The house was first to close the game.
            await self._look()
            return
        wire = await (
            player.opening(self._wanted_bet()) if name == "open" else player.request(Tag[name.upper()])
        )
        lines = explained(wire, player.cluster.program)
        self._place.clear()
        with self._place:
            tag("h2", say("solana.stranger.sign_title"))
            with tag("ul", data_testid="to-sign"):
                for line in lines:
                    tag("li", line, "solana-address")
            with tag("details"):
                tag("summary", say("solana.stranger.bytes"))
                tag("code", base64.b64encode(wire).decode(), "solana-address", data_testid="bytes")
            with tag("div", classes="solana-buttons"):
                sign = say("solana.stranger.sign")
                button(sign, "sign", lambda: attempt(self._send(wire)), is_main=True)
                button(say("solana.stranger.leave"), "leave", lambda: attempt(self._look()))

    def _wanted_bet(self) -> int:
        from croupier.web.models.solana_stranger import read_bet  # noqa: PLC0415 - needs the extra

        return 0 if self._bet is None else read_bet(str(self._bet.value or ""))

    async def _send(self, wire: bytes) -> None:
        call = f"solanaKey.sign({json.dumps(base64.b64encode(wire).decode())})"
        try:
            signed = base64.b64decode(await ui.run_javascript(call, timeout=_SIGNING_SECONDS))
        except (TimeoutError, ValueError, TypeError):
            await self._look()
            raise InputError(say("solana.refused.not_signed")) from None
        try:
            await self._player.send(wire, signed)
        finally:
            await self._look()


def _draw_hands(view: "StrangerView", texts: Texts) -> None:
    show_hand(texts("solana.dealer"), "dealer", view.dealer, texts)
    show_hand(texts("solana.you"), "player", view.player, texts)
