from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.match import MatchPlan, MatchResult
from croupier.durak.arena.outcome import Tally
from croupier.durak.arena.pairing import TournamentFormat, pairings
from croupier.durak.arena.rating import PairCounts, estimate_elo, expected_score
from croupier.durak.arena.tournament import TournamentResult, fit_ratings, play_tournament
from croupier.errors import InputError

Animal = Callable[..., EngineSpec]
PATIENT = Limits(start=120, answer=120)


def match_of(counts: tuple[int, ...]) -> MatchResult:
    return MatchResult(("a", "b"), Tally(pair_counts=PairCounts(counts)), seed=1, seconds=1.0, games_played=0)


def simulated(elos: tuple[float, ...], pairs: int, seed: int) -> dict[tuple[int, int], MatchResult]:
    """Play every pairing of engines of known strength: independent games without draws."""
    generator = np.random.default_rng(seed)
    matches = {}
    for first, second in pairings(len(elos), is_gauntlet=False):
        score = expected_score(elos[first] - elos[second])
        points = generator.binomial(2, score, size=pairs)
        matches[first, second] = match_of(PairCounts.of(points.tolist()).counts)
    return matches


def test_everybody_meets_everybody_once_or_the_first_meets_all() -> None:
    assert len(pairings(5, is_gauntlet=False)) == 10
    assert pairings(4, is_gauntlet=True) == [(0, 1), (0, 2), (0, 3)]
    with pytest.raises(InputError, match="at least 2"):
        pairings(1, is_gauntlet=True)


def test_ratings_find_the_true_strengths_within_their_errors() -> None:
    true = (120.0, 20.0, -30.0, -110.0)
    inside = [
        abs(rating.elo - elo) <= rating.error
        for seed in range(60)
        for rating, elo in zip(fit_ratings(4, simulated(true, 200, seed)), true, strict=True)
    ]
    assert np.mean(inside) == pytest.approx(0.95, abs=0.045)


def test_the_ratings_of_one_match_differ_by_its_elo() -> None:
    counts = (20, 60, 400, 180, 60)
    first, second = fit_ratings(2, {(0, 1): match_of(counts)})
    assert first.elo - second.elo == pytest.approx(estimate_elo(PairCounts(counts)).elo, abs=0.2)
    assert 2 * first.error == pytest.approx(estimate_elo(PairCounts(counts)).error, rel=0.01)


def test_an_engine_that_lost_everything_has_a_finite_rating() -> None:
    winner, loser = fit_ratings(2, {(0, 1): match_of((0, 0, 0, 0, 50))})
    assert 300 < winner.elo - loser.elo < 2000


def test_the_cross_table_adds_up(animal: Animal, tmp_path: Path) -> None:
    engines = [
        animal("tame.py").staying_alive(),
        animal("tame.py").staying_alive(),
        animal("bluffer"),
        animal("wrong_ok"),
    ]
    plan = MatchPlan(pairs=1, seed=3, concurrency=2)
    announced: list[tuple[str, str]] = []
    result = play_tournament(
        engines,
        plan,
        limits=PATIENT,
        save=tmp_path / "saved",
        announce=lambda *names: announced.append(names),
    )
    assert result.names == ("tame.py #1", "tame.py #2", "bluffer", "wrong_ok")
    assert len(announced) == 6
    assert sum(result.total(engine)[0] for engine in range(4)) == 12
    assert [result.total(engine)[1] for engine in range(4)] == [6] * 4
    for first, second in pairings(4, is_gauntlet=False):
        ours, theirs = result.score(first, second), result.score(second, first)
        assert ours is not None
        assert theirs is not None
        assert ours[0] + theirs[0] == 2
    assert result.forfeits(3)["wrong ok"] >= 4
    assert result.score(0, 0) is None
    resumed = play_tournament(engines, plan, limits=PATIENT, save=tmp_path / "saved", resume=True)
    assert resumed == result
    assert sum(match.games_played for match in resumed.matches.values()) == 0
    with pytest.raises(InputError, match="--resume"):
        play_tournament(engines, plan, limits=PATIENT, save=tmp_path / "saved")


def test_the_dictionary_of_a_tournament_names_everything() -> None:
    result = TournamentResult(("a", "b"), {(0, 1): match_of((0, 1, 2, 3, 4))})
    data = result.to_dict()
    assert [engine["name"] for engine in data["engines"]] == ["a", "b"]
    assert data["engines"][0]["elo"] == pytest.approx(-data["engines"][1]["elo"])


def test_engines_keep_their_names_where_they_differ(animal: Animal) -> None:
    engines = [animal("tame.py").staying_alive(), replace(animal("tame.py"), name="twin")]
    result = play_tournament(
        engines, MatchPlan(pairs=1, seed=1), limits=PATIENT, format_=TournamentFormat.GAUNTLET
    )
    assert result.names == ("tame.py", "twin")
