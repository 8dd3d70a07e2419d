"""Automatic play: it agrees with the exact value, and a seed gives the same counts however it is played."""

import dataclasses
import json
import math
import random
from typing import Any

import numpy as np
import pytest

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.simulation import table_kernel
from croupier.blackjack.simulation.chart_play import Deviation
from croupier.blackjack.simulation.counted_play import ALWAYS, FLAT, CountedPlay
from croupier.blackjack.simulation.length import BLOCK_ROUNDS, Length
from croupier.blackjack.simulation.result import SimulationResult, result_of
from croupier.blackjack.simulation.round_automaton import is_other_game
from croupier.blackjack.simulation.simulator import TablePlay, simulate
from croupier.blackjack.simulation.single_seat import is_simple
from croupier.blackjack.simulation.table_setup import Seating
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import (
    PAIR_ROWS,
    ROWS,
    UP_CARDS,
    Chart,
    ChartError,
    Code,
)
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.errors import InputError
from croupier.runs.executors import open_executor
from tests.blackjack.rule_sets import USUAL, rule_sets

PRESETS = [preset.name for preset in BLACKJACK.presets]

#: Six decks, dealer stands on soft 17, with late surrender: every code but two comes up.
CHART = """\
hand,2,3,4,5,6,7,8,9,T,A
4,H,H,H,H,H,H,H,H,H,H
5,H,H,H,H,H,H,H,H,H,H
6,H,H,H,H,H,H,H,H,H,H
7,H,H,H,H,H,H,H,H,H,H
8,H,H,H,H,H,H,H,H,H,H
9,H,D,D,D,D,H,H,H,H,H
10,D,D,D,D,D,D,D,D,H,H
11,D,D,D,D,D,D,D,D,D,H
12,H,H,S,S,S,H,H,H,H,H
13,S,S,S,S,S,H,H,H,H,H
14,S,S,S,S,S,H,H,H,H,H
15,S,S,S,S,S,H,H,H,R,H
16,S,S,S,S,S,H,H,R,RS,R
17,S,S,S,S,S,S,S,S,S,S
18,S,S,S,S,S,S,S,S,S,S
19,S,S,S,S,S,S,S,S,S,S
20,S,S,S,S,S,S,S,S,S,S
21,S,S,S,S,S,S,S,S,S,S
soft 12,H,H,H,H,H,H,H,H,H,H
soft 13,H,H,H,D,D,H,H,H,H,H
soft 14,H,H,H,D,D,H,H,H,H,H
soft 15,H,H,D,D,D,H,H,H,H,H
soft 16,H,H,D,D,D,H,H,H,H,H
soft 17,H,D,D,D,D,H,H,H,H,H
soft 18,S,DS,DS,DS,DS,S,S,H,H,H
soft 19,S,S,S,S,S,S,S,S,S,S
soft 20,S,S,S,S,S,S,S,S,S,S
soft 21,S,S,S,S,S,S,S,S,S,S
"2,2",PH,PH,P,P,P,P,H,H,H,H
"3,3",PH,PH,P,P,P,P,H,H,H,H
"4,4",H,H,H,PH,PH,H,H,H,H,H
"5,5",D,D,D,D,D,D,D,D,H,H
"6,6",PH,P,P,P,P,H,H,H,H,H
"7,7",P,P,P,P,P,P,H,H,H,H
"8,8",P,P,P,P,P,P,P,P,RP,P
"9,9",P,P,P,P,P,S,P,P,S,S
"T,T",S,S,S,S,S,S,S,S,S,S
"A,A",P,P,P,P,P,P,P,P,P,P
"""
TABLE = Chart.from_csv(CHART)
HI_LO = (1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1)


def rules_of(preset: str, **options: Any) -> BlackjackRules:
    return BLACKJACK.preset(preset).rules.replaced(options)


def counts_of(tally: Tally) -> dict[str, list[Any]]:
    return {entry.name: getattr(tally, entry.name).tolist() for entry in dataclasses.fields(tally)}


