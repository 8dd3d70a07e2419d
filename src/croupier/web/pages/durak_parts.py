"""What the durak pages share: the list of engines, the shelf of logs, and the cards on a felt."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache

from nicegui import ui

from croupier.errors import InputError
from croupier.web.models.durak_engines import LONGEST_COMMAND, LONGEST_NAME, EngineEntry, EngineList
from croupier.web.models.durak_logs import LogShelf
from croupier.web.models.durak_phrases import engine_title, refusal_phrase, short_name
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import tag
from croupier.web.parts.notices import refused
from croupier.web.settings import Settings
from croupier.web.words import Words


@cache
def engine_list(settings: Settings) -> EngineList:
    """Return the one list of engines of a lab: who changes it waits for whoever is changing it."""
    return EngineList(settings)


@cache
def log_shelf(settings: Settings) -> LogShelf:
    """Return the one shelf of logs of a lab."""
    return LogShelf(settings.folder)


async def attempt_in(words: Words, deed: Awaitable[object]) -> bool:
    """Do something that may be refused; say why, in the reader's language, if it is. Return whether it was done."""
    try:
        await deed
    except InputError as error:
        refused(InputError(refusal_phrase(error, words)))
        return False
    return True


def engine_options(engines: EngineList, words: Words) -> dict[str, str]:
    """Return the engines as the options of a field to choose from; those of the house alone where the list is damaged."""
    try:
        entries = engines.entries()
    except InputError as error:
        refused(InputError(refusal_phrase(error, words)))
        entries = engines.house_entries()
    return {entry.name: engine_title(entry.name, words) for entry in entries}


def show_pairs(pairs: Sequence[tuple[int, int | None]], words: Words) -> None:
    """Draw what lies on the table: each attack card, and the card that beat it across it."""
    with draw(
        "div", classes="durak-pairs", role="group", aria_label=words("durak.on_table"), data_testid="pairs"
    ):
        for attack, defence in pairs:
            with draw("div", classes="durak-pair"):
                show_card(attack, words)
                if defence is not None:
                    show_card(defence, words, classes="durak-beating")
        if not pairs:
            draw("span", words("durak.table_empty"), "quiet")


def show_stock(trump: int, count: int, words: Words) -> None:
    """Draw the stock with the open trump under it."""
    with draw("div", classes="durak-stock", data_testid="stock"):
        with draw("div", classes="durak-stock-cards"):
            show_card(trump, words, classes="durak-trump" if count else "durak-trump dim", mark="trump")
            if count > 1:
                show_card(None, words, classes="durak-stock-top")
        text = words("durak.stock_count", count=count) if count else words("durak.stock_empty")
        draw("span", text, "durak-caption", data_testid="stock-count")
        draw("span", f"{words('durak.trump')}: {short_name(trump)}", "durak-caption quiet")


def show_discard(count: int, words: Words) -> None:
    """Draw the cards that are out of play."""
    with draw("div", classes="durak-stock"):
        with draw("div", classes="durak-stock-cards durak-discard"):
            for _ in range(min(3, (count + 3) // 4)):
                show_card(None, words)
        draw("span", words("durak.discard_count", count=count), "durak-caption", data_testid="discard-count")


class EnginePanel:
    """The list of engines on a page: choose what is in it, add to it, remove from it.

    Parameters
    ----------
    engines
        The list.
    words
        The reader's texts.
    on_change
        Called after the list has changed.
    """

    def __init__(self, engines: EngineList, words: Words, on_change: Callable[[], None]) -> None:
        self._engines, self._words, self._on_change = engines, words, on_change
        with ui.expansion(words("durak.engines.title")).classes("durak-panel").props('data-testid="engines"'):
            tag("p", words("durak.engines.help"), "quiet")
            self._list()
            self._form()

    @ui.refreshable_method
    def _list(self) -> None:
        try:
            entries = self._engines.entries()
        except InputError as error:
            tag("p", refusal_phrase(error, self._words), "bad", role="alert")
            return
        with tag("ul", classes="durak-engines"):
            for entry in entries:
                self._row(entry)

    def _row(self, entry: EngineEntry) -> None:
        words = self._words
        with tag("li"):
            with tag("div"):
                tag("strong", engine_title(entry.name, words))
                is_of_house = entry.house_player is not None
                # The paths of the machine are for whoever sits at it.
                command = "" if self._engines.needs_token else entry.command
                tag("span", words("durak.engines.of_house") if is_of_house else command, "quiet")
            if not is_of_house:
                tag(
                    "button",
                    words("durak.engines.remove"),
                    "plain-button",
                    type="button",
                    aria_label=words("durak.engines.remove_named", name=entry.name),
                ).on("click", lambda: self._remove(entry.name), args=[])

    def _form(self) -> None:
        words = self._words
        field = "outlined dense"
        self._name = ui.input(words("durak.engines.name")).props(
            f'{field} maxlength={LONGEST_NAME} data-testid="engine-name"'
        )
        self._command = ui.input(words("durak.engines.command")).props(
            f'{field} maxlength={LONGEST_COMMAND} data-testid="engine-command"'
        )
        self._token = None
        if self._engines.needs_token:
            self._token = ui.input(words("durak.engines.token"), password=True).props(
                f'{field} data-testid="engine-token"'
            )
        tag("p", words("durak.engines.trust"), "quiet")
        tag(
            "button",
            words("durak.engines.add"),
            "plain-button",
            type="button",
            data_testid="engine-add",
        ).on("click", self._add, args=[])

    async def _add(self) -> None:
        name, command = str(self._name.value or ""), str(self._command.value or "")
        if await attempt_in(
            self._words, asyncio.to_thread(self._engines.add, name, command, self._given_token())
        ):
            self._name.value = self._command.value = ""
            ui.notify(self._words("durak.engines.added", name=name.strip()), position="top")
            self._changed()

    async def _remove(self, name: str) -> None:
        if await attempt_in(self._words, asyncio.to_thread(self._engines.remove, name, self._given_token())):
            ui.notify(self._words("durak.engines.removed", name=name), position="top")
            self._changed()

    def _given_token(self) -> str | None:
        return None if self._token is None else str(self._token.value or "")

    def _changed(self) -> None:
        self._list.refresh()
        self._on_change()
