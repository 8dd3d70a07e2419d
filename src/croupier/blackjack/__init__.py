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

from typing import TYPE_CHECKING

from croupier.lazy import lazy_names

if TYPE_CHECKING:
    from croupier.blackjack.counting.answers import Answer as Answer
    from croupier.blackjack.counting.direct_play import Cover as Cover
    from croupier.blackjack.counting.index_values import IndexValues as IndexValues
    from croupier.blackjack.counting.index_values import index_values as index_values
    from croupier.blackjack.counting.mistake_prices import MistakePrices as MistakePrices
    from croupier.blackjack.counting.mistake_prices import mistake_prices as mistake_prices
    from croupier.blackjack.counting.profile import CountProfile as CountProfile
    from croupier.blackjack.counting.profile_runs import profile as profile
    from croupier.blackjack.counting.result import CountingResult as CountingResult
    from croupier.blackjack.counting.runs import count as count
    from croupier.blackjack.counting.side_counts import SideCount as SideCount
    from croupier.blackjack.counting.side_counts import side_count as side_count
    from croupier.blackjack.counting.system import CountingSystem as CountingSystem
    from croupier.blackjack.counting.system_comparison import SystemComparison as SystemComparison
    from croupier.blackjack.counting.system_comparison import compare_systems as compare_systems
    from croupier.blackjack.engine.moves import Move as Move
    from croupier.blackjack.engine.rules import BlackjackRules
    from croupier.blackjack.engine.rules import presets as presets
    from croupier.blackjack.engine.rules import rules as rules
    from croupier.blackjack.engine.side_bets import SideBets as SideBets
    from croupier.blackjack.evolution.evolved_chart import EvolvedChart as EvolvedChart
    from croupier.blackjack.evolution.runs import evolve as evolve
    from croupier.blackjack.play.table import BlackjackTable as BlackjackTable
    from croupier.blackjack.play.table import table as table
    from croupier.blackjack.simulation.result import SimulationResult as SimulationResult
    from croupier.blackjack.simulation.runs import simulate as simulate
    from croupier.blackjack.solvers.analysis import GameAnalysis as GameAnalysis
    from croupier.blackjack.solvers.analysis import analyse as analyse
    from croupier.blackjack.solvers.chart import Chart as Chart
    from croupier.blackjack.solvers.chart import Code as Code
    from croupier.blackjack.solvers.hand_values import HandValues as HandValues
    from croupier.blackjack.solvers.pricing import CellPrice as CellPrice
    from croupier.blackjack.solvers.pricing import PricedChart as PricedChart
    from croupier.blackjack.solvers.pricing import price as price

    Rules = BlackjackRules
    __all__: list[str]
else:  # hidden from type checkers, so that they refuse a name that is not there
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "counting.answers": "Answer",
            "counting.direct_play": "Cover",
            "counting.index_values": "IndexValues index_values",
            "counting.mistake_prices": "MistakePrices mistake_prices",
            "counting.profile": "CountProfile",
            "counting.profile_runs": "profile",
            "counting.result": "CountingResult",
            "counting.runs": "count",
            "counting.side_counts": "SideCount side_count",
            "counting.system": "CountingSystem",
            "counting.system_comparison": "SystemComparison compare_systems",
            "engine.moves": "Move",
            "engine.rules": "Rules=BlackjackRules presets rules",
            "engine.side_bets": "SideBets",
            "evolution.evolved_chart": "EvolvedChart",
            "evolution.runs": "evolve",
            "play.table": "BlackjackTable table",
            "simulation.result": "SimulationResult",
            "simulation.runs": "simulate",
            "solvers.analysis": "GameAnalysis analyse",
            "solvers.chart": "Chart Code",
            "solvers.hand_values": "HandValues",
            "solvers.pricing": "CellPrice PricedChart price",
        },
    )