def random_chart(chance: random.Random) -> Chart:
    """Change a tenth of a good chart, pairs above all."""
    cells = dict(TABLE.cells)
    for (row, up_card), code in cells.items():
        if row in PAIR_ROWS and chance.random() < 0.3:
            cells[row, up_card] = chance.choice([*Code, Code.SPLIT, Code.SPLIT])
        elif chance.random() < 0.1:
            cells[row, up_card] = chance.choice(
                [Code.HIT, Code.STAND, Code.DOUBLE, Code.DOUBLE_OR_STAND, code]
            )
    return Chart.from_cells(cells)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_continuous_shuffle_earns_the_exact_value_of_the_chart(preset: str) -> None:
    rules = rules_of(preset, shuffle="continuous")
    chart = best_chart(rules).chart if rules.hole_card == "open" else TABLE
    result = simulate(rules, chart, rounds=4_000_000, seed=11)
    exact = chart_value(rules, chart)
    assert abs(result.value - exact) < 4 * result.stderr
    assert result.stderr < 0.0007


@pytest.mark.parametrize(
    "options",
    [
        {"decks": "infinite", "surrender": "late"},
        {"decks": 1, "surrender": "late", "hole_card": "no-peek", "resplit_aces": True},
        {
            "decks": 1,
            "surrender": "early",
            "soft17": "hit",
            "hit_split_aces": True,
            "double_split_aces": True,
        },
        {"decks": 2, "hole_card": "no-peek-original-bet", "split_hands": 8, "resplit_aces": True},
        {"decks": 1, "charlie": 5, "split_hands": 3},
        {"decks": 1, "natural_beats_21": False, "natural_pays": "1:1", "double": "10-11"},
    ],
    ids=str,
)
def test_wild_charts_earn_their_exact_value_too(options: dict[str, Any]) -> None:
    rules = BlackjackRules.create({"shuffle": "continuous", **options})
    table = random_chart(random.Random(str(options)))
    result = simulate(rules, table, rounds=1_500_000, seed=12)
    assert abs(result.value - chart_value(rules, table)) < 4 * result.stderr


@pytest.mark.parametrize("preset", [name for name in PRESETS if not is_other_game(rules_of(name))])
@pytest.mark.parametrize("shuffle", ["shoe", "continuous"])
def test_the_fast_kernel_counts_what_the_general_one_counts(preset: str, shuffle: str) -> None:
    rules = rules_of(preset, shuffle=shuffle)
    fast = TablePlay(Seating(rules, TABLE), 3, Length(rounds=1))
    assert is_simple(fast.seating)
    slow = dataclasses.replace(fast, uses_automaton=False)
    assert counts_of(fast.play(5, 20_000, 10**9)) == counts_of(slow.play(5, 20_000, 10**9))
    assert counts_of(fast.play(6, 10**9, 300)) == counts_of(slow.play(6, 10**9, 300))


def test_the_fast_kernel_counts_what_the_general_one_counts_for_wild_charts_and_full_shoes() -> None:
    chance = random.Random(4)
    compared = 0
    for number in range(40):
        rules = next(rule_sets(f"wild {number}", **USUAL))
        seating = Seating(rules, random_chart(chance))
        if is_simple(seating):
            fast = TablePlay(seating, number, Length(rounds=1))
            slow = dataclasses.replace(fast, uses_automaton=False)
            assert counts_of(fast.play(0, 3000, 10**9)) == counts_of(slow.play(0, 3000, 10**9)), rules
            compared += 1
    assert compared > 15


