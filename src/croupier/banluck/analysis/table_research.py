"""The questions that people ask at a table of several players, answered with figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from croupier.banluck.analysis.changed_plans import WatchedPlan
from croupier.banluck.analysis.counts_plan import plan_of
from croupier.banluck.analysis.dealer_rules import CARELESS, Closed, Kind, sentence_of
from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.saved_tables import solved_table
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import EXACT_PLAYERS, solve
from croupier.banluck.analysis.table_plans import TablePlan
from croupier.banluck.analysis.table_prices import (
    GROUP_HANDS,
    GROUPS,
    Priced,
    Results,
    SampledPrices,
    TablePrices,
    counted_results,
    watched_dealer,
)
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.analysis.two_player_prices import TwoPlayerPrices
from croupier.banluck.engine.permissions import openable
from croupier.banluck.engine.rules import BanluckRules
from croupier.numerics.statistics import bankroll_to_survive, chance_ahead

#: Told what is being done, how much of it is done, and how much there is to do.
StageProgress = Callable[[str, int, int], None]

#: Ways to reveal, as the rules name them.
REVEALS = ("optional", "none", "mandatory")

#: Seats whose values differ by fewer standard errors than these are called alike: the largest of several differences is large by luck.
_TELLING = 4.0

#: Hands of an evening.
EVENING = 100


@dataclass(frozen=True)
class _Table:
    """A solved table, the game of one player by the same rules, and where other tables come from."""

    solution: TableSolution
    heads_up: Solution
    solved: Callable[[BanluckRules, int], TableSolution]

    @property
    def rules(self) -> BanluckRules:
        return self.solution.rules

    @property
    def players(self) -> int:
        return self.solution.players

    @cached_property
    def prices(self) -> TablePrices:
        if self.players == EXACT_PLAYERS:
            return TwoPlayerPrices(self.solution)
        return SampledPrices(self.solution, self.plan)

    @cached_property
    def plan(self) -> TablePlan:
        return plan_of(self.solution, self.heads_up)

    @cached_property
    def results(self) -> tuple[Results, ...]:
        return counted_results(self.plan, self.solution)

    @property
    def certificate(self) -> str:
        """Say how sure the values are."""
        found = self.solution
        error = (
            "" if found.stderr is None else f", values within ± {max(found.stderr):.1e} (one standard error)"
        )
        return f"nobody can gain more than {found.largest_gain:.0e} units a hand{error}"


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
    table = _Table(solution, heads_up or solve(solution.rules), solved)
    questions: dict[str, Callable[[_Table], Finding]] = {
        "values by seat": _values,
        "tables with other ways to reveal": _reveal,
        "whom to open": _openings,
        "a rule to remember": _rule,
        "opened cards": _memory,
        "seats and charts": _charts,
        "rotation": _rotation,
        "bankrolls": _bankroll,
        "careless dealers": _careless,
    }
    findings = []
    for done, (stage, question) in enumerate(questions.items()):
        tell(stage, done, len(questions))
        findings.append(question(table))
    tell("done", len(questions), len(questions))
    return tuple(findings)


def _values(table: _Table) -> Finding:
    found, alone = table.solution, table.heads_up.value
    best = max(range(table.players), key=lambda seat: found.values[seat])
    by_seat = ", ".join(f"player {seat + 1} {value:+.6f}" for seat, value in enumerate(found.values))
    difference = max(found.values) - min(found.values)
    later = ": who acts later has seen more" if best == table.players - 1 else ""
    best_seat = f"The best seat is that of player {best + 1}, by {difference:.6f} units{later}."
    if found.stderr is not None and difference < _TELLING * max(found.stderr):
        best_seat = f"The seats differ by {difference:.6f} units, no more than sampling explains."
    answer = (
        f"The dealer makes {found.dealer_value:+.6f} units a hand from {table.players} players: {by_seat}. Alone, a player makes "
        f"{alone:+.6f}, so the dealer makes {found.dealer_value / -alone if alone else 0.0:.3f} times as much as from one player. "
        f"{best_seat} "
        f"These values are an equilibrium within epsilon: {table.certificate}."
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
    question = f"What is a table of {table.players} players worth, and which seat is the best?"
    return Finding("table-value", question, answer, figures, tuple(_value_rows(found)))


def _value_rows(found: TableSolution) -> Iterator[dict[str, Any]]:
    """Yield a row a seat, the dealer last, in words for people."""
    for row in found.rows():
        shown = {"side": row["side"], "value": row["value"]}
        if "stderr" in row:
            shown |= {"± error": row["stderr"], "held-out gain": row["held_out"]}
        yield shown | {"largest gain": row["gain"]}


def _reveal(table: _Table) -> Finding:
    rows: list[dict[str, Any]] = []
    values: dict[tuple[str, int], float] = {}
    for players in range(1, table.players + 1):
        row: dict[str, Any] = {"players": players}
        gains = []
        for reveal in REVEALS:
            value, gain = _dealer_value(table, reveal, players)
            values[reveal, players] = value
            gains.append(gain)
            row[reveal] = round(value, 6)
        row["worth of the reveal"] = round(values["optional", players] - values["none", players], 6)
        row["lost if it must be used"] = round(values["optional", players] - values["mandatory", players], 6)
        row["largest gain"] = max(gains)
        rows.append(row)
    worth = [values["optional", players] - values["none", players] for players in (1, table.players)]
    must = values["optional", table.players] - values["mandatory", table.players]
    answer = (
        f"The right to open {openable(table.rules)} by choice is worth {worth[1]:.6f} units a hand to a dealer of {table.players} players, "
        f"against {worth[0]:.6f} with one player: {worth[1] / worth[0] if worth[0] else 0.0:.2f} times as much, because one draw has to serve "
        f"everybody who is still closed. A dealer who must open them loses {must:.6f}. The table gives the dealer's units a hand; nobody at any "
        f"of these tables can gain more than its last column says."
    )
    figures = {f"dealer_value_{reveal}_{players}": value for (reveal, players), value in values.items()} | {
        "reveal_worth": worth[1],
        "reveal_worth_one_player": worth[0],
        "mandatory_cost": must,
    }
    question = "What is the selective reveal worth, by number of players?"
    return Finding("table-reveal", question, answer, figures, tuple(rows))


def _dealer_value(table: _Table, reveal: str, players: int) -> tuple[float, float]:
    """Return what the dealer makes, and what anybody could gain."""
    rules = table.rules.replaced({"reveal": reveal})
    if players == 1:
        found = table.heads_up if rules == table.rules else solve(rules)
        return -found.value, found.exploitability
    is_this = rules == table.rules and players == table.players
    solution = table.solution if is_this else table.solved(rules, players)
    return solution.dealer_value, solution.largest_gain


def _openings(table: _Table) -> Finding:
    watched = watched_dealer(table.plan, table.players)
    openings = {
        place: {str(done): number / times.total() for done, number in times.items()}
        for place, times in watched.seen.items()
        if len(place[1]) == table.players
    }
    kinds = sorted({kind for kind, _ in openings})
    groups = sorted({counts for _, counts in openings})
    if not openings:
        return Finding(
            "table-open", "Whom to open, and when?", "The dealer has no choice under these rules.", {}
        )
    rows = tuple(
        {
            "closed players hold": " ".join(map(str, counts)),
            **{str(kind): _shares(openings.get((kind, counts), {})) for kind in kinds},
        }
        for counts in groups
    )
    sentences = _opening_sentences(watched, table.players)
    answer = (
        "With everybody closed, by which card counts the players hold. "
        + " ".join(sentences)
        + " 'Open 3, draw' settles a player of three cards at the present total and draws against the rest; without a draw everybody is settled. "
        f"The table has the shares, counted over dealt hands; the strategy is certified: {table.certificate}."
    )
    return Finding("table-open", "Whom to open, and when?", answer, {}, rows)


def _opening_sentences(watched: WatchedPlan, players: int) -> list[str]:
    """Say what is done most often, a sentence a kind of hand; with more than two players, by kinds of closed players."""
    times: dict[tuple[Kind, str], Counter[str]] = defaultdict(Counter)
    for (kind, counts), done in watched.seen.items():
        if len(counts) != players:
            continue
        is_short = players > EXACT_PLAYERS
        name = f"({Closed.of(counts)})" if is_short else f"({' '.join(map(str, counts))})"
        for what, number in done.items():
            opens = "open, draw" if what.draws else "open"
            times[kind, name][opens if is_short and what.opened else str(what)] += number
    sentences = []
    for kind in sorted({kind for kind, _ in times}):
        by_way: dict[str, list[str]] = {}
        for (held, name), ways in sorted(times.items()):
            if held == kind:
                by_way.setdefault(ways.most_common(1)[0][0], []).append(name)
        sentences.append(sentence_of(kind, by_way))
    return sentences


def _shares(shares: Mapping[str, float]) -> str:
    used = sorted(((share, way) for way, share in shares.items() if share > 0.005), reverse=True)
    return ", ".join(way if share > 0.995 else f"{way} {share:.0%}" for share, way in used)


def _rule(table: _Table) -> Finding:
    rule = table.prices.best_rule()
    worth = table.prices.habit_value(rule)
    cost = Priced(table.solution.dealer_value - worth.value, worth.error)
    answer = (
        f"{rule.sentences()} Brackets say which card counts the closed players hold, however many they are; to open is to open those of 3 or 5 "
        f"cards first and to look again, and to stand settles everybody. A dealer who keeps to this earns {worth} "
        f"units a hand from players who play the solution: {cost} units less than the solution. {table.prices.how}"
    )
    figures = {"rule_value": worth.value, "rule_cost": cost.value, "rule_cost_error": cost.error}
    return Finding("table-rule", "Which rule can a dealer remember?", answer, figures, tuple(rule.rows()))


def _memory(table: _Table) -> Finding:
    question = "What is it worth to remember opened cards?"
    sampling = table.solution.sampling
    if sampling is not None:
        gain = Priced(sampling.dealer_memory_gain, sampling.dealer_memory_stderr)
        players = ", ".join(f"{gain:+.6f}" for gain in sampling.memory_gains)
        answer = (
            f"This solution goes by card counts. A dealer who also remembered the low cards among those shown or opened could gain {gain} units a "
            f"hand or more, and the players by seat {players}: measured on deals other than those on which these replies were found."
        )
        return Finding("table-memory", question, answer, {"memory_worth_at_least": gain.value})
    found = table.prices.forgetful_value()
    assert found is not None, "a solution without a sample uses opened cards"
    worth = Priced(table.solution.dealer_value - found.value, found.error)
    answer = (
        f"At most {worth} units a hand. That is what a dealer loses who opens as the solution does, forgets the cards that were opened, and "
        f"then draws as well as the card counts allow. {table.prices.how}"
    )
    return Finding("table-memory", question, answer, {"memory_worth_at_most": worth.value})


def _charts(table: _Table) -> Finding:
    heads_up = table.heads_up
    words = {"H": "hit", "S": "stand"}
    rows = [
        {
            "seat": chart.title,
            "hand": f"{cell['row']} {cell['total']}",
            "here": words[cell["here"]],
            "alone": words[cell["other"]],
        }
        for chart in table.solution.charts
        if chart.is_of_player
        for cell in chart.differences(heads_up.chart.grid)
    ]
    kept = table.prices.seat_values(heads_up.player.hit)
    chart = table.prices.seat_values(heads_up.chart.strategy.hit)
    costs = [Priced(own - one.value, one.error) for own, one in zip(table.solution.values, kept, strict=True)]
    chart_costs = [
        Priced(own - one.value, one.error) for own, one in zip(table.solution.values, chart, strict=True)
    ]
    by_seat = "; ".join(
        f"player {seat + 1}: {cost} for the strategy, {chart_cost} for the chart"
        for seat, (cost, chart_cost) in enumerate(zip(costs, chart_costs, strict=True))
    )
    changed = {0: "No cell of the seats' charts differs", 1: "One cell of the seats' charts differs"}
    said = changed.get(len(rows), f"{len(rows)} cells of the seats' charts differ")
    answer = (
        f"{said} from the chart of one player. A seat that keeps to the game of one "
        f"player, while the others play the solution, gives up units a hand: {by_seat}. {table.prices.how}"
    )
    figures = {
        **{f"heads_up_cost_{seat + 1}": cost.value for seat, cost in enumerate(costs)},
        **{f"heads_up_chart_cost_{seat + 1}": cost.value for seat, cost in enumerate(chart_costs)},
        "changed_cells": float(len(rows)),
    }
    question = "How does a seat's chart differ from the chart of one player?"
    return Finding("table-charts", question, answer, figures, tuple(rows))


def _rotation(table: _Table) -> Finding:
    found, people = table.solution, table.players + 1
    dealer, std = found.dealer_value, table.results[-1].std
    favoured = "dealer" if dealer > 0 else "players"
    hands = (std / dealer) ** 2 if dealer else float("inf")
    fees = ", ".join(f"{-value:+.6f} to player {seat + 1}" for seat, value in enumerate(found.values))
    order = max(found.values) - min(found.values)
    answer = (
        f"{people} people who deal equally often, each in turn, play a fair game: over {people} hands everybody holds the bank once and each seat "
        f"once, and the units of a hand add up to nothing. Whoever misses one turn at the bank gives up {dealer - min(found.values):+.6f} units or "
        f"more. A dealer who keeps the bank could fairly pay each hand {fees}. The order of the seats matters by {order:.6f} units "
        f"at most. It takes about {hands:,.0f} hands before the edge of the {favoured} is as large as one standard deviation of luck "
        f"({std:.3f} units a hand)."
    )
    figures = {
        "bank_worth_per_hand": dealer,
        "turn_at_the_bank_worth": dealer - sum(found.values) / table.players,
        "hands_until_edge_equals_deviation": hands,
    }
    return Finding("table-rotation", f"How does the deal rotate fairly among {people}?", answer, figures)


def _bankroll(table: _Table) -> Finding:
    found = table.solution
    names = [*(f"player {seat + 1}" for seat in range(table.players)), "dealer"]
    values = (*found.values, found.dealer_value)
    rows = tuple(
        {
            "side": name,
            "value": round(value, 6),
            "standard deviation": round(results.std, 4),
            f"deviation of {EVENING} hands": round(results.std * EVENING**0.5, 1),
            "ahead after it": round(chance_ahead(results.distribution, EVENING), 4),
            "bankroll for 95 %": round(bankroll_to_survive(results.distribution, EVENING, risk=0.05), 1),
        }
        for name, value, results in zip(names, values, table.results, strict=True)
    )
    dealer, player = table.results[-1], table.results[0]
    independent = sum(results.std**2 for results in table.results[:-1]) ** 0.5
    answer = (
        f"One hand has a standard deviation of {player.std:.3f} units for a player and {dealer.std:.3f} for the dealer, who meets everybody with the "
        f"same cards: independent players would make it {independent:.3f}. For an evening of {EVENING} hands the dealer needs "
        f"{rows[-1]['bankroll for 95 %']} units to last in 95 % of cases, a player {rows[0]['bankroll for 95 %']}. The dealer is then ahead "
        f"with probability {rows[-1]['ahead after it']:.1%}, a player with {rows[0]['ahead after it']:.1%}. Counted over {GROUPS * GROUP_HANDS:,} hands dealt between the "
        f"solved strategies, with the means set to the solved values; the standard deviations are within ± {dealer.std_error:.3f}."
    )
    figures = {
        "dealer_std": dealer.std,
        "dealer_std_error": dealer.std_error,
        "dealer_std_if_independent": independent,
        "dealer_bankroll": float(rows[-1]["bankroll for 95 %"]),
        **{f"std_{seat + 1}": results.std for seat, results in enumerate(table.results[:-1])},
    }
    return Finding("table-bankroll", "How much luck is in an evening?", answer, figures, rows)


def _careless(table: _Table) -> Finding:
    solved = table.solution.dealer_value
    worths = {name: table.prices.habit_value(habit) for name, habit in CARELESS.items()}
    rows = tuple(
        {
            "dealer": name,
            "earns": str(worth),
            "gives away": str(Priced(solved - worth.value, worth.error)),
        }
        for name, worth in worths.items()
    )
    said = "; ".join(
        f"one who {name} gives away {Priced(solved - worth.value, worth.error)}"
        for name, worth in worths.items()
    )
    answer = f"Of the {solved:+.6f} units a hand, against players who play the solution and do not adapt: {said}. {table.prices.how}"
    figures = {f"cost: {name}": solved - worth.value for name, worth in worths.items()}
    return Finding("table-careless", "What does a careless dealer give away?", answer, figures, rows)


def _silently(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
