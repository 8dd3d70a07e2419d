"""What the shell proposes for ``--preset`` and ``--set``: the names and values of the game that the command is about."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from croupier.rulebook import RuleBook


def complete_presets(context: typer.Context, incomplete: str) -> list[str]:
    """Propose the presets of the game."""
    return [
        preset.name
        for book in _books(context)
        for preset in book.presets
        if preset.name.startswith(incomplete)
    ]


def complete_settings(context: typer.Context, incomplete: str) -> list[str]:
    """Propose the names of options; behind a name and ``=``, its values where there are few."""
    return [
        proposal
        for book in _books(context)
        for option in book.model.options()
        for proposal in _settings(option.name, option.choices, incomplete)
        if proposal.startswith(incomplete)
    ]


def _settings(name: str, choices: tuple[object, ...], incomplete: str) -> Iterator[str]:
    if "=" not in incomplete:
        yield f"{name}="
    else:
        yield from (f"{name}={_word(choice)}" for choice in choices)


def _word(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _books(context: typer.Context) -> "list[RuleBook[Any]]":
    """Return the rule book of the command's game, or all of them where the game is not typed yet."""
    from croupier.cli.rules import RULE_BOOKS

    words = {*context.command_path.split(), *context.args, str(context.params.get("game"))}
    named = [book for game, book in RULE_BOOKS.items() if str(game) in words]
    return named or list(RULE_BOOKS.values())
