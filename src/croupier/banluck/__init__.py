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

from typing import TYPE_CHECKING

from croupier.lazy import lazy_names

if TYPE_CHECKING:
    from croupier.banluck.analysis.baseline import BestReply as BestReply
    from croupier.banluck.analysis.baseline import baseline as baseline
    from croupier.banluck.analysis.comparison import Comparison as Comparison
    from croupier.banluck.analysis.comparison import compare as compare
    from croupier.banluck.analysis.explain import Explanation as Explanation
    from croupier.banluck.analysis.findings import Finding as Finding
    from croupier.banluck.analysis.matchup import Price as Price
    from croupier.banluck.analysis.named_strategies import price as price
    from croupier.banluck.analysis.questions import research as research
    from croupier.banluck.analysis.runs import simulate as simulate
    from croupier.banluck.analysis.sensitivity import Sensitivity as Sensitivity
    from croupier.banluck.analysis.sensitivity import sensitivity as sensitivity
    from croupier.banluck.analysis.simulator import SimulationResult as SimulationResult
    from croupier.banluck.analysis.solution import Solution as Solution
    from croupier.banluck.analysis.solving import solve as solve
    from croupier.banluck.analysis.table_simulator import TableSimulation as TableSimulation
    from croupier.banluck.analysis.table_solution import TableSolution as TableSolution
    from croupier.banluck.engine.rules import BanluckRules
    from croupier.banluck.engine.rules import presets as presets
    from croupier.banluck.engine.rules import rules as rules
    from croupier.banluck.play.table import BanluckTable
    from croupier.banluck.play.table import table as table
    from croupier.banluck.play.view import BanluckView

    Rules = BanluckRules
    Table = BanluckTable
    View = BanluckView
    __all__: list[str]
else:  # hidden from type checkers, so that they refuse a name that is not there
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "analysis.baseline": "BestReply baseline",
            "analysis.comparison": "Comparison compare",
            "analysis.explain": "Explanation",
            "analysis.findings": "Finding",
            "analysis.matchup": "Price",
            "analysis.named_strategies": "price",
            "analysis.questions": "research",
            "analysis.runs": "simulate",
            "analysis.sensitivity": "Sensitivity sensitivity",
            "analysis.simulator": "SimulationResult",
            "analysis.solution": "Solution",
            "analysis.solving": "solve",
            "analysis.table_simulator": "TableSimulation",
            "analysis.table_solution": "TableSolution",
            "engine.rules": "Rules=BanluckRules presets rules",
            "play.table": "Table=BanluckTable table",
            "play.view": "View=BanluckView",
        },
    )