@pytest.mark.parametrize(
    ("options", "how"),
    [
        ({"surrender": "late"}, {}),
        ({"decks": 2, "hole_card": "no-peek"}, {"rounding": "nearest", "estimate": 26, "insurance_at": None}),
        ({"decks": 1}, {"rounding": "truncate", "estimate": 52}),
        ({"penetration": 0.9}, {"is_true": False, "initial": -20, "ramp_start": -3}),
    ],
    ids=str,
)
def test_the_fast_kernel_counts_what_the_general_one_counts_with_a_count(
    options: dict[str, Any], how: dict[str, Any]
) -> None:
    indices = {
        "16": (0, "S"),
        "12": (2, "S"),
        "15": (-1, "R"),
        "11": (1, "H"),
        "8,8": (2, "S"),
        "soft 18": (-2, "H"),
    }
    deviations = [
        Deviation(row, up, index, Code(code))
        for row, (index, code) in indices.items()
        for up in ("3", "T", "A")
    ]
    deviations.append(Deviation("16", "T", 3, Code.HIT))
    play = CountedPlay(HI_LO, ramp=(1, 2, 4, 8), insurance_at=1, deviations=tuple(deviations))
    seating = Seating(BlackjackRules.create(options), TABLE, play=dataclasses.replace(play, **how))
    assert is_simple(seating)
    fast = TablePlay(seating, 3, Length(rounds=1))
    slow = dataclasses.replace(fast, uses_automaton=False)
    assert counts_of(fast.play(5, 20_000, 10**9)) == counts_of(slow.play(5, 20_000, 10**9))
    assert counts_of(fast.play(6, 10**9, 100)) == counts_of(slow.play(6, 10**9, 100))


@pytest.mark.parametrize(
    ("seats", "play"), [(1, FLAT), (3, CountedPlay(tags=HI_LO, ramp=(1, 2, 4), insurance_at=3))]
)
def test_a_seed_gives_the_same_counts_on_any_number_of_workers(seats: int, play: CountedPlay) -> None:
    rules = BlackjackRules()
    rounds = 2 * BLOCK_ROUNDS + 1000 if seats == 1 else BLOCK_ROUNDS + 1000

    def played(workers: int) -> SimulationResult:
        return simulate(rules, TABLE, rounds=rounds, seed=7, seats=seats, play=play, workers=workers)

    alone = played(1)
    assert alone.rounds == rounds
    assert alone == played(2)
    assert alone.value != simulate(rules, TABLE, rounds=rounds, seed=8, seats=seats, play=play).value


def test_worker_processes_count_the_same() -> None:
    seating = Seating(BlackjackRules(decks=1), TABLE)
    with open_executor(2) as executor:
        elsewhere = simulate(seating.rules, TABLE, rounds=BLOCK_ROUNDS + 1, seed=7, executor=executor)
    assert elsewhere == simulate(seating.rules, TABLE, rounds=BLOCK_ROUNDS + 1, seed=7, workers=1)


def test_so_many_shoes_are_played_to_their_cut_card() -> None:
    result = simulate(BlackjackRules(), TABLE, shoes=20_000, seed=1)
    assert result.shoes == 20_000
    assert result.rounds_per_shoe == result.rounds / 20_000
    assert 42 < result.rounds_per_shoe < 44
    assert result.cards_per_round is not None
    assert 5.3 < result.cards_per_round < 5.6


def test_play_stops_when_the_standard_error_is_small_enough() -> None:
    result = simulate(BlackjackRules(), TABLE, target_stderr=0.0009, seed=1)
    assert result.stderr <= 0.0009
    assert result.rounds % BLOCK_ROUNDS == 0
    before = simulate(BlackjackRules(), TABLE, rounds=result.rounds - BLOCK_ROUNDS, seed=1)
    assert before.stderr > 0.0009


def test_a_saved_tally_is_read_back_to_the_last_digit() -> None:
    play = CountedPlay(tags=HI_LO, ramp=(1, 3), deviations=(Deviation("16", "T", 0, Code.STAND),))
    work = TablePlay(Seating(BlackjackRules(natural_pays="6:5"), TABLE, 2, play), 1, Length(rounds=5000))
    tally = work(0)
    assert counts_of(Tally.from_state(json.loads(json.dumps(tally.to_state())))) == counts_of(tally)


def test_parts_add_up() -> None:
    result = simulate(BlackjackRules(surrender="late"), TABLE, rounds=300_000, seed=2)
    for parts in (result.cells, result.moves):
        assert sum(part.count for part in parts.values()) == 300_000
        assert sum(part.share * part.mean for part in parts.values()) == pytest.approx(
            result.value, abs=1e-12
        )
    hands = sum(part.count for part in result.outcomes.values())
    assert hands == round(result.hands * 300_000)
    won = sum(part.count * part.mean for part in result.outcomes.values())
    assert won / 300_000 == pytest.approx(result.value, abs=1e-12)
    assert result.moves[Move.SURRENDER].mean == -0.5
    assert result.outcomes[Outcome.SURRENDER].mean == -0.5
    assert result.outcomes[Outcome.NATURAL].mean == 1.5
    lines = result.cells_csv().splitlines()
    assert lines[0] == "hand,up_card,rounds,share,mean,stderr"
    assert len(lines) == 1 + len(result.cells)


