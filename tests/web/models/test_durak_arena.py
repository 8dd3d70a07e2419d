from pathlib import Path

import pytest

from croupier.durak.arena.log import problems, read_log
from croupier.durak.arena.match import play_match
from croupier.durak.engine.record import GameRecord
from croupier.durak.play.refusal import DurakRefusal
from croupier.web.jobs import Stopped
from croupier.web.models.durak_arena import (
    MOST_POINTS,
    ArenaPlan,
    ArenaStanding,
    EloPoint,
    MatchStanding,
    most_at_a_time,
    play_arena,
    with_point,
)
from croupier.web.models.durak_logs import LogFolder
from croupier.web.models.durak_plots import elo_plot
from tests.web.models.durak_services import durak_services

TWO = ("durak-dummy", "durak-random")


class Witness:
    """Takes the reports of an arena, and stops it after some of them."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.standings: list[ArenaStanding] = []
        self.stop_after = stop_after

    def __call__(self, snapshot: object) -> None:
        assert isinstance(snapshot, ArenaStanding)
        self.standings.append(snapshot)
        if len(self.standings) == self.stop_after:
            raise Stopped


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"engines": ("durak-dummy",)}, "Choose 2 to 6"),
        ({"engines": ("durak-dummy",) * 7}, "Choose 2 to 6"),
        ({"pairs": 0}, "from 1 to 2000"),
        ({"pairs": 2_001}, "from 1 to 2000"),
        ({"seed": -1}, "from 0 up"),
        ({"concurrency": 0}, "at a time"),
        ({"concurrency": most_at_a_time() + 1}, "at a time"),
        ({"sprt": (5.0, 5.0)}, "the greater one second"),
        ({"sprt": (float("nan"), 5.0)}, "the greater one second"),
        ({"sprt": (0.0, 5.0), "engines": (*TWO, "durak-dummy")}, "for two engines"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(DurakRefusal, match=reason):
        ArenaPlan(**({"engines": TWO, "pairs": 1, "seed": 1} | change))  # type: ignore[arg-type]


def test_a_match_of_the_page_is_the_match_of_the_arena(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        plan, witness, logs = ArenaPlan(TWO, pairs=4, seed=3), Witness(), LogFolder(tmp_path)
        final = play_arena(plan, services.engines, logs, witness)
        first, second = (services.engines.spec(name) for name in TWO)
        expected = play_match(first, second, plan.match()).tally
    [match] = final.matches
    assert (match.wins, match.draws, match.losses) == (expected.wins, expected.draws, expected.losses)
    assert match.elo is not None
    assert expected.estimate is not None
    assert (match.elo.elo, match.los) == (expected.estimate.elo, expected.estimate.los)
    assert [standing.games for standing in witness.standings] == list(range(9))
    assert (final.games, final.planned, final.ratings) == (8, 8, ())
    games = [game for game in logs.read(final.log) if isinstance(game, GameRecord)]
    assert len(games) == 8
    assert list(problems(games)) == []


def test_more_engines_meet_each_other_and_are_rated(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        plan = ArenaPlan(("durak-dummy", "durak-random", "durak-dummy"), pairs=2, seed=3)
        final = play_arena(plan, services.engines, LogFolder(tmp_path), Witness())
    names = ["durak-dummy #1", "durak-random", "durak-dummy #2"]
    assert [match.names for match in final.matches] == [
        (names[0], names[1]),
        (names[0], names[2]),
        (names[1], names[2]),
    ]
    assert (final.games, final.planned) == (12, 12)
    assert final.ratings[-1].name == "durak-random"


def test_a_sequential_test_ends_a_match_that_is_settled(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        plan = ArenaPlan(TWO, pairs=200, seed=1, sprt=(0.0, 200.0))
        final = play_arena(plan, services.engines, LogFolder(tmp_path), Witness())
    [match] = final.matches
    assert match.decision == "elo1"
    assert match.games < 400
    assert match.ratio is not None
    assert match.bounds is not None
    assert match.ratio >= match.bounds[1]


def test_forfeits_are_counted_and_told_with_their_reasons(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        name = services.add_animal("raises")
        final = play_arena(
            ArenaPlan((name, "durak-dummy"), pairs=2, seed=1),
            services.engines,
            LogFolder(tmp_path),
            Witness(),
        )
        services.wait_until_alone()
    [match] = final.matches
    assert (match.wins, match.losses) == (0, 4)
    assert match.forfeits == ({"crash": 4}, {})
    assert {(told.engine, told.verdict) for told in final.forfeits} == {("raises", "crash")}
    assert all("instead of answering" in told.reason for told in final.forfeits)


def test_a_match_that_is_stopped_leaves_no_process_and_a_log_that_can_be_read(tmp_path: Path) -> None:
    with durak_services(tmp_path) as services:
        name, logs, witness = services.add_animal("tame.py"), LogFolder(tmp_path), Witness(stop_after=4)
        plan = ArenaPlan((name, name), pairs=500, seed=1, concurrency=most_at_a_time())
        with pytest.raises(Stopped):
            play_arena(plan, services.engines, logs, witness)
        services.wait_until_alone()
        assert services.processes() == []
        games = read_log(tmp_path / "durak" / "logs" / witness.standings[-1].log)
    assert len(games) == 3
    assert list(problems(games)) == []


def test_the_plot_of_a_long_match_stays_small_and_keeps_its_ends() -> None:
    trace: tuple[EloPoint, ...] = ()
    for games in range(2, 20 * MOST_POINTS, 2):
        trace = with_point(trace, EloPoint(games, 0.0, None, None))
        assert len(trace) <= MOST_POINTS
        assert (trace[0].games, trace[-1].games) == (2, games)
    told = [point.games for point in trace]
    assert told == sorted(set(told))
    assert len(told) > MOST_POINTS // 3


def test_the_band_of_a_match_is_drawn_where_a_bound_is_infinite() -> None:
    trace = [EloPoint(2, 190.0, None, None), EloPoint(4, 340.0, 20.0, None), EloPoint(6, 415.0, 60.0, 700.0)]
    band, line = elo_plot(trace, "games", "Elo")["data"]
    assert band["x"] == [2, 4, 6, 6, 4, 2]
    assert len(line["y"]) == 3
    assert all(value is not None for value in band["y"])
    assert band["y"][0] == band["y"][1] > 700.0, "an infinite bound lies on the upper edge"
    assert band["y"][-1] < 20.0, "and on the lower one"


def test_the_time_left_follows_from_the_speed_so_far() -> None:
    match = MatchStanding(("a", "b"), 3, 1, 1, 20, None, None, ({}, {}))
    standing = ArenaStanding((match,), 2, (), (), "log", 10.0)
    assert standing.seconds_left == 10.0 / 5 * (40 - 5)
    idle = ArenaStanding(
        (MatchStanding(("a", "b"), 0, 0, 0, 20, None, None, ({}, {})),), 2, (), (), "log", 1.0
    )
    assert idle.seconds_left is None
