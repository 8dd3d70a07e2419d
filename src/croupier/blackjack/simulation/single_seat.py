"""What the kernel of a single player reads and writes, from rules and chart."""

from functools import lru_cache

import numpy as np

from croupier.blackjack.engine.permissions import surrenders_early
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.automaton_builder import build_automaton
from croupier.blackjack.simulation.count_kernel import Count
from croupier.blackjack.simulation.endless_kernel import RANKS, EndlessPaths
from croupier.blackjack.simulation.round_automaton import (
    ENDINGS,
    POINTS,
    RoundAutomaton,
    is_covered,
    longest_round,
    row_of_two,
    rows_of_two_cards,
)
from croupier.blackjack.simulation.round_terms import Counting, Integers
from croupier.blackjack.simulation.single_seat_kernel import SPLIT_RESULTS, Counts, Dealing, Paths
from croupier.blackjack.simulation.table_setup import Seating, setup_of
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import ROWS, Chart
from croupier.cards import DECK_SIZE, TEN_CLASS

#: A count that no shoe reaches.
_NEVER = 2**31


def is_simple(seating: Seating) -> bool:
    """Tell whether the fast kernel can play: one seat without side bets, and rules that an automaton covers.

    Insurance must be settled before the player's turn, and nobody may give up before it is offered.
    """
    if seating.seats > 1 or seating.counts_side_bets:
        return False
    rules, play = seating.rules, seating.play
    insures_late = play.insurance_at is not None and (rules.hole_card != "peek" or surrenders_early(rules))
    if not play.is_flat and (rules.decks == "infinite" or insures_late):
        return False
    return is_covered(rules, seating.chart, *(chart for _, chart in charts_by_count(seating)))


def charts_by_count(seating: Seating) -> tuple[tuple[int, Chart], ...]:
    """Return the charts that the index plays make of the first one, each with the count from which it is played."""
    deviations, chart, charts = seating.play.deviations, seating.chart, []
    for index in sorted({deviation.at_least for deviation in deviations}):
        reached = [deviation for deviation in deviations if deviation.at_least == index]
        chart = chart.replace({(deviation.row, deviation.up_card): deviation.code for deviation in reached})
        charts.append((index, chart))
    return tuple(charts)


@lru_cache(maxsize=16)
def automaton_of(seating: Seating) -> RoundAutomaton:
    """Build the automaton of a seating, or return the one built before."""
    return build_automaton(seating.rules, seating.chart, charts_by_count(seating))


@lru_cache(maxsize=16)
def count_of(seating: Seating) -> Count | None:
    """Write the bets and choices of a seating in the form that compiled code reads; None if all bets are flat."""
    if seating.play.is_flat:
        return None
    setup, automaton = setup_of(seating), automaton_of(seating)
    counting, terms = setup.counting, setup.terms
    is_offered = terms.offers_insurance and terms.natural_beats_21
    choices = np.array(automaton.choices, dtype=np.int64).reshape(-1, 4)
    return Count(
        tags=setup.tags,
        factor=52 if counting.is_true else 1,
        denominators=_denominators(seating.rules, counting),
        rounding=counting.rounding,
        ramp=setup.ramp,
        lowest_in_ramp=counting.lowest_in_ramp,
        insurance_index=counting.insurance_index if is_offered else _NEVER,
        indices=choices[:, 0].copy(),
        below=choices[:, 1].astype(np.uint16),
        reached=choices[:, 2].astype(np.uint16),
        variant=choices[:, 3].astype(np.uint8),
        variants=len(automaton.first_moves),
    )


def _denominators(rules: BlackjackRules, counting: Counting) -> Integers:
    """Tabulate by what the running count is divided, by the number of cards not yet seen."""
    unseen = np.arange(shoe_size(rules) + 2)
    if not counting.is_true:
        return np.ones_like(unseen)
    step = counting.cards_a_step
    return np.maximum((2 * unseen + step) // (2 * step), 1) * step


@lru_cache(maxsize=16)
def paths_of(seating: Seating) -> Paths:
    """Write the automaton of a seating in the form that compiled code reads."""
    automaton = automaton_of(seating)
    return Paths(
        automaton.deal, automaton.step, automaton.split, automaton.dealer, automaton.settle,
        automaton.most_hands, rows_of_two_cards(), automaton.won(seating.scale), automaton.won(1),
    )  # fmt: skip


@lru_cache(maxsize=16)
def endless_paths_of(seating: Seating) -> EndlessPaths:
    """Write the automaton of a seating with infinite packs in the form that compiled code reads."""
    paths, peeks = paths_of(seating), seating.rules.hole_card == "peek"
    points = np.minimum(np.arange(RANKS), TEN_CLASS) + (np.arange(RANKS) == RANKS - 1)
    first, second = np.repeat(points, RANKS), np.tile(points, RANKS)
    deal = np.zeros((len(ROWS), POINTS, POINTS if peeks else 1), dtype=np.uint16)
    by_points = paths.deal.reshape(POINTS, POINTS, POINTS, -1)
    for one, two in np.ndindex(POINTS, POINTS):
        deal[row_of_two(one, two)] = by_points[one, :, two]
    return EndlessPaths(
        rows=paths.row_of_two[first * POINTS + second],
        dealers=(first * POINTS + second if peeks else first).astype(np.uint8),
        deal=deal.reshape(-1),
        step=paths.step,
        won=paths.won,
        paths=paths,
    )


def dealing_of(seating: Seating, reserve: int | None = None) -> Dealing:
    """Say how a seating is dealt; without a reserve, cards are chosen when they are needed."""
    rules = seating.rules
    peeks = rules.hole_card == "peek"
    size = shoe_size(rules)
    return Dealing(
        peeks=peeks,
        scale=seating.scale,
        cut=seating.cut,
        reserve=reserve or (4 if peeks else 3),
        last_start=max(size - longest_round(rules), 0),
    )


def shoe_size(rules: BlackjackRules) -> int:
    """Return how many cards a full shoe has; 0: they never end."""
    return 0 if rules.decks == "infinite" else rules.decks * DECK_SIZE


def never_runs_out(rules: BlackjackRules, cut: int) -> bool:
    """Tell whether no round of a single player, with all its splits, can need more cards than lie behind the cut card.

    >>> never_runs_out(BlackjackRules(), 234), never_runs_out(BlackjackRules(decks=1), 39)
    (True, False)
    """
    return (
        rules.decks == "infinite" or cut + longest_round(rules, rules.split_hands) <= rules.decks * DECK_SIZE
    )


def empty_counts(tally: Tally, count: Count | None) -> Counts:
    """Return counts of nothing, whose sums are those of a tally."""
    bets, insurances, variants = (1, 1, 1) if count is None else (len(count.ramp), 2, count.variants)
    return Counts(
        np.zeros(bets * insurances * variants * len(ROWS) * POINTS * ENDINGS, dtype=np.int64),
        np.zeros(bets * insurances * POINTS * POINTS * SPLIT_RESULTS, dtype=np.int64),
        np.zeros(bets * ENDINGS, dtype=np.int64),
        tally.sums,
        tally.spreads,
    )


def add_counts(tally: Tally, counts: Counts, seating: Seating) -> None:
    """Add what a single player's rounds were counted as to a tally."""
    peeks = seating.rules.hole_card == "peek"
    tally.add_counts(counts, automaton_of(seating), seating.scale, peeks=peeks, ramp=seating.play.ramp)
