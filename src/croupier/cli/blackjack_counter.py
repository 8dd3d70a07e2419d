"""The card counter's commands of ``croupier blackjack``; what they do is imported when they are called."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import typer

from croupier.cli.blackjack_options import ChosenRules
from croupier.cli.devices import DeviceOption, StreamOption
from croupier.cli.option_groups import OptionGroup
from croupier.cli.options import ChosenSeed, JsonOption, WorkersOption, file_option
from croupier.cli.saving import Saving, saving_options
from croupier.errors import InputError
from croupier.numerics.devices import chosen_stream

if TYPE_CHECKING:
    from croupier.blackjack.counting.runs import IndexChoice
    from croupier.blackjack.counting.system import CountingSystem

EXAMPLES = {
    "count": "Example: croupier blackjack count --system ko --rounds 2000000 --seed 1",
    "profile": "Example: croupier blackjack profile --set decks=2 --rounds 2000000 --seed 1",
    "compare": "Example: croupier blackjack compare hi-lo hi-lo:none ko red-7:18 --set decks=2 --shoes 20000 --seed 1",
    "mistakes": "Example: croupier blackjack mistakes --set decks=6 --rounds 20000 --seed 1",
    "indices": "Example: croupier blackjack indices --set decks=6 --spread 8 --top 18",
    "side-counts": "Example: croupier blackjack side-counts over-13 lucky-ladies --set decks=6 --shoes 20000 --seed 1",
}


IndicesOption = Annotated[
    str,
    typer.Option(
        "--indices",
        help="Which plays change with the count: all, illustrious, none (no insurance either), or how many of those that earn most.",
        metavar="[all|illustrious|none|NUMBER]",
    ),
]

RoundingOption = Annotated[
    Literal["floor", "truncate", "nearest"],
    typer.Option("--rounding", help="How a true count becomes a whole number."),
]
EstimateOption = Annotated[
    int,
    typer.Option(
        "--estimate",
        min=1,
        max=52,
        help="Estimate the cards left to so many before dividing: 1 exactly, 26 half packs, 52 packs.",
    ),
]

SystemOption = Annotated[
    str,
    typer.Option("--system", help="The counting system, as in `croupier blackjack count`.", metavar="NAME"),
]
RampOption = Annotated[
    str | None,
    typer.Option("--ramp", help="Instead of a spread: bets as count:units.", metavar="1:1,2:2,3:4,4:8"),
]
SpreadOption = Annotated[
    int | None,
    typer.Option(
        "--spread", min=1, max=1000, help="The largest bet in units, 8 by default; the smallest is 1."
    ),
]


def _spread_of(spread: int | None, ramp: str | None) -> int:
    """Return the spread that is asked for; a ramp leaves none to ask for."""
    if spread is not None and ramp is not None:
        raise InputError("--ramp and --spread: name one of them")
    return 8 if spread is None else spread


class CounterOptions(TypedDict):
    """How cards are counted and played."""

    system: "CountingSystem"
    indices: "IndexChoice"
    rounding: Literal["floor", "truncate", "nearest"]
    estimate: int


def _counter(
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="The counting system: hi-lo (the default), ko, red-7, omega-ii, zen, hi-opt-i, hi-opt-ii or halves; "
            "omega-ii-aces, hi-opt-i-aces and hi-opt-ii-aces count aces apart for the bets.",
            metavar="NAME",
        ),
    ] = None,
    tags: Annotated[
        Path | None,
        file_option(
            "--tags",
            "Instead: a system of your own (TOML or JSON): tags by rank, if wanted name, initial, red and aces.",
        ),
    ] = None,
    indices: IndicesOption = "all",
    rounding: RoundingOption = "floor",
    estimate: EstimateOption = 1,
) -> CounterOptions:
    from croupier.blackjack.counting.runs import read_index_choice
    from croupier.cli.blackjack_counting import system_from_options

    return {
        "system": system_from_options(system, tags),
        "indices": read_index_choice(indices),
        "rounding": rounding,
        "estimate": estimate,
    }


Counter = Annotated[CounterOptions, OptionGroup(_counter)]


def count(
    *,
    counter: Counter,
    ramp: Annotated[
        str | None,
        typer.Option(
            "--ramp",
            help="Instead of a spread: bets as count:units from rising counts on.",
            metavar="1:1,2:2,3:4,4:8",
        ),
    ] = None,
    spread: SpreadOption = None,
    list_indices: Annotated[
        bool,
        typer.Option(
            "--list-indices", help="Print the indices and correlations, exactly computed, and play nothing."
        ),
    ] = False,
    card: Annotated[
        Path | None,
        file_option(
            "--card", "Draw chart, deviations and bets on one page (.pdf, .png or .svg), and play nothing."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many rounds to play.")] = 10_000_000,
    bankroll: Annotated[
        float,
        typer.Option("--bankroll", min=1, max=1e9, help="Units that may be lost, for the risk of ruin."),
    ] = 1000,
    device: DeviceOption = "cpu",
    stream: StreamOption = None,
    saving: Annotated[Saving, saving_options("blackjack count")],
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Count cards: bet and play by the count, and see what it wins, at which counts, and what it risks."""
    from croupier.blackjack.counting.runs import counting_plan
    from croupier.cli import blackjack_counting as counting

    plan = counting_plan(
        chosen,
        counter["system"],
        spread=_spread_of(spread, ramp),
        ramp=ramp,
        choice=counter["indices"],
        rounding=counter["rounding"],
        estimate=counter["estimate"],
        rounds=rounds,
        bankroll=bankroll,
        seed=seed,
        stream=chosen_stream(stream, device),
        device=device,
    )
    if card is not None:
        counting.draw_card(plan, card)
    elif list_indices:
        counting.show_indices(plan, as_json=as_json)
    else:
        counting.show_counting(plan, saving, as_json=as_json)


