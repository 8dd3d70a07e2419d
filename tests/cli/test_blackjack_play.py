"""``croupier blackjack play``, with a person's right and wrong answers."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.cli import chair
from tests.cli.calling import call
from tests.cli.chair import CTRL_C, CTRL_D, Chair

RESULT = re.compile(r"You (win|lose|break even) ?([\d.,]*)\. Bankroll ([\d.,]+)\.")
SUMMARY = re.compile(r"You (win|lose|break even) ?([\d.,]*) in all\. Bankroll ([\d.,]+)\.")

#: The rules that the seeds below are for.
FOUR_DECKS = ("--preset", "vegas-strip")

#: What the first round deals at four decks, by seed.
NO_PAIR, PAIR, ACE_UP = "3", "1", "6"


def seated(seed: str, *options: str) -> AbstractContextManager[Chair]:
    return chair.seated("blackjack", "--seed", seed, *FOUR_DECKS, *options)


def seated_in_a_process(seed: str, *options: str, **environment: str) -> AbstractContextManager[Chair]:
    return chair.seated_in_a_process("blackjack", "--seed", seed, *FOUR_DECKS, *options, **environment)


def money(match: tuple[str, str, str]) -> tuple[float, float]:
    """Return what a result says was won, and the bankroll after it."""
    verb, amount, bankroll = match
    won, after = (float(number.replace(",", "") or 0) for number in (amount, bankroll))
    return {"win": 1, "lose": -1}.get(verb, 0) * won, after


def play_rounds(person: Chair, rounds: int, *preferences: str) -> list[tuple[float, float]]:
    """Play rounds with the first preference that is offered; return what each won, and the bankroll after it."""
    results = []
    for _ in range(rounds):
        said = person.answer("")
        while not person.question.startswith("your bet"):
            offered = person.question.removesuffix(" > ").split(", ")
            said = person.answer(next(word for word in preferences if word in offered))
        results += [money(match) for match in RESULT.findall(said)]
    return results


@pytest.mark.parametrize(
    "preferences",
    [("split", "double", "insure", "stand"), ("double", "no insurance", "hit"), ("insure", "hit")],
    ids=["splits all", "doubles all", "hits to the end"],
)
def test_the_bankroll_adds_up_over_twenty_rounds_of_every_action(preferences: tuple[str, ...]) -> None:
    with seated(PAIR, "--bankroll", "1000") as person:
        person.listen()
        results = play_rounds(person, 20, *preferences)
        assert len(results) == 20
        bankroll = 1000.0
        for won, after in results:
            assert after == pytest.approx(bankroll + won)
            bankroll = after
        (summary,) = SUMMARY.findall(person.answer("quit"))
        assert money(summary) == pytest.approx((bankroll - 1000, bankroll))
        person.verify_left_in_peace()


def test_several_hands_side_bets_and_a_coach_at_once() -> None:
    with seated(
        ACE_UP, "--hands", "3", "--perfect-pairs", "1", "--21+3", "2", "--bankroll", "500", "--coach"
    ) as person:
        assert "your bet on each of 3 hands (Enter = 5, at most 163.66) > " in person.listen()
        results = play_rounds(person, 6, "no insurance", "split", "stand")
        assert len(results) == 6
        assert "hand 3" in person.heard
        assert "coach: stand" in person.heard
        assert re.search(
            r"\d+ of \d+ choices were right; the mistakes cost \d+\.\d\d in expectation\.",
            person.answer("quit"),
        )
        person.verify_left_in_peace()


def test_the_coach_prices_splitting_again() -> None:
    with seated(PAIR, "--coach", "--bankroll", "1000", "--set", "split_hands=8") as person:
        person.listen()
        play_rounds(person, 40, "split", "no insurance", "stand")
        split_hands = [line for line in person.heard.splitlines() if "coach" in line and "split" in line]
        assert split_hands
        assert "not priced" not in person.heard


def test_the_same_seed_and_the_same_answers_are_the_same_session() -> None:
    """In a process of its own too: what the other tests say of a session in theirs is true of the real one."""
    heard = []
    for sit_down in (seated, seated, seated_in_a_process):
        with sit_down("17") as person:
            person.listen()
            play_rounds(person, 4, "no insurance", "stand")
            heard.append(person.heard)
    assert heard[0] == heard[1] == heard[2]


def test_a_bet_that_cannot_be_is_asked_for_again() -> None:
    with seated(NO_PAIR) as person:
        person.listen()
        for wrong in ("0.5", "101", "-3", "nan", "inf", "five", "5 5", "1e999", "☃"):
            assert "type a number from 1 to 100." in person.answer(wrong)
            assert person.question.startswith("your bet")
        assert "hit, stand, double > " in person.answer("5")


def test_an_action_that_cannot_be_is_asked_for_again() -> None:
    with seated(NO_PAIR) as person:
        person.listen()
        person.answer("5")
        for wrong in ("x", "", "s t", "split", "insure", "hitt", "5"):
            assert "is not possible here; type one of: hit, stand, double." in person.answer(wrong)
            assert person.question == "hit, stand, double > "


def test_bytes_that_are_no_text_are_asked_about_again() -> None:
    """Most UTF-8 locales read stdin strictly; the C locale of the tests would let the bytes pass."""
    with seated_in_a_process(NO_PAIR, PYTHONIOENCODING="utf-8:strict") as person:
        person.listen()
        assert "is not a bet" in person.answer(b"\xff\xfe\n")
        assert person.question.startswith("your bet")


def test_the_closed_card_of_the_dealer_is_not_shown_before_the_dealer_plays() -> None:
    with seated(NO_PAIR) as person:
        person.listen()
        said = person.answer("5")
        assert "5♠ ░░" in said
        assert "J♣" not in said
        assert "5♠ J♣" in person.answer("hit")


def test_a_bankroll_that_does_not_cover_another_bet_offers_no_double() -> None:
    with seated(PAIR, "--bankroll", "5") as person:
        person.listen()
        assert "Your bankroll does not cover another bet" in person.answer("5")
        assert person.question == "hit, stand > "


def test_a_bankroll_that_is_gone_ends_the_session() -> None:
    with seated(PAIR, "--bankroll", "1", "--bet", "1") as person:
        person.listen()
        for _ in range(200):
            if not person.question.endswith(" > "):
                break
            person.answer("" if person.question.startswith("your bet") else "h")
        assert "Your bankroll does not cover the smallest bet any more." in person.heard
        person.verify_left_in_peace()


def test_letters_are_those_of_the_browser_and_names_and_beginnings_of_words_are_understood() -> None:
    """``s`` is stand wherever it is offered, though split and surrender begin with it too."""
    with seated(PAIR, "--set", "surrender=late") as person:
        person.listen()
        for answer in ("5", "p", "sta", "s"):
            person.answer(answer)
        assert "You split." in person.heard
        assert person.heard.count("You stand.") == 2
        assert "hit, stand, double > " in person.heard


def test_a_bet_that_the_table_refuses_is_asked_for_again() -> None:
    with seated(NO_PAIR) as person:
        person.listen()
        assert "a bet of 5.001; bets go to the hundredth, such as 5.00." in person.answer("5.001")
        assert person.question.startswith("your bet")


def test_history_lists_the_rounds_so_far() -> None:
    with seated(NO_PAIR) as person:
        person.listen()
        play_rounds(person, 2, "stand")
        table = person.answer("history")
        assert "rounds of seed 3" in table
        assert "loses: −5" in table
        assert person.question.startswith("your bet")


@pytest.mark.parametrize(
    ("sit_down", "last_words"),
    [
        *((seated, words) for words in (["q"], ["QUIT"], ["5", "quit"], [], ["5"])),
        (seated_in_a_process, ["5", "quit"]),
        (seated_in_a_process, ["5"]),
    ],
)
def test_leaving_by_a_word_or_by_the_end_of_input_ends_with_the_summary(
    sit_down: Callable[..., AbstractContextManager[Chair]], last_words: list[str]
) -> None:
    with sit_down(NO_PAIR) as person:
        person.listen()
        for answer in last_words:
            person.answer(answer)
        person.leave_without_a_word()
        assert person.wait() == 0
    assert person.heard.rstrip().endswith("No round was played to its end.")
    assert "Traceback" not in person.heard


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("in_a_round", [False, True], ids=["at the bet", "in a round"])
def test_leaving_by_a_key_at_a_terminal_ends_with_the_summary(key: bytes, in_a_round: bool) -> None:
    with chair.seated_at_a_terminal("blackjack", "--seed", NO_PAIR, *FOUR_DECKS) as person:
        person.listen()
        person.answer("4")
        assert RESULT.search(person.answer("stand"))
        if in_a_round:
            person.answer("5")
        assert SUMMARY.search(person.answer(key))
        person.verify_left_in_peace()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ("--perfect-pairs", "5000"),
            "perfect pairs: a side bet of 5000; this table takes 0 (no bet) to 1000",
        ),
        (("--hands", "9"), "'--hands': 9 is too large; the most is 7"),
        (("--bankroll", "lots"), "'--bankroll': Input should be a valid number"),
        (("--set", "decks=0"), "option 'decks'"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options: tuple[str, ...], complaint: str) -> None:
    refused = call("blackjack", "play", "--seed", NO_PAIR, *options)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("croupier: error: ")
    assert complaint in refused.stderr
    assert refused.stderr.count("\n") == 1
