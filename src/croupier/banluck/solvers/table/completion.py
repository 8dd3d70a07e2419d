"""What a solved table leaves open: situations to which its own strategies never lead.

A person at the table can lead there all the same, by a bust or a final hand that the solved first player never has. No gain of
anybody depends on these situations, because whoever leads there is settled by then. They are filled with the solution for one player.
"""

from dataclasses import replace

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.banluck.solvers.table.dealer_states import COUNTS, dealer_hands
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.strategy import TableStrategy


def completed(
    strategy: TableStrategy, rules: BanluckRules, player: PlayerStrategy, dealer: DealerStrategy
) -> TableStrategy:
    """Return strategies of a table of two with an answer to everything.

    Parameters
    ----------
    player, dealer
        The solution for one player, for the situations that the strategies leave open.
    """
    seats, dealers = seat_hands(rules), dealer_hands(rules)
    draws = np.ascontiguousarray(dealer.draw[dealers.hands[dealers.choices]])
    first = seats.masses(strategy.seats.first)
    first_final = seats.final_masses(first, strategy.seats.first)
    seconds = [seats.masses(hit) for hit in strategy.seats.second]
    second_final = np.array(
        [seats.final_masses(masses, hit) for masses, hit in zip(seconds, strategy.seats.second, strict=True)]
    )
    second_bust = np.array([masses[seats.bust] for masses in seconds])
    first_known, second_known = [], []
    for count in range(COUNTS):
        own = slice(*seats.first_of_count[count : count + 2])
        reached = np.repeat(first_final[own][:, None] > 0.0, COUNTS, axis=1)
        first_known.append(_filled(strategy.dealer.first_known[count], reached, draws))
        second_known.append(_filled(strategy.dealer.second_known[count], second_final[:, own].T > 0.0, draws))
    second_known.append(_filled(strategy.dealer.second_known[COUNTS], second_bust.T > 0.0, draws))
    policy = replace(strategy.dealer, first_known=tuple(first_known), second_known=tuple(second_known))
    alone = {MULTISETS[hand]: (player.hit, draws) for hand in seats.bust}
    return replace(strategy, dealer=policy, remaining={**alone, **strategy.remaining})


def _filled(known: Floats, reached: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], draws: Floats) -> Floats:
    """Put draws, by hand of choice and card count, where a known hand is never reached beside that card count."""
    return np.where(reached[:, None, :], known, draws[None])
