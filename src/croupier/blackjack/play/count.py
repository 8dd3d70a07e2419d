"""What a card counter at the table knows: the cards that have been seen, and their count."""

from dataclasses import dataclass

from croupier.blackjack.counting.system import find_system, verify_countable
from croupier.blackjack.engine import Hand, RoundState, Session
from croupier.cards import DECK_SIZE


@dataclass(frozen=True, slots=True)
class CountView:
    """A count of all cards that have been seen in this shoe; a true count where the system is balanced."""

    system: str
    running: int
    true: float | None
    packs_left: float


def seen_cards(session: Session) -> tuple[int, ...]:
    """Return all cards of this shoe that lie or have lain open; closed cards are none of them.

    >>> from croupier.blackjack.engine import BlackjackRules
    >>> session = Session.opened(BlackjackRules(decks=4), seed=3).start_round(bets=[5])
    >>> len(session.table.state.dealt_cards), len(seen_cards(session))
    (4, 3)
    """
    earlier = () if session.shoe.is_infinite else session.shoe.discards
    if session.table is None:
        return earlier
    state = session.table.state
    players = (
        card
        for seat in state.seats
        for hand in seat.hands
        for card in (hand.cards[:-1] if has_closed_card(state, hand) else hand.cards)
    )
    return (*earlier, *players, *state.visible_dealer_cards)


def has_closed_card(state: RoundState, hand: Hand) -> bool:
    """Tell whether the last card of a doubled hand still lies face down: it is shown when the round is over."""
    return state.rules.doubled_card == "closed" and hand.is_doubled and not state.is_over


def count_view(session: Session, system_name: str) -> CountView:
    """Count the cards that have been seen in this shoe.

    >>> from croupier.blackjack.engine import BlackjackRules
    >>> session = Session.opened(BlackjackRules(decks=1), seed=3).start_round(bets=[5])
    >>> view = count_view(session, "hi-lo")
    >>> view.running, round(view.true, 2), round(view.packs_left * 52)
    (1, 1.06, 49)
    """
    system, decks = find_system(system_name), verify_countable(session.rules)
    seen = seen_cards(session)
    running = system.initial_count(decks) + sum(system.tag(card) for card in seen)
    packs_left = (len(session.shoe.order) - len(seen)) / DECK_SIZE
    true = running / packs_left if system.is_balanced and packs_left > 0 else None
    return CountView(system.name, running, true, packs_left)
