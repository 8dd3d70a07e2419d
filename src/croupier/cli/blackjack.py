"""``croupier blackjack``: the commands and their options; what they do is imported when they are called."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

from croupier.blackjack.engine import SideBets, verify_side_bets
from croupier.cli import blackjack_bets, blackjack_counter
from croupier.cli.blackjack_options import ChosenRules
from croupier.cli.devices import DeviceOption, StreamOption
from croupier.cli.option_groups import Commands, OptionGroup
from croupier.cli.options import (
    BankrollOption,
    ChosenSeed,
    CoachOption,
    JsonOption,
    file_option,
)
from croupier.cli.saving import Saving, saving_options
from croupier.numerics.devices import chosen_stream

if TYPE_CHECKING:
    from croupier.blackjack.evolution.runs import BreedingOptions

app = Commands(
    "Blackjack: play, and exact odds for any rules and any shoe.",
    epilog="Example: croupier blackjack edge --set decks=6 --set soft17=hit",
)


@app.command(epilog="Example: croupier blackjack play --preset downtown --coach")
def play(
    *,
    hands: Annotated[int, typer.Option("--hands", min=1, max=7, help="How many hands you play at once.")] = 1,
    bankroll: BankrollOption = 100,
    bet: Annotated[float, typer.Option("--bet", min=0.01, max=1e9, help="The usual bet.")] = 5,
    perfect_pairs: Annotated[
        float,
        typer.Option(
            "--perfect-pairs", min=0, max=1e9, help="Side bet of every round on a pair, on each hand."
        ),
    ] = 0,
    twenty_one_plus_three: Annotated[
        float,
        typer.Option(
            "--21+3",
            min=0,
            max=1e9,
            help="Side bet of every round on a poker hand with the up-card, on each hand.",
        ),
    ] = 0,
    lucky_ladies: Annotated[
        float,
        typer.Option(
            "--lucky-ladies",
            min=0,
            max=1e9,
            help="Side bet of every round on a 20 of the first two cards, on each hand.",
        ),
    ] = 0,
    royal_match: Annotated[
        float,
        typer.Option(
            "--royal-match",
            min=0,
            max=1e9,
            help="Side bet of every round on two first cards of one suit, on each hand.",
        ),
    ] = 0,
    over_13: Annotated[
        float,
        typer.Option(
            "--over-13",
            min=0,
            max=1e9,
            help="Side bet of every round on first two cards over 13, an ace as one, on each hand.",
        ),
    ] = 0,
    under_13: Annotated[
        float,
        typer.Option(
            "--under-13",
            min=0,
            max=1e9,
            help="Side bet of every round on first two cards under 13, an ace as one, on each hand.",
        ),
    ] = 0,
    lucky_lucky: Annotated[
        float,
        typer.Option(
            "--lucky-lucky",
            min=0,
            max=1e9,
            help="Side bet of every round on 7-7-7, 6-7-8 or 19 to 21 with the up-card, on each hand.",
        ),
    ] = 0,
    coach: CoachOption = False,
    seed: ChosenSeed,
    chosen: ChosenRules,
) -> None:
    """Play in the terminal: hit, stand, double, split, insure, surrender; with a coach who counts every card."""
    side_bets = SideBets(
        perfect_pairs, twenty_one_plus_three, lucky_ladies, royal_match, over_13, under_13, lucky_lucky
    )
    verify_side_bets(chosen, side_bets)
    from croupier.blackjack.play.table import BlackjackTable
    from croupier.cli.blackjack_session import BlackjackSession

    table = BlackjackTable.opened(chosen, seed=seed, bankroll=bankroll, is_priced=coach)
    if coach:
        table.set_coach(True)
    BlackjackSession(Console(), table, seed, hands, bet, side_bets).run()


@app.command(epilog="Example: croupier blackjack train true-count --set decks=6 --questions 20 --seed 1")
def train(
    *,
    exercise: Annotated[
        Literal["strategy", "deviations", "count", "true-count", "bets", "shoe"],
        typer.Argument(
            help="What to train: the chart, deviations, the running or true count, bets, or all in a shoe."
        ),
    ] = "strategy",
    system: Annotated[
        str, typer.Option("--system", help="The counting system, such as hi-lo or ko.", metavar="NAME")
    ] = "hi-lo",
    focus: Annotated[
        Literal["all", "hard", "soft", "pairs"],
        typer.Option("--focus", help="The part of the chart that is drilled."),
    ] = "all",
    questions: Annotated[
        int, typer.Option("--questions", min=0, help="Leave after so many answers; 0 goes on until you quit.")
    ] = 0,
    file: Annotated[
        Path | None,
        file_option(
            "--file", "Keep progress in this file; by default one in your data folder for each rule set."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget earlier progress.")] = False,
    seed: ChosenSeed,
    chosen: ChosenRules,
) -> None:
    """Train in the terminal: every mistake is priced, what you miss comes back, and progress is kept."""
    from croupier.cli.blackjack_training import TrainingRequest
    from croupier.cli.blackjack_training import train as train_person

    train_person(TrainingRequest(chosen, exercise, system, focus, questions, seed, file, fresh))


@app.command(epilog="Example: croupier blackjack edge --preset european --csv hands.csv")
def edge(
    *,
    csv: Annotated[
        Path | None,
        file_option(
            "--csv",
            "Also write every first two cards against every up-card to this file: how often, best action, what each is worth.",
        ),
    ] = None,
    hands: Annotated[  # the name that --csv had in 0.1
        Path | None, typer.Option("--hands", hidden=True, metavar="FILE")
    ] = None,
    removal: Annotated[
        bool,
        typer.Option(
            "--removal", help="Also print what taking one card of each rank out of the shoe changes."
        ),
    ] = False,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Print the exact value of the game and its standard deviation: of the best chart, and of the best play by every card."""
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_edge(chosen, csv or hands, removal=removal, as_json=as_json)


