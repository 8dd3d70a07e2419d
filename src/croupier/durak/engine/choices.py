"""What a player may answer, from what that player can see: the question that tables in a terminal or a browser ask."""

from collections.abc import Sequence

from croupier.cards import format_cards
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import beats, rank_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import IllegalMove
from croupier.durak.engine.text import sorted_hand
from croupier.operations import is_allowed


def playable(seen: Observation) -> tuple[int, ...]:
    """Return the cards of a hand that the rules let a player play now, one by one.

    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("7C 9C 6H"), read_cards("8C"), (), 24, 5, read_card("AH"))
    >>> cards_text(playable(seen))
    '9C 6H'
    """
    ranks = {rank_of(card) for card in seen.table}
    if seen.phase is Phase.DEFEND:
        return tuple(card for card in seen.hand if beats(card, seen.table[-1], seen.trump_suit))
    return tuple(card for card in seen.hand if not ranks or rank_of(card) in ranks)


def can_pass(seen: Observation) -> bool:
    """Tell whether a player may answer without a card: always, but for the lead of a bout.

    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> can_pass(Observation(Phase.ATTACK, read_cards("7C"), (), (), 24, 5, read_card("AH")))
    False
    """
    return seen.phase is not Phase.ATTACK or bool(seen.table)


def verify_answer(seen: Observation, cards: Sequence[int]) -> None:
    """Raise unless a player may answer with these cards; none means done, take, or nothing more.

    Raises
    ------
    IllegalMove
        In words to that player.

    Examples
    --------
    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("7C 9C 6H"), read_cards("8C"), (), 24, 5, read_card("AH"))
    >>> verify_answer(seen, read_cards("7C"))
    Traceback (most recent call last):
    croupier.durak.engine.state.IllegalMove: 7♣ cannot be played now; what can: 9♣ 6♥.
    """
    if not cards:
        if not can_pass(seen):
            raise IllegalMove("The table is empty; play a card first.")
        return
    missing = [card for card in cards if card not in seen.hand]
    if missing:
        raise IllegalMove(f"You do not hold {format_cards(missing, symbols=True)}.")
    fits = playable(seen)
    unfit = [card for card in cards if card not in fits]
    if unfit:
        offered = format_cards(sorted_hand(fits, seen.trump_suit), symbols=True) or "no card"
        raise IllegalMove(f"{format_cards(unfit, symbols=True)} cannot be played now; what can: {offered}.")
    if seen.phase is Phase.THROW_IN:
        if len(cards) > seen.throw_in_limit:
            raise IllegalMove(f"{len(cards)} cards; at most {seen.throw_in_limit} can be thrown in.")
    elif len(cards) > 1:
        raise IllegalMove(f"{len(cards)} cards; play one.")


def can_answer(seen: Observation, cards: Sequence[int]) -> bool:
    """Tell whether a player may answer with these cards."""
    return is_allowed(lambda: verify_answer(seen, cards))
