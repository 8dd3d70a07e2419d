"""``croupier rules GAME``: what a table can differ in, and the presets."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.banluck.engine import BANLUCK
from croupier.blackjack.engine.rules import BLACKJACK
from croupier.cli.json_output import print_json
from croupier.cli.options import JsonOption, PresetOption, RulesOption, set_flag
from croupier.durak.engine.rules import DURAK
from croupier.rulebook import Option, RuleBook, as_toml


class Game(StrEnum):
    """The games that have rules."""

    BANLUCK = "banluck"
    BLACKJACK = "blackjack"
    DURAK = "durak"


RULE_BOOKS: dict[Game, RuleBook[Any]] = {
    Game.BANLUCK: BANLUCK,
    Game.BLACKJACK: BLACKJACK,
    Game.DURAK: DURAK,
}


def show_rules(
    game: Annotated[Game, typer.Argument(help="The game.")],
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: Annotated[list[str] | None, set_flag("decks=6 in blackjack")] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Only the presets.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a game's options with their defaults, allowed values and meaning, and its presets.

    With --preset, --rules or --set, the values of that rule set are shown.
    """
    book = RULE_BOOKS[game]
    chosen = book.load(preset, rules, set_ or ())
    if as_json:
        print_json(chosen.model_dump(mode="json"))
        return
    console = Console()
    if not brief:
        console.print(_options_table(book, chosen if preset or rules or set_ else None))
    console.print(_presets_table(book))


def _options_table(book: RuleBook[Any], chosen: Any) -> Table:
    table = Table(title=f"{book.game}: options", title_justify="left", show_lines=True)
    table.add_column("option = default" if chosen is None else "option = value", no_wrap=True)
    table.add_column("allowed", overflow="fold", ratio=2)
    table.add_column("meaning", overflow="fold", ratio=3)
    for option in book.model.options():
        value = _value_text(option, None if chosen is None else getattr(chosen, option.name))
        named = f"[bold]{escape(option.name)}[/bold]\n= {value}"
        table.add_row(named, escape(option.allowed), escape(option.meaning))
    return table


def _value_text(option: Option, chosen: object) -> str:
    """Show the default, or the value of a rule set; the default stands below a value that differs from it."""
    default = escape(as_toml(option.default))
    if chosen is None or chosen == option.default:
        return default
    return f"[green]{escape(as_toml(chosen))}[/green]\ndefault {default}"


def _presets_table(book: RuleBook[Any]) -> Table:
    table = Table(title=f"{book.game}: presets", title_justify="left", show_lines=True)
    table.add_column("preset", style="bold", no_wrap=True)
    table.add_column("meaning", overflow="fold", ratio=1)
    table.add_column("differs from the defaults in", overflow="fold", ratio=1)
    for preset in book.presets:
        changes = [f"{name} = {as_toml(value)}" for name, value in preset.rules.changes().items()]
        table.add_row(preset.name, escape(preset.meaning), escape("\n".join(changes)) or "-")
    return table
