"""Measure the exact analysis of blackjack: one command, one report.

    .venv/bin/python -m benchmarks.blackjack [--quick] [--json FILE]

Times depend on the machine; ratios are taken within the run. See ``benchmarks/README.md``.
"""

import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.report import Report, argument_parser, best_time, run_child
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers.dealer_hands import (
    BUST,
    ENDINGS,
    NATURAL,
    TWENTY_TWO,
    dealer_trie,
    ending_probabilities,
)
from croupier.blackjack.solvers.exact import analyse
from croupier.blackjack.solvers.hands import CLASSES, HARD_POINTS
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.blackjack.solvers.variance import standard_deviation
from croupier.cards import ACE_CLASS, TEN_CLASS

#: The rules of published times: the best public exact program, in C++, takes 0.05 s for one deck and 0.15 s for six.
ONE_DECK = BlackjackRules(decks=1, double_after_split=False, split_hands=2)
SIX_DECKS = BlackjackRules(decks=6)

_CROUPIER = str(Path(sys.executable).with_name("croupier"))

#: The shoes for the dealer's endings.
_SHOES = 2000


def measure_analysis(report: Report, name: str, rules: BlackjackRules, goal: str, repetitions: int) -> None:
    """Measure the exact value of a game, its standard deviation and its best chart."""
    exact = analyse(rules)
    best = solve_total_dependent(rules)
    seconds = best_time(lambda: analyse(rules), repetitions)
    report.add(name, "composition-dependent", seconds, "s", goal, f"{exact.value:+.7%}")
    report.add(name, "standard deviation", best_time(lambda: standard_deviation(exact), repetitions), "s")
    chart = best_time(lambda: solve_total_dependent(rules), max(repetitions // 2, 1))
    report.add(name, "best chart (total-dependent)", chart, "s", "about 10 s", f"{best.value:+.7%}")


@cache
def _recursive_endings(shoe: tuple[int, ...], hand: tuple[int, ...]) -> tuple[float, ...]:
    """Compute the dealer's endings by plain recursion over the next card, as the baseline."""
    hard = sum(HARD_POINTS[point] for point in hand)
    total = hard + 10 * (ACE_CLASS in hand and hard <= 11)
    endings = [0.0] * ENDINGS
    if len(hand) == 2 and sorted(hand) == [TEN_CLASS, ACE_CLASS]:
        endings[NATURAL] = 1.0
    elif total > 21:
        endings[TWENTY_TWO if total == 22 else BUST] = 1.0
    elif total >= 17:
        endings[total - 17] = 1.0
    else:
        cards = sum(shoe)
        for point, count in enumerate(shoe):
            if count:
                rest = (*shoe[:point], count - 1, *shoe[point + 1 :])
                after = _recursive_endings(rest, tuple(sorted((*hand, point))))
                for place in range(ENDINGS):
                    endings[place] += count / cards * after[place]
    return tuple(endings)


def measure_dealer(report: Report) -> None:
    """Compare the trie kernel with the plain recursion, for up-card 6."""
    up_card = 4
    full = ShoeCounts.full(SIX_DECKS).classes
    full[up_card] -= 1
    source = np.random.default_rng(1)
    shoes = full - source.integers(0, 6, size=(_SHOES, CLASSES))
    trie = dealer_trie(up_card, hits_soft_17=False)
    out = np.empty((_SHOES, ENDINGS))
    ending_probabilities(shoes, 1.0, trie, out)
    kernel = best_time(lambda: ending_probabilities(shoes, 1.0, trie, out), 5) / _SHOES
    few = [tuple(int(count) for count in shoe) for shoe in shoes[:5]]

    def recursion() -> None:
        for place, shoe in enumerate(few):
            _recursive_endings.cache_clear()
            endings = _recursive_endings(shoe, (up_card,))
            assert np.allclose(endings, out[place], rtol=0, atol=1e-12)

    plain = best_time(recursion, 2) / len(few)
    group = "dealer's endings from a 6, one shoe"
    report.add(group, "plain recursion with a cache", plain, "s")
    report.add(group, "trie, 32 shoes at once", kernel, "s", note=f"{len(trie.depth)} nodes")
    report.add(group, "recursion / trie", plain / kernel, "×")


def measure_commands(report: Report, *, is_quick: bool) -> None:
    """Measure what a person waits for: new processes, imports included."""
    group = "cold start"
    commands = {
        "edge --json, six decks": ["edge", "--set", "decks=6", "--json"],
        "chart --json, six decks": ["chart", "--set", "decks=6", "--json"],
        "ev 8,8 T --json": ["ev", "8,8", "T", "--json"],
        "side-bets --json": ["side-bets", "--json"],
    }
    for name, words in commands.items():
        command = [_CROUPIER, "blackjack", *words]
        run_child(command)
        seconds, memory = run_child(command)
        report.add(group, name, seconds, "s", "under 5 s", f"{memory:.0f} MB")
    if is_quick:
        report.leave_out("a run without the Numba cache", "--quick")
        return
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = run_child([_CROUPIER, "blackjack", "edge", "--json"], NUMBA_CACHE_DIR=folder)
    report.add(group, "edge without the Numba cache", seconds, "s", note="the first run ever")


def main() -> None:
    """Measure everything and print the report."""
    arguments = argument_parser("Measure the exact analysis of blackjack.", "fewer repetitions").parse_args()
    repetitions = 3 if arguments.quick else 9
    report = Report("Blackjack")
    with report.console.status("analysing") as status:
        measure_analysis(report, "one deck", ONE_DECK, "under 0.1 s; C++ 0.05 s", repetitions)
        measure_analysis(report, "six decks", SIX_DECKS, "0.15 s, as C++", repetitions)
        if not arguments.quick:
            for preset in BLACKJACK.presets:
                status.update(f"analysing {preset.name}")
                measure_analysis(report, preset.name, preset.rules, "", 3)
        status.update("computing the dealer's endings")
        measure_dealer(report)
        status.update("starting fresh processes")
        measure_commands(report, is_quick=arguments.quick)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
