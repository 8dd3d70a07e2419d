"""Blackjack: exact analysis, simulation, counting and evolution of charts under any rules, and a table to play at.

Everything here loads when it is first used. Deeper modules are internal and may move.

Examples
--------
>>> from croupier import blackjack
>>> rules = blackjack.Rules(decks=6, soft17="hit")
>>> best = blackjack.analyse(rules)
>>> print(f"{best.edge:+.4%}")
-0.6154%
>>> mine = best.chart.replace({("12", "3"): "S"})
>>> blackjack.price(rules, mine).cells[0].row
'12'
>>> blackjack.rules("vegas-strip", decks=2).decks
2
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.blackjack.counting.result import CountingResult
    from croupier.blackjack.counting.runs import count
    from croupier.blackjack.counting.system import CountingSystem
    from croupier.blackjack.engine.moves import Move
    from croupier.blackjack.engine.rules import BlackjackRules as Rules
    from croupier.blackjack.engine.rules import presets, rules
    from croupier.blackjack.engine.side_bets import SideBets
    from croupier.blackjack.evolution.evolved_chart import EvolvedChart
    from croupier.blackjack.evolution.runs import evolve
    from croupier.blackjack.play.table import BlackjackTable, table
    from croupier.blackjack.simulation.result import SimulationResult
    from croupier.blackjack.simulation.runs import simulate
    from croupier.blackjack.solvers.analysis import GameAnalysis, analyse
    from croupier.blackjack.solvers.chart import Chart, Code
    from croupier.blackjack.solvers.hand_values import HandValues
    from croupier.blackjack.solvers.pricing import CellPrice, PricedChart, price

#: The module of each public name, and after a colon what it is called there if that differs.
_HOMES = {
    "BlackjackTable": "play.table",
    "CellPrice": "solvers.pricing",
    "Chart": "solvers.chart",
    "Code": "solvers.chart",
    "CountingResult": "counting.result",
    "CountingSystem": "counting.system",
    "EvolvedChart": "evolution.evolved_chart",
    "GameAnalysis": "solvers.analysis",
    "HandValues": "solvers.hand_values",
    "Move": "engine.moves",
    "PricedChart": "solvers.pricing",
    "Rules": "engine.rules:BlackjackRules",
    "SideBets": "engine.side_bets",
    "SimulationResult": "simulation.result",
    "analyse": "solvers.analysis",
    "count": "counting.runs",
    "evolve": "evolution.runs",
    "presets": "engine.rules",
    "price": "solvers.pricing",
    "rules": "engine.rules",
    "simulate": "simulation.runs",
    "table": "play.table",
}

__all__ = [
    "BlackjackTable",
    "CellPrice",
    "Chart",
    "Code",
    "CountingResult",
    "CountingSystem",
    "EvolvedChart",
    "GameAnalysis",
    "HandValues",
    "Move",
    "PricedChart",
    "Rules",
    "SideBets",
    "SimulationResult",
    "analyse",
    "count",
    "evolve",
    "presets",
    "price",
    "rules",
    "simulate",
    "table",
]

if not TYPE_CHECKING:  # hidden from type checkers, so that they refuse a name that is not there

    def __getattr__(name: str) -> object:
        """Load a public name from the module that it lives in."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, inner = _HOMES[name].partition(":")
        value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), inner or name)
        return value


def __dir__() -> list[str]:
    return list(__all__)
