"""``croupier blackjack``: the commands and their options; what they do is imported when they are called."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from croupier.blackjack.engine import BLACKJACK, SideBets, verify_side_bets
from croupier.cli.blackjack_session import BlackjackSession
from croupier.cli.options import (
    JsonOption,
    PresetOption,
    RulesOption,
    SeedOption,
    SetOption,
    help_without_command,
)
from croupier.lab.streams import fresh_seed

app = typer.Typer(epilog="Example: croupier blackjack edge --set decks=6 --set soft17=hit")


@app.callback(invoke_without_command=True)
def blackjack(context: typer.Context) -> None:
    """Blackjack: play, and exact odds for any rules and any shoe."""
    help_without_command(context)


@app.command(epilog="Example: croupier blackjack play --preset downtown --coach")
def play(
    seats: Annotated[int, typer.Option("--hands", min=1, max=7, help="How many hands you play at once.")] = 1,
    bankroll: Annotated[float, typer.Option("--bankroll", min=1, max=1e9, help="What you start with.")] = 100,
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
    coach: Annotated[
        bool, typer.Option("--coach", help="Say after each choice what it was worth and cost.")
    ] = False,
    seed: SeedOption = None,
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
) -> None:
    """Play in the terminal: hit, stand, double, split, insure, surrender; with a coach who counts every card."""
    chosen = BLACKJACK.load(preset, rules, set_ or ())
    side_bets = SideBets(perfect_pairs, twenty_one_plus_three)
    verify_side_bets(chosen, side_bets)
    adviser = None
    if coach:
        from croupier.cli.blackjack_coach import Coach

        adviser = Coach(chosen)
    session = BlackjackSession(
        console=Console(),
        rules=chosen,
        seats=seats,
        bankroll=bankroll,
        usual_bet=bet,
        seed=fresh_seed() if seed is None else seed,
        side_bets=side_bets,
        coach=adviser,
    )
    session.run()


@app.command(epilog="Example: croupier blackjack edge --preset european --hands hands.csv")
def edge(
    hands: Annotated[
        Path | None,
        typer.Option(
            "--hands",
            help="Also write every first two cards against every up-card to this CSV file: how often, best action, what each is worth.",
            metavar="FILE",
        ),
    ] = None,
    removal: Annotated[
        bool,
        typer.Option(
            "--removal", help="Also print what taking one card of each rank out of the shoe changes."
        ),
    ] = False,
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the exact value of the game: of the best chart and of composition-dependent play, by up-card, with its spread."""
    chosen = BLACKJACK.load(preset, rules, set_ or ())
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_edge(chosen, hands, removal=removal, as_json=as_json)


@app.command(
    "side-bets", epilog="Example: croupier blackjack side-bets --preset downtown --removed 'AS 8H 8D'"
)
def side_bets(
    removed: Annotated[
        str, typer.Option("--removed", help="Cards known to be out of the shoe, with suits.", metavar="CARDS")
    ] = "",
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what perfect pairs, 21+3 and insurance are exactly worth, from the full shoe or without some cards."""
    chosen = BLACKJACK.load(preset, rules, set_ or ())
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_side_bets(chosen, removed, as_json=as_json)


@app.command(epilog="Example: croupier blackjack chart --preset downtown --csv chart.csv")
def chart(
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Also write the chart to this file.", metavar="FILE")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            help="Judge this chart (CSV or JSON) instead: what cannot be played, and what it is worth.",
            metavar="FILE",
        ),
    ] = None,
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compute the best chart of the rules and print it, or judge a chart of your own."""
    chosen = BLACKJACK.load(preset, rules, set_ or ())
    from croupier.cli import blackjack_analysis

    if check is not None:
        blackjack_analysis.show_check(chosen, check, as_json=as_json)
    else:
        blackjack_analysis.show_chart(chosen, csv, as_json=as_json)


@app.command(epilog="Example: croupier blackjack ev 8,8 T --set surrender=late --removed 8,8,T")
def ev(
    hand: Annotated[str, typer.Argument(help="Ranks, such as 8,8 or A,2,4.")],
    up_card: Annotated[str, typer.Argument(help="The dealer's up-card, such as T or A.", metavar="UP")],
    removed: Annotated[
        str, typer.Option("--removed", help="Cards known to be out of the shoe.", metavar="RANKS")
    ] = "",
    preset: PresetOption = None,
    rules: RulesOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what every legal action is worth with a hand against an up-card."""
    chosen = BLACKJACK.load(preset, rules, set_ or ())
    from croupier.cli import blackjack_analysis

    blackjack_analysis.show_values(chosen, hand, up_card, removed, as_json=as_json)
