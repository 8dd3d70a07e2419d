"""The coach: what a decision at the table is worth, and what the choice costs.

The figures come from a :class:`~croupier.banluck.analysis.strategy_book.StrategyBook`. They hold for one player against the
dealer, and for best play afterwards.
"""

import math
from dataclasses import dataclass

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine import Action, ActionKind, GameState, Phase
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.solvers.choice import shown_to_dealer

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

#: Differences below the solver's own tolerance are no mistakes.
NO_MISTAKE = 1e-6


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice between two actions, in expected units of whoever decides; NaN where best play never gets there."""

    chosen: str
    rejected: str
    worth: float
    rejected_worth: float

    @property
    def is_known(self) -> bool:
        """Whether there is anything to compare: best play of the other side lets the decision come up."""
        return not math.isnan(self.worth)

    @property
    def cost(self) -> float:
        """What the choice gives up, in units.

        >>> round(Judgement("hit", "stand", -0.48, -0.45).cost, 2), Judgement("hit", "stand", 0.2, 0.1).cost
        (0.03, 0.0)
        """
        return max(self.rejected_worth - self.worth, 0.0) if self.is_known else 0.0

    @property
    def is_right(self) -> bool:
        """Whether nothing better was there, as far as the solver can tell."""
        return self.cost < NO_MISTAKE


def advice_at(book: StrategyBook, state: GameState) -> Advice:
    """Look up the decision that a state asks somebody for, heads-up.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, deal, new_hand
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> book = StrategyBook(stand_on(16, rules), classic_dealer(rules), rules)
    >>> state = deal(new_hand(rules), [parse_cards("10H 6C")], parse_cards("9C KD"))
    >>> advice_at(book, state) is book.player_advice(multiset_of(parse_cards("10H 6C")))
    True
    """
    if state.turn is not None:
        return book.player_advice(multiset_of(state.seats[state.turn].cards))
    dealer = multiset_of(state.dealer_cards)
    if state.phase is Phase.SURRENDER:
        return book.surrender_advice(dealer, shown_to_dealer(state))
    return book.dealer_advice(dealer, len(state.seats[state.closed_seats[0]].cards))


def judge(book: StrategyBook, state: GameState, action: Action) -> Judgement:
    """Compare an action with the other one that was there.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, deal, legal_actions, new_hand
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> book = StrategyBook(stand_on(16, rules), classic_dealer(rules), rules)
    >>> state = deal(new_hand(rules), [parse_cards("10H 9C")], parse_cards("9D KD"))
    >>> [judge(book, state, action).is_right for action in legal_actions(state)]
    [False, True]
    """
    advice = advice_at(book, state)
    chosen = ACTION_WORDS[action.kind]
    rejected = advice.stop if chosen == advice.go else advice.go
    return Judgement(chosen, rejected, advice.expected(chosen), advice.expected(rejected))
