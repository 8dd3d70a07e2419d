"""The cards of a match: one deck for each pair, which depends only on the seed and the pair's number."""

from croupier.cards import shuffle
from croupier.durak.arena.game_number import Deal
from croupier.durak.engine.dealing import lowest_trump_leader, with_open_suit
from croupier.durak.engine.rules import DurakRules
from croupier.numerics.streams import RandomStream

#: Names the stream that decides who leads where no hand holds a trump, apart from the one that shuffles.
_COIN = 1

_PROTOCOL = DurakRules()


def deal_of_pair(seed: int, pair: int, rules: DurakRules = _PROTOCOL) -> Deal:
    """Return the cards of a pair; they depend on the seed, the pair and the rules alone.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text
    >>> deal = deal_of_pair(seed=1, pair=0)
    >>> cards_text(deal.deck[:6]), deal.leader
    ('7D AS JS TC 8C QH', 0)
    >>> deal == deal_of_pair(1, 0), deal == deal_of_pair(1, 1)
    (True, False)
    """
    deck = shuffle(rules.cards, (seed, pair))
    if rules.trumps == "open_card":
        deck = with_open_suit(deck)
    leader = lowest_trump_leader(deck, rules)
    chance = RandomStream((seed, pair, _COIN))
    return Deal(deck, chance.below(rules.players) if leader is None else leader)
