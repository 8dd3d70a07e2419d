"""Where compiled code and saved data go, on machines where the usual folder cannot be written to."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier import folders
from croupier.errors import InputError
from croupier.folders import cache_folders, data_folder, writable_cache


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give this process a home and a temporary folder of its own, and let it choose anew."""
    for variable in (*folders.CACHE_VARIABLES, "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    for chosen in (folders._chosen_folder, folders.writable_cache):
        chosen.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def chosen_anew() -> object:
    yield
    for chosen in (folders._chosen_folder, folders.writable_cache):
        chosen.cache_clear()


@pytest.fixture
def no_home(machine: Path) -> Path:
    """Put a file where the home should be, which stops root as well."""
    (machine / "home").touch()
    return machine


def temporary(machine: Path) -> Path:
    return machine / "tmp" / f"croupier-{os.geteuid()}"


def test_the_users_cache_is_the_usual_place(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert writable_cache() == machine / "home/.cache/croupier"
    assert list(cache_folders()) == [machine / "home/.cache/croupier"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("variable", folders.CACHE_VARIABLES)
def test_a_variable_names_another_folder(
    variable: str, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(machine / "dörte ist hier"))
    assert writable_cache() == machine / "dörte ist hier"


def test_without_a_home_a_private_temporary_folder_is_used_with_one_line(
    no_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", "")
    assert writable_cache() == temporary(no_home)
    assert temporary(no_home).stat().st_mode & 0o777 == 0o700
    said = capsys.readouterr().err
    assert said == (
        f"croupier: compiled code is kept in '{temporary(no_home)}', because '{no_home}/home/.cache/croupier' "
        "cannot be written to; CROUPIER_CACHE names another folder\n"
    )
    assert os.environ["CROUPIER_CACHE"] == str(temporary(no_home))


def squat_with_a_link(folder: Path) -> None:
    (folder.parent / "theirs").mkdir(mode=0o700)
    folder.symlink_to(folder.parent / "theirs")


def squat_with_an_open_folder(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def squat_with_a_file(folder: Path) -> None:
    folder.touch(mode=0o700)


def squat_as_another_user(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    folder.mkdir(mode=0o700)
    os.chown(folder, 65534, 65534)


@pytest.mark.parametrize(
    "squat", [squat_with_a_link, squat_with_an_open_folder, squat_with_a_file, squat_as_another_user]
)
def test_a_temporary_folder_that_others_could_write_to_is_neither_read_nor_written(
    squat: Callable[[Path], None], no_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", "")
    squat(temporary(no_home))
    assert list(cache_folders()) == [no_home / "home/.cache/croupier"]
    folder = writable_cache()
    assert folder.parent == no_home / "tmp"
    assert folder != temporary(no_home)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_prepared_folder_that_is_read_only_is_read(no_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an image whose kernels were compiled when it was built."""
    prepared = no_home / "prepared"
    prepared.mkdir()
    monkeypatch.setenv("CROUPIER_CACHE", str(prepared))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    assert writable_cache() == temporary(no_home)
    assert list(cache_folders()) == [prepared, temporary(no_home)]
    assert os.environ["CROUPIER_CACHE"] == str(prepared)


def tilde(*_: object, **__: object) -> Path:
    """Do as some versions of platformdirs for a user without a home."""
    return Path("~/croupier")


def refusal(*_: object, **__: object) -> Path:
    """Do as other versions."""
    raise RuntimeError("could not determine the home directory")


NO_HOME = pytest.mark.parametrize("answer", [tilde, refusal])


@NO_HOME
def test_a_user_without_a_home_is_told_to_name_a_store(
    answer: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", answer)
    with pytest.raises(InputError, match="no home folder to save in; set HOME, or name a store"):
        data_folder()


@NO_HOME
def test_a_user_without_a_home_gets_no_folder_in_the_current_one(
    answer: Callable[..., Path],
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", answer)
    monkeypatch.setenv("CROUPIER_CACHE", "")
    assert list(cache_folders()) == []
    assert writable_cache() == temporary(machine)
    assert "because there is no home folder; CROUPIER_CACHE names another" in capsys.readouterr().err


def test_an_engine_that_finds_its_code_loads_neither_library_nor_temporary_files(tmp_path: Path) -> None:
    program = (
        "from croupier.folders import cache_folders; next(cache_folders()); import sys; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program],
        env={"CROUPIER_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "croupier.folders" in loaded
    assert not {"platformdirs", "tempfile", "numba"} & set(loaded)
