"""Durak among friends: nobody sees another hand or the stock, and a saved evening goes on as it was."""

import random
from dataclasses import replace

import pytest

from croupier.durak.engine.actions import legal_replies
from croupier.durak.engine.observation import Observation, PassOn, known_cards, observe
from croupier.durak.engine.pack import PACK, card_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import GameState
from croupier.durak.play.view import PASSING_KEYS, variant_hand
from croupier.durak.players.dummy import variant_dummy_policy
from croupier.errors import InputError
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.seats import Holder, Seat, Seats
from tests.web.friends.seen_cards import cards_in


def people(count: int) -> Seats:
    return tuple(Seat(f"P{number}", Holder.PERSON, f"v{number}") for number in range(count))


def allowed(state: GameState, seat: int | None) -> set[int]:
    """Return what a seat may see: its hand, the table, the open trump, what was played, and what others took up openly."""
    public = {state.trump, *state.table, *state.thrown_in, *state.waiting, *state.discarded}
    public |= {card for place in range(len(state.hands)) for card in known_cards(state, place)}
    played = {card for action in state.history for card in action.cards}
    return public | played | (set() if seat is None else set(state.hands[seat]))


def answer(state: GameState, luck: random.Random) -> str:
    """Return an answer: any now and then, otherwise that of the sample engine, which ends a game soon."""
    seat = state.to_act
    assert seat is not None
    reply = (
        luck.choice(legal_replies(state))
        if luck.random() < 0.1
        else variant_dummy_policy(observe(state, seat))
    )
    if isinstance(reply, PassOn):
        return f"{'show' if reply.is_shown else 'transfer'} {card_text(reply.card)}"
    return " ".join(["play", *map(card_text, reply)]) if reply else "pass"


@pytest.mark.parametrize(
    ("preset", "players"), [("table", 2), ("perevodnoy", 3), ("para-na-paru", 4), ("jokers", 3)]
)
def test_an_evening_leaks_nothing(preset: str, players: int) -> None:
    luck, seats = random.Random(preset), people(players)
    evening = DurakEvening(DURAK.rules(preset, players=players), "durak-dummy", seed=9)
    evening = evening.act(players - 1, "deal", seats)
    while evening.is_playing:
        state = evening.state
        assert state is not None
        # Two seats at a time, in turn: all of them after every move would take a second.
        moves = len(evening.moves)
        for seat in (None, moves % players, (moves + 1) % players) if moves else (None, *range(players)):
            view = evening.view(seat, seats)
            assert cards_in(view) <= allowed(state, seat)
            assert {held.card for held in view.hand} == (set() if seat is None else set(state.hands[seat]))
        turn = evening.turn(seats)
        assert turn is not None
        with pytest.raises(InputError, match="not your turn"):
            evening.act((turn + 1) % players, "pass", seats)
        evening = evening.act(turn, answer(state, luck), seats)
    assert DurakEvening.from_state(evening.to_state()) == evening
    assert sum(evening.totals.values()) + evening.drawn >= 1
    assert evening.act(0, "deal", seats).number == 2


def test_a_view_does_not_depend_on_hidden_cards() -> None:
    """The hands of two others and the stock are exchanged: the third sees the same."""
    seats = people(3)
    evening = DurakEvening(DURAK.rules("perevodnoy", players=3), "durak-dummy", seed=4).act(0, "deal", seats)
    state = evening.state
    assert state is not None
    mine = next(seat for seat in range(3) if seat not in (state.attacker, state.defender))
    others = [seat for seat in range(3) if seat != mine]
    hands = list(state.hands)
    hands[others[0]], hands[others[1]] = hands[others[1]], hands[others[0]]
    deck = (*state.deck[:18], *sorted(state.deck[18:-1]), state.deck[-1])
    exchanged = replace(evening, state=replace(state, hands=tuple(hands), deck=deck))
    assert exchanged.view(mine, seats) == evening.view(mine, seats)
    assert exchanged.view(None, seats) == evening.view(None, seats)
    assert exchanged.view(others[0], seats) != evening.view(others[0], seats)


def test_engines_play_the_empty_seats_and_a_saved_game_goes_on() -> None:
    seats = (*people(1), Seat("Engine 1", Holder.ENGINE), Seat("Engine 2", Holder.ENGINE))
    evening = DurakEvening(DURAK.rules("podkidnoy", players=3), "durak-dummy", seed=2).act(0, "deal", seats)
    luck = random.Random(1)
    while evening.is_playing:
        if len(evening.moves) % 5 == 0:
            restored = DurakEvening.from_state(evening.to_state())
            assert restored == evening
            evening = restored
        moved = evening.engine_moved(seats)
        if moved is None:
            assert evening.state is not None
            moved = evening.act(0, answer(evening.state, luck), seats)
        evening = moved
    assert evening.engine_moved(seats) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jump", "'jump' is not possible now"),
        ("deal", "'deal' is not possible now"),
        ("play", "to pass names no card"),
        ("transfer", "transfer one card, not 0"),
        ("play 1X", "1X"),
    ],
)
def test_wrong_answers_are_refused(name: str, message: str) -> None:
    seats = people(2)
    evening = DurakEvening(DURAK.rules("table"), "durak-dummy", seed=2).act(0, "deal", seats)
    turn = evening.turn(seats)
    assert turn is not None
    with pytest.raises(InputError, match=message):
        evening.act(turn, name, seats)


def test_every_card_of_a_large_hand_has_a_key_that_nothing_else_has() -> None:
    """Who has taken often plays by keyboard too; other keys pass the attack on, and r asks for the review."""
    hand = variant_hand(Observation(Phase.ATTACK, PACK[:25], (), (), 0, 3, PACK[30]), is_asked=True)
    keys = {held.key for held in hand}
    assert len(keys) == 25
    assert not keys & {"", *"asdfghr", *PASSING_KEYS}
