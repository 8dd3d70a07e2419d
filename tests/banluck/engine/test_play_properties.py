"""What holds for every hand that can be played, whatever the rules and whoever plays."""

import json
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.banluck.engine import (
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    Phase,
    act,
    dealer_turn,
    dealing,
    describe,
    from_json,
    legal_actions,
    narrate,
    new_hand,
    player_turn,
    to_json,
)
from croupier.cards import Shoe, available, full_deck, without
from croupier.errors import InputError
from croupier.operations import is_allowed
from tests.banluck.rule_sets import random_rules

RULES = st.integers(0, 10**6).map(random_rules)


@st.composite
def played_states(draw: st.DrawFn) -> list[DealtHand]:
    """Every state of one randomly played hand, from the deal to the end."""
    rules = draw(RULES)
    tables = [DealtHand.opened(rules, Shoe.shuffled(draw(st.integers(0, 10**6))), draw(st.integers(1, 7)))]
    while legal := legal_actions(tables[-1].state):
        tables.append(tables[-1].act(draw(st.sampled_from(legal))))
    return tables


@given(played_states())
def test_52_cards_are_conserved(tables: list[DealtHand]) -> None:
    for table in tables:
        state = table.state
        assert sorted(state.dealt_cards + table.shoe.cards) == list(range(52))
        assert sorted(state.dealt_cards + available(without(full_deck(), state.dealt_cards))) == list(
            range(52)
        )


@given(played_states())
def test_players_and_dealer_sum_to_zero(tables: list[DealtHand]) -> None:
    state = tables[-1].state
    assert state.is_over
    assert None not in state.results
    assert sum(units or 0 for units in state.results) + state.dealer_result == 0


@given(played_states())
def test_every_state_is_printable_hashable_and_round_trips_through_json(tables: list[DealtHand]) -> None:
    for table in tables:
        state = table.state
        assert describe(state)
        assert list(narrate(state))
        again = from_json(to_json(state))
        assert again == state
        assert hash(again) == hash(state)


@given(played_states())
def test_a_viewer_never_reads_a_closed_card(tables: list[DealtHand]) -> None:
    for table in tables:
        state = table.state
        if state.is_over:
            continue
        lines = describe(state, viewer=0).splitlines()
        for seat, line in enumerate(lines[1 : len(state.seats) + 1]):
            shown = state.specials_shown and state.hand_value(seat).is_ban
            hidden = seat != 0 and state.seats[seat].is_closed and not shown
            assert ("░░" in line) is hidden


@given(played_states(), st.sampled_from(list(ActionKind)), st.integers(-1, 7), st.integers(-1, 52))
def test_a_refused_move_changes_nothing(
    tables: list[DealtHand], kind: ActionKind, seat: int, card: int
) -> None:
    for table in tables:
        state = table.state
        before, text = hash(state), to_json(state)
        with suppress(InputError):
            act(state, Action(kind, seat, (card,)))
        assert hash(state) == before
        assert to_json(state) == text


@given(played_states())
def test_can_and_verify_and_the_list_of_legal_actions_agree(tables: list[DealtHand]) -> None:
    for table in tables:
        state = table.state
        listed = {action.kind for action in legal_actions(state)}
        assert is_allowed(partial(dealing.verify_surrender, state)) == (ActionKind.SURRENDER in listed)
        assert is_allowed(partial(dealing.verify_keep, state)) == (ActionKind.KEEP in listed)
        assert is_allowed(partial(dealing.verify_show, state)) == (ActionKind.SHOW in listed)
        assert is_allowed(partial(player_turn.verify_hit, state)) == (ActionKind.HIT in listed)
        assert is_allowed(player_turn.verify_stand, state) == (ActionKind.STAND in listed)
        assert is_allowed(dealer_turn.verify_draw, state) == (ActionKind.DRAW in listed)
        assert is_allowed(dealer_turn.verify_dealer_stand, state) == (ActionKind.DEALER_STAND in listed)
        for seat in range(len(state.seats)):
            assert is_allowed(partial(dealer_turn.verify_reveal, state, seat)) == (
                Action(ActionKind.REVEAL, seat) in legal_actions(state)
            )


def opening() -> GameState:
    return DealtHand.opened(BanluckRules(), Shoe.stacked([0, 4, 8, 13], seed=1)).state


def test_a_card_on_the_table_cannot_come_again() -> None:
    with pytest.raises(InputError, match="'2C' is on the table already"):
        player_turn.hit(opening(), 0)


def test_an_action_out_of_turn_says_what_is_due() -> None:
    with pytest.raises(InputError, match="cannot draw now: a player is to hit or stand"):
        dealer_turn.draw(opening(), 51)
    with pytest.raises(InputError, match="cannot hit now: the cards are not dealt yet"):
        player_turn.hit(new_hand(BanluckRules()), 51)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ({"game": "bridge"}, 'no "game": "banluck"'),
        ({"players": "one"}, '"players" \\(a number\\)'),
        ({"players": 8}, "a table seats 1 to 7"),
        ({"rules": {"reveel": 1}}, "did you mean 'reveal'"),
        ({"actions": [{"action": "hit", "seat": 0, "cards": "AS"}]}, "action 1: cannot hit"),
        ({"actions": [{"action": "fold"}]}, "action 1: no action 'fold'"),
        ({"actions": ["deal"]}, "action 1: 'deal' is not an action"),
        ({"actions": [{"action": "deal", "cards": "AS KD"}]}, "action 1: 'deal' needs 4 cards, 2 were given"),
        ({"actions": [{"action": "deal", "cards": "AS KD AS 2C"}]}, "action 1: card 'AS' is given twice"),
    ],
)
def test_a_file_that_is_not_a_legal_hand_is_refused(damage: dict[str, object], complaint: str) -> None:
    data = json.loads(to_json(opening())) | damage
    with pytest.raises(InputError, match=complaint):
        from_json(json.dumps(data))


def test_the_phases_of_a_hand_come_in_order() -> None:
    order = list(Phase)
    for seed in range(200):
        table = DealtHand.opened(BanluckRules(), Shoe.shuffled(seed), players=3)
        phases = [table.state.phase]
        while legal := legal_actions(table.state):
            table = table.act(legal[-1])
            phases.append(table.state.phase)
        places = [order.index(phase) for phase in phases if phase not in (Phase.REVEAL, Phase.DEALER)]
        assert places == sorted(places)
