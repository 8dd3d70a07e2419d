"""Counting systems as data: what each card counts, and what the count of a shoe says about the cards that are left.

The cards not yet seen of a shoe of N cards, seen through a count, are described by one number, the *excess*: by how much the tags of 52
unseen cards fall short, on average, of those of a full pack. For a balanced system that is the true count. For an unbalanced one it
follows from the running count and the packs left; at the *pivot*, the running count of a shoe of which all is seen, the tags of the unseen
cards add up to 0, and the excess is what a pack counts, whatever the depth.

A system may count red cards otherwise than black ones (Red 7), and may count aces apart: these then change the count before a bet, and
not the one by which hands are played.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.hands import Floats
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import DECK_SIZE, POINT_CLASSES, RANK_LETTERS, point_class, point_class_of_rank, suit_of
from croupier.errors import InputError
from croupier.files import read_text
from croupier.texts import say

#: A tag is at most this, on either side of zero.
_LARGEST_TAG = 9

_KEYS = ("name", "tags", "initial", "red", "aces")

#: A card of each suit is red or black: clubs, diamonds, hearts, spades.
_IS_RED = (False, True, True, False)

_CLASS_OF_RANK = np.array([point_class_of_rank(rank) for rank in range(len(RANK_LETTERS))])

_NO_TAGS = (0,) * len(POINT_CLASSES)


class CountingError(InputError):
    """A counting system, a bet ramp or an index that cannot be used; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class CountingSystem:
    """What each card counts.

    Attributes
    ----------
    name
        What it is called.
    tags
        What a card of each point class counts, from the deuce to the ace.
    initial
        The running count of a new shoe, as ``initial[0] + initial[1] * packs``.
    source
        Where it comes from.
    key_counts
        By packs: the running count at which its authors say that the player's advantage begins, where they go by that.
    red
        What a red card of each point class counts more than a black one.
    aces
        What each ace that is left beyond the expected number adds to the running count before a bet; 0 where aces are not counted apart.

    Examples
    --------
    >>> HI_LO.is_balanced, round(HI_LO.spread, 3)
    (True, 0.877)
    >>> KO.initial_count(6), KO.pivot(6), KO.is_balanced
    (-20, 4, False)
    >>> RED_7.rank_tags[5], RED_7.per_pack, HI_OPT_I_ACES.bet_tags[-1], HI_OPT_I_ACES.is_balanced
    (0.5, 2, -0.9230769230769231, True)
    """

    name: str
    tags: tuple[int, ...]
    initial: tuple[int, int] = (0, 0)
    source: str = ""
    key_counts: tuple[tuple[int, int], ...] = ()
    red: tuple[int, ...] = _NO_TAGS
    aces: int = 0

    def tag(self, card: int) -> int:
        """Return what a card counts."""
        point = point_class(card)
        return self.tags[point] + (self.red[point] if _IS_RED[suit_of(card)] else 0)

    def tag_text(self, separator: str = " ") -> str:
        """Return the tags on a line: those of red cards, and of aces apart, behind those of the others.

        >>> RED_7.tag_text()
        '2 +1  3 +1  4 +1  5 +1  6 +1  7 +0 (red +1)  8 +0  9 +0  T -1  A -1'
        >>> HI_OPT_I_ACES.tag_text()[-20:]
        '  A +0  aces apart 1'
        """
        parts = []
        for rank, tag, red in zip(POINT_CLASSES, self.tags, self.red, strict=True):
            parts.append(f"{rank}{separator}{tag:+d}" + (f" (red {tag + red:+d})" if red else ""))
        return "  ".join(parts) + (f"  aces apart {self.aces}" if self.aces else "")

    @property
    def card_tags(self) -> tuple[int, ...]:
        """What each of the 52 cards counts, in the order of their codes."""
        return tuple(self.tag(card) for card in range(DECK_SIZE))

    @property
    def rank_tags(self) -> tuple[float, ...]:
        """What each of the 13 ranks counts on average over its suits, from the deuce to the ace."""
        return tuple(self.class_tags[point_class_of_rank(rank)] for rank in range(len(RANK_LETTERS)))

    @property
    def class_tags(self) -> tuple[float, ...]:
        """What each of the ten point classes counts on average over its suits."""
        return tuple(tag + red / 2 for tag, red in zip(self.tags, self.red, strict=True))

    @property
    def bet_tags(self) -> tuple[float, ...]:
        """What each of the 13 ranks counts before a bet: with the aces, of which a thirteenth of the cards is expected."""
        more = self.aces / len(RANK_LETTERS)
        return (*(tag + more for tag in self.rank_tags[:-1]), self.rank_tags[-1] + more - self.aces)

    @property
    def per_pack(self) -> int:
        """What a whole pack counts; 0 for a balanced system."""
        return sum(self.card_tags)

    @property
    def is_balanced(self) -> bool:
        """Whether a whole pack counts 0. Only then does dividing by the packs left make sense."""
        return self.per_pack == 0

    @property
    def spread(self) -> float:
        """The standard deviation of the tag of a card."""
        return float(np.std(self.card_tags))

    @property
    def bet_spread(self) -> float:
        """The same with the aces, as they count before a bet."""
        return float(np.std(self.bet_tags)) if self.aces else self.spread

    def initial_count(self, decks: int) -> int:
        """Return the running count of a new shoe."""
        return self.initial[0] + self.initial[1] * decks

    def beginning(self, decks: int) -> str:
        """Say at which count a shoe begins; nothing where every shoe begins at 0.

        >>> KO.beginning(6), HI_LO.beginning(6)
        ('A shoe begins at -20.', '')
        """
        if self.is_balanced and not self.initial_count(decks):
            return ""
        return f"A shoe begins at {self.initial_count(decks):+d}."

    def pivot(self, decks: int) -> int:
        """Return the running count of a shoe of which all cards are seen."""
        return self.initial_count(decks) + self.per_pack * decks

    def key_count(self, decks: int) -> int | None:
        """Return the running count at which the authors say that the advantage begins, where they do."""
        return dict(self.key_counts).get(decks)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; a file may hold the same."""
        return {
            "name": self.name,
            "tags": dict(zip(POINT_CLASSES, self.tags, strict=True)),
            "initial": list(self.initial),
            "red": dict(zip(POINT_CLASSES, self.red, strict=True)),
            "aces": self.aces,
            "balanced": self.is_balanced,
            "source": self.source,
        }


HI_LO = CountingSystem(
    "hi-lo",
    (1, 1, 1, 1, 1, 0, 0, 0, -1, -1),
    source="H. Dubner 1963; S. Wong, Professional Blackjack",
)
KO = CountingSystem(
    "ko",
    (1, 1, 1, 1, 1, 1, 0, 0, -1, -1),
    initial=(4, -4),
    source="O. Vancura and K. Fuchs, Knock-Out Blackjack",
    key_counts=((1, 2), (2, 1), (6, -4), (8, -6)),
)
OMEGA_II = CountingSystem(
    "omega-ii",
    (1, 1, 2, 2, 2, 1, 0, -1, -2, 0),
    source="B. Carlson, Blackjack for Blood (without the side count of aces)",
)
ZEN = CountingSystem("zen", (1, 1, 2, 2, 2, 1, 0, 0, -2, -1), source="A. Snyder, Blackbelt in Blackjack")

HI_OPT_I = CountingSystem(
    "hi-opt-i",
    (0, 1, 1, 1, 1, 0, 0, 0, -1, 0),
    source="C. Einstein 1968; L. Humble and C. Cooper, The World's Greatest Blackjack Book (without the side count of aces)",
)
HI_OPT_II = CountingSystem(
    "hi-opt-ii",
    (1, 1, 2, 2, 1, 1, 0, 0, -2, 0),
    source="L. Humble and C. Cooper, The World's Greatest Blackjack Book (without the side count of aces)",
)
HALVES = CountingSystem(
    "halves",
    (1, 2, 2, 3, 2, 1, 0, -1, -2, -2),
    source="S. Wong, Professional Blackjack (all tags doubled, to be whole)",
)

RED_7 = CountingSystem(
    "red-7",
    (1, 1, 1, 1, 1, 0, 0, 0, -1, -1),
    initial=(0, -2),
    source="A. Snyder, Blackbelt in Blackjack",
    red=(0, 0, 0, 0, 0, 1, 0, 0, 0, 0),
)


def _with_aces(system: CountingSystem, aces: int) -> CountingSystem:
    source = system.source.replace(" (without the side count of aces)", "")
    return replace(system, name=f"{system.name}-aces", source=source, aces=aces)


OMEGA_II_ACES = _with_aces(OMEGA_II, 2)
HI_OPT_I_ACES = _with_aces(HI_OPT_I, 1)
HI_OPT_II_ACES = _with_aces(HI_OPT_II, 2)

SYSTEMS: Mapping[str, CountingSystem] = {
    system.name: system
    for system in (
        *(HI_LO, KO, RED_7, OMEGA_II, OMEGA_II_ACES, ZEN),
        *(HI_OPT_I, HI_OPT_I_ACES, HI_OPT_II, HI_OPT_II_ACES, HALVES),
    )
}

#: Systems with one count for bets and plays, which is what a table shows and the trainer trains.
SINGLE_COUNTS = tuple(name for name, system in SYSTEMS.items() if not system.aces)


def find_system(name: str) -> CountingSystem:
    """Return a counting system by its name.

    >>> find_system("hi-low")
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: no counting system 'hi-low'; there are hi-lo, ko, red-7, omega-ii, omega-ii-aces, zen, hi-opt-i, hi-opt-i-aces, hi-opt-ii, hi-opt-ii-aces, halves
    """
    if name not in SYSTEMS:
        raise CountingError(f"no counting system '{name}'; there are {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


def verify_countable(rules: BlackjackRules) -> int:
    """Return the number of packs, or raise where no count can tell anything.

    >>> verify_countable(BlackjackRules(shuffle="continuous"))
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: a continuous shuffle leaves nothing to count; set shuffle to "shoe"
    """
    if rules.decks == "infinite":
        raise CountingError(say("blackjack.refused.infinite"))
    if rules.shuffle == "continuous":
        raise CountingError(say("blackjack.refused.continuous"))
    if rules.double_any_cards or rules.surrender_any_cards or not rules.ten_spots:
        raise CountingError(say("blackjack.refused.count_game"))
    return rules.decks


def verify_indexed(rules: BlackjackRules) -> None:
    """Raise where plays cannot change with a count, though bets can: both of the dealer's cards lie open.

    >>> verify_indexed(BlackjackRules(hole_card="open"))
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: index plays and common mistakes go by one up-card, and these rules show both of the dealer's cards; with the indices none only the bets follow the count
    """
    if rules.hole_card == "open":
        raise CountingError(say("blackjack.refused.index_game"))


def read_system(path: Path) -> CountingSystem:
    """Read a system from a TOML or JSON file: tags by rank (or as a list from 2 to A), and if wanted a name and the initial count.

    ``red`` says what red cards of some ranks count more, ``aces`` what an ace beyond the expected number adds before a bet.

    A TOML file of Hi-Lo::

        name = "my count"
        tags = {2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, 7 = 0, 8 = 0, 9 = 0, T = -1, A = -1}
    """
    text, what = read_text(path, what="counting system"), f"counting system '{path}'"
    try:
        data = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise CountingError(f"{what}: {error}") from None
    if not isinstance(data, dict):
        raise CountingError(f"{what}: not a table of {', '.join(_KEYS)}")
    return system_of(data, what, path.stem)


def system_of(data: Mapping[str, Any], what: str = "counting system", name: str = "custom") -> CountingSystem:
    """Make a system of plain values, as a file or :meth:`CountingSystem.to_dict` gives them.

    >>> system_of({"tags": [1, 1, 1, 1, 1, 0, 0, 0, -1, -1]}).is_balanced
    True
    >>> system_of({"tags": [1, 2, 3]})
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: counting system: tags are ten whole numbers, for 2, 3, 4, 5, 6, 7, 8, 9, T, A
    """
    unknown = [key for key in data if key not in (*_KEYS, "balanced", "source")]
    if unknown:
        raise CountingError(f"{what}: no entry '{unknown[0]}'; entries are {', '.join(_KEYS)}")
    tags = _ten_numbers(data.get("tags"), what, "tags")
    if not any(tags) or max(map(abs, tags)) > _LARGEST_TAG:
        raise CountingError(f"{what}: tags lie between -{_LARGEST_TAG} and {_LARGEST_TAG}, and not all are 0")
    if len(set(tags)) == 1:
        raise CountingError(f"{what}: all tags are {tags[0]}, which counts cards and tells nothing of them")
    initial = data.get("initial", [0, 0])
    if not isinstance(initial, list) or len(initial) != 2 or not all(map(_is_whole, initial)):
        raise CountingError(f"{what}: initial is two whole numbers, [4, -4] for 4 less 4 for each pack")
    named, source = str(data.get("name", name)), str(data.get("source", ""))
    red = data.get("red", list(_NO_TAGS))
    if isinstance(red, Mapping):
        red = dict.fromkeys(POINT_CLASSES, 0) | dict(red)
    red = _ten_numbers(red, what, "red")
    aces = data.get("aces", 0)
    if not _is_whole(aces) or not 0 <= aces <= _LARGEST_TAG:
        raise CountingError(f"{what}: aces is a whole number from 0 to {_LARGEST_TAG}")
    found = CountingSystem(named, tags, (initial[0], initial[1]), source, (), red, aces)
    if max(map(abs, found.card_tags)) > _LARGEST_TAG:
        raise CountingError(f"{what}: red cards too count between -{_LARGEST_TAG} and {_LARGEST_TAG}")
    if aces and not found.is_balanced:
        raise CountingError(f"{what}: aces are counted apart only where the other tags of a pack add up to 0")
    return found


def _ten_numbers(tags: object, what: str, entry: str) -> tuple[int, ...]:
    """Read a number for each rank, by name or in order."""
    ranks = ", ".join(POINT_CLASSES)
    if isinstance(tags, Mapping):
        if sorted(tags) != sorted(POINT_CLASSES):
            raise CountingError(f"{what}: {entry} name each of {ranks} once")
        tags = [tags[letter] for letter in POINT_CLASSES]
    if not isinstance(tags, list) or len(tags) != len(POINT_CLASSES) or not all(map(_is_whole, tags)):
        raise CountingError(f"{what}: {entry} are ten whole numbers, for {ranks}")
    return tuple(tags)


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def counted_shoe(shoe: ShoeCounts, system: CountingSystem, excess: float) -> ShoeCounts:
    """Return the expected composition of cards that are left of a shoe, in the size of the shoe.

    By linear regression on the tags (least squares, exact where the numbers of cards are normally distributed) a card with tag t is
    expected ``1 - excess * (t - mean) / (52 * variance)`` times as often as in the shoe, mean and variance being those of
    its tags. How deep the shoe is does not matter: cards still to be dealt and cards behind the cut card are alike, so that dealing from
    what is left is, as long as nothing more is known, dealing from the whole. Numbers of cards come out as fractions; a card that would be
    less than gone, at a count that hardly any shoe reaches, is gone.

    Parameters
    ----------
    shoe
        All cards that the unseen ones may be: the full shoe, or without cards that are known to be out.
    excess
        By how much the tags of 52 unseen cards fall short of those of 52 cards of the shoe.

    Examples
    --------
    >>> counted_shoe(ShoeCounts.full(BlackjackRules()), HI_LO, 4.0).ranks.round(2).tolist()
    [21.6, 21.6, 21.6, 21.6, 21.6, 24.0, 24.0, 24.0, 26.4, 26.4, 26.4, 26.4, 26.4]
    """
    return ShoeCounts(counted_ranks(shoe, system, np.array(excess)), shoe.step)


def counted_ranks(shoe: ShoeCounts, system: CountingSystem, excesses: Floats) -> Floats:
    """Return how many cards of each rank :func:`counted_shoe` has, on the last axis, at any number of excesses."""
    tags: Floats = np.array(system.rank_tags, dtype=np.float64)
    from_mean = tags - shoe.ranks @ tags / shoe.cards
    # Of a rank whose suits count differently, half of the cards are red.
    within = np.array([(red / 2) ** 2 for red in system.red])[_CLASS_OF_RANK]
    variance = float(shoe.ranks @ (from_mean**2 + within) / shoe.cards)
    shares = np.maximum(1.0 - excesses[..., None] * from_mean / (DECK_SIZE * variance), 0.0)
    counts: Floats = shoe.ranks * shares
    return counts