def profile(
    *,
    counter: Counter,
    spots: Annotated[
        int, typer.Option("--spots", min=1, max=3, help="The most places that you may play at once.")
    ] = 1,
    others: Annotated[int, typer.Option("--others", min=0, max=6, help="Places of other players.")] = 0,
    other_chart: Annotated[
        Path | None,
        file_option("--other-chart", "What the other players play (a chart file); by default as you do."),
    ] = None,
    miscounts: Annotated[
        float,
        typer.Option(
            "--miscounts",
            help="The chance, per round, that your running count is off by one until the shuffle.",
        ),
    ] = 0.0,
    misplays: Annotated[
        float,
        typer.Option("--misplays", help="The chance that you play a round by a chart with common mistakes."),
    ] = 0.0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many rounds to play.")] = 10_000_000,
    saving: Annotated[Saving, saving_options("blackjack profile")],
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Record what every count of a table is worth, once. Save it, then ask `croupier blackjack bets` about any bets."""
    from croupier.blackjack.counting.people import Slips
    from croupier.blackjack.solvers.chart import read_chart
    from croupier.cli.blackjack_profiles import ProfileRequest, show_profile

    chart = None if other_chart is None else read_chart(other_chart)
    request = ProfileRequest(chosen, counter, spots, others, rounds, seed, Slips(miscounts, misplays), chart)
    show_profile(request, saving, as_json=as_json)


def compare(
    *,
    systems: Annotated[
        list[str],
        typer.Argument(
            help="Names or files of counting systems, if wanted each with its indices, such as zen:18 or ko:none; "
            "the others are compared with the first.",
            metavar="SYSTEM[:INDICES]...",
        ),
    ],
    indices: IndicesOption = "all",
    rounding: RoundingOption = "floor",
    estimate: EstimateOption = 1,
    spread: Annotated[
        float, typer.Option("--spread", min=1, max=1e6, help="The largest bet in units; the smallest is 1.")
    ] = 8,
    shoes: Annotated[int, typer.Option("--shoes", min=1, help="Shoes dealt to every system.")] = 200_000,
    workers: WorkersOption = None,
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Deal the same shoes to counting systems, and compare what each wins with its own best bets."""
    from croupier.blackjack.counting.system_comparison import compare_systems
    from croupier.cli.blackjack_profiles import compared_systems, show_comparison
    from croupier.cli.progress import progress_bar

    named = compared_systems(systems, indices)
    with progress_bar("playing", unit="rounds") as report:
        found = compare_systems(
            chosen,
            [system for system, _ in named],
            indices=[choice for _, choice in named],
            rounding=rounding,
            estimate=estimate,
            spread=spread,
            shoes=shoes,
            seed=seed,
            workers=workers,
            progress=report,
        )
    show_comparison(found, as_json=as_json)


def indices(
    *,
    system: SystemOption = "hi-lo",
    ramp: RampOption = None,
    spread: SpreadOption = None,
    top: Annotated[int, typer.Option("--top", min=1, max=400, help="How many plays to list.")] = 18,
    play: Annotated[
        bool,
        typer.Option(
            "--play", help="Also play each of them: rounds with it and without it, on the same cards."
        ),
    ] = False,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="With --play: how many rounds each is dealt.")
    ] = 2_000_000,
    workers: WorkersOption = None,
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """List the index plays that earn most, in units per 100 rounds: your eighteen, for your rules and bets."""
    from croupier.blackjack.counting.index_values import index_values
    from croupier.cli.blackjack_counting import show_index_values
    from croupier.cli.progress import status_line

    with status_line("computing the indices"):
        found = index_values(
            chosen,
            system,
            spread=_spread_of(spread, ramp),
            ramp=ramp,
            play_best=top if play else 0,
            rounds=rounds,
            seed=seed,
            workers=workers,
        )
    show_index_values(found, top, as_json=as_json)


def mistakes(
    *,
    system: SystemOption = "hi-lo",
    ramp: RampOption = None,
    spread: SpreadOption = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="How many rounds each mistake is dealt.")
    ] = 2_000_000,
    workers: WorkersOption = None,
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Price common mistakes at the table, with the count and with the bets, in units per 100 rounds."""
    from croupier.blackjack.counting.mistake_prices import mistake_prices
    from croupier.cli.blackjack_counting import show_mistakes
    from croupier.cli.progress import status_line

    with status_line("pricing mistakes"):
        found = mistake_prices(
            chosen,
            system,
            spread=_spread_of(spread, ramp),
            ramp=ramp,
            rounds=rounds,
            seed=seed,
            workers=workers,
        )
    show_mistakes(found, as_json=as_json)


def side_counts(
    *,
    bets: Annotated[
        list[str] | None,
        typer.Argument(
            help="lucky-ladies, lucky-ladies-a, royal-match, over-13, under-13, lucky-lucky or lucky-lucky-2; by default all.",
            metavar="[BET]...",
        ),
    ] = None,
    level: Annotated[int, typer.Option("--level", min=1, max=4, help="The largest tag of the count.")] = 2,
    shoes: Annotated[
        int,
        typer.Option("--shoes", min=0, max=10_000_000, help="Also deal so many shoes, to see what it wins."),
    ] = 0,
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Say what side bets of casino floors are exactly worth, which count beats each, from where on, and what that wins."""
    from croupier.blackjack.counting.side_counts import side_count
    from croupier.blackjack.solvers.casino_side_bets import CASINO_SIDE_BETS
    from croupier.cli.blackjack_counting import show_side_counts

    found = [side_count(bet, chosen, level=level, shoes=shoes, seed=seed) for bet in bets or CASINO_SIDE_BETS]
    show_side_counts(found, as_json=as_json)
