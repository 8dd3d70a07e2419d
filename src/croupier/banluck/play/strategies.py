"""Strategies as a table uses them: how everybody else plays, and what each choice of the person is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from croupier.banluck.analysis.action_prices import Prices, sampled_prices
from croupier.banluck.analysis.counts_plan import CountsPlan
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.analysis.table_plans import HeadsUpPlan, TablePlan, TwoPlayerPlan
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import (
    DEALER,
    Action,
    ActionKind,
    BanluckRules,
    GameState,
    Phase,
    legal_actions,
    observe,
)
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.engine.observation import Observation
from croupier.banluck.solvers.choice import action_probabilities, shown_to_dealer
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.banluck.solvers.table.choice import TablePlay
from croupier.banluck.solvers.table.completion import completed
from croupier.banluck.solvers.table.counts_play import CountsPlay
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy

#: What the strategy book calls the actions of the engine that are somebody's choice.
ACTION_WORDS = {
    ActionKind.HIT: "hit",
    ActionKind.STAND: "stand",
    ActionKind.SURRENDER: "surrender",
    ActionKind.KEEP: "keep",
    ActionKind.DRAW: "draw",
    ActionKind.REVEAL: "reveal",
    ActionKind.DEALER_STAND: "stand",
}


class Strategies(Protocol):
    """How each seat and the dealer play at a table, by what :func:`~croupier.banluck.engine.observe` shows to them."""

    def probabilities(self, state: GameState) -> Mapping[Action, float]:
        """Return how often whoever is to act takes each legal action."""


class PricedStrategies(Strategies, Protocol):
    """Strategies that also know what each choice is worth: those of a solution, for the coach."""

    def prices(self, state: GameState) -> Prices:
        """Return what each legal action is worth to whoever is to act."""


@dataclass(frozen=True, slots=True, eq=False)
class RulesOfThumb:
    """The opponents of a first evening: the classic dealer, and players who stand on the minimum.

    Examples
    --------
    >>> from croupier.banluck.engine import deal, new_hand
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> state = deal(new_hand(rules), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> RulesOfThumb.of(rules).probabilities(state)[Action(ActionKind.STAND, 0)]
    1.0
    """

    player: PlayerStrategy
    dealer: DealerStrategy

    @classmethod
    def of(cls, rules: BanluckRules) -> "RulesOfThumb":
        """Return them for these rules."""
        return cls(stand_on(rules.player_minimum, rules), classic_dealer(rules))

    def probabilities(self, state: GameState) -> Mapping[Action, float]:
        """Return how often whoever is to act takes each legal action."""
        return action_probabilities(state, self.player, self.dealer)


@dataclass(frozen=True, slots=True, eq=False)
class HeadsUpStrategies:
    """The solution for one player against the dealer, at a table of any size.

    With several players each seat plays as if it were alone, and the dealer asks about each closed player in turn. That is no
    equilibrium of several players. Choices are then priced by sampling, if everybody plays on in this way.

    Examples
    --------
    >>> from croupier import banluck
    >>> from croupier.banluck.engine import deal, new_hand
    >>> from croupier.cards import parse_cards
    >>> strategies = HeadsUpStrategies(banluck.solve())
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> {str(action.kind): round(units, 3) for action, units in strategies.prices(state).worth.items()}
    {'hit': -0.487, 'stand': -0.451}
    """

    solution: Solution

    def probabilities(self, state: GameState) -> Mapping[Action, float]:
        """Return how often whoever is to act takes each legal action."""
        return action_probabilities(state, self.solution.player, self.solution.dealer)

    def prices(self, state: GameState) -> Prices:
        """Return what each legal action is worth: by the strategy book for one player, by sampling for several."""
        if len(state.seats) > 1:
            solution = self.solution
            plan = HeadsUpPlan.of(solution.rules, solution.player, solution.dealer)
            return sampled_prices(_sight(state), plan)
        advice = self._advice(state)
        return Prices({action: advice.expected(ACTION_WORDS[action.kind]) for action in legal_actions(state)})

    def _advice(self, state: GameState) -> Advice:
        book = self.solution.book
        if state.turn is not None:
            return book.player_advice(multiset_of(state.seats[state.turn].cards))
        dealer = multiset_of(state.dealer_cards)
        if state.phase is Phase.SURRENDER:
            return book.surrender_advice(dealer, shown_to_dealer(state))
        return book.dealer_advice(dealer, len(state.seats[state.closed_seats[0]].cards))


@dataclass(frozen=True, slots=True, eq=False)
class SolvedTable:
    """The solution for as many players as there are, in every seat and for the dealer."""

    play: TablePlay | CountsPlay
    plan: TablePlan

    @classmethod
    def of(cls, solution: TableSolution, heads_up: Solution) -> "SolvedTable":
        """Return the strategies of a solution; with two players, those for one answer what these never lead to."""
        rules = solution.rules
        if isinstance(solution.strategy, CountsStrategy):
            return cls(CountsPlay(rules, solution.strategy), CountsPlan.of(rules, solution.strategy))
        strategy = completed(solution.strategy, rules, heads_up.player, heads_up.dealer)
        return cls(TablePlay(rules, strategy), TwoPlayerPlan.of(rules, strategy))

    def probabilities(self, state: GameState) -> Mapping[Action, float]:
        """Return how often whoever is to act takes each legal action."""
        return self.play.probabilities(state)

    def prices(self, state: GameState) -> Prices:
        """Return what each legal action is worth if everybody plays on by the solution, by sampling."""
        return sampled_prices(_sight(state), self.plan)


def _sight(state: GameState) -> Observation:
    """Return what whoever is to act sees."""
    return observe(state, DEALER if state.turn is None else state.turn)
