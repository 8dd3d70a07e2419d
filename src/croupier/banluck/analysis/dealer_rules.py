"""Ways for a dealer of several players to play that fit into a sentence: careless habits, and a rule to remember.

A rule says what the dealer does at a total of choice, by the total, soft or hard, and by whether any closed player holds two cards, any
three or five, and any four (who may be about to be paid for five). To open is to open players of three or five cards before those of four.
Opened cards play no part in it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.solvers.table.dealer_states import dealer_hands
from croupier.texts import in_row, say

_FOUR = 4

#: More groups of closed players than these are not listed where the others are.
_FEW_GROUPS = 2


class DealerWay(StrEnum):
    """What a dealer does at a total of choice."""

    DRAW = "draw"
    OPEN = "open"
    STAND = "stand"


class Kind(NamedTuple):
    """What a person notices of a dealer's hand."""

    total: int
    is_soft: bool

    @property
    def said(self) -> str:
        """The kind as text."""
        return say(f"several.dealer_rule.{'soft' if self.is_soft else 'hard'}", total=self.total)


class Closed(NamedTuple):
    """Whether any closed player holds two cards, any three or five, and any four."""

    two: bool
    odd: bool
    four: bool

    @classmethod
    def of(cls, counts: Collection[int]) -> "Closed":
        """Look at card counts.

        >>> closed = Closed.of((2, 4, 3, 2))
        >>> closed, str(closed)
        (Closed(two=True, odd=True, four=True), '2, 3/5, 4')
        """
        return cls(MIN_CARDS in counts, any(map(is_odd, counts)), _FOUR in counts)

    def __str__(self) -> str:
        return ", ".join(name for name, is_held in zip(("2", "3/5", "4"), self, strict=True) if is_held)


def is_odd(count: int) -> bool:
    """Tell whether a player of so many cards is opened before others: one who holds three or five."""
    return count not in (MIN_CARDS, _FOUR)


def kind_of(hand: int, rules: BanluckRules) -> Kind:
    """Return what a person notices of a multiset.

    >>> from croupier.banluck.engine.multisets import multiset_index, parse_multiset
    >>> kind_of(multiset_index(parse_multiset("A-6")), BanluckRules()).said
    'soft 17'
    """
    value = evaluate_classes(MULTISETS[hand], rules)
    return Kind(value.total, value.is_soft)


def kinds_of_choice(rules: BanluckRules) -> list[Kind]:
    """Return the kinds of hands on which a dealer has a choice, the lowest total first.

    >>> [kind.said for kind in kinds_of_choice(BanluckRules())]
    ['hard 16', 'soft 16', 'hard 17', 'soft 17']
    """
    hands = dealer_hands(rules)
    return sorted({kind_of(int(hands.hands[choice]), rules) for choice in hands.choices})


#: What a dealer does, by kind of hand, by who is closed, and by whether anybody of these may be opened; None leaves it to the solution.
Habit = Callable[[Kind, Closed, bool], DealerWay | None]


@dataclass(frozen=True, slots=True)
class DealerRule:
    """A rule to remember.

    Attributes
    ----------
    ways
        What to do, by kind of hand and by who is closed.
    """

    ways: Mapping[tuple[Kind, Closed], DealerWay]

    def __call__(self, kind: Kind, closed: Closed, _can_open: bool) -> DealerWay | None:
        """Do what the rule says; where it says nothing, what the solution does."""
        return self.ways.get((kind, closed))

    def rows(self) -> Iterator[dict[str, str]]:
        """Write it as a table: a row a group of closed players, a column a kind of hand."""
        kinds = sorted({kind for kind, _ in self.ways})
        for closed in sorted({closed for _, closed in self.ways}, key=lambda closed: (sum(closed), closed)):
            yield {
                say("several.column.closed"): str(closed),
                **{kind.said: dealer_way_phrase(self.ways.get((kind, closed))) for kind in kinds},
            }

    def sentences(self) -> str:
        """Say it, a sentence a kind of hand.

        >>> two, odd = Closed.of([2]), Closed.of([3])
        >>> ways = {(Kind(16, False), two): DealerWay.DRAW, (Kind(16, False), odd): DealerWay.OPEN}
        >>> DealerRule(ways).sentences()
        'Hard 16: open against (3/5); draw against (2).'
        """
        parts = []
        for kind in sorted({kind for kind, _ in self.ways}):
            by_way: dict[str, list[str]] = {}
            for (held, closed), way in sorted(self.ways.items()):
                if held == kind:
                    by_way.setdefault(dealer_way_phrase(way), []).append(group_phrase(str(closed)))
            parts.append(sentence_of(kind, by_way))
        return in_row(parts, "list.sentences")


def dealer_way_phrase(way: DealerWay | None) -> str:
    """Name what a dealer does; nothing where a rule says nothing."""
    return "" if way is None else say(f"several.dealer_rule.{way}")


def group_phrase(cards: str) -> str:
    """Name closed players by how many cards they hold."""
    return say("several.dealer_rule.group", cards=cards)


def sentence_of(kind: Kind, by_way: Mapping[str, Sequence[str]]) -> str:
    """Say what is done with a kind of hand, by groups of closed players; what is done against most of them comes last.

    >>> sentence_of(Kind(17, False), {"open": ["(3)", "(3, 3)", "(2, 3)"], "stand": ["(2)"]})
    'Hard 17: stand against (2); otherwise open.'
    """
    *others, (usual, groups) = sorted(by_way.items(), key=lambda item: len(item[1]))
    if not others:
        said: list[str] = [say("several.dealer_rule.always", way=usual)]
    else:
        named = [*others, (usual, groups)] if len(groups) <= _FEW_GROUPS else others
        said = [say("several.dealer_rule.against", way=way, groups=in_row(names)) for way, names in named]
        if named is others:
            said.append(say("several.dealer_rule.otherwise", way=usual))
    return say("several.dealer_rule.kind", kind=kind.said, ways=in_row(said, "list.semicolons"))


def always_stands(_kind: Kind, _closed: Closed, can_open: bool) -> DealerWay:
    """Never draw at a total of choice: everybody is settled there."""
    return DealerWay.OPEN if can_open else DealerWay.STAND


def always_draws(_kind: Kind, _closed: Closed, _can_open: bool) -> DealerWay:
    """Draw at every total of choice, whoever is closed."""
    return DealerWay.DRAW


def always_opens(_kind: Kind, _closed: Closed, can_open: bool) -> DealerWay | None:
    """Open whoever may be opened, and play the rest by the solution."""
    return DealerWay.OPEN if can_open else None


def classic(_kind: Kind, _closed: Closed, can_open: bool) -> DealerWay:
    """Open whoever may be opened, and draw against the rest."""
    return DealerWay.OPEN if can_open else DealerWay.DRAW


#: Careless dealers, by what they do.
CARELESS: Mapping[str, Habit] = {
    say("several.habit.stands"): always_stands,
    say("several.habit.opens"): always_opens,
    say("several.habit.draws"): always_draws,
    say("several.habit.classic"): classic,
}
