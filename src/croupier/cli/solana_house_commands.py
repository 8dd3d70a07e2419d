"""``croupier solana house`` and ``bankroll``: the house that plays with strangers."""

from typing import Annotated

import typer

from croupier.cli.options import JsonOption
from croupier.cli.solana_options import BothSides, app


@app.command(epilog="Example: croupier solana house --once")
def house(
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Answer what is open, offer games again, and end.")
    ] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show the state of the house.")] = False,
    close: Annotated[
        bool,
        typer.Option("--close", help="Take all offers back; the rent of the house's account comes back."),
    ] = False,
    capacity: Annotated[
        int,
        typer.Option("--capacity", min=1, max=255, help="Games on offer at a time; fixed when it is opened."),
    ] = 32,
    games_per_hour: Annotated[
        int, typer.Option("--games-per-hour", min=0, help="New games on offer in an hour.")
    ] = 240,
    daily_budget: Annotated[
        float,
        typer.Option(
            "--daily-budget", min=0, max=10**6, help="SOL for fees a day; beyond it no game is offered."
        ),
    ] = 0.1,
    most_price: Annotated[
        int,
        typer.Option(
            "--most-price",
            min=0,
            help="The highest priority fee, in millionths of a lamport per compute unit.",
        ),
    ] = 1_000_000,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Run the house for strangers: offer games on the chain, and answer every request, until Ctrl-C.

    It can be killed at any time: everything that it has to do next stands on the chain.
    """
    from croupier.cli import solana_house

    solana_house.run_house(
        seat,
        solana_house.limits(capacity, games_per_hour, daily_budget, most_price),
        "close" if close else "show" if status else "once" if once else "serve",
        as_json=as_json,
    )


@app.command(epilog="Example: croupier solana bankroll --deposit 1 --most-bet 0.05")
def bankroll(
    *,
    deposit: Annotated[
        float,
        typer.Option("--deposit", min=0, max=10**6, help="Pay in this many SOL; the first time opens it."),
    ] = 0,
    withdraw: Annotated[
        float, typer.Option("--withdraw", min=0, max=10**6, help="Take out this many SOL.")
    ] = 0,
    least_bet: Annotated[
        float | None, typer.Option("--least-bet", min=0, max=10**6, help="The smallest bet in SOL.")
    ] = None,
    most_bet: Annotated[
        float | None, typer.Option("--most-bet", min=0, max=10**6, help="The largest bet in SOL.")
    ] = None,
    bond: Annotated[
        float | None,
        typer.Option(
            "--bond",
            min=0,
            max=10**6,
            help="SOL that the house puts into each game beyond the bet, and loses if it does not answer.",
        ),
    ] = None,
    reserve: Annotated[
        float | None,
        typer.Option(
            "--reserve", min=0, max=10**6, help="SOL that stay; no bet is taken that would need them."
        ),
    ] = None,
    close: Annotated[
        bool, typer.Option("--close", help="Close it and take everything out; all games must be settled.")
    ] = False,
    seat: BothSides,
    as_json: JsonOption = False,
) -> None:
    """Show or change the account from which the house covers bets. For test networks; the law may forbid more."""
    from croupier.cli import solana_bankroll

    changes = solana_bankroll.BankrollChanges(deposit, withdraw, least_bet, most_bet, bond, reserve, close)
    solana_bankroll.change_bankroll(seat, changes, as_json=as_json)
