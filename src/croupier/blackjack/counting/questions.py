"""Questions to a count profile: bets and places by count, coming and going, the limits of the table, the bankroll."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.blackjack.counting.best_bets import CountMoments, best_factor, sloped_bets, whole_chips
from croupier.blackjack.counting.bet_ramp import PLACES, BetRamp, parse_ramp
from croupier.blackjack.counting.profile_kernel import FIELDS_PER_SPOT, ROUNDS, Cells
from croupier.blackjack.solvers.hands import Floats
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.blackjack.counting.profile import CountProfile
    from croupier.blackjack.simulation.round_terms import Integers


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a profile.

    Attributes
    ----------
    ramp
        Units on each place by count; 0 sits a round out.
    spots
        How many places are played, by count.
    enter, leave, returns
        Play from this count on, leave at and below that one, and whether to enter again before the next shuffle. None of both plays
        from the shuffle to the cut card.
    penetration
        How much of the shoe is dealt; None as deep as the profile was.
    bankroll, unit
        What may be lost, and what a unit is worth, both in money.
    minimum, maximum, chip
        The limits of the table, and the smallest chip; None for none.
    rounds_per_hour, hours, goal
        Rounds dealt an hour, the length of a trip, and what is to be won; None for no trip and no goal.
    kelly
        How much risk hurts: the certainty equivalent of a player with this fraction of Kelly's bets.
    floor
        For bets that follow the bankroll: the part of it to which it may fall.
    tips
        Money an hour that the dealers get. Bets for a dealer cost what is bet, because the dealer keeps what they win.
    """

    ramp: BetRamp
    spots: BetRamp
    enter: int | None = None
    leave: int | None = None
    returns: bool = True
    penetration: float | None = None
    bankroll: float = 1000.0
    unit: float = 1.0
    minimum: float | None = None
    maximum: float | None = None
    chip: float | None = None
    rounds_per_hour: float = 100.0
    hours: float | None = None
    goal: float | None = None
    kelly: float = 1.0
    floor: float = 0.5
    tips: float = 0.0

    def verify(self, profile: "CountProfile") -> None:
        """Raise an InputError if something is out of its range, or not in the profile."""
        for name, text in (
            ("bankroll", "bankroll"),
            ("unit", "unit"),
            ("chip", "chip"),
            ("rounds_per_hour", "rounds an hour"),
            ("hours", "hours of a trip"),
            ("goal", "goal"),
            ("minimum", "table minimum"),
            ("maximum", "table maximum"),
        ):
            number = getattr(self, name)
            if number is not None and not 0 < number <= 1e12:
                raise InputError(f"{text} {number:g}: it must be above 0")
        if not 0 <= self.tips <= 1e12:
            raise InputError(f"tips {self.tips:g}: money an hour, from 0 on")
        if not 0 < self.floor < 1:
            raise InputError(f"floor {self.floor:g}: a part of the bankroll between 0 and 1, such as 0.5")
        if not 0 < self.kelly <= 10:
            raise InputError(
                f"Kelly fraction {self.kelly:g}: it lies above 0, such as 0.5, and is at most 10"
            )
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise InputError(f"table minimum {self.minimum:g} is above the maximum {self.maximum:g}")
        most = max(self.spots.bets)
        if most > profile.spots:
            raise InputError(
                f"{most} places: this profile was made with {profile.spots}; make one with more spots"
            )

    @property
    def step(self) -> float:
        """The smallest difference between two bets."""
        return self.unit if self.chip is None else self.chip


def question_of(bets: BetRamp | str, circumstances: Mapping[str, Any]) -> Question:
    """Put a question together from what a person names.

    >>> question_of("1:0,2:4", {"spots": "3:2", "hours": 20}).spots.bet(0), question_of("1:1", {"spots": "2"}).spots.bet(0)
    (2, 2)
    >>> question_of("1:1", {"hour": 20})
    Traceback (most recent call last):
    croupier.errors.InputError: 'hour': no such circumstance; there are spots, enter, leave, returns, penetration, bankroll, unit, minimum, maximum, chip, rounds_per_hour, hours, goal, kelly, floor, tips
    """
    known = [entry.name for entry in fields(Question)][1:]
    unknown = [name for name in circumstances if name not in known]
    if unknown:
        raise InputError(f"'{unknown[0]}': no such circumstance; there are {', '.join(known)}")
    others = dict(circumstances)
    spots = others.pop("spots", 1)
    if str(spots).isdecimal():
        spots = f"0:{spots}"
    return Question(
        parse_ramp(bets, least=0) if isinstance(bets, str) else bets,
        parse_ramp(spots, what=PLACES) if isinstance(spots, str) else spots,
        **others,
    )


