"""The Counter page's models without a browser: questions, curves, profiles in a store, and what a visitor named."""

import math
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from croupier import blackjack
from croupier.blackjack.counting.bankroll import trip_risk
from croupier.blackjack.counting.mistakes import mistaken_chart
from croupier.blackjack.counting.people import Slips
from croupier.blackjack.counting.profile import CountProfile
from croupier.blackjack.engine import BLACKJACK
from croupier.errors import InputError
from croupier.runs.store import open_store
from croupier.web.jobs import Stopped
from croupier.web.models.counter_answers import QUANTILES, ruin_curve, trip_ends, trip_of, trust
from croupier.web.models.counter_question import CounterQuestion, address_of, penetrations
from croupier.web.models.counter_runs import (
    MOST_COMPARED,
    CounterDesk,
    ProfileRequest,
    Recorded,
    best_profile,
    listed_profiles,
    opened_profile,
    ready_request,
    record_profile,
)

RULES = blackjack.Rules(decks=1)

#: Another place for every slider.
MOVED = CounterQuestion(
    mode="kelly", spread=12.0, kelly=0.25, ramp="0:1,2:6", bankroll=5000.0, unit=25.0, minimum=25.0, maximum=500.0,
    chip=25.0, enter=1, leave=0, returns=False, sit_out_below=-1, places=2, two_from=2, penetration=0.5, hours=8.0,
    rounds_per_hour=80.0, goal=2000.0, tips=15.0,
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> CountProfile:
    return blackjack.profile(RULES, indices="none", spots=2, rounds=300_000, seed=1)


def test_every_slider_goes_into_the_address_and_comes_back() -> None:
    fresh = CounterQuestion()
    assert all(getattr(MOVED, entry.name) != getattr(fresh, entry.name) for entry in fields(MOVED))
    query = MOVED.to_query()
    assert set(query) == {entry.name for entry in fields(MOVED)}
    assert CounterQuestion.from_query(query) == MOVED
    assert fresh.to_query() == {}
    assert CounterQuestion.from_query(replace(fresh, chip=None).to_query()).chip is None
    assert address_of("preset=six-deck", "ko", fresh) == "preset=six-deck&system=ko"


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("spread", "wide", "spread: 'wide' is no number"),
        ("enter", "1.5", "enter: '1.5' is no whole number"),
        ("mode", "luck", "bets 'luck': choose spread, kelly, ramp"),
        ("bankroll", "", "bankroll: '' is no number"),
        ("spread", "9" * 300, "is no number"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused(name: str, value: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        CounterQuestion.from_query({name: value})


def test_the_page_says_what_the_library_says(table: CountProfile) -> None:
    shown = replace(CounterQuestion(), chip=None).ask(table)
    said = table.bets(spread=8, bankroll=10_000.0, unit=10.0, hours=40.0)
    assert shown.win_per_hour == said.win_per_hour
    assert shown.ruin == said.ruin
    kelly = replace(CounterQuestion(), mode="kelly", minimum=10.0, maximum=500.0).ask(table)
    assert (
        kelly.bets
        == table.bets(
            kelly=0.5, bankroll=10_000.0, unit=10.0, minimum=10.0, maximum=500.0, chip=5.0, hours=40.0
        ).bets
    )
    own = replace(CounterQuestion(), mode="ramp", ramp="0:0,1:1,2:4", chip=None).ask(table)
    assert own.win_rate == table.answer("0:0,1:1,2:4", unit=10.0, bankroll=10_000.0, kelly=0.5).win_rate


def test_every_slider_changes_the_answer(table: CountProfile) -> None:
    base = replace(CounterQuestion(), chip=None, goal=1000.0)
    changes = {
        "spread": 4.0, "bankroll": 5000.0, "unit": 20.0, "minimum": 20.0, "maximum": 30.0, "chip": 25.0, "enter": 1,
        "sit_out_below": 1, "places": 2, "penetration": penetrations(table)[-2], "hours": 5.0, "rounds_per_hour": 60.0,
        "goal": 500.0, "tips": 5.0, "mode": "kelly",
    }  # fmt: skip
    before = base.ask(table).to_dict()
    for name, value in changes.items():
        assert base.changed(name, value).ask(table).to_dict() != before, name
    watching = base.changed("enter", 1).changed("leave", 0)
    assert watching.ask(table).played.value < base.changed("enter", 1).ask(table).played.value
    assert watching.changed("returns", False).ask(table).played.value < watching.ask(table).played.value
    assert (
        base.changed("places", 2).changed("two_from", 2).ask(table).to_dict()
        != base.changed("places", 2).ask(table).to_dict()
    )


def test_a_question_is_fitted_to_what_a_profile_knows(table: CountProfile) -> None:
    asked = replace(CounterQuestion(), enter=99, leave=99, places=3, penetration=0.49).fitted(table)
    assert (asked.enter, asked.leave, asked.places) == (None, None, 2)
    assert asked.penetration in penetrations(table)
    refused = replace(CounterQuestion(), enter=99, leave=99, places=3).refusals(table)
    assert [str(error).partition(":")[0] for error in refused] == ["enter at +99", "leave at +99", "places 3"]
    known = replace(CounterQuestion(), enter=table.layout.enters[0], leave=table.layout.leaves[0])
    assert known.refusals(table) == ()
    leaving = replace(CounterQuestion(), leave=table.layout.leaves[0]).fitted(table)
    assert not leaving.returns
    assert 0 < leaving.ask(table).played.value < 1


def test_a_trip_ends_as_a_simulated_walk_does() -> None:
    """The method of images against a random walk of small normal steps."""
    mean, std, bankroll, rounds = 0.03, 1.2, 20.0, 300
    ends = trip_ends(mean, std, bankroll, rounds)
    generator = np.random.default_rng(7)
    wins = np.zeros(10_000)
    alive = np.ones(len(wins), dtype=bool)
    for _ in range(rounds):
        before = wins.copy()
        wins[alive] += generator.normal(mean, std, int(alive.sum()))
        # A walk may cross the bound between two steps: the bridge's chance to have touched it.
        above = np.maximum(before + bankroll, 0) * np.maximum(wins + bankroll, 0)
        touched = generator.random(len(wins)) < np.exp(-2 * above / std**2)
        ruined = alive & (touched | (wins <= -bankroll))
        wins[ruined], alive = -bankroll, alive & ~ruined
    error = 4 * math.sqrt(0.25 / len(wins))
    assert ends.ruined == pytest.approx(float((~alive).mean()), abs=error)
    assert ends.ahead == pytest.approx(float((wins > 0).mean()), abs=error)
    for share, quantile in zip(QUANTILES, ends.quantiles, strict=True):
        assert float((wins <= quantile).mean()) >= share - error
        assert float((wins < quantile).mean()) <= share + error


def test_the_density_of_a_trip_and_its_ruin_add_up() -> None:
    for mean, std, bankroll, rounds in (
        (0.02, 1.2, 25.0, 900),
        (-0.05, 2.0, 40.0, 400),
        (0.1, 1.0, 1e6, 100),
    ):
        ends = trip_ends(mean, std, bankroll, rounds)
        wins, densities = zip(*ends.density, strict=True)
        steps = np.diff(wins)
        whole = float((steps * (np.array(densities)[1:] + np.array(densities)[:-1]) / 2).sum())
        assert whole + ends.ruined == pytest.approx(1.0, abs=2e-3)
        assert ends.ruined == trip_risk(mean, std, bankroll, rounds)
        assert list(ends.quantiles) == sorted(ends.quantiles)


def test_a_curve_of_ruined_trips_begins_at_the_loss_of_the_bankroll() -> None:
    """Even where those who are not ruined win far more than they could lose."""
    ends = trip_ends(mean=13.0, std=400.0, bankroll=1500.0, rounds=4000, past=100.0)
    assert ends.ruined > 0.5
    assert ends.density[0][0] == ends.quantiles[0] == -1500
    safe = trip_ends(mean=13.0, std=215.0, bankroll=150_000.0, rounds=4000)
    assert safe.density[0][0] > -150_000


def test_the_ruin_curve_falls_and_goes_through_the_answer(table: CountProfile) -> None:
    answer = replace(CounterQuestion(), chip=None).ask(table)
    curve = ruin_curve(answer)
    risks = [risk for _, risk in curve.ever]
    assert risks == sorted(risks, reverse=True)
    bankrolls = [bankroll for bankroll, _ in curve.ever]
    at = float(np.interp(10_000, bankrolls, risks))
    assert at == pytest.approx(answer.ruin.value, abs=5e-3)
    for (_, low), (_, middle), (_, high), (_, trip) in zip(
        curve.low, curve.ever, curve.high, curve.trip, strict=True
    ):
        assert low <= middle <= high
        assert trip <= middle + 1e-12
    assert trip_of(answer).ruined == pytest.approx(answer.trip_ruin.value if answer.trip_ruin else None)
    small = trip_of(replace(CounterQuestion(), chip=None, bankroll=500).ask(table))
    assert small.quantiles[0] == -500, "no more is lost than the bankroll"
    assert small.density[0][0] >= -500


def test_a_short_profile_is_not_trusted(table: CountProfile) -> None:
    assert trust(CounterQuestion().ask(table)) in ("rough", "fair")


def recorded(path: Path, rounds: int, *, spots: int = 1) -> Recorded:
    request = ProfileRequest(RULES, indices="none", rounds=rounds, spots=spots)
    reports: list[Recorded] = []
    done = record_profile(request, str(path), reports.append)
    assert reports[0].step == "preparing"
    assert reports[-1].share == 1.0
    return done


def test_profiles_are_recorded_listed_and_opened(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    assert listed_profiles(str(path)) == ()
    short, long = recorded(path, 20_000), recorded(path, 60_000, spots=2)
    listed = listed_profiles(str(path))
    assert [found.run for found in listed] == [long.run, short.run]
    assert listed[0].spots == 2
    best = best_profile(listed, RULES, "hi-lo")
    assert best is not None
    assert best.run == long.run
    assert best_profile(listed, RULES, "ko") is None
    assert best_profile(listed, blackjack.Rules(decks=2), "hi-lo") is None
    opened = opened_profile(str(path), best.run)
    assert opened.rounds == best.rounds == long.rounds
    assert opened is opened_profile(str(path), best.run)
    with open_store(str(path)) as runs:
        assert all(run.state is None for run in runs.runs(with_state=False))
        assert all(run.state for run in runs.runs())
    with pytest.raises(InputError, match="run 9: there is none"):
        opened_profile(str(path), 9)


def test_people_are_recorded_with_their_errors_and_neighbours(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    errs = ProfileRequest(
        RULES,
        indices="none",
        rounds=60_000,
        others=2,
        miscounts=0.1,
        misplays=0.05,
        other_play="mistakes",
    )
    erring, right = (
        record_profile(request, path, lambda _: None)
        for request in (errs, ProfileRequest(RULES, indices="none", rounds=20_000))
    )
    listed = {found.run: found for found in listed_profiles(path)}
    assert (listed[erring.run or 0].slips, listed[erring.run or 0].others) == (Slips(0.1, 0.05), 2)
    assert listed[right.run or 0].slips.is_nothing
    best = best_profile(tuple(listed.values()), RULES, "hi-lo")
    assert best is not None
    assert best.run == right.run, "who does not say so does not err"
    with open_store(path) as runs:
        saved = {run.id: run.parameters["other_chart"] for run in runs.runs()}
    assert saved == {erring.run: mistaken_chart(RULES).to_csv(), right.run: None}
    with pytest.raises(InputError, match="between 0 and 100 %"):
        replace(errs, miscounts=1.5).verify()


def test_a_recording_that_is_stopped_can_be_asked(tmp_path: Path) -> None:
    def stop(report: Recorded) -> None:
        if report.rounds:
            raise Stopped

    path = str(tmp_path / "runs.sqlite")
    with pytest.raises(Stopped):
        record_profile(ProfileRequest(RULES, indices="none", rounds=3_000_000), path, stop)
    (found,) = listed_profiles(path)
    assert 0 < found.rounds < 3_000_000
    assert CounterQuestion().ask(opened_profile(path, found.run)).rounds == found.rounds


def test_a_page_records_a_possible_number_of_rounds(tmp_path: Path) -> None:
    for rounds in (0, 10**12):
        with pytest.raises(InputError, match="a page records 1 to 10,000,000,000"):
            record_profile(ProfileRequest(RULES, rounds=rounds), str(tmp_path / "x.sqlite"), lambda _: None)
    assert not (tmp_path / "x.sqlite").exists()


def test_a_visitor_finds_names_sliders_and_comparison_again() -> None:
    desk = CounterDesk(run=3, question=MOVED)
    desk.name(3, "  the   Nugget ")
    desk.name(4, "x" * 200)
    desk.compare(3, on=True)
    again = CounterDesk.from_state(desk.to_state())
    assert again == desk
    assert again.names[3] == "the Nugget"
    assert len(again.names[4]) == 60
    again.name(3, "")
    assert 3 not in again.names
    again.compare(3, on=False)
    assert again.compared == ()
    for run in range(MOST_COMPARED):
        again.compare(run, on=True)
    with pytest.raises(InputError, match=f"at most {MOST_COMPARED} profiles"):
        again.compare(99, on=True)
    with pytest.raises(InputError, match="saved Counter page"):
        CounterDesk.from_state(desk.to_state() | {"names": {"three": "x"}})


def test_rules_that_cannot_be_counted_are_refused_before_anything_is_recorded() -> None:
    by_name = {preset.name: preset.rules for preset in BLACKJACK.presets}
    with pytest.raises(InputError, match="counts are for packs of 52 cards"):
        ready_request(by_name["spanish-21"], "hi-lo").verify()
    with pytest.raises(InputError, match="infinite packs leave nothing to count"):
        ready_request(blackjack.Rules(decks="infinite"), "hi-lo").verify()
    with pytest.raises(InputError, match="index plays and common mistakes go by one up-card"):
        ProfileRequest(by_name["double-exposure"]).verify()
    ready_request(by_name["double-exposure"], "hi-lo").verify()
