"""The sample engine: the cheapest card always, trumps last.

It plays as the sample engine of the first public implementation does, game for game: plain cards before trumps, lower ranks
first, equal ranks in the order clubs, diamonds, hearts, spades; it adds plain cards only, and beats whenever it can.
"""

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import beats, rank_of, suit_of
from croupier.durak.engine.phases import Phase
from croupier.durak.players.base import PolicyEngine, play_process


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
    trump_suit = seen.trump_suit
    by_cost = sorted(seen.hand, key=lambda card: (suit_of(card) == trump_suit, card))
    if seen.phase is Phase.DEFEND:
        return tuple(card for card in by_cost if beats(card, seen.table[-1], trump_suit))[:1]
    if not seen.table:
        return tuple(by_cost[:1])
    ranks = {rank_of(card) for card in seen.table}
    plain = tuple(card for card in by_cost if rank_of(card) in ranks and suit_of(card) != trump_suit)
    return plain[:1] if seen.phase is Phase.ATTACK else plain[: seen.throw_in_limit]


def main() -> None:
    """Play one game over the standard streams: the command ``durak-dummy``."""
    play_process(PolicyEngine(dummy_policy))


if __name__ == "__main__":
    main()
