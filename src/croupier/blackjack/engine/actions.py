"""All operations behind one door: what is legal now, do it, and a round as JSON.

A state is stored as its rules, its bets and its history, and read back by playing the history again: a file
that does not describe a legal round is refused at the first action that does not fit.
"""

import json
from collections.abc import Callable

from croupier.blackjack.engine import dealer_turn, dealing, insurance, player_turn
from croupier.blackjack.engine.betting import start_round
from croupier.blackjack.engine.dealing import dealer_deal_size
from croupier.blackjack.engine.legality import facts_of
from croupier.blackjack.engine.permissions import is_free_double, is_free_split
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.side_bets import NO_SIDE_BETS, SideBets
from croupier.blackjack.engine.state import Action, ActionKind, Phase, RoundState
from croupier.cards import CardError, point_class
from croupier.cards.seat_action import IllegalAction
from croupier.errors import InputError
from croupier.operations import is_allowed
from croupier.saved_play import read_saved_game, replayed

#: Actions that need one card; how many the deal needs depends on the seats.
_WITH_A_CARD: dict[ActionKind, Callable[[RoundState, int], RoundState]] = {
    ActionKind.COMPLETE: dealing.complete,
    ActionKind.HIT: player_turn.hit,
    ActionKind.DOUBLE: player_turn.double,
    ActionKind.DRAW: dealer_turn.draw,
}

_WITHOUT_CARDS: dict[ActionKind, Callable[[RoundState], RoundState]] = {
    ActionKind.SURRENDER: player_turn.surrender,
    ActionKind.KEEP: player_turn.keep,
    ActionKind.INSURE: insurance.insure,
    ActionKind.DECLINE: insurance.decline,
    ActionKind.PEEK: dealer_turn.peek,
    ActionKind.STAND: player_turn.stand,
    ActionKind.SPLIT: player_turn.split,
    ActionKind.DEALER_STAND: dealer_turn.dealer_stand,
}

#: What can come up in each phase, in the order in which it is listed, and the check that it is allowed.
_CHECKS: dict[Phase, dict[ActionKind, Callable[[RoundState], None]]] = {
    Phase.EARLY_SURRENDER: {
        ActionKind.SURRENDER: player_turn.verify_surrender,
        ActionKind.KEEP: player_turn.verify_keep,
    },
    Phase.INSURANCE: {
        ActionKind.INSURE: insurance.verify_insure,
        ActionKind.DECLINE: insurance.verify_decline,
    },
    Phase.PEEK: {ActionKind.PEEK: dealer_turn.verify_peek},
    Phase.PLAYERS: {
        ActionKind.COMPLETE: dealing.verify_complete,
        ActionKind.HIT: player_turn.verify_hit,
        ActionKind.STAND: player_turn.verify_stand,
        ActionKind.DOUBLE: player_turn.verify_double,
        ActionKind.SPLIT: player_turn.verify_split,
        ActionKind.SURRENDER: player_turn.verify_surrender,
    },
    Phase.DEALER: {
        ActionKind.DRAW: dealer_turn.verify_draw,
        ActionKind.DEALER_STAND: dealer_turn.verify_dealer_stand,
    },
    Phase.SETTLEMENT: {},
}

#: Actions that name no seat.
_WITHOUT_SEAT = {ActionKind.DEAL, ActionKind.PEEK, ActionKind.DRAW, ActionKind.DEALER_STAND}

#: Actions that leave nobody a choice.
_DEALERS = _WITHOUT_SEAT | {ActionKind.COMPLETE}


def legal_actions(state: RoundState) -> tuple[Action, ...]:
    """List what may be done now, without the cards that it will need.

    Examples
    --------
    >>> from croupier.blackjack.engine import deal, describe_action, start_round
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[1]), [parse_cards("8H 8C")], parse_cards("9C KD"))
    >>> [describe_action(action) for action in legal_actions(state)]
    ['player 1 hits', 'player 1 stands', 'player 1 doubles', 'player 1 splits']
    """
    known: tuple[Action, ...] | None = state.__dict__.get("legal_actions")
    if known is None:
        known = state.__dict__["legal_actions"] = _legal_actions(state)  # like its cached properties
    return known


def _legal_actions(state: RoundState) -> tuple[Action, ...]:
    phase, turn = state.phase, state.turn
    if phase is Phase.DEAL:
        return (Action(ActionKind.DEAL),)
    seat = None if turn is None else turn.seat
    return tuple(Action(kind, seat) for kind, verify in _CHECKS[phase].items() if is_allowed(verify, state))


