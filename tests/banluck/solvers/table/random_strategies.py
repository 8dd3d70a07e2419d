"""Random strategies for a table of two, and small decks to play them from."""

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.hand_table import Floats, deals
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
    """Return strategies that mix everywhere."""
    source = np.random.default_rng(seed)
    table = game.table
    merged = table.dealer.merged

    def draws(*shape: int) -> Floats:
        found = source.random(shape)
        return np.repeat(found[..., :1], shape[-1], axis=-1) if merged else found

    choices = len(table.dealer.choices)
    closed = source.random((choices, COUNTS, COUNTS, 4)) * table.dealer.allowed
    if merged:
        closed[:] = closed[:, :1, :1]
    closed /= closed.sum(axis=3, keepdims=True)
    sizes = [len(sums.known) for sums in (*table.lists, table.busts)]
    surrender = source.random((len(table.dealer.hands), 3, 3)) * table.dealer.may_void[:, None, None]
    if game.rules.surrender == "blind":
        surrender[:] = surrender[:, :1, :1]
    known = [*table.seats.bust.tolist(), *game.ban_hands.values()]
    feasible = [hand for hand in known if np.all(deals().counts[hand] <= game.pack)]
    return TableStrategy(
        SeatPlay(source.random(len(MULTISETS)), source.random((COUNTS, len(MULTISETS)))),
        DealerPolicy(
            closed,
            tuple(draws(size, choices, COUNTS) for size in sizes[:-1]),
            tuple(draws(size, choices, COUNTS) for size in sizes),
        ),
        surrender,
        {MULTISETS[hand]: (source.random(len(MULTISETS)), draws(choices, COUNTS)) for hand in feasible},
    )
