"""How long to think about a move, and the clock that divides that up.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import math
import time
from typing import NamedTuple

from croupier.errors import InputError

#: How many rounds justify one more hand of the other player, at first, with and without the policy's opinion of it, and beyond a number of
#: hands: drawing one takes as long as several rounds.
HAND_ROUNDS = 4
JUDGED_HAND_ROUNDS = 24
_MANY_HANDS = 384
_ROUNDS_A_FURTHER_HAND = 40
_MOST_HANDS = 20_000

#: The hands that are drawn before the clock is looked at, where they are soon drawn, and the share of the time that all of them may take:
#: on a busy machine, fewer are drawn.
_FIRST_HANDS = 64
_HANDS_SHARE = 0.2

#: About how many rounds of the search a millisecond brings, and how many positions of an end game the time of a round.
_ROUNDS_A_MS = 250
_POSITIONS_A_ROUND = 25

#: With so many rounds there is time for what is slow: to ask the policy about hands, and to search choices inside play-outs.
_GENEROUS_ROUNDS = 100_000

#: The positions that a proof inside the search may look at, and the rounds that justify one more.
_PROOF_POSITIONS = 200
_ROUNDS_A_POSITION = 125

#: With more rounds than this, moves that look worse are tried more often: a move that few rounds have followed looks worse than it is.
_MANY_ROUNDS = 25_000

#: The share of the time that is spent thinking; the rest is for reading the question and for a last step that takes longer.
_TIME_SHARE = 0.95

#: The share of the time that may go into proving an end game where it is searched after that, the share that the first attempt takes
#: on a common machine, and the smallest share worth another one.
PROOF_SHARE = 0.75
_ATTEMPT_SHARE = 0.1
_LEAST_ATTEMPT_SHARE = 0.01

#: The rounds before the clock is looked at for the first time, the most between two looks, and the fewest worth another look.
_FIRST_ROUNDS = 100
_MOST_ROUNDS = 4096
_FEWEST_ROUNDS = 30


class Budget(NamedTuple):
    """How long to think about a move: milliseconds, or rounds of the search, which give the same result anywhere.

    Examples
    --------
    >>> Budget(rounds=1000)
    Budget(time_ms=None, rounds=1000)
    """

    time_ms: float | None = None
    rounds: int | None = None


def verify_budget(budget: Budget) -> None:
    """Raise unless a budget is a time or a number of rounds.

    >>> verify_budget(Budget(time_ms=-1))
    Traceback (most recent call last):
    croupier.errors.InputError: budget -1: more than 0 milliseconds, or at least 1 round
    """
    if (budget.time_ms is None) == (budget.rounds is None):
        raise InputError("a budget is a time in milliseconds or a number of rounds: give one of the two")
    amount = budget.rounds if budget.time_ms is None else budget.time_ms
    if amount is None or not amount > 0:
        raise InputError(f"budget {amount}: more than 0 milliseconds, or at least 1 round")


class Clock:
    """Divides a budget up: positions for proofs first, where there is something to prove, then rounds of a search.

    Examples
    --------
    >>> clock = Clock(Budget(rounds=5000))
    >>> clock.next_rounds(), clock.next_rounds(), clock.next_rounds()
    (4096, 904, 0)
    """

    def __init__(self, budget: Budget) -> None:
        verify_budget(budget)
        self._begin = time.perf_counter()
        self._seconds = None if budget.time_ms is None else _TIME_SHARE * budget.time_ms / 1000
        self._rounds = 0 if budget.rounds is None else budget.rounds
        self._drawn = 0
        self._draw_begin = self._begin
        self._searched = 0
        self._search_begin: float | None = None
        self._tried = 0
        self._proof_begin = self._begin

    def next_hands(self, rounds_a_hand: int = HAND_ROUNDS) -> int:
        """Return how many hands of the other player to draw before this is asked again; 0 when there are enough.

        Drawing one takes as long as so many rounds of the search.

        >>> clock = Clock(Budget(rounds=5000))
        >>> clock.next_hands(), clock.next_hands()
        (509, 0)
        """
        rounds = self.expected_rounds
        many = min(_MANY_HANDS + rounds // _ROUNDS_A_FURTHER_HAND, _MOST_HANDS)
        wanted = max(8, min(rounds // rounds_a_hand, many)) - self._drawn
        first = _FIRST_HANDS * HAND_ROUNDS // rounds_a_hand
        if self._seconds is None:
            hands = wanted
        elif self._drawn == 0:
            self._draw_begin = time.perf_counter()
            hands = min(wanted, first)
        elif self._drawn > first:
            hands = 0
        else:
            now = time.perf_counter()
            speed = self._drawn / max(1e-6, now - self._draw_begin)
            hands = min(wanted, int((self._draw_begin + _HANDS_SHARE * self._seconds - now) * speed))
            hands = hands if hands >= first // 2 else 0
        self._drawn += hands
        return hands

    @property
    def proof_positions(self) -> int:
        """How many positions a proof at the end of a round may look at: more where there is more time.

        >>> Clock(Budget(time_ms=100)).proof_positions, Clock(Budget(time_ms=1000)).proof_positions
        (200, 1900)
        """
        return max(_PROOF_POSITIONS, self.expected_rounds // _ROUNDS_A_POSITION)

    @property
    def exploration_factor(self) -> float:
        """How much more strongly than usual moves that look worse are tried: each keeps its share of the rounds, however many there are.

        >>> Clock(Budget(time_ms=100)).exploration_factor, Clock(Budget(rounds=100_000)).exploration_factor
        (1.0, 2.0)
        """
        return math.sqrt(max(1.0, self.expected_rounds / _MANY_ROUNDS))

    @property
    def expected_rounds(self) -> int:
        """How many rounds the whole budget brings on a common machine: at least one."""
        return self._rounds if self._seconds is None else max(1, int(self._seconds * 1000 * _ROUNDS_A_MS))

    @property
    def is_generous(self) -> bool:
        """Whether there is time for what is slow: to ask the policy about hands, and to search choices inside play-outs.

        >>> Clock(Budget(time_ms=100)).is_generous, Clock(Budget(time_ms=1000)).is_generous
        (False, True)
        """
        return self.expected_rounds >= _GENEROUS_ROUNDS

    @property
    def share_used(self) -> float:
        """The share of the budget that has gone by.

        >>> clock = Clock(Budget(rounds=5000))
        >>> _ = clock.next_rounds()
        >>> clock.share_used
        0.8192
        """
        if self._seconds is None:
            return self._searched / self._rounds
        return (time.perf_counter() - self._begin) / self._seconds

    @property
    def rounds_left(self) -> int:
        """How many rounds are still to come, by the speed so far."""
        if self._seconds is None:
            return self._rounds - self._searched
        now = time.perf_counter()
        begin = now if self._search_begin is None else self._search_begin
        speed = self._searched / max(1e-6, now - begin)
        return max(0, int((self._begin + self._seconds - now) * speed))

    def next_positions(self, share: float = PROOF_SHARE) -> int:
        """Return how many positions the next attempt at a proof may look at; 0 when a share of the time is used up.

        There is always one attempt, however little time is left. Each further one is twice as long, as far as the time goes.

        >>> clock = Clock(Budget(time_ms=0.001))
        >>> clock.next_positions(), clock.next_positions()
        (1, 0)
        """
        if self._seconds is None:
            positions = 0 if self._tried else self._rounds * _POSITIONS_A_ROUND
        elif self._tried == 0:
            rounds = self._seconds * 1000 * _ROUNDS_A_MS * _ATTEMPT_SHARE
            positions = max(1, int(rounds * _POSITIONS_A_ROUND))
            self._proof_begin = time.perf_counter()
        else:
            now = time.perf_counter()
            left = self._begin + share * self._seconds - now
            speed = self._tried / max(1e-6, now - self._proof_begin)
            is_worth_it = left > _LEAST_ATTEMPT_SHARE * self._seconds
            positions = min(2 * self._tried, int(left * speed)) if is_worth_it else 0
        self._tried += positions
        return positions

    def next_rounds(self) -> int:
        """Return how many rounds to search before the clock is looked at again; 0 when the budget is used up."""
        if self._search_begin is None:
            self._search_begin = time.perf_counter()
        left = self.rounds_left
        if self._seconds is None:
            rounds = min(left, _MOST_ROUNDS)
        elif self._searched == 0:
            rounds = _FIRST_ROUNDS
        else:
            rounds = min(left, _MOST_ROUNDS, 2 * self._searched) if left >= _FEWEST_ROUNDS else 0
        self._searched += rounds
        return rounds
