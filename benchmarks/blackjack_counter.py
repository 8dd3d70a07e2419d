"""Measure count profiles: how fast they are made and answer, and how well the answers agree with bets that are really played.

    .venv/bin/python -m benchmarks.blackjack_counter [--quick] [--rival] [--memory] [--json FILE]

Agreement is in standard errors and does not depend on the machine; times do. See ``benchmarks/README.md``.
"""

import json
import math
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.report import Report, argument_parser, run_child
from croupier import blackjack
from croupier.blackjack.counting.answers import Figure

RULES = blackjack.Rules(decks=2)

#: The simulator of M. Hluska, from npm.
RIVAL = "@blackjacktrainer/blackjack-simulator@0.34.0"

#: Plays so many hands with it; its package expects a browser's name for the world. Strategy 2 is basic strategy with the Illustrious 18.
RIVAL_PROGRAM = """
globalThis.self = globalThis;
const { Simulator } = require('@blackjacktrainer/blackjack-simulator');
const simulator = new Simulator({
  hands: Number(process.argv[1]), playerStrategy: 2, playerBetSpread: [1000, 2000, 4000, 8000], minimumBet: 1000,
  allowLateSurrender: false, allowDoubleAfterSplit: true, deckCount: 6, hitSoft17: false, penetration: 0.75,
});
const before = process.cpuUsage();
const result = simulator.run();
const used = process.cpuUsage(before);
console.log(JSON.stringify({ processor: (used.user + used.system) / 1e6, ...result }));
"""


