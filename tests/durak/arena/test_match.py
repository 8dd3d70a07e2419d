import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.entrant import EngineObject
from croupier.durak.arena.game_number import GameNumber, games_of_match
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog, logged_outcomes, problems, read_log
from croupier.durak.arena.match import Books, MatchPlan, play_match
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.durak.engine.dealing import lowest_trump_leader
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.state import Result
from croupier.durak.players.base import FunctionEngine
from croupier.durak.players.dummy import dummy_policy
from croupier.durak.players.random_player import RandomEngine
from croupier.errors import InputError

Animal = Callable[..., EngineSpec]
PATIENT = Limits(start=120, answer=120)


DUMMY = EngineObject("dummy", FunctionEngine(dummy_policy))
RANDOM, OTHER_RANDOM = EngineObject("random", RandomEngine()), EngineObject("other", RandomEngine())


def test_a_deal_belongs_to_its_seed_and_pair() -> None:
    deals = [deal_of_pair(seed, pair) for seed in range(5) for pair in range(20)]
    assert deals == [deal_of_pair(seed, pair) for seed in range(5) for pair in range(20)]
    assert len({deal.deck for deal in deals}) == len(deals)


def test_chance_leads_where_neither_hand_holds_a_trump() -> None:
    """With a suit of 9 among 36 cards, about one deal in 50 leaves both hands without a trump."""
    deals = [deal_of_pair(1, pair) for pair in range(3000)]
    without = [deal for deal in deals if lowest_trump_leader(deal.deck) is None]
    leaders = [deal.leader for deal in without]
    assert 20 < len(leaders) < 120
    assert 0.25 < sum(leaders) / len(leaders) < 0.75


def test_the_games_of_a_pair_have_one_deck_one_leader_and_swapped_seats(
    animal: Animal, tmp_path: Path
) -> None:
    first, second = animal("tame.py"), replace(animal("tame.py"), name="other")
    with GameLog(tmp_path / "games.log") as log:
        play_match(
            first, second, MatchPlan(pairs=3, seed=9, concurrency=2), limits=PATIENT, books=Books(log=log)
        )
    pairs: dict[int, list[GameRecord]] = {}
    for game in read_log(tmp_path / "games.log"):
        assert isinstance(game, GameRecord)
        pairs.setdefault(game.extra["pair"], []).append(game)
    assert sorted(pairs) == [0, 1, 2]
    for pair, games in pairs.items():
        assert {game.player1_name for game in games} == {"tame.py", "other"}
        assert {game.deck for game in games} == {deal_of_pair(9, pair).deck}
        assert {game.moves[0].attacker for game in games} == {deal_of_pair(9, pair).leader}
        assert {game.extra["seed"] for game in games} == {9}


def test_a_seed_names_the_whole_match_of_engine_objects() -> None:
    results = [play_match(RANDOM, DUMMY, MatchPlan(pairs=12, seed=seed)) for seed in (3, 3, 4)]
    assert results[0] == results[1] != results[2]
    assert results[0].tally.games == 24


def test_deterministic_identical_engines_split_every_pair() -> None:
    result = play_match(DUMMY, DUMMY, MatchPlan(pairs=40, seed=1, concurrency=1))
    assert result.tally.pair_counts.counts == (0, 0, 40, 0, 0)
    assert result.tally.wins == result.tally.losses
    assert result.tally.draws > 0


def test_the_interval_of_identical_engines_that_play_at_random_holds_zero() -> None:
    plan = MatchPlan(pairs=60, seed=2, concurrency=1)
    estimate = play_match(RANDOM, OTHER_RANDOM, plan).tally.estimate
    assert estimate is not None
    assert estimate.low < 0 < estimate.high
    assert 20 < estimate.error < 120


def test_a_sequential_test_stops_when_the_question_is_settled() -> None:
    plan = MatchPlan(pairs=500, seed=4, concurrency=1, sprt=Sprt(elo0=0, elo1=100))
    better = play_match(DUMMY, RANDOM, plan)
    assert better.decision is Decision.ELO1
    assert better.tally.pair_counts.pairs < 50
    worse = play_match(RANDOM, DUMMY, plan)
    assert worse.decision is Decision.ELO0


