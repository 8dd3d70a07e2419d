"""The questions that a player of Banluck asks, answered with figures."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from croupier.banluck.analysis.chart import Cell, cells_of
from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.sensitivity import Sensitivity, game_value
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.engine.multisets import MULTISETS, format_multiset
from croupier.banluck.engine.permissions import openable, player_may_act
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.hand_table import hand_table
from croupier.banluck.solvers.strategy import PlayerStrategy
from croupier.numerics.statistics import (
    adjustment_coefficient,
    bankroll_for_ruin,
    bankroll_to_survive,
    chance_ahead,
)

Progress = Callable[[int, int], None]


def research(solution: Solution, *, progress: Progress | None = None) -> tuple[Finding, ...]:
    """Answer the standing questions for a solved rule set.

    Examples
    --------
    >>> from croupier import banluck
    >>> [finding.key for finding in research(banluck.solve())][:3]
    ['value', 'reveal', 'surrender']
    """
    questions = (
        _value, _reveal, _surrender, _thresholds, _hit_sixteen, _memorise, _classic_dealer, _blackjack, _rotation,
        _several_players, _bankroll, _counting,
    )  # fmt: skip
    findings = []
    for done, question in enumerate(questions, start=1):
        findings.append(question(solution))
        if progress is not None:
            progress(done, len(questions))
    return tuple(findings)


def sensitivity_finding(prices: Sensitivity) -> Finding:
    """Sum up what each option is worth."""
    ordered = prices.ordered
    top = "; ".join(f"{row.label} ({row.change:+.4f})" for row in ordered[:3])
    idle = [row.label for row in ordered if abs(row.change) < 1e-6]
    answer = f"The strongest single changes are {top}."
    if idle:
        answer += f" These change nothing, because nobody would use them: {', '.join(idle)}."
    table = tuple(
        {"change": row.label, "value": round(row.game_value, 6), "difference": round(row.change, 6)}
        for row in ordered
    )
    return Finding(
        "sensitivity", "What is each rule worth?", answer, {row.label: row.change for row in ordered}, table
    )


def _value(solution: Solution) -> Finding:
    winner = "dealer" if solution.value < 0 else "player"
    answer = (
        f"Between two perfect sides the player makes {solution.value:+.6f} units a hand: an edge of "
        f"{abs(solution.value):.3%} for the {winner}, certified to {solution.exploitability:.0e}. One hand has a standard "
        f"deviation of {solution.standard_deviation:.3f} units; the player wins {solution.outcomes.win:.1%}, pushes {solution.outcomes.push:.1%} and loses "
        f"{solution.outcomes.loss:.1%} of hands."
    )
    figures = {
        "value": solution.value,
        "edge_percent": 100 * solution.value,
        "std": solution.standard_deviation,
        "win": solution.outcomes.win,
        "push": solution.outcomes.push,
        "lose": solution.outcomes.loss,
    }
    return Finding("value", "What is the game worth?", answer, figures)


def _value_with(solution: Solution, **options: object) -> float:
    changed = solution.rules.replaced(options)
    return solution.value if changed == solution.rules else game_value(changed)


def _reveal(solution: Solution) -> Finding:
    values = {kind: _value_with(solution, reveal=kind) for kind in ("optional", "mandatory", "none")}
    worth = values["mandatory"] - values["optional"]
    count = values["none"] - values["optional"]
    answer = (
        f"Being free to leave {openable(solution.rules)} closed is worth {worth:.4f} units a hand to the dealer "
        f"({worth:.2%}): that is what the dealer loses if they must be opened at a total of choice. Seeing how "
        f"many cards the player holds is worth {count:.4f} ({count:.2%})."
    )
    table = tuple({"reveal": kind, "value": round(value, 6)} for kind, value in values.items())
    figures = {
        "reveal_worth": worth,
        "card_count_worth": count,
        **{f"value_{kind}": value for kind, value in values.items()},
    }
    return Finding("reveal", "What is the selective reveal worth?", answer, figures, table)


def _surrender(solution: Solution) -> Finding:
    values = {kind: _value_with(solution, surrender=kind) for kind in ("blind", "after_specials", "none")}
    worth = values["none"] - values["blind"]
    sees = values["blind"] - values["after_specials"]
    used = solution.outcomes.by_outcome().get(Outcome.VOID, 0.0)
    answer = (
        f"The blind surrender of a hard 15 is worth {worth:.4f} units a hand to the dealer ({worth:.2%}); seeing Ban "
        f"hands first adds {sees:.6f}. Under these rules {used:.2%} of hands are surrendered."
    )
    table = tuple({"surrender": kind, "value": round(value, 6)} for kind, value in values.items())
    figures = {"surrender_worth": worth, "seeing_specials_worth": sees, "surrendered_share": used}
    return Finding("surrender", "What is the surrender worth?", answer, figures, table)


def _thresholds(solution: Solution) -> Finding:
    decisions = [advice for advice in solution.book.dealer_decisions if advice.go == "draw"]
    rows = []
    for cell, members in cells_of(decisions).items():
        reach = sum(advice.reach for advice in members)
        draws = sum(advice.reach * advice.go_frequency for advice in members)
        rows.append(
            {
                "player holds": cell.against,
                "dealer": f"{'soft' if cell.is_soft else 'hard'} {cell.total}",
                "dealer's cards": cell.cards,
                "draws": round(draws / reach, 4) if reach > 0 else None,
                "gain of drawing": round(_mean_gain(members), 4),
            }
        )
    rows.sort(key=lambda row: (str(row["player holds"]), str(row["dealer"]), str(row["dealer's cards"])))
    if not rows:
        return Finding(
            "thresholds", "When does the dealer draw?", "The dealer has no choice under these rules.", {}
        )
    answer = " ".join(_threshold_sentences(decisions))
    return Finding(
        "thresholds", "When does the dealer draw, and when reveal or stand?", answer, {}, tuple(rows)
    )


def _threshold_sentences(decisions: list[Advice]) -> Iterator[str]:
    """Sum up by card count which hard totals the dealer draws on, weighing hands by how often they come up."""
    for against in dict.fromkeys(advice.against for advice in decisions):
        parts = []
        totals = sorted({advice.value.total for advice in decisions})
        for total in totals:
            members = [
                advice
                for advice in decisions
                if advice.against == against and advice.value.total == total and not advice.value.is_soft
            ]
            reach = sum(advice.reach for advice in members)
            if reach > 0:
                draws = sum(advice.reach * advice.go_frequency for advice in members) / reach
                parts.append(f"hard {total} draws {draws:.0%}")
        if parts:
            yield f"Against {against}: {', '.join(parts)}."


def _mean_gain(members: list[Advice]) -> float:
    reach = sum(advice.reach for advice in members)
    if reach == 0:
        return 0.0
    return sum(advice.reach * (advice.ev_go - (advice.ev_stop or 0.0)) for advice in members) / reach


def _hit_sixteen(solution: Solution) -> Finding:
    sixteens = [advice for advice in solution.book.player_decisions if advice.value.total == 16]
    rows = tuple(
        {
            "hand": format_multiset(advice.hand),
            "kind": f"{'soft' if advice.value.is_soft else 'hard'}, {advice.value.card_count} cards",
            "stand": round(advice.ev_stop or 0.0, 4),
            "hit": round(advice.ev_go, 4),
            "advice": advice.advice,
            "cost of the other": round(advice.cost_of_mistake, 4),
        }
        for advice in sixteens
    )
    sentences = []
    for cards, soft in product((2, 3, 4), (False, True)):
        members = [
            advice for advice in sixteens if (advice.value.card_count, advice.value.is_soft) == (cards, soft)
        ]
        if members:
            sentences.append(f"A {'soft' if soft else 'hard'} 16 in {cards} cards: {_what_to_do(members)}.")
    return Finding("hit-16", "Do I hit 16?", " ".join(sentences), {}, rows)


def _what_to_do(members: list[Advice]) -> str:
    """Say for which cards a hand is hit, stood on, or left to chance."""
    groups: dict[str, list[str]] = {"hit": [], "stand": [], "mix": []}
    for advice in members:
        pure = advice.advice in ("hit", "stand")
        groups[advice.best if pure else "mix"].append(format_multiset(advice.hand))
    used = {verb: hands for verb, hands in groups.items() if hands}
    if len(used) == 1:
        return f"{next(iter(used))}, whatever its cards"
    return "; ".join(f"{verb} {', '.join(hands)}" for verb, hands in used.items())


def _memorise(solution: Solution) -> Finding:
    chart = solution.chart
    answer = (
        f"A chart by total, number of cards and soft or hard ({len(chart.hits)} cells, no mixing) gives up "
        f"{chart.cost_against_equilibrium:.6f} units a hand against the equilibrium dealer and {chart.cost_against_best:.6f} "
        f"against a dealer who knows it and answers it best. It agrees with the better action in {chart.agreement:.2%} of decisions."
    )
    figures = {
        "cost_against_equilibrium": chart.cost_against_equilibrium,
        "cost_against_best": chart.cost_against_best,
        "agreement": chart.agreement,
    }
    return Finding("chart", "What does it cost to play by a chart?", answer, figures)


def _classic_dealer(solution: Solution) -> Finding:
    dealer = classic_dealer(solution.rules)
    baseline = solve_baseline(solution.rules, dealer)
    against_classic = certify(solution.player, dealer, solution.rules).value
    naive = certify(stand_on(solution.rules.player_minimum, solution.rules), solution.dealer, solution.rules)
    answer = (
        f"Against the classic dealer (opens three or more cards at 16 and 17, draws against two, stands from 18, gives up "
        f"hard 15 where that is allowed) best play makes {baseline.value:+.4f} units a hand, and the equilibrium, which does not adapt, {against_classic:+.4f}. "
        f"A player who simply stands on {solution.rules.player_minimum} makes {naive.value:+.4f} against the equilibrium dealer."
    )
    figures = {
        "best_reply_to_classic": baseline.value,
        "equilibrium_against_classic": against_classic,
        "stand_on_minimum_against_equilibrium": naive.value,
    }
    return Finding("classic-dealer", "What does a dealer lose by playing the classic way?", answer, figures)


def _blackjack(solution: Solution) -> Finding:
    """Compare with blackjack's basic strategy against a strong up-card, the nearest thing to seeing nothing."""
    strategy = _blackjack_player(solution.rules)
    worth = certify(strategy, solution.dealer, solution.rules)
    rows = tuple(
        {
            "hand": _cell_name(cell),
            "Banluck": "hit" if hits else "stand",
            "blackjack": "stand" if hits else "hit",
        }
        for cell, hits in solution.chart.hits.items()
        if hits != _blackjack_hits(cell)
    )
    answer = (
        "Blackjack's basic strategy against a strong up-card hits hard 16 and below and soft 17 and below, and stands on the rest. "
        f"Played here it makes {worth.value:+.4f} units a hand, {solution.value - worth.value:.4f} less than the equilibrium. "
        "The differences: there is no up-card to go by; a total below the minimum has lost already, so it is always hit; "
        "an ace counts 10 or 11 with two cards and shrinks with the third, so soft hands are drawn to; and five cards "
        "pay double or triple, which makes four-card hands worth hitting far longer."
    )
    figures = {"blackjack_player": worth.value, "cost": solution.value - worth.value}
    return Finding("blackjack", "How does it differ from blackjack's basic strategy?", answer, figures, rows)


