"""What the Counter page shows of an answer: the headline, all figures with their errors, bets, curves and the table by count."""

from collections.abc import Sequence

from croupier.blackjack.counting.answers import Answer, BetLine, Figure
from croupier.texts import Phrase, figure, say
from croupier.web.models.counter_answers import SHOWN_RUIN, TripEnds, ruin_curve, trip_of, trust
from croupier.web.parts.chart import Line, draw_chart
from croupier.web.parts.drawing import draw
from croupier.web.parts.facts import fact

#: Counts of fewer rounds than this part of all are not shown.
_SHOWN_SHARE = 0.001

#: The curve of trips that are not ruined is at least so high, of the whole.
_LOWEST_CURVE = 0.05

#: How chances are written.
_CHANCES = (".1%", ".2%")

#: The figures of a comparison, and how each is written.
COMPARED: dict[str, str] = {
    "win_per_hour": "+,.2f",
    "win_per_100": "+,.2f",
    "std_per_hour": ",.1f",
    "score": ".2f",
    "n0": ",.0f",
    "ruin": ".2%",
    "trip_ruin": ".2%",
}


def with_error(value: Figure, style: str) -> str:
    """Write a figure with its error; that of a chance as a range where it would pass 0 or 100 %.

    >>> with_error(Figure(13.4, 1.3), "+,.2f"), with_error(Figure(0.1, None), ".1%")
    ('+13.40 ± 1.30', '10.0%')
    >>> with_error(Figure(1.0, 0.04), ".2%")
    '100.00% (96.00% to 100.00%)'
    """
    written = figure(value.value, style)
    if value.stderr is None:
        return written
    if style in _CHANCES and value.chance_range is not None:
        low, high = (figure(end, style) for end in value.chance_range)
        return say("counter.range", value=written, low=low, high=high)
    return say("counter.plus", value=written, error=figure(value.stderr, style.lstrip("+")))


def headline(answer: Answer) -> Phrase:
    """Say in a sentence what the bets come to."""
    win = answer.win_per_hour
    if win.stderr is None:
        return say("counter.headline_unknown", win=win.value)
    if win.value <= 0:
        return say("counter.headline_loses", win=win.value, error=win.stderr)
    return say(
        "counter.headline_wins",
        win=win.value,
        error=win.stderr,
        std=answer.std_per_hour.value,
        ruin=answer.ruin.value,
    )


def draw_answer(answer: Answer) -> None:
    """Draw the headline, how far to trust it, and the figures that matter most."""
    draw("p", headline(answer), "counter-headline", role="status", aria_live="polite", data_testid="headline")
    with draw("div", classes="facts wide-facts"):
        for name, text in _main_figures(answer).items():
            _fact(name, text)
    kind = trust(answer)
    win = answer.win_rate
    share = abs((win.stderr or 0.0) / win.value) if win.value else 0.0
    draw(
        "p",
        say(f"counter.trust_{kind}", rounds=answer.rounds, share=share),
        f"quiet small trust-{kind}",
        data_testid="trust",
    )


def _main_figures(answer: Answer) -> dict[str, str]:
    """Return the figures that matter most, by their names."""
    found = {
        "win_per_hour": with_error(answer.win_per_hour, "+,.2f"),
        "win_per_100": with_error(answer.win_per_100, "+,.2f"),
        "std_per_hour": with_error(answer.std_per_hour, ",.1f"),
        "score": with_error(answer.score, ".2f"),
        "n0": say("counter.fact.does_not_win") if answer.n0 is None else with_error(answer.n0, ",.0f"),
        "ruin": with_error(answer.ruin, ".2%"),
    }
    if answer.trip_ruin is not None:
        found["trip_ruin"] = with_error(answer.trip_ruin, ".2%")
    if answer.goal_ruin is not None:
        found["goal_ruin"] = with_error(answer.goal_ruin, ".2%")
    return found


def draw_more(answer: Answer) -> None:
    """Draw the figures that specialists ask for; on a phone all others too, of which its short answer has the risks only."""
    with draw("div", classes="facts narrow-facts"):
        for name, text in _main_figures(answer).items():
            fact(say(f"counter.fact.{name}"), text)
    with draw("div", classes="facts"):
        _fact("c_score", with_error(answer.c_score, ".2f"))
        _fact("di", with_error(answer.desirability_index, ".3f"))
        _fact("certainty", with_error(answer.certainty_equivalent, "+,.2f"))
        _fact("drawdown", with_error(answer.drawdown, ".1%"))
        _fact("mean_bet", with_error(answer.mean_bet, ",.2f"))
        _fact("played", with_error(answer.played, ".1%"))
    draw("p", say("counter.plus_minus"), "quiet small")
    draw("p", say("counter.terms"), "quiet small")


def _fact(name: str, text: str) -> None:
    fact(say(f"counter.fact.{name}"), text, f"fact-{name}")


