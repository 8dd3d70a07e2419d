"""Charts that a person can memorise, and what it costs to play by them.

A chart knows less than the equilibrium: only the total, the number of cards and whether the hand is soft, and it never
mixes. The player's cells start from what is best on average against the equilibrium dealer and are then changed, one
at a time, as long as that raises what the chart is worth against the dealer who answers it best.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from croupier.banluck.analysis import html
from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, Multiset, multiset_index, parse_multiset
from croupier.banluck.engine.permissions import may_be_opened
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.best_response import Certificate, certify_plans
from croupier.banluck.solvers.plans import dealer_policy, plan_of, player_policy
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.errors import InputError

#: Orange for going on, purple for stopping, green and blue for whom to open first.
_COLOURS = {"H": "#b35806", "D": "#b35806", "S": "#542788", "R": "#542788", "1": "#1b7837", "2": "#2166ac"}
_COLOURS |= dict.fromkeys("345", "#1b7837")


class Cell(NamedTuple):
    """What a chart distinguishes: the number of cards, soft or hard, the total; for the dealer also the player's cards."""

    cards: int
    is_soft: bool
    total: int
    against: str = ""

    @property
    def row(self) -> str:
        """The row of a chart that the cell lies in."""
        return f"{self.cards} cards, {'soft' if self.is_soft else 'hard'}"


