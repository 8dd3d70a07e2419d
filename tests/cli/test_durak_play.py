"""``croupier durak play`` as a real process, with a person's right and wrong answers."""

import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from croupier.durak.arena.log import problems, read_log
from tests.cli import chair
from tests.cli.calling import call
from tests.cli.chair import CTRL_C, CTRL_D, Chair

CARD = re.compile(r"(?:10|[6789JQKA])[♣♦♥♠]")
PROGRAM = f"{sys.executable} -m croupier.durak.players.dummy"


def seated(*options: str) -> AbstractContextManager[Chair]:
    return chair.seated_in_a_process("durak", "--seed", "3", *options)


def own_cards(person: Chair) -> list[str]:
    (*_, line) = [line for line in person.heard.splitlines() if line.startswith("│ you")]
    return CARD.findall(line)


def play_out(person: Chair) -> str:
    """Play a game to its end with the first card of the hand that is taken, else by passing."""
    for _ in range(2000):
        if not person.question.endswith(" > ") or "next game" in person.question:
            break
        for card in own_cards(person):
            said = person.answer(card)
            if "cannot be played now" not in said:
                break
        else:
            person.answer("")
    return person.heard


@pytest.mark.parametrize(
    "opponent",
    [("--engine", PROGRAM), ("--level", "1"), ("--level", "2", "--set", "six_card_cap=true")],
)
def test_a_game_is_played_to_its_end_against_an_engine_and_against_the_master(
    opponent: tuple[str, ...], tmp_path: Path
) -> None:
    log = tmp_path / "games.log"
    with seated(*opponent, "--no-review", "--log", str(log)) as person:
        person.listen()
        play_out(person)
        assert person.question == "Enter for the next game > "
        assert re.search(r"1 game: 1 (won|lost|drawn)\.", person.answer("quit"))
        person.verify_left_in_peace()
    games = read_log(log)
    assert len(games) == 1
    assert list(problems(games)) == []


def test_a_review_names_what_was_not_the_best() -> None:
    with seated("--level", "1") as person:
        person.listen()
        heard = play_out(person)
        assert re.search(
            r"\d+ of \d+ choices were good; together they gave away \d\.\d\d of a point\.", heard
        )


def test_hints_are_given_where_they_were_asked_for_only() -> None:
    with seated("--level", "1", "--hints", "--no-review") as person:
        person.listen()
        assert "expects 0." in person.answer("hint")
    with seated("--level", "1", "--no-review") as person:
        person.listen()
        assert "start with --hints" in person.answer("hint")


def test_the_hidden_cards_are_not_shown() -> None:
    with seated("--engine", PROGRAM, "--no-review") as person:
        said = person.listen()
        assert "░░ ░░ ░░ ░░ ░░" in said
        shown = set(CARD.findall(said))
        assert len(shown) == 6 + 2  # the own hand, the card on the table and the trump


def test_an_answer_that_cannot_be_is_asked_for_again() -> None:
    with seated("--engine", PROGRAM, "--no-review") as person:
        person.listen()
        for wrong, complaint in (
            ("xx", "card 'xx' is no card; ranks are 6 7 8 9 10 J Q K A, suits C D H S."),
            ("2h", "card '2h' is not in the pack; ranks are 6 7 8 9 10 J Q K A"),
            (
                "7\N{CYRILLIC SMALL LETTER ES}",
                "suits C D H S; the second character is CYRILLIC SMALL LETTER ES.",
            ),
            ("6h", "You do not hold 6♥."),
            ("as", "A♠ cannot be played now; what can: 9♥ Q♥."),
            ("9h qh", "2 cards; play one."),
            ("9h 9h", "is given twice"),
            ("done", "'done' is not possible now. Beat 6♥, or take."),
        ):
            assert complaint in " ".join(person.answer(wrong).split())
            assert person.question == "Beat 6♥, or take (take) > "


def test_taking_while_attacking_is_refused_in_words_about_the_attack() -> None:
    with chair.seated_in_a_process("durak", "--seed", "6", "--engine", PROGRAM, "--no-review") as person:
        person.listen()
        assert person.question == "Your attack: play any card (a card) > "
        assert "'take' is not possible now. Your attack: play any card." in person.answer("take")


@pytest.mark.parametrize("last_words", [["quit"], []])
def test_leaving_ends_with_the_score_and_leaves_no_engine_behind(last_words: list[str]) -> None:
    with seated("--engine", PROGRAM, "--no-review") as person:
        person.listen()
        for answer in last_words:
            person.answer(answer)
        person.leave_without_a_word()
        assert person.wait() == 0
    assert person.heard.rstrip().endswith("No game was played to its end.")


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_by_a_key_at_a_terminal_ends_with_the_score(key: bytes) -> None:
    with chair.seated_at_a_terminal("durak", "--seed", "3", "--engine", PROGRAM, "--no-review") as person:
        person.listen()
        assert "No game was played to its end." in person.answer(key)
        person.verify_left_in_peace()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--engine", "no-such-engine"), "no-such-engine"),
        (
            ("--engine", PROGRAM, "--set", "six_card_cap=true"),
            "knows the rules of the protocol only",
        ),
        (("--level", "6"), "'--level': 6 is too large; the most is 5"),
        (("--set", "seven_card_cap=true"), "seven_card_cap"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options: tuple[str, ...], complaint: str) -> None:
    refused = call("durak", "play", "--seed", "3", *options)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("croupier: error: ")
    assert complaint in refused.stderr
    assert refused.stderr.count("\n") == 1
