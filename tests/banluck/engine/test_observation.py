"""What a seat and the dealer see: the own cards and what is public, the same whatever the hidden cards are."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from croupier.banluck.analysis.action_prices import Prices
from croupier.banluck.engine import (
    BANLUCK,
    DEALER,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    Phase,
    act,
    describe,
    from_json,
    hit,
    keep,
    legal_actions,
    new_hand,
    observe,
    reveal,
    stand,
    to_json,
)
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.observation import is_to_act
from croupier.banluck.play.phrases import story
from croupier.banluck.play.session import HUMAN_SEAT, Seating, Session
from croupier.banluck.play.table_solutions import Standing
from croupier.banluck.play.view import view_of
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.opponent import Role
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.cards import Shoe, parse_card
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from tests.banluck.rule_sets import random_rules

Dealt = Callable[..., GameState]

HANDS = 300
PLAYERS = 3


def states_of(rules: BanluckRules, seed: int) -> Iterator[GameState]:
    """Yield the states of a hand played at random in which somebody is to act."""
    stream = RandomStream((seed, 1))
    table = DealtHand.opened(rules, Shoe.shuffled(seed), PLAYERS)
    while legal := legal_actions(table.state):
        if table.state.phase not in (Phase.SURRENDER, Phase.SPECIALS):
            yield table.state
        table = table.act(legal[stream.below(len(legal))])


def who_is_to_act(state: GameState) -> int | None:
    return next((who for who in (DEALER, *range(PLAYERS)) if is_to_act(state, who)), None)


def with_other_hidden_cards(state: GameState, viewer: int, stream: RandomStream) -> GameState | None:
    """Deal other cards where the viewer saw none, and play the same actions; None if they could not have been played.

    A dealer who kept a hard 15 may hold something else now, and the other way round: no player sees that.
    """
    seen = observe(state, viewer)
    open_cards = {card for hand in (seen.dealer, *seen.seats) for card in hand.open_cards}
    hidden = [card for card in range(52) if card not in open_cards]
    closed = [card for card in state.dealt_cards if card not in open_cards]
    if not closed:
        return None
    exchange = {card: card for card in range(52)}
    for _ in range(1 + stream.below(2)):
        one, other = closed[stream.below(len(closed))], hidden[stream.below(len(hidden))]
        exchange[one], exchange[other] = exchange[other], exchange[one]
    changed = new_hand(state.rules, PLAYERS)
    try:
        for action in state.history:
            if action.kind is ActionKind.KEEP or action == changed_last(changed, action.kind):
                continue
            changed = act(
                kept(changed, action.kind),
                type(action)(action.kind, action.seat, tuple(exchange[card] for card in action.cards)),
            )
    except InputError:
        return None
    changed = kept(changed)
    same_past = observe(changed, viewer).events == seen.events
    return changed if same_past and who_is_to_act(changed) == who_is_to_act(state) else None


def changed_last(state: GameState, kind: ActionKind) -> object:
    """Return the stand that a hit has forced already."""
    return state.history[-1] if kind is ActionKind.STAND and state.history else None


def kept(state: GameState, coming: ActionKind | None = None) -> GameState:
    is_asked = state.phase is Phase.SURRENDER and coming is not ActionKind.SURRENDER
    return keep(state) if is_asked else state


def pairs(seed: int) -> Iterator[tuple[GameState, GameState, int]]:
    """Yield states that differ only in cards that somebody does not see, and who it is."""
    stream = RandomStream((seed, 2))
    rules = random_rules(seed)
    for state in states_of(rules, seed):
        viewer = (DEALER, *range(PLAYERS))[stream.below(PLAYERS + 1)]
        other = with_other_hidden_cards(state, viewer, stream)
        if other is not None and other.dealt_cards != state.dealt_cards:
            yield state, other, viewer


def mixed_strategies(seed: int) -> tuple[PlayerStrategy, DealerStrategy]:
    source = np.random.default_rng(seed)
    draw, surrender = source.random((len(MULTISETS), 4)), source.random((len(MULTISETS), 3))
    return PlayerStrategy(source.random(len(MULTISETS))), DealerStrategy(draw, surrender)


def test_the_view_of_a_seat_and_of_the_dealer_is_the_same_whatever_the_hidden_cards_are() -> None:
    seen = {"pairs": 0, "21 or not": 0, "bust or not": 0, "hard 15 or not": 0}
    player, dealer = mixed_strategies(1)
    for seed in range(HANDS):
        for state, other, viewer in pairs(seed):
            assert observe(other, viewer) == observe(state, viewer)
            assert describe(other, viewer) == describe(state, viewer)
            if viewer in (DEALER, HUMAN_SEAT):
                role = Role.DEALER if viewer == DEALER else Role.PLAYER
                assert list(story(other, role)) == list(story(state, role))
                views = [view_of(*at_a_table(each, role), Standing.SOLVED) for each in (state, other)]
                assert views[0] == views[1]
            if is_to_act(state, viewer):
                chosen = [choose_action(each, player, dealer, RandomStream(seed)) for each in (state, other)]
                assert chosen[0] == chosen[1]
            closed = state.closed_seats
            values = [(state.hand_value(seat), other.hand_value(seat)) for seat in closed if seat != viewer]
            seen["pairs"] += 1
            seen["21 or not"] += any((a.total == 21) != (b.total == 21) for a, b in values)
            seen["bust or not"] += any(a.is_bust != b.is_bust for a, b in values)
            kept_in = [any(a.kind is ActionKind.KEEP for a in each.history) for each in (state, other)]
            seen["hard 15 or not"] += kept_in[0] != kept_in[1]
    assert seen["pairs"] > 500
    assert min(seen.values()) > 4, seen


def at_a_table(state: GameState, role: Role) -> tuple[Session, Prices]:
    seating = Seating(state.rules, role, PLAYERS)
    return Session(seating, 1, 100.0, number=1, bet=5.0, hand=DealtHand(state, Shoe(()))), Prices({})


@pytest.mark.parametrize(
    ("cards", "drawn", "options"),
    [
        ("TC 4D", "7S", {}),
        ("TC 4D", "4S", {}),
        ("7C 7D", "7S", {}),
        ("TC 4D", "KS", {"both_bust": "push"}),
        ("2C 2D", "3S 4S TS", {}),
        ("2C 2D", "3S 4S 2S", {}),
        ("2C TD", "3S 4S TS", {"both_bust": "push"}),
    ],
    ids=["21", "18", "777", "bust that stays closed", "five-card 21", "five cards", "five-card bust"],
)
def test_the_dealer_sees_every_closed_hand_stand(
    dealt: Dealt, cards: str, drawn: str, options: dict[str, object]
) -> None:
    state = dealt("9C 8H", cards, **options)
    for card in drawn.split():
        state = hit(state, parse_card(card))
    if state.phase is Phase.PLAYER:
        state = stand(state)
    seen = observe(state, DEALER)
    assert [event.kind for event in seen.events] == [
        ActionKind.DEAL,
        *[ActionKind.HIT] * len(drawn.split()),
        ActionKind.STAND,
    ]
    assert seen.seats[0].cards == (None,) * (2 + len(drawn.split()))
    assert list(story(state, Role.DEALER))[-1] == "Player 1 stands."
    assert from_json(to_json(state)) == state


def test_a_bust_that_is_settled_at_once_is_seen_by_all_and_stands_nowhere(dealt: Dealt) -> None:
    state = hit(dealt("9C 7D", "TC 6D", "TH 5D"), parse_card("KS"))
    seen = observe(state, 1)
    assert None not in seen.seats[0].cards
    assert seen.seats[0].settlement is not None
    assert ActionKind.STAND not in {event.kind for event in seen.events}


def test_a_hand_that_the_dealer_opens_is_seen_by_all_from_then_on(dealt: Dealt) -> None:
    state = stand(hit(dealt("9C 7D", "TC 4D", "TH 9D"), parse_card("4S")))
    state = stand(state)
    assert observe(state, 1).seats[0].cards == (None, None, None)
    assert observe(state, 1).dealer.cards == (None, None)
    opened = observe(reveal(state, 0), 1)
    assert None not in (*opened.seats[0].cards, *opened.dealer.cards)
    assert observe(reveal(state, 0), 0).seats[1].cards == (None, None)


def test_no_player_learns_that_the_dealer_kept_a_hard_15(dealt: Dealt) -> None:
    state = keep(dealt("9C 6H", "TC 6D"))
    assert [event.kind for event in observe(state, 0).events] == [ActionKind.DEAL]
    assert [event.kind for event in observe(state, DEALER).events] == [ActionKind.DEAL, ActionKind.KEEP]
    assert list(story(state, Role.PLAYER)) == ["The cards are dealt."]
    assert list(story(state, Role.DEALER)) == ["The cards are dealt.", "You keep the hand."]


def test_what_somebody_else_may_do_is_not_said(dealt: Dealt) -> None:
    rules = {"below_minimum": "must_hit"}
    low, high = dealt("9C 8H", "TC 2D", **rules), dealt("9C 8H", "TC 6D", **rules)
    assert describe(low, DEALER) == describe(high, DEALER)
    assert describe(low, DEALER).endswith("now: player 1 is to act")
    assert describe(high, 0).endswith("now: player 1 hits or player 1 stands")
    assert describe(stand(high), 0).endswith("now: the dealer is to act")
    assert describe(stand(high)).endswith("now: the dealer draws or the dealer stands")


def test_a_hand_of_version_0_1_without_forced_stands_is_read_and_another_stand_is_refused(
    dealt: Dealt,
) -> None:
    state = hit(dealt("9C 7D", "TC 4D"), parse_card("7S"))
    without = to_json(state).replace(', {"action": "stand", "seat": 0}', "")
    assert without != to_json(state)
    assert from_json(without) == state
    twice = to_json(state).replace(
        '{"action": "stand", "seat": 0}', '{"action": "stand", "seat": 0}, {"action": "stand", "seat": 0}'
    )
    with pytest.raises(InputError, match="action 4: cannot stand"):
        from_json(twice)


@pytest.mark.parametrize("preset", BANLUCK.presets, ids=lambda preset: preset.name)
def test_before_anybody_acts_a_seat_sees_two_cards_of_everybody(preset: object) -> None:
    rules = preset.rules.replaced({"surrender": "none"})  # type: ignore[attr-defined]
    state = DealtHand.opened(rules, Shoe.shuffled(3), 7).state
    for viewer in (DEALER, *range(7)):
        seen = observe(state, viewer)
        hands = (*seen.seats, seen.dealer)
        assert [len(hand.cards) for hand in hands] == [2] * 8
        assert [None not in hand.cards for hand in hands] == [who == viewer for who in (*range(7), DEALER)]
