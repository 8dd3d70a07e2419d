"""The work of ``croupier solana house``."""

import asyncio
from dataclasses import asdict
from typing import Literal

import typer

from croupier.cli.json_output import print_json
from croupier.cli.solana_bankroll import bankroll_fields, bankroll_text
from croupier.cli.solana_chain import LAMPORTS, until_signal
from croupier.cli.solana_seat import Seat
from croupier.solana.house_service import FIRST_PRICE, HouseService, HouseState, Limits
from croupier.solana.private_files import only_process

Task = Literal["serve", "once", "show", "close"]


def limits(capacity: int, games_per_hour: int, daily_budget: float, most_price: int) -> Limits:
    """Return the limits that the options name.

    >>> limits(8, 60, 0.5, 4000).daily_budget
    500000000
    """
    budget = round(daily_budget * LAMPORTS)
    return Limits(capacity, games_per_hour, budget, min(FIRST_PRICE, most_price), most_price)


def run_house(seat: Seat, limits: Limits, task: Task, *, as_json: bool) -> None:
    """Serve, answer once, show the state, or close the house's account."""
    if task == "show":
        _show(asyncio.run(_act(seat, limits, task, as_json=as_json)), as_json=as_json)
        return
    with only_process(seat.table.folder / "house-service.lock", "house"):
        if task == "serve":
            with until_signal():
                asyncio.run(_act(seat, limits, task, as_json=as_json))
            return
        state = asyncio.run(_act(seat, limits, task, as_json=as_json))
        if as_json:
            _show(state, as_json=True)


async def _act(seat: Seat, limits: Limits, task: Task, *, as_json: bool) -> HouseState:
    table = seat.table

    def report(line: str) -> None:
        if not as_json:
            typer.echo(line)

    async with seat.cluster() as cluster:
        service = HouseService(
            cluster, table.house_key, table.house, table.folder / "house-journal.json", limits, report
        )
        match task:
            case "serve":
                report(f"house {service.key.pubkey()} on {cluster.url}; Ctrl-C ends it.")
                await service.run()
            case "once":
                await service.serve_once()
            case "close":
                receipt = await service.close()
                report(f"closed in slot {receipt.slot}; open games can still be answered with --once")
            case "show":
                pass
        return await service.state()


def _show(state: HouseState, *, as_json: bool) -> None:
    journal = state.journal
    if as_json:
        fields = asdict(journal)
        del fields["day"], fields["hour"]
        print_json(
            {
                "house": str(state.house),
                "account": str(state.account),
                "lamports": state.lamports,
                "capacity": state.capacity,
                "on_offer": state.offered,
                "waiting": state.waiting,
                "oldest_wait": state.oldest_wait,
                "bankroll": bankroll_fields(state.bankroll, state.bankroll_lamports),
                "journal": fields,
            }
        )
        return
    typer.echo(f"house {state.house}, {state.lamports:,} lamports")
    typer.echo(f"account {state.account}: {state.offered} games on offer, {state.capacity} at most")
    typer.echo(f"{state.waiting} games wait for an answer, the oldest for {state.oldest_wait} slots")
    if state.bankroll is not None:
        typer.echo(bankroll_text(state.bankroll, state.bankroll_lamports))
    typer.echo(
        f"so far {journal.offered:,} games offered, {journal.answered:,} requests answered, {journal.failures:,} failures; "
        f"{journal.spent_today:,} lamports of fees today"
    )
