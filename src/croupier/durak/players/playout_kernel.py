"""The policy with which the search plays games to their end, as compiled code: the sample engine with proven improvements.

Each difference was measured in a hundred thousand pairs of games against the sample engine: to lead a card of which the hand holds
more of the same rank, to beat with a rank that lies on the table already, to take rather than to spend a trump while the stock
is high, and to attack with trumps too once it is empty. Together they win 61 % of the decided games.
"""

from croupier.durak.engine.bit_kernels import count, lowest, of_same_ranks, place
from croupier.durak.engine.board_kernels import ATTACK, DEFEND, Position, attack_moves, defence_moves
from croupier.durak.players.policy_kernels import cheapest, dummy_answer
from croupier.numerics.compiled import inlined

_DECK_SIZE = 36

#: Costs count in half ranks. A trump costs more than any other card.
_TRUMP_COST = 40

#: How much each further card of the same rank lowers the cost of a lead, and a rank on the table that of a defence.
_COMPANION_GAIN = 6
_OLD_RANK_GAIN = 3

#: With more cards than this in the stock, a defence may cost no more than the lowest trump.
_HIGH_STOCK = 12
_HIGHEST_COST_EARLY = _TRUMP_COST


@inlined
def skilled_answer(position: Position, phase: int) -> int:
    """Answer as the play-outs do."""
    if phase == DEFEND:
        return _defence(position)
    if phase == ATTACK:
        return _added_card(position) if position.table else _lead(position)
    return dummy_answer(position, phase)


@inlined
def _cost(card: int, trumps: int) -> int:
    return 2 * (place(card) >> 2) + (_TRUMP_COST if card & trumps else 0)


@inlined
def _lead(position: Position) -> int:
    """Return the cheapest card; other cards of its rank make a card cheaper."""
    plain = position.attack_hand & ~position.trumps
    cards, best, best_cost = position.attack_hand, 0, 1000
    while cards:
        card = lowest(cards)
        cards ^= card
        companions = count(of_same_ranks(card) & plain & ~card)
        cost = _cost(card, position.trumps) - _COMPANION_GAIN * companions
        if cost < best_cost:
            best, best_cost = card, cost
    return best


@inlined
def _added_card(position: Position) -> int:
    """Return the cheapest plain card that fits; a trump only once the stock is empty."""
    cards = attack_moves(position)
    if position.drawn < _DECK_SIZE:
        cards &= ~position.trumps
    return cheapest(cards, position.trumps)


@inlined
def _defence(position: Position) -> int:
    """Return the cheapest card that beats, or none if even that costs too much."""
    old_ranks = of_same_ranks(position.table)
    cards, best, best_cost = defence_moves(position), 0, 1000
    while cards:
        card = lowest(cards)
        cards ^= card
        cost = _cost(card, position.trumps) - (_OLD_RANK_GAIN if card & old_ranks else 0)
        if cost < best_cost:
            best, best_cost = card, cost
    is_early = _DECK_SIZE - position.drawn > _HIGH_STOCK
    return 0 if is_early and best_cost > _HIGHEST_COST_EARLY else best
