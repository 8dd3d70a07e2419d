"""The standing of a running match: games as they end, pairs in their order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.rating import PairCounts
from croupier.durak.arena.sprt import Decision, Sprt


@dataclass(frozen=True, slots=True)
class Standing:
    """What a match has shown: the sum of its games, and what the sequential test says, if there is one."""

    tally: Tally
    decision: Decision | None
    log_likelihood_ratio: float | None


class Scoreboard:
    """Counts games as they end, and watches the pairs in their order for the sequential test.

    Parameters
    ----------
    numbers
        The games of the match in their order.
    sprt
        The sequential test, if one may end the match.
    known
        Games that were over before.

    Examples
    --------
    >>> from croupier.durak.arena.game_number import games_of_match
    >>> from croupier.durak.engine.state import Result
    >>> first, second = games_of_match(pairs=1)
    >>> board = Scoreboard([first, second], None, {first: GameOutcome(first, Result.FIRST, leader=0)})
    >>> list(board.missing()) == [second]
    True
    >>> board.enter(GameOutcome(second, Result.FIRST, leader=0))
    >>> board.standing().tally.pair_counts.counts
    (0, 0, 1, 0, 0)
    """

    def __init__(
        self, numbers: list[GameNumber], sprt: Sprt | None, known: Mapping[GameNumber, GameOutcome]
    ) -> None:
        self.tally = Tally()
        self._numbers, self._sprt = numbers, sprt
        self._outcomes: dict[GameNumber, GameOutcome] = {}
        self._decision = None if sprt is None else Decision.GO_ON
        self._tested = PairCounts()
        for number in numbers:
            if number in known:
                self.enter(known[number])

    @property
    def is_settled(self) -> bool:
        """Whether the sequential test has come to an end."""
        return self._decision in (Decision.ELO0, Decision.ELO1)

    def missing(self) -> Iterator[GameNumber]:
        """Yield the games that are still to be played, in their order."""
        return (number for number in self._numbers if number not in self._outcomes)

    def enter(self, outcome: GameOutcome) -> None:
        """Count a game that is over."""
        self._outcomes[outcome.number] = outcome
        self.tally.add(outcome)
        while self._sprt is not None and not self.is_settled and (pair := self._next_pair()) is not None:
            self._tested = self._tested.with_pair(sum(outcome.points for outcome in pair))
            self._decision = self._sprt.decide(self._tested)

    def standing(self) -> Standing:
        """Return the sum of the match's games; with a settled test, of the pairs that settled it."""
        counted = sorted(self._outcomes)
        if self.is_settled:
            counted = [number for number in counted if number.pair < self._tested.pairs]
        ratio = None if self._sprt is None else self._sprt.log_likelihood_ratio(self._tested)
        return Standing(Tally.of(self._outcomes[number] for number in counted), self._decision, ratio)

    def _next_pair(self) -> tuple[GameOutcome, GameOutcome] | None:
        pair = self._tested.pairs
        games = [self._outcomes.get(GameNumber(pair, is_swapped)) for is_swapped in (False, True)]
        return (games[0], games[1]) if games[0] is not None and games[1] is not None else None
