import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.cli import chair
from tests.cli.chair import CTRL_C, CTRL_D, Chair
from tests.long_cases import cases

RESULT = re.compile(r"You (win|lose|neither win nor lose) ?([\d.]*)\. Bankroll ([\d.]+)\.")
SUMMARY = re.compile(r"You (win|lose|neither win nor lose) ?([\d.]*) in all\. Bankroll ([\d.]+)\.")
UNITS = re.compile(r"(?:(wins|loses) ([\d.]+) units?|gets the bet back) \(")


def seated(*options: str) -> AbstractContextManager[Chair]:
    return chair.seated("banluck", "--seed", "11", *options)


def seated_in_a_process(*options: str, **environment: str) -> AbstractContextManager[Chair]:
    return chair.seated_in_a_process("banluck", "--seed", "11", *options, **environment)


def seated_at_a_terminal(*options: str) -> AbstractContextManager[Chair]:
    return chair.seated_at_a_terminal("banluck", "--seed", "11", *options)


def money(match: tuple[str, str, str]) -> tuple[float, float]:
    """Return what a result says was won, and the bankroll after it."""
    verb, amount, bankroll = match
    return {"win": 1, "lose": -1}.get(verb, 0) * float(amount or 0), float(bankroll)


def units_on(line: str) -> float:
    match = UNITS.search(line)
    assert match is not None, f"no result on: {line}"
    return {"wins": 1, "loses": -1}.get(match[1], 0) * float(match[2] or 0)


def test_a_player_wins_and_loses_the_bet_times_the_units_and_the_bankroll_adds_up() -> None:
    bankroll = 100.0
    winnings = []
    with seated() as chair:
        chair.listen()
        for hand in range(1, 13):
            assert f" hand {hand}, bankroll {bankroll:g} " in chair.heard
            bet = 1 + hand % 3
            said = chair.answer(str(bet))
            while "hit, stand" in chair.question:
                said = chair.answer("hit" if hand % 4 == 0 else "stand")
            (result,) = RESULT.findall(said)
            mine = [line for line in said.splitlines() if "│ You " in line][-1]
            won, after = money(result)
            assert won == bet * units_on(mine)
            assert after == bankroll + won
            bankroll = after
            winnings.append(won)
        summary = SUMMARY.findall(chair.answer("quit"))
        assert [money(total) for total in summary] == [(bankroll - 100, bankroll)]
        chair.verify_left_in_peace()
    assert min(winnings) < 0 < max(winnings)


def test_a_dealer_pays_and_collects_what_three_players_win_and_lose() -> None:
    bankroll, bet = 1000.0, 4
    with seated("--as", "dealer", "--players", "3", "--bankroll", "1000", "--bet", "4") as chair:
        chair.listen()
        for hand in range(1, 11):
            assert f" hand {hand}, bankroll {bankroll:g} " in chair.heard
            assert "each player bets 4" in chair.question
            said = chair.answer("")
            while "each player bets" not in chair.question:
                choices = chair.question.removesuffix(" > ").split(", ")
                said = chair.answer(choices[hand % len(choices)])
            (result,) = RESULT.findall(said)
            players = [line for line in said.splitlines() if re.search(r"Player \d ", line) and "│" in line][
                -3:
            ]
            won, after = money(result)
            assert won == -bet * sum(units_on(line) for line in players)
            assert after == bankroll + won
            bankroll = after
        summary = SUMMARY.findall(chair.answer("q"))
        assert [money(total) for total in summary] == [(bankroll - 1000, bankroll)]
        chair.verify_left_in_peace()


def test_the_same_seed_and_the_same_answers_are_the_same_session() -> None:
    """In a process of its own too: what the other tests say of a session in theirs is true of the real one."""
    sessions = []
    for sit_down in (seated, seated, seated_in_a_process):
        with sit_down("--players", "2") as chair:
            chair.listen()
            for answer in ("3", "stand", "hit", "", "stand", "history", "quit"):
                chair.answer(answer)
            sessions.append(chair.heard)
    assert sessions[0] == sessions[1] == sessions[2]


