"""What holds for every game that can be played, whatever the rules and whoever plays."""

import json
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, answer, from_json, legal_actions, reply_of, to_json
from croupier.durak.engine.dealing import start, with_open_suit
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, ActionKind, GameState
from croupier.durak.engine.text import describe, narrate
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from tests.durak.rule_sets import RULE_SETS

RULES = st.sampled_from(RULE_SETS)
SEEDS = st.integers(0, 10**6)


def played(rules: DurakRules, seed: int, *, eagerness: int) -> list[GameState]:
    """Every state of a game played at random; an eager player does without only once in so many times."""
    stream = RandomStream((seed, 1))
    states = [start(rules, with_open_suit(shuffle(rules.cards, seed)), leader=seed % rules.players)]
    while legal := legal_actions(states[-1]):
        with_cards = [action for action in legal if action.cards]
        choice = with_cards if with_cards and stream.below(eagerness) else list(legal)
        states.append(act(states[-1], choice[stream.below(len(choice))]))
    return states


def is_played(state: GameState, action: Action) -> bool:
    try:
        act(state, action)
    except InputError:
        return False
    return True


GAMES = st.builds(played, RULES, SEEDS, eagerness=st.sampled_from([1, 4, 20]))


@given(GAMES)
def test_all_cards_are_always_somewhere(states: list[GameState]) -> None:
    for state in states:
        cards = (
            *(card for hand in state.hands for card in hand),
            *state.table,
            *state.waiting,
            *state.thrown_in,
            *state.discarded,
            *state.stock,
        )
        assert sorted(cards) == list(state.rules.cards)
        assert all(set(known) <= set(hand) for known, hand in zip(state.taken, state.hands, strict=True))


@given(GAMES)
def test_every_game_ends_with_an_empty_hand_and_an_empty_stock(states: list[GameState]) -> None:
    last = states[-1]
    assert last.phase is Phase.OVER
    assert last.to_act is None
    assert last.stock == ()
    assert len({last.rules.side_of(seat) for seat in last.holders}) <= 1
    assert (last.result is not None) is (len(last.hands) == 2)
    assert all(state.result is None and state.to_act is not None for state in states[:-1])
    points = [last.points(seat) for seat in range(len(last.hands))]
    assert set(points) in ({0.0, 1.0}, {0.5})
    assert last.rules.draws or 0.5 not in points


@settings(max_examples=40)
@given(GAMES)
def test_all_hands_hold_six_or_more_as_long_as_there_is_a_stock(states: list[GameState]) -> None:
    for state in states:
        if state.phase is Phase.ATTACK and not state.table and state.stock:
            assert min(len(hand) for hand in state.hands) >= 6


@settings(max_examples=40)
@given(GAMES)
def test_a_taker_never_gets_more_attack_cards_than_were_held_at_the_start_of_the_bout(
    states: list[GameState],
) -> None:
    held = len(states[0].hands[states[0].defender])
    for before, after in pairwise(states):
        attack_cards = before.attack_cards
        if after.bout != before.bout:
            last = after.history[-1]
            if last.kind is ActionKind.THROW_IN:
                attack_cards += last.cards
            assert len(attack_cards) <= min(held, before.rules.attack_cap(before.bout))
        if after.bout != before.bout or after.defender != before.defender:
            held = len(after.hands[after.defender])


@settings(max_examples=30)
@given(GAMES, st.data())
def test_a_refused_move_changes_nothing_and_is_not_among_the_legal_ones(
    states: list[GameState], data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(states))
    frozen = to_json(state)
    legal = set(legal_actions(state))
    kinds = st.sampled_from(list(ActionKind))
    for _ in range(20):
        cards = data.draw(st.lists(st.sampled_from(state.rules.cards), max_size=2, unique=True))
        action = Action(data.draw(kinds), tuple(sorted(cards)))
        assert is_played(state, action) is (action in legal)
        assert to_json(state) == frozen


@settings(max_examples=30)
@given(GAMES)
def test_every_state_is_printable_hashable_and_round_trips_through_json(states: list[GameState]) -> None:
    for state in (*states[::7], states[-1]):
        assert describe(state)
        again = from_json(to_json(state))
        assert again == state
        assert hash(again) == hash(state)
    assert list(narrate(states[-1]))


@settings(max_examples=30)
@given(GAMES)
def test_an_answer_means_the_action_of_the_phase(states: list[GameState]) -> None:
    for before, after in pairwise(states):
        assert answer(before, reply_of(after.history[-1])) == after


@settings(max_examples=30)
@given(GAMES, st.data())
def test_json_with_an_action_changed_is_refused_or_another_legal_game(
    states: list[GameState], data: st.DataObject
) -> None:
    stored = json.loads(to_json(states[-1]))
    place = data.draw(st.integers(0, len(stored["actions"]) - 1))
    stored["actions"][place] = {"action": data.draw(st.sampled_from([kind.value for kind in ActionKind]))}
    with suppress(InputError):
        again = from_json(json.dumps(stored))
        assert to_json(again) == json.dumps(stored)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", 'no "game": "durak"'),
        ('{"game": "durak"}', 'it needs "rules"'),
        ('{"game": "durak", "rules": {}, "deck": "", "leader": true, "actions": []}', 'it needs "rules"'),
        ('{"game": "durak", "rules": {}, "deck": "6C", "leader": 0, "actions": []}', "1 cards in the deck"),
        ('{"game": "durak", "rules": {}, "deck": "6c", "leader": 0, "actions": []}', "lower case"),
        (
            '{"game": "durak", "rules": {"x": 1}, "deck": "", "leader": 0, "actions": []}',
            "unknown option 'x'",
        ),
        ('{"game": "durak", "rules": {}, "deck": "", "leader": 0, "actions": [3]}', "action 1: 3 is not an"),
        (
            '{"game": "durak", "rules": {}, "deck": "", "leader": 0, "actions": [{"action": "fold"}]}',
            "action 1: no action 'fold'; actions are attack, done, defend, take, throw_in, transfer, show",
        ),
        (
            '{"game": "durak", "rules": {}, "deck": "", "leader": 0, "actions": [{"action": "take", "cards": 1}]}',
            "action 1: cards are a text",
        ),
        (
            '{"game": "durak", "rules": {}, "deck": "", "leader": 0, "actions": [{"action": "attack", "cards": "1X"}]}',
            "action 1: '1X' is no card",
        ),
    ],
)
def test_a_text_that_is_no_game_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_json(text)


def test_a_stored_game_is_refused_at_the_first_action_that_does_not_fit() -> None:
    stored = json.loads(to_json(played(DurakRules(), 3, eagerness=4)[-1]))
    kinds = [entry["action"] for entry in stored["actions"]]
    place = kinds.index("attack", 5)
    stored["actions"].insert(place, {"action": "throw_in"})
    with pytest.raises(InputError, match=f"action {place + 1}: cannot throw in now"):
        from_json(json.dumps(stored))
