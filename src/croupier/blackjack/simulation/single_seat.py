"""What the kernel of a single player reads and writes, from rules and chart."""

from functools import lru_cache

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.round_automaton import (
    ENDINGS,
    POINTS,
    RoundAutomaton,
    build_automaton,
    is_covered,
    longest_round,
    rows_of_two_cards,
)
from croupier.blackjack.simulation.single_seat_kernel import SPLIT_RESULT_BITS, Counts, Dealing, Paths
from croupier.blackjack.simulation.table_setup import Seating
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import ROWS
from croupier.cards import DECK_SIZE


def is_simple(seating: Seating) -> bool:
    """Tell whether the fast kernel can play: one seat, flat bets on the hand alone, and rules that an automaton covers."""
    if seating.seats > 1 or seating.counts_side_bets or not seating.play.is_flat:
        return False
    return is_covered(seating.rules, seating.chart)


@lru_cache(maxsize=16)
def automaton_of(seating: Seating) -> RoundAutomaton:
    """Build the automaton of a seating, or return the one built before."""
    return build_automaton(seating.rules, seating.chart)


@lru_cache(maxsize=16)
def paths_of(seating: Seating) -> Paths:
    """Write the automaton of a seating in the form that compiled code reads."""
    automaton = automaton_of(seating)
    return Paths(
        automaton.deal, automaton.step, automaton.split, automaton.dealer, automaton.settle,
        automaton.most_hands, rows_of_two_cards(), automaton.won(seating.scale), automaton.won(1),
    )  # fmt: skip


def dealing_of(seating: Seating, reserve: int | None = None) -> Dealing:
    """Say how a seating is dealt; without a reserve, cards are chosen when they are needed."""
    rules = seating.rules
    peeks = rules.hole_card == "peek"
    size = 0 if rules.decks == "infinite" else rules.decks * DECK_SIZE
    return Dealing(
        peeks=peeks,
        scale=seating.scale,
        cut=seating.cut,
        reserve=reserve or (4 if peeks else 3),
        last_start=max(size - longest_round(rules), 0),
    )


def never_runs_out(rules: BlackjackRules, cut: int) -> bool:
    """Tell whether no round of a single player, with all its splits, can need more cards than lie behind the cut card.

    >>> never_runs_out(BlackjackRules(), 234), never_runs_out(BlackjackRules(decks=1), 39)
    (True, False)
    """
    return (
        rules.decks == "infinite" or cut + longest_round(rules, rules.split_hands) <= rules.decks * DECK_SIZE
    )


def empty_counts(tally: Tally) -> Counts:
    """Return counts of nothing, whose sums are those of a tally."""
    return Counts(
        np.zeros(len(ROWS) * POINTS * ENDINGS, dtype=np.int64),
        np.zeros(POINTS * POINTS << SPLIT_RESULT_BITS, dtype=np.int64),
        np.zeros(ENDINGS, dtype=np.int64),
        tally.sums,
        tally.spreads,
    )