def spots_of(profile: "CountProfile", question: Question) -> "Integers":
    """Return how many places are played at each count of a profile."""
    return np.array([question.spots.bet(count) for count in profile.layout.counts], dtype=np.int64)


def moments_of(cells: Cells, dealt: int, spots: "Integers", scale: int) -> CountMoments:
    """Return what one unit on each place comes to, by count.

    Parameters
    ----------
    cells
        The rounds that are played, by count and field.
    dealt
        All rounds that are dealt.
    """
    rounds = cells[:, ROUNDS].astype(np.float64)
    places = np.arange(len(cells))
    divisor = np.maximum(rounds, 1.0)
    field = 1 + FIELDS_PER_SPOT * (spots - 1)
    return CountMoments(
        rounds / max(dealt, 1),
        cells[places, field] / (scale * divisor),
        cells[places, field + 1] / (float(scale) ** 2 * divisor),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BetChoice:
    """How bets are chosen: as many times the slope of a count as the factor says, inside limits, in whole chips if there are any.

    Bets that a person names are limits that leave no choice.

    Attributes
    ----------
    least, most
        The smallest and the largest bet of each count, in money.
    lowest
        What a bet of each count is not rounded below, if it is rounded to chips.
    """

    factor: float
    least: Floats
    most: Floats
    lowest: Floats
    question: Question

    def bets(self, moments: CountMoments) -> Floats:
        """Return the bets in money on each place, by count."""
        highest = np.inf if self.question.maximum is None else self.question.maximum
        bets = sloped_bets(moments, self.factor, self.least, self.most)
        if self.question.chip is not None:
            return whole_chips(bets, self.question.chip, self.lowest, highest)
        found: Floats = np.minimum(bets, highest)
        return found

    @property
    def leaves_choice(self) -> bool:
        """Whether any bet depends on what the counts are worth."""
        return bool((self.most > self.least).any())


def bet_choice(
    profile: "CountProfile",
    question: Question,
    spread: float | None = None,
    kelly: float | None = None,
    sit_out_below: int | None = None,
) -> BetChoice:
    """Say how bets are chosen: those of the question's ramp, or the best ones of a spread or a bankroll."""
    question.verify(profile)
    counts = np.array(profile.layout.counts)
    if spread is None and kelly is None:
        named = np.array([float(question.ramp.bet(count)) for count in counts.tolist()]) * question.unit
        bets = np.where(named > 0, np.maximum(named, question.minimum or 0.0), 0.0)
        return BetChoice(0.0, bets, bets, np.where(named > 0, question.minimum or 0.0, 0.0), question)
    if spread is not None and kelly is not None:
        raise InputError("spread and kelly: name one of them")
    plays = np.ones(len(counts)) if sit_out_below is None else (counts >= sit_out_below).astype(np.float64)
    least = plays * (question.unit if question.minimum is None else question.minimum)
    if spread is not None:
        if not 1 <= spread <= 1e6:
            raise InputError(f"spread {spread:g}: the largest bet in smallest ones, from 1 on")
        most = least * spread
        factor = best_factor(_all_moments(profile, question), least, most)
        return BetChoice(factor, least, most, least, question)
    assert kelly is not None
    if not 0 < kelly <= 10:
        raise InputError(f"Kelly fraction {kelly:g}: it lies above 0, such as 0.5, and is at most 10")
    highest = 1e300 if question.maximum is None else question.maximum
    most = plays * np.maximum(least, highest)
    return BetChoice(kelly * question.bankroll, least, most, least, question)


def chosen_bets(profile: "CountProfile", choice: BetChoice) -> Floats:
    """Return the bets in money on each place, by the counts of a profile."""
    return choice.bets(_all_moments(profile, choice.question))


def _all_moments(profile: "CountProfile", question: Question) -> CountMoments:
    return moments_of(
        profile.played(question).sum(axis=0),
        int(profile.dealt(question).sum()),
        spots_of(profile, question),
        profile.scale,
    )
