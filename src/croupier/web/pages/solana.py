"""The table on the chain: play or watch a game, see every byte and every lamport, and verify it."""

import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from croupier.choices import Choice
from croupier.errors import InputError
from croupier.texts import figure, say, sentence
from croupier.web.models.solana_machine import missing_part
from croupier.web.models.solana_view import Entry, SolanaView
from croupier.web.pages.solana_parts import (
    DOES_NOT_PROVE,
    PROVES,
    show_entry,
    show_hand,
    show_points,
    show_proof,
)
from croupier.web.pages.table_page import TablePage
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.notices import refused
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

if TYPE_CHECKING:
    from croupier.web.models.solana_account import FieldView
    from croupier.web.models.solana_table import SolanaTable
    from croupier.web.sessions import TableSession

#: Seconds between two steps of an automatic game.
STEP_SECONDS = 1.5

#: The default game to watch, the same as ``croupier solana demo --seed 4``.
FIRST_SEED = 4


def register(services: Services) -> None:
    """Register the page."""

    @page("/solana")
    async def solana() -> None:
        async with frame(
            services, "nav.solana", styles=("solana",), is_table=True, is_translated=True
        ) as visit:
            missing = await asyncio.to_thread(missing_part)
            if missing is not None:
                tag("h1", visit.texts("solana.title"))
                tag("p", sentence(missing), "sheet bad", role="alert", data_testid="missing")
                return
            from croupier.web.models.solana_table import SolanaTable  # noqa: PLC0415 - needs the extra

            session = await services.sessions.open(
                visit.visitor, "solana", fresh=SolanaTable.opened, restore=SolanaTable.from_state
            )
            _SolanaPage(visit, session).build()