def test_a_bet_that_cannot_be_is_asked_for_again() -> None:
    with seated("--bankroll", "20") as chair:
        chair.listen()
        for answer in ("20.01", "1e9", "0", "-5", "nan", "inf", "five", "[b]", "[/b]", "5 5", "♠", "hit"):
            said = chair.answer(answer)
            assert "type a number from 0.01 to 20." in said
            assert chair.question == "your bet (Enter = 5, at most 20) > "
        assert "your bet" not in chair.answer("20").rpartition("\n")[2]


def test_an_action_that_cannot_be_is_asked_for_again() -> None:
    with seated("--cards", "10H 9C 8S KD") as chair:
        chair.listen()
        chair.answer("")
        for answer in ("", "x", "draw", "hitt", "hit me", "0", "[red]", "stand up"):
            said = chair.answer(answer)
            assert f"'{answer}' is not possible here; type one of: hit, stand." in said
            assert chair.question == "hit, stand > "
        assert "You lose 5. Bankroll 95." in chair.answer("  StAnD ")


def test_bytes_that_are_no_text_are_asked_about_again() -> None:
    """Most UTF-8 locales read stdin strictly; the C locale of the tests would let the bytes pass."""
    with seated_in_a_process(PYTHONIOENCODING="utf-8:strict") as chair:
        chair.listen()
        said = chair.answer(b"\xff\xfe\n")
        assert "Traceback" not in said
        assert chair.question == "your bet (Enter = 5, at most 100) > "


def test_first_letters_are_enough_where_they_fit_one_action_only() -> None:
    """The dealer holds 16; players 1 and 2 have drawn a third card, so 'o' may mean either."""
    cards = "2C 2D TH 9H 5C 5D 9S 7H 9C 9D"
    with seated("--as", "dealer", "--players", "3", "--cards", cards) as chair:
        chair.listen()
        chair.answer("")
        assert chair.question == "open 1, open 2, draw, stand > "
        assert "'o' is not possible here" in chair.answer("o")
        assert "You open player 2." in chair.answer("open 2")
        assert "You draw." in chair.answer("d")


def test_a_surrendered_hard_15_gives_every_bet_back() -> None:
    with seated("--as", "dealer", "--players", "2", "--cards", "AS 2C 9H AH TD 6H") as chair:
        chair.listen()
        chair.answer("")
        assert chair.question == "surrender, keep > "
        said = chair.answer("s")
        assert "You neither win nor lose. Bankroll 100." in said
        assert said.count("gets the bet back (void)") == 2


def test_the_closed_cards_of_dealer_and_neighbour_are_not_shown_before_the_end() -> None:
    """The player hits 2♦ and stands, the neighbour stands on 9♠ 8♠, the dealer draws 8♥ to 5♣ 6♦ and stands."""
    closed = ("5♣", "6♦", "8♥", "9♠", "8♠", "5C", "6D", "8H", "9S", "8S")
    with seated("--players", "2", "--cards", "10H 9S 5C 5S 8S 6D 2D 8H") as chair:
        chair.listen()
        before = chair.answer("5") + chair.answer("hit")
        assert before.count("Dealer    ░░ ░░ ") == before.count("Player 2  ░░ ░░ ") == 2
        until_open, opened, rest = chair.answer("stand").partition("5♣ 6♦ 8♥  19")
        assert not any(card in before + until_open for card in closed)
        assert opened
        assert "Player 2  9♠ 8♠  17  loses 1 unit" in rest


def test_the_players_closed_cards_are_not_shown_to_the_dealer_before_they_are_opened() -> None:
    """Player 1 stands on 18 and stays closed; player 2 has drawn to 16 and is opened by the dealer's 17."""
    with seated("--as", "dealer", "--players", "2", "--cards", "10H 2C 9D 8S 5C 8D 9S") as chair:
        chair.listen()
        dealt = chair.answer("")
        assert not any(card in dealt for card in ("T♥", "8♠", "2♣", "5♣", "9♠"))
        assert chair.question == "open 2, draw, stand > "
        opened = chair.answer("open 2")
        assert "2♣ 5♣ 9♠  16" in opened
        assert not any(card in opened for card in ("T♥", "8♠"))
        assert "T♥ 8♠  18" in chair.answer("stand")


