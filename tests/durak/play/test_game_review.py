"""A review judges choices by what their player could know, and shows itself."""

import json

import pytest

from croupier import durak
from croupier.durak.players.budget import Budget
from croupier.durak.players.review import review as reviewed_moves
from croupier.errors import InputError


@pytest.fixture(scope="module")
def game() -> durak.Game:
    return durak.Game.between("durak-dummy", "durak-random --seed 1", seed=7)


@pytest.fixture(scope="module")
def review(game: durak.Game) -> durak.Review:
    return durak.review(game, rounds=200, seed=5)


def test_a_review_is_the_review_of_the_search(game: durak.Game, review: durak.Review) -> None:
    assert review.moves == reviewed_moves(game.state, Budget(rounds=200), 5)
    assert {move.seat for move in review.moves} == {0, 1}
    assert review.lost(0) + review.lost(1) == pytest.approx(sum(move.loss for move in review.moves))
    assert all(move.loss > 0.05 for move in review.worse)
    assert review.worse


def test_a_log_a_record_and_a_position_are_reviewed_alike(game: durak.Game, review: durak.Review) -> None:
    for same in (game.to_log(), game.state):
        assert durak.review(same, rounds=200, seed=5).moves == review.moves
    only_first = durak.review(game, rounds=200, seed=5, seats=(0,))
    assert {move.seat for move in only_first.moves} == {0}


def test_a_review_shows_itself_and_converts(review: durak.Review) -> None:
    rows = review.table.rows
    assert len(rows) == len(review.moves) == len(review.to_frame())
    assert str(review).splitlines()[0] == "Review of durak-dummy - durak-random --seed 1"
    assert review._repr_html_().count("<tr>") == len(rows) + 1
    data = json.loads(json.dumps(review.to_dict()))
    assert (data["rounds"], data["seed"]) == (200, 5)
    assert [move["loss"] for move in data["moves"]] == [move.loss for move in review.moves]


def test_a_game_without_a_choice_has_an_empty_review() -> None:
    empty = durak.review(durak.Game.deal(seed=3))
    assert (empty.moves, empty.table.rows) == ((), [])
    assert str(empty).splitlines()[0] == "Review of player 1 - player 2"
    assert empty.to_frame().empty


def test_two_budgets_are_refused(game: durak.Game) -> None:
    with pytest.raises(InputError, match="not both"):
        durak.review(game, rounds=10, time_ms=5)
