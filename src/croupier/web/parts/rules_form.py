"""A form for the rules of a game, generated from their model."""

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from nicegui import ui

from croupier.errors import InputError
from croupier.rulebook import Option, RuleBook, Rules
from croupier.web.models.rule_names import GROUPS, offered_values, typed_value, value_name
from croupier.web.parts.elements import tag
from croupier.web.parts.notices import sentence

RulesT = TypeVar("RulesT", bound=Rules)

_CUSTOM = "(changed)"


class RulesForm(Generic[RulesT]):
    """A form with the presets and every option of a game; it shows errors and keeps the rules valid.

    Parameters
    ----------
    book
        The rules of the game.
    rules
        The initial rules.
    on_change
        Called with the new rules.
    """

    def __init__(
        self, book: RuleBook[RulesT], rules: RulesT, on_change: Callable[[RulesT], Awaitable[object]]
    ) -> None:
        self.rules = rules
        self._book = book
        self._on_change = on_change
        self._complaint = ""
        self._build: Any = ui.refreshable(self._fields)
        self._build()

    async def set_rules(self, rules: RulesT) -> None:
        """Show other rules and report the change."""
        self.rules, self._complaint = rules, ""
        self._build.refresh()
        await self._on_change(rules)

    def _fields(self) -> None:
        presets = {preset.name: preset for preset in self._book.presets}
        chosen = next((name for name, preset in presets.items() if preset.rules == self.rules), _CUSTOM)
        names = [*presets, *([_CUSTOM] if chosen == _CUSTOM else [])]
        with tag("div", classes="rules-preset"):
            ui.select(
                names, value=chosen, label="Rule set", on_change=lambda event: self._take(event.value)
            ).props('outlined dense data-testid="preset"')
            meaning = presets[chosen].meaning if chosen in presets else "your own options"
            tag("p", sentence(meaning), "quiet")
        if self._complaint:
            tag("p", self._complaint, "rules-error", role="alert", data_testid="rules-error")
        options = {option.name: option for option in self._book.model.options()}
        for title, members in GROUPS[self._book.game].items():
            with tag("section", classes="rules-group", aria_label=title):
                tag("h3", title)
                with tag("div", classes="rules-form"):
                    for name, label in members.items():
                        with tag("div", classes="rule"):
                            self._field(options[name], label)
                            tag("p", sentence(options[name].meaning), "quiet small")

    def _field(self, option: Option, label: str) -> None:
        value = getattr(self.rules, option.name)
        mark = f'outlined dense data-testid="rule-{option.name}"'
        offered = offered_values(option, value)

        async def change(event: Any) -> None:
            await self._change(option.name, event.value)

        async def pick(event: Any) -> None:
            await self._change(option.name, offered[event.value])

        async def read(text: Any) -> None:
            await self._read(option.name, str(text.sender.value))

        if option.choices == (True, False):
            ui.switch(label, value=value, on_change=change).props(mark)
        elif offered:
            names = {place: value_name(option.name, choice) for place, choice in enumerate(offered)}
            ui.select(names, value=offered.index(value), label=label, on_change=pick).props(mark)
        else:
            field = ui.input(label, value=value_name(option.name, value)).props(mark)
            field.on("blur", read, args=[])
            field.on("keydown.enter", read, args=[])

    async def _take(self, preset: str) -> None:
        if preset != _CUSTOM:
            await self.set_rules(self._book.preset(preset).rules)

    async def _read(self, name: str, text: str) -> None:
        try:
            value = typed_value(self.rules, name, text)
        except InputError as error:
            self._complain(error)
            return
        await self._change(name, value)

    async def _change(self, name: str, value: object) -> None:
        try:
            rules = self.rules.replaced({name: value})
        except InputError as error:
            self._complain(error)
            return
        if rules != self.rules:
            await self.set_rules(rules)

    def _complain(self, error: InputError) -> None:
        self._complaint = sentence(str(error))
        self._build.refresh()
