"""Everything exact about a rule set: what the game is worth, its best chart, and what every action of every hand is worth."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers import exact
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.hand_values import HandValues, parse_ranks, shown_hand_values
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.blackjack.solvers.variance import chart_standard_deviation, standard_deviation
from croupier.cards import POINT_CLASSES
from croupier.extras import needs
from croupier.results import FromRules, Result
from croupier.texts import say

if TYPE_CHECKING:
    import pandas as pd

#: Told what is computed next; it may raise to stop that.
Step = Callable[[str], object]

#: Rule sets that are remembered.
REMEMBERED = 32


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GameAnalysis(FromRules, Result):
    """A rule set, solved exactly. Every value is the player's, per initial bet, from a fresh shoe, without insurance.

    Attributes
    ----------
    rules
        The rules.
    edge, standard_deviation, by_up_card
        The best play, which looks at every card of the hand: its value, the standard deviation of a round, and its value against
        each up-card, or each of the dealer's totals where both cards lie open.
    chart, chart_edge, chart_standard_deviation
        The best chart, which looks at totals and pairs only, its value, and the standard deviation of a round played by it.

    Examples
    --------
    >>> best = analyse(BlackjackRules(decks="infinite"))
    >>> print(f"{best.edge:+.4%} {best.chart_edge:+.4%} {best.by_up_card['6']:+.3f}")
    -0.5117% -0.5117% +0.234
    >>> best.chart["16", "T"].value
    'H'
    """

    rules: BlackjackRules
    edge: float
    standard_deviation: float
    by_up_card: dict[str, float]
    chart: Chart
    chart_edge: float
    chart_standard_deviation: float
    _exact: exact.Analysis

    @property
    def hands(self) -> tuple[exact.HandAnalysis, ...]:
        """Every first two cards against every up-card: how often they come, and what each action is worth."""
        return self._exact.hands

    def values(self, hand: str, up: str, seen: str = "") -> HandValues:
        """Return what every action is worth with a hand.

        Parameters
        ----------
        hand
            Ranks, such as ``T-6``, ``T,6`` or ``T6``.
        up
            The dealer's up-card, such as ``T`` or ``A``; both cards, such as ``T,6``, where they lie open.
        seen
            Other cards that are out of the shoe, such as ``5,5,A``.

        Raises
        ------
        CardError
            If these are no cards of the shoe, or the hand is bust.

        Examples
        --------
        >>> best = analyse(BlackjackRules(decks=1))
        >>> print(best.values("T-6", up="T", seen="5,5,A"))
        T,6 (16) against T
        stand   -0.5522
        hit     -0.5765
        double  -1.1529
        """
        return shown_hand_values(self.rules, hand, up, parse_ranks(seen, what="seen"))

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        return {
            "best play (by every card of the hand)": f"{self.edge:+.5%} of the initial bet, "
            f"standard deviation {self.standard_deviation:.4f}",
            "best chart (by totals and pairs)": f"{self.chart_edge:+.5%} of the initial bet, "
            f"standard deviation {self.chart_standard_deviation:.4f}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def _repr_html_(self) -> str:
        """Show the facts and the best chart in a notebook."""
        return Result._repr_html_(self) + self.chart._repr_html_()

    def figures(self) -> dict[str, Any]:
        """Return everything but the single hands and the rules as plain values."""
        return {
            "edge": self.edge,
            "standard_deviation": self.standard_deviation,
            "by_up_card": self.by_up_card,
            "chart_edge": self.chart_edge,
            "chart_standard_deviation": self.chart_standard_deviation,
            "chart": self.chart.to_dict(),
        }

    def to_csv(self) -> str:
        """Write every first two cards against every up-card as CSV."""
        return self._exact.to_csv()

    def to_frame(self) -> "pd.DataFrame":
        """Return every first two cards against every up-card as a data frame.

        The columns are ``hand``, ``up_card``, ``probability``, ``value``, ``best``, and one for each action.
        """
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        lines = [
            {
                "hand": ",".join(POINT_CLASSES[point] for point in hand.hand),
                "up_card": exact.shown_text(hand.up_card, hand.hole_card),
                "probability": hand.probability,
                "value": hand.value,
                "best": hand.best,
                **hand.actions,
            }
            for hand in self.hands
        ]
        return pd.DataFrame(lines)


def analyse(rules: BlackjackRules | None = None, *, step: Step = lambda _: None) -> GameAnalysis:
    """Solve a rule set exactly: its value, its best chart, and every hand.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given.
    step
        Told what is computed next; it may raise to stop.

    Raises
    ------
    RulesError
        If there are no exact values under these rules.

    Examples
    --------
    >>> analyse(BlackjackRules(decks=1, double_after_split=False, split_hands=2))  # doctest: +ELLIPSIS
    <GameAnalysis: best play (by every card of the hand) +0.02427% of the initial bet, standard deviation 1.14...
    """
    chosen = BlackjackRules() if rules is None else rules
    step(say("simulator.part.hands"))
    game = _exact(chosen)
    step(say("simulator.part.deviation"))
    deviation = _deviation(chosen)
    step(say("simulator.part.chart"))
    best = best_chart(chosen)
    return GameAnalysis(
        chosen,
        game.value,
        deviation,
        game.by_up_card(),
        best.chart,
        best.value,
        _chart_deviation(chosen),
        game,
    )


@lru_cache(REMEMBERED)
def _exact(rules: BlackjackRules) -> exact.Analysis:
    return exact.analyse(rules)


@lru_cache(REMEMBERED)
def _deviation(rules: BlackjackRules) -> float:
    return standard_deviation(_exact(rules))


@lru_cache(REMEMBERED)
def _chart_deviation(rules: BlackjackRules) -> float:
    return chart_standard_deviation(rules, best_chart(rules).chart)
