"""Measure the blackjack simulator: one command, one report.

    .venv/bin/python -m benchmarks.blackjack_simulation [--quick] [--json FILE]

Speeds are rounds per second of processor time, the best of several runs, so that other work on the machine matters little. Speeds of
several workers are by wall time. Ratios are taken within the run. See ``benchmarks/README.md``.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.report import Report, argument_parser, run_child
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.simulation.chart_play import Deviation, plan_of
from croupier.blackjack.simulation.counted_play import CountedPlay
from croupier.blackjack.simulation.length import BLOCK_ROUNDS, Length
from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import OUTCOME_COUNT, RESULT, Integers, Setup, empty_records
from croupier.blackjack.simulation.shoe_kernel import Bytes, Shoe, open_shoe
from croupier.blackjack.simulation.simulator import TablePlay, block_stream, simulate
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of
from croupier.blackjack.solvers.chart import Chart, Code
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.numerics.compiled import compiled_lean
from croupier.numerics.random_kernels import Stream

SIX_DECKS = BlackjackRules()
HI_LO = CountedPlay(
    tags=(1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1),
    ramp=(1, 2, 4, 8, 12),
    insurance_at=3,
    deviations=(
        Deviation("16", "T", 0, Code.STAND),
        Deviation("15", "T", 4, Code.STAND),
        Deviation("12", "3", 2, Code.STAND),
        Deviation("12", "2", 3, Code.STAND),
    ),
)

_CROUPIER = str(Path(sys.executable).with_name("croupier"))
_NO_LIMIT = 2**62


@njit(nogil=True)
def plain_rounds(rounds: int, plan: NDArray[np.uint8], seed: int) -> float:
    """Play six decks in the simplest way: shuffle the shoe, deal, add up a hand whenever its total is needed.

    The game is that of the kernels: peek, naturals 3:2, up to four hands, one card to split aces. Return the total won.
    """
    np.random.seed(seed)
    shoe = np.array([[11, 10, 10, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2][place % 13] for place in range(312)])
    hands, counts, bets = np.zeros((5, 32), dtype=np.int64), np.zeros(5, dtype=np.int64), np.zeros(5)
    position, won = 312, 0.0
    for _ in range(rounds):
        if position >= 234:
            np.random.shuffle(shoe)
            position = 0
        hands[0, 0], hands[4, 0], hands[0, 1], hands[4, 1] = shoe[position : position + 4]
        counts[0], counts[4], bets[0] = 2, 2, 1.0
        position += 4
        own, house = _plain_total(hands[0], 2)[0], _plain_total(hands[4], 2)[0]
        if own == 21 or house == 21:
            won += 0.0 if own == house else (1.5 if own == 21 else -1.0)
            continue
        hand_count, position = _plain_player(shoe, position, hands, counts, bets, plan)
        while _plain_total(hands[4], counts[4])[0] < 17:
            hands[4, counts[4]] = shoe[position]
            counts[4] += 1
            position += 1
        house = _plain_total(hands[4], counts[4])[0]
        for place in range(hand_count):
            own = _plain_total(hands[place], counts[place])[0]
            if own > 21 or (house <= 21 and own < house):
                won -= bets[place]
            elif house > 21 or own > house:
                won += bets[place]
    return won


@njit(nogil=True)
def _plain_player(
    shoe: NDArray[np.int64],
    position: int,
    hands: NDArray[np.int64],
    counts: NDArray[np.int64],
    bets: NDArray[np.float64],
    plan: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play the player's hands; return their number, and the position in the shoe."""
    hand_count, place, up = 1, 0, hands[4, 0] - 2
    while place < hand_count:
        total, is_soft = _plain_total(hands[place], counts[place])
        is_split_ace = hand_count > 1 and hands[place, 0] == 11
        row, allowed = total - 4 + (10 if is_soft else 0), 8 if counts[place] > 2 else 12
        if counts[place] == 2 and hands[place, 0] == hands[place, 1]:
            row, allowed = 28 + hands[place, 0] - 2, 13 if hand_count < 4 else 12
        move = 1 if total >= 21 or is_split_ace else plan[allowed, row, up]
        if move == 6:
            move = plan[allowed, total - 4 + (10 if is_soft else 0), up]
        if move == 1:
            place += 1
        elif move == 4:
            hands[hand_count, 0], counts[hand_count], bets[hand_count] = hands[place, 1], 2, 1.0
            hands[place, 1], hands[hand_count, 1] = shoe[position], shoe[position + 1]
            hand_count, position = hand_count + 1, position + 2
        else:
            hands[place, counts[place]] = shoe[position]
            counts[place] += 1
            position += 1
            if move == 3:
                bets[place] = 2.0
                place += 1
    return hand_count, position


