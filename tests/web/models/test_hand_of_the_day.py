"""The hand of the day: the same for everybody on a date, and answered once."""

from datetime import date, timedelta

import pytest

from croupier.errors import InputError
from croupier.web.models.hand_of_the_day import (
    LARGEST_GAIN,
    SMALLEST_GAIN,
    DayAnswers,
    DayQuestion,
    question_of,
)

FIRST = date(2026, 11, 16)


def question(day: int) -> DayQuestion:
    return DayQuestion(
        FIRST + timedelta(days=day), "banluck", (40, 0, 12), {"stand": -0.30, "hit": -0.45}, held="17"
    )


@pytest.mark.verify
@pytest.mark.parametrize("day", range(6))
def test_the_date_decides_the_hand(day: int) -> None:
    wanted = FIRST + timedelta(days=day)
    asked = question_of(wanted)
    question_of.cache_clear()
    assert question_of(wanted) == asked
    best, second = sorted(asked.worths.values(), reverse=True)[:2]
    assert best == asked.worths[asked.best]
    assert asked.game == "durak" or SMALLEST_GAIN <= best - second <= LARGEST_GAIN


def test_a_hand_is_answered_once_and_right_days_in_a_row_are_counted() -> None:
    answers = DayAnswers()
    answers.answer(question(0), "stand")
    with pytest.raises(InputError, match="answered already"):
        answers.answer(question(0), "hit")
    answers = DayAnswers.from_state(answers.to_state())
    answers.answer(question(1), "stand")
    assert (answers.streak, answers.right, answers.answered) == (2, 2, 2)
    answers.answer(question(3), "stand")
    assert answers.streak == 1
    with pytest.raises(InputError, match="'fold' is no answer; choose stand, hit"):
        answers.answer(question(4), "fold")
    answers.answer(question(4), "hit")
    assert (answers.streak, answers.right, answers.answered) == (0, 3, 4)
    assert answers.choice_on(question(3).day) is None
