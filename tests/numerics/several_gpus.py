"""Several GPUs that are only simulated, and a cluster of which one worker has such a GPU."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Self

from croupier.banluck.analysis.dealing import Game, LaneDealing, Tally
from croupier.banluck.analysis.lane_kernel import LANE_HANDS
from croupier.banluck.engine.rules import BanluckRules
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.lanes import LANE_ROUNDS, LanePlay
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.table_setup import Seating
from croupier.numerics.devices import why_no_gpu
from tests.banluck.analysis.test_lanes import dealing_of
from tests.blackjack.simulation.test_simulator import TABLE

HANDS = 5


class NotedGpu(nullcontext[None]):
    """A GPU that notes when it is used."""

    def __init__(self, number: int, used: list[int]) -> None:
        super().__init__()
        self._number, self._used = number, used

    def __enter__(self) -> None:
        self._used.append(self._number)


def let_blocks_take_turns() -> None:
    """Play four blocks of each game on three GPUs: each takes the next one, and the counts are the processor's."""
    from croupier.numerics.gpu import cuda  # noqa: PLC0415 - only in a process with a simulated GPU

    used: list[int] = []
    cuda.gpus = [NotedGpu(number, used) for number in range(3)]
    # Only the last lane is short, so that each block is the last lane of a run of its own.
    for block in range(4):
        banluck = dealing_of(BanluckRules(), block * LANE_HANDS + HANDS)
        blackjack = LanePlay(
            Seating(BlackjackRules(), TABLE), 7, Length(rounds=block * LANE_ROUNDS + HANDS), block_lanes=1
        )
        there = replace(banluck, device="cuda").play(block, block, block + 1)
        assert there.histogram.tolist() == banluck.play(block, block, block + 1).histogram.tolist()
        played = replace(blackjack, device="cuda").play(block, block + 1)
        assert played.sums.tolist() == blackjack.play(block, block + 1).sums.tolist()
    assert used == [0, 0, 1, 1, 2, 2, 0, 0], used


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Counted hands, and on what they were played."""

    tally: Tally
    devices: frozenset[str]

    def merged(self, other: Self) -> Self:
        return type(self)(self.tally.merged(other.tally), self.devices | other.devices)

    def to_state(self) -> dict[str, Any]:
        return {"devices": sorted(self.devices), **self.tally.to_state()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(Tally.from_state(state), frozenset(state["devices"]))


@dataclass(frozen=True, slots=True)
class ShortLanes:
    """Blocks of a few hands: the short last lane of a seed of their own."""

    game: Game

    def __call__(self, block: int) -> Played:
        dealing = LaneDealing(self.game, LANE_HANDS + HANDS, seed=block, device="cuda")
        return Played(dealing.play(block, 1, 2), frozenset({"cpu" if why_no_gpu() else "cuda"}))
