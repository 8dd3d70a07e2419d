"""``croupier blackjack count``: the indices of a counting system, and what playing by it comes to."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from croupier.blackjack.counting.bankroll import SCORE_RISK, bankroll_for_risk
from croupier.blackjack.counting.correlations import correlations
from croupier.blackjack.counting.index_values import computed_values
from croupier.blackjack.counting.indices import CountIndices, indices_of
from croupier.blackjack.counting.playing_efficiency import playing_efficiency
from croupier.blackjack.counting.result import CountingResult, CountingStrategy
from croupier.blackjack.counting.runs import CountingPlan
from croupier.blackjack.counting.system import (
    HI_LO,
    CountingSystem,
    find_system,
    read_system,
    verify_countable,
)
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.doubled_hands import plan_lines
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.devices import saving_on
from croupier.cli.json_output import print_json
from croupier.cli.kept_answers import kept_answer
from croupier.cli.printed_cards import write_card
from croupier.cli.progress import status_line
from croupier.cli.saving import Saving, run_number
from croupier.errors import InputError
from croupier.extras import needs

if TYPE_CHECKING:  # a card is drawn without them
    from croupier.blackjack.counting.index_values import IndexValues
    from croupier.blackjack.counting.mistake_prices import MistakePrices
    from croupier.blackjack.counting.side_counts import SideCount

#: Counts of fewer rounds than this part of all are not listed on a terminal; ``--json`` lists all.
_LISTED_SHARE = 0.001


def system_from_options(name: str | None, tags: Path | None) -> CountingSystem:
    """Return the system of the options: one that is known by its name, or one's own; Hi-Lo if neither is given."""
    if name is not None and tags is not None:
        raise InputError("--system and --tags: name one of them")
    return read_system(tags) if tags is not None else find_system(name or HI_LO.name)


def show_indices(plan: CountingPlan, *, as_json: bool) -> None:
    """Print the indices, from the exact solver alone."""
    strategy = _prepared(plan).strategy
    assert strategy is not None, "a prepared plan has a strategy"
    indices = strategy.indices
    decks = verify_countable(plan.rules)
    agreement = correlations(plan.rules, plan.system)
    efficiency = playing_efficiency(plan.rules, plan.system)
    if as_json:
        shown = {
            "system": plan.system.to_dict(),
            "initial_count": plan.system.initial_count(decks),
            "correlations": agreement.to_dict(),
            "playing_efficiency": efficiency,
            "rounding": plan.rounding,
            "indices": indices.to_dict(),
            "rules": plan.rules.model_dump(mode="json"),
        }
        print_json(shown)
        return
    console = Console()
    print_rules(console, plan.rules)
    console.print(f"[bold]{plan.system.name}[/bold]  {_tags(plan.system)}", highlight=False)
    if beginning := plan.system.beginning(decks):
        console.print(beginning, highlight=False)
    console.print(
        f"Betting correlation {agreement.betting:.3f}, insurance correlation {agreement.insurance:.3f}, "
        f"playing efficiency {efficiency:.3f}",
        highlight=False,
    )
    _print_indices(console, indices, plan.system)


def draw_card(plan: CountingPlan, path: Path) -> None:
    """Draw a page to carry: chart, deviations and bets."""
    needs("plots")
    from croupier.blackjack.play.strategy_card import strategy_card
    from croupier.pictures import picture_form

    picture_form(path, what="card")
    question = {
        "what": "indices",
        "rules": plan.rules.model_dump(mode="json"),
        "system": plan.system.to_dict(),
        "choice": plan.choice,
        "rounding": plan.rounding,
        "ramp": str(plan.ramp),
    }
    answer = kept_answer(question, lambda: _indices_and_chart(plan))
    chart, indices = Chart.from_csv(answer["chart"]), indices_of(answer["indices"])
    strategy = CountingStrategy(plan.system, plan.ramp, indices, chart, plan.rounding, plan.estimate)
    ranked = [(row, up_card) for row, up_card in answer["ranked"]]
    write_card(
        strategy_card(plan.rules, chart, strategy, ranked=ranked, doubled=plan_lines(plan.rules)), path
    )


def _indices_and_chart(plan: CountingPlan) -> dict[str, Any]:
    strategy = _prepared(plan).strategy
    assert strategy is not None, "a prepared plan has a strategy"
    values = (
        computed_values(plan.rules, plan.system, strategy.chart, plan.rounding, plan.ramp)
        if strategy.indices.plays
        else ()
    )
    return {
        "chart": strategy.chart.to_csv(),
        "indices": strategy.indices.to_dict(),
        "ranked": [(value.row, value.up_card) for value in values],
    }


def show_counting(plan: CountingPlan, saving: Saving, *, as_json: bool) -> None:
    """Play with the count, and print what it came to."""
    plan = replace(saving.chosen(plan), device=plan.device)
    saving = saving_on(plan.device, saving)
    plan = _prepared(plan)
    with saving.execution(plan, doing="playing", unit="rounds") as execution:
        result = plan.run(**execution)
    if as_json:
        risk = {"bankroll": plan.bankroll, "risk_of_ruin": result.risk_of_ruin(plan.bankroll)}
        print_json(result.to_dict() | risk | run_number(execution["recording"]))
    else:
        _show_result(result, plan.bankroll)


def _prepared(plan: CountingPlan) -> CountingPlan:
    """Work out chart and indices, and say so meanwhile."""
    with status_line("preparing") as say:
        return plan.prepared(say)


def _tags(system: CountingSystem) -> str:
    return system.tag_text(":")


