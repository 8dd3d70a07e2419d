"""The steps of the Dockerfile, done in a folder: installed by root, run by another user where nothing can be written but /tmp and /data."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deployment.dockerfile import ROOT, health_command, instructions, start_command
from tests.installing import public_python

NOBODY = "65534"

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None, reason="only root can mount a read-only file system"
)


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """Follow the build stage: copy, install and compile, with ``/source`` and ``/opt`` in a folder that others can read."""
    folder = Path(tempfile.mkdtemp(prefix="image", dir="/var/tmp"))
    folder.chmod(0o755)
    source = folder / "source"
    source.mkdir()
    environment = dict(os.environ)
    for kind, words in instructions():
        placed = words.replace("/opt/", f"{folder}/opt/").replace("/source", str(source))
        if kind == "FROM" and " AS " not in words:
            break
        if kind == "COPY":
            for name in placed.split()[:-1]:
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, source / name)
        elif kind == "ENV":
            environment |= dict(pair.split("=", 1) for pair in placed.split())
        elif kind == "RUN":
            command = placed.replace("python -m venv", f"{public_python()} -m venv")
            subprocess.run(["sh", "-c", command], cwd=source, env=environment, check=True)
    yield folder
    shutil.rmtree(folder)


#: The whole file system read-only, with a /tmp of its own and the folder /data, as compose.yaml has it.
ROOM = """
set -e
mount --make-rprivate /
mount --bind {data} {data}
mount -o remount,bind,ro /
mount -o remount,bind,rw {data}
mount -t tmpfs tmpfs /tmp
exec setpriv --reuid {user} --regid {user} --clear-groups "$@"
"""


def test_the_image_serves_and_is_healthy(image: Path) -> None:
    data = image / "data"
    data.mkdir()
    shutil.chown(data, int(NOBODY), int(NOBODY))
    programs = image / "opt" / "croupier" / "bin"
    program, *arguments = (word.replace("/data", str(data)) for word in start_command())
    arguments[arguments.index("--port") + 1] = "0"
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "HOME": "/nonexistent",
        "CROUPIER_CACHE": str(image / "opt" / "croupier" / "cache"),
        "CROUPIER_STORE": str(data / "runs.sqlite"),
    }
    room = ["unshare", "--mount", "sh", "-c", ROOM.format(data=data, user=NOBODY), "sh"]
    process = subprocess.Popen(
        [*room, programs / program, *arguments],
        env=environment, cwd=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    announced = process.stdout.readline()
    port = announced.partition(" (")[0].rpartition(":")[2]
    check = [word.replace(":8080/", f":{port}/") for word in health_command()]
    healthy = subprocess.run(check, env=environment, capture_output=True, text=True, check=False)
    solved = subprocess.run(
        [*room, programs / "croupier", "banluck", "solve", "--json"],
        env=environment, cwd=data, capture_output=True, text=True, check=False,
    )  # fmt: skip
    process.terminate()
    _, complaints = process.communicate(timeout=60)
    assert (healthy.returncode, healthy.stderr) == (0, "")
    assert (solved.returncode, solved.stderr) == (0, "")
    assert (process.returncode, complaints) == (0, "")
    assert (data / "runs.sqlite").exists()
    assert (data / "web" / "cookie-key").stat().st_mode & 0o777 == 0o600
