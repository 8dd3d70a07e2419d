"""The work of ``croupier solana deploy`` and ``buffers``."""

import asyncio
from pathlib import Path
from typing import Literal

import typer
from solders.keypair import Keypair

from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.cli.solana_seat import Seat
from croupier.files import read_bytes
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_deployment import (
    DeploymentPlan,
    RefusedProgramError,
    buffers,
    close_buffers,
    deploy,
    plan_deployment,
    supported_version,
)
from croupier.solana.deployment import program_hash
from croupier.solana.loader import Buffer
from croupier.solana.table import Side
from croupier.solana.toolchain.compiler import read_program

SbpfChoice = Literal["auto", "3", "0"]


def deploy_program(
    seat: Seat,
    side: Side | None,
    file: Path | None,
    sbpf: SbpfChoice,
    *,
    is_final: bool,
    as_json: bool,
) -> None:
    """Deploy a program under the folder's program key."""
    payer, key, buffer = seat.table.key_of(side), seat.table.program_key(), seat.table.buffer_key()

    async def attempt(cluster: Cluster, program: bytes) -> tuple[bytes, DeploymentPlan]:
        plan = await plan_deployment(cluster, payer, buffer, key, program, is_final=is_final)
        if not as_json:
            _announce(plan)
        with progress_bar("deploying", "transactions") as report:
            await deploy(cluster, plan, report)
        return program, plan

    async def act() -> tuple[bytes, DeploymentPlan]:
        async with seat.cluster(program=key.pubkey()) as cluster:
            if file is not None:
                return await attempt(cluster, read_bytes(file, what="program"))
            version = await supported_version(cluster) if sbpf == "auto" else int(sbpf)
            try:
                return await attempt(cluster, read_program(0 if version == 0 else 3))
            except RefusedProgramError:
                if version is not None:
                    raise
                # The cluster does not say what it runs, and it does not run version 3.
                return await attempt(cluster, read_program(0))

    program, plan = asyncio.run(act())
    seat.table.forget_buffer()
    if as_json:
        print_json(
            {
                "program": str(key.pubkey()),
                "bytes": len(program),
                "sha256": program_hash(program),
                "buffer": str(plan.buffer),
                "resumed_bytes": plan.resumed_bytes,
                "upgrade_authority": None if is_final else str(payer.pubkey()),
            }
        )
        return
    changes = "nobody can change it" if is_final else f"{payer.pubkey()} may change it"
    typer.echo(f"program {key.pubkey()}: {len(program):,} bytes deployed on {seat.url}; {changes}")


def _announce(plan: DeploymentPlan) -> None:
    resumed = f"; {plan.resumed_bytes:,} bytes are in it already" if plan.resumed_bytes else ""
    typer.echo(f"buffer {plan.buffer}{resumed}")
    typer.echo(
        f"{len(plan.steps)} transactions, at most {plan.lamports:,} lamports; run it again if it fails."
    )


def show_buffers(seat: Seat, side: Side | None, *, close: bool, as_json: bool) -> None:
    """List the buffers of a payer, and close them if asked to."""
    payer = seat.table.key_of(side)
    found = asyncio.run(_list(seat, payer, close=close))
    if close:
        seat.table.forget_buffer()
    if as_json:
        rows = [
            {"address": str(buffer.address), "bytes": len(buffer.content), "lamports": buffer.lamports}
            for buffer in found
        ]
        print_json({"authority": str(payer.pubkey()), "buffers": rows, "are_closed": close})
        return
    if not found:
        typer.echo(f"{payer.pubkey()} has no buffers on {seat.url}.")
    for buffer in found:
        typer.echo(f"{buffer.address}: {len(buffer.content):,} bytes, {buffer.lamports:,} lamports")
    if found and close:
        typer.echo(
            f"closed; {sum(buffer.lamports for buffer in found):,} lamports went back to {payer.pubkey()}"
        )


async def _list(seat: Seat, payer: Keypair, *, close: bool) -> list[Buffer]:
    async with seat.cluster(program=payer.pubkey()) as cluster:
        found = await buffers(cluster, payer.pubkey())
        if close:
            await close_buffers(cluster, payer, [buffer.address for buffer in found])
        return found
