"""A real PostgreSQL server, started where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def server_programs() -> Path | None:
    """Return the folder of PostgreSQL's server programs: on the path, or where Debian keeps them."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


PROGRAMS = server_programs()
AS_SERVER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []  # it refuses to run as root

needs_postgres = pytest.mark.skipif(PROGRAMS is None, reason="PostgreSQL's server programs are not installed")


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server on a socket in a folder of its own, and give the URL of its database."""
    assert PROGRAMS is not None
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:  # a socket's path must be short
        if AS_SERVER:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"
        _run(PROGRAMS / "initdb", "--pgdata", data, "--username", "lab", "--auth", "trust", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        _run(PROGRAMS / "pg_ctl", "start", "--wait", "-D", data, "-l", f"{folder}/log", "-o", options)
        try:
            yield f"postgresql://lab@/postgres?host={folder}"
        finally:
            _run(PROGRAMS / "pg_ctl", "stop", "--wait", "-D", data, "-m", "immediate")


def _run(program: Path, *arguments: str) -> None:
    subprocess.run([*AS_SERVER, str(program), *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")
