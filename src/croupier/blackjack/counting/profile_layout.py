"""How a count profile sorts its rounds: counts, depths, and the counts at which players come and go."""

import math
from dataclasses import dataclass

import numpy as np

from croupier.blackjack.counting.profile_kernel import FIELDS_PER_SPOT, GROUPS, LOWEST_COUNT, Bins, Cells
from croupier.blackjack.counting.scale import count_scale
from croupier.blackjack.counting.system import HI_LO, CountingError, CountingSystem, verify_countable
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.cards import DECK_SIZE

#: The true counts of a profile, for Hi-Lo; other systems by the standard deviation of a tag. Beyond them, bets no longer rise.
_LOWEST, _HIGHEST = -16, 24

#: How far running counts reach beyond those of a full and an empty shoe, in standard deviations at half the shoe.
_RUNNING_REACH = 5.0

#: At which Hi-Lo true counts players enter and leave; in other systems, at what is as rare.
_ENTERS = (1, 2, 3, 4)
_LEAVES = (-3, -2, -1, 0)

#: Cards of a depth step: half a pack, and where there are only one or two packs a quarter.
_STEP_CARDS = DECK_SIZE // 2
_SHORT_STEP_CARDS = DECK_SIZE // 4
_FEW_DECKS = 2

#: Penetrations that differ by less are the same.
_SAME_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class ProfileLayout:
    """How rounds are sorted.

    Attributes
    ----------
    counts
        The whole counts, rising. Lower and higher ones are recorded with the first and the last.
    cut, step_cards
        How many cards lie in front of the cut card, and how many of them make a depth step.
    enters, leaves
        The counts at which a player may enter, and those at which a player may leave, both rising.

    Examples
    --------
    >>> layout = profile_layout(BlackjackRules(decks=6), HI_LO, cut=234)
    >>> layout.counts[0], layout.counts[-1], layout.steps, layout.enters, layout.leaves
    (-16, 24, 9, (1, 2, 3, 4), (-3, -2, -1, 0))
    """

    counts: tuple[int, ...]
    cut: int
    step_cards: int
    enters: tuple[int, ...]
    leaves: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How many depth steps there are; the last may be shorter."""
        return math.ceil(self.cut / self.step_cards)

    @property
    def states(self) -> int:
        """How many sets of rounds are recorded: all, and those in which some player would be in."""
        enters, leaves = len(self.enters), len(self.leaves)
        return 1 + (1 + leaves) * enters + (1 + enters) * leaves

    def bins(self, spots: int) -> Bins:
        """Write the layout as compiled code reads it."""
        return Bins(
            self.counts[0],
            len(self.counts),
            self.step_cards,
            self.steps,
            spots,
            np.array(self.enters, dtype=np.int64),
            np.array((LOWEST_COUNT, *self.leaves), dtype=np.int64),
            np.array((LOWEST_COUNT, *self.enters), dtype=np.int64),
            np.array(self.leaves, dtype=np.int64),
        )

    def empty_cells(self, spots: int) -> Cells:
        """Return room for the records: by group, state, depth step, count and field."""
        shape = (GROUPS, self.states, self.steps, len(self.counts), 1 + FIELDS_PER_SPOT * spots)
        return np.zeros(shape, dtype=np.int64)

    def states_in(self, enter: int | None, leave: int | None, *, returns: bool) -> list[int]:
        """Return the states whose rounds a player is in for.

        Parameters
        ----------
        enter
            The count from which the player enters; None from the shuffle on.
        leave
            The count at and below which the player leaves; None never.
        returns
            Whether the player enters again before the next shuffle.

        Raises
        ------
        CountingError
            If the profile has no such counts.

        Examples
        --------
        >>> layout = profile_layout(BlackjackRules(decks=6), HI_LO, cut=234)
        >>> layout.states_in(None, None, returns=True), layout.states_in(3, 0, returns=True)
        ([0], [19, 20])
        >>> layout.states_in(7, 0, returns=True)
        Traceback (most recent call last):
        croupier.blackjack.counting.system.CountingError: enter at 7: this profile knows entries at 1, 2, 3, 4
        """
        self._verify(enter, leave, returns=returns)
        if enter is None and leave is None:
            return [0]
        enters, leaves = len(self.enters), len(self.leaves)
        if enter is not None and (returns or leave is None):
            away = 0 if leave is None else 1 + self.leaves.index(leave)
            first = away * enters + self.enters.index(enter) + 1
            return list(range(first, (away + 1) * enters + 1))
        entry = 0 if enter is None else 1 + self.enters.index(enter)
        start = (1 + leaves) * enters + entry * leaves
        away = self.leaves.index(leave) if leave is not None else 0
        return list(range(start + away + 1, start + leaves + 1))

    def _verify(self, enter: int | None, leave: int | None, *, returns: bool) -> None:
        if leave is not None and leave not in self.leaves:
            raise CountingError(
                f"leave at {leave}: this profile knows exits at {', '.join(map(str, self.leaves))}"
            )
        if enter is not None and enter not in self.enters:
            raise CountingError(
                f"enter at {enter}: this profile knows entries at {', '.join(map(str, self.enters))}"
            )
        if enter is None and leave is not None and returns:
            raise CountingError(
                f"leave at {leave}: name a count to enter again at, or stay away until the next shuffle"
            )

    def steps_before(self, penetration: float | None, decks: int) -> int:
        """Return how many depth steps lie in front of a cut card; all of them if no penetration is named.

        Examples
        --------
        >>> layout = profile_layout(BlackjackRules(decks=6), HI_LO, cut=234)
        >>> layout.steps_before(0.5, 6), layout.steps_before(None, 6)
        (6, 9)
        >>> layout.steps_before(0.51, 6)
        Traceback (most recent call last):
        croupier.blackjack.counting.system.CountingError: penetration 0.51: this profile knows 0.08333, 0.1667, 0.25, 0.3333, 0.4167, 0.5, 0.5833, 0.6667, 0.75
        """
        if penetration is None:
            return self.steps
        shares = [
            min(step * self.step_cards, self.cut) / (decks * DECK_SIZE) for step in range(1, self.steps + 1)
        ]
        nearest = min(range(self.steps), key=lambda place: abs(shares[place] - penetration))
        if abs(shares[nearest] - penetration) > _SAME_SHARE:
            raise CountingError(
                f"penetration {penetration:g}: this profile knows {', '.join(f'{share:.4g}' for share in shares)}"
            )
        return nearest + 1


def profile_layout(
    rules: BlackjackRules, system: CountingSystem, rounding: Rounding = "floor", *, cut: int
) -> ProfileLayout:
    """Choose how rounds are sorted at a table.

    Parameters
    ----------
    cut
        How many cards lie in front of the cut card.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import KO, ZEN
    >>> profile_layout(BlackjackRules(decks=6), ZEN, cut=234).enters
    (2, 4, 5, 7)
    >>> layout = profile_layout(BlackjackRules(decks=6), KO, cut=234)
    >>> layout.counts[0], layout.counts[-1], layout.enters, layout.leaves
    (-61, 45, (-4, -1, 2, 4), (-27, -23, -16, -8))
    """
    decks = verify_countable(rules)
    ratio = system.bet_spread / HI_LO.spread
    if system.is_balanced:
        low, high = math.floor(_LOWEST * ratio), math.ceil(_HIGHEST * ratio)
    else:
        reach = math.ceil(_RUNNING_REACH * system.spread * math.sqrt(DECK_SIZE * decks / 4))
        ends = system.initial_count(decks), system.pivot(decks)
        low, high = min(ends) - reach, max(ends) + reach
    scale = count_scale(rules, system, rounding)

    def thresholds(hi_lo: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({scale.nearest_count(count * ratio) for count in hi_lo}))

    enters = thresholds(_ENTERS)
    leaves = tuple(count for count in thresholds(_LEAVES) if count < enters[0])
    step_cards = _SHORT_STEP_CARDS if decks <= _FEW_DECKS else _STEP_CARDS
    return ProfileLayout(tuple(range(low, high + 1)), cut, step_cards, enters, leaves)
