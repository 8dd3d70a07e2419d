"""What needs an extra says in one line what to install; the table of extras is that of pyproject.toml."""

import re
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from croupier import banluck, blackjack, durak
from croupier.errors import InputError
from croupier.extras import EXTRAS, MissingExtraError, needs
from croupier.runs.executors import open_executor
from croupier.runs.store import open_store
from tests.cli.calling import call

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def distributions(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[><=~!; ]", requirement)[0] for requirement in requirements}


def test_the_extras_are_those_of_the_project() -> None:
    not_for_development = {"numba_cuda": ["numba-cuda"], "torch": ["torch"]}
    provided = not_for_development | dict(packages_distributions())
    assert {
        extra: {name.lower() for library in libraries for name in provided[library]}
        for extra, libraries in EXTRAS.items()
    } == {
        extra: distributions(requirements) - {"croupier"}
        for extra, requirements in PROJECT["optional-dependencies"].items()
        if extra not in ("all", "dev", "docs")
    }


def test_all_leaves_out_compilers_and_what_few_machines_need() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert everything == f"croupier[{','.join(sorted(EXTRAS.keys() - {'gpu', 'solana-build', 'training'}))}]"


def test_the_page_about_installing_names_every_extra() -> None:
    page = (Path(__file__).parents[1] / "docs" / "start" / "install.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, flags=re.MULTILINE)) == {"all", *EXTRAS}


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pretend that a library is not installed, and that nothing of ours that needs it was ever imported."""

    def hide(library: str) -> None:
        monkeypatch.setitem(sys.modules, library, None)
        for name in list(sys.modules):
            if name.split(".")[:2] in (["croupier", "web"], ["croupier", "solana"]):
                monkeypatch.delitem(sys.modules, name)

    return hide


def analysed() -> blackjack.GameAnalysis:
    return blackjack.analyse(blackjack.Rules(decks="infinite"))


def open_cluster() -> None:
    with open_executor(cluster="local:1"):
        pass


def open_postgres() -> None:
    with open_store("postgresql://nobody@127.0.0.1:1/none"):
        pass


#: A library, its extra, and every function that needs it.
FUNCTIONS: list[tuple[str, str, Callable[[], object]]] = [
    ("pandas", "plots", lambda: banluck.solve().to_frame()),
    ("pandas", "plots", lambda: banluck.simulate(banluck.solve(), hands=1000, seed=1).to_frame()),
    ("pandas", "plots", lambda: analysed().to_frame()),
    ("pandas", "plots", lambda: analysed().chart.replace({}).to_frame()),
    ("pandas", "plots", lambda: durak.match("durak-dummy", "durak-random", pairs=1, seed=1).to_frame()),
    ("matplotlib", "plots", lambda: banluck.solve().plot()),
    ("seaborn", "plots", lambda: banluck.solve().report("unused")),
    ("distributed", "cluster", open_cluster),
    ("psycopg", "postgres", open_postgres),
    ("solders", "solana", lambda: import_module("croupier.solana.verification")),
    ("nicegui", "web", lambda: import_module("croupier.web.app")),
]


@pytest.mark.parametrize(("library", "extra", "function"), FUNCTIONS)
def test_a_function_without_its_extra_says_what_to_install(
    library: str, extra: str, function: Callable[[], object], without: Callable[[str], None]
) -> None:
    without(library)
    with pytest.raises(MissingExtraError) as caught:
        function()
    assert str(caught.value) == f"{library} is not installed; run: pip install 'croupier[{extra}]'"


COMMANDS = [
    ("matplotlib", "plots", "banluck report --out {folder}/report"),
    ("matplotlib", "plots", "blackjack evolve --plot {folder}/run.png"),
    ("matplotlib", "plots", "blackjack evolve --animation {folder}/run.gif"),
    ("nicegui", "web", "serve"),
    ("solders", "solana", "solana demo"),
    ("solders", "solana", "solana show"),
    ("ziglang", "solana-build", "solana build"),
    ("distributed", "cluster", "blackjack simulate --rounds 1000 --cluster local:1"),
    ("psycopg", "postgres", "runs list --store postgresql://nobody@127.0.0.1:1/none"),
]


@pytest.mark.parametrize(("library", "extra", "line"), COMMANDS)
def test_a_command_without_its_extra_ends_with_one_line_and_no_file(
    library: str, extra: str, line: str, without: Callable[[str], None], tmp_path: Path
) -> None:
    without(library)
    done = call(*line.format(folder=tmp_path).split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert (
        done.stderr == f"croupier: error: {library} is not installed; run: pip install 'croupier[{extra}]'\n"
    )
    assert not list(tmp_path.iterdir())


def test_the_error_is_bad_input_and_a_failed_import(without: Callable[[str], None]) -> None:
    without("textual")
    with pytest.raises(InputError):
        needs("logviewer")
    with pytest.raises(ImportError):
        needs("logviewer")
