"""The work of ``croupier solana bankroll``."""

import asyncio
from dataclasses import asdict, dataclass, replace

import typer
from solders.instruction import Instruction
from solders.pubkey import Pubkey

from croupier.cli.json_output import print_json
from croupier.cli.solana_chain import LAMPORTS
from croupier.cli.solana_seat import Seat
from croupier.errors import InputError
from croupier.solana import stake_instructions
from croupier.solana.bankroll import Bankroll, BetLimits, bankroll_address
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_bankroll import bankroll_of
from croupier.solana.layout import BANKROLL


@dataclass(frozen=True, slots=True)
class BankrollChanges:
    """What the options ask for, in SOL; ``None`` leaves a limit as it is."""

    deposit: float = 0
    withdraw: float = 0
    least_bet: float | None = None
    most_bet: float | None = None
    bond: float | None = None
    reserve: float | None = None
    close: bool = False

    def limits(self, before: BetLimits) -> BetLimits:
        """Return the limits afterwards.

        >>> BankrollChanges(most_bet=0.25).limits(BetLimits()).most_bet
        250000000
        """
        given = {name: getattr(self, name) for name in asdict(before)}
        return replace(
            before, **{name: round(sol * LAMPORTS) for name, sol in given.items() if sol is not None}
        )


def change_bankroll(seat: Seat, changes: BankrollChanges, *, as_json: bool) -> None:
    """Change the bankroll as asked, opening it if need be, and show it."""

    async def act() -> tuple[Pubkey, Bankroll | None, int]:
        async with seat.cluster() as cluster:
            house = seat.table.house_pubkey(cluster.program)
            steps = await _steps(cluster, seat, changes)
            if steps:
                receipt = await cluster.send(steps, [seat.table.house_key])
                if not as_json:
                    typer.echo(f"changed in slot {receipt.slot}, fee {receipt.fee:,} lamports")
            return bankroll_address(cluster.program, house), *await bankroll_of(cluster, house)

    address, bankroll, lamports = asyncio.run(act())
    if as_json:
        print_json({"address": str(address), "bankroll": bankroll_fields(bankroll, lamports)})
    elif bankroll is None:
        typer.echo(f"There is no bankroll at {address}; --deposit opens one.")
    else:
        typer.echo(bankroll_text(bankroll, lamports))


def bankroll_text(bankroll: Bankroll, lamports: int) -> str:
    """Describe a bankroll in one line.

    >>> bankroll_text(Bankroll(Pubkey.default(), BetLimits()), 10_000_000)  # doctest: +ELLIPSIS
    'bankroll 10,000,000 lamports: bets from 1,000,000 to 7,500,000 now, bond 1,000,000, ... 0 games not settled'
    """
    limits, most = bankroll.limits, bankroll.most_covered(lamports)
    bets = f"bets from {limits.least_bet:,} to {most:,} now" if most else "too low for any bet now"
    return (
        f"bankroll {lamports:,} lamports: {bets}, bond {limits.bond:,}, reserve {limits.reserve:,}; "
        f"{bankroll.open_games} games not settled"
    )


def bankroll_fields(bankroll: Bankroll | None, lamports: int) -> dict[str, object] | None:
    """Return the JSON fields of a bankroll."""
    if bankroll is None:
        return None
    return {
        "lamports": lamports,
        **asdict(bankroll.limits),
        "most_covered": bankroll.most_covered(lamports),
        "open_games": bankroll.open_games,
    }


async def _steps(cluster: Cluster, seat: Seat, changes: BankrollChanges) -> list[Instruction]:
    if changes == BankrollChanges():
        return []
    program, house = cluster.program, seat.table.house_key.pubkey()
    before, _ = await bankroll_of(cluster, house)
    limits = changes.limits(BetLimits() if before is None else before.limits)
    paid_in, paid_out = (round(sol * LAMPORTS) for sol in (changes.deposit, changes.withdraw))
    if before is None:
        if not paid_in or paid_out or changes.close:
            raise InputError("there is no bankroll yet; --deposit opens one")
        rent = await cluster.rent(BANKROLL.size)
        return stake_instructions.open_bankroll(program, house, limits, rent + paid_in)
    if changes.close:
        return [stake_instructions.close_bankroll(program, house)]
    steps = [] if limits == before.limits else [stake_instructions.set_limits(program, house, limits)]
    if paid_in:
        steps.append(stake_instructions.deposit(program, house, paid_in))
    if paid_out:
        steps.append(stake_instructions.withdraw(program, house, paid_out))
    return steps
