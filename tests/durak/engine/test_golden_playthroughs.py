"""Recorded games of each preset that a person can read.

Games are dealt from one seed after another and played at random, by players who rather play a card than do without; those that
show something the ones before did not (an action, a way to end, a full table) are told in full.
"""

from collections.abc import Callable, Iterator

import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start, with_open_suit
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import ActionKind, GameState
from croupier.durak.engine.text import narrate
from croupier.numerics.streams import RandomStream
from croupier.rulebook import Preset

SEEDS = 100

#: Games of the larger tables are long: fewer are told.
VARIANT_SEEDS = 3


def play_at_random(rules: DurakRules, seed: int) -> list[GameState]:
    stream = RandomStream((seed, 1))
    states = [start(rules, with_open_suit(shuffle(rules.cards, seed)), leader=seed % rules.players)]
    while legal := legal_actions(states[-1]):
        with_cards = [action for action in legal if action.cards]
        choice = with_cards if with_cards and stream.below(15) else list(legal)
        states.append(act(states[-1], choice[stream.below(len(choice))]))
    return states


def features(states: list[GameState]) -> Iterator[object]:
    last = states[-1]
    yield last.result or last.losers, last.attacker == last.winner, last.history[-1].kind
    yield "ends with the deal", last.bout != states[-2].bout
    for state in states:
        yield "attack cards", len(state.attack_cards), state.bout == 1
        if state.history and state.history[-1].kind is ActionKind.THROW_IN:
            yield "thrown in", min(2, len(state.history[-1].cards))


def playthrough(rules: DurakRules) -> str:
    seen: set[object] = set()
    lines = []
    for seed in range(SEEDS if rules.is_compiled else VARIANT_SEEDS):
        states = play_at_random(rules, seed)
        new = set(features(states)) - seen
        if new:
            seen |= new
            lines += [f"Seed {seed}", *(f"  {sentence}" for sentence in narrate(states[-1])), ""]
    return "\n".join(lines)


@pytest.mark.parametrize("preset", DURAK.presets, ids=[preset.name for preset in DURAK.presets])
def test_the_preset_plays_as_recorded(
    preset: Preset[DurakRules], compare_with_golden: Callable[[str, str], None]
) -> None:
    compare_with_golden(f"durak/{preset.name}.txt", playthrough(preset.rules))
