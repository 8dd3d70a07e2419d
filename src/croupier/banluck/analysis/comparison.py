"""Rule sets side by side: what each game is worth, and how much luck is in it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.banluck.analysis import html
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.errors import InputError
from croupier.extras import needs

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Comparison:
    """Solved rule sets in the order in which they were named."""

    solutions: tuple[Solution, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data, a row a rule set."""
        rows = [
            {
                "rules": BANLUCK.describe(solution.rules),
                "value": solution.value,
                "std": solution.standard_deviation,
                "win": solution.outcomes.win,
                "push": solution.outcomes.push,
                "lose": solution.outcomes.loss,
            }
            for solution in self.solutions
        ]
        return {"rows": rows, "version": __version__}

    def to_frame(self) -> "pd.DataFrame":
        """Return the figures as a table, a row a rule set."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame(self.to_dict()["rows"])

    def __str__(self) -> str:
        rows = self.to_dict()["rows"]
        width = max(len("rules"), *(len(row["rules"]) for row in rows))
        head = f"{'rules':<{width}} {'value':>10} {'std':>7} {'wins':>7} {'pushes':>7} {'loses':>7}"
        lines = [
            f"{row['rules']:<{width}} {row['value']:>+10.6f} {row['std']:>7.4f} {row['win']:>7.2%} {row['push']:>7.2%} {row['lose']:>7.2%}"
            for row in rows
        ]
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        return html.table(self.to_dict()["rows"], "Banluck: units a hand, from the player's side")


def compare(*games: str | BanluckRules | Solution) -> Comparison:
    """Solve rule sets and put them side by side.

    Parameters
    ----------
    games
        Names of presets, rules, or games that are solved already.

    Examples
    --------
    >>> from croupier import banluck
    >>> print(banluck.compare("reference", "symmetric"))
    rules          value     std    wins  pushes   loses
    reference  -0.011894  1.0551  38.00%  14.85%  47.15%
    symmetric  -0.077684  1.1651  38.31%  14.80%  46.90%
    """
    if not games:
        raise InputError(
            "nothing to compare; name presets or rules, such as compare('reference', 'singapore')"
        )
    return Comparison(tuple(_solved(game) for game in games))


def _solved(game: str | BanluckRules | Solution) -> Solution:
    if isinstance(game, Solution):
        return game
    return solve(BANLUCK.rules(game) if isinstance(game, str) else game)
