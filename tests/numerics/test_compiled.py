"""Compiled kernels, in processes of their own: cached on disk, and compiled again when what they are made of has changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.numerics.kernel_cache import KEPT_CONTENTS
from croupier.numerics.kernel_content import digest_of

KERNELS = {
    "constants.py": "STEP = 1\nTABLE = (1, 2)\n",
    "called.py": """
from croupier.numerics.compiled import inlined
from constants import STEP, TABLE

@inlined
def step(number: int) -> int:
    return number + STEP * TABLE[1]
""",
    "between.py": """
from croupier.numerics.compiled import compiled
from called import step

@compiled
def twice(number: int) -> int:
    return step(step(number)) + LATER

LATER = 0
""",
    "caller.py": """
from croupier.numerics.compiled import compiled
from between import twice

@compiled
def fourfold(number: int) -> int:
    return twice(twice(number))

print(fourfold(0), "cached" if sum(fourfold._cache_hits.values()) else "compiled")
""",
}


@pytest.fixture(scope="module")
def compiled_kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write three files of kernels that use each other and some constants, and run them twice."""
    place = tmp_path_factory.mktemp("kernels")
    for name, text in KERNELS.items():
        (place / name).write_text(text)
    assert [run(place), run(place)] == ["8 compiled", "8 cached"]
    return place


@pytest.fixture
def folder(compiled_kernels: Path, tmp_path: Path) -> Path:
    """Copy the kernels and their cache, to be edited."""
    return shutil.copytree(compiled_kernels, tmp_path / "kernels")


def run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "caller.py"],
        cwd=folder,
        env={**os.environ, "CROUPIER_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new", "answer"),
    [
        ("constants.py", "STEP = 1", "STEP = 10", "80"),
        pytest.param("constants.py", "(1, 2)", "(1, 3)", "12", marks=pytest.mark.verify),
        pytest.param("called.py", "number + STEP", "number - STEP", "-8", marks=pytest.mark.verify),
        ("between.py", "LATER = 0", "LATER = 5", "18"),
    ],
    ids=["a number", "a tuple", "a callee two files away", "a constant below its kernel"],
)
def test_a_change_of_what_a_kernel_uses_compiles_it_again(
    folder: Path, name: str, old: str, new: str, answer: str
) -> None:
    """Numba alone would go on with what it has: it looks at the caller's own file only."""
    edit(folder / name, old, new)
    assert run(folder) == f"{answer} compiled"


def test_a_change_that_no_kernel_is_made_of_compiles_nothing(folder: Path) -> None:
    edit(folder / "constants.py", "STEP = 1\n", "STEP = 1  # as the rules say\nUNUSED = 3\n")
    for path in folder.glob("*.py"):
        path.touch()
    assert run(folder) == "8 cached"


@pytest.mark.verify
def test_two_versions_share_a_cache(folder: Path) -> None:
    edit(folder / "constants.py", "STEP = 1", "STEP = 2")
    assert run(folder) == "16 compiled"
    edit(folder / "constants.py", "STEP = 2", "STEP = 1")
    assert run(folder) == "8 cached"


def test_only_the_newest_contents_of_a_kernel_are_kept(folder: Path) -> None:
    cache = folder / "cache" / "kernels"
    (newest,) = cache.glob("called.step-*.nbi")
    for number in range(10):
        for ending in ("nbi", "1.nbc"):
            old = cache / f"called.step-{number:020}.{sys.implementation.cache_tag}.{ending}"
            old.write_bytes(newest.read_bytes())
            os.utime(old, (number, number))
    edit(folder / "constants.py", "STEP = 1", "STEP = 2")
    assert run(folder) == "16 compiled"
    kept = sorted(cache.glob("called.step-*.nbi"), key=lambda path: path.stat().st_mtime)
    assert len(kept) == KEPT_CONTENTS
    assert newest in kept
    assert [int(path.name.split("-")[1][:20]) for path in kept[:-2]] == [4, 5, 6, 7, 8, 9]
    assert {path.name.split(".")[1] for path in cache.glob("called.step-*.nbc")} == {
        path.name.split(".")[1] for path in kept
    }


def test_a_constant_without_a_known_content_is_refused() -> None:
    """Better than a kernel that is cached for good, or never."""
    with pytest.raises(TypeError, match=r"kernel .*look_up uses ODD: a dict has no content"):
        digest_of(look_up)


ODD = {1: 2}


def look_up(number: int) -> int:
    return ODD[number]


DIGESTS = """
import importlib, pkgutil
import croupier
from croupier.numerics.kernel_cache import KEPT_CONTENTS
from croupier.numerics.kernel_content import digest_of
from numba.core.dispatcher import Dispatcher

for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
    if "kernel" in module.name:
        for name, value in sorted(vars(importlib.import_module(module.name)).items()):
            if isinstance(value, Dispatcher):
                print(module.name, name, digest_of(value))
"""


def test_every_kernel_of_the_package_has_the_same_digest_in_every_process() -> None:
    """Whatever the order of sets and addresses of objects in a process."""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", DIGESTS],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert first.count("\n") > 100
