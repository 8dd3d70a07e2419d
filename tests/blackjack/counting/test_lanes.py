"""Playing with a count on the stream of lanes, which a processor and a GPU play alike."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import blackjack
from croupier.blackjack.counting import kernel
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.runs import CountingPlan, counting_plan
from croupier.blackjack.counting.simulation import (
    CountedLanes,
    CountedRounds,
    empty_ledger,
    simulate_counting,
)
from croupier.blackjack.counting.tally import CountingTally
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation import lanes, single_seat
from croupier.blackjack.simulation.lanes import LANE_ROUNDS
from croupier.blackjack.simulation.length import Length
from croupier.blackjack.simulation.round_terms import OUTCOME_COUNT, empty_records
from croupier.blackjack.simulation.simulator import block_stream
from croupier.blackjack.simulation.table_kernel import play_table
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.blackjack.simulation.tally import Tally
from croupier.errors import InputError
from croupier.numerics import devices
from croupier.runs.resuming import open_recording

Options = dict[str, Any]

#: Rules and ways to count: a true count that insures and plays by indices, a running count, no peek, one deck, bets that never change.
WAYS: list[tuple[Options, str, Options]] = [
    ({"surrender": "late"}, "hi-lo", {"choice": "illustrious", "spread": 8}),
    ({"decks": 8}, "ko", {"choice": "none", "spread": 12}),
    ({"hole_card": "no-peek"}, "hi-lo", {"choice": "illustrious", "rounding": "nearest", "estimate": 26}),
    ({"decks": 1}, "halves", {"choice": "illustrious", "spread": 4, "rounding": "truncate"}),
    ({}, "hi-lo", {"choice": "none", "ramp": "0:1"}),
]


def strategy_of(options: Options, system: str, how: Options) -> CountingStrategy:
    found = counting_plan(BlackjackRules.create(options), system, seed=1, **how).prepared().strategy
    assert found is not None
    return found


def seating_of(options: Options, system: str, how: Options) -> Seating:
    rules, strategy = BlackjackRules.create(options), strategy_of(options, system, how)
    return Seating(rules, strategy.lowest_chart, play=strategy.play(rules))


def counts_of(tally: CountingTally) -> list[object]:
    return [tally.by_count.tolist(), tally.sums.tolist(), tally.spreads.tolist()]


def compare_devices(rounds: int, ways: Sequence[int]) -> None:
    """Play two lanes, or only the second, here and on a GPU, and compare all counts."""
    for way in ways:
        length = Length(rounds=LANE_ROUNDS + rounds)
        here = CountedLanes.of(seating_of(*WAYS[way]), 7, length, 64, "cpu")
        there = CountedLanes(replace(here.lanes, device="cuda"))
        first = 0 if rounds > 1000 else 1  # lane 1 is the short one
        counted = here.play(first, 2)
        assert counted.rounds == rounds + (1 - first) * LANE_ROUNDS
        assert counts_of(counted) == counts_of(there.play(first, 2)), WAYS[way]


def test_a_gpu_counts_what_the_processor_counts() -> None:
    reason = devices.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    compare_devices(LANE_ROUNDS - 100, range(len(WAYS)))


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_a_ledger_holds_what_is_counted_round_by_round(way: int) -> None:
    seating = seating_of(*WAYS[way])
    expected = CountedRounds(seating, 5, Length(rounds=3000)).play(0, 3000)
    ledger, tally, found = empty_ledger(seating), Tally.empty(), CountingTally.empty()
    cards, shoe = shoe_of(seating)
    play_table(
        3000, 2**62, seating.cut, False, cards, shoe, block_stream(5, 0), *empty_records(1),
        np.zeros((OUTCOME_COUNT, 2), dtype=np.int64), tally.side_kinds, tally.sums, tally.cells, tally.squares,
        tally.spreads, setup_of(seating), ledger,
    )  # fmt: skip
    kernel.add_ledger(ledger, shoe, found.by_count, found.sums, setup_of(seating))
    assert found.by_count.tolist() == expected.by_count.tolist()
    assert found.sums[:, kernel.SQUARED].tolist() == expected.sums[:, kernel.SQUARED].tolist()
    np.testing.assert_allclose(found.sums, expected.sums, atol=3000 * 2**-15)
    over_shoes = [kernel.SHOES, kernel.WON_SQUARED, kernel.WON_TIMES_ROUNDS, kernel.ROUNDS_SQUARED]
    assert tally.spreads.tolist() == expected.spreads[over_shoes].tolist()


@pytest.mark.parametrize("way", [0, 3])
def test_the_automaton_keeps_the_ledger_of_the_general_kernel(
    way: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = CountedLanes.of(seating_of(*WAYS[way]), 3, Length(rounds=LANE_ROUNDS + 500), 64, "cpu")
    assert single_seat.is_simple(play.lanes.seating)
    by_automaton = play.play(1, 2)
    monkeypatch.setattr(lanes, "is_simple", lambda _: False)
    by_table = play.play(1, 2)
    assert by_automaton.rounds == 500
    assert counts_of(by_automaton) == counts_of(by_table)


def test_blocks_of_any_size_count_the_same() -> None:
    seating, length = seating_of(*WAYS[0]), Length(rounds=5 * LANE_ROUNDS + 77)
    few, many = (CountedLanes.of(seating, 3, length, block_lanes, "cpu") for block_lanes in (2, 64))
    assert counts_of(few(0).merged(few(1)).merged(few(2))) == counts_of(many(0))


def test_lanes_and_blocks_agree() -> None:
    rules = BlackjackRules.create(WAYS[0][0])
    strategy = strategy_of(*WAYS[0])
    blocks = simulate_counting(rules, strategy, rounds=500_000, seed=2)
    lane = simulate_counting(rules, strategy, rounds=500_000, seed=2, stream="lanes")
    assert (blocks.stream, lane.stream, lane.rounds) == ("blocks", "lanes", 500_000)
    assert lane.to_dict()["stream"] == "lanes"
    assert blocks.value != lane.value
    assert abs(blocks.value - lane.value) < 4 * np.hypot(blocks.stderr, lane.stderr)
    assert lane.rounds_per_shoe == pytest.approx(blocks.rounds_per_shoe, rel=5e-3)
    here, there = ({line.count: line for line in result.by_count} for result in (blocks, lane))
    for count in range(-3, 4):
        assert here[count].bet == there[count].bet
        assert here[count].mean_count == pytest.approx(there[count].mean_count, abs=0.03)
        assert here[count].packs_left == pytest.approx(there[count].packs_left, rel=0.02)


def test_without_a_gpu_a_line_says_so_and_the_processor_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lanes, devices):
        monkeypatch.setattr(module, "why_no_gpu", lambda: "no NVIDIA GPU is found")
    rules = blackjack.Rules(decks=1)
    with pytest.warns(UserWarning, match="no NVIDIA GPU is found; the processor plays instead"):
        asked = blackjack.count(rules, indices="none", rounds=20_000, seed=1, device="cuda")
    assert asked == blackjack.count(rules, indices="none", rounds=20_000, seed=1, stream="lanes")


def test_a_gpu_plays_no_blocks() -> None:
    with pytest.raises(InputError, match="a GPU plays the stream 'lanes', not 'blocks'"):
        blackjack.count(rounds=10, seed=1, stream="blocks", device="cuda")


def test_a_saved_run_remembers_its_lanes(tmp_path: Path) -> None:
    plan = counting_plan(
        BlackjackRules(decks=1), choice="none", rounds=1000, seed=4, stream="lanes"
    ).prepared()
    with open_recording(str(tmp_path / "runs.sqlite"), plan) as recording:
        result = plan.run(recording=recording)
    assert CountingPlan.of_run(recording.run) == plan
    assert result.stream == "lanes"
