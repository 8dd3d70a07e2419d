"""A table for friends: everybody at it has this page open, each with what that seat may see."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from nicegui import context, ui

from croupier.choices import Choice
from croupier.errors import InputError
from croupier.texts import say
from croupier.web.friends.seats import LONGEST_NAME
from croupier.web.friends.table import SharedTable, TableView
from croupier.web.friends.tables import LiveTable, SharedTables
from croupier.web.pages.friends_games import GAME_PARTS
from croupier.web.pages.friends_people import draw_people, draw_settlement
from croupier.web.pages.table_page import TablePage
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.notices import refusal
from croupier.web.parts.qr_code import qr_code
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.settings import LOCAL_NAMES, network_address
from croupier.web.shell import Visit, frame, own_address, page


def register(services: Services, tables: SharedTables) -> None:
    """Put the page on its address."""

    @page("/friends/{code}")
    async def friends_table(code: str) -> None:
        styles = ("banluck", "blackjack", "durak", "friends")
        async with frame(services, "nav.friends", styles=styles, is_table=True, is_translated=True) as visit:
            try:
                live = await tables.find(code)
            except InputError as error:
                tag("h1", visit.texts("nav.friends"))
                tag("p", refusal(error), role="alert", data_testid="no-table")
                tag("a", visit.texts("friends.page.own"), href="/friends")
                return
            reachable = network_address() if services.settings.is_public else None
            FriendsPage(services, visit, live, link_to(code, own_address(), reachable)).build()


def link_to(code: str, address: str, reachable: str | None) -> str:
    """Return the link to a table.

    Parameters
    ----------
    code
        The table's code.
    address
        The address by which the visitor came.
    reachable
        This computer's address in its network, if others can reach the web app; it takes the place of a name that only this computer knows.

    Examples
    --------
    >>> link_to("k7qm2abc", "http://localhost:8080", "192.168.1.5")
    'http://192.168.1.5:8080/friends/k7qm2abc'
    >>> link_to("k7qm2abc", "https://cards.example", "192.168.1.5")
    'https://cards.example/friends/k7qm2abc'
    """
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    if reachable is not None and parts.netloc.removesuffix(port) in LOCAL_NAMES:
        address = f"{parts.scheme}://{reachable}{port}"
    return f"{address}/friends/{code}"


class FriendsPage(TablePage[SharedTable]):
    """One open page of a shared table."""

    def __init__(self, services: Services, visit: Visit, live: LiveTable, link: str) -> None:
        super().__init__(visit, live)
        self._live, self._link = live, link
        self._view = self._look()
        self._part = GAME_PARTS[self._view.kind](services, self)

    # For the parts of the games

    @property
    def visit(self) -> Visit:
        """The visitor."""
        return self._visit

    @property
    def live(self) -> LiveTable:
        """The table in memory."""
        return self._live

    @property
    def view(self) -> TableView:
        """What this visitor sees now."""
        return self._view

    def build(self) -> None:
        """Put the page together."""
        texts = self._texts
        shell = TableShell(
            texts("nav.friends"), choices=texts("table.choices"), aside=texts("friends.page.aside")
        )
        with shell.head:
            tag("span", self._view.title, "quiet", data_testid="table-name")
            tag("span", classes="spring")
            self.drawing(self._draw_host)
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            self.drawing(lambda: draw_people(self))
            self.drawing(lambda: draw_settlement(self._view))
            self._show_invitation()
            self.drawing(self._part.draw_side)
            self._part.show_review()
            show_introduction(self._view.kind, texts, is_new=False)
        with shell.foot:
            self.drawing(self._draw_prompt)
            self._show_join()
            self._show_bet()
            self.drawing(self._part.draw_hand)
            self.drawing(self.draw_choices)
        self._show_fields()
        self.follow()
        visitor = self._visit.visitor
        client = context.client
        client.on_connect(partial(self._live.arrive, visitor))
        client.on_disconnect(partial(self._live.depart, visitor))

    def _look(self) -> TableView:
        return self._live.model.view(self._visit.visitor, self._live.present)

    # What the visitor does

    @property
    def moment(self) -> str:
        """The question that is shown."""
        return self._view.moment

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now."""
        view = self._view
        if view.is_ended or view.seat is None:
            return ()
        if view.seats[view.seat].holder != "person":
            return (Choice("come-back", say("friends.page.come_back"), "Enter"),)
        if view.is_paused:
            return (Choice("go-on", say("friends.page.go_on"), "Enter"),) if view.is_host else ()
        return self._part.choices()

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        visitor = self._visit.visitor
        match name:
            case "come-back":
                await self.change(lambda table: table.come_back(visitor))
            case "go-on":
                await self.change(lambda table: table.pause(visitor, paused=False))
            case _:
                await self._part.choose(name)

    async def act(self, name: str) -> None:
        """Answer the question that is shown."""
        visitor, moment = self._visit.visitor, self._view.moment
        amount = self._bet.value if name == "bet" else None
        await self.change(lambda table: table.act(visitor, name, moment=moment, amount=amount))

    async def press(self, key: str) -> None:
        """Choose by key."""
        if not await self._part.press(key):
            await super().press(key)

    async def _join(self) -> None:
        visitor, name = self._visit.visitor, str(self._name.value or "")
        await self.change(lambda table: table.join(visitor, name))

    # What is shown

    def refresh(self) -> None:
        """Show the table as it is now."""
        asked_before = self._part.offered_bet
        self._view = self._look()
        self._part.look()
        if self._part.offered_bet is not None and asked_before is None:
            self._bet.set_value(self._part.offered_bet / 100)
        self._show_fields()
        super().refresh()

    def _show_fields(self) -> None:
        view = self._view
        self._join_row.set_visibility(view.seat is None and not view.is_ended and view.free > 0)
        is_person = view.seat is not None and view.seats[view.seat].holder == "person"
        can_bet = self._part.offered_bet is not None and not view.is_paused and not view.is_ended
        self._bet_row.set_visibility(is_person and can_bet)

    def _show_join(self) -> None:
        self._join_row = tag("div", classes="line join-row")
        with self._join_row:
            self._name = ui.input(self._texts("friends.lobby.name")).props(
                f'outlined dense maxlength={LONGEST_NAME} autocomplete="nickname" data-testid="name"'
            )
            self._name.on("keydown.enter", self._join, args=[])
            tag("button", self._texts("friends.page.join"), "action", type="button", data_testid="join").on(
                "click", self._join, args=[]
            )

    def _show_bet(self) -> None:
        self._bet_row = tag("div", classes="bet-row")
        offered, texts = (self._part.offered_bet or 0) / 100, self._texts
        with self._bet_row:
            halve = tag("button", "½", "bet-button", type="button", aria_label=texts("table.halve"))
            field = self._bet = ui.number(texts("table.bet"), value=offered, min=0.01, format="%.6g").props(
                'outlined dense data-testid="bet"'
            )
            double = tag("button", "×2", "bet-button", type="button", aria_label=texts("table.double"))
        field.on("keydown.enter", lambda: self.act("bet"), args=[])
        halve.on("click", lambda: field.set_value(max(round((field.value or 0) / 2, 2), 0.01)), args=[])
        double.on("click", lambda: field.set_value(round((field.value or 0) * 2, 2)), args=[])

    def _show_invitation(self) -> None:
        texts = self._texts
        with tag("details", classes="sheet invitation", data_testid="invitation"):
            tag("summary", texts("friends.page.invite"))
            tag("img", "", "qr-code", src=qr_code(self._link), alt=texts("friends.page.qr"))
            tag("a", self._link, "invite-link", href=self._link)
            button(texts("friends.page.copy"), "copy-link", lambda: ui.clipboard.write(self._link))

    def _draw_invitation(self) -> None:
        """Draw the link on the felt, as long as people are still to come."""
        with draw("div", classes="felt-invitation"):
            draw("img", classes="qr-code", src=qr_code(self._link), alt=say("friends.page.qr"))
            with draw("div", classes="stack"):
                draw("strong", say("friends.page.invite_felt"))
                draw("a", self._link, "invite-link", href=self._link, data_testid="link")

    def _draw_host(self) -> None:
        view, visitor = self._view, self._visit.visitor
        if view.is_ended:
            return
        if view.is_host:
            label = say("friends.page.go_on" if view.is_paused else "friends.page.pause")
            paused = not view.is_paused
            self._host_button(label, "pause", lambda table: table.pause(visitor, paused=paused))
            with draw("details", classes="confirm"):
                draw("summary", say("friends.page.end"), "plain-button", data_testid="end")
                end = say("friends.page.end_all")
                self._host_button(end, "end-now", lambda table: table.end(visitor))
        elif view.seat is not None and not view.host_is_here:
            self._host_button(
                say("friends.page.take_over"),
                "take-over",
                lambda table: table.take_over(visitor, self._live.present),
            )
        if view.seat is not None:
            self._host_button(say("friends.page.leave"), "leave", lambda table: table.leave(visitor))

    def _host_button(self, label: str, mark: str, action: Callable[[SharedTable], object]) -> None:
        draw(
            "button",
            label,
            "plain-button",
            type="button",
            data_testid=mark,
            on_click=partial(self.change, action),
        )

    def _draw_felt(self) -> None:
        if self._view.is_paused:
            draw("div", say("friends.page.paused"), "felt-banner", role="status", data_testid="paused")
        if self._view.is_ended:
            draw("div", say("friends.page.ended"), "felt-banner", role="status", data_testid="ended")
        if not self._part.has_begun and not self._view.is_ended and self._view.seat is not None:
            self._draw_invitation()
        self._part.draw_felt()

    def _draw_prompt(self) -> None:
        draw("div", self._prompt(), "prompt", role="status", data_testid="prompt")

    def _prompt(self) -> str:
        view = self._view
        if view.is_ended:
            return say("friends.prompt.ended")
        if view.seat is None:
            return say("friends.prompt.watch" if view.free else "friends.prompt.watch_full")
        if view.seats[view.seat].holder != "person":
            return say("friends.prompt.engine")
        if view.is_paused:
            return say("friends.prompt.paused")
        return self._part.prompt
