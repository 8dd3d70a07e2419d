import os
import stat
import sys
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import EngineError, EngineSpec, Limits, read_engine
from croupier.errors import InputError


@pytest.fixture
def executable(tmp_path: Path) -> Path:
    path = tmp_path / "my engine"
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_an_engine_is_called_as_its_file(executable: Path) -> None:
    assert read_engine(str(executable)) == EngineSpec((str(executable),), "my engine")


def test_a_command_line_is_split_as_by_a_shell_and_names_the_engine_with_its_arguments(
    executable: Path,
) -> None:
    spec = read_engine(f"'{executable}' --book '/some/where/b.txt' -n 3")
    assert spec.command == (str(executable), "--book", "/some/where/b.txt", "-n", "3")
    assert spec.name == "my engine --book b.txt -n 3"


def test_a_long_command_line_is_no_path() -> None:
    words = " ".join(["--word=/a/b"] * 300)
    assert read_engine(f"durak-dummy {words}").name == f"durak-dummy {words}"


def test_a_path_is_found_from_here_and_runs_from_anywhere(
    executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(executable.parent)
    assert read_engine("'./my engine' -x").command[0] == str(executable)


def test_a_bare_name_is_found_on_the_path_or_beside_this_python(
    executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(executable.parent))
    assert read_engine("'my engine'").command == (str(executable),)
    assert read_engine("durak-dummy").command == (str(Path(sys.executable).parent / "durak-dummy"),)


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("/no/such/engine", "there is no such file"),
        ("no-such-engine-anywhere", "neither on the PATH nor beside this Python"),
        ("/", "directory"),
        ("'unbalanced", "quote"),
        ("a\0b", "NUL"),
        ("missing.toml", "there is no such file"),
    ],
)
def test_an_engine_that_is_not_there_is_refused(text: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        read_engine(text)


def test_a_file_that_may_not_be_executed_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("print('ok')")
    with pytest.raises(EngineError, match=r"not executable; make it so \(chmod \+x\)"):
        read_engine(str(tmp_path / "engine.py"))


def test_a_file_in_this_folder_is_pointed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("brain").write_text("")
    with pytest.raises(EngineError, match=r"for the file in this folder write './brain'"):
        read_engine("brain --deep")


def test_an_engine_file_says_everything(executable: Path) -> None:
    file = executable.parent / "mine.toml"
    file.write_text(
        f'command = "\'{executable}\' --deep"\nname = "mine"\nfolder = "."\nkeep_alive = true\n'
        'start_limit = 20.0\ntime_limit = 0.5\n[environment]\nTHREADS = "2"\n'
    )
    spec = read_engine(str(file))
    assert spec.command == (str(executable), "--deep")
    assert (spec.name, spec.folder, spec.keep_alive) == ("mine", executable.parent, True)
    assert spec.full_environment()["THREADS"] == "2"
    assert spec.full_environment()["DURAK_KEEP_ALIVE"] == "1"
    assert spec.limits(Limits(start=1, answer=1)) == Limits(start=20, answer=0.5)


@pytest.mark.parametrize(
    ("content", "clue"),
    [
        ("command = 3\n", "command"),
        ("name = 'x'\n", "command"),
        ("command = 'durak-dummy'\nspeed = 3\n", "speed"),
        ("command = 'durak-dummy'\ntime_limit = 0.0\n", "time_limit"),
        ("command = 'durak-dummy'\nfolder = 'nowhere'\n", "does not exist"),
        ("command = \n", "not TOML"),
        ("command = 'no-such-engine-anywhere'\n", "neither on the PATH"),
    ],
)
def test_a_bad_engine_file_is_refused(tmp_path: Path, content: str, clue: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(content)
    with pytest.raises(InputError, match=clue):
        read_engine(str(file))


def test_limits_of_the_match_hold_where_an_engine_has_none_of_its_own() -> None:
    spec = EngineSpec(("x",), "x", time_limit=3)
    assert spec.limits(Limits(start=7, answer=1)) == Limits(start=7, answer=3)
    with pytest.raises(InputError, match="time limit"):
        Limits(answer=float("nan"))


def test_secrets_of_the_arena_stay_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    environment = EngineSpec(("x",), "x").full_environment()
    assert "GITHUB_TOKEN" not in environment
    assert environment["PATH"] == os.environ["PATH"]
