"""How games end once the stock is gone, and what is asked before they do."""

from collections.abc import Callable

import pytest

from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import notices
from croupier.durak.engine.state import GameState, Result
from croupier.durak.engine.text import describe_result

Position = Callable[..., GameState]
Play = Callable[[GameState, str], GameState]


def commands(before: GameState, after: GameState) -> list[str]:
    return [notice.line.split()[0] for notice in notices(before, after)]


@pytest.mark.parametrize(("attacker", "result"), [(0, Result.FIRST), (1, Result.SECOND)])
def test_the_attacker_who_plays_the_last_card_wins_at_once(
    attacker: int, result: Result, position: Position, play: Play
) -> None:
    hands = ("6C", "9C 9S") if attacker == 0 else ("9C 9S", "6C")
    before = position(*hands, trump="AH", attacker=attacker)
    after = play(before, "6C")
    assert (after.result, after.winner) == (result, attacker)
    assert commands(before, after) == ["game_end", "game_end"]


def test_the_only_card_of_a_defender_that_does_not_beat_is_not_asked_for(
    position: Position, play: Play
) -> None:
    assert play(position("9C", "6C", trump="AH"), "9C").result is Result.FIRST


def test_a_defender_whose_only_card_beats_is_asked_and_draws_by_beating(
    position: Position, play: Play
) -> None:
    before = play(position("6C", "9C", trump="AH"), "6C")
    assert (before.phase, before.to_act) == (Phase.DEFEND, 1)
    after = play(before, "9C")
    assert (after.result, after.winner) == (Result.DRAW, None)
    assert describe_result(after) == "a draw: both hands are empty"
    assert commands(before, after) == ["game_end", "game_end"]


def test_a_defender_who_takes_instead_of_drawing_loses_after_a_last_deal(
    position: Position, play: Play
) -> None:
    before = play(position("6C", "9C", trump="AH"), "6C")
    after = play(before, "-")
    assert after.result is Result.FIRST
    assert cards_text(after.hands[1]) == "9C 6C"
    assert commands(before, after) == ["deal", "deal", "game_end", "game_end"]


def test_a_defender_whose_hand_empties_while_the_attacker_holds_cards_wins(
    position: Position, play: Play
) -> None:
    before = play(position("6C 6D", "9C", trump="AH"), "6C")
    after = play(before, "9C")
    assert (after.result, after.winner) == (Result.SECOND, 1)
    assert cards_text(after.table) == "6C 9C"
    assert commands(before, after) == ["game_end", "game_end"]


def test_throwing_in_the_last_card_wins_at_once(position: Position, play: Play) -> None:
    before = play(position("6C 6D", "9S TS", trump="AH"), "6C, -")
    after = play(before, "6D")
    assert after.result is Result.FIRST
    assert (cards_text(after.table), cards_text(after.thrown_in)) == ("6C", "6D")
    assert commands(before, after) == ["game_end", "game_end"]


def test_a_defender_who_gets_nothing_more_from_the_stock_wins_after_the_deal(
    position: Position, play: Play
) -> None:
    before = play(position("6C 6D 7D", "9C", stock="AS KH"), "6C")
    after = play(before, "9C")
    assert cards_text(after.dealt[0]) == "AS KH"
    assert (after.result, after.winner) == (Result.SECOND, 1)
    assert commands(before, after) == ["deal", "deal", "game_end", "game_end"]


def test_an_empty_hand_does_not_end_the_game_while_there_is_a_stock(position: Position, play: Play) -> None:
    after = play(position("6C", "9C 9S", stock="AS KH"), "6C")
    assert (after.phase, after.result, after.winner) == (Phase.DEFEND, None, None)
