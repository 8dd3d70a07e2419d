"""A panel that unfolds into the rules form, which is built when it is first opened."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from nicegui import ui

from croupier.rulebook import RuleBook, Rules
from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts
from croupier.web.parts.rules_form import RulesForm

RulesT = TypeVar("RulesT", bound=Rules)


class RulesPanel(Generic[RulesT]):
    """The rules of a page in one line; unfolded, a form.

    Parameters
    ----------
    book, rules, on_change
        As for :class:`~croupier.web.parts.rules_form.RulesForm`.
    describe
        Says the rules in one line.
    """

    def __init__(
        self,
        book: RuleBook[RulesT],
        rules: RulesT,
        on_change: Callable[[RulesT], Awaitable[object]],
        describe: Callable[[RulesT], str],
    ) -> None:
        self._describe, self._on_change, self._texts = describe, on_change, page_texts()
        self._form: RulesForm[RulesT] | None = None
        self._panel = ui.expansion().classes("sheet rules-sheet").props('data-testid="rules"')
        with self._panel.add_slot("header"):
            self._title = tag("h2")
        self._show(rules)

        def build() -> None:
            # Half of a page's elements would be this form, and few visitors open it.
            if self._form is None:
                with self._panel:
                    self._form = RulesForm(book, rules, self._take)

        self._panel.on_value_change(build)

    async def _take(self, rules: RulesT) -> None:
        self._show(rules)
        await self._on_change(rules)

    def _show(self, rules: RulesT) -> None:
        words = self._texts("rules_form.line", rules=self._describe(rules))
        self._title.set_text(words)
        self._panel.props["toggle-aria-label"] = words
