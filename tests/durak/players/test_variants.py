"""The built-in players in every variant: legal moves, the compiled positions equal to the readable ones, no peeking, strength."""

from dataclasses import replace

import numpy as np
import pytest

from croupier.cards import shuffle
from croupier.durak.engine.actions import answer, legal_actions, reply_of
from croupier.durak.engine.dealing import start, with_open_suit
from croupier.durak.engine.observation import observe
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.built_in import built_in_player
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.durak.players.variant_kernel import play_out
from croupier.durak.players.variant_master import best_reply, card_set, position_numbers, rule_numbers
from croupier.rulebook import Preset
from tests.durak.rule_sets import RULE_SETS

VARIANTS = [preset for preset in DURAK.presets if not preset.rules.is_compiled]


def dealt(rules: DurakRules, seed: int) -> GameState:
    return start(rules, with_open_suit(shuffle(rules.cards, seed)), leader=seed % rules.players)


def by_dummies(state: GameState) -> list[GameState]:
    states = [state]
    while (seat := states[-1].to_act) is not None:
        states.append(answer(states[-1], variant_dummy_policy(observe(states[-1], seat))))
    return states


def test_the_compiled_sample_engines_play_every_variant_as_the_readable_ones() -> None:
    for number, rules in enumerate(RULE_SETS):
        states = by_dummies(dealt(rules, number))
        # From the deal, and from the middle of a bout.
        for state in (states[0], states[len(states) // 3], states[-2]):
            position = position_numbers(state, state.hands)
            numbers = rule_numbers(rules, state.trump)
            actions = play_out(position, numbers, np.array(state.stock, dtype=np.int64))
            last = states[-1]
            assert actions == len(last.history) - len(state.history), rules.changes()
            assert position[: rules.players].tolist() == [card_set(hand) for hand in last.hands]


def test_the_random_player_plays_every_move_that_is_legal_and_no_other() -> None:
    rules = DURAK.preset("proezdnoy").rules
    player = built_in_player("durak-random")
    kinds = set()
    for seed in range(3):
        state = dealt(rules, seed)
        while legal := legal_actions(state):
            reply = player.answer(state, seed)
            assert reply in [reply_of(action) for action in legal]
            state = answer(state, reply)
        kinds |= {action.kind for action in state.history}
    assert len(kinds) == 7


@pytest.mark.parametrize("preset", VARIANTS, ids=[preset.name for preset in VARIANTS])
def test_the_master_plays_to_the_end_and_knows_no_hidden_card(preset: Preset[DurakRules]) -> None:
    """Exchange cards that the master cannot know: it plays the same."""
    assert points_of(preset.rules, 1, rounds=20) in (0.0, 0.5, 1.0)
    states = by_dummies(dealt(preset.rules, 5))
    for state in states[5 : len(states) // 2 : 9]:
        seat = state.to_act
        assert seat is not None
        assert best_reply(state, Budget(rounds=40), seed=3) == best_reply(
            with_hidden_cards_moved(state, seat), Budget(rounds=40), seed=3
        )


def with_hidden_cards_moved(state: GameState, seat: int) -> GameState:
    hidden = observe(state, seat).unseen
    moved = dict(zip(hidden, shuffle(hidden, 1), strict=True))
    hands = tuple(tuple(moved.get(card, card) for card in hand) for hand in state.hands)
    deck = tuple(moved.get(card, card) for card in state.deck)
    return replace(state, hands=hands, deck=deck)


@pytest.mark.verify
@pytest.mark.parametrize("preset", VARIANTS, ids=[preset.name for preset in VARIANTS])
def test_the_master_beats_the_sample_engines_of_every_variant(preset: Preset[DurakRules]) -> None:
    """It is the fool less often than a sample engine in the same seat with the same cards."""
    seeds = range(100)
    master = sum(points_of(preset.rules, seed, rounds=1_000) for seed in seeds)
    assert master > sum(points_of(preset.rules, seed, rounds=0) for seed in seeds) + 5


def points_of(rules: DurakRules, seed: int, rounds: int) -> float:
    """Let the master play one seat among sample engines, and return its points; without rounds, a sample engine plays it too."""
    state, own = dealt(rules, seed), seed % rules.players
    while (seat := state.to_act) is not None:
        is_master = rounds and seat == own
        state = answer(
            state,
            best_reply(state, Budget(rounds=rounds), seed)
            if is_master
            else variant_dummy_policy(observe(state, seat)),
        )
    return state.points(own)