def _blackjack_hits(cell: Cell) -> bool:
    return cell.total <= (17 if cell.is_soft else 16)


def _blackjack_player(rules: BanluckRules) -> PlayerStrategy:
    table = hand_table(rules)
    hit = np.zeros(len(MULTISETS))
    for hand, value in enumerate(table.values):
        cell = Cell(value.card_count, value.is_soft, value.total)
        hit[hand] = player_may_act(value) and _blackjack_hits(cell)
    return PlayerStrategy(hit)


def _cell_name(cell: Cell) -> str:
    return f"{'soft' if cell.is_soft else 'hard'} {cell.total}, {cell.cards} cards"


def _rotation(solution: Solution) -> Finding:
    value, std = solution.value, solution.standard_deviation
    favoured = "dealer" if value < 0 else "player"
    hands = (std / value) ** 2 if value else float("inf")
    answer = (
        f"Against one player the bank is worth {-value:+.4f} units a hand, so two people who deal equally often for the same stakes "
        f"play a fair game. A {favoured} who stays in that seat could fairly pay {abs(value):.4f} units a hand for it. "
        f"It takes about {hands:,.0f} hands before the {favoured}'s edge is as large as one standard deviation of luck, so over one "
        "evening an uneven rotation matters far less than luck. These figures hold for one player against the dealer."
    )
    figures = {"bank_worth_per_hand": -value, "hands_until_edge_equals_deviation": hands}
    return Finding("rotation", "How should the bank rotate?", answer, figures)


