"""The table behind the report's look-up by hand: every multiset with its decisions, or why there is none."""

import math
from typing import Any

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.hand import HandValue
from croupier.banluck.engine.multisets import MULTISETS, format_multiset
from croupier.banluck.engine.permissions import must_be_opened, openable
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules
from croupier.banluck.solvers.hand_table import hand_table
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS

_COLUMNS = ("stop", "go", "ev_stop", "ev_go", "go_frequency", "best", "cost_of_mistake", "reach")


def lookup_table(book: StrategyBook) -> dict[str, dict[str, Any]]:
    """Return every hand by name, with a decision or a reason for each who might decide.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> table = lookup_table(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules))
    >>> table["T-6"]["value"], table["T-6"]["decisions"]["player"]["go_frequency"]
    ('16 in 2 cards', 0.0)
    >>> table["A-T"]["decisions"]["player"]
    'a Ban hand is settled at once'
    """
    player = {advice.hand: advice for advice in book.player_decisions}
    surrenders = [advice for advice in book.dealer_decisions if advice.go == "keep"]
    dealer = book.dealer_lookup
    table = {}
    for hand, value in zip(MULTISETS, hand_table(book.rules).values, strict=True):
        decisions: dict[str, Any] = {"player": _decision(player.get(hand), _why_not_player(value))}
        for advice in surrenders:
            if advice.hand == hand:
                decisions[f"dealer's surrender, {advice.against}"] = _decision(advice, "")
        for count in PLAYER_CARD_COUNTS:
            reason = _why_not_dealer(value, book.rules, count)
            decisions[f"dealer against {count} cards"] = _decision(dealer.get((hand, count)), reason)
        table[format_multiset(hand)] = {"value": _described(value), "decisions": _without_repeats(decisions)}
    return table


def decision_figures(advice: Advice) -> dict[str, Any]:
    """Return the figures of a decision as JSON data; a figure that does not exist is None."""
    data = advice.to_dict()
    return {name: _finite(data[name]) for name in _COLUMNS}


def _decision(advice: Advice | None, reason: str) -> dict[str, Any] | str:
    return reason if advice is None else decision_figures(advice)


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _described(value: HandValue) -> str:
    return (
        f"{value}"
        if value.is_ban or value.is_bust or value.is_five_card
        else f"{value} in {value.card_count} cards"
    )


def _why_over(value: HandValue) -> str:
    if value.is_ban:
        return "a Ban hand is settled at once"
    if value.is_bust:
        return "the hand is bust"
    return "five cards are the most" if value.card_count == MAX_CARDS else ""


def _why_not_player(value: HandValue) -> str:
    return _why_over(value) or "21 must stand"


def _why_not_dealer(value: HandValue, rules: BanluckRules, player_cards: int) -> str:
    if over := _why_over(value):
        return over
    if value.total < rules.dealer_minimum:
        return f"the dealer must draw below {rules.dealer_minimum}"
    if value.total > rules.dealer_choice_max:
        return f"the dealer stands on {value.total}"
    if must_be_opened(player_cards, rules):
        return f"{openable(rules)} must be opened now"
    return "this hand cannot come up in play"


def _without_repeats(decisions: dict[str, Any]) -> dict[str, Any]:
    """Put the dealer's lines into one where the same reason holds against every card count."""
    lines = {who: said for who, said in decisions.items() if who.startswith("dealer against")}
    reasons = {said for said in lines.values() if isinstance(said, str)}
    if len(reasons) != 1 or any(not isinstance(said, str) for said in lines.values()):
        return decisions
    others = {who: said for who, said in decisions.items() if who not in lines}
    return {**others, "dealer": reasons.pop()}
