"""The sample engine: always the cheapest card, trumps last.

It plays as the sample engine of the first public implementation does, game for game: plain cards before trumps, lower ranks
first, equal ranks in the order clubs, diamonds, hearts, spades; it adds plain cards only, and beats whenever it can.
"""

from croupier.durak.engine.observation import Observation, PassOn, Reply
from croupier.durak.engine.phases import Phase
from croupier.durak.players.base import serve


def dummy_policy(seen: Observation) -> tuple[int, ...]:
    """Answer as the sample engine does.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("AC 6H TC"), read_cards("9C"), (), 24, 5, read_card("8H"))
    >>> cards_text(dummy_policy(seen))
    'TC'
    >>> cards_text(dummy_policy(seen._replace(phase=Phase.ATTACK, table=())))
    'TC'
    """
    by_cost = seen.by_cost(seen.playable)
    if seen.phase is Phase.DEFEND or not seen.table:
        return tuple(by_cost[:1])
    plain = tuple(card for card in by_cost if not seen.is_trump(card))
    return plain[:1] if seen.phase is Phase.ATTACK else plain[: seen.throw_in_limit]


def variant_dummy_policy(seen: Observation) -> Reply:
    """Answer as the sample engine does in any variant: it passes the attack on with a plain card or by a shown trump if it can.

    >>> from croupier.durak.engine.pack import read_card, read_cards
    >>> seen = Observation(Phase.DEFEND, read_cards("AC 6H TC"), read_cards("9C"), (), 24, 5, read_card("8H"))
    >>> variant_dummy_policy(seen) == dummy_policy(seen)
    True
    """
    if seen.variant is not None:
        plain = seen.by_cost(card for card in seen.variant.transfers if not seen.is_trump(card))
        if plain:
            return PassOn(plain[0])
        if seen.variant.shows:
            return PassOn(min(seen.variant.shows), is_shown=True)
    return dummy_policy(seen)


def main() -> None:
    """Play one game over the standard streams: the command ``durak-dummy``."""
    serve(variant_dummy_policy)


if __name__ == "__main__":
    main()
