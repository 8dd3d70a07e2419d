"""The stream of lanes: short random streams that a processor and a GPU play alike."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import blackjack
from croupier.blackjack.engine.rules import BlackjackRules, presets
from croupier.blackjack.simulation import lanes, runs
from croupier.blackjack.simulation.chart_play import Deviation
from croupier.blackjack.simulation.counted_play import CountedPlay
from croupier.blackjack.simulation.lanes import LANE_ROUNDS, LANE_SHOES, LanePlay
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.simulator import simulate
from croupier.blackjack.simulation.table_setup import Seating
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import DEALER_TOTALS, PAIR_ROWS, ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.durak.players.splitmix import SplitMix64
from croupier.errors import InputError
from croupier.numerics import devices
from croupier.numerics.random_kernels import begin_lane
from croupier.runs.resuming import open_recording
from tests.blackjack.simulation.test_simulator import TABLE

HI_LO = CountedPlay(
    tags=(1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1),
    ramp=(1, 2, 4, 8),
    insurance_at=3,
    deviations=(Deviation("16", "T", 0, Code.STAND),),
)

#: Ten rule sets and ways to play: with and without a hole card, shoes that may run out, one player and more, with and without a count.
#: A chart against two open cards of the dealer's, whose columns are the dealer's totals.
OPEN_TABLE = Chart.from_rule(
    lambda row, total: "D" if row.total == 11 and total == "15" else "H" if row.total < 17 else "S",
    DEALER_TOTALS,
)

SEATINGS = [
    Seating(
        rules := BlackjackRules.create(options), OPEN_TABLE if rules.hole_card == "open" else TABLE, **how
    )
    for options, how in (
        ({}, {}),
        ({"soft17": "hit", "surrender": "late"}, {}),
        ({"hole_card": "no-peek", "double": "9-11"}, {}),
        ({"decks": 8, "hole_card": "no-peek-original-bet", "resplit_aces": True}, {}),
        ({"natural_pays": "6:5", "double_after_split": False}, {}),
        ({"decks": "infinite", "surrender": "early"}, {}),
        ({"shuffle": "continuous"}, {}),
        ({"surrender": "late"}, {"play": HI_LO}),
        ({"decks": 1}, {}),
        ({"decks": "infinite"}, {"seats": 2, "counts_side_bets": True}),
        ({"hole_card": "open", "ties_lose": True}, {"counts_side_bets": True}),
        (presets["super-fun-21"].changes(), {}),
    )
]


def counts_of(tally: Tally) -> dict[str, list[Any]]:
    return {entry.name: getattr(tally, entry.name).tolist() for entry in dataclasses.fields(tally)}


def compare_devices(rounds: int, seatings: Sequence[Seating] = SEATINGS) -> None:
    """Play two lanes of every seating here and on a GPU, and compare all counts."""
    for seating in seatings:
        here = LanePlay(seating, 7, Length(rounds=LANE_ROUNDS + rounds))
        there = dataclasses.replace(here, device="cuda")
        first = 0 if rounds > 1000 else 1  # lane 1 is the short one
        assert counts_of(here.play(first, 2)) == counts_of(there.play(first, 2)), seating


def test_a_gpu_counts_what_the_processor_counts() -> None:
    reason = devices.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    compare_devices(LANE_ROUNDS - 100)


def test_a_lane_begins_with_four_words_of_splitmix() -> None:
    words, stream = SplitMix64(99), np.zeros(4, dtype=np.uint64)
    expected = [words.next_word() for _ in range(12)]
    begin_lane(stream, np.uint64(99), 2)
    assert stream.tolist() == expected[8:]


@pytest.mark.parametrize("length", [Length(rounds=5 * LANE_ROUNDS + 77), Length(shoes=5 * LANE_SHOES + 7)])
def test_blocks_of_any_size_count_the_same(length: Length) -> None:
    seating = Seating(BlackjackRules(), TABLE)
    few, many = (LanePlay(seating, 3, length, block_lanes) for block_lanes in (2, 64))
    assert (few.blocks, many.blocks) == (3, 1)
    added = few(0).merged(few(1)).merged(few(2))
    assert counts_of(added) == counts_of(many(0))
    assert added.rounds == (length.rounds or added.rounds)
    assert added.sums[1] == (length.shoes or added.sums[1])


@pytest.mark.parametrize("options", [{"decks": 2}, {"decks": "infinite", "hole_card": "no-peek"}], ids=str)
def test_lanes_earn_the_exact_value(options: dict[str, Any]) -> None:
    rules = BlackjackRules.create({"shuffle": "continuous", **options})
    result = simulate(rules, TABLE, rounds=1_000_000, seed=11, stream="lanes")
    assert result.rounds == 1_000_000
    assert abs(result.value - chart_value(rules, TABLE)) < 4 * result.stderr


def test_lanes_and_blocks_agree() -> None:
    both = [
        simulate(BlackjackRules(), TABLE, rounds=1_000_000, seed=5, stream=name)
        for name in ("blocks", "lanes")
    ]
    assert both[0].value != both[1].value
    assert abs(both[0].value - both[1].value) < 4 * (both[0].stderr ** 2 + both[1].stderr ** 2) ** 0.5
    assert both[0].rounds_per_shoe == pytest.approx(both[1].rounds_per_shoe, rel=1e-3)


def test_without_a_gpu_a_line_says_so_and_the_processor_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lanes, devices):
        monkeypatch.setattr(module, "why_no_gpu", lambda: "no NVIDIA GPU is found")
    rules = blackjack.Rules(decks="infinite")
    with pytest.warns(UserWarning, match="no NVIDIA GPU is found; the processor plays instead"):
        asked = blackjack.simulate(rules, TABLE, rounds=50_000, seed=1, device="cuda")
    assert asked == blackjack.simulate(rules, TABLE, rounds=50_000, seed=1, stream="lanes")
    assert asked.stream == "lanes"


def test_a_gpu_plays_no_blocks() -> None:
    with pytest.raises(InputError, match="a GPU plays the stream 'lanes', not 'blocks'"):
        blackjack.simulate(rounds=10, seed=1, stream="blocks", device="cuda")


@pytest.mark.verify
def test_rounds_that_run_out_of_cards_are_an_error() -> None:
    rules = BlackjackRules(decks=1, shuffle="continuous")
    greedy = Chart.from_cells(
        {(row, up): Code.SPLIT if row in PAIR_ROWS else Code.HIT for row in ROWS for up in UP_CARDS}
    )
    with pytest.raises(InputError, match="7 seats: a round has asked for more cards"):
        simulate(rules, greedy, rounds=100_000, seed=1, seats=7, stream="lanes")


def test_a_saved_run_remembers_its_lanes(tmp_path: Path) -> None:
    plan = runs.SimulationPlan(
        BlackjackRules(), TABLE, Length(rounds=1000), seed=4, stream="lanes"
    ).prepared()
    with open_recording(str(tmp_path / "runs.sqlite"), plan) as recording:
        result = plan.run(recording=recording)
    assert runs.SimulationPlan.of_run(recording.run) == plan
    assert result.to_dict()["stream"] == "lanes"


def _is_integer_sum(sums: NDArray[np.float64]) -> bool:
    return bool((sums == np.round(sums)).all())


def test_all_counts_are_whole_numbers() -> None:
    for seating in SEATINGS[:8]:
        tally = LanePlay(seating, 1, Length(rounds=500))(0)
        assert _is_integer_sum(tally.squares)
        assert _is_integer_sum(tally.spreads)
