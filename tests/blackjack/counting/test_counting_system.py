"""Counting systems, bet ramps, and what a count says of the cards that are left."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.blackjack.counting.bet_ramp import BetRamp, parse_ramp, usual_ramp
from croupier.blackjack.counting.correlations import correlations
from croupier.blackjack.counting.scale import count_scale, excess_variance
from croupier.blackjack.counting.system import (
    HI_LO,
    KO,
    OMEGA_II,
    RED_7,
    SYSTEMS,
    ZEN,
    CountingError,
    CountingSystem,
    counted_shoe,
    read_system,
    system_of,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import parse_card

#: Betting and insurance correlations as N. Wattenberger (qfit.com) and others list them, from P. Griffin's effects of removal.
PUBLISHED = {"hi-lo": (0.97, 0.76), "ko": (0.98, 0.78), "omega-ii": (0.92, 0.85), "zen": (0.96, 0.85)}
PUBLISHED |= {"hi-opt-i": (0.88, 0.85), "hi-opt-ii": (0.91, 0.91), "halves": (0.99, 0.72)}

#: Initial running counts and key counts by decks: O. Vancura and K. Fuchs, Knock-Out Blackjack.
KO_INITIAL = {1: 0, 2: -4, 6: -20, 8: -28}
KO_KEY = {2: 1, 6: -4, 8: -6}


def test_all_systems_but_ko_and_red_7_are_balanced() -> None:
    assert {name for name, system in SYSTEMS.items() if not system.is_balanced} == {"ko", "red-7"}
    assert KO.per_pack == 4
    assert RED_7.per_pack == 2
    assert [RED_7.pivot(decks) for decks in (1, 2, 6)] == [0, 0, 0]


def test_red_sevens_count_and_black_ones_do_not() -> None:
    tags = {text: RED_7.tag(parse_card(text)) for text in ("7D", "7H", "7C", "7S", "6S", "KD", "AC", "8H")}
    assert tags == {"7D": 1, "7H": 1, "7C": 0, "7S": 0, "6S": 1, "KD": -1, "AC": -1, "8H": 0}


def test_the_expected_composition_with_red_sevens_is_that_of_random_shoes() -> None:
    rng = np.random.default_rng(8)
    # Two packs: the ranks, with four red and four black sevens.
    cards = np.array([8] * 5 + [4, 4] + [8] * 7)
    tags = np.array([1] * 5 + [1, 0] + [0, 0] + [-1] * 5)
    halves = rng.multivariate_hypergeometric(cards, 52, size=300_000)
    chosen = halves[halves @ tags == RED_7.per_pack - 5]
    ranks = np.delete(chosen, 6, axis=1)
    ranks[:, 5] += chosen[:, 6]
    expected = counted_shoe(ShoeCounts.full(BlackjackRules(decks=2)), RED_7, 5.0).ranks / 2
    error = ranks.std(axis=0) / np.sqrt(len(ranks))
    assert len(ranks) > 1000
    assert np.abs(ranks.mean(axis=0) - expected).max() < 4 * error.max() + 0.02


@pytest.mark.parametrize(("decks", "initial"), KO_INITIAL.items())
def test_ko_begins_where_its_book_says(decks: int, initial: int) -> None:
    assert KO.initial_count(decks) == initial
    assert KO.pivot(decks) == 4


@pytest.mark.parametrize(("decks", "key"), KO_KEY.items())
def test_ko_key_counts_say_what_a_true_count_of_about_one_says(decks: int, key: int) -> None:
    scale = count_scale(BlackjackRules(decks=decks), KO)
    assert KO.key_count(decks) == key
    assert scale.excesses[scale.counts.index(key)] == pytest.approx(1.0, abs=0.1)
    assert scale.excesses[scale.counts.index(4)] == pytest.approx(4.0)
    assert (np.diff(scale.excesses) >= 0).all()


def test_correlations_are_the_published_ones() -> None:
    """Ours are for the best play after the removal, Griffin's for a fixed chart: betting differs by less than a hundredth."""
    for name, (betting, insurance) in PUBLISHED.items():
        found = correlations(BlackjackRules(decks=1), SYSTEMS[name])
        assert found.betting == pytest.approx(betting, abs=0.01)
        assert found.insurance == pytest.approx(insurance, abs=0.005)


def test_published_figures_of_red_7_count_half_for_every_seven() -> None:
    """0.98 and 0.78 leave out that half of the sevens count 1 and the others 0, which is noise; ours are lower by it."""
    found = correlations(BlackjackRules(decks=1), RED_7)
    without_noise = RED_7.spread / float(np.std(RED_7.rank_tags))
    assert found.betting * without_noise == pytest.approx(0.98, abs=0.01)
    assert found.insurance * without_noise == pytest.approx(0.78, abs=0.005)
    assert found.insurance < 0.775


def test_aces_apart_bring_the_betting_correlation_up() -> None:
    """Published: from about 0.91 to 0.98 and 0.99 for Hi-Opt II and Omega II; insurance is played by the main count."""
    for plain, with_aces in (
        ("hi-opt-i", "hi-opt-i-aces"),
        ("hi-opt-ii", "hi-opt-ii-aces"),
        ("omega-ii", "omega-ii-aces"),
    ):
        before, after = (correlations(BlackjackRules(decks=1), SYSTEMS[name]) for name in (plain, with_aces))
        assert after.betting > before.betting + 0.05
        assert after.insurance == before.insurance
    assert correlations(BlackjackRules(decks=1), SYSTEMS["omega-ii-aces"]).betting == pytest.approx(
        0.99, abs=0.01
    )


