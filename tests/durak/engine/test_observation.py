"""What a player sees: the own hand and what was open, the same whatever the hidden cards are."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import shuffle
from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK, cards_text, read_card
from croupier.durak.engine.protocol import deal_line, question
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.engine.text import describe
from croupier.numerics.streams import RandomStream

Position = Callable[..., GameState]
Play = Callable[[GameState, str], GameState]


def played_for(seed: int, moves: int) -> GameState:
    stream = RandomStream((seed, 2))
    state = start(DurakRules(), shuffle(PACK, seed), leader=seed % 2)
    for _ in range(moves):
        legal = legal_actions(state)
        if not legal:
            break
        state = act(state, legal[stream.below(len(legal))])
    return state


def with_hidden_cards_permuted(state: GameState, seat: int, seed: int) -> GameState:
    """Exchange the cards that a seat has not seen: in the other hand, unless it was taken, and in the stock."""
    enemy = 1 - seat
    open_cards = {*state.taken[enemy], state.trump}
    places = [*state.hands[enemy], *state.stock]
    hidden = [card for card in places if card not in open_cards]
    exchange = dict(zip(hidden, shuffle(hidden, seed), strict=True))
    hands = list(state.hands)
    hands[enemy] = tuple(exchange.get(card, card) for card in hands[enemy])
    deck = tuple(exchange.get(card, card) for card in state.deck)
    return replace(state, hands=(hands[0], hands[1]), deck=deck)


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 120), st.integers(0, 1), st.integers(0, 10**6))
def test_a_seat_sees_the_same_when_hidden_cards_are_permuted(
    seed: int, moves: int, seat: int, order: int
) -> None:
    state = played_for(seed, moves)
    other = with_hidden_cards_permuted(state, seat, order)
    if state.stock:
        assert observe(other, seat) == observe(state, seat)
        assert describe(other, viewer=seat) == describe(state, viewer=seat)
        if state.to_act == seat:
            assert question(other) == question(state)
        if state.dealt[seat] == other.dealt[seat]:
            assert deal_line(other, seat) == deal_line(state, seat)


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 200), st.integers(0, 1))
def test_seen_and_unseen_cards_are_the_whole_pack(seed: int, moves: int, seat: int) -> None:
    state = played_for(seed, moves)
    seen = observe(state, seat)
    public = [*seen.hand, *seen.table, *seen.discarded, *seen.known_enemy, *seen.unseen]
    bottom = [state.trump] if state.stock else []
    assert sorted([*public, *bottom]) == list(PACK)
    assert set(seen.known_enemy) <= set(state.hands[1 - seat])
    if not state.stock:
        assert {*seen.known_enemy, *seen.unseen} == set(state.hands[1 - seat])


def test_taken_cards_are_known_until_they_are_played(position: Position, play: Play) -> None:
    state = play(position("6C 6S AD KS 9C", "TC 9D 8D 7D KC", trump="AH"), "6C, -, 6S")
    assert cards_text(observe(state, 0).known_enemy) == "6C 6S"
    assert observe(state, 1).known_enemy == ()
    state = play(state, "9C, TC, -, 6S")
    assert cards_text(observe(state, 0).known_enemy) == "6C"


def test_the_open_trump_is_known_once_the_other_side_has_drawn_it(position: Position, play: Play) -> None:
    state = play(position("6C AS AD KS KD QS", "TC 9D 8D 7D 6D TD", stock="7C 6H"), "6C, TC, -")
    assert cards_text(observe(state, 0).known_enemy) == "6H"
    assert observe(state, 1).known_enemy == ()
    assert read_card("6H") in observe(state, 1).hand


def test_the_viewer_reads_closed_cards_for_the_other_hand(position: Position, play: Play) -> None:
    state = play(position("6C 6S AD KS", "TC 9D 8D 7D", trump="AH"), "6C, -, 6S")
    assert describe(state, viewer=0).splitlines()[2] == "player 2  ░░ ░░ ░░ ░░ 6♣ 6♠"
    assert describe(state, viewer=1).splitlines()[1] == "player 1  ░░ ░░"
    assert describe(state).splitlines()[1] == "player 1  K♠ A♦"
