"""The charts of a table of several: what each seat and the dealer do, by total, card count, soft or hard."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from croupier.banluck.analysis.chart import Cell, ChartGrid
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats, deals, joint_probability
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealer_states import ClosedAction, dealer_hands
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.situations import ACTIONS, situation_key, situations
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.texts import say

#: How often a hand must be hit for a chart to say so.
_HALF = 0.5


def seat_charts(strategy: TableStrategy, rules: BanluckRules) -> tuple[ChartGrid, ...]:
    """Draw the players' charts while both are in the hand."""
    first = say("banluck.place.player_of_several", number=1)
    titles = [first, *(say("several.second_seat", cards=count) for count in PLAYER_CARD_COUNTS)]
    hits = [strategy.seats.first, *strategy.seats.second]
    return tuple(_seat_chart(title, hit, rules) for title, hit in zip(titles, hits, strict=True))


def _seat_chart(title: str, hit: Floats, rules: BanluckRules) -> ChartGrid:
    hands = seat_hands(rules)
    masses = hands.masses(hit)
    decided = np.flatnonzero(hands.acts & ~hands.must_hit & (masses > 0)).tolist()
    weights = [masses[hand] * joint_probability(deals().counts[hand]) for hand in decided]
    return _grid(title, rules, decided, weights, [float(hit[hand]) for hand in decided], ("H", "S"))


def dealer_charts(strategy: TableStrategy, rules: BanluckRules) -> tuple[ChartGrid, ...]:
    """Draw the dealer's charts against two closed players, by their card counts: D draw, S stand, 1 or 2 whom to open first."""
    hands = dealer_hands(rules)
    choices = hands.hands[hands.choices].tolist()
    letters = {
        ClosedAction.STOP: "S",
        ClosedAction.DRAW: "D",
        ClosedAction.OPEN_FIRST: "1",
        ClosedAction.OPEN_SECOND: "2",
    }
    grids = []
    for first, first_cards in enumerate(PLAYER_CARD_COUNTS):
        for second, second_cards in enumerate(PLAYER_CARD_COUNTS):
            chances = strategy.dealer.closed[:, first, second]
            cells: dict[Cell, Floats] = {}
            for number, hand in enumerate(choices):
                weight = joint_probability(deals().counts[hand])
                cell = _cell(hand, rules)
                cells[cell] = cells.get(cell, np.zeros(len(ClosedAction))) + weight * chances[number]
            title = say("several.dealer_holds_two", first=first_cards, second=second_cards)
            grids.append(
                ChartGrid.of(
                    title, {cell: letters[ClosedAction(int(sums.argmax()))] for cell, sums in cells.items()}
                )
            )
    return tuple(grids)


def counts_charts(strategy: CountsStrategy, rules: BanluckRules) -> tuple[ChartGrid, ...]:
    """Draw the charts of a table of any number of players.

    A seat's chart is weighted by how often earlier seats hold two cards or more. The dealer's charts are for all closed, of whom some
    hold two cards and the others three.
    """
    return (*_counts_seat_charts(strategy, rules), *_counts_dealer_charts(strategy, rules))


def _counts_seat_charts(strategy: CountsStrategy, rules: BanluckRules) -> list[ChartGrid]:
    hands = seat_hands(rules)
    grids = []
    rows = np.ones((1, 1))  # how often so many earlier seats are closed with two cards, and with more
    for seat in range(strategy.players):
        weights, hits = np.zeros(len(MULTISETS)), np.zeros(len(MULTISETS))
        after = np.zeros((seat + 2, seat + 2))
        for (two_cards, more_cards), chance in np.ndenumerate(rows):
            hit = strategy.seat_hits(seat, two_cards, more_cards)
            masses = hands.masses(hit)
            weights += chance * masses
            hits += chance * masses * hit
            closed = hands.final_masses(masses, hit) * _order_probabilities()[hands.final]
            two = float(closed[: hands.first_of_count[1]].sum())
            more = float(closed[hands.first_of_count[1] :].sum())
            after[two_cards, more_cards] += chance * (1.0 - two - more)
            after[two_cards + 1, more_cards] += chance * two
            after[two_cards, more_cards + 1] += chance * more
        rows = after
        decided = np.flatnonzero(hands.acts & ~hands.must_hit & (weights > 0)).tolist()
        grids.append(
            _grid(
                say("banluck.place.player_of_several", number=seat + 1),
                rules,
                decided,
                [weights[hand] * _order_probabilities()[hand] for hand in decided],
                [float(hits[hand] / weights[hand]) for hand in decided],
                ("H", "S"),
            )
        )
    return grids


def _counts_dealer_charts(strategy: CountsStrategy, rules: BanluckRules) -> list[ChartGrid]:
    found, hands = situations(rules, strategy.players), dealer_hands(rules)
    choices = hands.hands[hands.choices].tolist()
    letters = ("S", "D", *(str(count) for count in PLAYER_CARD_COUNTS))
    splits = range(strategy.players, -1, -1) if rules.reveal != "none" else [strategy.players]
    grids = []
    for two_cards in splits:
        counts = (two_cards, strategy.players - two_cards, 0, 0)
        situation = found.number[situation_key(found, 0, counts)]
        chances = strategy.dealer.closed[found.first_state[situation + 1] - 1]
        cells: dict[Cell, Floats] = {}
        for number, hand in enumerate(choices):
            cell = _cell(hand, rules)
            cells[cell] = cells.get(cell, np.zeros(ACTIONS)) + _order_probabilities()[hand] * chances[number]
        held = "-".join("2" * two_cards + "3" * (strategy.players - two_cards))
        key = "several.dealer_closed" if rules.reveal == "none" else "several.dealer_holds"
        title = say(key, cards=held)
        grids.append(ChartGrid.of(title, {cell: letters[int(sums.argmax())] for cell, sums in cells.items()}))
    return grids


@cache
def _order_probabilities() -> Floats:
    """Return the probability of the cards of each multiset, in one given order, from a full pack."""
    return np.array([joint_probability(counts) for counts in deals().counts])


def _grid(
    title: str,
    rules: BanluckRules,
    hands: Sequence[int],
    weights: Sequence[float],
    goes: Sequence[float],
    letters: tuple[str, str],
) -> ChartGrid:
    """Lay out what is done most often in each cell."""
    sums: dict[Cell, list[float]] = {}
    for hand, weight, go in zip(hands, weights, goes, strict=True):
        sums.setdefault(_cell(hand, rules), []).append(weight * (go - _HALF))
    return ChartGrid.of(title, {cell: letters[int(sum(parts) < 0)] for cell, parts in sums.items()})


def _cell(hand: int, rules: BanluckRules) -> Cell:
    value = evaluate_classes(MULTISETS[hand], rules)
    return Cell(value.card_count, value.is_soft, value.total)
