"""Kernels on a simulated GPU, which needs no GPU, count what the processor counts.

Numba decides when it is imported whether it simulates, so each test is a process of its own; one for both games, because it begins slowly.
"""

import os
import subprocess
import sys

import pytest

_BLACKJACK = "from tests.blackjack.simulation import test_lanes as blackjack\n"
_COUNTING = "from tests.blackjack.counting import test_lanes as counting\n"
_BANLUCK = "from tests.banluck.analysis import test_lanes as banluck, test_table_lanes as tables\n"


def run_with_simulated_gpu(program: str) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_simulated_gpu_counts_what_the_processor_counts() -> None:
    run_with_simulated_gpu(
        f"{_BLACKJACK}{_COUNTING}{_BANLUCK}"
        "blackjack.compare_devices(20, blackjack.SEATINGS[:8])\n"
        "counting.compare_devices(20, [0, 1])\n"
        "banluck.compare_devices(20, first=1)\n"
        "tables.compare_devices(20, first=1)\n"
        "from tests.numerics.several_gpus import let_blocks_take_turns\n"
        "let_blocks_take_turns()"
    )


@pytest.mark.verify
def test_a_simulated_gpu_counts_what_the_processor_counts_with_the_general_kernel() -> None:
    run_with_simulated_gpu(
        f"{_BLACKJACK}{_COUNTING}"
        "blackjack.compare_devices(20, blackjack.SEATINGS[8:])\n"
        "counting.compare_devices(20, [2, 3, 4])"
    )
