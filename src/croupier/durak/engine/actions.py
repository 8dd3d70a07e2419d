"""What is legal now, doing it, and a game as JSON.

A game is stored as its rules, its deck, its leader and its history, and read back by playing the history again: a text
that does not describe a legal game is refused at the first action that does not fit.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from croupier.durak.engine import attack, defence, throw_in, transfer
from croupier.durak.engine.dealing import set_up, start
from croupier.durak.engine.observation import PassOn, Reply
from croupier.durak.engine.pack import cards_text, fits, read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState, IllegalMove
from croupier.errors import InputError
from croupier.saved_play import read_saved_game

#: What an answer with a card, and an answer without one, mean in each phase.
_MEANING: dict[Phase, tuple[ActionKind, ActionKind]] = {
    Phase.ATTACK: (ActionKind.ATTACK, ActionKind.DONE),
    Phase.DEFEND: (ActionKind.DEFEND, ActionKind.TAKE),
    Phase.THROW_IN: (ActionKind.THROW_IN, ActionKind.THROW_IN),
}


def legal_actions(state: GameState) -> tuple[Action, ...]:
    """List what the player in turn may do: cards in ascending order, then playing none.

    After a take, every set of cards that may be thrown in is one action, the empty one first.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK, card_text
    >>> state = start(DurakRules(), PACK)
    >>> [card_text(action.cards[0]) for action in legal_actions(state)]
    ['6C', '6D', '6H', '6S', '7C', '7D']
    """
    seat = state.to_act
    if seat is None:
        return ()
    match state.phase:
        case Phase.ATTACK:
            cards = [card for card in state.hands[seat] if fits(card, state.table)]
            plays = tuple(Action(ActionKind.ATTACK, (card,)) for card in sorted(cards))
            return (*plays, Action(ActionKind.DONE)) if state.table else plays
        case Phase.DEFEND:
            last, trump_suit = state.table[-1], state.trump_suit
            cards = [card for card in state.hands[seat] if state.rules.beats(card, last, trump_suit)]
            return (
                *(Action(ActionKind.DEFEND, (card,)) for card in sorted(cards)),
                *(Action(ActionKind.TRANSFER, (card,)) for card in transfer.transfer_candidates(state)),
                *(Action(ActionKind.SHOW, (card,)) for card in transfer.show_candidates(state)),
                Action(ActionKind.TAKE),
            )
        case Phase.THROW_IN:
            candidates = throw_in.throw_in_candidates(state)
            sizes = range(min(len(candidates), state.throw_in_limit) + 1)
            return tuple(
                Action(ActionKind.THROW_IN, chosen)
                for size in sizes
                for chosen in combinations(candidates, size)
            )
    raise AssertionError("nobody is in turn when the game is over")


def act(state: GameState, action: Action) -> GameState:
    """Do an action; a refused one raises and changes nothing."""
    match action.kind, action.cards:
        case ActionKind.ATTACK, (card,):
            return attack.attack(state, card)
        case ActionKind.DEFEND, (card,):
            return defence.defend(state, card)
        case ActionKind.THROW_IN, cards:
            return throw_in.throw_in(state, cards)
        case ActionKind.DONE, ():
            return attack.finish(state)
        case ActionKind.TAKE, ():
            return defence.take(state)
        case ActionKind.TRANSFER, (card,):
            return transfer.transfer(state, card)
        case ActionKind.SHOW, (card,):
            return transfer.show(state, card)
    wanted = "no card" if action.kind in (ActionKind.DONE, ActionKind.TAKE) else "one card"
    raise IllegalMove(f"'{action.kind}' is done with {wanted}, not with {len(action.cards)}")


def action_of(state: GameState, reply: Sequence[int] | PassOn) -> Action:
    """Return what an answer means now: cards are played; none means done, take, or nothing more.

    Raises
    ------
    IllegalMove
        If the game is over.
    """
    if state.is_over:
        raise IllegalMove("cannot answer: the game is over")
    if isinstance(reply, PassOn):
        return Action(ActionKind.SHOW if reply.is_shown else ActionKind.TRANSFER, (reply.card,))
    with_cards, without = _MEANING[state.phase]
    return Action(with_cards if reply else without, tuple(reply))


def reply_of(action: Action) -> Reply:
    """Return an action as the answer that means it.

    >>> reply_of(Action(ActionKind.SHOW, (51,))), reply_of(Action(ActionKind.TAKE))
    (PassOn(card=51, is_shown=True), ())
    """
    if action.kind in (ActionKind.TRANSFER, ActionKind.SHOW):
        return PassOn(action.cards[0], is_shown=action.kind is ActionKind.SHOW)
    return action.cards


def legal_replies(state: GameState) -> tuple[Reply, ...]:
    """List what the player in turn may answer; after a take, each card that fits instead of every set of them.

    Examples
    --------
    >>> legal_replies(start(DurakRules(players=3), DurakRules().cards))[:2]
    ((16,), (17,))
    """
    if state.phase is not Phase.THROW_IN:
        return tuple(reply_of(action) for action in legal_actions(state))
    cards = throw_in.throw_in_candidates(state) if state.throw_in_limit else ()
    return ((), *((card,) for card in cards))


def answer(state: GameState, reply: Sequence[int] | PassOn) -> GameState:
    """Do what an answer means now; a refused one raises and changes nothing."""
    return act(state, action_of(state, reply))


def replay(
    rules: DurakRules, deck: Sequence[int], leader: int | None, actions: Iterable[Action]
) -> GameState:
    """Play a game again from its deck; the first action that does not fit raises, with its number."""
    return _replayed(start(rules, deck, leader), actions)


def _replayed(state: GameState, actions: Iterable[Action]) -> GameState:
    for number, action in enumerate(actions, start=1):
        try:
            state = act(state, action)
        except InputError as error:
            raise IllegalMove(f"action {number}: {error}") from None
    return state


def to_json(state: GameState) -> str:
    """Write a game as JSON: its rules, its deck, who led, and everything that was done.

    A game that was set up also has its first hands and the size of its first stock.
    """
    data = {
        "game": "durak",
        "rules": state.rules.to_saved(),
        "deck": cards_text(state.deck),
        "leader": state.leader,
        "actions": [action.to_dict() for action in state.history],
    }
    if state.setup is not None:
        data["hands"] = [cards_text(hand) for hand in state.setup.hands]
        data["stock"] = len(state.deck) - state.setup.drawn
    return json.dumps(data)


def from_json(text: str) -> GameState:
    """Read a game back, by playing it again.

    Raises
    ------
    InputError
        If the text is not such a game; the message says where it goes wrong.

    Examples
    --------
    >>> from croupier.durak.engine.pack import PACK
    >>> state = start(DurakRules(), PACK)
    >>> from_json(to_json(state)) == state
    True
    >>> from_json('{"game": "chess"}')
    Traceback (most recent call last):
    croupier.errors.InputError: not a durak game: no "game": "durak" in it
    """
    data = read_saved_game(text, "durak", "a durak game")
    rules, deck, leader, actions = (data.get(name) for name in ("rules", "deck", "leader", "actions"))
    if not (
        isinstance(rules, dict)
        and isinstance(deck, str)
        and type(leader) is int
        and isinstance(actions, list)
    ):
        raise InputError(
            'not a durak game: it needs "rules" (an object), "deck" (its cards as text), "leader" (a seat from 0 up) and "actions" (a list)'
        )
    chosen = DurakRules.create(rules)
    parsed = [_parse_action(number, entry, chosen.cards) for number, entry in enumerate(actions, start=1)]
    cards = read_cards(deck, chosen.cards)
    if "hands" not in data:
        return replay(chosen, cards, leader, parsed)
    return _replayed(_read_setup(data, chosen, cards, leader), parsed)


def _read_setup(data: dict[str, Any], rules: DurakRules, deck: Sequence[int], leader: int) -> GameState:
    hands, size = data["hands"], data.get("stock")
    if not (isinstance(hands, list) and all(isinstance(hand, str) for hand in hands) and type(size) is int):
        raise InputError('not a durak game: "hands" are two texts of cards, and "stock" is a number')
    stock = deck[len(deck) - size :] if size else ()
    return set_up(rules, [read_cards(hand, rules.cards) for hand in hands], stock, deck[-1], leader)


def _parse_action(number: int, entry: Any, pack: Cards) -> Action:
    if not isinstance(entry, dict):
        raise InputError(
            f"action {number}: {entry!r} is not an action; write an object such as {{'action': 'take'}}"
        )
    kind, cards = entry.get("action"), entry.get("cards", "")
    kinds = [kind.value for kind in ActionKind]
    if kind not in kinds:
        raise InputError(f"action {number}: no action {kind!r}; actions are {', '.join(kinds)}")
    if not isinstance(cards, str):
        raise InputError(f"action {number}: cards are a text such as 'AS TH', not {cards!r}")
    try:
        return Action(ActionKind(kind), read_cards(cards, pack))
    except InputError as error:
        raise InputError(f"action {number}: {error}") from None