def test_a_sequential_test_counts_the_same_pairs_at_any_concurrency(animal: Animal) -> None:
    """The better engine is one that plays; the other forfeits, so that it is over after a few pairs."""
    plans = [MatchPlan(pairs=200, seed=4, concurrency=workers, sprt=Sprt(0, 200)) for workers in (1, 3)]
    results = [play_match(animal("tame.py"), animal("wrong_ok"), plan, limits=PATIENT) for plan in plans]
    assert results[0] == results[1]
    assert results[0].decision is Decision.ELO1
    assert results[0].tally.forfeit_count == results[0].tally.games < 100


def test_pairs_beyond_the_one_that_settled_the_test_are_not_counted(animal: Animal, tmp_path: Path) -> None:
    """A save file may hold more games than the test needed: those that were going on when it was settled."""
    first, second = animal("tame.py").staying_alive(), animal("wrong_ok")
    with journal_for(tmp_path / "one.match", first, second) as journal:
        for number in games_of_match(200):
            result = Result.SECOND if number.is_swapped else Result.FIRST
            journal.append(GameOutcome(number, result, leader=0))
        plan = MatchPlan(pairs=200, seed=5, concurrency=1, sprt=Sprt(0, 200))
        settled = play_match(first, second, plan, limits=PATIENT, books=Books(journal))
    assert settled.games_played == 0
    assert settled.decision is Decision.ELO1
    assert settled.tally.games == 2 * settled.tally.pair_counts.pairs < 100


def test_an_odd_match_leaves_out_the_last_game() -> None:
    plan = MatchPlan(pairs=2, seed=1, concurrency=1, is_odd=True)
    result = play_match(DUMMY, DUMMY, plan)
    assert (result.tally.games, result.tally.pair_counts.pairs) == (3, 1)


def test_an_engine_that_stays_alive_plays_all_games_in_one_process(
    animal: Animal, script: Callable[..., EngineSpec], tmp_path: Path
) -> None:
    zoo = Path(animal("tame.py").command[-1]).parent
    births = tmp_path / "births"
    text = (
        f"import os, sys\nsys.path.insert(0, {str(zoo)!r})\nfrom tame import Tame\n"
        f"open({str(births)!r}, 'a').write('born\\n')\nTame().run()\n"
    )
    spec = script(text)
    plan = MatchPlan(pairs=3, seed=1, concurrency=1)
    fresh = play_match(spec, animal("tame.py"), plan, limits=PATIENT)
    assert births.read_text().count("born") == 6
    births.unlink()
    alive = play_match(spec.staying_alive(), animal("tame.py").staying_alive(), plan, limits=PATIENT)
    assert births.read_text().count("born") == 1
    assert alive == fresh


def test_an_engine_that_exits_all_the_same_gets_a_new_process(animal: Animal) -> None:
    plan = MatchPlan(pairs=3, seed=1, concurrency=1)
    mortal = replace(animal("tame.py"), environment={"DURAK_KEEP_ALIVE": "0"}).staying_alive()
    result = play_match(mortal, animal("tame.py"), plan, limits=PATIENT)
    assert result.tally.forfeit_count == 0
    assert result.tally.games == 6


def journal_for(path: Path, first: EngineSpec, second: EngineSpec, *, resume: bool = False) -> Journal:
    return Journal(path, first, second, PATIENT, seed=5, new_seed=5, resume=resume)


