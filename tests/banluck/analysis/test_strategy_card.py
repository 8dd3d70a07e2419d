"""The card to carry: its words follow every option of the rules, its charts are those of the solution."""

from typing import Any

import pytest

from croupier import banluck
from croupier.banluck.analysis.card_words import (
    edge_in_words,
    rules_in_words,
    special_hands,
    surrender_in_words,
)
from croupier.banluck.analysis.chart import ChartGrid
from croupier.banluck.analysis.strategy_card import merged_grids, strategy_card

#: Another value for every option.
_OTHERS: dict[str, Any] = {
    "ace_values": ((1, 11), (1, 11), (1, 11), (1, 11)),
    "player_minimum": 15,
    "below_minimum": "must_hit",
    "five_card_below_minimum": "counts",
    "dealer_minimum": 15,
    "dealer_choice_max": 18,
    "reveal": "none",
    "reveal_from": 4,
    "dealer_collects_multiples": True,
    "five_card_mirror": "push",
    "five_card_bust_player": 2,
    "five_card_bust_dealer": 2,
    "both_bust": "push",
    "special_777": False,
    "pays_ban_ban": 4.0,
    "pays_ban_luck": 1.5,
    "pays_777": 21.0,
    "pays_five_card_21": 5.0,
    "pays_five_card": 2.5,
}


def _words(rules: banluck.Rules) -> tuple[object, ...]:
    return (*special_hands(rules), *rules_in_words(rules))


def test_every_option_stands_on_the_card() -> None:
    assert set(_OTHERS) | {"surrender"} == set(banluck.Rules.model_fields)
    usual = _words(banluck.Rules())
    for name, value in _OTHERS.items():
        assert _words(banluck.rules(**{name: value})) != usual, name


@pytest.mark.parametrize("surrender", ["blind", "after_specials", "none"])
def test_the_surrender_is_that_of_the_solution(surrender: str) -> None:
    solution = banluck.solve(banluck.rules(surrender=surrender))
    text = surrender_in_words(solution)
    if surrender == "none":
        assert text == "Nobody may give a hand back."
        return
    given = {
        hand
        for hand in ("T-5", "9-6", "8-7")
        if any(advice.best == "surrender" and advice.to_dict()["hand"] == hand
               for advice in solution.book.dealer_decisions)
    }  # fmt: skip
    assert given == {hand for hand in ("T-5", "9-6", "8-7") if hand in text}
    assert ("against Ban Ban" in text) == (surrender == "after_specials")


def test_the_edge_is_on_the_side_that_has_it() -> None:
    assert "the dealer keeps 1.19" in edge_in_words(banluck.solve())
    assert "players win 1.01 of the dealer" in edge_in_words(banluck.solve(banluck.rules(surrender="none")))


def _letters(rules: banluck.Rules) -> tuple[banluck.Solution, list[str]]:
    """Solve a game, and list the letters in the cells of its card."""
    solution = banluck.solve(rules)
    words = strategy_card(solution).words
    return solution, [text.text for text in words if text.anchor == "middle" and text.text.isalpha()]


def _cells(grids: tuple[ChartGrid, ...]) -> list[str]:
    return [letter for grid in grids for _, letters in grid.rows for letter in letters if letter]


def test_all_grids_are_drawn_with_their_letters() -> None:
    solution, drawn = _letters(banluck.Rules())
    player, dealer = _cells((solution.chart.grid,)), _cells(merged_grids(solution.dealer_chart.grids))
    assert drawn[-len(dealer) :] == dealer
    assert drawn[: -len(dealer)].count("S") == player.count("S")
    assert set(drawn[: -len(dealer)]) == {"H", "S"}


def test_a_dealer_without_a_choice_has_no_grid() -> None:
    _, drawn = _letters(banluck.rules(dealer_choice_max=15))
    assert set(drawn) == {"H", "S"}