def _several_players(solution: Solution) -> Finding:
    """Say what one player's solution proves about several; :mod:`~croupier.banluck.analysis.table_research` solves the rest.

    A dealer who decides by the own cards alone meets each player in the same heads-up game: whatever the other seats
    draw, the cards that this player and the dealer have not seen stay equally likely to come.
    """
    uncounted = _value_with(solution, reveal="none")
    answer = (
        "Several players are another game, and these figures are not simply multiplied: the dealer's next card has to serve "
        "every hand that is still closed, and players who act later have seen the cards of those who are bust. One thing is certain. A dealer who "
        f"ignores all card counts meets each player in the same game, so against k players who look at their own cards only "
        f"the bank is worth k times what it is worth without card counts, {-uncounted:+.4f} units a hand for each. "
        "`croupier banluck research --players 2` solves a table and answers for it: the reveal by number of players, whom to open, the best seat."
    )
    return Finding(
        "several-players",
        "What changes with several players?",
        answer,
        {"bank_worth_per_player_without_card_counts": -uncounted},
    )


def _bankroll(solution: Solution) -> Finding:
    favoured, results = "player", solution.outcomes.by_units()
    if solution.value < 0:
        favoured, results = "dealer", {-units: probability for units, probability in results.items()}
    other = {-units: probability for units, probability in results.items()}
    ruin = {risk: bankroll_for_ruin(results, risk) for risk in (0.05, 0.01)}
    evening = bankroll_to_survive(other, 100, risk=0.05)
    unfavoured = "player" if favoured == "dealer" else "dealer"
    answer = (
        f"The {favoured}, who has the edge, can play for ever with a 5 % risk of ruin on {ruin[0.05]:,.0f} units and a 1 % risk on "
        f"{ruin[0.01]:,.0f} (Lundberg's bound, R = {adjustment_coefficient(results):.5f}). For the {unfavoured} ruin is certain in the long "
        f"run; {evening:,.0f} units last for an evening of 100 hands in 95 % of cases. After 100 hands the {unfavoured} is ahead "
        f"with probability {chance_ahead(other, 100):.1%}, after 10,000 with {chance_ahead(other, 10_000):.1%}."
    )
    rows = tuple(
        {
            "hands": hands,
            f"{unfavoured} ahead": round(chance_ahead(other, hands), 4),
            "expected units": round(-abs(solution.value) * hands, 2),
            "standard deviation": round(solution.standard_deviation * hands**0.5, 1),
            "bankroll for 95 %": round(bankroll_to_survive(other, hands, risk=0.05), 1),
        }
        for hands in (10, 100, 1000, 10_000)
    )
    figures = {
        "std": solution.standard_deviation,
        "bankroll_5_percent": ruin[0.05],
        "bankroll_1_percent": ruin[0.01],
    }
    return Finding(
        "bankroll", "Which bankroll does it take, and what is the risk of ruin?", answer, figures, rows
    )


def _counting(solution: Solution) -> Finding:
    sixteens = [
        advice.ev_stop
        for advice in solution.book.player_decisions
        if advice.value.total == 16 and advice.value.card_count == 2 and advice.ev_stop is not None
    ]
    difference = max(sixteens) - min(sixteens) if sixteens else 0.0
    answer = (
        "Every hand is dealt from a full, freshly shuffled deck, so hands are independent: nothing seen before a bet says anything "
        f"about the next hand, whose value is {solution.value:+.6f} units whatever has been played. A bet made larger "
        "after some hands and smaller after others multiplies the same edge and cannot change its sign. What card removal there is, within "
        f"one hand, is in the strategy already: two-card 16s differ by up to {difference:.4f} units by their cards alone."
    )
    return Finding("counting", "Why can counting not pay?", answer, {"spread_of_two_card_16s": difference})
