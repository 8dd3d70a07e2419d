"""Each extra alone in an empty environment: its size, how long it takes to install, a command and a call of the API.

``pytest -s -m verify tests/verify/test_extras_alone.py`` prints the table.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import pytest
from rich.console import Console
from rich.table import Table

from croupier.extras import EXTRAS
from croupier.folders import cache_folders
from tests.installing import build_wheel, install, size_of

#: What each extra is for: words of a command, and a program.
USES = {
    "": ("croupier banluck solve", "from croupier import blackjack; blackjack.analyse(blackjack.Rules(decks='infinite'))"),
    "all": ("croupier solana demo --seed 4", "import croupier.web.app, croupier.solana.verification"),
    "cluster": (
        "croupier banluck simulate --hands 1000 --seed 1 --cluster local:1",
        "from croupier.runs.clusters import open_cluster\nif __name__ == '__main__':\n    with open_cluster('local:1'): pass",
    ),
    "gpu": (
        "croupier blackjack simulate --rounds 1000 --seed 1 --device cuda",
        "from croupier.extras import needs; needs('gpu')\nfrom numba import cuda; assert 'numba_cuda' in cuda.__file__",
    ),
    "logviewer": ("durak-logviewer --help", "import croupier.cli.durak_logviewer"),
    "openspiel": (
        "croupier banluck solve",
        "import pyspiel, croupier.environments.openspiel; pyspiel.load_game('python_croupier_durak').new_initial_state()",
    ),
    "plots": (
        "croupier blackjack evolve --set decks=infinite --generations 2 --plot run.png",
        "from croupier import banluck; s = banluck.solve(); s.plot(); assert len(s.to_frame()) > 100",
    ),
    "postgres": (
        "croupier runs list --store postgresql://nobody@127.0.0.1:1/none",
        "from croupier.runs.database import _engine, _url_of; _engine(_url_of('postgresql://a@b/c'))",
    ),
    "rl": (
        "croupier banluck solve",
        "import gymnasium, croupier.environments; gymnasium.make('croupier/Blackjack-v0', render_mode='rgb_array').reset(seed=1)",
    ),
    "solana": ("croupier solana demo --seed 4", "import croupier.solana.verification"),
    "solana-build": (
        "croupier solana build",
        "from croupier.extras import needs; needs('solana-build')",
    ),
    "web": ("croupier serve --port 70000", "import croupier.web.app"),
}  # fmt: skip

#: Where there is no server, the command gets so far and says so; a real one would not end.
REFUSALS = {
    "postgres": "connection to server at",
    "web": "port 70000",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    collected = Table(
        "extra", "MB", "seconds", title="Extras, each in an empty environment", title_justify="left"
    )
    yield collected
    Console(width=100).print(collected)


def test_every_extra_is_tried() -> None:
    assert USES.keys() == {"", "all", *EXTRAS}


def install_by_pip(folder: Path, requirement: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", requirement], check=True, capture_output=True)
    return python


@pytest.mark.parametrize(
    ("extra", "installer"),
    [*((extra, install) for extra in USES), ("", install_by_pip)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_an_extra_alone(
    extra: str, installer: Callable[[Path, str], Path], wheel: Path, table: Table, tmp_path: Path
) -> None:
    begin = perf_counter()
    python = installer(
        tmp_path / "environment", f"croupier[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    )
    seconds = perf_counter() - begin
    name = f"{extra or '(core)'}{' by pip' * (installer is install_by_pip)}"
    table.add_row(name, f"{size_of(tmp_path) / 1e6:.0f}", f"{seconds:.1f}")
    environment = {
        "PATH": f"{python.parent}{os.pathsep}{os.defpath}",
        "HOME": str(tmp_path),
        "CROUPIER_CACHE": str(next(cache_folders())),
    }
    words, program = USES[extra]
    command = subprocess.run(
        words.split(), env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if extra in REFUSALS:
        assert command.returncode == 2
        assert command.stderr.count("\n") == 1
        assert REFUSALS[extra] in command.stderr
    else:
        assert command.returncode == 0, command.stderr
    (tmp_path / "program.py").write_text(program)
    called = subprocess.run(
        [python, "program.py"], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert called.returncode == 0, called.stderr
