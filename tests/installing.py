"""Build the wheel and install it into empty environments."""

import subprocess
import sys
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[1]

_UV = Path(sys.executable).with_name("uv")


def build_wheel(folder: Path) -> Path:
    """Build the wheel without fetching anything: its builder is among the test tools."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(folder: Path, requirement: str, python: Path | None = None) -> Path:
    """Install a requirement, with the versions of constraints.txt, into an empty environment; return its Python."""
    subprocess.run([_UV, "venv", "--quiet", "--python", python or sys.executable, folder], check=True)
    interpreter = folder / "bin" / "python"
    subprocess.run(
        [
            _UV,
            "pip",
            "install",
            "--quiet",
            "--python",
            interpreter,
            "--constraint",
            PROJECT / "constraints.txt",
            requirement,
        ],
        check=True,
    )
    return interpreter


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*"))


@cache
def public_python() -> Path | None:
    """Return a Python of this version that any user can run, or None: a developer's may lie in a private folder."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [
        Path(sys.executable).resolve(),
        *(Path(place) / f"python{version}" for place in ("/usr/bin", "/usr/local/bin")),
    ]
    for path in candidates:
        if path.is_file() and all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents):
            return path
    return None
