"""Who meets whom in a tournament: everybody everybody, one all the others, or round by round as the results come."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Protocol

from croupier.errors import InputError

#: A meeting of two engines, by their places in the list; and the points per game of the first one, where it was played.
Meeting = tuple[int, int]
Scores = Mapping[Meeting, float]


class TournamentFormat(StrEnum):
    """How a tournament is played."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


def read_format(text: str) -> TournamentFormat:
    """Return the format of a name.

    >>> read_format("cup")
    Traceback (most recent call last):
    croupier.errors.InputError: no tournament format 'cup'; formats are round-robin, gauntlet, swiss, knockout
    """
    try:
        return TournamentFormat(text)
    except ValueError:
        raise InputError(
            f"no tournament format '{text}'; formats are {', '.join(TournamentFormat)}"
        ) from None


class Pairing(Protocol):
    """Names the meetings of a tournament, one round after another."""

    @property
    def meetings(self) -> int:
        """How many meetings there will be at most."""

    def next_round(self, scores: Scores) -> list[Meeting]:
        """Return the meetings of the next round, given all results so far; none when the tournament is over."""


def pairings(engines: int, *, is_gauntlet: bool) -> list[Meeting]:
    """Return who meets whom: the first engine everybody, or everybody everybody.

    >>> pairings(3, is_gauntlet=True), pairings(3, is_gauntlet=False)
    ([(0, 1), (0, 2)], [(0, 1), (0, 2), (1, 2)])
    """
    if engines < 2:
        raise InputError(f"{engines} engine: a tournament needs at least 2")
    if is_gauntlet:
        return [(0, other) for other in range(1, engines)]
    return list(combinations(range(engines), 2))


def new_pairing(kind: TournamentFormat, engines: int, rounds: int | None = None) -> Pairing:
    """Return what pairs the engines of a tournament.

    Parameters
    ----------
    kind
        The format.
    engines
        How many engines take part.
    rounds
        The rounds of a Swiss tournament: by default as many as a knockout would take.

    Raises
    ------
    InputError
        If there are too few engines, or rounds that this format does not have.

    Examples
    --------
    >>> cup = new_pairing(TournamentFormat.KNOCKOUT, engines=3)
    >>> cup.next_round({})  # the first in the list has a bye
    [(1, 2)]
    >>> cup.next_round({(1, 2): 0.25})
    [(0, 2)]
    """
    if rounds is not None and kind is not TournamentFormat.SWISS:
        raise InputError(
            f"rounds: a {kind} tournament has as many as it takes; only a Swiss one is told how many"
        )
    everybody = pairings(engines, is_gauntlet=kind is TournamentFormat.GAUNTLET)
    match kind:
        case TournamentFormat.SWISS:
            return Swiss(engines, rounds)
        case TournamentFormat.KNOCKOUT:
            return Knockout(engines)
        case _:
            return _OneRound(everybody)


class _OneRound:
    """All meetings at once."""

    def __init__(self, everybody: list[Meeting]) -> None:
        self._left = everybody
        self.meetings = len(everybody)

    def next_round(self, scores: Scores) -> list[Meeting]:  # noqa: ARG002 - who meets whom is known before
        round_, self._left = self._left, []
        return round_


class Swiss:
    """Each round pairs engines of like scores that have not met; with an odd number, one that had none gets a bye, worth a won match.

    The tournament ends early if nobody is left to meet.

    Examples
    --------
    >>> swiss = Swiss(engines=4, rounds=2)
    >>> swiss.next_round({})
    [(0, 1), (2, 3)]
    >>> swiss.next_round({(0, 1): 1.0, (2, 3): 0.25})
    [(0, 3), (1, 2)]
    """

    def __init__(self, engines: int, rounds: int | None = None) -> None:
        most = engines - 1 if engines % 2 == 0 else engines
        self._engines = engines
        self._rounds = min(most, max(1, (engines - 1).bit_length())) if rounds is None else rounds
        if not 1 <= self._rounds <= most:
            raise InputError(
                f"rounds = {rounds}: {engines} engines can play 1 to {most} rounds without meeting twice"
            )
        self.meetings = self._rounds * (engines // 2)
        self._byes: list[int] = []
        self._played = 0

    def next_round(self, scores: Scores) -> list[Meeting]:
        """Return the meetings of the next round."""
        if self._played == self._rounds:
            return []
        points = swiss_points(self._engines, scores, self._byes)
        order = sorted(range(self._engines), key=lambda engine: (-points[engine], engine))
        met = {frozenset(meeting) for meeting in scores}
        sitting_out: Sequence[int | None] = [None]
        if self._engines % 2:
            sitting_out = [engine for engine in reversed(order) if engine not in self._byes]
        for bye in sitting_out:
            pairs = _unmet_pairs([engine for engine in order if engine != bye], met)
            if pairs is not None:
                self._played += 1
                self._byes += [] if bye is None else [bye]
                return pairs
        return []


def swiss_points(engines: int, scores: Scores, byes: Sequence[int] = ()) -> list[float]:
    """Return the points of every engine: its share of each match, and 1 for a bye.

    >>> swiss_points(3, {(0, 1): 0.75}, byes=[2])
    [0.75, 0.25, 1.0]
    """
    points = [0.0] * engines
    for (first, second), score in scores.items():
        points[first] += score
        points[second] += 1 - score
    for engine in byes:
        points[engine] += 1
    return points


def _unmet_pairs(order: list[int], met: set[frozenset[int]]) -> list[Meeting] | None:
    """Pair everybody with somebody not met before, neighbours first; None where that is impossible."""
    if not order:
        return []
    first, *others = order
    for other in others:
        if frozenset((first, other)) not in met:
            rest = _unmet_pairs([engine for engine in others if engine != other], met)
            if rest is not None:
                return [(min(first, other), max(first, other)), *rest]
    return None


class Knockout:
    """Whoever loses a match is out. The list is the seeding: the first meets the last; a tied match goes to the better seed.

    Examples
    --------
    >>> cup = Knockout(engines=4)
    >>> cup.next_round({})
    [(0, 3), (1, 2)]
    >>> cup.next_round({(0, 3): 0.5, (1, 2): 0.25})
    [(0, 2)]
    """

    def __init__(self, engines: int) -> None:
        self.meetings = engines - 1
        self._bracket: list[int | None] = [place if place < engines else None for place in _seeds(engines)]

    def next_round(self, scores: Scores) -> list[Meeting]:
        """Return the meetings of the next round."""
        while len(self._bracket) > 1:
            pairs = list(zip(self._bracket[::2], self._bracket[1::2], strict=True))
            meetings = [
                (min(first, second), max(first, second))
                for first, second in pairs
                if first is not None and second is not None
            ]
            missing = [meeting for meeting in meetings if meeting not in scores]
            if missing:
                return missing
            self._bracket = [_winner(first, second, scores) for first, second in pairs]
        return []


def _winner(first: int | None, second: int | None, scores: Scores) -> int | None:
    if first is None or second is None:
        return second if first is None else first
    better, worse = min(first, second), max(first, second)
    return better if scores[better, worse] >= 0.5 else worse


def _seeds(engines: int) -> list[int]:
    """Return the places of a bracket in order, so that the best seeds meet last.

    >>> _seeds(4), _seeds(6)
    ([0, 3, 1, 2], [0, 7, 3, 4, 1, 6, 2, 5])
    """
    order = [0]
    while len(order) < engines:
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return order
