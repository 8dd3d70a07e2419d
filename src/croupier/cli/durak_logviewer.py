"""The log viewer in the terminal: choose a log, choose a game, step through it with both hands open."""

import asyncio
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.markup import escape
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, DataTable, Footer, Header, Input, OptionList, Select, Static

from croupier.durak.arena.log import LogIndex
from croupier.durak.engine.record import BrokenGame, GameRecord
from croupier.durak.engine.record_steps import KINDS, MALFORMED, GameEntry, Step, steps
from croupier.durak.engine.state import GameState
from croupier.durak.engine.text import describe, describe_action, describe_result
from croupier.errors import InputError

_RED_SUITS = "[2-9TJQKA][♥♦]"

#: Games on a page, and games that are searched before the keyboard gets its turn.
_PAGE, _SLICE = 500, 200


@dataclass(frozen=True, slots=True)
class Position:
    """One moment of a game: the state, and what led to it."""

    state: GameState
    story: str


def positions(record: GameRecord) -> Iterator[Position]:
    """Yield every moment of a recorded game, from the deal to the end.

    Raises
    ------
    RecordMisfit
        If the game does not replay.
    """
    for step in steps(record):
        yield Position(step.state, _story(step, record))


def _story(step: Step, record: GameRecord) -> str:
    if step.is_forfeit and record.forfeit is not None:
        return f"{record.forfeit.get('player')} forfeits: {record.forfeit.get('reason')}"
    if step.action is None or step.seat is None:
        return f"The cards are dealt. Player {step.state.leader + 1} leads."
    story = _sentence(describe_action(step.action, step.seat))
    if step.ends_bout:
        story += "; the bout is over, cards are drawn"
    if step.state.is_over:
        story += f". {_sentence(describe_result(step.state))}"
    return f"{story}."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


class LogChoice(Screen[None]):
    """The logs of a folder, to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "Quit")]

    def __init__(self, logs: list[Path]) -> None:
        super().__init__()
        self._logs = logs

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Header()
        yield OptionList(*(escape(path.name) for path in self._logs), id="logs")
        yield Footer()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the chosen log."""
        path = self._logs[event.option_index]
        try:
            screen = GameList(path)
        except InputError as error:
            self.notify(str(error), severity="error")
        else:
            self.app.push_screen(screen)


