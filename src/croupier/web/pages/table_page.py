"""What the pages of all tables do alike: follow the session, take clicks and keys, show refusals."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from croupier.choices import Choice
from croupier.errors import InputError
from croupier.web.parts.actions import action_bar, shortcuts
from croupier.web.parts.drawing import Drawing
from croupier.web.parts.notices import refused
from croupier.web.sessions import Model, TableSession
from croupier.web.shell import Visit

ModelT = TypeVar("ModelT", bound=Model)


class TablePage(ABC, Generic[ModelT]):
    """One open page of a visitor's table.

    Parameters
    ----------
    visit
        The visitor.
    session
        The visitor's table.
    """

    def __init__(self, visit: Visit, session: TableSession[ModelT]) -> None:
        self._visit, self._texts, self._session = visit, visit.texts, session
        self._drawings: list[Drawing] = []
        self._is_acting = False

    @abstractmethod
    def choices(self) -> Sequence[Choice]:
        """Return what can be chosen now."""

    @abstractmethod
    async def choose(self, name: str) -> None:
        """Do what was chosen."""

    @property
    @abstractmethod
    def moment(self) -> object:
        """Identifies the question: a click on an earlier question with the same buttons does not count."""

    def drawing(self, paint: Callable[[], object], *, of: Callable[[], object] | None = None) -> Drawing:
        """Put a drawing on the page that is drawn again after every change; with ``of``, only if that has changed."""
        drawing = Drawing(paint, of=of)
        self._drawings.append(drawing)
        return drawing

    def draw_choices(self) -> None:
        """Draw the action bar."""
        action_bar(self.choices(), self.choose, moment=self.moment)

    def follow(self) -> None:
        """Follow the session and listen to keys, as long as the page is open."""
        self._session.watch(self.refresh)
        shortcuts(self.press)

    def refresh(self) -> None:
        """Show the table as it is now."""
        for drawing in self._drawings:
            drawing.refresh()

    async def change(self, action: Callable[[ModelT], object]) -> bool:
        """Do something at the table, or say why not; a second click before the first is done counts for nothing.

        Returns
        -------
        bool
            Whether it was done.
        """
        if self._is_acting:
            return False
        self._is_acting = True
        try:
            await self._session.change(action)
        except InputError as error:
            self.refuse(error)
            return False
        finally:
            self._is_acting = False
        return True

    def refuse(self, error: InputError) -> None:
        """Show why something was refused."""
        refused(error)

    async def press(self, key: str) -> None:
        """Choose by key; the space bar does what Enter does."""
        wanted = "Enter" if key == " " else key
        for choice in self.choices():
            if choice.key == wanted and choice.enabled:
                await self.choose(choice.name)
                return
