"""All operations behind one door: what is legal now, do it, and a hand as JSON.

A state is stored as its rules and its history, and read back by playing the history again: a file
that does not describe a legal hand is refused at the first action that does not fit.
"""

import json
from collections.abc import Iterator

from croupier.banluck.engine import dealer_turn, dealing, player_turn
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase, new_hand
from croupier.cards import CardError
from croupier.cards.seat_action import IllegalAction
from croupier.errors import InputError
from croupier.operations import is_allowed
from croupier.saved_play import read_saved_game, replayed

#: How many cards an action needs; the deal's depends on the number of seats.
_ONE_CARD = {ActionKind.HIT, ActionKind.DRAW}


def legal_actions(state: GameState) -> tuple[Action, ...]:
    """List what may be done now, without the cards that a hit, a draw or the deal will need.

    Examples
    --------
    >>> from croupier.banluck.engine import deal, describe_action, legal_actions, new_hand
    >>> from croupier.cards import parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> [describe_action(action) for action in legal_actions(state)]
    ['player 1 hits', 'player 1 stands']
    """
    seat = state.turn
    match state.phase:
        case Phase.DEAL:
            return (Action(ActionKind.DEAL),)
        case Phase.SURRENDER:
            return (Action(ActionKind.SURRENDER), Action(ActionKind.KEEP))
        case Phase.SPECIALS:
            return (Action(ActionKind.SHOW),)
        case Phase.PLAYER:
            stand = (Action(ActionKind.STAND, seat),) if is_allowed(player_turn.verify_stand, state) else ()
            return (Action(ActionKind.HIT, seat), *stand)
        case Phase.REVEAL | Phase.DEALER:
            return _dealer_actions(state)
        case Phase.SETTLEMENT:
            return ()


def cards_needed(state: GameState, action: Action) -> int:
    """Return how many cards have to be handed in with an action.

    >>> cards_needed(new_hand(BanluckRules(), players=3), Action(ActionKind.DEAL))
    8
    """
    if action.kind is ActionKind.DEAL:
        return MIN_CARDS * (len(state.seats) + 1)
    return 1 if action.kind in _ONE_CARD else 0


def act(state: GameState, action: Action) -> GameState:
    """Do an action, with its cards; everything that is refused raises and changes nothing.

    The cards of a deal are the players' hands in order, then the dealer's.
    """
    if action.seat != state.turn and action.kind in (ActionKind.HIT, ActionKind.STAND):
        name = "nobody" if state.turn is None else f"player {state.turn + 1}"
        raise IllegalAction(f"cannot {action.kind} for seat {action.seat}: {name} is to act")
    if len(action.cards) != (needed := cards_needed(state, action)):
        raise CardError(f"'{action.kind}' needs {needed} cards, {len(action.cards)} were given")
    match action.kind:
        case ActionKind.DEAL:
            hands = [action.cards[place : place + MIN_CARDS] for place in range(0, needed, MIN_CARDS)]
            return dealing.deal(state, hands[:-1], hands[-1])
        case ActionKind.SURRENDER:
            return dealing.surrender(state)
        case ActionKind.KEEP:
            return dealing.keep(state)
        case ActionKind.SHOW:
            return dealing.show(state)
        case ActionKind.HIT:
            return player_turn.hit(state, action.cards[0])
        case ActionKind.STAND:
            return player_turn.stand(state)
        case ActionKind.REVEAL:
            return dealer_turn.reveal(state, -1 if action.seat is None else action.seat)
        case ActionKind.DRAW:
            return dealer_turn.draw(state, action.cards[0])
        case ActionKind.DEALER_STAND:
            return dealer_turn.dealer_stand(state)


def steps(state: GameState) -> Iterator[tuple[GameState, Action, GameState]]:
    """Play a hand again: each action of its history, with the state before and the state after it.

    A stand that the hit before it forced changes nothing more, so both states are the same.

    Examples
    --------
    >>> from croupier.banluck.engine import deal, hit, new_hand
    >>> from croupier.cards import parse_card, parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 4C")], parse_cards("9C KD"))
    >>> [str(action.kind) for _, action, _ in steps(hit(state, parse_card("7S")))]
    ['deal', 'hit', 'stand']
    """
    before = new_hand(state.rules, len(state.seats))
    for place, action in enumerate(state.history):
        after = act(before, action) if place == len(before.history) else before
        yield before, action, after
        before = after


def to_json(state: GameState) -> str:
    """Write a hand as JSON: its rules, the number of players, and everything that was done."""
    data = {
        "game": "banluck",
        "rules": state.rules.model_dump(mode="json"),
        "players": len(state.seats),
        "actions": [action.to_dict() for action in state.history],
    }
    return json.dumps(data)


def from_json(text: str) -> GameState:
    """Read a hand back, by playing it again. A stand that a hit forced may be left out, as version 0.1 did.

    Raises
    ------
    InputError
        If the text is not such a hand; the message says where it goes wrong.
    """
    data = read_saved_game(text, "banluck", "a Banluck hand")
    rules, players, actions = data.get("rules"), data.get("players"), data.get("actions")
    if not (isinstance(rules, dict) and isinstance(players, int) and isinstance(actions, list)):
        raise InputError(
            'not a Banluck hand: it needs "rules" (an object), "players" (a number), "actions" (a list)'
        )
    start: _Reading = (new_hand(BanluckRules.create(rules), players), ())
    return replayed(start, actions, _act_saved)[0]


#: A hand so far, and the stand that its last hit forced, if that has not been read.
_Reading = tuple[GameState, tuple[Action, ...]]


def _act_saved(reading: _Reading, entry: object) -> _Reading:
    state, forced = reading
    action = Action.from_dict(entry, ActionKind)
    if (action,) == forced:
        return state, ()
    after = act(state, action)
    return after, after.history[len(state.history) + 1 :]


def _dealer_actions(state: GameState) -> tuple[Action, ...]:
    reveals = state.revealable_seats if state.phase is Phase.REVEAL else ()
    actions = [Action(ActionKind.REVEAL, seat) for seat in reveals]
    if is_allowed(dealer_turn.verify_draw, state):
        actions.append(Action(ActionKind.DRAW))
    if is_allowed(dealer_turn.verify_dealer_stand, state):
        actions.append(Action(ActionKind.DEALER_STAND))
    return tuple(actions)
