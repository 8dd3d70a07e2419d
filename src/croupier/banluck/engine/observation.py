"""What each seat and the dealer may know of a hand: the one place that says which cards and actions are public.

Views, stories and descriptions are made from this; ``docs/rules/banluck.md`` has the same as a table.
"""

from dataclasses import dataclass, replace

from croupier.banluck.engine.actions import legal_actions
from croupier.banluck.engine.settlement import Settlement
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase

#: The viewer who holds the dealer's cards; a player is the number of the seat.
DEALER = -1


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand as somebody sees it: a closed card is None. The settlement is public once there is one."""

    cards: tuple[int | None, ...]
    settlement: Settlement | None = None

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The cards if the viewer sees them; nothing while they are closed."""
        return tuple(card for card in self.cards if card is not None)


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one person at the table knows.

    Attributes
    ----------
    viewer
        Who looks: a seat, or ``DEALER``.
    dealer, seats
        All hands, with the cards that the viewer sees, in the order in which they came.
    events
        What the viewer has seen happen, without cards.
    actions
        What the viewer may do now; nothing while somebody else is to act.
    """

    viewer: int
    dealer: SeenHand
    seats: tuple[SeenHand, ...]
    events: tuple[Action, ...]
    actions: tuple[Action, ...]


def observe(state: GameState, viewer: int) -> Observation:
    """Return what a seat, or the dealer, knows of a hand.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, deal, hit, new_hand
    >>> from croupier.cards import parse_card, parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 4C")], parse_cards("9C KD"))
    >>> seen = observe(hit(state, parse_card("7S")), DEALER)
    >>> seen.seats[0].cards, [str(event.kind) for event in seen.events]
    ((None, None, None), ['deal', 'hit', 'stand'])
    """
    return Observation(
        viewer,
        _seen(state.dealer_cards, viewer == DEALER or dealer_is_open(state)),
        tuple(
            replace(
                _seen(player.cards, viewer == seat or seat_is_open(state, seat)), settlement=player.settlement
            )
            for seat, player in enumerate(state.seats)
        ),
        tuple(replace(action, cards=()) for action in state.history if is_seen(action, viewer)),
        legal_actions(state) if is_to_act(state, viewer) else (),
    )


def is_seen(action: Action, viewer: int | None) -> bool:
    """Tell whether a viewer sees that something is done; None sees everything.

    Only one thing is hidden: that the dealer keeps the hand tells of a hard 15.

    >>> is_seen(Action(ActionKind.KEEP), 0), is_seen(Action(ActionKind.KEEP), DEALER)
    (False, True)
    """
    return action.kind is not ActionKind.KEEP or viewer in (None, DEALER)


def is_to_act(state: GameState, viewer: int) -> bool:
    """Tell whether the next action is the viewer's.

    >>> from croupier.banluck.engine import BanluckRules, deal, new_hand
    >>> from croupier.cards import parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 4C")], parse_cards("9C KD"))
    >>> is_to_act(state, 0), is_to_act(state, DEALER)
    (True, False)
    """
    if state.phase in (Phase.SURRENDER, Phase.REVEAL, Phase.DEALER):
        return viewer == DEALER
    return state.turn == viewer


def dealer_is_open(state: GameState) -> bool:
    """Tell whether the table sees the dealer's cards: at the end, and where a Ban hand or a reveal shows them.

    >>> from croupier.banluck.engine import BanluckRules, deal, new_hand
    >>> from croupier.cards import parse_cards
    >>> dealer_is_open(deal(new_hand(BanluckRules()), [parse_cards("10H 4C")], parse_cards("9C KD")))
    False
    """
    has_opened = any(action.kind is ActionKind.REVEAL for action in state.history)
    return state.is_over or has_opened or (state.specials_shown and state.dealer_value.is_ban)


def seat_is_open(state: GameState, seat: int) -> bool:
    """Tell whether the table sees a player's cards: once they are settled, and where a Ban hand is shown.

    >>> from croupier.banluck.engine import BanluckRules, deal, hit, new_hand
    >>> from croupier.cards import parse_card, parse_cards
    >>> state = deal(new_hand(BanluckRules(), 2), [parse_cards("10H 4C"), parse_cards("2H 2C")], parse_cards("9C KD"))
    >>> bust = hit(state, parse_card("KS"))
    >>> seat_is_open(bust, 0), seat_is_open(bust, 1)
    (True, False)
    """
    return not state.seats[seat].is_closed or (state.specials_shown and state.hand_value(seat).is_ban)


def _seen(cards: tuple[int, ...], is_open: bool) -> SeenHand:
    return SeenHand(tuple(card if is_open else None for card in cards))
