"""``croupier banluck``: the commands and their options; what they do is imported when they are called."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from croupier.banluck.engine import BANLUCK, BanluckRules, DealtHand, narrate
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.cards import Shoe, parse_cards
from croupier.cli.devices import DeviceOption, StreamOption
from croupier.cli.option_groups import Commands
from croupier.cli.options import (
    BankrollOption,
    CardsOption,
    ChosenSeed,
    CoachOption,
    JsonOption,
    WorkersOption,
    file_option,
    rule_options,
)
from croupier.cli.saving import Saving, saving_options
from croupier.errors import InputError
from croupier.numerics.devices import chosen_stream
from croupier.numerics.streams import RandomStream

app = Commands(
    "Banluck (Chinese blackjack): one dealer, one to seven players.",
    epilog="Example: croupier banluck play --as dealer --players 3",
)

ChosenRules = Annotated[BanluckRules, rule_options(BANLUCK, "reveal=none")]


ToleranceOption = Annotated[
    float | None,
    typer.Option(
        "--tolerance",
        help="Stop when the certified interval is no wider than this (1e-7), or nobody at a table of several can gain more (1e-6 for two players, 1e-4 up to four, 1e-3 up to seven).",
    ),
]
PlayersOption = Annotated[int, typer.Option("--players", min=1, max=7, help="How many players are seated.")]
InformationOption = Annotated[
    Literal["full", "counts"] | None,
    typer.Option(
        "--information",
        help="What two players and the dealer decide on: all that is public (full), or without the cards of busts and opened hands (counts).",
    ),
]
SampleSeedOption = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="The seed of sampled deals, for three players and more (0)."),
]


@app.command(epilog="Example: croupier banluck play --as dealer --players 3 --set reveal=mandatory")
def play(
    *,
    role: Annotated[Role, typer.Option("--as", help="Sit down as a player or hold the bank.")] = Role.PLAYER,
    players: PlayersOption = 1,
    bankroll: BankrollOption = 100,
    bet: Annotated[float, typer.Option("--bet", min=0.01, help="The usual bet.")] = 5,
    opponent: Annotated[
        OpponentName,
        typer.Option("--opponent", help="Who plays the other side: rules of thumb, or the equilibrium."),
    ] = OpponentName.SIMPLE,
    coach: CoachOption = False,
    cards: CardsOption = "",
    wait: Annotated[
        bool,
        typer.Option("--wait", help="Solve a table of several players before the first hand, not beside it."),
    ] = False,
    seed: ChosenSeed,
    chosen: ChosenRules,
) -> None:
    """Play in the terminal, as a player or as the dealer, against rules of thumb or against the equilibrium."""
    from croupier.banluck.play.session import Seating
    from croupier.banluck.play.solutions import SOLUTIONS
    from croupier.banluck.play.table import BanluckTable
    from croupier.banluck.play.table_solutions import TABLE_SOLUTIONS
    from croupier.cli.banluck_session import BanluckSession
    from croupier.cli.progress import status_line

    seating = Seating(chosen, role, players, opponent, bankroll)
    table = BanluckTable.opened(
        seating,
        seed=seed,
        coach=coach,
        usual_bet=bet,
        judged=coach,
        first_cards=parse_cards(cards),
    )
    if coach or opponent is OpponentName.EQUILIBRIUM:
        with status_line("solving these rules"):
            SOLUTIONS.solve_for_table(chosen)
            if wait and players > 1:
                TABLE_SOLUTIONS.solve(chosen, players)
    table.prepare()
    BanluckSession(Console(), table).run()


@app.command(epilog="Example: croupier banluck watch --hands 3 --players 2 --seed 8")
def watch(
    *,
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands.")] = 1,
    players: PlayersOption = 1,
    cards: CardsOption = "",
    seed: ChosenSeed,
    chosen: ChosenRules,
) -> None:
    """Watch hands with all cards open: players who stand on the minimum against the classic dealer."""
    player, dealer = stand_on(chosen.player_minimum, chosen), classic_dealer(chosen)
    first_cards = parse_cards(cards)
    for hand in range(1, hands + 1):
        stream = RandomStream((seed, hand, 1))
        shoe = Shoe.stacked(first_cards if hand == 1 else (), (seed, hand))
        table = DealtHand.opened(chosen, shoe, players)
        while not table.state.is_over:
            table = table.act(choose_action(table.state, player, dealer, stream))
        typer.echo(f"Hand {hand} (seed {seed})")
        for sentence in narrate(table.state):
            typer.echo(f"  {sentence}")


@app.command(epilog="Example: croupier banluck solve --set reveal=none --json")
def solve(
    *,
    players: PlayersOption = 1,
    algorithm: Annotated[
        Algorithm, typer.Option("--algorithm", help="How to solve the game of one player.")
    ] = Algorithm.PCFR_PLUS,
    tolerance: ToleranceOption = None,
    save: Annotated[
        Path | None, file_option("--save", "Keep the run in this file; if it is there, resume it.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Write both strategies as CSV and JSON.", metavar="FOLDER"),
    ] = None,
    information: InformationOption = None,
    seed: SampleSeedOption = None,
    workers: WorkersOption = None,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Solve the game for all sides: its values, and what anybody could gain by playing otherwise."""
    if players > 1:
        if export is not None:
            raise InputError("--export is for one player")
        from croupier.cli.banluck_table_solving import TableRequest, show_table_solution

        request = TableRequest(chosen, players, tolerance, save, seed, workers, information)
        show_table_solution(request, as_json=as_json)
        return
    if information is not None:
        raise InputError("--information is for two players and more; one player sees no others")
    if seed is not None or workers is not None:
        raise InputError("--seed and --workers are for three players and more; fewer are solved exactly")
    from croupier.cli import banluck_analysis

    tolerance = 1e-7 if tolerance is None else tolerance
    banluck_analysis.show_solution(chosen, algorithm, tolerance, save, export, as_json=as_json)


