"""Passing the attack on (perevodnoy): the defender becomes the attacker of the next player.

Operations come in pairs, as in :mod:`~croupier.durak.engine.attack`.
"""

from dataclasses import replace

from croupier.durak.engine.attack import verify_held, verify_phase
from croupier.durak.engine.pack import card_text, is_trump, rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState, IllegalMove, placed


def transfer_candidates(state: GameState) -> Cards:
    """Return the cards with which the defender may pass the attack on, lowest code first.

    >>> from croupier.durak.engine.attack import attack
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK, cards_text, read_card
    >>> from croupier.durak.engine.rules import DurakRules
    >>> state = attack(start(DurakRules(transfer="card"), PACK), read_card("7C"))
    >>> cards_text(transfer_candidates(state)), cards_text(state.hands[1])
    ('7H 7S', '7H 7S 8C 8D 8H 8S')
    """
    if _obstacle(state, added=1) is not None:
        return ()
    rank = rank_of(state.table[0])
    return tuple(sorted(card for card in state.hands[state.defender] if rank_of(card) == rank))


def show_candidates(state: GameState) -> Cards:
    """Return the trumps that the defender may show instead of adding a card, to pass the attack on."""
    if state.rules.transfer != "card_or_shown_trump" or _obstacle(state, added=0) is not None:
        return ()
    hand = state.hands[state.defender]
    return tuple(sorted(card for card in hand if _may_be_shown(state, card)))


def verify_transfer(state: GameState, card: int) -> None:
    """Raise unless the defender may pass the attack on by adding this card to it."""
    verify_phase(state, "pass the attack on", Phase.DEFEND)
    verify_held(state, state.defender, (card,))
    _raise_for(_obstacle(state, added=1))
    if rank_of(card) != rank_of(state.table[0]):
        raise IllegalMove(
            f"cannot pass the attack on with {card_text(card)}: it is not of the rank of {card_text(state.table[0])}"
        )


def transfer(state: GameState, card: int) -> GameState:
    """Pass the attack on with a card of its rank: the next player has one more to beat."""
    verify_transfer(state, card)
    action = Action(ActionKind.TRANSFER, (card,))
    return _passed_on(state.after(state.defender, action, waiting=(*state.waiting, card)))


def verify_show(state: GameState, card: int) -> None:
    """Raise unless the defender may pass the attack on by showing this trump."""
    verify_phase(state, "pass the attack on", Phase.DEFEND)
    verify_held(state, state.defender, (card,))
    if state.rules.transfer == "card":
        raise IllegalMove("cannot pass the attack on by showing a card: the rules want a card that is added")
    _raise_for(_obstacle(state, added=0))
    if not _may_be_shown(state, card):
        raise IllegalMove(
            f"cannot pass the attack on by showing {card_text(card)}: it must be the trump of the rank of "
            f"{card_text(state.table[0])}, and not shown in this bout before"
        )


def show(state: GameState, card: int) -> GameState:
    """Pass the attack on by showing the trump of its rank, which stays in the hand; the others know it from now on."""
    verify_show(state, card)
    seat = state.defender
    known = state.taken[seat] if card in state.taken[seat] else (*state.taken[seat], card)
    return _passed_on(
        replace(
            state,
            taken=placed(state.taken, seat, known),
            shown=(*state.shown, card),
            history=(*state.history, Action(ActionKind.SHOW, (card,))),
        )
    )


def _may_be_shown(state: GameState, card: int) -> bool:
    is_of_rank = rank_of(card) == rank_of(state.table[0])
    return is_of_rank and is_trump(card, state.trump_suit) and card not in state.shown


def _obstacle(state: GameState, added: int) -> str | None:
    """Say why an attack, with so many cards added, cannot be passed on now; None where it can."""
    if not state.rules.may_transfer(state.bout):
        return "the rules do not allow it" + ("" if state.rules.transfer == "none" else " in the first bout")
    if len(state.table) != 1:
        return "a card of this attack was beaten already"
    if state.attack_room < added:
        return "no further attack card is allowed in this bout"
    target = state.target_of(state.defender)
    if target is None:
        return "nobody else holds cards"
    wanted = state.open_count + added
    held = len(state.hands[target])
    if held < wanted:
        return f"player {target + 1} would have {wanted} cards to beat, and holds {held}"
    return None


def _raise_for(obstacle: str | None) -> None:
    if obstacle is not None:
        raise IllegalMove(f"cannot pass the attack on: {obstacle}")


def _passed_on(state: GameState) -> GameState:
    """Return the state with the defender attacking the next player."""
    target = state.target_of(state.defender)
    if target is None:
        raise AssertionError("an attack that nobody can get was verified")
    return replace(state, attacker=state.defender, defender=target, passed=())