class _SolanaPage(TablePage["SolanaTable"]):
    """One open page of the table."""

    def __init__(self, visit: Visit, session: "TableSession[SolanaTable]") -> None:
        super().__init__(visit, session)
        self._chosen: int | None = None
        self._unfolded: set[str] = set()

    @property
    def _view(self) -> SolanaView:
        return self._session.model.view()

    def build(self) -> None:
        """Build the page."""
        texts = self._texts
        self._timer = ui.timer(STEP_SECONDS, self._step, active=False)
        shell = TableShell(texts("solana.title"), choices=texts("table.choices"), aside=texts("solana.aside"))
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            self._setting()
            self.drawing(self._draw_side)
            tag("p", texts("solana.what"), "sheet quiet")
            tag("a", texts("solana.elsewhere"), "quiet", href="/solana/stranger")
        with shell.below:
            self.drawing(self._draw_proof)
            self._chain = self.drawing(self._draw_chain)
        with shell.foot:
            self.drawing(self._draw_foot)
        self.follow()

    def refresh(self) -> None:
        """Show the table as it is now, with its newest transaction."""
        self._chosen = None
        super().refresh()

    # Actions

    @property
    def moment(self) -> int:
        """How many transactions there are."""
        return len(self._view.entries)

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        match name:
            case "new":
                await self._begin(is_watched=self._view.is_watched)
            case "auto":
                self._timer.active = not self._timer.active
                super().refresh()
            case _:
                await self.change(lambda table: table.act(name))

    async def _begin(self, *, is_watched: bool) -> None:
        """Begin a game with the form's values; the seed of a played game is a secret of the server."""
        decks = int(self._decks_field.value)
        seed = secrets.randbits(256)
        if is_watched:
            try:
                seed = _read_seed(str(self._seed_field.value or ""))
            except InputError as error:
                refused(error)
                return
        self._timer.active = False
        await self.change(lambda table: table.begin(seed=seed, decks=decks, is_watched=is_watched))

    async def _step(self) -> None:
        """Take the next step of an automatic game, if there is one."""
        if not self._can_step():
            self._timer.active = False
            super().refresh()
            return
        self._timer.active = await self.change(lambda table: table.act("next")) and self._timer.active

    def _can_step(self) -> bool:
        return any(choice.name == "next" for choice in self._view.choices)

    async def press(self, key: str) -> None:
        """Choose by key, or turn to another transaction with the arrow keys."""
        if key in ("ArrowLeft", "ArrowRight"):
            self._turn(-1 if key == "ArrowLeft" else 1)
        else:
            await super().press(key)

    def choices(self) -> tuple[Choice, ...]:
        """Return the possible actions; the page itself adds the pause of a watched game."""
        choices = self._view.choices
        if not self._can_step():
            return choices
        auto = Choice("auto", say("solana.pause" if self._timer.active else "solana.auto"), "p")
        return (choices[0], auto, *choices[1:])

    def _turn(self, step: int) -> None:
        last = len(self._view.entries) - 1
        if last >= 0:
            self._look_at(min(max(self._chosen_place + step, 0), last))

    def _look_at(self, place: int) -> None:
        self._chosen = place
        self._chain.refresh()

    @property
    def _chosen_place(self) -> int:
        last = len(self._view.entries) - 1
        return last if self._chosen is None else min(self._chosen, last)

    # The table

    def _draw_felt(self) -> None:
        view = self._view
        show_hand(self._texts("solana.dealer"), "dealer", view.dealer, self._texts)
        you = self._texts("solana.player" if view.is_watched else "solana.you")
        show_hand(you, "player", view.player, self._texts)

    def _draw_foot(self) -> None:
        view = self._view
        with draw("div", classes="said", role="status", aria_live="polite"):
            if view.entries:
                entry = view.entries[-1]
                news = say("solana.news", number=entry.number, sentence=entry.sentence)
                draw("p", news, "quiet", data_testid="news")
            draw("p", view.prompt, "prompt", data_testid="prompt")
        self.draw_choices()

    # The side panel

    def _setting(self) -> None:
        view, texts = self._view, self._texts
        with tag("section", classes="sheet stack", aria_label=texts("solana.games")):
            with tag("div", classes="solana-form"):
                self._decks_field = ui.select(
                    {count: str(count) for count in range(1, 9)},
                    value=view.decks,
                    label=texts("solana.decks"),
                ).props('outlined dense data-testid="decks"')
                seed = FIRST_SEED if view.watched_seed is None else view.watched_seed
                self._seed_field = ui.input(texts("solana.seed"), value=str(seed)).props(
                    'outlined dense maxlength=80 data-testid="seed"'
                )
                self._seed_field.props["title"] = texts("solana.seed_help")
            with tag("div", classes="line"):
                button(texts("solana.play"), "play", lambda: self._begin(is_watched=False), is_main=True)
                button(texts("solana.watch"), "watch", lambda: self._begin(is_watched=True))
            switch = ui.switch(
                texts("solana.house_answers"), value=view.house_answers, on_change=self._switch_house
            ).props('data-testid="house-answers"')
            switch.props["title"] = texts("solana.house_help")

    async def _switch_house(self, event: Any) -> None:
        is_on = bool(event.value)
        if is_on != self._view.house_answers:
            await self.change(lambda table: table.let_house_answer(is_on=is_on))

    def _draw_side(self) -> None:
        view = self._view
        with draw("section", classes="sheet stack", aria_label=say("solana.lamports")):
            with draw("div", classes="facts", data_testid="score"):
                for name, count in zip(("won", "tied", "lost"), view.score, strict=True):
                    fact(say(f"solana.score.{name}"), figure(count, ",d"), f"score-{name}")
            if not view.purses:
                draw("p", say("solana.no_lamports"), "quiet")
                return
            draw("h2", say("solana.every_lamport"))
            with draw("table", classes="grid-table solana-lamports", data_testid="purses"):
                with draw("tr"):
                    draw("td")
                    for purse in view.purses:
                        draw("th", say(f"solana.purse.{purse.name}"), scope="col")
                for name in ("start", "fees", "rent", "now", "missing"):
                    with draw("tr"):
                        draw("th", say(f"solana.purse.{name}"), scope="row")
                        for purse in view.purses:
                            mark = f"{name}-{purse.name}"
                            draw("td", figure(getattr(purse, name), ",d"), "number", data_testid=mark)
            if view.account is not None and view.account.deadline:
                draw("p", view.account.deadline, "quiet", data_testid="deadline")

    # The proof

    def _draw_proof(self) -> None:
        view = self._view
        if view.proof is None:
            return
        with draw(
            "section", classes="sheet stack", data_testid="proof", aria_label=say("solana.proof.label")
        ):
            draw("h2", say("solana.proof.title"))
            show_proof(view.proof, "verdict")
            with draw("div", classes="solana-two"):
                show_points(say("solana.proof.proves"), PROVES)
                show_points(say("solana.proof.not"), DOES_NOT_PROVE)
            if view.record is not None:
                record = view.record
                with draw("div", classes="line"):
                    draw(
                        "button",
                        say("solana.proof.save"),
                        "plain-button",
                        on_click=lambda: ui.download.content(record, "game.json"),
                        type="button",
                        data_testid="save-record",
                    )
                    draw("span", say("solana.proof.again"), "quiet")
            if view.forgery is not None:
                draw("h2", say("solana.proof.lied"))
                draw("p", view.forgery.change, data_testid="forged-card")
                show_proof(view.forgery.proof, "forged-verdict")

    # The chain

    def _draw_chain(self) -> None:
        view = self._view
        if not view.entries:
            return
        place = self._chosen_place
        entry = view.entries[place]
        with draw("section", classes="sheet stack", aria_label=say("solana.chain.label")):
            draw("h2", say("solana.chain.title"))
            with draw("div", classes="solana-chain"):
                self._draw_list(view, place)
                show_entry(entry)
        with draw(
            "section", classes="sheet stack", data_testid="account", aria_label=say("solana.account.label")
        ):
            self._draw_account(view, entry)

    def _draw_list(self, view: SolanaView, chosen: int) -> None:
        with draw("ol", classes="solana-list", data_testid="entries"):
            for place, entry in enumerate(view.entries):
                cost = entry.transaction
                units = "" if cost is None else say("solana.chain.units", units=cost.compute_units)
                with (
                    draw("li"),
                    draw(
                        "button",
                        on_click=partial(self._look_at, place),
                        type="button",
                        aria_current="step" if place == chosen else None,
                        data_testid=f"entry-{entry.number}",
                    ),
                ):
                    action = say(f"solana.action.{entry.action}")
                    draw("span", say("list.numbered", number=entry.number, text=action), "solana-action")
                    draw("span", say("solana.chain.slot", slot=entry.slot), "quiet number")
                    draw("span", units, "quiet number")

    def _draw_account(self, view: SolanaView, entry: Entry) -> None:
        action = say(f"solana.action.{entry.action}")
        draw("h2", say("solana.account.title", number=entry.number, action=action))
        if view.account is not None:
            held = view.account
            place = say(
                "solana.account.place", number=held.number, address=held.address, program=held.program
            )
            draw("p", place, "quiet solana-address", data_testid="address")
        from croupier.web.models.solana_account import decode_account  # noqa: PLC0415 - needs the extra

        fields = decode_account(entry.after, entry.before)
        if not fields:
            draw("p", say("solana.account.closed"), data_testid="closed")
            return
        draw("p", say("solana.account.help"), "quiet")
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table solana-bytes", data_testid="bytes"),
        ):
            with draw("tr"):
                for heading in ("offset", "bytes", "field", "raw", "meaning"):
                    draw("th", say(f"solana.account.{heading}"), scope="col")
            for field in fields:
                self._draw_field(field)

    def _draw_field(self, field: "FieldView") -> None:
        is_open = field.name in self._unfolded

        def unfold() -> None:
            self._unfolded ^= {field.name}
            self._chain.refresh()

        with draw("tr", classes="changed" if field.is_changed else "", data_testid=f"field-{field.name}"):
            draw("td", str(field.offset), "number")
            draw("td", str(field.size), "number")
            with draw("td"):
                draw(
                    "button",
                    field.name,
                    "solana-field",
                    on_click=unfold,
                    type="button",
                    title=field.kind,
                    aria_expanded="true" if is_open else "false",
                )
            with draw("td", classes="solana-hex", data_testid=f"raw-{field.name}"):
                for text, is_changed in field.runs:
                    draw("mark" if is_changed else "span", text)
            draw("td", field.meaning, "solana-meaning", data_testid=f"meaning-{field.name}")
        if is_open:
            for byte in field.bytes:
                with draw("tr", classes="solana-byte", data_testid=f"byte-{byte.offset}"):
                    draw("td", str(byte.offset), "number")
                    draw("td", "1", "number")
                    draw("td")
                    with draw("td", classes="solana-hex"):
                        draw("mark" if byte.is_changed else "span", byte.hex)
                    draw("td", byte.meaning, "solana-meaning")


def _read_seed(text: str) -> int:
    """Read the seed of a game to watch.

    >>> _read_seed(" 12 ")
    12
    >>> _read_seed("x")
    Traceback (most recent call last):
    croupier.errors.InputError: seed 'x': a seed must be a whole number, 0 or more, of at most 80 digits
    """
    stripped = text.strip()
    if not (stripped.isascii() and stripped.isdigit() and len(stripped) <= 80):
        raise InputError(say("solana.refused.seed", seed=stripped))
    return int(stripped)