@dataclass(frozen=True, slots=True)
class ChartGrid:
    """A chart laid out: a row a number of cards, soft or hard; a column a total; a letter an action, or nothing.

    Examples
    --------
    >>> print(ChartGrid.of("Player", {Cell(2, False, 16): "S", Cell(2, False, 15): "H", Cell(3, True, 16): "H"}))
    Player
                    15 16
    2 cards, hard    H  S
    3 cards, soft       H
    """

    title: str
    totals: tuple[int, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, title: str, letters: Mapping[Cell, str]) -> "ChartGrid":
        """Lay out the letters of cells."""
        totals = tuple(sorted({cell.total for cell in letters}))
        places = {(cell.row, cell.total): letter for cell, letter in letters.items()}
        names = [
            Cell(cards, soft, 0).row
            for cards, soft in sorted({(cell.cards, cell.is_soft) for cell in letters})
        ]
        rows = tuple((name, tuple(places.get((name, total), "") for total in totals)) for name in names)
        return cls(title, totals, rows)

    @property
    def is_of_player(self) -> bool:
        """Whether it is a player's chart: hit or stand."""
        return not self.title.startswith("Dealer")

    def differences(self, other: "ChartGrid") -> list[dict[str, Any]]:
        """List the cells in which this chart says something else than another, where both have a cell.

        >>> one, two = (ChartGrid.of("Player", {Cell(2, False, 16): letter}) for letter in "SH")
        >>> one.differences(two)
        [{'row': '2 cards, hard', 'total': 16, 'here': 'S', 'other': 'H'}]
        """
        there = {
            (name, total): letter
            for name, letters in other.rows
            for total, letter in zip(other.totals, letters, strict=True)
        }
        return [
            {"row": name, "total": total, "here": letter, "other": there[name, total]}
            for name, letters in self.rows
            for total, letter in zip(self.totals, letters, strict=True)
            if letter and there.get((name, total)) and there[name, total] != letter
        ]

    def __str__(self) -> str:
        lines = [self.title, " " * 15 + "".join(f"{total:>3}" for total in self.totals)]
        lines += [f"{name:<15}{''.join(f'{letter:>3}' for letter in letters)}" for name, letters in self.rows]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        return html.coloured_grid(self.title, self.totals, self.rows, _COLOURS)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlayerChart:
    """A pure rule for the player, cell by cell, and its price.

    Attributes
    ----------
    hits
        Whether to hit, for each cell.
    strategy
        The chart as a complete strategy.
    cost_against_equilibrium, cost_against_best
        Units per hand that the chart gives up against the equilibrium dealer, and against a dealer who knows the
        chart and answers it best, both compared with the value of the game.
    agreement
        Share of the player's decisions, weighted by how often they come up, in which the chart agrees with the
        better action.
    """

    rules: BanluckRules
    hits: Mapping[Cell, bool]
    strategy: PlayerStrategy
    cost_against_equilibrium: float
    cost_against_best: float
    agreement: float

    def __getitem__(self, hand: str | Multiset) -> str:
        """Return what the chart says of a hand: ``hit`` or ``stand``.

        >>> from croupier import banluck
        >>> chart = banluck.solve().chart
        >>> chart["T-6"], chart["A-6"]
        ('stand', 'hit')
        """
        return "hit" if _looked_up(self.hits, hand, self.rules) else "stand"

    @property
    def grid(self) -> ChartGrid:
        """The chart laid out."""
        letters = {cell: "H" if hits else "S" for cell, hits in self.hits.items()}
        return ChartGrid.of("Player: H hit, S stand", letters)

    @property
    def price(self) -> str:
        """What playing by the chart costs, in a sentence."""
        return (
            f"Playing this chart costs {self.cost_against_equilibrium:.6f} units a hand against the equilibrium dealer "
            f"and {self.cost_against_best:.6f} against the dealer who answers it best."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the chart and its price as plain JSON data."""
        return {
            "cost_against_equilibrium": self.cost_against_equilibrium,
            "cost_against_best": self.cost_against_best,
            "agreement": self.agreement,
            "player": [
                cell._asdict() | {"action": "hit" if hits else "stand"} for cell, hits in self.hits.items()
            ],
        }

    def __str__(self) -> str:
        return f"{self.grid}\n{self.price}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"{self.grid._repr_html_()}<p>{self.price}</p>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DealerChart:
    """A pure rule for the dealer, cell by cell: whether to draw, by the player's card count."""

    rules: BanluckRules
    draws: Mapping[Cell, bool]

    def __getitem__(self, place: tuple[str | Multiset, int]) -> str:
        """Return what the chart says of a hand against a player of some cards: ``draw``, ``reveal`` or ``stand``.

        >>> from croupier import banluck
        >>> chart = banluck.solve().dealer_chart
        >>> chart["T-7", 2], chart["T-7", 3]
        ('stand', 'reveal')
        """
        hand, player_cards = place
        against = "any number of cards" if self.rules.reveal == "none" else f"{player_cards} cards"
        if _looked_up(self.draws, hand, self.rules, against):
            return "draw"
        return "reveal" if may_be_opened(player_cards, self.rules) else "stand"

    @property
    def grids(self) -> tuple[ChartGrid, ...]:
        """The chart laid out, one grid for each card count of the player that the dealer can tell apart."""
        return tuple(
            ChartGrid.of(
                f"Against {against}",
                {
                    cell: "D" if draws else _stop_letter(against, self.rules)
                    for cell, draws in self.draws.items()
                    if cell.against == against
                },
            )
            for against in dict.fromkeys(cell.against for cell in self.draws)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the chart as plain JSON data."""
        return {
            "dealer": [
                cell._asdict() | {"action": "draw" if draws else "stop"} for cell, draws in self.draws.items()
            ]
        }

    def __str__(self) -> str:
        grids = "\n".join(map(str, self.grids)) or "The dealer has no choice under these rules."
        return f"{_DEALER_TITLE}\n{grids}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{_DEALER_TITLE}</p>{''.join(grid._repr_html_() for grid in self.grids)}"


_DEALER_TITLE = "Dealer: D draw, S stand, R reveal (open the player)"


def player_chart(book: StrategyBook, value: float) -> PlayerChart:
    """Find the memorisable chart of a solved game.

    Parameters
    ----------
    book
        Both strategies of the equilibrium.
    value
        What the game is worth, to price the chart by.

    Examples
    --------
    >>> from croupier import banluck
    >>> chart = player_chart(banluck.solve().book, banluck.solve().value)
    >>> chart.hits[Cell(2, False, 16)], chart.hits[Cell(2, True, 17)]
    (False, True)
    """
    cells = cells_of(book.player_decisions)
    hits = {cell: _goes_on_average(decisions) for cell, decisions in cells.items()}
    free = [cell for cell, decisions in cells.items() if decisions[0].ev_stop is not None]
    game = sequence_game(book.rules)
    dealer_plan = plan_of(game.dealer, dealer_policy(game, book.dealer))

    def certified(hits: Mapping[Cell, bool]) -> Certificate:
        player_plan = plan_of(game.player, player_policy(game, _strategy(hits, cells)))
        return certify_plans(game, player_plan, dealer_plan)

    worth = certified(hits)
    improved = True
    while improved:
        improved = False
        for cell in free:
            changed = {**hits, cell: not hits[cell]}
            candidate = certified(changed)
            if candidate.lower > worth.lower + 1e-12:
                hits, worth, improved = changed, candidate, True
    return PlayerChart(
        rules=book.rules,
        hits=hits,
        strategy=_strategy(hits, cells),
        cost_against_equilibrium=max(value - worth.value, 0.0),
        cost_against_best=max(value - worth.lower, 0.0),
        agreement=_agreement(hits, cells),
    )


def dealer_chart(book: StrategyBook) -> DealerChart:
    """Say for each cell of the dealer whether to draw: the better action on average over the hands of the cell."""
    cells = cells_of(advice for advice in book.dealer_decisions if advice.go == "draw")
    return DealerChart(book.rules, {cell: _goes_on_average(members) for cell, members in cells.items()})


def dealer_chart_strategy(book: StrategyBook) -> DealerStrategy:
    """Return the dealer's chart as a complete strategy (the surrender is the equilibrium's)."""
    draw = book.dealer.draw.copy()
    draws = dealer_chart(book).draws
    for (hand, player_cards), advice in book.dealer_lookup.items():
        draw[multiset_index(hand), player_cards - 2] = draws[cell_of(advice)]
    return DealerStrategy(draw, book.dealer.surrender)


def cell_of(advice: Advice) -> Cell:
    """Return the cell that a decision belongs to."""
    return Cell(advice.value.card_count, advice.value.is_soft, advice.value.total, advice.against)


def cells_of(decisions: Iterable[Advice]) -> dict[Cell, list[Advice]]:
    """Gather decisions by cell, in the order of a chart."""
    cells: dict[Cell, list[Advice]] = defaultdict(list)
    for advice in decisions:
        cells[cell_of(advice)].append(advice)
    return dict(sorted(cells.items()))


def _looked_up(
    cells: Mapping[Cell, bool], hand: str | Multiset, rules: BanluckRules, against: str = ""
) -> bool:
    held = parse_multiset(hand) if isinstance(hand, str) else hand
    value = evaluate_classes(held, rules)
    cell = Cell(value.card_count, value.is_soft, value.total, against)
    if value.is_ban or cell not in cells:
        raise InputError(f"'{hand}' ({value}) is not in this chart: it leaves no decision")
    return cells[cell]


def _stop_letter(against: str, rules: BanluckRules) -> str:
    is_opened = rules.reveal != "none" and may_be_opened(int(against[0]), rules)
    return "R" if is_opened else "S"


def _goes_on_average(decisions: list[Advice]) -> bool:
    """Tell whether going on is better over the hands of a cell, weighted by how often they come up."""
    if decisions[0].ev_stop is None:
        return True
    weights = [advice.reach for advice in decisions]
    if sum(weights) == 0:
        weights = [1.0] * len(decisions)
    gain = sum(
        weight * (advice.ev_go - (advice.ev_stop or 0.0))
        for weight, advice in zip(weights, decisions, strict=True)
    )
    return gain > 0


def _strategy(hits: Mapping[Cell, bool], cells: Mapping[Cell, list[Advice]]) -> PlayerStrategy:
    hit = np.zeros(len(MULTISETS))
    for cell, decisions in cells.items():
        hit[[multiset_index(advice.hand) for advice in decisions]] = hits[cell]
    return PlayerStrategy(hit)


def _agreement(hits: Mapping[Cell, bool], cells: Mapping[Cell, list[Advice]]) -> float:
    total = agreed = 0.0
    for cell, decisions in cells.items():
        for advice in decisions:
            total += advice.reach
            agreed += advice.reach * ((advice.best == advice.go) == hits[cell])
    return agreed / total