def test_cells_come_as_often_as_the_cards_say() -> None:
    result = simulate(BlackjackRules(shuffle="continuous"), TABLE, rounds=2_000_000, seed=3)
    cards = 312
    chance = (24 * 23 / (cards * (cards - 1))) * (24 / (cards - 2))  # two eights against a seven
    cell = result.cells["8,8", "7"]
    assert abs(cell.share - chance) < 4 * math.sqrt(chance / 2_000_000)


def test_the_error_of_one_seat_and_flat_bets_is_that_of_independent_rounds() -> None:
    result = simulate(BlackjackRules(shuffle="continuous"), TABLE, rounds=500_000, seed=3)
    assert result.stderr == pytest.approx(result.std / math.sqrt(500_000), rel=1e-4)


def test_seats_that_share_a_dealer_know_less_than_as_many_rounds() -> None:
    result = simulate(BlackjackRules(shuffle="continuous"), TABLE, rounds=100_000, seats=5, seed=3)
    assert result.stderr > 1.2 * result.std / math.sqrt(500_000)
    alone = simulate(BlackjackRules(shuffle="continuous"), TABLE, rounds=2_000_000, seed=3)
    assert abs(result.value - alone.value) < 4 * math.hypot(result.stderr, alone.stderr)


def test_insurance_costs_what_the_cards_say() -> None:
    rules = BlackjackRules(shuffle="continuous")
    plain = simulate(rules, TABLE, rounds=400_000, seed=5, play=CountedPlay(ramp=(2,)))
    insured = simulate(rules, TABLE, rounds=400_000, seed=5, play=CountedPlay(ramp=(2,), insurance_at=ALWAYS))
    expected = (1 / 13) * 0.5 * (3 * 96 / 311 - 1)
    error = 0.5 * math.sqrt(9 * 0.31 * 0.69 / 13 / 400_000)
    assert abs(insured.value - plain.value - expected) < 4 * error
    assert insured.insurance == pytest.approx(1 / 13, abs=0.002)
    assert insured.mean_bet == 2


def test_a_count_with_a_bet_spread_beats_flat_bets() -> None:
    rules = BlackjackRules(decks=2, penetration=0.8)
    spread = CountedPlay(tags=HI_LO, ramp=(1, 2, 4, 8, 12), ramp_start=0, insurance_at=3)
    counted = simulate(rules, TABLE, rounds=1_000_000, seed=6, play=spread)
    flat = simulate(rules, TABLE, rounds=1_000_000, seed=6)
    assert counted.value > flat.value + 4 * math.hypot(counted.stderr, flat.stderr)
    assert counted.mean_bet > 1.5


def test_side_bets_earn_what_combinatorics_say() -> None:
    rules = BlackjackRules(shuffle="continuous")
    result = simulate(rules, TABLE, rounds=500_000, seats=2, seed=4, counts_side_bets=True)
    pairs = result.side_bets["perfect pairs"]
    perfect, coloured, mixed = 5 / 311, 6 / 311, 12 / 311
    exact = 25 * perfect + 12 * coloured + 6 * mixed - (1 - perfect - coloured - mixed)
    assert abs(pairs.value - exact) < 4 * pairs.stderr * math.sqrt(2)
    assert pairs.kinds["perfect pair"] == pytest.approx(perfect, rel=0.05)
    trips = result.side_bets["21+3"].kinds
    assert trips["suited trips"] == pytest.approx((5 / 311) * (4 / 310), rel=0.5)
    assert trips["flush"] > trips["straight"] > trips["three of a kind"] > trips["straight flush"]
    assert simulate(rules, TABLE, rounds=1000, seed=4).side_bets == {}


def test_a_cut_card_costs_the_player_of_a_single_deck() -> None:
    shoe = simulate(rules_of("single-deck-6to5"), TABLE, rounds=30_000_000, seed=9)
    exact = chart_value(shoe.seating.rules, TABLE)
    assert shoe.value < exact - 4 * shoe.stderr


