"""Two strategies that meet under one rule set, and everything that can be read off them exactly."""

import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from croupier.banluck.analysis.decision_tables import Side, decisions_frame, export_tables
from croupier.banluck.analysis.explain import Explanation, explain_dealer, explain_player
from croupier.banluck.analysis.heat_map import HeatMap, dealer_heats, player_heat
from croupier.banluck.analysis.outcomes import OutcomeDistribution, outcome_distribution
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine.multisets import Multiset, parse_multiset
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.errors import InputError
from croupier.extras import needs
from croupier.results import FromRules, Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Matchup(Result):
    """A player's and a dealer's strategy under one rule set; what takes time is worked out when it is first asked for."""

    # A subclass brings these as fields.
    rules: BanluckRules
    player: PlayerStrategy
    dealer: DealerStrategy

    @cached_property
    def book(self) -> StrategyBook:
        """Every decision of both sides: ``book["T-6"]`` is the player's, ``book["T-7", 3]`` the dealer's against three cards."""
        return StrategyBook(self.player, self.dealer, self.rules)

    @cached_property
    def outcomes(self) -> OutcomeDistribution:
        """How a hand ends, and how often."""
        return outcome_distribution(self.player, self.dealer, self.rules)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one hand, in units."""
        return self.outcomes.std

    @cached_property
    def player_heat(self) -> HeatMap:
        """The player's decisions by number of cards, soft or hard, and total."""
        return player_heat(self.book)

    @cached_property
    def dealer_heats(self) -> tuple[HeatMap, ...]:
        """The dealer's decisions, one map for each card count of the player that the dealer can tell apart."""
        return dealer_heats(self.book)

    def explain(self, hand: str | Multiset, *, player_cards: int | None = None) -> Explanation:
        """Explain a decision: what each action is worth, how it ends, and why.

        Parameters
        ----------
        hand
            Ranks or cards, such as ``T-6`` or ``KS 6H``.
        player_cards
            How many cards the player holds, if the hand is the dealer's; leave it out for the player's own hand.

        Raises
        ------
        InputError
            If there is no such hand, or it leaves nothing to decide.

        Examples
        --------
        >>> from croupier import banluck
        >>> print(banluck.solve().explain("T-6").sentences[0])
        You hold T-6, a hard 16 in two cards: stand (worth −0.451 units); hit is worth −0.487 and costs 0.035.
        """
        held = parse_multiset(hand) if isinstance(hand, str) else hand
        if player_cards is None:
            return explain_player(self.book, held)
        return explain_dealer(self.book, held, player_cards)

    def plot(self, side: Side | Literal["outcomes"] = "player") -> "Figure":
        """Draw a heat map of a side's decisions (what going on gains over stopping), or how hands end.

        Examples
        --------
        >>> from croupier import banluck
        >>> banluck.solve().plot().axes[0].get_xlabel()
        "player's total"
        """
        needs("plots")
        from croupier.banluck.analysis import plots  # noqa: PLC0415 - loads the plotting libraries

        drawings: dict[str, Callable[[], Figure]] = {
            "player": lambda: plots.player_heat_map(self.book),
            "dealer": lambda: plots.dealer_heat_map(self.book),
            "outcomes": lambda: plots.outcome_plot(self.outcomes),
        }
        if side not in drawings:
            raise InputError(f"no plot '{side}'; choose {', '.join(drawings)}")
        return drawings[side]()

    def export(self, folder: Path | str) -> list[Path]:
        """Write every decision of both sides as CSV and JSON; return the paths."""
        return export_tables(self.book, Path(folder))

    def to_frame(self, side: Side = "player") -> "pd.DataFrame":
        """Return every decision of a side as a table, a row a hand.

        >>> from croupier import banluck
        >>> list(banluck.solve().to_frame().columns)[:4]
        ['hand', 'cards', 'total', 'soft']
        """
        return decisions_frame(self.book, side)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data; the strategies are in :meth:`to_frame` and :meth:`export`."""

    def to_json(self) -> str:
        """Return the figures as JSON.

        >>> import json
        >>> from croupier import banluck
        >>> json.loads(banluck.solve().to_json())["converged"]
        True
        """
        return json.dumps(self.to_dict())


@dataclass(frozen=True, eq=False, repr=False)
class Price(FromRules, Matchup):
    """What two strategies are worth against each other, exactly, in player's units a hand.

    Attributes
    ----------
    value
        What the player makes.
    at_least
        What the player makes against the dealer who answers this player best.
    at_most
        What the best player makes against this dealer.
    """

    rules: BanluckRules
    player: PlayerStrategy
    dealer: DealerStrategy
    value: float
    at_least: float
    at_most: float

    def figures(self) -> dict[str, Any]:
        """Return what the strategies are worth as plain values."""
        exact = {"value": self.value, "at_least": self.at_least, "at_most": self.at_most}
        return {**exact, "std": self.standard_deviation}

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        return {
            "rules": BANLUCK.describe(self.rules),
            "value": f"{self.value:+.6f} units a hand for the player",
            "against the best dealer": f"{self.at_least:+.6f}",
            "for the best player": f"{self.at_most:+.6f}",
            "standard deviation": f"{self.standard_deviation:.4f} units",
        }
