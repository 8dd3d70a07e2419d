"""A rating list: results added over time give the ratings that one fit to all of them gives."""

import json
import random
from pathlib import Path

import pytest

from croupier import durak
from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.arena.rating import PairCounts, estimate_elo, expected_score
from croupier.durak.arena.rating_list import RatingList, rated_name
from croupier.errors import InputError


def sampled(elo: float, pairs: int, chance: random.Random) -> PairCounts:
    """Play pairs of two independent games without draws."""
    score = expected_score(elo)
    return PairCounts.of(float(sum(chance.random() < score for _ in range(2))) for _ in range(pairs))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "engines.ratings"


def test_ratings_come_back_from_simulated_matches_within_their_errors(path: Path) -> None:
    chance = random.Random(1)
    strengths = {"anchor": 0.0, "weak": -150.0, "good": 120.0, "best": 300.0}
    names = list(strengths)
    ratings = RatingList(path)
    for first, second in [
        (0, 1),
        (0, 2),
        (2, 3),
        (1, 3),
        (3, 0),
    ] * 2:  # not everybody meets, some twice, some turned round
        counts = sampled(strengths[names[first]] - strengths[names[second]], 1000, chance)
        ratings.add_pairs([(names[first], names[second], counts)])
    listed = ratings.ratings(anchor="anchor")
    assert [rating.name for rating in listed] == ["best", "good", "anchor", "weak"]
    for rating in listed:
        assert abs(rating.elo - strengths[rating.name]) <= 2 * rating.error
        assert (rating.error == 0) == (rating.name == "anchor")
        assert rating.error < 25
    assert RatingList(path).ratings(anchor="anchor") == listed


def test_two_engines_get_the_difference_of_their_match(path: Path) -> None:
    counts = PairCounts((30, 60, 200, 150, 60))
    ratings = RatingList(path)
    ratings.add_pairs([("a", "b", counts)])
    a, b = ratings.ratings(anchor="b", anchor_elo=1000)
    alone = estimate_elo(counts)
    assert (b.name, b.elo, b.error) == ("b", 1000, 0)
    assert a.elo - 1000 == pytest.approx(alone.elo, abs=1)
    assert a.error == pytest.approx(alone.error, rel=0.02)


def test_an_engine_that_nothing_connects_with_the_anchor_has_no_rating(path: Path) -> None:
    ratings = RatingList(path)
    ratings.add_pairs([("a", "b", PairCounts((0, 0, 5, 5, 5))), ("x", "y", PairCounts((5, 5, 5, 0, 0)))])
    listed = {rating.name: rating.is_connected for rating in ratings.ratings()}
    assert listed == {"a": True, "b": True, "x": False, "y": False}
    assert "no chain of matches leads" in ratings.table().text()


def test_a_list_grows_over_time_and_a_torn_line_is_dropped(path: Path) -> None:
    RatingList(path).add_pairs([("a", "b", PairCounts((0, 0, 1, 0, 0)))])
    with path.open("a") as file:
        file.write('{"first": "a", "sec')
    assert RatingList(path).engines == ("a", "b")
    RatingList(path).add_pairs([("a", "c", PairCounts((0, 0, 0, 1, 0)))])
    assert RatingList(path).engines == ("a", "b", "c")
    assert len(path.read_text().splitlines()) == 3


def test_pairs_of_a_log_are_added(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    result = durak.match("durak-dummy", "durak-random --seed 1", pairs=5, seed=1, log=log)
    ratings = RatingList(path)
    assert ratings.add_log(log) == 5
    (match,) = ratings.matches
    assert (match.first, match.pair_counts) == ("durak-dummy", result.tally.pair_counts.counts)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("hello", "not a rating list"),
        (json.dumps({"format": "croupier durak ratings 1"}) + "\n[]\n", "line 2: not a match"),
    ],
)
def test_a_file_that_is_no_list_is_refused(path: Path, content: str, complaint: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=complaint):
        RatingList(path)


def test_an_empty_list_an_unknown_anchor_and_an_engine_against_itself_are_refused(path: Path) -> None:
    ratings = RatingList(path)
    with pytest.raises(InputError, match="is empty"):
        ratings.ratings()
    ratings.add_pairs([("a", "b", PairCounts((0, 0, 1, 0, 0)))])
    with pytest.raises(InputError, match="anchor 'c' is not in the list"):
        ratings.ratings(anchor="c")
    with pytest.raises(InputError, match="against itself"):
        ratings.add_pairs([("a", "a", PairCounts((0, 0, 1, 0, 0)))])


def test_engines_are_told_apart_by_their_versions() -> None:
    assert rated_name(EngineSpec(("/bin/x",), "x", version="2")) == "x 2"
    assert rated_name(EngineSpec(("/bin/durak-dummy",), "durak-dummy")).startswith("durak-dummy 0.")
