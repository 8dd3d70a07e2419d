"""What the durak pages share: the list of engines, the folder of logs, and the cards on a felt."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cache

from nicegui import ui

from croupier.durak.play.opponents import Opponent, built_in_opponents
from croupier.durak.play.phrases import engine_title, short_name
from croupier.errors import InputError
from croupier.texts import Texts
from croupier.web.models.durak_engines import LONGEST_COMMAND, LONGEST_NAME, EngineList
from croupier.web.models.durak_logs import LogFolder
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import tag
from croupier.web.parts.notices import attempt, refusal, refused
from croupier.web.settings import Settings


@cache
def engine_list(settings: Settings) -> EngineList:
    """Return the one list of engines of a web app; changes to it wait for each other."""
    return EngineList(settings)


@cache
def log_folder(settings: Settings) -> LogFolder:
    """Return the folder of logs of a web app."""
    return LogFolder(settings.folder)


def engine_options(engines: EngineList, texts: Texts) -> dict[str, str]:
    """Return the engines as the options of a field to choose from; only the built-in ones where the list is damaged."""
    try:
        entries = engines.entries()
    except InputError as error:
        refused(error)
        entries = built_in_opponents()
    return {entry.name: engine_title(entry.name, texts) for entry in entries}


def show_pairs(pairs: Sequence[tuple[int, int | None]], texts: Texts) -> None:
    """Draw what lies on the table: each attack card, and the card that beat it across it."""
    with draw(
        "div", classes="durak-pairs", role="group", aria_label=texts("durak.on_table"), data_testid="pairs"
    ):
        for attack, defence in pairs:
            with draw("div", classes="durak-pair"):
                show_card(attack, texts)
                if defence is not None:
                    show_card(defence, texts, classes="durak-beating")
        if not pairs:
            draw("span", texts("durak.table_empty"), "quiet")


def show_stock(trump: int, count: int, texts: Texts) -> None:
    """Draw the stock with the open trump under it."""
    with draw("div", classes="durak-stock", data_testid="stock"):
        with draw("div", classes="durak-stock-cards"):
            show_card(trump, texts, classes="durak-trump" if count else "durak-trump dim", mark="trump")
            if count > 1:
                show_card(None, texts, classes="durak-stock-top")
        text = texts("durak.stock_count", count=count) if count else texts("durak.stock_empty")
        draw("span", text, "durak-caption", data_testid="stock-count")
        draw("span", f"{texts('durak.trump')}: {short_name(trump)}", "durak-caption quiet")


def show_discard(count: int, texts: Texts) -> None:
    """Draw the cards that are out of play."""
    with draw("div", classes="durak-stock"):
        with draw("div", classes="durak-stock-cards durak-discard"):
            for _ in range(min(3, (count + 3) // 4)):
                show_card(None, texts)
        draw("span", texts("durak.discard_count", count=count), "durak-caption", data_testid="discard-count")


class EnginePanel:
    """The list of engines on a page: choose what is in it, add to it, remove from it.

    Parameters
    ----------
    engines
        The list.
    texts
        The reader's texts.
    on_change
        Called after the list has changed.
    """

    def __init__(self, engines: EngineList, texts: Texts, on_change: Callable[[], None]) -> None:
        self._engines, self._texts, self._on_change = engines, texts, on_change
        with ui.expansion(texts("durak.engines.title")).classes("durak-panel").props('data-testid="engines"'):
            tag("p", texts("durak.engines.help"), "quiet")
            self._list()
            self._form()

    @ui.refreshable_method
    def _list(self) -> None:
        try:
            entries = self._engines.entries()
        except InputError as error:
            tag("p", refusal(error), "bad", role="alert")
            return
        with tag("ul", classes="durak-engines"):
            for entry in entries:
                self._row(entry)

    def _row(self, entry: Opponent) -> None:
        texts = self._texts
        with tag("li"):
            with tag("div"):
                tag("strong", engine_title(entry.name, texts))
                is_built_in = entry.built_in is not None
                # Paths of the machine are shown only to a visitor on that machine.
                command = "" if self._engines.needs_token else entry.command
                tag("span", texts("durak.engines.built_in") if is_built_in else command, "quiet")
            if not is_built_in:
                tag(
                    "button",
                    texts("durak.engines.remove"),
                    "plain-button",
                    type="button",
                    aria_label=texts("durak.engines.remove_named", name=entry.name),
                ).on("click", lambda: self._remove(entry.name), args=[])

    def _form(self) -> None:
        texts = self._texts
        field = "outlined dense"
        self._name = ui.input(texts("durak.engines.name")).props(
            f'{field} maxlength={LONGEST_NAME} data-testid="engine-name"'
        )
        self._command = ui.input(texts("durak.engines.command")).props(
            f'{field} maxlength={LONGEST_COMMAND} data-testid="engine-command"'
        )
        self._token = None
        if self._engines.needs_token:
            self._token = ui.input(texts("durak.engines.token"), password=True).props(
                f'{field} data-testid="engine-token"'
            )
        tag("p", texts("durak.engines.trust"), "quiet")
        tag(
            "button",
            texts("durak.engines.add"),
            "plain-button",
            type="button",
            data_testid="engine-add",
        ).on("click", self._add, args=[])

    async def _add(self) -> None:
        name, command = str(self._name.value or ""), str(self._command.value or "")
        if await attempt(asyncio.to_thread(self._engines.add, name, command, self._given_token())):
            self._name.value = self._command.value = ""
            ui.notify(self._texts("durak.engines.added", name=name.strip()), position="top")
            self._changed()

    async def _remove(self, name: str) -> None:
        if await attempt(asyncio.to_thread(self._engines.remove, name, self._given_token())):
            ui.notify(self._texts("durak.engines.removed", name=name), position="top")
            self._changed()

    def _given_token(self) -> str | None:
        return None if self._token is None else str(self._token.value or "")

    def _changed(self) -> None:
        self._list.refresh()
        self._on_change()
