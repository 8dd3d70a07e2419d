"""Playing the bets of a question for real: the second method behind the answers of a profile, and the only one for cover limits."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from croupier.blackjack.counting import betting_kernel as kernel
from croupier.blackjack.counting.answers import Figure
from croupier.blackjack.counting.kernel import Floats
from croupier.blackjack.counting.people import PersonAtTable
from croupier.blackjack.counting.person_kernel import Records
from croupier.blackjack.counting.profile_kernel import LOWEST_COUNT
from croupier.blackjack.counting.questions import Question, bet_choice, chosen_bets, spots_of
from croupier.blackjack.counting.sums import Sums
from croupier.blackjack.counting.system import verify_countable
from croupier.blackjack.simulation.length import BLOCK_ROUNDS
from croupier.blackjack.simulation.round_terms import Integers
from croupier.errors import InputError
from croupier.numerics.streams import verify_seed
from croupier.runs.blocks import run_blocks
from croupier.runs.executors import open_executor

if TYPE_CHECKING:
    from croupier.blackjack.counting.profile import CountProfile

#: Bankrolls of one random stream.
_BLOCK_TRIPS = 256

#: Rounds of a trip that has no end.
_ENDLESS = 2**62


@dataclass(frozen=True, slots=True)
class Cover:
    """How fast bets may rise, so that nobody sees a counter: at most so many times the last bet, by what it came to.

    Examples
    --------
    >>> Cover(after_win=2.0, after_push=1.0, after_loss=1.0).factors.tolist()
    [1.0, 1.0, 2.0]
    """

    after_win: float = math.inf
    after_push: float = math.inf
    after_loss: float = math.inf

    @property
    def factors(self) -> Floats:
        """After a lost, an even and a won round."""
        return np.array([self.after_loss, self.after_push, self.after_win], dtype=np.float64)

    def verify(self) -> None:
        """Raise an InputError unless bets may at least stay as they are."""
        for name in self.__slots__:
            if not getattr(self, name) >= 1:
                raise InputError(f"cover {name}: a factor from 1 on, such as 2 for no more than double")


@dataclass(frozen=True, slots=True)
class PlayedBets:
    """What bets came to that were really played, in money and per round dealt.

    Attributes
    ----------
    win_rate, std
        What a round won, and its standard deviation, both with their errors over shoes.
    played, mean_bet
        Which part of the rounds was played, and what was bet per round dealt, over all places.
    rounds, seed
        How many rounds were dealt, and their cards.
    """

    win_rate: Figure
    std: Figure
    played: float
    mean_bet: float
    rounds: int
    seed: int


@dataclass(frozen=True, slots=True)
class PlayedBankrolls:
    """How bankrolls ended that were really played.

    Attributes
    ----------
    ruined, reached, left
        Which part of them was lost (or fell to the floor, if bets follow it), won the goal, or had neither happen before the trip was over.
    overshoot
        By how much the last loss went past that end on average, in money; None if nothing was lost.
    trips, seed
        How many bankrolls, and their cards.
    """

    ruined: Figure
    reached: Figure
    left: Figure
    overshoot: float | None
    trips: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            name: value.to_dict() if isinstance(value, Figure) else value
            for name in self.__slots__
            for value in (getattr(self, name),)
        }


@dataclass(frozen=True, slots=True)
class _Bettor:
    """A player at the table of a profile, in the form that compiled code reads."""

    somebody: PersonAtTable
    cut: int
    betting: kernel.Betting
    seed: int

    @classmethod
    def of(
        cls, profile: "CountProfile", question: Question, cover: Cover, seed: int, bets: Floats | None = None
    ) -> Self:
        verify_seed(seed)
        cover.verify()
        layout = profile.layout
        layout.states_in(
            question.enter, question.leave, returns=question.returns
        )  # refuses what the profile would
        steps = layout.steps_before(question.penetration, verify_countable(profile.rules))
        betting = kernel.Betting(
            layout.counts[0],
            chosen_bets(profile, bet_choice(profile, question)) if bets is None else bets,
            spots_of(profile, question),
            LOWEST_COUNT if question.enter is None else question.enter,
            LOWEST_COUNT if question.leave is None else question.leave,
            question.returns,
            cover.factors,
            float(question.chip or 0.0),
            # A bet of nothing cannot follow anything; the smallest one that can is a chip.
            float(max(question.minimum or 0.0, question.chip or 0.0)),
            math.inf if question.maximum is None else float(question.maximum),
        )
        return cls(profile.somebody, min(steps * layout.step_cards, layout.cut), betting, seed)

    def records(self, block: int) -> tuple[Records, Integers]:
        """Return what a kernel works with: the shoe and the records of a round, and the player's memory."""
        return self.somebody.records(self.seed, block), np.zeros(kernel.MEMORY, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _BetRounds:
    bettor: _Bettor
    rounds: int

    def __call__(self, block: int) -> Sums:
        sums, of_shoe = np.zeros(kernel.SUMS), np.zeros(kernel.OF_SHOE)
        products = np.zeros((kernel.OF_SHOE, kernel.OF_SHOE))
        rounds = min(BLOCK_ROUNDS, self.rounds - block * BLOCK_ROUNDS)
        bettor = self.bettor
        kernel.play_bets(
            rounds, bettor.cut, *bettor.records(block), sums, of_shoe, products, bettor.betting, bettor.somebody.person()
        )  # fmt: skip
        return Sums(np.concatenate([sums, products.ravel()]))


@dataclass(frozen=True, slots=True)
class _BankrollTrips:
    bettor: _Bettor
    trips: int
    purse: kernel.Purse

    def __call__(self, block: int) -> Sums:
        ends = np.zeros(kernel.ENDS)
        trips = min(_BLOCK_TRIPS, self.trips - block * _BLOCK_TRIPS)
        bettor = self.bettor
        kernel.play_bankrolls(
            trips,
            bettor.cut,
            *bettor.records(block),
            ends,
            self.purse,
            bettor.betting,
            bettor.somebody.person(),
        )
        return Sums(ends)


def play_question(
    profile: "CountProfile",
    question: Question,
    *,
    rounds: int,
    seed: int,
    cover: Cover | None = None,
    workers: int | None = None,
) -> PlayedBets:
    """Play the bets of a question with new cards, and say what they came to."""
    if rounds < 1:
        raise InputError(f"rounds = {rounds}: at least 1 round has to be played")
    bettor = _Bettor.of(profile, question, cover or Cover(), seed)
    with open_executor(workers, threads=True) as executor:
        tally = run_blocks(
            _BetRounds(bettor, rounds), executor, blocks=math.ceil(rounds / BLOCK_ROUNDS)
        ).summary
    played, bet = tally.sums[: kernel.SUMS]
    products = tally.sums[kernel.SUMS :].reshape(kernel.OF_SHOE, kernel.OF_SHOE)
    dealt = int(products[kernel.ONE, kernel.ROUNDS])
    mean, std = moments_over_shoes(products, profile.scale)
    mean = mean._replace(value=mean.value - question.tips / question.rounds_per_hour)
    return PlayedBets(mean, std, float(played) / dealt, float(bet) / dealt, dealt, seed)


def moments_over_shoes(products: Floats, scale: int) -> tuple[Figure, Figure]:
    """Return mean and standard deviation of a round, with their errors over shoes.

    Both are functions of sums over independent shoes. To the first order a shoe with n rounds that won w, and s in squares, moves the
    mean m by (w - m n) / N, and the variance by (s - q n - 2 m (w - m n)) / N, with N rounds and the mean square q. The errors are the roots of
    the sums of these squares (the delta method).

    Parameters
    ----------
    products
        Sums over shoes of all products of one, rounds, what was won, and its squares, in the whole numbers of the table.

    Examples
    --------
    >>> shoes = np.array([[1.0, 2.0, 1.0, 5.0], [1.0, 2.0, -3.0, 5.0], [1.0, 1.0, 2.0, 4.0]])
    >>> mean, std = moments_over_shoes(shoes.T @ shoes, scale=1)
    >>> mean.value, round(std.value, 3)
    (0.0, 1.673)
    """
    shoes, rounds, won, squared = products[kernel.ONE]
    mean, square = won / rounds, squared / rounds
    std = math.sqrt(max(square - mean**2, 0.0))
    of_mean = np.array([0.0, -mean, 1.0, 0.0]) / rounds
    of_variance = np.array([0.0, -square, 0.0, 1.0]) / rounds - 2.0 * mean * of_mean
    if shoes < 2:
        return Figure(float(mean) / scale, None), Figure(std / scale, None)
    error, error_of_variance = (
        math.sqrt(max(float(moves @ products @ moves), 0.0) * shoes / (shoes - 1))
        for moves in (of_mean, of_variance)
    )
    return (
        Figure(float(mean) / scale, error / scale),
        Figure(std / scale, error_of_variance / (2.0 * std * scale) if std > 0 else None),
    )


def play_bankrolls(profile: "CountProfile", question: Question, **playing: Any) -> PlayedBankrolls:
    """Play bankrolls with the bets of a question; see :func:`play_bets` for what else may be named."""
    return play_bets(profile, question, chosen_bets(profile, bet_choice(profile, question)), **playing)


def play_bets(
    profile: "CountProfile",
    question: Question,
    bets: Floats,
    *,
    trips: int,
    seed: int,
    cover: Cover | None = None,
    resize: float | None = None,
    workers: int | None = None,
) -> PlayedBankrolls:
    """Play bankrolls until they are lost, have won the goal, or the trip is over.

    Parameters
    ----------
    bets
        Money on each place, by the counts of the profile.
    resize
        Bets follow the bankroll: whenever it has changed by this part since they last did, such as 0.1; 0 after every round. A trip then
        ends when the bankroll has fallen to the question's floor.

    Raises
    ------
    InputError
        If there is neither a trip nor a goal: such a bankroll might be played for ever.
    """
    if question.hours is None and question.goal is None:
        raise InputError("bankrolls need an end: name the hours of a trip, or a goal")
    if trips < 1:
        raise InputError(f"trips = {trips}: at least 1 bankroll has to be played")
    if resize is not None and not 0 <= resize <= 1:
        raise InputError(f"resize = {resize:g}: a part of the bankroll from 0 to 1, such as 0.1")
    bankroll = float(question.bankroll * profile.scale)
    purse = kernel.Purse(
        bankroll,
        bankroll if resize is None else bankroll * (1.0 - question.floor),
        math.inf if question.goal is None else float(question.goal * profile.scale),
        _ENDLESS if question.hours is None else round(question.hours * question.rounds_per_hour),
        resize is not None,
        float(resize or 0.0),
        question.tips * profile.scale / question.rounds_per_hour,
    )
    work = _BankrollTrips(_Bettor.of(profile, question, cover or Cover(), seed, bets), trips, purse)
    with open_executor(workers, threads=True) as executor:
        tally = run_blocks(work, executor, blocks=math.ceil(trips / _BLOCK_TRIPS)).summary
    shares = tally.sums / trips
    figures = [
        Figure(float(share), math.sqrt(share * (1 - share) / trips)) for share in shares[: kernel.OVERSHOOT]
    ]
    lost = float(tally.sums[kernel.RUINED])
    return PlayedBankrolls(
        figures[kernel.RUINED],
        figures[kernel.REACHED],
        figures[kernel.LEFT],
        float(tally.sums[kernel.OVERSHOOT]) / (lost * profile.scale) if lost else None,
        trips,
        seed,
    )
