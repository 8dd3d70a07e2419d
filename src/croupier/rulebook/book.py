"""The rules of one game: their model, their presets, and how a preset, a TOML file and settings make a rule set."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from croupier.rulebook.errors import RulesError, suggestion
from croupier.rulebook.model import Rules
from croupier.rulebook.settings import as_toml, parse_setting, read_rule_file
from croupier.texts import say

RulesT = TypeVar("RulesT", bound=Rules)


@dataclass(frozen=True, slots=True)
class Preset(Generic[RulesT]):
    """A named rule set of a real or documented table; ``aliases`` are older names that still work."""

    name: str
    meaning: str
    rules: RulesT
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleBook(Generic[RulesT]):
    """The rules of one game: their model and their presets, the first of which is the default."""

    game: str
    model: type[RulesT]
    presets: tuple[Preset[RulesT], ...]

    def preset(self, name: str) -> Preset[RulesT]:
        """Find a preset by its name or an alias."""
        for preset in self.presets:
            if name == preset.name or name in preset.aliases:
                return preset
        names = [preset.name for preset in self.presets]
        raise RulesError(f"unknown preset '{name}' for {self.game}; {suggestion(name, names, 'presets')}")

    def rules(self, preset: str | None = None, **changes: Any) -> RulesT:
        """Return the rules of a preset (the default one if none is named) with some options changed."""
        base = self.presets[0] if preset is None else self.preset(preset)
        return base.rules.replaced(changes)

    def nearest(self, rules: RulesT) -> Preset[RulesT]:
        """Return the preset that differs from rules in the fewest options."""
        return min(self.presets, key=lambda preset: len(rules.changes(preset.rules)))

    def describe(self, rules: RulesT) -> str:
        """Name rules as a person would: the nearest preset, and what differs from it.

        Examples
        --------
        >>> from croupier.blackjack.engine.rules import BLACKJACK
        >>> BLACKJACK.describe(BLACKJACK.rules("downtown", charlie=6))
        'downtown with charlie = 6'
        """
        nearest = self.nearest(rules)
        changes = [f"{name} = {as_toml(value)}" for name, value in rules.changes(nearest.rules).items()]
        return say("rules.with", preset=nearest.name, changes=", ".join(changes)) if changes else nearest.name

    def load(
        self, preset: str | None = None, file: Path | None = None, settings: Iterable[str] = ()
    ) -> RulesT:
        """Compose rules: a preset, changed by a TOML file, changed by ``key=value`` settings.

        A file may name its own preset (``preset = "..."``), as long as the caller names no other.
        """
        options = read_rule_file(file) if file is not None else {}
        own_preset = options.pop("preset", None)
        if own_preset is not None and not isinstance(own_preset, str):
            raise RulesError(f"rule file '{file}': preset = {as_toml(own_preset)} must be a name in quotes")
        changes = dict(parse_setting(setting) for setting in settings)
        base = self.presets[0] if preset is None else self.preset(preset)
        if own_preset is not None:
            with _blaming(file):
                own = self.preset(own_preset)
            if preset is not None and own != base:
                raise RulesError(
                    f"rule file '{file}' is based on preset '{own_preset}', but preset '{preset}' was asked for"
                )
            base = own
        return self._changed(base.rules, file, options, changes)

    @staticmethod
    def _changed(
        base: RulesT, file: Path | None, options: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> RulesT:
        """Apply a file's options and the settings together; if the file is wrong by itself, say that it is."""
        try:
            return base.replaced({**options, **changes})
        except RulesError:
            with _blaming(file):
                base.replaced({name: value for name, value in options.items() if name not in changes})
            raise


@contextmanager
def _blaming(file: Path | None) -> Iterator[None]:
    """Name the file in the errors about its content."""
    try:
        yield
    except RulesError as error:
        raise RulesError(f"rule file '{file}': {error}") from None
