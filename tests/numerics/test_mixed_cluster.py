"""A cluster in which only some workers have a GPU counts what one processor counts."""

import importlib
from typing import Any

import pytest

from croupier.banluck.engine.rules import BanluckRules
from croupier.numerics import devices
from croupier.runs.blocks import run_blocks
from croupier.runs.clusters import open_cluster
from croupier.runs.executors import open_executor
from tests.banluck.analysis.test_lanes import dealing_of
from tests.numerics.several_gpus import HANDS, ShortLanes

BLOCKS = 8


@pytest.mark.verify
def test_workers_with_and_without_a_gpu_count_the_same_together() -> None:
    if devices.why_no_gpu() is None:
        pytest.skip("this machine has a GPU, so no worker is without one")
    distributed: Any = importlib.import_module("distributed")
    simulated = {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    workers = {
        name: {"cls": distributed.Nanny, "options": {"nthreads": 1, "env": environment, "memory_limit": 0}}
        for name, environment in (("with a GPU", simulated), ("without", {}))
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"dashboard": False}}
    work = ShortLanes(dealing_of(BanluckRules(), 1).game)
    with distributed.SpecCluster(workers=workers, scheduler=scheduler) as cluster:
        cluster.wait_for_workers(2)
        with open_cluster(cluster.scheduler_address) as executor:
            found = run_blocks(work, executor, blocks=BLOCKS).summary
    with open_executor(1) as alone:
        expected = run_blocks(work, alone, blocks=BLOCKS).summary
    assert found.devices == {"cpu", "cuda"}
    assert expected.devices == {"cpu"}
    assert expected.tally.hands == BLOCKS * HANDS
    assert found.tally.histogram.tolist() == expected.tally.histogram.tolist()
