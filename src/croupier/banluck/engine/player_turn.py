"""The player's turn: hit or stand. Operations come in pairs, as in :mod:`~croupier.banluck.engine.dealing`."""

from dataclasses import replace

from croupier.banluck.engine.dealing import verify_phase
from croupier.banluck.engine.permissions import player_may_act, player_must_hit
from croupier.banluck.engine.settlement import settle_bust
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase
from croupier.cards.seat_action import IllegalAction


def verify_hit(state: GameState, card: int | None = None) -> None:
    """Raise unless a player is to act and the card, if one is named, is still in the deck."""
    verify_phase(state, "hit", Phase.PLAYER)
    if card is not None:
        state.verify_undealt((card,))


def hit(state: GameState, card: int) -> GameState:
    """Give the player to act a card. Bust, 21 and a fifth card end the turn by themselves.

    Unless a bust is settled at once, the table then sees the player stand: otherwise a missing stand would tell that
    the closed hand is a 21, or bust.
    """
    verify_hit(state, card)
    seat = _seat_to_act(state)
    player = replace(state.seats[seat], cards=(*state.seats[seat].cards, card))
    after = state.with_seat(seat, player).with_action(Action(ActionKind.HIT, seat, (card,)))
    hand = after.hand_value(seat)
    if player_may_act(hand):
        return after
    if hand.is_bust and state.rules.both_bust == "player_loses":
        lost = replace(player, has_finished=True, settlement=settle_bust(hand, state.rules))
        return after.with_seat(seat, lost)
    return _finished(after, seat)


def verify_stand(state: GameState) -> None:
    """Raise unless a player is to act whose total may be stood on."""
    verify_phase(state, "stand", Phase.PLAYER)
    hand = state.hand_value(_seat_to_act(state))
    if player_must_hit(hand, state.rules):
        raise IllegalAction(
            f"cannot stand on {hand.total}: below {state.rules.player_minimum} a player must hit"
        )


def stand(state: GameState) -> GameState:
    """End the turn of the player to act, with the cards still closed."""
    verify_stand(state)
    return _finished(state, _seat_to_act(state))


def _finished(state: GameState, seat: int) -> GameState:
    """End a turn as the table sees it: with a stand, chosen or forced."""
    player = replace(state.seats[seat], has_finished=True)
    return state.with_seat(seat, player).with_action(Action(ActionKind.STAND, seat))


def _seat_to_act(state: GameState) -> int:
    seat = state.turn
    assert seat is not None, "verified: the player phase has a seat to act"
    return seat
