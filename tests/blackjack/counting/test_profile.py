"""Count profiles: their arithmetic against bets that are really played, on the same cards and on others."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.blackjack.counting.answers import answer_of
from croupier.blackjack.counting.bankroll import goal_risk, risk_of_ruin, trip_risk
from croupier.blackjack.counting.best_bets import CountMoments, best_factor, sloped_bets
from croupier.blackjack.counting.bet_ramp import parse_ramp
from croupier.blackjack.counting.direct_play import Cover
from croupier.blackjack.counting.indices import CountIndices
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.counting.profile_runs import ProfilePlan, profile_of_run
from croupier.blackjack.counting.questions import BetChoice, bet_choice, chosen_bets, question_of
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.system import HI_LO, KO, CountingSystem
from croupier.blackjack.counting.system_comparison import compare_systems
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.length import BLOCK_ROUNDS
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.errors import InputError
from croupier.runs.resuming import open_recording
from croupier.runs.store import open_store

RULES = BlackjackRules(decks=2)
SOME_INSURANCE = CountIndices(3, 2.4, ())


@pytest.fixture(scope="module")
def chart() -> Chart:
    return solve_total_dependent(RULES).chart


def plan_of(chart: Chart, system: CountingSystem = HI_LO, **others: Any) -> ProfilePlan:
    strategy = CountingStrategy(system, parse_ramp("0:1"), SOME_INSURANCE, chart)
    return ProfilePlan(RULES, strategy, "none", **{"rounds": 30_000, "seed": 5, **others})


@pytest.fixture(scope="module")
def table(chart: Chart) -> CountProfile:
    return plan_of(chart, spots=2, others=1).run(workers=1)


@pytest.fixture(scope="module")
def running(chart: Chart) -> CountProfile:
    return plan_of(chart, KO).run(workers=1)


#: Bets and circumstances. Counts of entries and exits are those of Hi-Lo.
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("0:1", {}),
    ("0:1,2:4,3:8", {"unit": 25}),
    ("0:0,1:1,2:5", {"spots": "1:1,2:2"}),
    ("0:2,1:0,3:5", {"spots": 2}),
    ("0:1,2:6", {"enter": 1}),
    ("0:1,2:6", {"enter": 2, "leave": 0}),
    ("0:1,3:6", {"enter": 4, "leave": -3, "spots": "0:2"}),
    ("0:1,2:6", {"enter": 1, "leave": 0, "returns": False}),
    ("0:1,2:6", {"enter": 3, "leave": -2, "returns": False}),
    ("0:1,2:6", {"leave": -1, "returns": False}),
    ("0:1,2:6", {"leave": -3, "returns": False, "minimum": 5, "maximum": 20, "chip": 5, "unit": 3}),
]


def verify_same(profile: CountProfile, bets: str, circumstances: dict[str, Any]) -> None:
    """Play the shoes of the profile again, with these bets: the arithmetic says the same to the last digits."""
    answer = profile.answer(bets, **circumstances)
    played = profile.play(bets, rounds=profile.rounds, seed=profile.seed, workers=1, **circumstances)
    assert played.rounds == answer.rounds == profile.rounds
    assert answer.win_rate.value == pytest.approx(played.win_rate.value, rel=1e-9)
    assert answer.std.value == pytest.approx(played.std.value, rel=1e-9)
    assert answer.played.value == pytest.approx(played.played)
    assert answer.mean_bet.value == pytest.approx(played.mean_bet)


@pytest.mark.parametrize(("bets", "circumstances"), SETTINGS)
def test_arithmetic_is_what_the_same_cards_come_to(
    table: CountProfile, bets: str, circumstances: dict[str, Any]
) -> None:
    verify_same(table, bets, circumstances)


def test_arithmetic_is_exact_for_running_counts_too(running: CountProfile) -> None:
    first, *_, last = running.layout.enters
    away = running.layout.leaves[-1]
    verify_same(running, f"{first}:1,{last}:6", {"enter": first, "leave": away})
    verify_same(running, f"{first}:0,{last}:6", {"leave": running.layout.leaves[0], "returns": False})


def test_a_shallower_cut_card_is_what_other_cards_come_to(table: CountProfile) -> None:
    """Another cut card deals other shoes, so the two agree within their errors."""
    bets = "0:1,1:4"
    answer = table.answer(bets, penetration=0.5)
    played = table.play(bets, penetration=0.5, rounds=60_000, seed=6, workers=1)
    assert answer.rounds < table.rounds
    for mine, theirs in ((answer.win_rate, played.win_rate), (answer.std, played.std)):
        assert mine.stderr is not None
        assert theirs.stderr is not None
        assert abs(mine.value - theirs.value) < 4 * np.hypot(mine.stderr, theirs.stderr)
    assert answer.mean_bet.value == pytest.approx(played.mean_bet, rel=0.05)


def test_the_error_of_the_groups_is_that_of_the_shoes(table: CountProfile) -> None:
    answer = table.answer("0:1,1:4")
    played = table.play("0:1,1:4", rounds=table.rounds, seed=table.seed, workers=1)
    assert answer.win_rate.stderr is not None
    assert answer.win_rate.stderr == pytest.approx(played.win_rate.stderr, rel=0.5)


def test_the_error_of_a_count_is_that_of_the_groups(chart: Chart) -> None:
    """Over seeds, every line and the whole are as far from their means as their errors say."""
    tables = [plan_of(chart, rounds=20_000, seed=seed).run(workers=1) for seed in range(40)]
    assert (
        0.8
        < rms([(each.value - np.mean([one.value for one in tables])) / each.stderr for each in tables])
        < 1.25
    )
    for count in (-2, 0, 3):
        lines = [next(line for line in each.by_count if line.count == count) for each in tables]
        mean = np.average([line.value for line in lines], weights=[line.rounds for line in lines])
        assert 0.8 < rms([(line.value - mean) / (line.stderr or 0.0) for line in lines]) < 1.25


def test_the_lines_of_an_answer_have_the_errors_of_the_profile(table: CountProfile) -> None:
    """With one place, every round and the whole shoe, both say the same of a count."""
    answer = {line.count: line for line in table.answer("0:1,1:4").by_count}
    assert len(answer) > 20
    for line in table.by_count:
        found = answer[line.count]
        assert (found.value, found.std) == pytest.approx((line.value, line.std), rel=1e-12)
        assert (found.stderr is None) == (line.stderr is None)
        assert found.stderr is None or found.stderr == pytest.approx(line.stderr, rel=1e-12)


def rms(errors: Sequence[Any]) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


def test_errors_of_play_are_those_that_seeds_show(table: CountProfile) -> None:
    """Large bets come together in a shoe: with rounds taken as independent, the error of the deviation is 1.5 times too small."""
    played = [table.play("0:1,1:2,2:8", rounds=4000, seed=seed, workers=1) for seed in range(60)]
    for figures in ([each.win_rate for each in played], [each.std for each in played]):
        mean = np.mean([figure.value for figure in figures])
        off = [(figure.value - mean) / (figure.stderr or 0.0) for figure in figures]
        assert 0.8 < rms(off) < 1.25


def test_bets_are_not_flattered_by_the_rounds_that_chose_them(chart: Chart) -> None:
    """Short profiles choose bets by luck. Their answers agree with what the same bets come to on all profiles together."""
    tables = [plan_of(chart, rounds=100_000, seed=seed).run(workers=1) for seed in range(24)]
    everything = replace(tables[0], cells=np.sum([table.cells for table in tables], axis=0))
    off: dict[str, list[float]] = {"win_rate": [], "std": [], "trip_ruin": []}
    for table in tables:
        choice = bet_choice(table, question_of("0:1", {"bankroll": 200, "hours": 10}), spread=8)
        bets = chosen_bets(table, choice)
        said = answer_of(table, choice)
        true = answer_of(everything, BetChoice(0.0, bets, bets, bets, choice.question))
        for name, errors in off.items():
            figure = getattr(said, name)
            errors.append((figure.value - getattr(true, name).value) / figure.stderr)
    for errors in off.values():
        assert abs(np.mean(errors)) < 0.4
        assert 0.7 < rms(errors) < 1.35


def test_cover_holds_bets_down(table: CountProfile) -> None:
    free = table.play("0:1,1:8", rounds=20_000, seed=3, workers=1)
    covered = table.play(
        "0:1,1:8", rounds=20_000, seed=3, workers=1, cover=Cover(after_win=2, after_push=1, after_loss=1)
    )
    assert 1 < covered.mean_bet < 0.7 * free.mean_bet
    with pytest.raises(InputError, match="cover after_win: a factor from 1 on"):
        table.play("0:1", rounds=1, seed=1, cover=Cover(after_win=0.5))


def test_workers_change_nothing(chart: Chart) -> None:
    plan = plan_of(chart, rounds=BLOCK_ROUNDS + 1000)
    assert (plan.run(workers=1).cells == plan.run(workers=2).cells).all()


def test_a_saved_profile_is_resumed_and_asked(chart: Chart, tmp_path: Path) -> None:
    plan, store = plan_of(chart, rounds=BLOCK_ROUNDS + 1000), str(tmp_path / "runs.sqlite")
    whole = plan.run()

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_recording(store, plan) as recording:
        plan.run(workers=1, progress=interrupt, recording=recording)
    with open_store(store) as opened:
        half = profile_of_run(opened.find(1))
        again = ProfilePlan.of_run(opened.find(1))
    assert half.rounds < whole.rounds
    with open_recording(store, again, resume=1) as recording:
        again.run(recording=recording)
    with open_store(store) as opened:
        found = profile_of_run(opened.find(1))
    assert found.answer("0:1,2:8", hours=10) == whole.answer("0:1,2:8", hours=10)


def test_the_best_ramp_cannot_be_improved_at_any_count() -> None:
    """Moving any single bet up or down, inside the spread, wins less for its risk."""
    stream = np.random.default_rng(1)
    for _ in range(20):
        shares = stream.dirichlet(np.ones(12))
        moments = CountMoments(
            shares, np.sort(stream.normal(-0.002, 0.012, 12)), stream.uniform(1.2, 1.4, 12)
        )
        if moments.means.max() <= 0:
            continue
        rising = CountMoments(shares, moments.slopes * moments.squares, moments.squares)
        limits = np.ones(12), np.full(12, 10.0)
        bets = sloped_bets(rising, best_factor(rising, *limits), *limits)

        def score(tried: Any, of: CountMoments = rising) -> float:
            mean = float(of.shares @ (tried * of.means))
            return mean / float(np.sqrt(of.shares @ (tried**2 * of.squares) - mean**2))

        for place in range(12):
            for moved in (bets[place] * 1.02, bets[place] * 0.98):
                other = bets.copy()
                other[place] = min(max(moved, 1.0), 10.0)
                assert score(other) <= score(bets) + 1e-9


def test_the_best_bets_win_more_than_others_of_their_spread(table: CountProfile) -> None:
    best = table.bets(spread=6)
    assert best.score.value == pytest.approx(best.c_score.value)
    for ramp in ("0:1,1:6", "0:1,2:6", "0:1,1:2,2:4,3:6"):
        other = table.answer(ramp)
        assert other.c_score.value <= best.score.value
        assert other.score.value == pytest.approx(best.score.value, rel=1e-3)


def test_bets_for_a_bankroll_are_whole_chips_inside_the_limits(table: CountProfile) -> None:
    full, half = (
        table.bets(kelly=part, bankroll=20_000, minimum=10, maximum=300, chip=5, sit_out_below=0)
        for part in (1.0, 0.5)
    )
    for answer in (full, half):
        assert all(bet == 0 or (10 <= bet <= 300 and bet % 5 == 0) for _, bet in answer.bets)
        assert all(line.bet == 0 for line in answer.by_count if line.count < 0)
    assert full.mean_bet.value > half.mean_bet.value
    assert full.ruin.value > half.ruin.value


def test_risks_of_ruin_agree_with_each_other() -> None:
    mean, std, bankroll = 0.012, 2.6, 300.0
    for_ever = risk_of_ruin(mean, std, bankroll)
    assert trip_risk(mean, std, bankroll, 1e9) == pytest.approx(for_ever)
    assert goal_risk(mean, std, bankroll, 1e9) == pytest.approx(for_ever)
    assert trip_risk(mean, std, bankroll, 1000) < trip_risk(mean, std, bankroll, 10_000) < for_ever
    assert goal_risk(-mean, std, bankroll, 200) == pytest.approx(1 - goal_risk(mean, std, 200, bankroll))
    assert goal_risk(-1.0, 1.0, 1e6, 1e6) == 1.0


def test_played_bankrolls_are_ruined_as_often_as_the_formulas_say(table: CountProfile) -> None:
    circumstances: dict[str, Any] = {"bankroll": 40, "goal": 40, "hours": 12}
    answer = table.answer("0:1,1:2", **circumstances)
    both = table.play_bankrolls("0:1,1:2", trips=2000, seed=1, workers=1, **circumstances)
    assert both.ruined.value + both.reached.value + both.left.value == pytest.approx(1)
    trip = table.play_bankrolls("0:1,1:2", trips=2000, seed=2, workers=1, bankroll=40, hours=12)
    goal = table.play_bankrolls("0:1,1:2", trips=2000, seed=3, workers=1, bankroll=40, goal=40)
    for said, seen in ((answer.trip_ruin, trip.ruined), (answer.goal_ruin, goal.ruined)):
        assert said is not None
        assert seen.stderr is not None
        assert said.stderr is not None
        assert abs(said.value - seen.value) < 3 * np.hypot(seen.stderr, said.stderr)
    with pytest.raises(InputError, match="bankrolls need an end"):
        table.play_bankrolls("0:1", trips=1, seed=1)


@pytest.mark.parametrize(
    ("bets", "spots", "bankroll"), [("0:1", 1, 30), ("0:1,1:4,2:12", 1, 120), ("0:0,1:10,3:20", 2, 401)]
)
def test_the_last_bet_goes_as_far_past_the_end_as_is_computed(
    table: CountProfile, bets: str, spots: int, bankroll: float
) -> None:
    """Bankrolls on the grid of the bets, and one between its points."""
    said = table.answer(bets, spots=spots, bankroll=bankroll).overshoot
    seen = table.play_bankrolls(
        bets, trips=3000, seed=4, workers=1, spots=spots, bankroll=bankroll, goal=bankroll
    )
    assert seen.overshoot == pytest.approx(said, rel=0.15)


def test_bets_that_follow_the_bankroll_fall_as_often_as_the_formula_says(table: CountProfile) -> None:
    bets = "0:1,1:4"
    circumstances: dict[str, Any] = {"bankroll": 150.0, "floor": 0.6}
    answer = table.answer(bets, **circumstances)
    said = answer.risks.drawdown(150.0, 0.6, growth=1.5)
    seen = table.play_bankrolls(
        bets, trips=2000, seed=5, workers=1, resize=0.0, goal=75.0, **circumstances
    ).ruined
    assert abs(said - seen.value) < 3 * np.hypot(seen.stderr or 0.0, answer.drawdown.stderr or 0.0)
    fixed = table.play_bankrolls(bets, trips=500, seed=5, workers=1, goal=75.0, **circumstances)
    seldom = table.play_bankrolls(
        bets, trips=500, seed=5, workers=1, resize=1.0, goal=75.0, bankroll=150.0, floor=1e-6
    )
    assert seldom.reached == fixed.reached, (
        "a bankroll that does not double before its goal never moves its bets"
    )
    with pytest.raises(InputError, match="resize = 2: a part of the bankroll"):
        table.play_bankrolls(bets, trips=1, seed=1, resize=2.0, goal=1)


def test_tips_are_paid_by_the_hour(table: CountProfile) -> None:
    """Arithmetic and play take off the same, and bankrolls that pay tips are lost more often."""
    bets, hourly = "0:1,1:4", 2.0
    free, paid = (table.answer(bets, tips=tips, bankroll=80, goal=80) for tips in (0.0, hourly))
    assert free.win_per_hour.value - paid.win_per_hour.value == pytest.approx(hourly)
    assert paid.std == free.std
    played = [
        table.play(bets, rounds=2000, seed=9, workers=1, tips=tips).win_rate.value for tips in (0.0, hourly)
    ]
    assert played[0] - played[1] == pytest.approx(hourly / 100)
    seen = table.play_bankrolls(bets, trips=1500, seed=9, workers=1, tips=8.0, bankroll=80, goal=80).ruined
    said = table.answer(bets, tips=8.0, bankroll=80, goal=80).goal_ruin
    assert said is not None
    assert free.goal_ruin is not None
    assert abs(said.value - seen.value) < 3 * np.hypot(said.stderr or 0.0, seen.stderr or 0.0)
    assert free.goal_ruin.value < said.value


def test_resized_bets_are_whole_chips_inside_the_limits(table: CountProfile) -> None:
    """Ten times the table maximum on a bankroll that only moves by chips: every end is a whole number of half chips."""
    ends = table.play_bankrolls(
        "0:10", trips=50, seed=6, workers=1, resize=0.0, bankroll=100, floor=0.5, goal=50, chip=10, minimum=10
    )
    assert ends.overshoot is not None
    assert (ends.overshoot * 50 * ends.ruined.value) % 5 == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("bets", "circumstances", "complaint"),
    [
        ("0:1", {"spots": 3}, "3 places: this profile was made with 2"),
        ("0:1", {"enter": 9}, "enter at 9: this profile knows entries at 1, 2, 3, 4"),
        ("0:1", {"leave": 5, "enter": 1}, "leave at 5: this profile knows exits at -3, -2, -1, 0"),
        ("0:1", {"leave": -1}, "name a count to enter again at, or stay away until the next shuffle"),
        ("0:1", {"penetration": 0.9}, "penetration 0.9: this profile knows 0.125, 0.25,"),
        ("0:1", {"bankroll": 0}, "bankroll 0: it must be above 0"),
        ("0:1", {"floor": 1}, "floor 1: a part of the bankroll"),
        ("0:1", {"minimum": 9, "maximum": 5}, "table minimum 9 is above the maximum 5"),
        ("0:0", {}, "nothing is bet"),
        ("0:-1", {}, "a whole number from 0 on"),
        ("0:1", {"time": 5}, "'time': no such circumstance"),
    ],
)
def test_what_a_profile_does_not_know_is_refused(
    table: CountProfile, bets: str, circumstances: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InputError) as refused:
        table.answer(bets, **circumstances)
    assert complaint in str(refused.value)


def test_tables_that_cannot_be_recorded_are_refused(chart: Chart) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"spots": 4}, "spots = 4: a profile records 1 to 3"),
        ({"others": 7}, "others = 7: beside 1 of your own"),
        ({"rounds": 0}, "rounds = 0"),
    ]
    for others, complaint in cases:
        with pytest.raises(InputError, match=complaint):
            plan_of(chart, **others).run()


def test_systems_are_compared_on_the_same_shoes() -> None:
    """A system compared with itself differs by nothing, and the same seed opens the same shoes to another."""
    rules = BlackjackRules(decks=1)
    compared = compare_systems(
        rules, ["hi-lo", "hi-lo", "ko"], indices="none", spread=6, shoes=4000, seed=2, workers=1
    )
    first, again, other = compared.systems
    assert (again.score_difference.value, again.score_difference.stderr) == (0.0, 0.0)
    assert again.answer == first.answer
    assert other.score_difference.value == pytest.approx(other.answer.score.value - first.answer.score.value)
    assert first.answer.score.stderr is not None
    assert other.score_difference.stderr is not None
    # Flat bets play the same hands with the same cards, whatever is counted.
    assert other.answer.rounds == first.answer.rounds
    assert other.score_difference.stderr < first.answer.score.stderr
    rough = compare_systems(
        rules, ["hi-lo", "ko"], indices="none", estimate=52, spread=6, shoes=4000, seed=2, workers=1
    )
    assert (rough.to_dict()["estimate"], compared.to_dict()["estimate"]) == (52, 1)
    assert rough.systems[0].answer != first.answer, "packs left are guessed"
    assert rough.systems[1].answer == other.answer, "running counts estimate nothing"
    with pytest.raises(InputError, match="2 choices for 1 systems"):
        compare_systems(rules, ["hi-lo"], indices=["all", "none"])
    with pytest.raises(InputError, match="name one or more"):
        compare_systems(rules, [])
