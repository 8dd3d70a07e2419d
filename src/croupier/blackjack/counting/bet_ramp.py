"""Bet ramps: how many units are bet at which count, written as ``1:1,2:2,3:4,4:8``."""

from dataclasses import dataclass
from itertools import pairwise

from croupier.blackjack.counting.scale import count_scale
from croupier.blackjack.counting.system import HI_LO, CountingError, CountingSystem
from croupier.blackjack.engine.rules import BlackjackRules

#: The Hi-Lo true counts at which the bet rises from one unit to the whole spread, by the same factor each time.
_USUAL_COUNTS = (1, 2, 3, 4)

#: The largest bet that a usual ramp leads to.
_LARGEST_SPREAD = 1000

#: Steps of a ramp lie no further apart than this.
_WIDEST = 1000

#: The name of places by count, which are written as bets are.
PLACES = "spots"

#: How to write what a ramp is used for; bets if it is nothing else.
_HOW = {PLACES: "write a number, or count:places such as 0:1,3:2"}


@dataclass(frozen=True, slots=True)
class BetRamp:
    """Bets in units from rising counts on; below the first count, as at it.

    Examples
    --------
    >>> ramp = parse_ramp("1:1, 3:4, 4:8")
    >>> ramp.start, ramp.bets, str(ramp)
    (1, (1, 1, 4, 8), '1:1,3:4,4:8')
    >>> [ramp.bet(count) for count in (-5, 2, 3, 9)]
    [1, 1, 4, 8]
    """

    steps: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        """The count of the first step."""
        return self.steps[0][0]

    @property
    def bets(self) -> tuple[int, ...]:
        """The bets at every count from the first step to the last."""
        return tuple(self.bet(count) for count in range(self.start, self.steps[-1][0] + 1))

    def bet(self, count: int) -> int:
        """Return the bet at a count."""
        return next((units for step, units in reversed(self.steps) if count >= step), self.steps[0][1])

    def text(self) -> str:
        """Return the steps as people read them.

        >>> parse_ramp("-1:1,2:4").text()
        '-1: 1, +2: 4'
        """
        return ", ".join(f"{count:+d}: {units}" for count, units in self.steps)

    def __str__(self) -> str:
        return ",".join(f"{count}:{units}" for count, units in self.steps)


def parse_ramp(text: str, *, least: int = 1, what: str = "bet ramp") -> BetRamp:
    """Read a ramp.

    Parameters
    ----------
    least
        The smallest bet that is allowed; 0 where rounds may be sat out.
    what
        What the numbers are, for error messages: places by count are written in the same way.

    Examples
    --------
    >>> parse_ramp("2:1,1:4")
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: bet ramp '2:1,1:4': counts must rise; write count:units such as 1:1,2:2,3:4,4:8
    >>> parse_ramp("two", what=PLACES)
    Traceback (most recent call last):
    croupier.blackjack.counting.system.CountingError: spots 'two': no step 'two'; write a number, or count:places such as 0:1,3:2
    """
    how = _HOW.get(what, "write count:units such as 1:1,2:2,3:4,4:8")
    steps = []
    for part in text.split(","):
        count, colon, units = part.partition(":")
        try:
            steps.append((int(count), int(units)))
        except ValueError:
            raise CountingError(f"{what} '{text}': no step '{part.strip()}'; {how}") from None
        if not colon or steps[-1][1] < least:
            raise CountingError(f"{what} '{text}': a whole number from {least} on at each count; {how}")
    if any(one[0] >= other[0] for one, other in pairwise(steps)):
        raise CountingError(f"{what} '{text}': counts must rise; {how}")
    if steps[-1][0] - steps[0][0] > _WIDEST:
        raise CountingError(f"{what} '{text}': counts lie within {_WIDEST} of each other; {how}")
    return BetRamp(tuple(steps))


def usual_ramp(rules: BlackjackRules, system: CountingSystem, spread: int = 8) -> BetRamp:
    """Return a bet spread that grows by the same factor from count to count.

    A spread of 1 to 8 bets 2, 4 and 8 units from Hi-Lo true counts of 2, 3 and 4 on, or from what is as rare in another system.
    Counts are compared by the standard deviation of a tag; for running counts by what they say on average.

    Parameters
    ----------
    spread
        The largest bet in units; the smallest is 1.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import KO, ZEN
    >>> rules = BlackjackRules(decks=6)
    >>> str(usual_ramp(rules, HI_LO)), str(usual_ramp(rules, ZEN)), str(usual_ramp(rules, KO))
    ('1:1,2:2,3:4,4:8', '2:1,4:2,5:4,7:8', '-4:1,-1:2,2:4,4:8')
    >>> str(usual_ramp(rules, HI_LO, spread=12)), str(usual_ramp(rules, HI_LO, spread=1))
    ('1:1,2:2,3:5,4:12', '1:1')
    """
    if not 1 <= spread <= _LARGEST_SPREAD:
        raise CountingError(f"spread {spread}: a spread is a whole number from 1 to {_LARGEST_SPREAD} units")
    scale = count_scale(rules, system)
    steps: dict[int, int] = {}
    for place, hi_lo in enumerate(_USUAL_COUNTS):
        units = round(spread ** (place / (len(_USUAL_COUNTS) - 1)))
        if units not in steps.values():
            steps[scale.nearest_count(hi_lo * system.bet_spread / HI_LO.spread)] = units
    return BetRamp(tuple(steps.items()))
