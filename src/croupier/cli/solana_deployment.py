"""The work of ``croupier solana deploy`` and ``buffers``, and of publishing the IDL."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import typer
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.cli.solana_seat import Seat
from croupier.errors import InputError
from croupier.files import read_bytes
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_deployment import (
    DeploymentPlan,
    RefusedProgramError,
    buffers,
    close_buffers,
    deploy,
    plan_deployment,
    supported_version,
)
from croupier.solana.cluster_idl import Publication, can_publish, publish_idl, published_idl
from croupier.solana.deployment import program_hash
from croupier.solana.loader import Buffer
from croupier.solana.table import Side
from croupier.solana.toolchain.compiler import read_program

SbpfChoice = Literal["auto", "3", "0"]


@dataclass(frozen=True, slots=True)
class _Deployed:
    """What a deployment has left on the cluster."""

    program: bytes
    plan: DeploymentPlan
    idl: Publication | None
    authority: Pubkey | None


def deploy_program(
    seat: Seat,
    side: Side | None,
    file: Path | None,
    sbpf: SbpfChoice,
    *,
    is_final: bool,
    with_idl: bool,
    as_json: bool,
) -> None:
    """Deploy a program under the folder's program key."""
    payer, key, buffer = seat.table.key_of(side), seat.table.program_key(), seat.table.buffer_key()

    async def attempt(cluster: Cluster, program: bytes) -> _Deployed:
        # Only who may change a program can publish its IDL, so that right is given up last.
        publishes = with_idl and file is None and await can_publish(cluster)
        plan = await plan_deployment(
            cluster, payer, buffer, key, program, is_final=is_final and not publishes
        )
        if not as_json:
            _announce(plan)
        with progress_bar("deploying", "transactions") as report:
            await deploy(cluster, plan, report)
        authority = await _authority(cluster)
        if not publishes or authority is None:
            return _Deployed(program, plan, None, authority)
        idl = await publish_idl(cluster, payer)
        if is_final:
            await deploy(cluster, await plan_deployment(cluster, payer, buffer, key, program, is_final=True))
        return _Deployed(program, plan, idl, None if is_final else authority)

    async def act() -> _Deployed:
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

    done = asyncio.run(act())
    seat.table.forget_buffer()
    if as_json:
        print_json(
            {
                "program": str(key.pubkey()),
                "bytes": len(done.program),
                "sha256": program_hash(done.program),
                "buffer": str(done.plan.buffer),
                "resumed_bytes": done.plan.resumed_bytes,
                "upgrade_authority": None if done.authority is None else str(done.authority),
                "idl": None if done.idl is None else str(done.idl.address),
            }
        )
        return
    changes = "nobody can change it" if done.authority is None else f"{done.authority} may change it"
    typer.echo(f"program {key.pubkey()}: {len(done.program):,} bytes deployed on {seat.url}; {changes}")
    if done.idl is not None:
        typer.echo(_described(done.idl))


async def _authority(cluster: Cluster) -> Pubkey | None:
    found = await cluster.deployment()
    if isinstance(found, str):
        raise ClusterError(found)
    return found.authority


def publish(seat: Seat, side: Side | None) -> None:
    """Publish the IDL of the folder's program on the cluster."""
    typer.echo(_described(asyncio.run(_published(seat, seat.table.key_of(side)))))


def fetched_idl(seat: Seat) -> dict[str, Any]:
    """Return the IDL that is published for the folder's program."""

    async def fetch() -> dict[str, Any] | None:
        async with seat.cluster() as cluster:
            return await published_idl(cluster)

    idl = asyncio.run(fetch())
    if idl is None:
        raise InputError(f"program {seat.table.program}: no IDL is published for it on {seat.url}")
    return idl


async def _published(seat: Seat, authority: Keypair) -> Publication:
    async with seat.cluster() as cluster:
        return await publish_idl(cluster, authority)


def _described(idl: Publication) -> str:
    return f"IDL {'published' if idl.is_new else 'is published'} at {idl.address}: {idl.size:,} bytes"


def _announce(plan: DeploymentPlan) -> None:
    if plan.is_deployed:
        typer.echo("The program is deployed already.")
        return
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
