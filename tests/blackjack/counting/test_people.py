"""People: aces counted apart, mistakes at chosen rates, others with charts of their own; each against a second way to get it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from croupier.blackjack.counting import person_kernel
from croupier.blackjack.counting.bet_ramp import parse_ramp
from croupier.blackjack.counting.indices import NO_INDICES
from croupier.blackjack.counting.mistakes import MISTAKES, mistaken_chart
from croupier.blackjack.counting.people import PersonAtTable, Slips
from croupier.blackjack.counting.profile_runs import ProfilePlan
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.simulation import simulate_counting
from croupier.blackjack.counting.system import (
    HI_LO,
    HI_OPT_I_ACES,
    HI_OPT_II_ACES,
    CountingSystem,
    system_of,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import RESULT
from croupier.blackjack.simulation.shoe_kernel import needs_shuffle
from croupier.blackjack.simulation.table_setup import Seating, setup_of
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.pricing import price
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.errors import InputError

RULES = BlackjackRules(decks=2)


@pytest.fixture(scope="module")
def chart() -> Chart:
    return best_chart(RULES).chart


def plan_of(chart: Chart, system: CountingSystem = HI_LO, **others: Any) -> ProfilePlan:
    strategy = CountingStrategy(system, parse_ramp("0:1"), NO_INDICES, chart)
    return ProfilePlan(RULES, strategy, "none", **{"rounds": 30_000, "seed": 5, **others})


@pytest.mark.parametrize("system", [HI_OPT_I_ACES, HI_OPT_II_ACES], ids=lambda system: system.name)
def test_aces_apart_are_a_count_with_other_tags(chart: Chart, system: CountingSystem) -> None:
    """In thirteenths every card counts the aces that were to be expected, and an ace is missing. Flat bets play the same rounds."""
    fine = CountingSystem("fine", (*(13 * tag + system.aces for tag in system.tags[:-1]), -12 * system.aces))
    assert fine.is_balanced
    mine = plan_of(chart, system).run(workers=1).by_count
    grouped: dict[int, list[float]] = {}
    for line in plan_of(chart, fine).run(workers=1).by_count:
        record = grouped.setdefault(line.count // 13, [0.0, 0.0])
        record[0] += line.rounds
        record[1] += line.rounds * line.value
    inner = mine[1:-1]  # the ends hold all that lies beyond
    assert len(inner) > 15
    assert {line.count: line.rounds for line in inner} == {
        line.count: grouped[line.count][0] for line in inner
    }
    assert [line.rounds * line.value for line in inner] == pytest.approx(
        [grouped[line.count][1] for line in inner]
    )


def test_bets_by_a_count_with_aces_are_those_of_the_profile(chart: Chart) -> None:
    ramp, rounds = "1:1,2:4,4:8", 200_000
    answer = plan_of(chart, HI_OPT_II_ACES, rounds=rounds).run().answer(ramp)
    strategy = CountingStrategy(HI_OPT_II_ACES, parse_ramp(ramp), NO_INDICES, chart)
    counted = simulate_counting(RULES, strategy, rounds=rounds, seed=6)
    assert abs(answer.win_rate.value - counted.value) < 3 * np.hypot(
        answer.win_rate.stderr or 0.0, counted.stderr
    )
    assert abs(answer.std.value - counted.std) < 3 * np.sqrt(2) * (answer.std.stderr or 0.0)
    assert abs(answer.mean_bet.value - counted.mean_bet) < 3 * np.sqrt(2) * (answer.mean_bet.stderr or 0.0)
    with pytest.raises(InputError, match="counts aces apart"):
        simulate_counting(RULES, strategy, rounds=10, seed=6, stream="lanes")


def test_aces_are_counted_apart_only_beside_a_balanced_count() -> None:
    tags = [1, 1, 1, 1, 1, 1, 0, 0, -1, -1]
    with pytest.raises(InputError, match="add up to 0"):
        system_of({"tags": tags, "aces": 1})
    with pytest.raises(InputError, match="aces is a whole number from 0 to 9"):
        system_of({"tags": tags, "aces": "one"})
    with pytest.raises(InputError, match="red cards too count between"):
        system_of({"tags": [9, -9, 0, 0, 0, 0, 0, 0, 0, 0], "red": {"2": 1}})
    assert system_of(HI_OPT_II_ACES.to_dict()) == HI_OPT_II_ACES


def test_miscounts_move_the_bets_and_not_the_cards(chart: Chart) -> None:
    """The same shoes, flat: the same result. By count, bets come at the wrong time, and win less."""
    right, wrong = (plan_of(chart, shoes=150_000, slips=Slips(miscounts=rate)).run() for rate in (0.0, 1.0))
    assert wrong.value == right.value
    assert wrong.rounds == right.rounds
    shares = {line.count: line.share for line in wrong.by_count}
    assert any(abs(shares.get(line.count, 0.0) - line.share) > 0.001 for line in right.by_count)
    assert wrong.bets(spread=8).score.value < 0.95 * right.bets(spread=8).score.value


def test_a_miscount_is_one_up_or_down_and_the_shuffle_mends_it(chart: Chart) -> None:
    seating = plan_of(chart).seating
    always = PersonAtTable(seating, HI_LO, 1, Slips(miscounts=1.0))
    records, person = always.records(1, 0), always.person()
    plain = PersonAtTable(seating, HI_LO, 1)
    right = plain.records(1, 0)
    differences = []
    for _ in range(300):
        person_kernel.play_person(records, person)
        person_kernel.play_person(right, plain.person())
        differences.append(int(records.shoe[8] - right.shoe[8]))
        if needs_shuffle(records.shoe, seating.cut):
            person_kernel.open_table(records, person)
            person_kernel.open_table(right, plain.person())
            assert records.shoe[8] == right.shoe[8] == 0
            differences.append(0)
    steps = np.abs(np.diff(differences))
    assert set(steps[np.array(differences[1:]) != 0].tolist()) <= {1}
    assert {1, -1} <= set(differences)


def test_rounds_that_are_always_misplayed_are_worth_the_mistaken_chart(chart: Chart) -> None:
    wrong = plan_of(chart, rounds=1_000_000, slips=Slips(misplays=1.0)).run()
    assert (
        abs(wrong.value - price(RULES, mistaken_chart(RULES)).value - _cut_card_effect(chart))
        < 4 * wrong.stderr
    )
    half = plan_of(chart, rounds=300_000, slips=Slips(misplays=0.5)).run()
    assert wrong.value < half.value < plan_of(chart, rounds=300_000).run().value


def _cut_card_effect(chart: Chart) -> float:
    """Return by how much rounds in front of a cut card are worth less than those of a full shoe: from the right chart."""
    right = plan_of(chart, rounds=1_000_000).run()
    return right.value - price(RULES, chart).value


def test_others_play_by_their_own_chart() -> None:
    """Nobody on one's own side: all seats play the others' chart, as a table does that knows no other."""
    best, wrong = best_chart(RULES).chart, Chart.uniform("S").replace({("8", "6"): "H", ("8,8", "T"): "P"})
    seating = Seating(RULES, best, seats=3)
    beside = PersonAtTable(seating, HI_LO, 0, other_chart=wrong)
    records, person = beside.records(3, 0), beside.person()
    alone = PersonAtTable(replace(seating, chart=wrong), HI_LO, 3).records(3, 0)
    mixed = PersonAtTable(seating, HI_LO, 1, other_chart=wrong)
    both, mixed_person = mixed.records(3, 0), mixed.person()
    differs = 0
    for _ in range(400):
        person_kernel.play_person(records, person)
        play_round(
            alone.cards, alone.shoe, alone.stream, alone.seats, alone.hands, alone.waiting, alone.outcomes,
            setup_of(replace(seating, chart=wrong)),
        )  # fmt: skip
        assert (records.seats == alone.seats).all()
        person_kernel.play_person(both, mixed_person)
        differs += int((both.seats[0, RESULT] != alone.seats[0, RESULT]).any())
        for each, somebody in ((records, person), (both, mixed_person), (alone, person)):
            person_kernel.open_table(each, somebody)
    assert differs > 20


def test_a_chart_like_ones_own_changes_nothing(chart: Chart) -> None:
    plain = plan_of(chart, others=2).run(workers=1)
    same = plan_of(chart, others=2, other_chart=chart).run(workers=1)
    assert (plain.cells == same.cells).all()
    with pytest.raises(InputError, match="there are none"):
        plan_of(chart, other_chart=chart).run()
    with pytest.raises(InputError, match="misplays 2: a rate lies between 0 and 1"):
        plan_of(chart, slips=Slips(misplays=2)).run()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_costs_something_where_the_rules_offer_it(mistake: Any) -> None:
    rules = BlackjackRules(decks=6, surrender="late", soft17="hit")
    priced = price(rules, mistake.chart(best_chart(rules).chart))
    assert priced.loss > 1e-6
