"""Put figures of card counters that others have printed beside our own: variances, win rates, SCOREs and systems.

A plain loop that plays like one of the other simulators shows why its figures differ.

    .venv/bin/python -m benchmarks.blackjack_published [--quick] [--json FILE]

Every line says what was printed and where. Agreement does not depend on the machine; where a figure differs, docs/methods/blackjack.md says
why.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.plain_counter import Habits, play_counter
from benchmarks.report import Report, argument_parser
from croupier import blackjack
from croupier.blackjack.counting.answers import Answer, Figure
from croupier.blackjack.counting.profile_runs import profile_plan

#: M. Shackleford, Variance in blackjack (wizardofodds.com/games/blackjack/appendix/4/): the rules, and variance and covariance.
VARIANCES: tuple[tuple[dict[str, Any], float, float], ...] = (
    ({"surrender": "late", "resplit_aces": True}, 1.303, 0.479),
    ({"double_after_split": False}, 1.295, 0.478),
    ({"soft17": "hit", "surrender": "late", "resplit_aces": True}, 1.312, 0.487),
    ({"soft17": "hit", "double_after_split": False}, 1.308, 0.488),
    ({"soft17": "hit"}, 1.346, 0.499),
    ({"soft17": "hit", "double_after_split": False, "surrender": "late"}, 1.272, 0.475),
    ({"soft17": "hit", "double_after_split": False, "resplit_aces": True}, 1.311, 0.488),
    ({"decks": 8, "soft17": "hit", "double_after_split": False}, 1.309, 0.489),
    ({"decks": 2, "soft17": "hit"}, 1.341, 0.495),
)


@dataclass(frozen=True)
class PrintedBets:
    """Bets by count, and what a simulator says of them: units won in 100 rounds, and the standard deviation of a round."""

    name: str
    ramp: str
    per_100: float
    deviation: float

    @property
    def score(self) -> float:
        """Its SCORE with these bets."""
        return (10 * self.per_100 / self.deviation) ** 2


#: github.com/nacharya114/blackjack-sim, results/betspread_pen75.json and betspread_pen83.json: six decks, the dealer stands on soft 17, double
#: after split, no surrender, everything played; 100 million rounds each. The key is the part of the shoe that is dealt.
SPREADS = {
    0.75: (
        PrintedBets("1", "1:1", -0.381, 1.157),
        PrintedBets("1 to 2", "1:1,3:2", -0.212, 1.289),
        PrintedBets("1 to 4", "1:1,2:2,4:3,5:4", 0.039, 1.565),
        PrintedBets("1 to 6", "1:1,2:2,3:4,4:5,5:6", 0.379, 2.029),
        PrintedBets("1 to 8", "1:1,2:3,3:4,4:6,5:8", 0.630, 2.401),
    ),
}

#: The same, results/betspread_opt_pen75.json and betspread_opt_pen85.json: late surrender, nothing bet below -1; 60 million rounds each.
SITTING_OUT = {
    0.75: (
        PrintedBets("1 to 12, steep", "-2:0,-1:1,2:9,3:11,4:12", 2.758, 4.627),
        PrintedBets("1 to 12", "-2:0,-1:1,2:4,3:6,4:9,5:12", 2.001, 3.232),
        PrintedBets("1 to 20, steep", "-2:0,-1:1,2:15,3:18,4:20", 4.63, 7.59),
        PrintedBets("1 to 20", "-2:0,-1:1,2:5,3:9,4:12,5:16,6:20", 2.95, 4.58),
        PrintedBets("1 to 40, steep", "-2:0,-1:1,2:31,3:36,4:40", 9.39, 15.27),
        PrintedBets("1 to 40", "-2:0,-1:1,2:9,3:17,4:24,5:32,6:40", 5.84, 8.85),
    ),
    0.85: (
        PrintedBets("1 to 12, steep", "-2:0,-1:1,2:9,3:11,4:12", 3.781, 5.054),
        PrintedBets("1 to 12", "-2:0,-1:1,2:3,3:5,4:8,5:10,6:12", 2.677, 3.377),
    ),
}


#: What the player of these tables leaves out, by the source of the simulator (blackjack/_fastsim.pyx): after a natural of the player the
#: dealer's closed card is never counted; insurance goes by the count before the deal; index plays are made with two cards only; tens are
#: not split; surrenders do not follow the count.
THEIR_HABITS = Habits(
    sees_all_cards=False, exact_count=False, long_hands=False, splits_tens=False, surrenders_by_count=False
)


def two_places(rules: blackjack.Rules, chart: blackjack.Chart, rounds: int) -> tuple[Figure, Figure]:
    """Return the variance of a place and the covariance of two that play by a chart, one unit each."""
    plan = profile_plan(rules, indices="none", spots=2, rounds=rounds, seed=1)
    table = replace(plan, strategy=replace(plan.strategy, chart=chart)).run()
    (one, one_error), (both, both_error) = (
        (std.value**2, 2 * std.value * (std.stderr or 0.0))
        for std in (table.answer("0:1").std, table.answer("0:1", spots=2).std)
    )
    return Figure(one, one_error), Figure((both - 2 * one) / 2, math.hypot(both_error / 2, one_error))


def printed_chart(rules: blackjack.Rules) -> blackjack.Chart:
    """Return the chart that the printed variances belong to: that of six decks with double after split, and a 16 that cannot be given up is hit.

    The best chart splits less where split hands may not be doubled, and stands with a 16 of three cards against a ten.
    """
    common = blackjack.Rules(soft17=rules.soft17, surrender=rules.surrender)
    best = blackjack.analyse(common).chart
    return best if rules.surrender == "none" else best.replace({("16", "T"): "R"})


def measure_variances(report: Report, rounds: int) -> None:
    """Variance of one place and covariance of two."""
    for options, variance, covariance in VARIANCES:
        rules = blackjack.Rules(**options)
        ours = two_places(rules, printed_chart(rules), rounds)
        group = ", ".join(f"{name}={value}" for name, value in options.items())
        for what, figure, printed in zip(
            ("variance", "covariance"), ours, (variance, covariance), strict=True
        ):
            report.add(group, what, figure.value, "figure", f"{printed}", f"± {figure.stderr:.4f}")


def _add_bets(report: Report, group: str, printed: PrintedBets, ours: Answer) -> None:
    report.add(
        group,
        f"{printed.name}, won",
        ours.win_per_100.value,
        "per 100",
        f"{printed.per_100:+.2f}",
        f"± {ours.win_per_100.stderr:.3f}",
    )
    report.add(group, f"{printed.name}, deviation", ours.std.value, "figure", f"{printed.deviation}")
    if printed.per_100 > 0:
        report.add(
            group,
            f"{printed.name}, SCORE of these bets",
            ours.c_score.value,
            "SCORE",
            f"{printed.score:.1f}",
            f"± {ours.c_score.stderr:.1f}",
        )


def measure_bets(report: Report, rounds: int) -> None:
    """Win rates, deviations and SCOREs of printed bets."""
    for group, surrender, tables in (
        ("everything played", "none", SPREADS),
        ("late surrender, nothing below -1", "late", SITTING_OUT),
    ):
        deepest = max(tables)
        rules = blackjack.Rules(decks=6, surrender=surrender, penetration=deepest)
        table = blackjack.profile(rules, indices="illustrious", rounds=rounds, seed=1)
        for penetration, lines in tables.items():
            asked = {} if penetration == deepest else {"penetration": penetration}
            for printed in lines:
                name = f"{group}, {penetration:.0%} dealt"
                _add_bets(report, name, printed, table.answer(printed.ramp, **asked))


def measure_habits(report: Report, rounds: int) -> None:
    """Play some of these bets in a plain loop, as the other simulator does and as ours does."""
    for is_late, penetration, printed in (
        (False, 0.75, SPREADS[0.75][-1]),
        (True, 0.75, SITTING_OUT[0.75][1]),
        (True, 0.85, SITTING_OUT[0.85][1]),
    ):
        group = (
            f"a plain loop, {printed.name}{', late surrender' if is_late else ''}, {penetration:.0%} dealt"
        )
        for habits, who, goal in ((THEIR_HABITS, "theirs", printed), (Habits(), "ours", None)):
            mean, deviation = play_counter(
                printed.ramp, is_late=is_late, penetration=penetration, rounds=rounds, seed=1, habits=habits
            )
            error = 100 * deviation / math.sqrt(rounds)
            score = (1000 * mean / deviation) ** 2
            report.add(
                group,
                f"won, habits {who}",
                100 * mean,
                "per 100",
                f"{goal.per_100:+.2f}" if goal else "",
                f"± {error:.3f}",
            )
            report.add(
                group, f"deviation, habits {who}", deviation, "figure", f"{goal.deviation}" if goal else ""
            )
            report.add(
                group,
                f"SCORE of these bets, habits {who}",
                score,
                "SCORE",
                f"{goal.score:.1f}" if goal else "",
                f"± {2 * score * error / abs(100 * mean):.1f}",
            )


def measure_systems(report: Report, shoes: int) -> None:
    """KO beside Hi-Lo (qfit.com/High-Low-KO.htm), and a count of level two beside Hi-Lo (qfit.com/book/ModernBlackjackPage102.htm)."""
    felt = blackjack.CountingSystem("felt", (1, 2, 2, 2, 2, 1, 0, 0, -2, -2))
    for decks_dealt, ko in ((4.5, "100.8 %"), (5.0, "100.4 %")):
        rules = blackjack.Rules(decks=6, penetration=decks_dealt / 6)
        found = blackjack.compare_systems(
            rules, ["hi-lo", "ko", felt], indices="illustrious", estimate=26, spread=15, shoes=shoes, seed=1
        )
        hi_lo, *others = found.systems
        score = hi_lo.answer.score.value
        group = f"1 to 15, {decks_dealt:g} of 6 decks"
        report.add(group, "Hi-Lo", score, "SCORE", note=f"± {hi_lo.answer.score.stderr:.1f}")
        for system, printed in zip(others, (ko, "107 to 112 %"), strict=True):
            part = 100 * (1 + system.score_difference.value / score)
            error = 100 * (system.score_difference.stderr or 0.0) / score
            report.add(
                group, f"{system.system.name}, per cent of Hi-Lo's", part, "SCORE", printed, f"± {error:.1f}"
            )


def main() -> None:
    """Measure everything and print the report."""
    parser = argument_parser("Put printed figures beside our own.", "a hundredth of the rounds")
    arguments = parser.parse_args()
    part = 100 if arguments.quick else 1
    report = Report("Published figures")
    with report.console.status("variances"):
        measure_variances(report, 20_000_000 // part)
    with report.console.status("bets"):
        measure_bets(report, 200_000_000 // part)
    with report.console.status("a plain loop"):
        measure_habits(report, 60_000_000 // part)
    with report.console.status("systems"):
        measure_systems(report, 2_000_000 // part)
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
