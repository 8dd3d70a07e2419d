"""The documentation site, as ``make docs`` builds it: no dead links, every public name, nothing from other servers."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import typer

from croupier.cli.main import app
from tests.docs.test_docs_are_true import ROOT, command_paths

#: Building the site takes half a minute: `make verify` does it, and CI by `make docs`.
pytestmark = pytest.mark.verify

PACKAGES = ("croupier.banluck", "croupier.blackjack", "croupier.durak", "croupier.environments")
PAGES = sorted((ROOT / "docs").rglob("*.md"))


class PageFacts(HTMLParser):
    """What a page links to, what it loads, the places that others may link to, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = set()
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value for name, value in attrs if value}
        self.places |= {facts["id"]} if "id" in facts else set()
        if tag == "a" and "href" in facts:
            self.links.add(facts["href"])
        elif tag != "a":
            self.loaded |= {facts[name] for name in ("src", "href") if name in facts}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Build the site with the command of the Makefile, into a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    recipe = re.search(
        r"^docs:.*\n\t\$\(BIN\)/(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert recipe is not None
    command = shlex.split(recipe[1].replace("build/", f"{folder}/"))
    done = subprocess.run(
        [str(ROOT / ".venv" / "bin" / command[0]) if (ROOT / ".venv").exists() else command[0], *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    yield folder / "site"
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, PageFacts]:
    """Read every page."""
    return {path: PageFacts(path) for path in site.rglob("*.html")}


def test_every_source_is_a_page(site: Path, pages: dict[Path, PageFacts]) -> None:
    for source in PAGES:
        assert site / source.relative_to(ROOT / "docs").with_suffix(".html") in pages


def test_no_link_is_broken(pages: dict[Path, PageFacts]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places
            ):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_another_server(site: Path, pages: dict[Path, PageFacts]) -> None:
    loaded = {address for page in pages.values() for address in page.loaded}
    assert {address for address in loaded if urlsplit(address).scheme not in ("", "data")} == set()
    assert {address for address in loaded if address.startswith("//")} == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", styles) == []


@pytest.mark.parametrize("module", PACKAGES)
def test_the_reference_has_every_public_name_with_its_docstring(
    module: str, site: Path, pages: dict[Path, PageFacts]
) -> None:
    page = pages[site / "reference" / f"{module.removeprefix('croupier.')}.html"]
    package = import_module(module)
    text = plain(page.text)
    top_level = {place for place in page.places if re.fullmatch(rf"{re.escape(module)}\.\w+", place)}
    assert top_level == {f"{module}.{name}" for name in package.__all__}
    for name in package.__all__:
        thing = getattr(package, name)
        if callable(thing):
            assert plain((getdoc(thing) or "").splitlines()[0]) in text


def plain(text: str) -> str:
    """A docstring's text without its marks, or a page's without its line breaks and brackets of methods."""
    return re.sub(r":\w+:(?=`)|\(\)|[\s`*\u2019']+", "", text)


def test_the_first_page_of_the_reference_names_the_package(site: Path, pages: dict[Path, PageFacts]) -> None:
    page = pages[site / "reference" / "croupier.html"]
    assert {"croupier.__version__", "module-croupier"} <= page.places
    assert {f"{name.removeprefix('croupier.')}.html" for name in PACKAGES} <= page.links


def test_a_page_shows_what_its_code_draws(site: Path) -> None:
    for game, drawn in {
        "banluck": 'src="data:image/svg+xml',
        "blackjack": "double, else hit",
        "durak": "border-radius:4px",
    }.items():
        assert drawn in (site / "start" / f"{game}.html").read_text(encoding="utf-8")


COMMAND_LINES = [
    (page.relative_to(ROOT).as_posix(), line)
    for page in (ROOT / "README.md", *PAGES)
    if page.name != "commands.md"
    for line in re.findall(
        r"^ *croupier .*$", page.read_text(encoding="utf-8").replace("\\\n", " "), flags=re.MULTILINE
    )
]


@pytest.mark.parametrize(
    ("page", "line"), COMMAND_LINES, ids=[f"{page}: {line.strip()}" for page, line in COMMAND_LINES]
)
def test_every_command_on_a_page_exists_with_its_options(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    path = max(
        (path for path in command_paths(typer.main.get_command(app)) if tuple(words[: len(path)]) == path),
        key=len,
    )
    command = typer.main.get_command(app)
    for name in path:
        command = command.commands[name]  # type: ignore[attr-defined]
    known = {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    options = {word.partition("=")[0] for word in words if word.startswith("-")}
    assert options <= known | {"--help", "-h"}, f"{page}: {line}"
    assert not hasattr(command, "commands") or options, f"{page}: {line} names no command"


def test_python_on_a_page_is_run() -> None:
    """Blocks with prompts are doctests; whole programs are included from examples/; there is one exception, tested elsewhere."""
    shown = [
        (page.name, block)
        for page in PAGES
        for block in re.findall(
            r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        if not block.startswith(">>> ")
    ]
    assert [name for name, _ in shown] == ["durak-engine.md"]  # tests/durak/players/test_engine_process.py