def _print_indices(console: Console, indices: CountIndices, system: CountingSystem) -> None:
    kind = "true count" if system.is_balanced else "running count"
    if indices.insurance is not None:
        console.print(
            f"Insurance from a {kind} of {indices.insurance:+d} on (breaks even at {indices.insurance_exact:+.2f})",
            highlight=False,
        )
    table = Table(title=f"Plays that change with the {kind}")
    for heading in ("hand", "up-card", "below", "from there on"):
        table.add_column(heading)
    for heading in ("count", "exact"):
        table.add_column(heading, justify="right")
    for play in indices.plays:
        table.add_row(play.row, play.up_card, play.below, play.code, f"{play.count:+d}", f"{play.exact:+.2f}")
    console.print(table)


def _show_result(result: CountingResult, bankroll: float) -> None:
    console = Console()
    strategy = result.strategy
    low, high = result.interval
    print_rules(console, result.rules)
    console.print(
        f"[bold]{100 * result.value:+.3f} units per 100 rounds[/bold] (95 %: {100 * low:+.3f} to {100 * high:+.3f}); "
        f"standard deviation of a round {result.std:.3f}",
        highlight=False,
    )
    console.print(
        f"{result.per_bet:+.4%} of the initial bet; {result.mean_bet:.3f} units bet per round; "
        f"{strategy.system.name}, bets {strategy.ramp}, {len(strategy.indices.plays)} index plays",
        highlight=False,
    )
    ruin = f"risk of ruin with {bankroll:,.0f} units {result.risk_of_ruin(bankroll):.2%}"
    needed = bankroll_for_risk(result.value, result.std, SCORE_RISK)
    if result.n0 is None or needed is None:
        console.print(f"It does not win: no N0, no SCORE; {ruin}", highlight=False)
    else:
        console.print(
            f"N0 {result.n0:,.0f} rounds; c-SCORE {result.score:.2f}; DI {result.desirability:.2f}; {ruin} "
            f"({SCORE_RISK:.1%} with {needed:,.0f})",
            highlight=False,
        )
    console.print(_count_table(result))
    console.print(
        f"[dim]{result.rounds:,} rounds, seed {result.seed}, {result.seconds:.1f} s[/dim]", highlight=False
    )


def _count_table(result: CountingResult) -> Table:
    table = Table()
    for heading in ("count", "share", "bet", "per bet", "± error", "rounds"):
        table.add_column(heading, justify="right")
    for line in result.by_count:
        if line.share >= _LISTED_SHARE:
            error = "" if line.stderr is None else f"{line.stderr:.3%}"
            table.add_row(
                f"{line.count:+d}", f"{line.share:.2%}", f"{line.bet:g}", f"{line.value:+.3%}", error,
                f"{line.rounds:,}",
            )  # fmt: skip
    return table


def show_index_values(found: "IndexValues", top: int, *, as_json: bool) -> None:
    """Print the index plays that earn most."""
    if as_json:
        print_json(found.to_dict())
        return
    console = Console()
    print_rules(console, found.rules)
    table = Table(title="Units per 100 rounds over the chart without a count", title_justify="left")
    for heading in ("hand", "up-card", "play"):
        table.add_column(heading)
    for heading in ("computed", "played", "± error") if found.rounds else ("computed",):
        table.add_column(heading, justify="right")
    for value in found.values[:top]:
        played = (
            []
            if value.played is None
            else [f"{value.played.value:+.4f}", f"{value.played.stderr or 0.0:.4f}"]
        )
        table.add_row(value.row, value.up_card, value.text, f"{value.per_100:+.4f}", *played)
    console.print(table)
    listed = sum(value.per_100 for value in found.values[:top])
    total = found.all_played
    console.print(
        f"Listed {listed:+.4f}, all {len(found.values)} {found.per_100:+.4f}"
        + ("" if total is None else f", played {total.value:+.4f} ± {total.stderr or 0.0:.4f}"),
        highlight=False,
    )
    console.print(f"[dim]{found.system.name}, bets {found.ramp}[/dim]", highlight=False)


def show_mistakes(found: "MistakePrices", *, as_json: bool) -> None:
    """Print what mistakes cost, the most costly first."""
    if as_json:
        print_json(found.to_dict())
        return
    console = Console()
    print_rules(console, found.rules)
    table = Table(title="Units lost in 100 rounds", title_justify="left")
    table.add_column("mistake")
    for heading in ("one unit, exactly", "with your bets", "± error"):
        table.add_column(heading, justify="right")
    for price in found.prices:
        flat = "" if price.flat is None else f"{price.flat:.3f}"
        table.add_row(price.name, flat, f"{price.played.value:.3f}", f"{price.played.stderr or 0.0:.3f}")
    console.print(table)
    console.print(
        f"[dim]{found.system.name}, bets {found.ramp}; {found.rounds:,} rounds each, seed {found.seed}[/dim]",
        highlight=False,
    )


def show_side_counts(found: "list[SideCount]", *, as_json: bool) -> None:
    """Print what side bets are worth, and the counts that beat them."""
    rules = found[0].rules
    if as_json:
        print_json({"bets": [each.figures() for each in found], "rules": rules.model_dump(mode="json")})
        return
    console = Console()
    print_rules(console, rules)
    for each in found:
        table = Table(title=f"{each.bet.name}: {each.value:+.4%} of the bet", title_justify="left")
        for heading in ("the cards are", "pays", "chance"):
            table.add_column(heading, justify="left" if heading == "the cards are" else "right")
        for kind, chance in each.chances.items():
            table.add_row(kind, f"{each.bet.pays[kind]:g}:1" if each.bet.pays[kind] else "-", f"{chance:.6f}")
        console.print(table)
        for name, text in list(each.facts().items())[1:-1]:
            console.print(f"{name}: {text}", highlight=False)
        console.print(f"[dim]{each.bet.source}[/dim]\n", highlight=False)
