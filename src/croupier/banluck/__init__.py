"""Banluck (ban luck, Chinese blackjack): one dealer, one to seven players, one fresh deck a hand.

These names are the public API; everything deeper may move. Each loads when it is first used.

Examples
--------
>>> from croupier import banluck
>>> solution = banluck.solve(banluck.Rules(surrender="none"))
>>> f"{solution.value:+.5f}"
'+0.01010'
>>> solution.chart["T-6"]
'stand'
>>> decision = solution.book["T-6"]
>>> decision.stand > decision.hit
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = [
    "BestReply",
    "Comparison",
    "Explanation",
    "Price",
    "Rules",
    "Sensitivity",
    "SimulationResult",
    "Solution",
    "Table",
    "View",
    "baseline",
    "compare",
    "presets",
    "price",
    "rules",
    "sensitivity",
    "simulate",
    "solve",
    "table",
]

#: Where each public name is defined, and under which name.
_HOMES = {
    "BestReply": ("analysis.baseline", "BestReply"),
    "Comparison": ("analysis.comparison", "Comparison"),
    "Explanation": ("analysis.explain", "Explanation"),
    "Price": ("analysis.matchup", "Price"),
    "Rules": ("engine.rules", "BanluckRules"),
    "Sensitivity": ("analysis.sensitivity", "Sensitivity"),
    "SimulationResult": ("analysis.simulator", "SimulationResult"),
    "Solution": ("analysis.solution", "Solution"),
    "Table": ("play.table", "BanluckTable"),
    "View": ("play.view", "BanluckView"),
    "baseline": ("analysis.baseline", "baseline"),
    "compare": ("analysis.comparison", "compare"),
    "presets": ("engine.rules", "presets"),
    "price": ("analysis.named_strategies", "price"),
    "rules": ("engine.rules", "rules"),
    "sensitivity": ("analysis.sensitivity", "sensitivity"),
    "simulate": ("analysis.runs", "simulate"),
    "solve": ("analysis.solving", "solve"),
    "table": ("play.table", "table"),
}

if TYPE_CHECKING:
    from croupier.banluck.analysis.baseline import BestReply, baseline
    from croupier.banluck.analysis.comparison import Comparison, compare
    from croupier.banluck.analysis.explain import Explanation
    from croupier.banluck.analysis.matchup import Price
    from croupier.banluck.analysis.named_strategies import price
    from croupier.banluck.analysis.runs import simulate
    from croupier.banluck.analysis.sensitivity import Sensitivity, sensitivity
    from croupier.banluck.analysis.simulator import SimulationResult
    from croupier.banluck.analysis.solution import Solution
    from croupier.banluck.analysis.solving import solve
    from croupier.banluck.engine.rules import BanluckRules as Rules
    from croupier.banluck.engine.rules import presets, rules
    from croupier.banluck.play.table import BanluckTable as Table
    from croupier.banluck.play.table import table
    from croupier.banluck.play.view import BanluckView as View
else:  # hidden from type checkers, so that they refuse a name that is not there

    def __getattr__(name: str) -> object:
        """Load a public name from its home, and keep it."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, original = _HOMES[name]
        found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), original)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
