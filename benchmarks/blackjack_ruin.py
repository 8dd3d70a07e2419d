"""Measure risks of ruin: what the formulas say, and how often bankrolls are lost that are really played.

    .venv/bin/python -m benchmarks.blackjack_ruin [--quick] [--bankrolls N] [--seed N] [--json FILE]

Five games with a large win, so that a bankroll is decided in some thousand rounds. Each is asked for the risk of ruin for ever, in a trip,
before a goal, and with bets that follow the bankroll. Agreement is in standard errors and does not depend on the machine. A small error that all
risks share shows in the mean of the twenty deviations, and not in the largest of them; other seeds deal other cards to profiles and bankrolls.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from benchmarks.report import Report, argument_parser
from croupier import blackjack
from croupier.blackjack.counting.answers import Answer, Figure

#: "For ever" is until so many times variance / mean is won: who gets there is ruined later with a chance of e^-8.
FOR_EVER = 4.0

#: Rounds of a profile: a thousand for each bankroll, and not more than this.
MOST_ROUNDS = 300_000_000

#: With bets that follow it, a bankroll is played until it is halved or doubled.
FLOOR, GROWTH = 0.5, 2.0


@dataclass(frozen=True)
class Setting:
    """A game, bets and a bankroll."""

    name: str
    rules: blackjack.Rules
    bets: str
    bankroll: float
    goal: float
    hours: float
    system: str = "hi-lo"
    indices: Literal["all", "none"] = "all"
    spots: int = 1
    enter: int | None = None
    leave: int | None = None

    @property
    def presence(self) -> dict[str, Any]:
        """Places, coming and going."""
        return {"spots": self.spots, "enter": self.enter, "leave": self.leave}


SETTINGS = (
    Setting("one deck, 1 to 12", blackjack.Rules(decks=1), "0:1,1:4,2:8,3:12", 200, 150, 20),
    Setting(
        "two decks, early surrender, 1 to 12",
        blackjack.Rules(decks=2, surrender="early"),
        "0:1,1:6,2:12",
        250,
        250,
        30,
    ),
    Setting(
        "six decks, entered at 1, left at -1",
        blackjack.Rules(decks=6, surrender="early", penetration=0.83),
        "0:1,1:4,2:8",
        150,
        100,
        20,
        enter=1,
        leave=-1,
    ),
    Setting(
        "two decks, two places",
        blackjack.Rules(decks=2, surrender="early"),
        "0:1,1:4",
        150,
        200,
        10,
        indices="none",
        spots=2,
    ),
    Setting(
        "one deck, KO",
        blackjack.Rules(decks=1, surrender="early"),
        "-2:1,0:2,2:6",
        100,
        200,
        10,
        system="ko",
        indices="none",
    ),
)


@dataclass(frozen=True)
class Deviation:
    """What was computed, and what was played."""

    said: Figure
    seen: Figure

    @property
    def stderr(self) -> float:
        """The error of the difference."""
        return math.hypot(self.said.stderr or 0.0, self.seen.stderr or 0.0)

    @property
    def errors(self) -> float:
        """The difference in errors."""
        return (self.said.value - self.seen.value) / self.stderr

    @property
    def shared(self) -> float:
        """Which part of the error comes from the profile, and is the same for all risks of a game."""
        return (self.said.stderr or 0.0) / self.stderr


def mean_deviation(games: list[list[Deviation]]) -> Figure:
    """Return the mean of all deviations in errors, with its error. Risks of one game share the error of its profile."""
    number = sum(map(len, games))
    variance = sum(
        sum(found.shared for found in game) ** 2 + sum(1.0 - found.shared**2 for found in game)
        for game in games
    )
    mean = sum(found.errors for game in games for found in game) / number
    return Figure(mean, math.sqrt(variance) / number)


def _resized(answer: Answer) -> Figure:
    """Return the risk that a bankroll is halved before it is doubled, with its error through that of the win rate."""
    bankroll, win = answer.question.bankroll, answer.win_rate
    low, said, high = (
        replace(answer.risks, mean=win.value + move * (win.stderr or 0.0)).drawdown(bankroll, FLOOR, GROWTH)
        for move in (1, 0, -1)
    )
    return Figure(said, (high - low) / 2.0)


def measure(report: Report, setting: Setting, trips: int, rounds: int, seed: int = 1) -> list[Deviation]:
    """Compare the four risks of a setting with bankrolls that are played."""
    table = blackjack.profile(
        setting.rules,
        setting.system,
        indices=setting.indices,
        spots=setting.spots,
        rounds=rounds,
        seed=seed,
    )
    asked = setting.presence
    fixed = table.answer(
        setting.bets, bankroll=setting.bankroll, goal=setting.goal, hours=setting.hours, **asked
    )
    whole = fixed.std.value**2 / fixed.win_rate.value
    resized = table.answer(setting.bets, bankroll=2 * whole, floor=FLOOR, **asked)
    assert fixed.trip_ruin is not None
    assert fixed.goal_ruin is not None
    questions: list[tuple[str, Figure, float, dict[str, Any]]] = [
        ("for ever", fixed.ruin, setting.bankroll, {"goal": FOR_EVER * whole}),
        (f"{setting.hours:g} hours", fixed.trip_ruin, setting.bankroll, {"hours": setting.hours}),
        (f"before {setting.goal:g}", fixed.goal_ruin, setting.bankroll, {"goal": setting.goal}),
        (
            "halved before doubled, resized",
            _resized(resized),
            2 * whole,
            {"goal": (GROWTH - 1) * 2 * whole, "resize": 0.0, "floor": FLOOR},
        ),
    ]
    past, deviations = 0.0, []
    for number, (what, said, bankroll, end) in enumerate(questions):
        played = table.play_bankrolls(
            setting.bets, trips=trips, seed=10 * seed + 1990 + number, bankroll=bankroll, **end, **asked
        )
        seen = played.ruined
        if what == "for ever":
            past = played.overshoot or 0.0
        note = f"{said.value:.2%} ± {said.stderr or 0.0:.2%}; played {seen.value:.2%} ± {seen.stderr:.2%}"
        name = f"{setting.name}, bankroll {setting.bankroll:g}"
        deviations.append(Deviation(said, seen))
        report.add(name, what, deviations[-1].errors, "errors", "within 3", note)
    report.add(
        f"{setting.name}, bankroll {setting.bankroll:g}",
        "overshoot",
        fixed.overshoot,
        "units",
        note=f"played {past:.2f}",
    )
    return deviations


def main() -> None:
    """Measure everything and print the report."""
    parser = argument_parser("Measure risks of ruin.", "a hundredth of the bankrolls")
    parser.add_argument("--bankrolls", type=int, help="bankrolls of each risk")
    parser.add_argument("--seed", type=int, default=1, help="cards of profiles and bankrolls")
    arguments = parser.parse_args()
    trips = arguments.bankrolls or (1000 if arguments.quick else 100_000)
    report = Report(f"Ruin, {trips:,} bankrolls each, seed {arguments.seed}")
    games = []
    for setting in SETTINGS:
        with report.console.status(setting.name):
            games.append(measure(report, setting, trips, min(1000 * trips, MOST_ROUNDS), arguments.seed))
    errors, mean = [found.errors for game in games for found in game], mean_deviation(games)
    report.add("all twenty", "worst", max(errors, key=abs), "errors", "within 3")
    report.add(
        "all twenty",
        "mean",
        mean.value / (mean.stderr or 1.0),
        "errors",
        "within 3",
        f"{mean.value:+.2f} ± {mean.stderr:.2f} errors; {sum(error > 0 for error in errors)} of {len(errors)} too high",
    )
    report.print()
    if arguments.json is not None:
        report.write(arguments.json)


if __name__ == "__main__":
    main()
