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

    def __str__(self) -> str:
        return f"{'soft' if self.is_soft else 'hard'} {self.total}"


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
        (Closed(two=True, odd=True, four=True), '2, 3/5 and 4')
        """
        return cls(MIN_CARDS in counts, any(map(is_odd, counts)), _FOUR in counts)

    def __str__(self) -> str:
        held = [name for name, is_held in zip(("2", "3/5", "4"), self, strict=True) if is_held]
        return " and ".join([", ".join(held[:-1]), held[-1]] if len(held) > 1 else held)


def is_odd(count: int) -> bool:
    """Tell whether a player of so many cards is opened before others: one who holds three or five."""
    return count not in (MIN_CARDS, _FOUR)


def kind_of(hand: int, rules: BanluckRules) -> Kind:
    """Return what a person notices of a multiset.

    >>> from croupier.banluck.engine.multisets import multiset_index, parse_multiset
    >>> print(kind_of(multiset_index(parse_multiset("A-6")), BanluckRules()))
    soft 17
    """
    value = evaluate_classes(MULTISETS[hand], rules)
    return Kind(value.total, value.is_soft)


def kinds_of_choice(rules: BanluckRules) -> list[Kind]:
    """Return the kinds of hands on which a dealer has a choice, the lowest total first.

    >>> [str(kind) for kind in kinds_of_choice(BanluckRules())]
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
                "closed players hold": str(closed),
                **{str(kind): str(self.ways.get((kind, closed), "")) for kind in kinds},
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
                    by_way.setdefault(way, []).append(f"({closed})")
            parts.append(sentence_of(kind, by_way))
        return " ".join(parts)


def sentence_of(kind: Kind, by_way: Mapping[str, Sequence[str]]) -> str:
    """Say what is done with a kind of hand, by groups of closed players; what is done against most of them comes last.

    >>> sentence_of(Kind(17, False), {"open": ["(3)", "(3, 3)", "(2, 3)"], "stand": ["(2)"]})
    'Hard 17: stand against (2); otherwise open.'
    """
    *others, (usual, groups) = sorted(by_way.items(), key=lambda item: len(item[1]))
    said = [f"{way} against {', '.join(names)}" for way, names in others]
    if not others:
        said.append(f"always {usual}")
    else:
        few = len(groups) <= _FEW_GROUPS
        said.append(f"{usual} against {', '.join(groups)}" if few else f"otherwise {usual}")
    return f"{str(kind).capitalize()}: {'; '.join(said)}."


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
    "always stands": always_stands,
    "always opens, then plays well": always_opens,
    "always draws": always_draws,
    "opens three or more cards, draws against two": classic,
}
