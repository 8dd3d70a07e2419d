"""Banluck's stream of lanes: short random streams that a processor and a GPU play alike."""

from dataclasses import replace
from pathlib import Path

import pytest

from croupier import banluck
from croupier.banluck.analysis import dealing, lane_kernel, runs
from croupier.banluck.analysis.dealing import LaneDealing
from croupier.banluck.analysis.simulation_kernel import setup_of
from croupier.banluck.analysis.simulator import HeadsUp, simulate_strategies
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import PlayerStrategy
from croupier.errors import InputError
from croupier.numerics import devices
from croupier.runs.resuming import open_recording

#: Rule sets that differ in what the kernels branch on.
RULES = [
    BanluckRules.create(options)
    for options in (
        {},
        {"reveal": "mandatory", "both_bust": "push"},
        {"surrender": "blind", "dealer_collects_multiples": True},
        {"below_minimum": "forfeit", "five_card_mirror": "push"},
    )
]


def dealing_of(rules: BanluckRules, hands: int) -> LaneDealing:
    """Let a player who cannot decide play against the classic dealer: some decisions are random."""
    sixteen, seventeen = stand_on(16, rules), stand_on(17, rules)
    mixed = PlayerStrategy((sixteen.hit + seventeen.hit) / 2)
    return LaneDealing(HeadsUp(setup_of(rules, mixed, classic_dealer(rules))), hands, seed=7)


def compare_devices(hands: int, first: int) -> None:
    """Play lanes 0 and 1, or only lane 1, here and on a GPU, and compare all counts."""
    for rules in RULES:
        here = dealing_of(rules, lane_kernel.LANE_HANDS + hands)
        there = replace(here, device="cuda")
        counted = here.play(0, first, 2).histogram
        assert counted.sum() == hands + (1 - first) * lane_kernel.LANE_HANDS
        assert counted.tolist() == there.play(0, first, 2).histogram.tolist(), rules


def test_a_gpu_counts_what_the_processor_counts() -> None:
    reason = devices.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    compare_devices(lane_kernel.LANE_HANDS - 100, 0)


def test_blocks_of_any_size_count_the_same() -> None:
    many = dealing_of(BanluckRules(), 5 * lane_kernel.LANE_HANDS + 77)
    few = replace(many, block_lanes=2)
    assert (few.blocks, many.blocks) == (3, 1)
    assert few(0).merged(few(1)).merged(few(2)).histogram.tolist() == many(0).histogram.tolist()


def test_lanes_and_blocks_agree() -> None:
    rules = BanluckRules()
    both = [
        simulate_strategies(
            stand_on(16, rules), classic_dealer(rules), rules, hands=500_000, seed=5, stream=name
        )
        for name in ("blocks", "lanes")
    ]
    assert [result.stream for result in both] == ["blocks", "lanes"]
    assert both[0].value != both[1].value
    assert abs(both[0].value - both[1].value) < 4 * (both[0].stderr ** 2 + both[1].stderr ** 2) ** 0.5


def test_without_a_gpu_a_line_says_so_and_the_processor_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (dealing, devices):
        monkeypatch.setattr(module, "why_no_gpu", lambda: "no NVIDIA GPU is found")
    with pytest.warns(UserWarning, match="no NVIDIA GPU is found; the processor plays instead"):
        asked = banluck.simulate(
            banluck.Rules(), player="stand-on-16", dealer="classic", hands=10_000, seed=1, device="cuda"
        )
    assert asked == banluck.simulate(
        banluck.Rules(), player="stand-on-16", dealer="classic", hands=10_000, seed=1, stream="lanes"
    )


def test_a_gpu_plays_no_blocks() -> None:
    with pytest.raises(InputError, match="a GPU plays the stream 'lanes', not 'blocks'"):
        banluck.simulate(
            banluck.Rules(), player="stand-on-16", dealer="classic", stream="blocks", device="cuda"
        )


def test_a_saved_run_remembers_its_lanes(tmp_path: Path) -> None:
    plan = runs.SimulationPlan(
        BanluckRules(), "stand-on-16", "classic", hands=1000, seed=4, stream="lanes"
    ).prepared()
    with open_recording(str(tmp_path / "runs.sqlite"), plan) as recording:
        result = plan.run(recording=recording)
    assert runs.SimulationPlan.of_run(recording.run) == plan
    assert result.to_dict()["stream"] == "lanes"
