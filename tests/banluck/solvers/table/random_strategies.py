"""Random strategies for a table of two, and small decks to play them from."""

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS, Multiset
from croupier.banluck.solvers.hand_table import Floats, Integers, deals
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.cards import point_class


def small_deck(counts: dict[int, int]) -> tuple[int, ...]:
    """Return real cards of some point classes."""
    return tuple(
        card
        for point, count in counts.items()
        for card in [card for card in range(52) if point_class(card) == point][:count]
    )


def pack_of(counts: dict[int, int]) -> list[int]:
    """Return the same as counts by class."""
    return [counts.get(point, 0) for point in range(10)]


def random_strategy(game: TwoPlayerGame, seed: int) -> TableStrategy:
    """Return strategies that mix everywhere, and go by what the game lets them know."""
    source = np.random.default_rng(seed)
    table = game.table
    merged = table.dealer.merged
    choices = len(table.dealer.choices)

    def draws(known: Integers) -> Floats:
        found = source.random((len(known), choices, COUNTS))
        found = np.repeat(found[..., :1], COUNTS, axis=-1) if merged else found
        return found[alike(known)]

    def alike(known: Integers) -> Integers:
        """Return the place of the first hand from which each one cannot be told apart."""
        if table.information == "full":
            return np.arange(len(known))
        _, first, inverse = np.unique(deals().card_count[known], return_index=True, return_inverse=True)
        return first[inverse]

    closed = source.random((choices, COUNTS, COUNTS, 4)) * table.dealer.allowed
    if merged:
        closed[:] = closed[:, :1, :1]
    closed /= closed.sum(axis=3, keepdims=True)
    known = [sums.known for sums in (*table.lists, table.busts)]
    surrender = source.random((len(table.dealer.hands), 3, 3)) * table.dealer.may_void[:, None, None]
    if game.rules.surrender == "blind":
        surrender[:] = surrender[:, :1, :1]
    shown = {"bust": table.seats.bust, "ban": np.array(list(game.ban_hands.values()))}
    remaining: dict[Multiset, tuple[Floats, Floats]] = {}
    for kind, hands in shown.items():
        feasible = hands[[bool(np.all(deals().counts[hand] <= game.pack)) for hand in hands]]
        places = alike(feasible) if kind == "bust" else np.arange(len(feasible))
        hits = source.random((len(feasible), len(MULTISETS)))[places]
        drawn = (
            draws(feasible) if kind == "bust" else np.concatenate([draws(feasible[[at]]) for at in places])
        )
        remaining |= {MULTISETS[hand]: (hits[at], drawn[at]) for at, hand in enumerate(feasible)}
    return TableStrategy(
        SeatPlay(source.random(len(MULTISETS)), source.random((COUNTS, len(MULTISETS)))),
        DealerPolicy(
            closed,
            tuple(draws(hands) for hands in known[:-1]),
            tuple(draws(hands) for hands in known),
        ),
        surrender,
        remaining,
    )