def test_a_banker_is_not_told_that_a_player_had_to_draw() -> None:
    """The word would tell that the closed hand was below the minimum."""
    options = ("--as", "dealer", "--set", "below_minimum=must_hit", "--cards", "5H 10C 6D 9S 2C 8H")
    with seated(*options) as chair:
        chair.listen()
        said = chair.answer("")
        assert "Player 1 hits." in said
        assert "(must)" not in said


def test_the_history_is_a_table_of_the_hands_so_far() -> None:
    with seated("--cards", "10H 9C 8S KD") as chair:
        chair.listen()
        assert "No hand was played to its end." in chair.answer("history")
        chair.answer("7")
        assert "No hand was played to its end." in chair.answer("history")
        chair.answer("stand")
        table = chair.answer("history")
        assert re.search(r"1 │ +7 │ +-7 │ T♥ 8♠  18 │ 9♣ K♦  19 │ loses 1 unit", table)
        assert "You lose 7 in all. Bankroll 93." in table
        assert "1 hand, seed 11" in table
        assert chair.question == "your bet (Enter = 7, at most 93) > "


@pytest.mark.parametrize(
    ("sit_down", "last_words", "hands_played"),
    [
        *(
            (seated, words, hands)
            for words in (["q"], ["QUIT"], ["5", "quit"], [], ["5"])
            for hands in (0, 1)
        ),
        (seated_in_a_process, ["5", "quit"], 1),
        (seated_in_a_process, ["5"], 1),
    ],
)
def test_leaving_by_a_word_or_by_the_end_of_input_ends_with_the_summary(
    sit_down: Callable[..., AbstractContextManager[Chair]], last_words: list[str], hands_played: int
) -> None:
    with sit_down("--cards", "10H 9C 8S KD") as chair:
        chair.listen()
        for answer in ["4", "stand"] * hands_played + last_words:
            chair.answer(answer)
        chair.leave_without_a_word()
        assert chair.wait() == 0
    ending = "You lose 4 in all. Bankroll 96." if hands_played else "No hand was played to its end."
    assert chair.heard.rstrip().endswith(ending)
    assert "Traceback" not in chair.heard


@pytest.mark.parametrize("key", cases([CTRL_C, CTRL_D], long=[CTRL_D]), ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("in_a_hand", [False, True], ids=["at the bet", "in a hand"])
def test_leaving_by_a_key_at_a_terminal_ends_with_the_summary(key: bytes, in_a_hand: bool) -> None:
    with seated_at_a_terminal("--cards", "10H 9C 8S KD") as chair:
        chair.listen()
        chair.answer("4")
        assert "You lose 4. Bankroll 96." in chair.answer("stand")
        if in_a_hand:
            chair.answer("5")
        assert "You lose 4 in all. Bankroll 96." in chair.answer(key)
        chair.verify_left_in_peace()


def test_a_bankroll_that_is_gone_ends_the_session() -> None:
    with seated("--cards", "10H 9C 8S KD", "--bankroll", "5") as chair:
        chair.listen()
        chair.answer("5")
        said = chair.answer("stand")
        assert "Your bankroll is gone." in said
        assert "You lose 5 in all. Bankroll 0." in said
        chair.verify_left_in_peace()


def test_the_last_coins_can_be_bet() -> None:
    """1 - 0.9 is a little less than 0.1 in floating point, but the table says that 0.1 is left."""
    with seated("--cards", "10H 9C 8S KD", "--bankroll", "1") as chair:
        chair.listen()
        chair.answer("0.9")
        chair.answer("stand")
        assert chair.question == "your bet (Enter = 0.1, at most 0.1) > "
        assert "is not possible" not in chair.answer("0.1")
