"""Matches as one call: objects, functions and programs mix, and whatever goes wrong loses one game and says why."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier import durak
from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.arena.log import problems, read_log
from croupier.durak.arena.verdict import Verdict
from croupier.durak.players.base import Answer
from croupier.durak.players.random_player import RandomEngine
from croupier.errors import InputError


class Cheapest(durak.Engine):
    """Counts its games, so that a test can see who was asked."""

    games = 0

    def new_game(self) -> None:
        self.games += 1

    def choose_attack(self, seen: durak.Observation) -> Answer:
        return seen.by_cost(seen.playable)[:1]

    def choose_defence(self, seen: durak.Observation) -> Answer:
        return seen.by_cost(seen.playable)[:1]


def cheapest(seen: durak.Observation) -> Answer:
    return seen.by_cost(seen.playable)[:1]


def as_text(seen: durak.Observation) -> Answer:
    return durak.cards_text(seen.by_cost(seen.playable)[:1])


def or_none(seen: durak.Observation) -> Answer:
    cards = seen.by_cost(seen.playable)
    return cards[0] if cards else None


@pytest.mark.parametrize("other", [as_text, or_none, Cheapest(), Cheapest])
def test_cards_as_text_codes_or_none_are_the_same_answers(other: object) -> None:
    """Engines that choose alike split every pair, however they write their cards."""
    function = Cheapest() if isinstance(other, Cheapest) or other is Cheapest else cheapest
    result = durak.match(function, other, pairs=6, seed=2)  # type: ignore[arg-type]
    assert result.tally.pair_counts.counts == (0, 0, 6, 0, 0)
    assert result.tally.forfeit_count == 0


def test_a_program_and_the_object_that_it_runs_play_the_same_games(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(
        "from croupier import durak\ndurak.serve(lambda seen: seen.by_cost(seen.playable)[:1])\n",
        encoding="utf-8",
    )
    command = f"{sys.executable} {program}"
    mixed = durak.match(cheapest, command, pairs=3, seed=2)
    assert mixed.tally.pair_counts.counts == (0, 0, 3, 0, 0)
    in_process, as_program = (durak.match(one, "durak-dummy", pairs=3, seed=2) for one in (cheapest, command))
    assert in_process.tally == as_program.tally


def test_an_object_plays_every_game_and_its_twin_is_a_copy() -> None:
    engine = Cheapest()
    durak.match(engine, engine, pairs=2, seed=1)
    assert engine.games == 4


def raising(_seen: durak.Observation) -> Answer:
    raise ValueError("out of ideas")


@pytest.mark.parametrize(
    ("wrong", "verdict", "reason"),
    [
        (raising, Verdict.CRASH, "raised ValueError: out of ideas"),
        (lambda _seen: object, Verdict.GARBAGE, "is no answer; return a card"),
        (lambda _seen: 99, Verdict.GARBAGE, "99 is no card"),
        (lambda _seen: True, Verdict.GARBAGE, "True is no card"),
        (lambda _seen: "7c", Verdict.GARBAGE, "lower case; write 7C"),
        (lambda seen: seen.unseen[0], Verdict.ILLEGAL, "does not hold"),
        (lambda seen: seen.hand, Verdict.GARBAGE, "is answered with one card"),
    ],
)
def test_an_object_that_does_wrong_loses_its_games_with_a_verdict(
    wrong: Callable[[durak.Observation], Answer], verdict: Verdict, reason: str
) -> None:
    result = durak.match(wrong, cheapest, pairs=2, seed=1)
    assert (result.wins, result.losses, result.draws) == (0, 4, 0)
    assert dict(result.tally.forfeits[0]) == {str(verdict): 4}
    first, other = result.first_forfeits
    assert other is None
    assert first is not None
    assert reason in first.reason
    assert reason in str(result)
    assert ("Traceback" in first.errors) == (verdict is Verdict.CRASH)


class NeverReady(Cheapest):
    def new_game(self) -> None:
        raise RuntimeError("not today")


def test_an_object_that_cannot_begin_loses_too() -> None:
    result = durak.match(NeverReady(), cheapest, pairs=1, seed=1)
    assert dict(result.tally.forfeits[0]) == {"crash": 2}


def test_ctrl_c_in_an_object_ends_the_match() -> None:
    def interrupted(_seen: durak.Observation) -> Answer:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        durak.match(interrupted, "durak-dummy", pairs=1, seed=1)


def test_chance_of_an_object_follows_from_the_seed_of_the_match() -> None:
    matches = [durak.match(RandomEngine(), RandomEngine(), pairs=8, seed=seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1]
    assert matches[0].tally != matches[2].tally


def test_a_match_without_a_seed_names_the_one_it_drew() -> None:
    drawn = durak.match(RandomEngine(), cheapest, pairs=2)
    assert durak.match(RandomEngine(), cheapest, pairs=2, seed=drawn.seed) == drawn


def test_a_result_shows_itself_and_converts() -> None:
    result = durak.match(cheapest, raising, pairs=2, seed=1)
    assert str(result).splitlines()[1].split() == ["engine", "won", "drawn", "lost", "points", "forfeited"]
    html = result._repr_html_()
    assert html.count("<tr>") == 3
    assert "raised ValueError: out of ideas" in html
    frame = result.to_frame()
    assert frame.loc["cheapest"].to_dict() == {
        "won": 4, "drawn": 0, "lost": 0, "points": 4.0, "forfeited": 0,
    }  # fmt: skip
    data = json.loads(json.dumps(result.to_dict()))
    assert (data["wins"], data["seed"], data["first"]) == (4, 1, "cheapest")
    assert (result.score, result.los > 0.5, result.elo > 0, result.error > 0) == (1.0, True, True, True)


def test_names_of_engines_cannot_write_html() -> None:
    class Rude(Cheapest):
        name = "<script>"

    html = durak.match(Rude(), cheapest, pairs=1, seed=1)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_games_of_objects_are_logged_and_replay(tmp_path: Path) -> None:
    durak.match(cheapest, raising, pairs=2, seed=1, log=tmp_path / "games.log")
    games = read_log(tmp_path / "games.log")
    assert len(games) == 4
    assert list(problems(games)) == []


def test_a_sequential_test_is_given_as_two_numbers() -> None:
    result = durak.match(cheapest, RandomEngine(), seed=1, sprt=(0, 200))
    assert result.decision == "elo1"
    assert result.tally.games < 200


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: durak.match(7, cheapest), "7 is no engine"),  # type: ignore[arg-type]
        (lambda: durak.match("no-such-engine", cheapest), "no-such-engine"),
        (lambda: durak.match(cheapest, cheapest, pairs=0), "pairs = 0"),
        (lambda: durak.match(cheapest, cheapest, pairs=1, seed=-1), "seed = -1"),
        (lambda: durak.match(cheapest, cheapest, resume=True), "name the file"),
        (lambda: durak.tournament([cheapest]), "a tournament needs at least 2"),
        (lambda: durak.tournament([cheapest, raising], save="x"), "needs a seed"),
    ],
)
def test_what_cannot_be_played_is_refused(call: Callable[[], object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        call()


def test_a_match_of_objects_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only matches between programs can be saved"):
        durak.match(cheapest, "durak-dummy", pairs=1, seed=1, save=tmp_path / "one.match")
    assert list(tmp_path.iterdir()) == []


def test_a_match_of_programs_is_saved_and_resumed(animal: Callable[..., EngineSpec], tmp_path: Path) -> None:
    saved = tmp_path / "one.match"
    one = durak.match(animal("tame.py"), "durak-dummy", pairs=1, seed=1, save=saved)
    more = durak.match(animal("tame.py"), "durak-dummy", pairs=2, save=saved, resume=True)
    assert (one.games_played, more.games_played, more.seed) == (2, 2, 1)


def test_a_tournament_mixes_objects_and_programs() -> None:
    result = durak.tournament([cheapest, Cheapest(), Cheapest(), "durak-random --seed 1"], pairs=2, seed=1)
    assert result.names == ("cheapest", "Cheapest #1", "Cheapest #2", "durak-random --seed 1")
    assert [games for _, games in (result.total(engine) for engine in range(4))] == [12] * 4
    assert list(result.to_frame().index)[-1] == "durak-random --seed 1"
    assert str(result).splitlines()[0] == "2 pairs each, seed 1"
    assert result._repr_html_().count("<tr>") == 10  # ratings, and points against each other
    gauntlet = durak.tournament([cheapest, Cheapest(), raising], pairs=1, seed=1, gauntlet=True)
    assert len(gauntlet.matches) == 2
    assert "raising forfeited crash 2" in str(gauntlet)
