"""The player's best play against the classic dealer, with everything that can be read off it."""

from dataclasses import fields
from typing import Any

from croupier.banluck.analysis import html
from croupier.banluck.analysis.matchup import Matchup
from croupier.banluck.engine.rules import BANLUCK, REFERENCE, BanluckRules
from croupier.banluck.solvers.baseline import Baseline, solve_baseline
from croupier.banluck.solvers.strategy import DealerStrategy


class BestReply(Matchup, Baseline):
    """The best reply to a dealer who never changes: its exact value, its decisions, and how hands end."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data; ``stderr`` is 0 because they are exact."""
        return {**Baseline.to_dict(self), "std": self.standard_deviation, "stderr": 0.0}

    def __str__(self) -> str:
        return (
            f"Banluck, rules {BANLUCK.describe(self.rules)}: best play against this dealer makes {self.value:+.6f} units a hand, "
            f"standard deviation {self.standard_deviation:.4f}"
        )

    def _repr_html_(self) -> str:
        decisions = (advice for advice in self.book.player_decisions if advice.value.card_count == 2)
        rows = (
            {
                "hand": row["hand"],
                "total": row["total"],
                "stand": row["ev_stop"],
                "hit": row["ev_go"],
                "best": row["best"],
            }
            for row in (advice.to_dict() for advice in decisions)
        )
        return html.table(rows, str(self))


def baseline(rules: BanluckRules = REFERENCE, dealer: DealerStrategy | None = None) -> BestReply:
    """Find the player's best play against a dealer (the classic one if none is given), by backward induction.

    Examples
    --------
    >>> from croupier import banluck
    >>> reply = banluck.baseline()
    >>> f"{reply.value:+.6f}", reply.book["T-6"].best
    ('+0.012375', 'stand')
    """
    found = solve_baseline(rules, dealer)
    return BestReply(**{field.name: getattr(found, field.name) for field in fields(found)})
