"""Blocks: merged in order, stopped at the same place and resumed, on any executor."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from croupier.errors import InputError
from croupier.runs.blocks import Prefix, run_blocks
from croupier.runs.executors import InProcessExecutor, ThreadExecutor, open_executor
from tests.runs.block_work import Failing, Trail, fraction


def in_order(blocks: int) -> Trail:
    trail = fraction(0)
    for block in range(1, blocks):
        trail = trail.merged(fraction(block))
    return trail


def test_blocks_are_merged_in_order_whatever_order_they_end_in() -> None:
    with open_executor(workers=3, threads=True) as executor:
        end = run_blocks(fraction, executor, blocks=40)
    assert end.summary == in_order(40)
    assert end.blocks == 40


def test_an_executor_that_does_not_know_its_size_serves_as_well() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert run_blocks(fraction, executor, blocks=20).summary == in_order(20)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_run_stops_after_the_same_block_on_any_number_of_workers(workers: int) -> None:
    with open_executor(workers, threads=True) as executor:
        end = run_blocks(fraction, executor, blocks=1000, stop=lambda trail: trail.total > 2)
    assert end.summary == in_order(end.blocks)
    assert end.summary.total > 2 >= in_order(end.blocks - 1).total


def test_a_stop_rule_alone_is_an_end() -> None:
    with open_executor(workers=1) as executor:
        assert run_blocks(fraction, executor, stop=lambda trail: len(trail.blocks) == 7).blocks == 7


@pytest.mark.parametrize("cut", [1, 7, 19])
def test_a_run_that_goes_on_ends_as_one_that_was_never_cut(cut: int) -> None:
    with open_executor(workers=2, threads=True) as executor:
        first = run_blocks(fraction, executor, blocks=cut)
        second = run_blocks(fraction, executor, blocks=20, start=first)
    assert second.summary == in_order(20)
    assert second.blocks == 20
    assert second.seconds > first.seconds


def test_a_run_that_has_enough_plays_nothing_more() -> None:
    start = Prefix(in_order(5), 5, 1.0)
    with open_executor(workers=1) as executor:
        assert run_blocks(Failing(5), executor, blocks=5, start=start) == start
        assert run_blocks(Failing(5), executor, stop=lambda trail: trail.total > 1, start=start) == start


class Ledger(ThreadExecutor):
    """Counts what it is handed."""

    submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        return super().submit(fn, *args, **kwargs)


def test_only_a_few_blocks_are_played_ahead() -> None:
    ahead: list[int] = []
    with Ledger(2) as executor:
        run_blocks(
            fraction,
            executor,
            blocks=100,
            on_merge=lambda prefix: ahead.append(executor.submitted - prefix.blocks),
        )
    assert max(ahead) < executor.in_flight
    assert executor.submitted == 100


def test_no_block_is_played_ahead_without_other_workers() -> None:
    played: list[int] = []

    def work(block: int) -> Trail:
        played.append(block)
        return fraction(block)

    run_blocks(work, InProcessExecutor(), stop=lambda trail: len(trail.blocks) == 3)
    assert played == [0, 1, 2]


def test_an_interrupted_run_has_told_of_every_merged_block() -> None:
    told: list[Prefix[Trail]] = []

    def interrupt_the_fourth(prefix: Prefix[Trail]) -> None:
        told.append(prefix)
        if prefix.blocks == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_executor(workers=2, threads=True) as executor:
        run_blocks(fraction, executor, blocks=10**12, on_merge=interrupt_the_fourth)
    assert [prefix.blocks for prefix in told] == [1, 2, 3, 4]
    assert told[-1].summary == in_order(4)


def test_ctrl_c_inside_a_block_of_this_process_is_not_taken_for_its_result() -> None:
    def work(block: int) -> Trail:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks(work, InProcessExecutor(), blocks=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_defect_in_a_block_comes_up_as_it_is(workers: int) -> None:
    with pytest.raises(ZeroDivisionError, match="block 5"), open_executor(workers, threads=True) as executor:
        run_blocks(Failing(5), executor, blocks=20)


def test_a_run_without_an_end_is_refused() -> None:
    with pytest.raises(InputError, match="say how many blocks, or when to stop"):
        run_blocks(fraction, InProcessExecutor())
    with pytest.raises(InputError, match="blocks = 0: at least 1"):
        run_blocks(fraction, InProcessExecutor(), blocks=0)
