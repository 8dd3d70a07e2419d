import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.errors import InputError
from croupier.files import FileError, read_text

NOBODY = 65534

#: Reads a file as a person without special rights; root may read everything, so root becomes nobody first.
READ_WITHOUT_RIGHTS = f"""
import os, sys
from pathlib import Path
from croupier.files import FileError, read_text

path = Path(sys.argv[1])
if os.getuid() == 0:
    os.setuid({NOBODY})
os.stat(path)  # the directory can be entered: it is the file that cannot be read
try:
    read_text(path, what="rule file")
except FileError as error:
    print(error)
"""


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """Give a directory that every user may enter; pytest's own belong to one user alone."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory


def test_the_text_of_a_file_is_returned_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes('reveal = "none"  # ♠ 班\n'.encode())
    assert read_text(path) == 'reveal = "none"  # ♠ 班\n'


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    assert read_text(path) == ""


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing.toml"
    with pytest.raises(FileError) as refusal:
        read_text(path, what="rule file")
    assert str(refusal.value) == f"rule file '{path}': there is no such file"


def test_a_missing_directory_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no such file$"):
        read_text(tmp_path / "nowhere" / "rules.toml")


def test_a_directory_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(FileError) as refusal:
        read_text(tmp_path)
    assert str(refusal.value) == f"file '{tmp_path}': it is a directory; name a file"


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(FileError) as refusal:
        read_text(path / "rules.toml")
    assert str(refusal.value) == f"file '{path / 'rules.toml'}': a part of its path is a file, not a folder"


def test_a_name_that_is_too_long_is_refused_with_the_systems_reason(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"': File name too long$"):
        read_text(tmp_path / ("x" * 5000))


@pytest.mark.parametrize("content", [b"\xff\xfe", "Straße".encode("latin-1"), "reveal".encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    with pytest.raises(FileError) as refusal:
        read_text(path, what="rule file")
    assert str(refusal.value) == f"rule file '{path}': not UTF-8 text"


def test_a_file_without_permission_is_refused(open_directory: Path) -> None:
    path = open_directory / "rules.toml"
    path.write_text('reveal = "none"\n')
    path.chmod(0)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0
    reader = subprocess.run(
        [sys.executable, "-c", READ_WITHOUT_RIGHTS, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert reader.stderr == ""
    assert reader.stdout == f"rule file '{path}': no permission to read it\n"


def test_a_file_error_is_something_a_person_can_get_wrong() -> None:
    assert issubclass(FileError, InputError)
