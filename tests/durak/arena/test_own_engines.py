"""Our own engines in the arena: the search of ``durak-master`` is compiled before anybody waits for its first line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LONGEST = 600
"""Seconds in which two compilations end on any machine."""


def python(*arguments: str, **variables: str) -> str:
    run = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_other_engines_load_nothing_of_the_search() -> None:
    loaded = python("-c", OTHERS)
    assert json.loads(loaded) == {"native_code": False, "numba": False}


OTHERS = """
import json, sys
from croupier.durak.arena.engine_spec import EngineSpec, read_engine
from croupier.durak.arena.own_engines import compile_search

compile_search([read_engine("durak-dummy"), EngineSpec(("/elsewhere/durak-master",), "of another installation")])
print(json.dumps({
    "native_code": "croupier.durak.players.native_code" in sys.modules,
    "numba": "numba" in sys.modules,
}))
"""


def test_the_program_of_this_installation_is_found_through_a_link(tmp_path: Path) -> None:
    """As pipx installs it: the PATH holds a link to the program beside the Python."""
    link = tmp_path / "durak-master"
    link.symlink_to(Path(sys.executable).with_name("durak-master"))
    loaded = python("-c", THROUGH_A_LINK, str(link))
    assert loaded == "True\n"


THROUGH_A_LINK = """
import sys
from croupier.durak.arena.engine_spec import read_engine
from croupier.durak.arena.own_engines import compile_search

compile_search([read_engine(sys.argv[1])])
print("croupier.durak.players.native_code" in sys.modules)
"""


@pytest.mark.verify
@pytest.mark.parametrize("rules", ["", ", rules=durak.Rules(transfer='card')"], ids=["protocol", "variant"])
def test_nobody_forfeits_the_first_game_ever(rules: str, tmp_path: Path) -> None:
    """A start may take ten seconds, and compiling takes longer."""
    played = python("-c", FIRST_GAME.format(rules), CROUPIER_CACHE=str(tmp_path))
    assert played == "None\n"


FIRST_GAME = """
from croupier import durak

print(durak.Game.between("durak-master --nodes 100", "durak-dummy", seed=1{}).forfeit)
"""
