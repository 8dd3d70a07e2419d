"""The wheel, installed into an empty environment and run where little is as usual: another user, no home, no locale, odd paths.

One environment serves all rows. ``pytest -s`` prints the table.
"""

import json
import os
import shutil
import subprocess
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

import croupier
from croupier import banluck
from croupier.extras import EXTRAS
from croupier.folders import cache_folders
from tests.cli.calling import ENVIRONMENT, call
from tests.installing import PROJECT, build_wheel, install, public_python, size_of

NOBODY = 65534  # "nobody" on most systems
NAMELESS = 54321  # a user of a container: no name, no home

#: The core installs small: LLVM is most of it.
LARGEST_CORE = 420_000_000

#: Calls the API, and compiles a kernel that no cache can have.
PROGRAM = """
import json, secrets
from croupier import banluck
from croupier.numerics.compiled import compiled

exec(f"def probe(number): return number + {secrets.randbits(60)}")
compiled(probe)(1)
print(json.dumps({"value": banluck.solve().value, "asserts": __debug__}))
"""


@dataclass(frozen=True)
class Row:
    """A hostile environment: who runs it, with which variables and words before the program."""

    name: str
    user: int | None = None
    environment: dict[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    has_home: bool = True
    is_offline: bool = False


ROWS = (
    Row("same user, spaces and umlauts in every path"),
    Row("python -O", flags=("-O",)),
    Row("LANG=C", environment={"LANG": "C"}),
    Row("LC_ALL=C", environment={"LC_ALL": "C"}),
    Row("LC_ALL=POSIX, no UTF-8 mode", environment={"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    Row("another user, own home, installation of root", user=NOBODY),
    Row("another user, HOME=/nonexistent, offline", user=NOBODY, environment={"HOME": "/nonexistent"}, has_home=False, is_offline=True),
    Row("user without name, HOME unset", user=NAMELESS, environment={"HOME": ""}, has_home=False),
)  # fmt: skip


@dataclass(frozen=True)
class Installation:
    """The environment that all rows run in."""

    folder: Path
    python: Path

    @property
    def command(self) -> Path:
        return self.python.with_name("croupier")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installation(wheel: Path) -> Iterator[Installation]:
    """Install the core where another user can reach it, which the folders of pytest are not for."""
    folder = Path(tempfile.mkdtemp(prefix="croupier für alle "))
    folder.chmod(0o755)
    try:
        yield Installation(folder, install(folder / "umgebung", str(wheel), public_python()))
    finally:
        shutil.rmtree(folder)


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
        described = archive.read(metadata).decode()
    source = PROJECT / "src"
    assert packed == {
        path.relative_to(source).as_posix()
        for path in (source / "croupier").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for needed in ("texts/en.toml", "solana/program/blackjack.so", "web/static/croupier.css"):
        assert f"croupier/{needed}" in packed
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nVersion: {project['version']}\n" in described
    assert croupier.__version__ == project["version"]


def test_the_core_is_small_and_brings_no_extra(installation: Installation) -> None:
    assert size_of(installation.folder) <= LARGEST_CORE
    libraries = {library for extra in EXTRAS.values() for library in extra}
    found = f"from importlib.util import find_spec; print([x for x in {sorted(libraries)} if find_spec(x)])"
    done = subprocess.run([installation.python, "-c", found], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.verify
def test_the_hostile_environments(installation: Installation) -> None:
    """Every row solves Banluck by the command and by the API; where no cache can be written, one line says so."""
    expected = banluck.solve().value
    table = Table(
        "environment", "command", "API", "notice", title="Hostile environments", title_justify="left"
    )
    problems = []
    for number, row in enumerate(ROWS):
        reason = reason_to_skip(row)
        if reason is not None:
            table.add_row(row.name, "skipped", reason, "")
            continue
        results, notices = run_row(row, number, installation, expected)
        problems += [f"{row.name}: {result}" for result in results if result != "ok"]
        if len(notices) != (not row.has_home):
            problems.append(f"{row.name}: {notices or 'no notice'}")
        table.add_row(row.name, *results, "\n".join(notices))
    Console(width=160).print(table)
    assert not problems


def reason_to_skip(row: Row) -> str | None:
    if row.user is None:
        return None
    if os.geteuid() != 0:
        return "only root can become another user"
    return None if public_python() is not None else "no Python outside private folders"


def run_row(
    row: Row, number: int, installation: Installation, expected: float
) -> tuple[list[str], list[str]]:
    """Run a row; return what the command and the API came to, and the lines on stderr."""
    place = installation.folder / f"zeile {number}"
    home, temporary = place / "zu Hause", place / "tmp"
    for folder in (home, temporary):
        folder.mkdir(parents=True)
    environment = {"HOME": str(home), "TMPDIR": str(temporary), "PATH": os.defpath} | row.environment
    fill_cache(home / ".cache" / "croupier" if row.has_home else temporary / f"croupier-{row.user}")
    if row.user is not None:
        give(place, row.user)
    words: dict[str, list[str | Path]] = {
        "command": [installation.python, *row.flags, installation.command, "banluck", "solve", "--json"],
        "API": [installation.python, *row.flags, "-c", PROGRAM],
    }
    results, notices = [], []
    for line in words.values():
        offline = ["unshare", "--net"] if row.is_offline and shutil.which("unshare") else []
        as_user = (
            []
            if row.user is None
            else ["setpriv", f"--reuid={row.user}", f"--regid={row.user}", "--clear-groups"]
        )
        done = subprocess.run(
            [*offline, *as_user, *line],
            env=environment,
            cwd=place,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        notices += done.stderr.splitlines()
        results.append(verdict(done, row, expected))
    return results, notices


def verdict(done: subprocess.CompletedProcess[str], row: Row, expected: float) -> str:
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.splitlines()[-1:]}"
    answer = json.loads(done.stdout)
    if answer.get("asserts", not row.flags) != (not row.flags):
        return "the flag did not reach the program"
    return "ok" if answer["value"] == pytest.approx(expected, abs=1e-12) else f"value {answer['value']}"


def fill_cache(folder: Path) -> None:
    """Put the kernels there that this process has used: compiling them again for each row would take minutes."""
    folder.mkdir(parents=True, mode=0o700)
    (folder / "kernels").mkdir()
    for cache in cache_folders():
        for pattern in ("croupier.banluck.*", "croupier.numerics.*"):
            for path in (cache / "kernels").glob(pattern):
                shutil.copy(path, folder / "kernels")


def give(place: Path, user: int) -> None:
    for path in (place, *place.rglob("*")):
        os.chown(path, user, user)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("banluck simulate --hands 1000 --player stand-on-16 --dealer classic --save", "CROUPIER_STORE"),
        ("serve --port 0", "--folder"),
    ],
)
def test_where_nothing_can_be_saved_one_line_says_what_to_do(line: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / "home").touch()  # a file, which stops root as well
    done = call(*line.split(), environment=ENVIRONMENT | {"HOME": str(tmp_path / "home")})
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert advice in done.stderr
