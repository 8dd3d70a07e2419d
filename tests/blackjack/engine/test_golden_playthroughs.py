"""Recorded rounds of each preset that a person can read.

Rounds are dealt from one seed after another and played at random; those that show something the ones before
did not (an action, an outcome, a side bet's prize, a number of hands) are told in full.
"""

from collections.abc import Callable, Iterator

import pytest

from croupier.blackjack.engine import (
    BLACKJACK,
    BlackjackRules,
    BlackjackShoe,
    SideBets,
    Table,
    legal_actions,
    narrate,
)
from croupier.numerics.streams import RandomStream
from croupier.rulebook import Preset

SEEDS = 400
BETS = (10.0, 5.0)
SIDE_BETS = (SideBets(perfect_pairs=1, twenty_one_plus_three=1), SideBets())


def play_at_random(rules: BlackjackRules, seed: int) -> Table:
    stream = RandomStream((seed, 1))
    table = Table.opened(rules, BlackjackShoe.shuffled(rules, seed), BETS, SIDE_BETS)
    while legal := legal_actions(table.state):
        table = table.act(legal[stream.below(len(legal))])
    return table


def features(table: Table) -> Iterator[object]:
    state = table.state
    for action in state.history:
        yield action.kind
    for number, seat in enumerate(state.seats):
        yield "hands", len(seat.hands)
        yield "insured", seat.insurance, state.dealer_natural
        for bet in seat.side_settlements:
            yield bet.kind
        for place, hand in enumerate(seat.hands):
            assert hand.settlement is not None
            yield hand.settlement.outcome, hand.is_doubled
            yield "natural", state.hand_value(number, place).is_natural, hand.settlement.outcome


def playthrough(rules: BlackjackRules) -> str:
    seen: set[object] = set()
    lines = []
    for seed in range(SEEDS):
        table = play_at_random(rules, seed)
        new = set(features(table)) - seen
        if new:
            seen |= new
            lines += [f"Seed {seed}", *(f"  {sentence}" for sentence in narrate(table.state)), ""]
    return "\n".join(lines)


@pytest.mark.parametrize("preset", BLACKJACK.presets, ids=[preset.name for preset in BLACKJACK.presets])
def test_the_preset_plays_as_recorded(
    preset: Preset[BlackjackRules], compare_with_golden: Callable[[str, str], None]
) -> None:
    compare_with_golden(f"blackjack/{preset.name}.txt", playthrough(preset.rules))
