"""A form for the rules of a game, generated from their model."""

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from nicegui import ui

from croupier.errors import InputError
from croupier.rulebook import Option, RuleBook, Rules
from croupier.texts import sentence
from croupier.web.models.rule_names import (
    GROUPS,
    named_refusal,
    offered_values,
    option_meaning,
    option_name,
    preset_meaning,
    typed_value,
    value_name,
)
from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts

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
        self._texts = page_texts()
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
        names = {name: name for name in presets}
        if chosen == _CUSTOM:
            names[_CUSTOM] = self._texts("rules_form.changed")
        with tag("div", classes="rules-preset"):
            ui.select(
                names,
                value=chosen,
                label=self._texts("rules_form.preset"),
                on_change=lambda event: self._take(event.value),
            ).props('outlined dense data-testid="preset"')
            game = self._book.game
            own = sentence(self._texts("rules_form.own"))
            tag("p", preset_meaning(game, presets[chosen]) if chosen in presets else own, "quiet")
        if self._complaint:
            tag("p", self._complaint, "rules-error", role="alert", data_testid="rules-error")
        options = {option.name: option for option in self._book.model.options()}
        for group, members in GROUPS[game].items():
            title = self._texts(f"rules.{game}.group.{group}")
            with tag("section", classes="rules-group", aria_label=title):
                tag("h3", title)
                with tag("div", classes="rules-form"):
                    for name in members:
                        with tag("div", classes="rule"):
                            self._field(options[name])
                            tag("p", option_meaning(game, options[name]), "quiet small")

    def _field(self, option: Option) -> None:
        shown = self._texts.shown
        label = shown(option_name(self._book.game, option.name))
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
            names = {place: shown(value_name(option.name, choice)) for place, choice in enumerate(offered)}
            ui.select(names, value=offered.index(value), label=label, on_change=pick).props(mark)
        else:
            field = ui.input(label, value=shown(value_name(option.name, value))).props(f"{mark} maxlength=60")
            field.on("blur", read, args=[])
            field.on("keydown.enter", read, args=[])

    async def _take(self, preset: str) -> None:
        if preset != _CUSTOM:
            await self.set_rules(self._book.preset(preset).rules)

    async def _read(self, name: str, text: str) -> None:
        try:
            value = typed_value(self.rules, name, text, self._texts)
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
        self._complaint = sentence(self._texts.shown(named_refusal(self._book.game, error)))
        self._build.refresh()