def random_question(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Draw bets, places, entries, exits, a cut card and a bankroll."""
    lowest, middle, highest = chance.choice((0, 1)), chance.randint(2, 4), chance.randint(5, 16)
    asked: dict[str, Any] = {
        "spots": chance.choice((1, 2, "1:1,2:2")),
        "bankroll": chance.choice((500, 2000, 10_000)),
        "hours": chance.choice((None, 10, 40)),
        "goal": chance.choice((None, 200, 1000)),
    }
    way = chance.randrange(4)
    if way == 1:
        asked |= {"enter": chance.choice((1, 2, 3)), "leave": chance.choice((-3, -2, -1, 0))}
    elif way == 2:
        asked |= {"enter": chance.choice((1, 2)), "leave": chance.choice((-2, -1)), "returns": False}
    elif way == 3:
        asked |= {"leave": chance.choice((-3, -2, -1)), "returns": False, "penetration": 0.5}
    return f"0:{lowest},1:{middle},2:{highest}", asked


def measure_profile(report: Report, rounds: int) -> blackjack.CountProfile:
    """Record a profile; measure its time, on the clock and on all processors, and the memory of the program so far."""
    started, used = time.perf_counter(), time.process_time()
    table = blackjack.profile(RULES, indices="none", spots=2, rounds=rounds, seed=1)
    name = f"{rounds:,} rounds, two places"
    report.add(name, "clock", time.perf_counter() - started, "s", "minutes")
    report.add(name, "processor", time.process_time() - used, "s")
    report.add(name, "most memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", "flat")
    return table


def measure_questions(report: Report, table: blackjack.CountProfile, questions: int) -> None:
    """Measure how long answers take, on the clock and on the processor."""
    chance = random.Random(1)
    clock, processor = [], []
    for number in range(questions):
        bets, asked = random_question(chance)
        started, used = time.perf_counter(), time.process_time()
        if number % 2:
            table.answer(bets, **asked)
        else:
            table.bets(spread=chance.randint(2, 20), **asked)
        clock.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    for name, times in (("clock", clock), ("processor", processor)):
        times.sort()
        report.add("questions", f"median, {name}", 1000 * times[questions // 2], "ms", "under 20")
        report.add("questions", f"99 %, {name}", 1000 * times[questions * 99 // 100], "ms", "under 100")


def _apart(one: Figure, other: Figure) -> float:
    """Return how many standard errors two figures are apart."""
    return abs(one.value - other.value) / math.hypot(one.stderr or 0.0, other.stderr or 0.0)


def measure_settings(report: Report, table: blackjack.CountProfile, settings: int, rounds: int) -> None:
    """Compare answers with bets that are played with other cards."""
    chance = random.Random(2)
    means, deviations = [], []
    for number in range(settings):
        bets, asked = random_question(chance)
        answer, played = (
            table.answer(bets, **asked),
            table.play(bets, rounds=rounds, seed=1000 + number, **asked),
        )
        means.append(_apart(answer.win_rate, played.win_rate))
        deviations.append(_apart(answer.std, played.std))
    note = f"{settings} random settings, {rounds:,} rounds each"
    report.add("arithmetic and play", "win rate, furthest apart", max(means), "errors", "under 3", note)
    report.add("arithmetic and play", "deviation, furthest apart", max(deviations), "errors", "under 3", note)


def measure_memory(report: Report, rounds: int) -> None:
    """Record profiles of more and more rounds, each in a process of its own, and measure the most memory of each."""
    for length in (rounds // 100, rounds // 10, rounds):
        program = (
            "from croupier import blackjack; "
            f"blackjack.profile(blackjack.Rules(decks=6), indices='none', rounds={length}, seed=1)"
        )
        _, megabytes = run_child([sys.executable, "-c", program])
        report.add("memory", f"{length:,} rounds", megabytes, "MB", "flat")


def measure_rival(report: Report, hands: int) -> None:
    """Play the same game with mhluska's simulator: hands a second of processor time, and what they win.

    The package is installed into a temporary folder, and nothing of it is kept.
    """
    npm = shutil.which("npm")
    if npm is None:
        report.leave_out("mhluska's simulator", "npm is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([npm, "install", "--prefix", folder, RIVAL], check=True, capture_output=True)
        done = subprocess.run(
            ["node", "-e", RIVAL_PROGRAM, str(hands)], check=True, capture_output=True, cwd=folder, text=True
        )
    theirs = json.loads(done.stdout)
    wagered, earned = theirs["amountWagered"], theirs["amountEarned"]
    report.add(
        "Hi-Lo, six decks, 1 to 8, Illustrious 18",
        f"{RIVAL}, one processor",
        theirs["handsPlayed"] / theirs["processor"] / 1e3,
        "k hands/s",
        note=f"wins {earned / wagered:+.2%} of what it bets",
    )
    rules, ramp = blackjack.Rules(decks=6), "1:1,2:2,3:4,4:8"
    for stream in ("blocks", "lanes"):
        # The first rounds compile.
        blackjack.count(
            rules, ramp=ramp, indices="illustrious", rounds=1000, seed=1, workers=1, stream=stream
        )
        used = time.process_time()
        mine = blackjack.count(
            rules, ramp=ramp, indices="illustrious", rounds=10 * hands, seed=1, workers=1, stream=stream
        )
        spent = time.process_time() - used
        report.add(
            "Hi-Lo, six decks, 1 to 8, Illustrious 18",
            f"croupier, one processor, {stream}",
            mine.rounds / spent / 1e3,
            "k rounds/s",
            note=f"wins {mine.per_bet:+.2%} ± {mine.stderr / mine.mean_bet:.2%}",
        )


def main() -> None:
    """Measure everything and print the report."""
    parser = argument_parser("Measure count profiles.", "a thousandth of the rounds")
    parser.add_argument("--rounds", type=int, help="rounds of the profile; everything else in proportion")
    parser.add_argument(
        "--rival", action="store_true", help="only: speed beside mhluska's simulator, which npm installs"
    )
    parser.add_argument("--memory", action="store_true", help="only: memory by the number of rounds")
    arguments = parser.parse_args()
    rounds = arguments.rounds or (1_000_000 if arguments.quick else 10**9)
    played = max(rounds // 10, 200_000)
    report = Report("Count profiles")
    if arguments.memory or arguments.rival:
        if arguments.memory:
            measure_memory(report, rounds)
        if arguments.rival:
            measure_rival(report, max(rounds // 200, 100_000))
        report.print()
        if arguments.json is not None:
            report.write(arguments.json)
        return
    with report.console.status("recording a profile"):
        measure_profile(report, rounds // 10)
        table = measure_profile(report, rounds)
    with report.console.status("asking"):
        measure_questions(report, table, 1000)
    with report.console.status("playing bets"):
        measure_settings(report, table, 20, played)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
