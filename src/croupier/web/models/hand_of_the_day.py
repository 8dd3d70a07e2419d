"""The hand of the day: one decision, the same for everybody on a date, and what each visitor answered.

The date decides the game and the cards. What each answer is worth comes from the coach of that game's table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Self

from croupier.banluck.play.session import Seating
from croupier.banluck.play.table import BanluckTable
from croupier.blackjack.engine import BLACKJACK
from croupier.blackjack.play.table import BlackjackTable
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.actions import answer
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.play.coach import values_of
from croupier.durak.players.built_in import built_in_player
from croupier.durak.players.master import only_answer
from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved

#: A hand is worth asking if the best answer is better than the second by this much, in bets or points, and not by much more.
SMALLEST_GAIN, LARGEST_GAIN = 0.02, 0.15

#: A durak hand must be told apart from chance: by so many standard errors. So many hands are looked at for it.
_STANDARD_ERRORS, _MOST_TRIED = 3.0, 12

#: The answer in durak that plays no card.
PASS = "pass"

_GAMES = ("banluck", "blackjack", "durak")


@dataclass(frozen=True, slots=True)
class DayQuestion:
    """The question of one day.

    Attributes
    ----------
    day, game
        The date, and the game.
    own, table, other
        The visitor's cards, the cards on the table, and the dealer's; None is a card that nobody sees.
    worths
        What each answer is worth, in bets or points, the best first. In durak an answer is its card as text, or ``pass``.
    held, bust
        The total that is held and the chance that the next card busts it, where that is known.
    trump, stock
        In durak, the open trump and how many cards the stock holds.
    phase
        In durak, what the visitor is asked for.
    """

    day: date
    game: str
    own: tuple[int, ...]
    worths: dict[str, float] = field(hash=False)
    table: tuple[int, ...] = ()
    other: tuple[int | None, ...] = ()
    held: str = ""
    bust: float | None = None
    trump: int | None = None
    stock: int = 0
    phase: Phase | None = None

    @property
    def best(self) -> str:
        """The best answer."""
        return max(self.worths, key=lambda name: self.worths[name])

    def cost(self, choice: str) -> float:
        """Return what an answer gives away."""
        return self.worths[self.best] - self.worths[choice]


@lru_cache(maxsize=4)
def question_of(day: date) -> DayQuestion:
    """Return the question of a day; the first time takes as long as the coach needs.

    >>> question_of(date(2026, 11, 16)).game
    'blackjack'
    """
    game = _GAMES[day.toordinal() % len(_GAMES)]
    return {"banluck": _banluck, "blackjack": _blackjack, "durak": _durak}[game](day)


def _banluck(day: date) -> DayQuestion:
    table = BanluckTable.opened(Seating(), seed=day.toordinal(), coach=True)
    while True:
        table.bet(1)
        while table.view.is_playing:
            worths, view = table.worths, table.view
            mine = next(place for place in view.places if place.is_mine)
            if _is_worth_asking(worths) and mine.total is not None:
                own = tuple(card for card in mine.cards if card is not None)
                other = () if view.dealer is None else view.dealer.cards
                return DayQuestion(day, "banluck", own, _ranked(worths), other=other, held=str(mine.total))
            table.act(max(worths, key=lambda name: worths[name]))


def _blackjack(day: date) -> DayQuestion:
    table = BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=day.toordinal())
    while True:
        table.bet(1)
        advice = table.advice
        if advice is not None and _is_worth_asking(advice.worths):
            view = table.view
            [hand] = view.seats[0].hands
            return DayQuestion(
                day,
                "blackjack",
                tuple(card for card in hand.cards if card is not None),
                _ranked(advice.worths),
                other=view.dealer.cards,
                held=hand.value,
                bust=advice.bust,
            )
        while (advice := table.advice) is not None:
            table.act(advice.best)


def _durak(day: date) -> DayQuestion:
    tried: list[tuple[float, DayQuestion]] = []
    for state in _durak_choices(day.toordinal()):
        values = values_of(state)
        best, second = values[0], values[1]
        gain = best.expected_score - second.expected_score
        seen = observe(state, 0)
        question = DayQuestion(
            day,
            "durak",
            tuple(seen.by_cost(seen.hand)),
            {cards_text(value.cards) or PASS: value.expected_score for value in values},
            table=seen.table,
            trump=seen.trump,
            stock=seen.deck_count,
            phase=seen.phase,
        )
        if gain >= max(SMALLEST_GAIN, _STANDARD_ERRORS * (best.error**2 + second.error**2) ** 0.5):
            return question
        tried.append((gain, question))
        if len(tried) == _MOST_TRIED:
            break
    return max(tried, key=lambda entry: entry[0])[1]


def _durak_choices(seed: int) -> Iterator[GameState]:
    """Yield positions in which the first player has a choice of card, from games of two simple players."""
    player = built_in_player("durak-dummy")
    number = 0
    while True:
        deal = deal_of_pair(seed, number)
        state = start(DurakRules(), deal.deck, deal.leader)
        while not state.is_over:
            is_choice = state.to_act == 0 and only_answer(observe(state, 0)) is None
            if is_choice and state.phase is not Phase.THROW_IN and len(state.history) > 4 + number:
                yield state
                break
            state = answer(state, player.answer(state, seed))
        number += 1


def _is_worth_asking(worths: Mapping[str, float]) -> bool:
    if len(worths) < 2:
        return False
    best, second = sorted(worths.values(), reverse=True)[:2]
    return SMALLEST_GAIN <= best - second <= LARGEST_GAIN


def _ranked(worths: Mapping[str, float]) -> dict[str, float]:
    return {str(name): worth for name, worth in sorted(worths.items(), key=lambda entry: -entry[1])}


class _SavedAnswers(Saved):
    day: str
    choice: str
    answered: int
    right: int
    streak: int


class DayAnswers:
    """What a visitor answered: today's choice, and how the days before went.

    Examples
    --------
    >>> question = DayQuestion(date(2026, 11, 16), "banluck", (), {"stand": -0.4, "hit": -0.5})
    >>> answers = DayAnswers()
    >>> answers.answer(question, "stand")
    >>> answers.choice_on(question.day), answers.right, answers.streak
    ('stand', 1, 1)
    >>> DayAnswers.from_state(answers.to_state()).streak
    1
    """

    def __init__(self) -> None:
        self._day, self._choice = "", ""
        self.answered = self.right = self.streak = 0

    def choice_on(self, day: date) -> str | None:
        """Return what was answered on a day; None if nothing was, or it is long ago."""
        return self._choice if self._day == day.isoformat() else None

    def answer(self, question: DayQuestion, choice: str) -> None:
        """Answer the question of a day.

        Raises
        ------
        InputError
            If it is answered already, or there is no such choice.
        """
        if self.choice_on(question.day) is not None:
            raise InputError("the hand of this day is answered already; the next one comes tomorrow")
        if choice not in question.worths:
            raise InputError(f"'{choice}' is no answer; choose {', '.join(question.worths)}")
        is_right = choice == question.best
        is_next_day = self._day == (question.day - timedelta(days=1)).isoformat()
        self.streak = (self.streak + 1 if is_next_day else 1) if is_right else 0
        self.answered += 1
        self.right += is_right
        self._day, self._choice = question.day.isoformat(), choice

    def to_state(self) -> dict[str, Any]:
        """Return it as JSON."""
        return _SavedAnswers(
            day=self._day,
            choice=self._choice,
            answered=self.answered,
            right=self.right,
            streak=self.streak,
        ).model_dump()

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read it back.

        Raises
        ------
        InputError
            If it is something else.
        """
        saved = read_saved(_SavedAnswers, state, "not answers to the hand of the day")
        answers = cls()
        answers._day, answers._choice = saved.day, saved.choice
        answers.answered, answers.right, answers.streak = saved.answered, saved.right, saved.streak
        return answers
