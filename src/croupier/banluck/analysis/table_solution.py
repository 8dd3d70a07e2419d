"""A solved table of several players: values by seat, what anybody could gain, charts by seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier import __version__
from croupier.banluck.analysis import html
from croupier.banluck.analysis.chart import Cell, ChartGrid
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.hand_table import Floats, deals, joint_probability
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.dealer_states import ClosedAction, dealer_hands
from croupier.banluck.solvers.table.equilibrium import TwoPlayerEquilibrium
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.extras import needs
from croupier.results import Result

if TYPE_CHECKING:
    import pandas as pd

#: How often a hand must be hit for a chart to say so.
_HALF = 0.5


@dataclass(frozen=True, eq=False, repr=False)
class TableSolution(Result):
    """A table of several players and a dealer, within a certified distance of an equilibrium.

    Figures are in units of the bet, per hand.

    Attributes
    ----------
    values
        What each seat earns, the first to act first.
    dealer_value
        What the dealer earns from all seats together.
    gains, dealer_gain
        What each seat, and the dealer, could gain at most by another strategy while the others keep theirs.
    stderr
        The standard errors of the values; None where they are exact.
    method, information
        How it was solved, and on what everybody decides: ``full`` is all that is public at the table.
    """

    rules: BanluckRules
    values: tuple[float, ...]
    dealer_value: float
    gains: tuple[float, ...]
    dealer_gain: float
    stderr: tuple[float, ...] | None
    method: str
    information: str
    seconds: float
    strategy: TableStrategy
    version: str = __version__

    @classmethod
    def of(cls, solved: TwoPlayerEquilibrium) -> "TableSolution":
        """Return an exact solution for two players."""
        found = solved.certificate
        return cls(
            solved.rules,
            found.values,
            found.dealer_value,
            found.gains,
            found.dealer_gain,
            None,
            "exact best replies" if not solved.mixed else f"exact, dealer mixes {solved.mixed} strategies",
            "full",
            solved.seconds,
            solved.strategy,
        )

    @property
    def players(self) -> int:
        """How many players are seated."""
        return len(self.values)

    @property
    def largest_gain(self) -> float:
        """The most that anybody could gain: how far from an equilibrium this is."""
        return max(*self.gains, self.dealer_gain)

    @cached_property
    def charts(self) -> tuple[ChartGrid, ...]:
        """Charts to memorise: the first seat's, the second's by the first one's cards, the dealer's by both."""
        return (*seat_charts(self.strategy, self.rules), *dealer_charts(self.strategy, self.rules))

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        facts = {"Rules": f"{BANLUCK.describe(self.rules)}, {self.players} players"}
        for seat, (value, gain) in enumerate(zip(self.values, self.gains, strict=True)):
            facts[f"Player {seat + 1}"] = f"{value:+.9f} units a hand, could gain {gain:.1e}"
        facts["Dealer"] = f"{self.dealer_value:+.9f} units a hand, could gain {self.dealer_gain:.1e}"
        facts["Method"] = f"{self.method}, {self.information} information, {self.seconds:.1f} s"
        return facts

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data."""
        return {
            "players": self.players,
            "values": list(self.values),
            "dealer_value": self.dealer_value,
            "gains": list(self.gains),
            "dealer_gain": self.dealer_gain,
            "stderr": None if self.stderr is None else list(self.stderr),
            "method": self.method,
            "information": self.information,
            "seconds": self.seconds,
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the values as a table, a row a seat, the dealer last."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only tables need it

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, object]]:
        """Return the values as rows, a row a seat, the dealer last."""
        names = [f"player {seat + 1}" for seat in range(self.players)]
        rows: list[dict[str, object]] = [
            {"side": name, "value": value, "gain": gain}
            for name, value, gain in zip(names, self.values, self.gains, strict=True)
        ]
        return [*rows, {"side": "dealer", "value": self.dealer_value, "gain": self.dealer_gain}]

    def _repr_html_(self) -> str:
        caption = f"{self.facts()['Rules']}: {self.facts()['Method']}"
        return html.table(self.rows(), caption) + "".join(chart._repr_html_() for chart in self.charts)


def seat_charts(strategy: TableStrategy, rules: BanluckRules) -> tuple[ChartGrid, ...]:
    """Draw the players' charts while both are in the hand."""
    titles = ["Player 1"] + [f"Player 2, player 1 holds {count} cards" for count in PLAYER_CARD_COUNTS]
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
            title = f"Dealer, players hold {first_cards} and {second_cards} cards"
            grids.append(
                ChartGrid.of(
                    title, {cell: letters[ClosedAction(int(sums.argmax()))] for cell, sums in cells.items()}
                )
            )
    return tuple(grids)


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
