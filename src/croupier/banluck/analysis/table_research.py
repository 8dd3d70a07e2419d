"""The questions that people ask at a table of several players, answered with figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from croupier.banluck.analysis.changed_plans import Done, WatchedPlan
from croupier.banluck.analysis.dealer_rules import CARELESS, Closed, Kind, group_phrase, sentence_of
from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.phrases import row_phrase, side_phrase, way_phrase
from croupier.banluck.analysis.researched_table import Answer, ResearchedTable, by_seat, column
from croupier.banluck.analysis.saved_tables import solved_table
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import EXACT_PLAYERS, solve
from croupier.banluck.analysis.table_prices import (
    GROUP_HANDS,
    GROUPS,
    Priced,
    Results,
    watched_dealer,
)
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine.rules import BanluckRules
from croupier.numerics.statistics import bankroll_to_survive, chance_ahead
from croupier.texts import figure, in_row, say

#: Told what is being done, how much of it is done, and how much there is to do.
StageProgress = Callable[[str, int, int], None]

#: Ways to reveal, as the rules name them.
REVEALS = ("optional", "none", "mandatory")

#: Seats whose values differ by fewer standard errors than these are called alike: the largest of several differences is large by luck.
_TELLING = 4.0

#: What is done less often than this is not told.
_RARE = 0.005

#: Hands of an evening.
EVENING = 100


def research_table(
    solution: TableSolution,
    *,
    heads_up: Solution | None = None,
    solved: Callable[[BanluckRules, int], TableSolution] = solved_table,
    progress: StageProgress | None = None,
) -> tuple[Finding, ...]:
    """Answer the standing questions for a solved table of several players.

    Parameters
    ----------
    solution
        The table.
    heads_up
        The game of one player by the same rules; solved if it is not given.
    solved
        Where the tables of other sizes and other ways to reveal come from: what was saved, or the solver.
    progress
        Told how far the work is.
    """
    tell = progress or _silently
    table = ResearchedTable(solution, heads_up or solve(solution.rules), solved)
    questions: dict[str, Callable[[ResearchedTable], Answer]] = {
        "table-value": _values,
        "table-reveal": _reveal,
        "table-open": _openings,
        "table-rule": _rule,
        "table-memory": _memory,
        "table-charts": _charts,
        "table-rotation": _rotation,
        "table-bankroll": _bankroll,
        "table-careless": _careless,
    }
    findings = []
    for done, (key, answered) in enumerate(questions.items()):
        tell(say(f"several.stage.{key}"), done, len(questions))
        question = say(f"several.question.{key}", players=table.players, people=table.players + 1)
        answer = answered(table)
        findings.append(Finding(key, question, answer.text, answer.figures, answer.rows))
    tell(say("several.stage.done"), len(questions), len(questions))
    return tuple(findings)


def _values(table: ResearchedTable) -> Answer:
    found, alone = table.solution, table.heads_up.value
    best = max(range(table.players), key=lambda seat: found.values[seat])
    difference = max(found.values) - min(found.values)
    key = "best_last" if best == table.players - 1 else "best"
    if found.stderr is not None and difference < _TELLING * max(found.stderr):
        key = "alike"
    answer = say(
        "several.answer.value",
        dealer=found.dealer_value,
        players=table.players,
        by_seat=by_seat("seat_value", value=found.values),
        alone=alone,
        times=found.dealer_value / -alone if alone else 0.0,
        best=say(f"several.answer.{key}", number=best + 1, difference=difference),
        certificate=table.certificate,
    )
    figures = {
        "dealer_value": found.dealer_value,
        "dealer_gain": found.dealer_gain,
        "heads_up_value": alone,
        "best_seat": best + 1.0,
        "seat_difference": difference,
        **{f"value_{seat + 1}": value for seat, value in enumerate(found.values)},
        **{f"gain_{seat + 1}": gain for seat, gain in enumerate(found.gains)},
    }
    return Answer(answer, figures, tuple(_value_rows(found)))


def _value_rows(found: TableSolution) -> Iterator[dict[str, Any]]:
    """Yield a row a seat, the dealer last, in words for people."""
    for row in found.rows():
        shown = {column("side"): side_phrase(str(row["side"])), column("value"): row["value"]}
        if "stderr" in row:
            shown |= {column("error"): row["stderr"], column("held_out"): row["held_out"]}
        yield shown | {column("gain"): row["gain"]}


def _reveal(table: ResearchedTable) -> Answer:
    rows: list[dict[str, Any]] = []
    values: dict[tuple[str, int], float] = {}
    for players in range(1, table.players + 1):
        row: dict[str, Any] = {column("players"): players}
        gains = []
        for reveal in REVEALS:
            value, gain = _dealer_value(table, reveal, players)
            values[reveal, players] = value
            gains.append(gain)
            row[say(f"several.reveal.{reveal}")] = round(value, 6)
        row[column("worth")] = round(values["optional", players] - values["none", players], 6)
        row[column("lost")] = round(values["optional", players] - values["mandatory", players], 6)
        row[column("gain")] = max(gains)
        rows.append(row)
    alone, worth = (values["optional", players] - values["none", players] for players in (1, table.players))
    must = values["optional", table.players] - values["mandatory", table.players]
    answer = say(
        "several.answer.reveal",
        worth=worth,
        players=table.players,
        alone=alone,
        times=worth / alone if alone else 0.0,
        must=must,
    )
    figures = {f"dealer_value_{reveal}_{players}": value for (reveal, players), value in values.items()} | {
        "reveal_worth": worth,
        "reveal_worth_one_player": alone,
        "mandatory_cost": must,
    }
    return Answer(answer, figures, tuple(rows))


def _dealer_value(table: ResearchedTable, reveal: str, players: int) -> tuple[float, float]:
    """Return what the dealer makes, and what anybody could gain."""
    rules = table.rules.replaced({"reveal": reveal})
    if players == 1:
        found = table.heads_up if rules == table.rules else solve(rules)
        return -found.value, found.exploitability
    is_this = rules == table.rules and players == table.players
    solution = table.solution if is_this else table.solved(rules, players)
    return solution.dealer_value, solution.largest_gain


def _openings(table: ResearchedTable) -> Answer:
    watched = watched_dealer(table.plan, table.players)
    openings = {
        place: {done: number / times.total() for done, number in times.items()}
        for place, times in watched.seen.items()
        if len(place[1]) == table.players
    }
    if not openings:
        return Answer(say("banluck.why.no_choices"))
    kinds = sorted({kind for kind, _ in openings})
    groups = sorted({counts for _, counts in openings})
    rows = tuple(
        {
            column("closed"): " ".join(map(str, counts)),
            **{kind.said: _shares(openings.get((kind, counts), {})) for kind in kinds},
        }
        for counts in groups
    )
    sentences = in_row(_opening_sentences(watched, table.players), "list.sentences")
    answer = say("several.answer.open", sentences=sentences, certificate=table.certificate)
    return Answer(answer, rows=rows)


def _opening_sentences(watched: WatchedPlan, players: int) -> list[str]:
    """Say what is done most often, a sentence a kind of hand; with more than two players, by kinds of closed players."""
    times: dict[tuple[Kind, str], Counter[str]] = defaultdict(Counter)
    for (kind, counts), done in watched.seen.items():
        if len(counts) != players:
            continue
        is_short = players > EXACT_PLAYERS
        name = group_phrase(str(Closed.of(counts)) if is_short else " ".join(map(str, counts)))
        for what, number in done.items():
            opens = say(f"several.dealer_rule.{'open_draw' if what.draws else 'open'}")
            times[kind, name][opens if is_short and what.opened else what.said] += number
    sentences = []
    for kind in sorted({kind for kind, _ in times}):
        by_way: dict[str, list[str]] = {}
        for (held, name), ways in sorted(times.items()):
            if held == kind:
                by_way.setdefault(ways.most_common(1)[0][0], []).append(name)
        sentences.append(sentence_of(kind, by_way))
    return sentences


def _shares(shares: Mapping[Done, float]) -> str:
    """Say what is done, the most frequent first."""
    used = sorted(((share, done.said) for done, share in shares.items() if share > _RARE), reverse=True)
    return in_row(
        [
            way if share > 1 - _RARE else say("several.dealer_rule.share", way=way, share=share)
            for share, way in used
        ]
    )


def _rule(table: ResearchedTable) -> Answer:
    rule = table.prices.best_rule()
    worth = table.prices.habit_value(rule)
    cost = Priced(table.solution.dealer_value - worth.value, worth.error)
    answer = say(
        "several.answer.rule", rule=rule.sentences(), worth=worth.said, cost=cost.said, how=table.prices.how
    )
    figures = {"rule_value": worth.value, "rule_cost": cost.value, "rule_cost_error": cost.error}
    return Answer(answer, figures, tuple(rule.rows()))


def _memory(table: ResearchedTable) -> Answer:
    sampling = table.solution.sampling
    if sampling is not None:
        gain = Priced(sampling.dealer_memory_gain, sampling.dealer_memory_stderr)
        players = in_row([figure(gain, "+.6f") for gain in sampling.memory_gains])
        answer = say("several.answer.memory_sampled", gain=gain.said, players=players)
        return Answer(answer, {"memory_worth_at_least": gain.value})
    found = table.prices.forgetful_value()
    assert found is not None, "a solution without a sample uses opened cards"
    worth = Priced(table.solution.dealer_value - found.value, found.error)
    answer = say("several.answer.memory", worth=worth.said, how=table.prices.how)
    return Answer(answer, {"memory_worth_at_most": worth.value})


def _charts(table: ResearchedTable) -> Answer:
    heads_up = table.heads_up
    words = {"H": way_phrase("hit"), "S": way_phrase("stand")}
    rows = tuple(
        {
            column("seat"): chart.title,
            column("hand"): column("hand_cell", row=row_phrase(cell["row"]), total=cell["total"]),
            column("here"): words[cell["here"]],
            column("alone"): words[cell["other"]],
        }
        for chart in table.solution.charts
        if chart.is_of_player
        for cell in chart.differences(heads_up.chart.grid)
    )
    costs, chart_costs = (
        [
            Priced(own - one.value, one.error)
            for own, one in zip(table.solution.values, table.prices.seat_values(hit), strict=True)
        ]
        for hit in (heads_up.player.hit, heads_up.chart.strategy.hit)
    )
    seat_costs = by_seat(
        "seat_cost",
        "list.semicolons",
        cost=[cost.said for cost in costs],
        chart_cost=[cost.said for cost in chart_costs],
    )
    answer = say("several.answer.charts", cells=len(rows), by_seat=seat_costs, how=table.prices.how)
    figures = {
        **{f"heads_up_cost_{seat + 1}": cost.value for seat, cost in enumerate(costs)},
        **{f"heads_up_chart_cost_{seat + 1}": cost.value for seat, cost in enumerate(chart_costs)},
        "changed_cells": float(len(rows)),
    }
    return Answer(answer, figures, rows)


def _rotation(table: ResearchedTable) -> Answer:
    found = table.solution
    dealer, std = found.dealer_value, table.results[-1].std
    hands = (std / dealer) ** 2 if dealer else float("inf")
    luck = "luck_dealer" if dealer > 0 else "luck_players"
    answer = say(
        "several.answer.rotation",
        people=table.players + 1,
        turn=dealer - min(found.values),
        fees=by_seat("fee", fee=[-value for value in found.values]),
        order=max(found.values) - min(found.values),
        luck=say(f"several.answer.{luck}", hands=hands, deviation=std),
    )
    figures = {
        "bank_worth_per_hand": dealer,
        "turn_at_the_bank_worth": dealer - sum(found.values) / table.players,
        "hands_until_edge_equals_deviation": hands,
    }
    return Answer(answer, figures)


def _bankroll(table: ResearchedTable) -> Answer:
    evenings = [_Evening.of(results) for results in table.results]
    rows = tuple(
        {
            column("side"): side_phrase(str(row["side"])),
            column("value"): round(row["value"], 6),
            column("deviation"): round(results.std, 4),
            column("evening", hands=EVENING): round(results.std * EVENING**0.5, 1),
            column("ahead"): round(evening.ahead, 4),
            column("bankroll"): round(evening.bankroll, 1),
        }
        for row, results, evening in zip(table.solution.rows(), table.results, evenings, strict=True)
    )
    dealer, player = table.results[-1], table.results[0]
    independent = sum(results.std**2 for results in table.results[:-1]) ** 0.5
    answer = say(
        "several.answer.bankroll",
        player=player.std,
        dealer=dealer.std,
        independent=independent,
        hands=EVENING,
        dealer_bankroll=evenings[-1].bankroll,
        player_bankroll=evenings[0].bankroll,
        dealer_ahead=evenings[-1].ahead,
        player_ahead=evenings[0].ahead,
        dealt=GROUPS * GROUP_HANDS,
        error=dealer.std_error,
    )
    figures = {
        "dealer_std": dealer.std,
        "dealer_std_error": dealer.std_error,
        "dealer_std_if_independent": independent,
        "dealer_bankroll": round(evenings[-1].bankroll, 1),
        **{f"std_{seat + 1}": results.std for seat, results in enumerate(table.results[:-1])},
    }
    return Answer(answer, figures, rows)


class _Evening(NamedTuple):
    """How one side stands after an evening: how likely it is ahead, and the bankroll that lasts in 95 % of cases."""

    ahead: float
    bankroll: float

    @classmethod
    def of(cls, results: Results) -> "_Evening":
        ahead = chance_ahead(results.distribution, EVENING)
        return cls(ahead, bankroll_to_survive(results.distribution, EVENING, risk=0.05))


def _careless(table: ResearchedTable) -> Answer:
    solved = table.solution.dealer_value
    worths = {name: table.prices.habit_value(habit) for name, habit in CARELESS.items()}
    costs = {name: Priced(solved - worth.value, worth.error) for name, worth in worths.items()}
    rows = tuple(
        {
            column("dealer"): name,
            column("earns"): worth.said,
            column("gives_away"): costs[name].said,
        }
        for name, worth in worths.items()
    )
    said = [say("several.answer.habit_cost", habit=name, cost=cost.said) for name, cost in costs.items()]
    answer = say(
        "several.answer.careless",
        solved=solved,
        by_habit=in_row(said, "list.semicolons"),
        how=table.prices.how,
    )
    return Answer(answer, {f"cost: {name}": cost.value for name, cost in costs.items()}, rows)


def _silently(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
