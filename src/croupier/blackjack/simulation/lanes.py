"""The stream of lanes: the simulator's rounds in short stretches, which a processor and a GPU play alike.

A run is cut into lanes of :data:`LANE_ROUNDS` rounds or :data:`LANE_SHOES` shoes. A block is any number of neighbouring lanes; how many
does not change what is counted.
"""

import math
from dataclasses import dataclass

import numpy as np

from croupier.blackjack.simulation import shoe_kernel as shoes
from croupier.blackjack.simulation.count_kernel import Ledger
from croupier.blackjack.simulation.lane_kernel import (
    Lanes,
    play_lanes_alone,
    play_lanes_at_table,
    play_lanes_endless,
)
from croupier.blackjack.simulation.length import NO_LIMIT, Length, out_of_cards
from croupier.blackjack.simulation.round_terms import empty_records
from croupier.blackjack.simulation.single_seat import (
    add_counts,
    count_of,
    dealing_of,
    empty_counts,
    endless_paths_of,
    is_simple,
    never_runs_out,
    paths_of,
)
from croupier.blackjack.simulation.single_seat_kernel import Dealing, General
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.blackjack.simulation.tally import Tally
from croupier.numerics.devices import Device, why_no_gpu
from croupier.numerics.random_kernels import Stream, lane_key

#: Rounds and shoes of one random stream. Part of what a seed means: another size deals other cards.
LANE_ROUNDS = 2**14
LANE_SHOES = 2**8

#: Cards that are chosen before a round begins, so that few rounds stop to choose more; part of what a seed means.
RESERVE = 16

#: Lanes of a block on a processor.
PROCESSOR_LANES = 64


@dataclass(frozen=True, slots=True)
class LanePlay:
    """The rounds of a simulation in blocks of lanes.

    ``device`` is ``"cpu"`` or ``"cuda"``; both count the same. A worker without a GPU plays its blocks on its processor.
    ``has_ledger``: rounds are entered in a ledger too, by the count before the deal.
    """

    seating: Seating
    seed: int
    length: Length
    block_lanes: int = PROCESSOR_LANES
    device: Device = "cpu"
    has_ledger: bool = False

    @property
    def lanes(self) -> int | None:
        """How many lanes there are, where that is known before."""
        if self.length.target_stderr is not None:
            return None
        return math.ceil((self.length.shoes or self.length.rounds or 0) / self._lane_length)

    @property
    def blocks(self) -> int | None:
        """In how many blocks it is played, where that is known before."""
        return None if self.lanes is None else math.ceil(self.lanes / self.block_lanes)

    @property
    def _lane_length(self) -> int:
        return LANE_ROUNDS if self.length.shoes is None else LANE_SHOES

    @property
    def uses_automaton(self) -> bool:
        """Whether the automaton plays every round; a GPU leaves tables whose rounds may run out of cards to the general kernel."""
        return self._is_simple and never_runs_out(self.seating.rules, self.seating.cut)

    @property
    def _is_simple(self) -> bool:
        """Whether the automaton can play; it keeps no count where nothing depends on one."""
        return is_simple(self.seating) and not (self.has_ledger and self.seating.play.is_flat)

    @property
    def is_endless(self) -> bool:
        """Whether cards come from infinite packs and need no shoe."""
        return self.uses_automaton and self.seating.rules.decks == "infinite"

    def __call__(self, block: int) -> Tally:
        """Play a block."""
        return self.play(*self.lanes_of(block))

    def lanes_of(self, block: int) -> tuple[int, int]:
        """Return the first lane of a block, and the first one behind it."""
        first = block * self.block_lanes
        stop = first + self.block_lanes
        return first, stop if self.lanes is None else min(stop, self.lanes)

    def play(self, first: int, stop: int, ledger: Ledger | None = None) -> Tally:
        """Play the lanes from ``first`` to ``stop``, which is not among them; enter rounds in a ledger if there is one."""
        assert (ledger is not None) == self.has_ledger, "a ledger is for play that has one"
        tally, faults = Tally.empty(len(self.seating.chart.columns)), np.zeros(1, dtype=np.int64)
        if self.device == "cuda" and why_no_gpu() is None:
            from croupier.blackjack.simulation.gpu_play import play_on_gpu  # noqa: PLC0415 - needs a GPU

            play_on_gpu(self, first, stop, tally, faults, ledger)
        else:
            self._play_here(first, stop, tally, faults, ledger)
        if faults[0]:
            raise out_of_cards(self.seating)
        return tally

    def _play_here(
        self, first: int, stop: int, tally: Tally, faults: shoes.Shoe, ledger: Ledger | None
    ) -> None:
        seating, lanes = self.seating, self.terms()
        cards, shoe = np.empty_like(lanes.pack), np.empty_like(lanes.record)  # each lane lays them out anew
        stream: Stream = np.zeros(4, dtype=np.uint64)
        general = General(
            *empty_records(seating.seats), tally.outcomes, tally.cells, tally.squares, setup_of(seating)
        )
        if self.is_endless:
            counts = empty_counts(tally, None)
            play_lanes_endless(first, stop, lanes, self.dealing(), endless_paths_of(seating), counts, stream)
            add_counts(tally, counts, seating)
        elif self._is_simple:
            count = count_of(seating)
            counts = empty_counts(tally, count)
            play_lanes_alone(
                first, stop, lanes, self.dealing(), paths_of(seating), counts, faults, cards, shoe, stream,
                None if self.uses_automaton else general, count, ledger,
            )  # fmt: skip
            add_counts(tally, counts, seating)
        else:
            play_lanes_at_table(
                first, stop, lanes, seating.cut, seating.counts_side_bets, tally.side_kinds, tally.sums,
                tally.spreads, faults, cards, shoe, stream, general, ledger,
            )  # fmt: skip

    def terms(self) -> Lanes:
        """Return what the lanes have in common, as compiled code reads it."""
        pack, record = shoe_of(self.seating)
        in_all = self.length.shoes or self.length.rounds or NO_LIMIT
        return Lanes(
            lane_key(self.seed), self._lane_length, in_all, self.length.shoes is not None, pack, record
        )

    def dealing(self) -> Dealing:
        """Say how a single player's rounds are dealt."""
        is_continuous = self.seating.rules.shuffle == "continuous"
        return dealing_of(self.seating, RESERVE if self.uses_automaton and not is_continuous else None)


def usual_block_lanes(device: Device) -> int:
    """Return how many lanes make a block of a good size: a second's work on a GPU, much less on a processor."""
    if device == "cuda" and why_no_gpu() is None:
        from croupier.blackjack.simulation.gpu_play import lanes_of_block  # noqa: PLC0415 - needs a GPU

        return lanes_of_block()
    return PROCESSOR_LANES
