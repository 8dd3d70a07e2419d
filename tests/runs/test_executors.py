"""Real workers: processes and a real Dask cluster, the same numbers, and workers that are killed in the middle."""

import importlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import InputError
from croupier.runs import clusters
from croupier.runs.blocks import WorkerLostError, run_blocks
from croupier.runs.clusters import ClusterError, ClusterExecutor, open_cluster
from croupier.runs.executors import ProcessExecutor, open_executor
from tests.long_cases import cases
from tests.runs.block_work import DyingAlways, DyingOnce, Failing, fraction

ROOT = Path(__file__).parents[2]
BLOCKS = 30


@pytest.fixture(scope="module")
def dask() -> Iterator[ClusterExecutor]:
    with open_cluster("local:2") as executor:
        yield executor


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessExecutor]:
    with ProcessExecutor(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def expected() -> Any:
    with open_executor(workers=1) as executor:
        return run_blocks(fraction, executor, blocks=BLOCKS).summary


def test_processes_and_a_cluster_give_the_same_numbers(
    processes: ProcessExecutor, dask: ClusterExecutor, expected: Any
) -> None:
    assert run_blocks(fraction, processes, blocks=BLOCKS).summary == expected
    assert run_blocks(fraction, dask, blocks=BLOCKS).summary == expected
    with open_executor(workers=3) as executor:
        assert run_blocks(fraction, executor, blocks=BLOCKS).summary == expected


def test_processes_and_a_cluster_stop_after_the_same_block(
    processes: ProcessExecutor, dask: ClusterExecutor
) -> None:
    ends = [
        run_blocks(fraction, executor, stop=lambda trail: trail.total > 2) for executor in (processes, dask)
    ]
    with open_executor(workers=1) as executor:
        ends.append(run_blocks(fraction, executor, stop=lambda trail: trail.total > 2))
    assert ends[0].summary == ends[1].summary == ends[2].summary


def test_a_killed_process_changes_nothing(processes: ProcessExecutor, expected: Any, tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    assert run_blocks(DyingOnce(BLOCKS // 2, marker), processes, blocks=BLOCKS).summary == expected
    assert marker.exists()


def test_a_killed_worker_of_a_cluster_changes_nothing(
    dask: ClusterExecutor, expected: Any, tmp_path: Path
) -> None:
    marker = tmp_path / "killed"
    assert run_blocks(DyingOnce(BLOCKS // 2, marker), dask, blocks=BLOCKS).summary == expected
    assert marker.exists()


def test_a_block_that_kills_every_process_is_given_up() -> None:
    with pytest.raises(WorkerLostError, match="workers died 3 times"), open_executor(workers=2) as executor:
        run_blocks(DyingAlways(2), executor, blocks=BLOCKS)


@pytest.mark.verify
def test_a_block_that_kills_every_worker_of_a_cluster_is_given_up() -> None:
    dask: Any = importlib.import_module("dask")
    with (
        dask.config.set(
            {"distributed.scheduler.allowed-failures": 0}
        ),  # it tries three times again otherwise
        pytest.raises(ClusterError, match="cluster 'local:1': Attempted to run task"),
        open_cluster("local:1") as one,
    ):
        run_blocks(DyingAlways(2), one, blocks=BLOCKS)


def test_a_defect_in_a_block_comes_up_from_other_processes(
    processes: ProcessExecutor, dask: ClusterExecutor
) -> None:
    for executor in (processes, dask):
        with pytest.raises(ZeroDivisionError, match="block 5"):
            run_blocks(Failing(5), executor, blocks=BLOCKS)


def foreign_cluster(workers: int) -> Any:
    """Start a cluster that Croupier did not start."""
    distributed: Any = importlib.import_module("distributed")
    return distributed.LocalCluster(
        n_workers=workers, dashboard_address="127.0.0.1:0", silence_logs=logging.ERROR
    )


def verify_refused(cluster: str, complaint: str, workers: int | None = None) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)), open_executor(workers, cluster):
        pytest.fail("it was opened")


def test_a_cluster_is_found_by_its_address(expected: Any) -> None:
    with (
        foreign_cluster(workers=1) as cluster,
        open_executor(cluster=cluster.scheduler_address) as executor,
    ):
        assert run_blocks(fraction, executor, blocks=BLOCKS).summary == expected


def test_a_cluster_that_goes_away_is_said_to_be_lost() -> None:
    with (
        foreign_cluster(workers=1) as cluster,
        pytest.raises(ClusterError, match=r"'tcp://.*': the connection to its scheduler was lost"),
        open_executor(cluster=cluster.scheduler_address) as executor,
    ):
        run_blocks(fraction, executor, blocks=10**9, on_merge=lambda prefix: cluster.close())


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.5)
    with foreign_cluster(workers=0) as cluster:
        verify_refused(cluster.scheduler_address, "it has no workers; start some with `dask worker tcp://")


def test_an_address_where_nobody_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.5)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        verify_refused(address, f"'{address}': no Dask scheduler answers there")


@pytest.mark.parametrize("cluster", ["", "localhost", "local:", "local:0", "tcp://host", "http://host:80"])
def test_what_is_no_cluster_is_refused(cluster: str) -> None:
    verify_refused(cluster, f"cluster '{cluster}': write tcp://host:port")


def test_a_cluster_without_dask_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    verify_refused("local:2", "distributed is not installed; run: pip install 'croupier[cluster]'")


def test_a_cluster_brings_its_own_workers() -> None:
    verify_refused("local:2", "workers = 2: cluster 'local:2' brings its own workers", workers=2)


#: Plays blocks without end, says so at the first, and how far it came when it is interrupted.
ENDLESS = """
import sys
from croupier.runs.blocks import run_blocks
from croupier.runs.executors import open_executor
from tests.runs.block_work import fraction

def main():
    merged = []

    def on_merge(prefix):
        merged.append(prefix.blocks)
        if prefix.blocks == 1:
            print("playing", flush=True)

    try:
        with open_executor(**eval(sys.argv[1])) as executor:
            run_blocks(fraction, executor, blocks=10**12, on_merge=on_merge)
    except KeyboardInterrupt:
        print("interrupted after", merged[-1])

if __name__ == "__main__":
    main()
"""

EVERYWHERE = ["{'workers': 1}", "{'workers': 2}", "{'cluster': 'local:1'}"]


@contextmanager
def endless(where: str, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    script = folder / "endless.py"
    script.write_text(ENDLESS, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-W", "error", str(script), where],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "playing\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("where", cases(EVERYWHERE, long=EVERYWHERE[2:]))
def test_ctrl_c_ends_the_run_and_its_workers_without_a_word_from_them(where: str, tmp_path: Path) -> None:
    with endless(where, tmp_path) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the command
        told, complaints = process.communicate(timeout=60)
    assert (re.sub(r"\d+", "some", told), complaints, process.returncode) == (
        "interrupted after some\n",
        "",
        0,
    )


@pytest.mark.parametrize("where", cases(EVERYWHERE[1:], long=EVERYWHERE[2:]))
def test_workers_end_when_the_process_that_started_them_is_killed(where: str, tmp_path: Path) -> None:
    with endless(where, tmp_path) as process:
        process.kill()
        process.communicate(
            timeout=60
        )  # until the last process that holds the pipe, so every worker, is gone
    assert process.returncode == -signal.SIGKILL