@pytest.mark.parametrize("shuffle", ["shoe", "continuous"])
def test_charts_in_a_pair_see_the_same_cards(shuffle: str) -> None:
    """Hands that both charts play alike end alike: the difference comes from the cells that differ, and no others."""
    rules = BlackjackRules.create({"shuffle": shuffle, "surrender": "late"})
    other = TABLE.replace({("11", "A"): Code.DOUBLE, ("T,T", "6"): Code.SPLIT})
    length: dict[str, Any] = {"rounds": 50_000} if shuffle == "continuous" else {"shoes": 1000}
    one = simulate(rules, TABLE, seed=3, is_paired=True, **length)
    two = simulate(rules, other, seed=3, is_paired=True, **length)
    assert one.value != two.value
    if shuffle == "continuous":
        differing = {cell for cell in one.cells if one.cells[cell] != two.cells[cell]}
        assert differing == {("11", "A"), ("T,T", "6"), ("8,8", "A")}  # split eights come to 11 too


def test_a_round_that_needs_more_cards_than_there_are_is_refused() -> None:
    rules = BlackjackRules(decks=1, shuffle="continuous")
    cells = [(row, up) for row in ROWS for up in UP_CARDS]
    greedy = Chart.from_cells({cell: Code.SPLIT if cell[0] in PAIR_ROWS else Code.HIT for cell in cells})
    with pytest.raises(InputError, match="7 seats: a round has asked for more cards than 1 decks hold"):
        simulate(rules, greedy, rounds=100_000, seats=7, seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds = 0: at least 1 round"),
        ({"shoes": 0}, "shoes = 0: at least 1 shoe"),
        ({"target_stderr": 0.0}, "target standard error = 0.0: it must be above 0"),
        ({}, "name one of rounds, shoes and target standard error"),
        ({"rounds": 1, "shoes": 1}, "name one of rounds, shoes and target standard error"),
        ({"rounds": 1, "seats": 8}, "seats = 8: a table seats 1 to 7"),
        ({"rounds": 1, "seed": -1}, "seed = -1: a seed is a whole number from 0"),
        ({"rounds": 1, "workers": 0}, "workers = 0: at least 1 worker"),
    ],
)
def test_impossible_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate(BlackjackRules(), TABLE, **({"seed": 1} | options))


def test_advice_without_a_second_choice_is_refused_before_the_first_card() -> None:
    table = TABLE.replace({("16", "T"): Code.SPLIT})
    with pytest.raises(ChartError, match="row '16' against T: P on a total names no second choice"):
        simulate(BlackjackRules(), table, rounds=10, seed=1)


def test_impossible_advice_is_played_by_its_second_choice_never_as_a_hit() -> None:
    rules = BlackjackRules(double="none", shuffle="continuous")
    stands = Chart.uniform(Code.DOUBLE_OR_STAND)
    plain = Chart.uniform(Code.STAND)
    resolved = simulate(rules, stands, rounds=50_000, seed=1)
    assert resolved.value == simulate(rules, plain, rounds=50_000, seed=1).value
    assert Move.HIT not in resolved.moves
    assert Move.DOUBLE not in resolved.moves


def test_nothing_grows_with_the_number_of_rounds() -> None:
    work = TablePlay(Seating(BlackjackRules(), TABLE), 1, Length(rounds=1))
    few, many = (work.play(0, rounds, 10**9) for rounds in (1_000, 100_000))
    sizes = [
        sum(getattr(tally, entry.name).nbytes for entry in dataclasses.fields(tally)) for tally in (few, many)
    ]
    assert sizes[0] == sizes[1]


def test_the_error_of_a_single_shoe_falls_back_to_its_rounds() -> None:
    tally = TablePlay(Seating(BlackjackRules(), TABLE), 1, Length(shoes=1))(0)
    assert tally.spreads[table_kernel.SHOES] == 1
    result = result_of(tally, Seating(BlackjackRules(), TABLE), 1, 1.0)
    assert result.stderr == pytest.approx(result.std / math.sqrt(result.rounds))
    assert np.isfinite(result.stderr)
