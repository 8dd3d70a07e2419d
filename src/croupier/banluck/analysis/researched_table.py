"""A table of several players about which questions are asked, and the form of the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from croupier.banluck.analysis.counts_plan import plan_of
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import EXACT_PLAYERS
from croupier.banluck.analysis.table_plans import TablePlan
from croupier.banluck.analysis.table_prices import Results, SampledPrices, TablePrices, counted_results
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.analysis.two_player_prices import TwoPlayerPrices
from croupier.banluck.engine.rules import BanluckRules
from croupier.texts import in_row, say


@dataclass(frozen=True)
class ResearchedTable:
    """A solved table, the game of one player by the same rules, and where other tables come from."""

    solution: TableSolution
    heads_up: Solution
    solved: Callable[[BanluckRules, int], TableSolution]

    @property
    def rules(self) -> BanluckRules:
        """The rules of the table."""
        return self.solution.rules

    @property
    def players(self) -> int:
        """How many play against the dealer."""
        return self.solution.players

    @cached_property
    def prices(self) -> TablePrices:
        """What other ways to play earn here."""
        if self.players == EXACT_PLAYERS:
            return TwoPlayerPrices(self.solution)
        return SampledPrices(self.solution, self.plan)

    @cached_property
    def plan(self) -> TablePlan:
        """The solved strategies, for dealt hands."""
        return plan_of(self.solution, self.heads_up)

    @cached_property
    def results(self) -> tuple[Results, ...]:
        """How the results of each seat and, last, the dealer are distributed."""
        return counted_results(self.plan, self.solution)

    @property
    def certificate(self) -> str:
        """Say how sure the values are."""
        found = self.solution
        if found.stderr is None:
            return say("several.answer.certificate", gain=found.largest_gain)
        error = max(found.stderr)
        return say("several.answer.certificate_sampled", gain=found.largest_gain, error=error)


class Answer(NamedTuple):
    """What a finding says, and what is behind it."""

    text: str
    figures: Mapping[str, float] = {}
    rows: tuple[Mapping[str, Any], ...] = ()


def by_seat(key: str, separator: str = "list.more", **values: Sequence[Any]) -> str:
    """Say the same of every seat."""
    said = [
        say(f"several.answer.{key}", number=seat, **dict(zip(values, of_seat, strict=True)))
        for seat, of_seat in enumerate(zip(*values.values(), strict=True), start=1)
    ]
    return in_row(said, separator)


def column(name: str, **values: Any) -> str:
    """Name a column of an answer's table."""
    return say(f"several.column.{name}", **values)
