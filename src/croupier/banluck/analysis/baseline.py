"""The player's best play against the classic dealer, with everything that can be read off it."""

from dataclasses import fields
from typing import Any

from croupier.banluck.analysis.matchup import Matchup
from croupier.banluck.engine.rules import BANLUCK, REFERENCE, BanluckRules
from croupier.banluck.solvers.baseline import Baseline, solve_baseline
from croupier.banluck.solvers.strategy import DealerStrategy


class BestReply(Matchup, Baseline):
    """The best reply to a dealer who never changes: its exact value, its decisions, and how hands end."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data; ``stderr`` is 0 because they are exact."""
        return {**Baseline.to_dict(self), "std": self.standard_deviation, "stderr": 0.0}

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        return {
            "rules": BANLUCK.describe(self.rules),
            "best play makes": f"{self.value:+.6f} units a hand against this dealer, exactly",
            "standard deviation": f"{self.standard_deviation:.4f} units",
        }


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