def forced_action(state: RoundState) -> Action | None:
    """Return what the dealer does now, where no player has a choice; None at a player's decision and at the end.

    >>> forced_action(start_round(BlackjackRules(), bets=[1])).kind
    <ActionKind.DEAL: 'deal'>
    """
    legal = legal_actions(state)
    return legal[0] if legal and legal[0].kind in _DEALERS else None


def cards_needed(state: RoundState, action: Action) -> int:
    """Return how many cards have to be handed in with an action.

    >>> cards_needed(start_round(BlackjackRules(), bets=[1, 1, 1]), Action(ActionKind.DEAL))
    8
    """
    if action.kind is ActionKind.DEAL:
        return 2 * len(state.seats) + dealer_deal_size(state.rules)
    return 1 if action.kind in _WITH_A_CARD else 0


def extra_bet(state: RoundState, action: Action) -> float:
    """Return what a player puts on the table with an action that is legal now; free bets cost nothing.

    >>> from croupier.blackjack.engine import deal
    >>> from croupier.cards import parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("8H 8C")], parse_cards("9C KD"))
    >>> [extra_bet(state, action) for action in legal_actions(state)]
    [0.0, 0.0, 10.0, 10.0]
    """
    turn = state.turn
    if turn is None:
        return 0.0
    seat = state.seats[turn.seat]
    hand = seat.hands[turn.hand]
    match action.kind:
        case ActionKind.INSURE:
            return seat.bet / 2
        case ActionKind.DOUBLE:
            return 0.0 if is_free_double(state.rules, facts_of(state, turn)) else hand.prize
        case ActionKind.SPLIT:
            return 0.0 if is_free_split(state.rules, point_class(hand.cards[0])) else hand.bet
        case _:
            return 0.0


def act(state: RoundState, action: Action) -> RoundState:
    """Do an action, with its cards; everything that is refused raises and changes nothing.

    The cards of a deal are the players' hands in order, then the dealer's.
    """
    _verify_seat(state, action)
    if len(action.cards) != (needed := cards_needed(state, action)):
        raise CardError(f"'{action.kind}' needs {needed} cards, {len(action.cards)} were given")
    if action.kind is ActionKind.DEAL:
        players = 2 * len(state.seats)
        hands = [action.cards[place : place + 2] for place in range(0, players, 2)]
        return dealing.deal(state, hands, action.cards[players:])
    if action.kind in _WITH_A_CARD:
        return _WITH_A_CARD[action.kind](state, action.cards[0])
    return _WITHOUT_CARDS[action.kind](state)


def to_json(state: RoundState) -> str:
    """Write a round as JSON: its rules, the bets, and everything that was done."""
    data = {
        "game": "blackjack",
        "rules": state.rules.model_dump(mode="json"),
        "bets": [seat.bet for seat in state.seats],
        "side_bets": [seat.side_bets.amounts for seat in state.seats],
        "actions": [action.to_dict() for action in state.history],
    }
    return json.dumps(data)


def from_json(text: str) -> RoundState:
    """Read a round back, by playing it again.

    Raises
    ------
    InputError
        If the text is not such a round; the message says where it goes wrong.
    """
    data = read_saved_game(text, "blackjack", "a blackjack round")
    rules, bets, actions = data.get("rules"), data.get("bets"), data.get("actions")
    side_bets = data.get("side_bets", [])
    if not (
        isinstance(rules, dict)
        and isinstance(bets, list)
        and isinstance(side_bets, list)
        and isinstance(actions, list)
    ):
        raise InputError(
            'not a blackjack round: it needs "rules" (an object), "bets" (a list of numbers), "actions" (a list), '
            'and "side_bets" as a list if there are any'
        )
    state = start_round(
        BlackjackRules.create(rules), bets, tuple(_parse_side_bets(entry) for entry in side_bets)
    )
    return replayed(state, actions, _act_saved)


def _act_saved(state: RoundState, entry: object) -> RoundState:
    return act(state, Action.from_dict(entry, ActionKind))


def _verify_seat(state: RoundState, action: Action) -> None:
    """Raise if an action names a seat that is not to act; dealing, drawing and the like name none."""
    turn = state.turn
    if action.kind in _WITHOUT_SEAT:
        if action.seat is not None:
            raise IllegalAction(f"'{action.kind}' is done by the dealer and names no seat, not {action.seat}")
    elif turn is not None and action.seat != turn.seat:
        raise IllegalAction(
            f"cannot {action.kind} for seat {action.seat}: player {turn.seat + 1} (seat {turn.seat}) is to act"
        )


def _parse_side_bets(entry: object) -> SideBets:
    names = tuple(NO_SIDE_BETS.amounts)
    if not isinstance(entry, dict) or not set(entry) <= set(names):
        raise InputError(f"{entry!r} are no side bets; write an object with some of {', '.join(names)}")
    return SideBets(**entry)
