"""Two rule sets side by side: what differs in the options, in the edge, and in the chart."""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.rulebook import Rules
from croupier.texts import say
from croupier.web.models.rule_names import option_name, value_name


@dataclass(frozen=True, slots=True)
class Summary:
    """What is compared of a solved rule set: the player's edge per unit bet, and the advice of every cell of the chart."""

    edge: float
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two rule sets differ.

    Attributes
    ----------
    sentence
        Whom the second one favours, and by how much.
    options, cells
        What differs: a name, and its value under the first and under the second rules.
    """

    sentence: str
    options: tuple[tuple[str, str, str], ...]
    cells: tuple[tuple[str, str, str], ...]


def compared(game: str, rules: tuple[Rules, Rules], found: tuple[Summary, Summary]) -> Comparison:
    """Compare two solved rule sets of a game.

    Examples
    --------
    >>> from croupier.blackjack.engine import BlackjackRules
    >>> both = BlackjackRules(), BlackjackRules(soft17="hit")
    >>> told = compared("blackjack", both, (Summary(-0.004, {"11 against A": "H"}), Summary(-0.006, {"11 against A": "D"})))
    >>> print(told.sentence)
    The player's edge is −0.400 % by the first rules and −0.600 % by the second: these cost the player 0.200 %.
    >>> told.options, told.cells
    ((('On a soft 17', 'stands', 'hits'),), (('11 against A', 'H', 'D'),))
    """
    first, second = found
    change = 100 * (second.edge - first.edge)
    names = dict.fromkeys((*first.cells, *second.cells))
    return Comparison(
        sentence=say(
            "comparison.gives" if change > 0 else "comparison.costs",
            first=100 * first.edge,
            second=100 * second.edge,
            change=abs(change),
        ),
        options=tuple(
            (option_name(game, name), value_name(name, getattr(rules[0], name)), value_name(name, value))
            for name, value in rules[1].changes(rules[0]).items()
        ),
        cells=tuple(
            (name, first.cells.get(name, "–"), second.cells.get(name, "–"))
            for name in names
            if first.cells.get(name) != second.cells.get(name)
        ),
    )