def draw_bets(answer: Answer) -> None:
    """Draw the bets as columns, a count each."""
    lines = [line for line in answer.by_count if line.share >= _SHOWN_SHARE]
    # Counts below the first step all bet the same: a few of them are enough.
    first = next((place for place, line in enumerate(lines) if line.bet != lines[0].bet), 0)
    shown = lines[max(first - 3, 0) :]
    most = max((line.bet * line.places for line in shown), default=0.0) or 1.0
    with draw(
        "div",
        classes="bet-columns",
        role="img",
        aria_label=say("counter.curve.bets_label"),
        data_testid="bets",
    ):
        for line in shown:
            text = figure(line.bet, ",.4g")
            height = 100 * line.bet * line.places / most
            with draw("div", classes="bet-column"):
                with draw("div", classes="bet-space"):
                    shown_bet = (
                        say("counter.times", places=line.places, bet=text) if line.places > 1 else text
                    )
                    draw("span", shown_bet, "bet-text", style=f"bottom: {height:.1f}%")
                    look = "bet-bar good" if line.value > 0 else "bet-bar"
                    draw("span", classes=look, style=f"height: {height:.1f}%")
                draw("span", figure(line.count, "+d") if line.count else "0", "bet-count")


def draw_ruin(answer: Answer) -> None:
    """Draw the risk of ruin by bankroll, in per cent."""
    curve = ruin_curve(answer)

    def percent(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(bankroll, 100.0 * risk) for bankroll, risk in points]

    draw_chart(
        [
            Line(say("counter.curve.ever"), percent(curve.ever)),
            Line(say("counter.curve.trip"), percent(curve.trip), "soft"),
            Line(say("counter.curve.interval"), percent(curve.low), "other"),
            Line("", percent(curve.high), "other"),
        ],
        label=say("counter.part.ruin"),
        bounds=(0.0, 100.0),
        across=say("counter.curve.bankroll"),
        signed=False,
    )


def draw_ends(answer: Answer) -> None:
    """Draw how the trip ends: the ruined trips and the density of what others win, the chance to be ahead, and the results of one trip in twenty."""
    ends: TripEnds = trip_of(answer)
    with draw("div", classes="trip-ends"):
        if ends.ruined >= SHOWN_RUIN:
            # Both stand at the loss of the bankroll: the column, whose whole height is all trips, and where the curve begins.
            with draw("div", classes="trip-ruined"):
                draw("span", classes="trip-ruined-bar", style=f"height: {100 * ends.ruined:.1f}%")
            text = say("counter.curve.ruined", share=ends.ruined)
            draw("p", text, "trip-ruined-text small", data_testid="ruined")
        # The curve stands on its axis, and is the lower the more trips are ruined.
        most = 1.05 * max(density for _, density in ends.density) / max(1.0 - ends.ruined, _LOWEST_CURVE)
        draw_chart(
            [Line("", ends.density)], label=say("counter.part.ends"), bounds=(0.0, most), is_small=True
        )
    low, *_, high = ends.density
    with draw("div", classes="density-foot quiet small"):
        draw("span", figure(low[0], "+,.0f"))
        draw("span", say("counter.curve.win"))
        draw("span", figure(high[0], "+,.0f"))
    worst, _, middle, _, best = ends.quantiles
    with draw("div", classes="facts"):
        _fact("ahead", figure(ends.ahead, ".1%"))
        _fact("middle", figure(middle, "+,.0f"))
        _fact("worst", figure(worst, "+,.0f"))
        _fact("best", figure(best, "+,.0f"))


def draw_by_count(answer: Answer) -> None:
    """Draw the table by count, each value with its error."""
    names = ("count", "share", "places", "bet", "value", "std")
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="by-count"),
    ):
        with draw("thead"), draw("tr"):
            for name in names:
                draw("th", say(f"counter.column.{name}"), scope="col")
        with draw("tbody"):
            for line in answer.by_count:
                if line.share >= _SHOWN_SHARE:
                    with draw("tr", classes="plays" if line.bet > 0 else "quiet"):
                        for text in _cells(line):
                            draw("td", text, "number")


def _cells(line: BetLine) -> tuple[str, ...]:
    return (
        figure(line.count, "+d") if line.count else "0",
        figure(line.share, ".1%"),
        figure(line.places, "d"),
        figure(line.bet, ",.4g"),
        with_error(Figure(line.value, line.stderr), "+.2%"),
        figure(line.std, ".3f"),
    )


def draw_comparison(answers: Sequence[tuple[str, Answer]]) -> None:
    """Draw the same question to several profiles side by side."""
    with (
        draw("div", classes="scroll", tabindex="0"),
        draw("table", classes="grid-table", data_testid="compared"),
    ):
        with draw("thead"), draw("tr"):
            draw("th", say("counter.column.figure"), scope="col")
            for name, _ in answers:
                draw("th", name, scope="col")
        with draw("tbody"):
            for name, style in COMPARED.items():
                with draw("tr"):
                    draw("th", say(f"counter.fact.{name}"), scope="row")
                    for _, answer in answers:
                        value: Figure | None = getattr(answer, name)
                        empty = say("counter.fact.does_not_win" if name == "n0" else "counter.none")
                        draw("td", empty if value is None else with_error(value, style), "number")
