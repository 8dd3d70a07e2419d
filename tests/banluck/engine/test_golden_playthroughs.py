"""Recorded hands of each preset that a person can read.

Hands are dealt from one seed after another and played at random; those that show something the ones before
did not (an action, an outcome, a class of hand) are told in full.
"""

from collections.abc import Callable, Iterator

import pytest

from croupier.banluck.engine import (
    BANLUCK,
    ActionKind,
    BanluckRules,
    DealtHand,
    HandClass,
    Outcome,
    legal_actions,
    narrate,
)
from croupier.cards import Shoe
from croupier.numerics.streams import RandomStream
from croupier.rulebook import Preset

SEEDS = 1500
PLAYERS = 2


def play_at_random(rules: BanluckRules, seed: int) -> DealtHand:
    stream = RandomStream((seed, 1))
    table = DealtHand.opened(rules, Shoe.shuffled(seed), PLAYERS)
    while legal := legal_actions(table.state):
        table = table.act(legal[stream.below(len(legal))])
    return table


def features(table: DealtHand) -> Iterator[ActionKind | Outcome | tuple[str, HandClass]]:
    state = table.state
    for action in state.history:
        yield action.kind
    for seat in state.seats:
        assert seat.settlement is not None
        yield seat.settlement.outcome
    for seat_number in range(PLAYERS):
        yield "player", state.hand_value(seat_number).hand_class
    yield "dealer", state.dealer_value.hand_class


def playthrough(rules: BanluckRules) -> str:
    seen: set[object] = set()
    lines = []
    for seed in range(SEEDS):
        table = play_at_random(rules, seed)
        new = set(features(table)) - seen
        if new:
            seen |= new
            lines += [f"Seed {seed}", *(f"  {sentence}" for sentence in narrate(table.state)), ""]
    return "\n".join(lines)


@pytest.mark.parametrize("preset", BANLUCK.presets, ids=[preset.name for preset in BANLUCK.presets])
def test_the_preset_plays_as_recorded(
    preset: Preset[BanluckRules], compare_with_golden: Callable[[str, str], None]
) -> None:
    compare_with_golden(f"banluck/{preset.name}.txt", playthrough(preset.rules))
