"""What the documentation says about options, presets and commands is what the program does."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from croupier.banluck.engine import BANLUCK
from croupier.blackjack.engine.rules import BLACKJACK
from croupier.cli.main import app
from croupier.durak.engine.rules import DURAK
from croupier.rulebook import Option, Preset, RuleBook, as_toml
from tests.cli.calling import ENVIRONMENT, call

ROOT = Path(__file__).parents[2]
BOOKS: list[RuleBook[Any]] = [BANLUCK, BLACKJACK, DURAK]
OPTIONS = [(book.game, option) for book in BOOKS for option in book.model.options()]
PRESETS = [(book.game, preset) for book in BOOKS for preset in book.presets]


def rules_page(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game}-{option.name}" for game, option in OPTIONS]
)
def test_the_rules_page_documents_the_option(game: str, option: Option) -> None:
    row = f"| `{option.name}` | `{as_toml(option.default)}` | {option.allowed} | {option.meaning} |"
    assert row in rules_page(game).splitlines()


@pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game}-{preset.name}" for game, preset in PRESETS]
)
def test_the_rules_page_documents_the_preset(game: str, preset: Preset[Any]) -> None:
    assert f"| `{preset.name}` | {preset.meaning} |" in rules_page(game).splitlines()


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: str(book.game))
def test_the_rule_file_on_the_rules_page_loads(book: RuleBook[Any], tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", rules_page(book.game), flags=re.DOTALL)
    assert example is not None
    path = tmp_path / "rules.toml"
    path.write_text(example.group(1), encoding="utf-8")
    rules = book.load(file=path)
    for name, value in tomllib.loads(example.group(1)).items():
        assert name == "preset" or getattr(rules, name) == value


def command_paths(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, child in getattr(command, "commands", {}).items():
        yield from command_paths(child, (*path, name))


def test_the_reference_of_commands_is_what_help_prints(
    compare_with_golden: Callable[[str, str], None],
) -> None:
    paths = list(command_paths(typer.main.get_command(app)))
    assert ("banluck", "solve") in paths
    sections = ["# Every command\n\nWritten from `--help`; see CONTRIBUTING.md.\n"]
    environment = ENVIRONMENT | {"COLUMNS": "100", "TERM": "dumb"}
    for path in paths:
        text = call(*path, "--help", environment=environment).stdout
        lines = [line.rstrip() for line in text.strip().splitlines()]
        title = " ".join(("croupier", *path))
        sections.append(f"## {title}\n\n```\n" + "\n".join(lines) + "\n```\n")
    compare_with_golden("../../docs/commands.md", "\n".join(sections))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_every_local_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert "://" in target or ((ROOT / page).parent / target).exists(), target