class GameList(Screen[None]):
    """The games of a log, a page at a time, with a search by names and a filter by result.

    A log may hold any number of games: they are indexed and searched piece by piece, and only the games of the page are kept.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search"),
        Binding("n", "page(1)", "Next page"),
        Binding("p", "page(-1)", "Previous page"),
        Binding("escape", "leave", "Back"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._index = LogIndex(path)
        self._found = array("Q")
        self._page = 0

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Header()
        with Horizontal(id="search-row"):
            yield Input(placeholder="search: engine, time, remark ...", id="search")
            yield Select([(kind, kind) for kind in KINDS], prompt="every result", id="kind")
        yield DataTable(id="games", cursor_type="row", zebra_stripes=True)
        yield Static(id="count")
        yield Footer()

    def on_mount(self) -> None:
        """Read the log and list its games."""
        self.title, self.sub_title = "durak log", self._path.name
        table = self._table()
        table.add_columns("game", "time", "player 1", "player 2", "result", "bouts", "remark")
        table.focus()
        self._read()

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Search while the words are typed."""
        self._search()

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Go to the list with what was found."""
        self._table().focus()

    def on_select_changed(self, _event: Select.Changed) -> None:
        """Filter by the chosen result."""
        self._search()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Open the chosen game."""
        self.app.push_screen(GameView(self._entry(int(str(event.row_key.value)))))

    def action_search(self) -> None:
        """Put the cursor into the search field."""
        self.query_one("#search", Input).focus()

    def action_page(self, step: int) -> None:
        """Turn to another page of the games that were found."""
        page = self._page + step
        if 0 <= page * _PAGE < len(self._found):
            self._page = page
            self._fill()

    def action_leave(self) -> None:
        """Leave the search field, or go back to the logs if there are several."""
        if self.query_one("#search", Input).has_focus:
            self._table().focus()
        elif isinstance(self.app, LogViewer) and self.app.has_choice:
            self.app.pop_screen()

    def _table(self) -> "DataTable[Text]":
        return self.query_one("#games", DataTable)

    def _entry(self, number: int) -> GameEntry:
        return GameEntry(number, self._index.game(number))

    @work(group="read")
    async def _read(self) -> None:
        """Index the log, letting the screen go on meanwhile; then list its games."""
        for done, size in self._index.scan():
            self._count(f"reading: {done / size:.0%}")
            await asyncio.sleep(0)
        self._search()

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        """Find the games to list; the first page is shown as soon as it is full."""
        words = self.query_one("#search", Input).value
        chosen = self.query_one("#kind", Select).value
        kind = chosen if isinstance(chosen, str) else None
        self._page = 0
        if not words.strip() and kind is None:
            self._found = array("Q", range(1, len(self._index) + 1))
        else:
            self._found = array("Q")
            for number in range(1, len(self._index) + 1):
                if self._entry(number).matches(words, kind):
                    self._found.append(number)
                    if len(self._found) == _PAGE:
                        self._fill()
                if number % _SLICE == 0:
                    self._count(f"searching: {number / len(self._index):.0%}")
                    await asyncio.sleep(0)
        self._fill()

    def _fill(self) -> None:
        """Show the page."""
        table, begin = self._table(), self._page * _PAGE
        shown = self._found[begin : begin + _PAGE]
        table.clear()
        for entry in map(self._entry, shown):
            style = "red" if MALFORMED in entry.kinds else ""
            table.add_row(*(Text(cell, style=style) for cell in entry.cells), key=str(entry.number))
        pages = -(-len(self._found) // _PAGE)
        page = f", page {self._page + 1} of {pages} (keys n and p)" if pages > 1 else ""
        self._count(f"{len(self._found)} of {len(self._index)} games{page}")

    def _count(self, text: str) -> None:
        self.query_one("#count", Static).update(text)


class GameView(Screen[None]):
    """One game, a position at a time."""

    AUTO_FOCUS = "#next"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "first", "First"),
        Binding("left,p", "previous", "Previous"),
        Binding("right,n,space", "next", "Next"),
        Binding("end", "last", "Last"),
        Binding("escape", "app.pop_screen", "Back"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, entry: GameEntry) -> None:
        super().__init__()
        self._entry = entry
        self._positions: tuple[Position, ...] = ()
        self._problem = ""
        self._place = 0
        game = entry.game
        if isinstance(game, BrokenGame):
            self._problem = f"malformed, line {game.line}: {game.reason}"
            return
        try:
            self._positions = tuple(positions(game))
        except InputError as error:
            self._problem = f"this game does not replay: {error}"

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Header()
        with VerticalScroll(can_focus=False):  # the arrow keys step through the game
            yield Static(id="players")
            yield Static(id="position")
        with Horizontal(id="steps"):
            for action in ("first", "previous", "next", "last"):
                yield Button(action.capitalize(), id=action)
        yield Footer()

    def on_mount(self) -> None:
        """Show the deal."""
        game = self._entry.game
        if isinstance(game, GameRecord):
            title = f"player 1: {game.player1_name}   player 2: {game.player2_name}   {game.result}"
            self.query_one("#players", Static).update(Text(title, style="bold"))
        self.sub_title = f"game {self._entry.number}"
        self._show(0)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Step as the button says."""
        steps = {
            "first": self.action_first,
            "previous": self.action_previous,
            "next": self.action_next,
            "last": self.action_last,
        }
        steps[str(event.button.id)]()

    def action_first(self) -> None:
        """Go to the deal."""
        self._show(0)

    def action_previous(self) -> None:
        """Go one step back."""
        self._show(self._place - 1)

    def action_next(self) -> None:
        """Go one step on."""
        self._show(self._place + 1)

    def action_last(self) -> None:
        """Go to the end."""
        self._show(len(self._positions) - 1)

    def _show(self, place: int) -> None:
        view = self.query_one("#position", Static)
        if not self._positions:
            view.update(Text(self._problem, style="red"))
            return
        self._place = min(max(place, 0), len(self._positions) - 1)
        position = self._positions[self._place]
        text = Text(f"\n{describe(position.state)}\n\n{position.story}\n")
        text.append(f"\nposition {self._place + 1} of {len(self._positions)}", style="dim")
        text.highlight_regex(_RED_SUITS, "red")
        view.update(text)


class LogViewer(App[None]):
    """The application: one log, or several to choose from."""

    TITLE = "durak log"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #search-row, #steps { height: 3; }
    #search { width: 2fr; }
    #kind { width: 1fr; }
    #games { height: 1fr; }
    #players, #position { padding: 0 2; }
    """

    def __init__(self, logs: list[Path]) -> None:
        super().__init__()
        self._logs = logs

    @property
    def has_choice(self) -> bool:
        """Whether there are several logs."""
        return len(self._logs) > 1

    def on_mount(self) -> None:
        """Show the only log, or the choice."""
        self.push_screen(LogChoice(self._logs) if self.has_choice else GameList(self._logs[0]))
