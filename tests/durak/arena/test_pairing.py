"""Swiss tournaments and cups: who meets whom, whatever the results are."""

import random

import pytest

from croupier import durak
from croupier.durak.arena.pairing import Knockout, Meeting, Swiss, TournamentFormat, new_pairing, swiss_points
from croupier.durak.arena.sprt import Decision
from croupier.errors import InputError


@pytest.mark.parametrize("engines", range(2, 12))
def test_nobody_meets_twice_in_a_swiss_tournament_and_everybody_plays_or_has_a_bye(engines: int) -> None:
    chance = random.Random(engines)
    swiss = Swiss(engines)
    scores: dict[Meeting, float] = {}
    byes: list[int] = []
    rounds = 0
    while meetings := swiss.next_round(scores):
        rounds += 1
        playing = [engine for meeting in meetings for engine in meeting]
        assert len(set(playing)) == len(playing) == 2 * (engines // 2)
        assert not set(meetings) & scores.keys()
        byes += set(range(engines)) - set(playing)
        scores |= {meeting: chance.choice([0.0, 0.25, 0.5, 1.0]) for meeting in meetings}
    assert rounds == max(1, (engines - 1).bit_length())
    assert len(scores) == swiss.meetings
    assert len(set(byes)) == len(byes)


def test_a_swiss_round_pairs_engines_of_like_scores() -> None:
    swiss = Swiss(8, rounds=3)
    scores: dict[Meeting, float] = {}
    for _ in range(3):
        points = swiss_points(8, scores)
        meetings = swiss.next_round(scores)
        assert sum(abs(points[first] - points[second]) for first, second in meetings) <= 2
        scores |= dict.fromkeys(meetings, 1.0)
    assert swiss_points(8, scores)[0] == 3


@pytest.mark.parametrize("engines", range(2, 18))
def test_the_best_engine_wins_a_cup_from_any_seed(engines: int) -> None:
    for best in range(engines):
        cup = Knockout(engines)
        scores: dict[Meeting, float] = {}
        last: list[Meeting] = []
        while meetings := cup.next_round(scores):
            last = meetings
            scores |= {(first, second): 0.0 if second == best else 1.0 for first, second in meetings}
        assert len(scores) == cup.meetings == engines - 1
        assert best in last[0]
        assert len(last) == 1


def test_rounds_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="4 engines can play 1 to 3 rounds"):
        Swiss(4, rounds=4)
    with pytest.raises(InputError, match="only a Swiss one"):
        new_pairing(TournamentFormat.KNOCKOUT, 4, rounds=2)
    with pytest.raises(InputError, match="no tournament format 'cup'"):
        durak.tournament(["durak-dummy", "durak-dummy"], format="cup")


def dearest(seen: durak.Observation) -> list[int]:
    return seen.by_cost(seen.playable)[-1:]


def cheapest(seen: durak.Observation) -> list[int]:
    return seen.by_cost(seen.playable)[:1]


def test_a_cup_between_real_engines_names_its_rounds_and_its_winner() -> None:
    result = durak.tournament([dearest, cheapest, dearest], pairs=10, seed=1, format="knockout")
    assert result.winner == 1
    data = result.to_dict()
    assert data["rounds"] == [[["cheapest", "dearest #2"]], [["dearest #1", "cheapest"]]]
    assert (data["format"], data["winner"]) == ("knockout", "cheapest")
    assert "cheapest wins the cup" in str(result)


def test_a_sequential_test_ends_each_match_of_a_tournament() -> None:
    result = durak.tournament([cheapest, dearest], seed=1, sprt=(0, 200), format="gauntlet")
    (match,) = result.matches.values()
    assert match.decision is Decision.ELO1
    assert match.tally.pair_counts.pairs < 200
    assert "SPRT 0 against 200 Elo settled: elo1 is accepted after" in str(result)
