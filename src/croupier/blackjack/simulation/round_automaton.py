"""A single player's round as an automaton: one look-up for the deal, one for each further card.

Rules and chart are worked out once, before play: whatever can happen becomes a state that waits for a card, or an ending. The compiled
loop then only follows arrows. The hands of a split are played one after the other and settled together
(:mod:`~croupier.blackjack.simulation.split_states`). Some tables do not fit this form (see :func:`is_covered`).

Where the count decides between moves, an arrow leads to a choice, and from there to what follows either move.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.solvers.chart import UP_CARDS, Chart
from croupier.blackjack.solvers.chart_moves import move_of, row_of_pair, row_of_total

Arrows = NDArray[np.uint16]

POINTS = len(UP_CARDS)

#: Endings are numbered below this.
ENDINGS = 32

#: Numbers from here on: the dealer is done and several hands are settled (plus a ``DealerCode``); a pair is split; a hand of a split is
#: done (plus a ``HandCode``).
DEALER_DONE = 32
SPLIT = 63
HAND_DONE = 64

#: A state's number is the place of its first arrow; this is the smallest.
FIRST_STATE = 128


class Choice(NamedTuple):
    """An arrow that the count chooses.

    ``reached`` is followed from the count ``at_least`` on; ``variant`` numbers the first moves of a cell, 0 for the lowest count.
    """

    at_least: int
    below: int
    reached: int
    variant: int


class Ending(NamedTuple):
    """How a round without a split ends: why, what was staked, and what was won, in bets."""

    outcome: Outcome
    stake: int
    won: float


@dataclass(frozen=True, slots=True, eq=False)
class RoundAutomaton:
    """Where cards lead.

    Attributes
    ----------
    deal
        By the point classes of the player's first card, the up-card, the player's second card and, where there is one, the
        hole card: the state or ending after them.
    step
        By state plus point class: the state or ending after that card.
    split
        By pair, up-card and whether it may be split again: the state of a hand with its first card.
    dealer
        By up-card, what the hands of a split wait for (the flags of their codes) and hole card: where the dealer begins.
    settle
        By the dealer's code and that of a hand: the ending of a hand of a split, see :func:`~.split_states.settlements`.
    most_hands
        By pair: how many hands it may become.
    endings
        What the numbers of endings mean.
    first_moves
        ``[variant, row, up-card]``: what the player does first, by the variants of the choices.
    choices
        Where the count decides; numbered from ``FIRST_CHOICE`` on.
    """

    deal: Arrows
    step: Arrows
    split: Arrows
    dealer: Arrows
    settle: NDArray[np.uint8]
    most_hands: NDArray[np.uint8]
    endings: tuple[Ending, ...]
    first_moves: NDArray[np.uint8]
    choices: tuple[Choice, ...]

    def won(self, scale: int) -> NDArray[np.int64]:
        """Return what each ending wins in whole numbers, so many a bet; nothing where the round goes on with a split."""
        units = np.zeros(ENDINGS, dtype=np.int64)
        units[: len(self.endings)] = [round(ending.won * scale) for ending in self.endings]
        return units


def longest_round(rules: BlackjackRules, hands: int = 1) -> int:
    """Return a number of cards that no round exceeds in which the player has so many hands.

    Before the last card of each, a hand counts at most 20 and the dealer at most 16; the smallest cards make the most of it.

    >>> longest_round(BlackjackRules(decks=1)), longest_round(BlackjackRules(decks=6)), longest_round(BlackjackRules(), 4)
    (17, 32, 61)
    """
    left, cards = 20 * hands + 16, hands + 1
    for value in range(1, 10):
        taken = left // value
        if rules.decks != "infinite":
            taken = min(taken, 4 * rules.decks)
        cards += taken
        left -= taken * value
    return cards


@lru_cache(maxsize=1)
def rows_of_two_cards() -> NDArray[np.uint8]:
    """Tabulate the chart's row of two cards, by their point classes."""
    rows = [row_of_two(first, second) for first in range(POINTS) for second in range(POINTS)]
    return np.array(rows, dtype=np.uint8)


def row_of_two(first: int, second: int) -> int:
    """Return the chart's row of two cards, by their point classes."""
    return row_of_pair(first) if first == second else row_of_total(first, second)


def is_covered(rules: BlackjackRules, *charts: Chart) -> bool:
    """Tell whether a single player's rounds under these rules, by any of these charts, can be put into an automaton.

    Left out are charlies, bonuses, and doubling and surrender with any number of cards, for which longer hands count; doubled hands that go on,
    free bets, naturals that always win, ties that lose, an open hole card, packs without tens, and splitting tens where they must be of one rank.

    >>> stand = Chart.uniform("S")
    >>> is_covered(BlackjackRules(), stand), is_covered(BlackjackRules(charlie=6), stand)
    (True, False)
    """
    splits_tens = any(
        move_of(chart["T,T", up_card], Allowed.SPLIT, rules) is Move.SPLIT
        for chart in charts
        for up_card in chart.columns
    )
    is_usual = rules.charlie == "off" and not is_other_game(rules)
    return is_usual and not (rules.split_by == "rank" and splits_tens)


def is_other_game(rules: BlackjackRules) -> bool:
    """Tell whether hands are played or paid in ways that only the general kernel knows.

    >>> is_other_game(BlackjackRules()), is_other_game(BlackjackRules(free_splits=True))
    (False, True)
    """
    has_other_bets = rules.free_doubles or rules.free_splits or rules.double_rescue or rules.redoubles > 0
    counts_cards = rules.bonus_21 != "none" or rules.double_any_cards or rules.surrender_any_cards
    has_other_ends = rules.natural_always_wins or rules.ties_lose or rules.hole_card == "open"
    return has_other_bets or counts_cards or has_other_ends or not rules.ten_spots