@app.command(
    "side-bets", epilog="Example: croupier blackjack side-bets --preset downtown --removed 'AS 8H 8D'"
)
def side_bets(
    *,
    removed: Annotated[
        str, typer.Option("--removed", help="Cards known to be out of the shoe, with suits.", metavar="CARDS")
    ] = "",
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Print what the side bets and insurance are exactly worth, from the full shoe or without some cards."""
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_side_bets(chosen, removed, as_json=as_json)


@app.command(epilog="Example: croupier blackjack chart --preset downtown --csv chart.csv")
def chart(
    *,
    csv: Annotated[Path | None, file_option("--csv", "Also write the chart to this file.")] = None,
    pdf: Annotated[Path | None, file_option("--pdf", "Also draw it on a page to print.")] = None,
    png: Annotated[Path | None, file_option("--png", "The same as a picture.")] = None,
    svg: Annotated[Path | None, file_option("--svg", "The same as a drawing.")] = None,
    check: Annotated[
        Path | None,
        file_option(
            "--check", "Judge this chart (CSV or JSON) instead: what cannot be played, and what it is worth."
        ),
    ] = None,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Compute the best chart of the rules and print it, or judge a chart of your own."""
    if check is not None:
        from croupier.cli.blackjack_analysis import show_check

        show_check(chosen, check, as_json=as_json)
    else:
        from croupier.cli.blackjack_chart import show_chart

        pictures = {
            form: path for form, path in (("pdf", pdf), ("png", png), ("svg", svg)) if path is not None
        }
        show_chart(chosen, csv, pictures, as_json=as_json)


@app.command(epilog="Example: croupier blackjack ev 8,8 T --set surrender=late --removed 8,8,T")
def ev(
    *,
    hand: Annotated[str, typer.Argument(help="Ranks, such as 8,8 or A,2,4.")],
    up_card: Annotated[
        str,
        typer.Argument(
            help="The dealer's up-card, such as T or A; both cards, such as T,6, where they lie open.",
            metavar="UP",
        ),
    ],
    removed: Annotated[
        str, typer.Option("--removed", help="Cards known to be out of the shoe.", metavar="RANKS")
    ] = "",
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Print what every legal action is worth with a hand against an up-card."""
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_values(chosen, hand, up_card, removed, as_json=as_json)


@app.command(epilog="Example: croupier blackjack simulate --preset downtown --rounds 2000000 --seed 1")
def simulate(
    *,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, help="How many rounds to play; ten million unless an end is named."),
    ] = None,
    shoes: Annotated[
        int | None,
        typer.Option("--shoes", min=1, help="Instead: how many shoes to play, each to its cut card."),
    ] = None,
    target_stderr: Annotated[
        float | None,
        typer.Option(
            "--target-stderr",
            help="Instead: play until the standard error is no larger, such as 0.0001 of the initial bet.",
            metavar="ERROR",
        ),
    ] = None,
    strategy: Annotated[
        Path | None,
        file_option("--strategy", "The chart to play (CSV or JSON); by default the best one, computed."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Refuse a chart with advice that the rules do not allow, instead of listing it."
        ),
    ] = False,
    seats: Annotated[
        int, typer.Option("--seats", min=1, max=7, help="How many players, all by the chart.")
    ] = 1,
    side_bets: Annotated[
        bool, typer.Option("--side-bets", help="Also count the side bets, as bets of one unit each.")
    ] = False,
    cells: Annotated[
        Path | None,
        file_option("--cells", "Write the result of every hand against every up-card as CSV."),
    ] = None,
    device: DeviceOption = "cpu",
    stream: StreamOption = None,
    saving: Annotated[Saving, saving_options("blackjack simulate")],
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Play a chart over many rounds, from real shoes: its value with an error bar, how hands ended, rounds a shoe."""
    from croupier.blackjack.simulation.runs import SimulationPlan, length_of
    from croupier.blackjack.solvers.chart import read_chart
    from croupier.cli.blackjack_simulation import show_simulation

    plan = SimulationPlan(
        chosen,
        None if strategy is None else read_chart(strategy),
        length_of(rounds, shoes, target_stderr),
        seats,
        side_bets,
        seed,
        chosen_stream(stream, device),
        device=device,
    )
    show_simulation(plan, saving, cells, strict=strict, as_json=as_json)


def _breeding(
    population: Annotated[
        int | None,
        typer.Option(
            "--population",
            min=1,
            help="Columns that live at once, for each up-card; 80 by default, 40 with simulated fitness.",
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            "--generations", min=1, help="End at this generation; 150 by default, 48 with simulated fitness."
        ),
    ] = None,
    tournament: Annotated[
        int, typer.Option("--tournament", help="Of how many columns the best is a parent.")
    ] = 3,
    elite: Annotated[int, typer.Option("--elite", help="How many of the best live on unchanged.")] = 2,
    mutations: Annotated[
        float, typer.Option("--mutations", help="How many genes of a child change, on average.")
    ] = 1.0,
    patience: Annotated[
        int,
        typer.Option(
            "--patience", help="End after this many generations without a better chart; 0 is never."
        ),
    ] = 25,
) -> "BreedingOptions":
    return {
        "population": population,
        "generations": generations,
        "tournament": tournament,
        "elite": elite,
        "mutations": mutations,
        "patience": patience,
    }


@app.command(epilog="Example: croupier blackjack evolve --set decks=infinite --generations 4 --plot run.png")
def evolve(
    *,
    fitness: Annotated[
        str,
        typer.Option(
            "--fitness",
            help="How charts are judged: exact, or simulated with the same cards for all.",
            metavar="KIND",
        ),
    ] = "exact",
    rounds: Annotated[
        int,
        typer.Option("--rounds", help="With simulated fitness: rounds of the last races, for each up-card."),
    ] = 1_000_000,
    refine: Annotated[
        int,
        typer.Option(
            "--refine",
            help="With simulated fitness: at the end, try every other code in every cell, over up to so many rounds.",
            metavar="ROUNDS",
        ),
    ] = 0,
    device: DeviceOption = "cpu",
    breeding: Annotated["BreedingOptions", OptionGroup(_breeding)],
    csv: Annotated[Path | None, file_option("--csv", "Also write the chart to this file.")] = None,
    plot: Annotated[Path | None, file_option("--plot", "Draw the run: .png, .svg or .pdf.")] = None,
    animation: Annotated[
        Path | None, file_option("--animation", "Show the chart as it changed: .gif.")
    ] = None,
    saving: Annotated[Saving, saving_options("blackjack evolve", on_clusters=False)],
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Breed charts by selection, crossover and mutation, and say what the best of them loses to the exact optimum."""
    from croupier.blackjack.evolution.runs import evolution_plan
    from croupier.cli.blackjack_evolution import Outputs, show_evolution

    plan = evolution_plan(chosen, fitness=fitness, rounds=rounds, refine_rounds=refine, seed=seed, **breeding)
    show_evolution(plan, saving, Outputs(csv, plot, animation), device, as_json=as_json)


for _name, _example in blackjack_counter.EXAMPLES.items():
    app.command(_name, epilog=_example)(getattr(blackjack_counter, _name.replace("-", "_")))
app.command(
    "bets", epilog="Example: croupier blackjack bets --spread 8 --bankroll 10000 --unit 10 --hours 40"
)(blackjack_bets.bets)