@app.command(epilog="Example: croupier banluck baseline --preset singapore")
def baseline(
    *,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Find the player's best play against the classic dealer, by backward induction."""
    from croupier.cli import banluck_analysis

    banluck_analysis.show_baseline(chosen, as_json=as_json)


@app.command(epilog="Example: croupier banluck chart --preset mandatory-reveal --pdf card.pdf")
def chart(
    *,
    pdf: Annotated[
        Path | None, file_option("--pdf", "Also draw charts, special hands and rules on a page to print.")
    ] = None,
    png: Annotated[Path | None, file_option("--png", "The same as a picture.")] = None,
    svg: Annotated[Path | None, file_option("--svg", "The same as a drawing.")] = None,
    players: PlayersOption = 1,
    tolerance: ToleranceOption = None,
    save: Annotated[
        Path | None,
        file_option("--save", "Keep the run of several players in this file; if it is there, resume it."),
    ] = None,
    information: InformationOption = None,
    seed: SampleSeedOption = None,
    workers: WorkersOption = None,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Print the charts that a person can memorise, and what playing by them costs."""
    pictures = {form: path for form, path in (("pdf", pdf), ("png", png), ("svg", svg)) if path is not None}
    if players > 1:
        if pictures:
            raise InputError("--pdf, --png and --svg are for one player")
        from croupier.cli.banluck_table_solving import TableRequest, show_table_charts

        request = TableRequest(chosen, players, tolerance, save, seed, workers, information)
        show_table_charts(request, as_json=as_json)
        return
    if any(option is not None for option in (save, information, seed, workers)):
        raise InputError("--save, --information, --seed and --workers are for several players")
    from croupier.cli import banluck_analysis

    banluck_analysis.show_chart(chosen, 1e-7 if tolerance is None else tolerance, pictures, as_json=as_json)


@app.command(epilog="Example: croupier banluck explain T-6")
def explain(
    *,
    hand: Annotated[str, typer.Argument(help="Ranks or cards: A-6, T6, 'K 6', 'KS 6H'.")],
    side: Annotated[Role, typer.Option("--side", help="Whose hand it is.")] = Role.PLAYER,
    player_cards: Annotated[
        int,
        typer.Option("--player-cards", min=2, max=5, help="For the dealer: how many cards the player holds."),
    ] = 2,
    players: PlayersOption = 1,
    counts: Annotated[
        str,
        typer.Option(
            "--counts",
            help="For the dealer of several players: how many cards they hold, such as 2,3.",
            metavar="COUNTS",
        ),
    ] = "",
    tolerance: ToleranceOption = None,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Explain a decision: what each action is worth, how it ends, against what, and why.

    With several players: what each seat does with the hand, by what it sees of the others, beside the game of one player.
    """
    if players > 1:
        from croupier.cli.banluck_table_answers import show_table_explanation

        show_table_explanation(
            chosen, players, hand, counts if side is Role.DEALER else None, tolerance, as_json=as_json
        )
        return
    if counts:
        raise InputError("--counts is for several players; say --player-cards for one")
    from croupier.cli import banluck_analysis

    seen = player_cards if side is Role.DEALER else None
    banluck_analysis.show_explanation(
        chosen, hand, seen, 1e-7 if tolerance is None else tolerance, as_json=as_json
    )


@app.command(epilog="Example: croupier banluck simulate --hands 2000000 --dealer classic --seed 1")
def simulate(
    *,
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands to deal.")] = 10_000_000,
    players: PlayersOption = 1,
    player: Annotated[
        str,
        typer.Option(
            "--player", help="equilibrium, baseline, chart, or stand-on-16 (any total).", metavar="NAME"
        ),
    ] = "equilibrium",
    dealer: Annotated[
        str, typer.Option("--dealer", help="equilibrium or classic.", metavar="NAME")
    ] = "equilibrium",
    device: DeviceOption = "cpu",
    stream: StreamOption = None,
    saving: Annotated[Saving, saving_options("banluck simulate")],
    seed: ChosenSeed,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Deal real cards between two strategies and count: the Monte Carlo answer."""
    if players > 1:
        is_saved = saving.save or saving.resume is not None
        if (player, dealer) != ("equilibrium", "equilibrium") or is_saved or saving.cluster is not None:
            raise InputError("--player, --dealer, --save, --resume and --cluster are for one player")
        from croupier.cli.banluck_table_solving import TableRequest, show_table_simulation

        request = TableRequest(chosen, players, workers=saving.workers)
        played_on = chosen_stream(stream, device)
        show_table_simulation(request, hands, seed, stream=played_on, device=device, as_json=as_json)
        return
    from croupier.banluck.analysis.runs import SimulationPlan
    from croupier.cli.banluck_simulation import show_simulation

    plan = SimulationPlan(
        chosen, player, dealer, hands, seed, stream=chosen_stream(stream, device), device=device
    )
    show_simulation(plan, saving, as_json=as_json)


@app.command(epilog="Example: croupier banluck research --preset singapore")
def research(
    *,
    players: PlayersOption = 1,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Also solve with every option changed, for one player.")
    ] = False,
    chosen: ChosenRules,
    as_json: JsonOption = False,
) -> None:
    """Answer the standing questions with figures: reveal, surrender, thresholds, 16s, bankroll, and more.

    With several players: whom to open, the best seat, a rule to remember, careless dealers, and more. Tables are solved once and kept.
    """
    if players > 1:
        if sensitivity:
            raise InputError("--sensitivity is for one player")
        from croupier.cli.banluck_table_answers import show_table_research

        show_table_research(chosen, players, as_json=as_json)
        return
    from croupier.cli import banluck_analysis

    banluck_analysis.show_research(chosen, sensitivity=sensitivity, as_json=as_json)


@app.command(epilog="Example: croupier banluck report --out report --no-pairs")
def report(
    *,
    out: Annotated[
        Path,
        typer.Option("--out", help="The folder to write to; it is made if it is missing.", metavar="FOLDER"),
    ],
    pairs: Annotated[
        bool, typer.Option("--pairs/--no-pairs", help="Also solve with every two options changed.")
    ] = True,
    players: PlayersOption = 1,
    chosen: ChosenRules,
) -> None:
    """Write one self-contained HTML page with charts, look-up, convergence, sensitivity and answers; figures and tables too."""
    from croupier.cli import banluck_analysis

    banluck_analysis.make_report(chosen, out, players, pairs=pairs)