@njit(nogil=True)
def _plain_total(cards: NDArray[np.int64], count: int) -> tuple[int, bool]:
    total, aces = 0, 0
    for place in range(count):
        total += cards[place]
        aces += 1 if cards[place] == 11 else 0
    while total > 21 and aces > 0:
        total -= 10
        aces -= 1
    return total, aces > 0


def rate(task: Callable[[], object], rounds: int, repetitions: int) -> float:
    """Return rounds per second of processor time, the best of several runs."""
    best = float("inf")
    for _ in range(repetitions):
        started = time.process_time()
        task()
        best = min(best, time.process_time() - started)
    return rounds / best


def measure_speed(report: Report, table: Chart, repetitions: int) -> None:
    """Measure one core: the plain loop, the fast kernel, and the general kernel alone, with a count and with five seats."""
    seating = Seating(SIX_DECKS, table)
    plan = plan_of(table, SIX_DECKS)
    group = "one core, six decks, full basic strategy"
    plain_rounds(10, plan, 1)
    plain = rate(lambda: plain_rounds(BLOCK_ROUNDS, plan, 1), BLOCK_ROUNDS, repetitions)
    report.add(group, "plain Numba loop", plain, "rounds/s")

    def measure(what: str, work: TablePlay, rounds: int, goal: str = "") -> float:
        work.play(0, 1, 1)
        speed = rate(lambda: work.play(0, rounds, _NO_LIMIT), rounds, repetitions)
        note = "" if work.seating.seats == 1 else f"{speed * work.seating.seats:,.0f} player hands/s"
        return report.add(group, what, speed, "rounds/s", goal, note)

    work = TablePlay(seating, 1, Length(rounds=1))
    fast = measure("fast kernel", work, 4 * BLOCK_ROUNDS, "15 million, aim 25; Numba peer 8.7, C 4")
    report.add(group, "fast / plain", fast / plain, "×")
    continuous = SIX_DECKS.replaced({"shuffle": "continuous"})
    shuffled = replace(work, seating=replace(seating, rules=continuous))
    measure("fast kernel, continuous shuffle", shuffled, BLOCK_ROUNDS)
    measure("general kernel", replace(work, uses_automaton=False), BLOCK_ROUNDS)
    counted = replace(work, seating=replace(seating, play=HI_LO))
    measure("general kernel, Hi-Lo with indices", counted, BLOCK_ROUNDS)
    five = replace(work, seating=replace(seating, seats=5))
    measure("general kernel, five seats", five, BLOCK_ROUNDS // 2, "C++: 17 million player hands/s")


def measure_workers(report: Report, table: Chart, rounds: int) -> None:
    """Measure one and two workers by wall time, and the processor time per round.

    On a busy machine wall time says little; the processor time still shows whether the workers slow each other down.
    """
    group = "workers, six decks"
    simulate(SIX_DECKS, table, rounds=1, seed=1)
    wall, processor = {}, {}
    for workers in (1, 2):
        wall[workers], processor[workers] = 0.0, float("inf")
        for _ in range(3):
            started = time.process_time()
            result = simulate(SIX_DECKS, table, rounds=rounds, seed=1, workers=workers)
            processor[workers] = min(processor[workers], time.process_time() - started)
            wall[workers] = max(wall[workers], result.rounds_per_second)
        report.add(group, f"{workers} worker{'s' if workers > 1 else ''}", wall[workers], "rounds/s")
    report.add(group, "two / one", wall[2] / wall[1], "×", "close to 2", "by wall time")
    report.add(group, "two / one, processor time per round", processor[2] / processor[1], "×", "1")


def measure_memory(report: Report, croupier: str) -> None:
    """Measure the command's peak memory for few and for many rounds."""
    for rounds in (1_000_000, 100_000_000):
        command = [croupier, "blackjack", "simulate", "--rounds", str(rounds), "--seed", "1", "--json"]
        _, memory = run_child(command)
        report.add("memory", f"{rounds:,} rounds", memory, "MB", "flat")


def measure_exactness(report: Report, rounds: int) -> None:
    """Compare every preset, shuffled before every round, with the exact value of the same chart."""
    for preset in BLACKJACK.presets:
        rules = preset.rules.replaced({"shuffle": "continuous"})
        table = solve_total_dependent(rules).chart
        result = simulate(rules, table, rounds=rounds, seed=2024)
        exact = chart_value(rules, table)
        note = f"{result.value:+.5%} ± {result.stderr:.5%}, exact {exact:+.5%}"
        off = abs(result.value - exact) / result.stderr
        report.add(
            f"simulated − exact, {rounds:,} rounds", preset.name, off, "standard errors", "below 4", note
        )


def measure_cut_card(report: Report, six_deck_rounds: int) -> None:
    """Measure the cut-card effect: the shoe's value minus the exact value of a full shoe."""
    tables = {
        "six decks, 75 %": (SIX_DECKS, six_deck_rounds),
        "two decks, 75 %": (SIX_DECKS.replaced({"decks": 2}), six_deck_rounds // 4),
        "one deck, 50 %": (SIX_DECKS.replaced({"decks": 1, "penetration": 0.5}), six_deck_rounds // 8),
        "one deck, 75 %": (SIX_DECKS.replaced({"decks": 1}), six_deck_rounds // 8),
    }
    for name, (rules, rounds) in tables.items():
        best = solve_total_dependent(rules)
        result = simulate(rules, best.chart, rounds=rounds, seed=2024)
        effect = result.value - best.value
        note = f"{effect:+.4%} ± {result.stderr:.4%}; {result.rounds_per_shoe:.2f} rounds per shoe, {rounds:,} rounds"
        report.add("cut-card effect", name, abs(effect) / result.stderr, "standard errors", "", note)


@compiled_lean
def _play_five_rounds(
    shoes: int, cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, hands: Integers, waiting: Integers,
    outcomes: Integers, setup: Setup,
) -> tuple[int, int]:  # fmt: skip
    """Play exactly five rounds per shoe; return the sum of the results and of their squares."""
    won, squared = 0, 0
    for _ in range(shoes):
        open_shoe(shoe)
        for _ in range(5):
            play_round(cards, shoe, stream, seats, hands, waiting, outcomes, setup)
            won += seats[0, RESULT]
            squared += seats[0, RESULT] ** 2
    return won, squared


def measure_fixed_rounds(report: Report, shoes: int) -> None:
    """Measure one deck without a cut card: always five rounds per shoe."""
    rules = SIX_DECKS.replaced({"decks": 1})
    best = solve_total_dependent(rules)
    seating = Seating(rules, best.chart)
    cards, shoe = shoe_of(seating)
    won, squared = _play_five_rounds(
        shoes,
        cards,
        shoe,
        block_stream(1, 1),
        *empty_records(1),
        np.zeros((OUTCOME_COUNT, 2), dtype=np.int64),
        setup_of(seating),
    )
    rounds = 5 * shoes
    value = won / rounds / seating.scale
    error = ((squared / rounds / seating.scale**2 - value**2) / rounds) ** 0.5
    effect = value - best.value
    note = f"{effect:+.4%} ± {error:.4%}; 5 rounds per shoe, {rounds:,} rounds"
    report.add(
        "cut-card effect", "one deck, no cut card", abs(effect) / error, "standard errors", "below 4", note
    )


def main() -> None:
    """Measure everything and print the report."""
    arguments = argument_parser(
        "Measure the blackjack simulator.", "fewer rounds and repetitions"
    ).parse_args()
    is_quick = arguments.quick
    report = Report("Blackjack simulator")
    with report.console.status("computing the chart") as status:
        table = solve_total_dependent(SIX_DECKS).chart
        status.update("playing on one core")
        measure_speed(report, table, 3 if is_quick else 7)
        status.update("playing on two cores")
        measure_workers(report, table, 10_000_000 if is_quick else 100_000_000)
        status.update("playing in fresh processes")
        measure_memory(report, _CROUPIER)
        status.update("comparing with the exact values")
        measure_exactness(report, 5_000_000 if is_quick else 200_000_000)
        status.update("measuring the cut card")
        measure_cut_card(report, 20_000_000 if is_quick else 1_000_000_000)
        measure_fixed_rounds(report, 200_000 if is_quick else 16_000_000)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
