"""Bets and decisions by a count of the cards seen: tags, running and true count, bet ramp, insurance, index plays."""

from dataclasses import dataclass
from typing import Literal

from croupier.blackjack.engine.betting import verify_bet
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.chart_play import Deviation
from croupier.cards import DECK_SIZE, RANK_LETTERS
from croupier.errors import InputError

#: An insurance index that any count reaches.
ALWAYS = -32768

#: Counts that decide anything lie below this, on either side of zero.
_LARGEST_INDEX = 10_000

Rounding = Literal["floor", "truncate", "nearest"]


@dataclass(frozen=True, slots=True)
class CountedPlay:
    """How a player bets and changes the chart by the count. As it comes: one unit every time, no count, no insurance.

    Attributes
    ----------
    tags
        What each rank counts, from the deuce to the ace, or each of the 52 cards in the order of their codes. A card counts when it is seen: a closed hole card does when
        it is turned over at the end of the round.
    initial
        The running count of a new shoe, which an unbalanced system such as KO does not begin with 0.
    is_true
        Whether bets and decisions go by the true count, which is the running count divided by the packs not yet seen, or by the
        running count itself, as unbalanced systems do.
    rounding
        How the true count becomes a whole number: down, towards zero, or to the nearest (halves up).
    estimate
        How finely the cards not yet seen are estimated before dividing: 1 exactly, 26 to half packs, 52 to packs; never less than one
        such step.
    ramp, ramp_start
        Bets in units: the first at counts up to ``ramp_start``, the next at one more, and so on; the last at all counts above.
    insurance_at
        The count from which insurance is taken; ALWAYS and None (never) need no count.
    deviations
        Cells that change with the count. Where a cell has several, the one with the highest count that is reached is played.

    Examples
    --------
    >>> hi_lo = CountedPlay(tags=(1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1), ramp=(1, 2, 4, 8), ramp_start=1)
    >>> hi_lo.is_flat, CountedPlay().is_flat
    (False, True)
    """

    tags: tuple[int, ...] = (0,) * len(RANK_LETTERS)
    initial: int = 0
    is_true: bool = True
    rounding: Rounding = "floor"
    estimate: int = 1
    ramp: tuple[int, ...] = (1,)
    ramp_start: int = 0
    insurance_at: int | None = None
    deviations: tuple[Deviation, ...] = ()

    @property
    def is_flat(self) -> bool:
        """Whether every round is bet and played alike, without insurance."""
        return self.ramp == (1,) and self.insurance_at is None and not self.deviations

    @property
    def counts(self) -> bool:
        """Whether anything depends on a count."""
        return len(self.ramp) > 1 or self.insurance_at not in (None, ALWAYS) or bool(self.deviations)


FLAT = CountedPlay()


def verify_counted_play(play: CountedPlay, rules: BlackjackRules) -> None:
    """Raise unless a way of betting and counting is possible at a table.

    >>> verify_counted_play(CountedPlay(ramp=(1, 2000)), BlackjackRules())
    Traceback (most recent call last):
    croupier.errors.InputError: bet ramp: a bet of 2000; this table takes 1 to 1000
    """
    if len(play.tags) not in (len(RANK_LETTERS), DECK_SIZE) or not all(abs(tag) <= 100 for tag in play.tags):
        raise InputError(
            f"count tags {list(play.tags)}: a count needs {len(RANK_LETTERS)} whole numbers from -100 to 100, for the deuce to the ace, or one for each card"
        )
    if not 1 <= play.estimate <= 52:
        raise InputError(f"cards left are estimated to {play.estimate}; give 1 (exactly) to 52 (packs)")
    if not play.ramp:
        raise InputError("bet ramp: there is no bet; give one or more")
    for bet in play.ramp:
        try:
            verify_bet(rules, bet)
        except InputError as error:
            raise InputError(f"bet ramp: {error}") from None
    if play.counts and rules.decks == "infinite":
        raise InputError("an infinite shoe cannot be counted: its cards never run out")
    indices = [deviation.at_least for deviation in play.deviations]
    if play.insurance_at not in (None, ALWAYS):
        indices.append(play.insurance_at)
    for index in (*indices, play.initial, play.ramp_start):
        if abs(index) > _LARGEST_INDEX:
            raise InputError(f"a count of {index}; counts lie between -{_LARGEST_INDEX} and {_LARGEST_INDEX}")