def test_a_resumed_match_adds_up_to_an_uninterrupted_one(animal: Animal, tmp_path: Path) -> None:
    """Interrupted after every possible number of games, with the last line of the file torn: the total is the same."""
    first, second = animal("tame.py").staying_alive(), animal("bluffer")
    plan = MatchPlan(pairs=3, seed=5, concurrency=1)
    whole_file, part_file = tmp_path / "whole.match", tmp_path / "part.match"
    with journal_for(whole_file, first, second) as journal:
        whole = play_match(first, second, plan, limits=PATIENT, books=Books(journal))
    lines = whole_file.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 6
    for kept in (1, 2, 4, 7):
        part_file.write_text("".join(lines[:kept]) + '{"pair": 0, "is_sw')
        with journal_for(part_file, first, second, resume=True) as journal:
            resumed = play_match(first, second, plan, limits=PATIENT, books=Books(journal))
        assert resumed == whole
        assert resumed.games_played == 7 - kept
        assert sorted(part_file.read_text().splitlines()) == sorted(whole_file.read_text().splitlines())


def test_a_save_file_of_another_match_is_refused(animal: Animal, tmp_path: Path) -> None:
    path = tmp_path / "one.match"
    tame, silent = animal("tame.py"), animal("silent")
    journal_for(path, tame, silent).__exit__(None, None, None)
    with pytest.raises(InputError, match="exists; resume it"):
        journal_for(path, tame, silent)
    with pytest.raises(InputError, match="other engines"):
        journal_for(path, tame, tame, resume=True)
    with pytest.raises(InputError, match="other seed: 5, not 6"):
        Journal(path, tame, silent, PATIENT, seed=6, new_seed=6, resume=True)
    with pytest.raises(InputError, match="other limits"):
        Journal(path, tame, silent, Limits(), seed=5, new_seed=5, resume=True)
    with Journal(path, tame, silent, PATIENT, seed=None, new_seed=8, resume=True) as journal:
        assert journal.seed == 5
        with pytest.raises(InputError, match="another match is writing"):
            journal_for(path, tame, silent, resume=True)


@pytest.mark.parametrize(
    ("content", "clue"),
    [
        ('{"format": "other"}\n{}\n', "not the save file"),
        ("hello\n{}\n", "not the save file"),
        ("HEADER[1]\n{}\n", "line 2: not JSON"),
        ('HEADER{"pair": 0}\n{}\n', "line 2"),
    ],
)
def test_a_damaged_save_file_is_refused_with_its_line(
    animal: Animal, tmp_path: Path, content: str, clue: str
) -> None:
    path = tmp_path / "one.match"
    tame = animal("tame.py")
    journal_for(path, tame, tame).__exit__(None, None, None)
    path.write_text(content.replace("HEADER", path.read_text()))
    with pytest.raises(InputError, match=clue):
        journal_for(path, tame, tame, resume=True)


def test_a_game_that_was_logged_but_not_saved_is_not_played_twice(animal: Animal, tmp_path: Path) -> None:
    first = second = animal("tame.py")
    plan = MatchPlan(pairs=2, seed=5, concurrency=1)
    path, log_path = tmp_path / "one.match", tmp_path / "games.log"
    with journal_for(path, first, second) as journal, GameLog(log_path) as log:
        whole = play_match(first, second, plan, limits=PATIENT, books=Books(journal, log))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with journal_for(path, first, second, resume=True) as journal, GameLog(log_path) as log:
        journal.adopt(logged_outcomes(log_path, journal.match_id))
        resumed = play_match(first, second, plan, limits=PATIENT, books=Books(journal, log))
    assert (resumed.games_played, resumed) == (0, whole)
    assert len(read_log(log_path)) == 4
    assert list(problems(read_log(log_path))) == []


def test_the_tally_is_plain_json_even_without_games() -> None:
    data = json.loads(json.dumps(Tally().to_dict(), allow_nan=False))
    assert data["elo"] is None
    assert data["games"] == 0


def test_outcomes_that_nobody_wrote_are_refused() -> None:
    with pytest.raises(InputError, match="not the outcome"):
        GameOutcome.from_dict({"pair": "x"})


def test_games_come_in_pairs() -> None:
    assert [tuple(number) for number in games_of_match(2)] == [(0, False), (0, True), (1, False), (1, True)]
    assert GameNumber(0, is_swapped=True) < GameNumber(1, is_swapped=False)
