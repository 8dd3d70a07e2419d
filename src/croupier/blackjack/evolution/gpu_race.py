"""Races on a GPU: a thread deals a block of rounds, and then a thread plays a round by every column that is still running.

The functions are those of ``sample_kernel``, and so are the sums, to the last digit. The cards of a season stay on the GPU while generations
play them.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from croupier.blackjack.simulation.round_terms import (
    HAND_FIELDS,
    MOST_HANDS,
    OUTCOME_COUNT,
    SEAT_FIELDS,
    Integers,
    Setup,
)
from croupier.blackjack.simulation.sample_kernel import SUM_COUNT, deal_sample, play_sample
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, SHOE_FIELDS, SIZE, Bytes
from croupier.numerics.gpu import cuda, is_simulated, on_gpu, sent
from croupier.numerics.random_kernels import Stream

#: What a block is dealt from: packs without the up-card, their size, the up-card, and the random stream.
Given = tuple[Bytes, int, int, Stream]

#: Threads of a block, and into how many copies they add.
_THREADS = 128
_COPIES = 512

#: How many blocks of rounds stay on the GPU, and how many of them are dealt at a time.
_BLOCKS_KEPT = 16_384
_BLOCKS_AT_A_TIME = 4096


class GpuRace:
    """Deals blocks of rounds on a GPU, keeps them, and lets columns play them.

    Parameters
    ----------
    rounds, depth
        The rounds of a block, and how many cards each has.
    is_infinite
        Whether the packs never end.
    """

    def __init__(self, rounds: int, depth: int, *, is_infinite: bool) -> None:
        self._rounds, self._depth, self._is_infinite = rounds, depth, is_infinite
        self._dealt: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def run(
        self,
        blocks: range,
        given: Callable[[int], Given],
        key: tuple[int, ...],
        running: Integers,
        setup: Setup,
    ) -> tuple[Integers, bool]:
        """Let columns play blocks; return their sums, and whether a round has asked for more cards than it has.

        Parameters
        ----------
        blocks, given
            The blocks, and what each is dealt from.
        key
            What tells these blocks from others of the same numbers: seed, season, up-card.
        running, setup
            The columns that play; they are the plans of the setup.
        """
        sums = cuda.to_device(np.zeros((_COPIES, len(setup.plans), SUM_COUNT), dtype=np.int64))
        faults = cuda.to_device(np.zeros(1, dtype=np.int64))
        there, those = sent(setup), cuda.to_device(running)
        for start in range(0, len(blocks), _BLOCKS_AT_A_TIME):
            part = blocks[start : start + _BLOCKS_AT_A_TIME]
            sample = self._sample(part, given, (*key, part[0], len(part)))
            lanes = len(part) * self._rounds
            threads = min(_THREADS, lanes)
            _race_kernel()[-(-lanes // threads), threads](sample, those, sums, faults, there)
        return sums.copy_to_host().sum(axis=0), bool(faults.copy_to_host()[0])

    def _sample(self, blocks: range, given: Callable[[int], Given], key: tuple[int, ...]) -> Any:
        """Return the cards of blocks on the GPU."""
        if key in self._dealt:
            self._dealt.move_to_end(key)
            return self._dealt[key]
        while self._dealt and sum(len(kept) for kept in self._dealt.values()) + len(blocks) > _BLOCKS_KEPT:
            self._dealt.popitem(last=False)
        packs, sizes, ups, streams = zip(*map(given, blocks), strict=True)
        sample = cuda.device_array((len(blocks), self._rounds, self._depth), np.uint8)
        threads = 1 if is_simulated() else 32
        _deal_kernel()[-(-len(blocks) // threads), threads](
            *(cuda.to_device(np.array(values)) for values in (packs, sizes, ups, streams)),
            self._is_infinite,
            sample,
        )
        self._dealt[key] = sample
        return sample


@cache
def _deal_kernel() -> Any:
    deal = on_gpu(deal_sample)

    @cuda.jit
    def deal_blocks(packs, sizes, ups, streams, is_infinite, sample):  # type: ignore[no-untyped-def]
        block = cuda.grid(1)
        if block < len(sample):
            deal(packs[block], sizes[block], is_infinite, ups[block], streams[block], sample[block])

    return deal_blocks


@cache
def _race_kernel() -> Any:
    play = on_gpu(play_sample)

    @cuda.jit
    def play_rounds(sample, running, sums, faults, setup):  # type: ignore[no-untyped-def]
        results = cuda.local.array(1, np.int64)
        shoe = cuda.local.array(SHOE_FIELDS, np.int64)
        stream = cuda.local.array(4, np.uint64)
        seats = cuda.local.array((1, SEAT_FIELDS), np.int64)
        hands = cuda.local.array((MOST_HANDS, HAND_FIELDS), np.int64)
        waiting = cuda.local.array(MOST_HANDS, np.int64)
        outcomes = cuda.local.array((OUTCOME_COUNT, 2), np.int64)
        lane, rounds = cuda.grid(1), sample.shape[1]
        for field in range(SHOE_FIELDS):
            shoe[field] = 0
        for outcome in range(OUTCOME_COUNT):
            outcomes[outcome, 0] = 0
            outcomes[outcome, 1] = 0
        shoe[SIZE] = sample.shape[2]
        block, number = lane // rounds, lane % rounds
        if block < len(sample):
            play(
                sample[block, number : number + 1], running, results, sums[cuda.blockIdx.x % _COPIES], shoe, stream,
                seats, hands, waiting, outcomes, setup,
            )  # fmt: skip
            cuda.atomic.add(faults, 0, shoe[IS_EXHAUSTED])

    return play_rounds
