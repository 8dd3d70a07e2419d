"""The start of a game from a shuffled pack, and the refill after a bout. Cards come from the front of the deck."""

from collections.abc import Sequence
from dataclasses import replace

from croupier.durak.engine.pack import HAND_SIZE, PACK, PACK_SIZE, card_text, suit_of
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import Cards, GameState, IllegalMove
from croupier.errors import InputError


def lowest_trump_leader(deck: Sequence[int]) -> int | None:
    """Return the seat whose hand holds the lowest trump; None where neither holds one.

    >>> lowest_trump_leader(PACK)  # six of spades with player 1
    0
    >>> lowest_trump_leader(PACK[::-1])  # clubs are trumps: the king is with player 2, the ace with player 1
    1
    """
    trump_suit = suit_of(deck[-1])
    trumps = [card for card in deck[: 2 * HAND_SIZE] if suit_of(card) == trump_suit]
    if not trumps:
        return None
    return int(deck.index(min(trumps)) >= HAND_SIZE)


def verify_deck(deck: Sequence[int]) -> None:
    """Raise unless these are the 36 cards of the pack, each once."""
    seen: set[int] = set()
    for card in deck:
        if card not in PACK:
            raise InputError(f"card code {card}: the cards of durak are {PACK[0]} to {PACK[-1]}")
        if card in seen:
            raise InputError(f"card {card_text(card)} is twice in the deck; it holds every card once")
        seen.add(card)
    if len(deck) != PACK_SIZE:
        raise InputError(f"{len(deck)} cards in the deck; the pack holds {PACK_SIZE}")


def verify_start(deck: Sequence[int], leader: int | None = None) -> None:
    """Raise unless a game can start from this deck, led by this seat or by the lowest trump."""
    verify_deck(deck)
    if leader not in (None, 0, 1):
        raise IllegalMove(f"leader {leader}: seats are 0 (player 1) and 1 (player 2)")
    if leader is None and lowest_trump_leader(deck) is None:
        raise IllegalMove("neither hand holds a trump: say who leads (0 or 1), as chance decides")


def start(rules: DurakRules, deck: Sequence[int], leader: int | None = None) -> GameState:
    """Deal six cards to each player, the first six to player 1; the last card of the deck lies open and is trump.

    Parameters
    ----------
    rules
        The rules of the game.
    deck
        The 36 cards as shuffled.
    leader
        Who leads the first bout; by default the lowest trump in hand does. Where neither hand holds a trump, chance
        decides, which an engine leaves to its caller.

    Examples
    --------
    >>> state = start(DurakRules(), PACK)
    >>> state.attacker, state.deck_count, card_text(state.trump)
    (0, 24, 'AS')
    """
    verify_start(deck, leader)
    cards = tuple(deck)
    first = lowest_trump_leader(cards) if leader is None else leader
    if first is None:
        raise AssertionError("a start without a leader was verified")
    hands = (cards[:HAND_SIZE], cards[HAND_SIZE : 2 * HAND_SIZE])
    return GameState(
        rules=rules, deck=cards, leader=first, hands=hands, drawn=2 * HAND_SIZE, attacker=first, dealt=hands
    )


def refilled(state: GameState, first: int) -> GameState:
    """Return the state with both hands drawn up to six, as far as the stock goes, one seat before the other.

    What each seat draws is added to what it was dealt before in this deal.
    """
    hands, dealt, drawn = list(state.hands), list(state.dealt), state.drawn
    for seat in (first, 1 - first):
        wanted = max(0, HAND_SIZE - len(hands[seat]))
        cards = state.deck[drawn : drawn + wanted]
        hands[seat] += cards
        dealt[seat] += cards
        drawn += len(cards)
    return replace(state, hands=(hands[0], hands[1]), dealt=(dealt[0], dealt[1]), drawn=drawn)


def with_cards_dealt(state: GameState, seat: int, cards: Cards) -> GameState:
    """Return the state with cards added to a hand and to what the seat has got in this deal."""
    hands, dealt = list(state.hands), list(state.dealt)
    hands[seat] += cards
    dealt[seat] += cards
    return replace(state, hands=(hands[0], hands[1]), dealt=(dealt[0], dealt[1]))