@pytest.mark.parametrize("system", [HI_LO, KO, OMEGA_II, ZEN], ids=lambda system: system.name)
def test_the_expected_composition_is_that_of_random_shoes_with_the_count(system: CountingSystem) -> None:
    """Of two packs, 52 cards are left: those of all random halves whose tags add up to a number are averaged."""
    rng = np.random.default_rng(7)
    full = ShoeCounts.full(BlackjackRules(decks=2))
    halves = rng.multivariate_hypergeometric(full.ranks.astype(np.int64), 52, size=400_000)
    tags = halves @ np.array(system.rank_tags)
    wanted = system.per_pack - 6
    chosen = halves[tags == wanted]
    expected = counted_shoe(full, system, 6.0).ranks / 2
    error = chosen.std(axis=0) / np.sqrt(len(chosen))
    assert len(chosen) > 1000
    # The regression is exact for normal variables; numbers of cards are nearly so.
    assert np.abs(chosen.mean(axis=0) - expected).max() < 4 * error.max() + 0.02


def test_the_variance_of_a_count_is_that_of_random_shoes() -> None:
    rng = np.random.default_rng(8)
    full = ShoeCounts.full(BlackjackRules(decks=2)).ranks.astype(np.int64)
    left = rng.multivariate_hypergeometric(full, 39, size=100_000) @ np.array(HI_LO.rank_tags)
    true_counts = -left * 52 / 39
    assert true_counts.var() == pytest.approx(excess_variance(HI_LO, 2, packs_left=0.75), rel=0.02)


@given(st.sampled_from(list(SYSTEMS.values())), st.floats(-20, 20), st.integers(1, 8))
def test_a_bent_shoe_keeps_its_size_and_has_the_count(
    system: CountingSystem, excess: float, decks: int
) -> None:
    full = ShoeCounts.full(BlackjackRules(decks=decks))
    bent = counted_shoe(full, system, excess)
    assert bent.cards == pytest.approx(full.cards)
    per_pack = bent.ranks @ np.array(system.rank_tags) / decks
    # Where colours count, they take their part of the excess, and ranks the rest.
    of_ranks = np.var(system.rank_tags) / system.spread**2
    assert per_pack == pytest.approx(system.per_pack - excess * of_ranks)


@pytest.mark.parametrize("rules", [BlackjackRules(decks="infinite"), BlackjackRules(shuffle="continuous")])
def test_a_shoe_that_never_changes_cannot_be_counted(rules: BlackjackRules) -> None:
    with pytest.raises(CountingError, match="nothing to count"):
        usual_ramp(rules, HI_LO)


def test_no_card_is_less_than_gone() -> None:
    assert counted_shoe(ShoeCounts.full(BlackjackRules()), HI_LO, 60.0).ranks.min() == 0.0


def test_a_system_is_read_from_toml_and_json(tmp_path: Path) -> None:
    toml = tmp_path / "halves.toml"
    toml.write_text(
        "tags = {2 = 1, 3 = 2, 4 = 2, 5 = 3, 6 = 2, 7 = 1, 8 = 0, 9 = -1, T = -2, A = -2}\n", encoding="utf-8"
    )
    system = read_system(toml)
    assert (system.name, system.tags, system.is_balanced) == (
        "halves",
        (1, 2, 2, 3, 2, 1, 0, -1, -2, -2),
        True,
    )
    ko = tmp_path / "ko.json"
    ko.write_text(json.dumps(KO.to_dict()), encoding="utf-8")
    assert read_system(ko).rank_tags == KO.rank_tags
    assert read_system(ko).initial_count(6) == -20


REFUSED = [
    ({}, "tags are ten whole numbers"),
    ({"tags": [1] * 10}, "all tags are 1"),
    ({"tags": [0] * 10}, "not all are 0"),
    ({"tags": [1.5, *[0] * 9]}, "tags are ten whole numbers"),
    ({"tags": [10, *[0] * 9]}, "between -9 and 9"),
    ({"tags": {"2": 1}}, "tags name each of 2, 3"),
    ({"tags": [1, *[0] * 9], "initial": 4}, "initial is two whole numbers"),
    ({"tag": []}, "no entry 'tag'"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_a_system_that_cannot_count_is_refused(data: dict[str, object], message: str) -> None:
    with pytest.raises(CountingError, match=message):
        system_of(data)


def test_files_that_are_no_systems_are_refused(tmp_path: Path) -> None:
    for name, text, message in (("a.toml", "tags = [", "a.toml"), ("b.json", "[1]", "not a table")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(CountingError, match=message):
            read_system(tmp_path / name)


@given(
    st.dictionaries(st.integers(-30, 30), st.integers(1, 100), min_size=1, max_size=6).map(
        lambda steps: BetRamp(tuple(sorted(steps.items())))
    )
)
def test_a_ramp_reads_as_it_is_written(ramp: BetRamp) -> None:
    assert parse_ramp(str(ramp)) == ramp
    for place, bet in enumerate(ramp.bets):
        assert ramp.bet(ramp.start + place) == bet


@pytest.mark.parametrize("text", ["", "1", "1:x", "2:1,2:2", "1:0", "0:1,5000:2", "1:1,"])
def test_a_ramp_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(CountingError, match=r"bet ramp '.*': .*such as 1:1,2:2,3:4,4:8"):
        parse_ramp(text)


def test_the_usual_ramp_rises_to_eight_units_in_every_system_and_number_of_decks() -> None:
    for system in SYSTEMS.values():
        for decks in range(1, 9):
            ramp = usual_ramp(BlackjackRules(decks=decks), system)
            assert [count for count, _ in ramp.steps] == sorted({count for count, _ in ramp.steps})
            assert ramp.steps[-1][1] == 8
