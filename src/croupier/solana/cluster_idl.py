"""Publish the IDL of a program on a cluster, and read what is published there."""

from dataclasses import dataclass
from typing import Any

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer

from croupier.solana import program_metadata
from croupier.solana.anchor import anchor_idl
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.program_metadata import METADATA_PROGRAM, Metadata, MetadataKind, metadata_address

_FEE_PER_SIGNATURE = 5000


@dataclass(frozen=True, slots=True)
class Publication:
    """Where an IDL is published, how many bytes it takes there, and whether anything had to be sent."""

    address: Pubkey
    size: int
    is_new: bool


async def can_publish(cluster: Cluster) -> bool:
    """Return whether a cluster has the Program Metadata program; the public networks do."""
    account = await cluster.account(METADATA_PROGRAM)
    return account is not None and account.executable


async def published_idl(cluster: Cluster) -> dict[str, Any] | None:
    """Return the IDL that is published for the cluster's program, if there is one.

    Raises
    ------
    LayoutError
        If what is published is not an IDL.
    """
    found = await _found(cluster)
    return None if found is None or found.kind is not MetadataKind.METADATA else found.idl()


async def publish_idl(cluster: Cluster, authority: Keypair) -> Publication:
    """Publish the IDL of the cluster's program; nothing is sent if it is there already.

    A publication that fails can be run again: it continues with the buffer that it finds. An older IDL is closed first.

    Raises
    ------
    ClusterError
        If the cluster cannot hold an IDL, the key may not change the program, or it has too few lamports.
    TransactionError
        If a step fails.
    """
    content = program_metadata.packed_idl(anchor_idl(cluster.program))
    address = metadata_address(cluster.program)
    if not await can_publish(cluster):
        raise ClusterError(
            f"cluster '{cluster.url}': no IDL can be published, it has no Program Metadata program"
        )
    await _verify_authority(cluster, authority.pubkey())
    found = await _found(cluster)
    size = program_metadata.metadata_size(content)
    if found is not None and (found.kind, found.content) == (MetadataKind.METADATA, content):
        return Publication(address, size, is_new=False)
    steps = await _steps(cluster, authority, found, content)
    for step in steps:
        await cluster.send(step, [authority])
    return Publication(address, size, is_new=True)


async def _steps(
    cluster: Cluster, authority: Keypair, found: Metadata | None, content: bytes
) -> list[list[Instruction]]:
    """Return the transactions that are left to send."""
    program, payer, address = cluster.program, authority.pubkey(), metadata_address(cluster.program)
    rent = await cluster.rent(program_metadata.metadata_size(content))
    held = await cluster.balance(address)
    steps: list[list[Instruction]] = []
    if found is not None and (found.kind is MetadataKind.METADATA or len(found.content) > len(content)):
        steps.append([program_metadata.close_metadata(program, payer)])
        found, held = None, 0
    opening: list[Instruction] = []
    if held < rent:
        opening.append(transfer(TransferParams(from_pubkey=payer, to_pubkey=address, lamports=rent - held)))
    if found is None:
        opening.append(program_metadata.allocate_metadata(program, payer))
    steps += [opening] if opening else []
    steps += [[write] for write in program_metadata.write_metadata(program, payer, content)]
    steps.append([program_metadata.initialize_metadata(program, payer)])
    cost = max(0, rent - await cluster.balance(address)) + _FEE_PER_SIGNATURE * len(steps)
    purse = await cluster.balance(payer)
    if purse < cost:
        raise ClusterError(f"payer {payer}: publishing the IDL takes {cost:,} lamports, and it has {purse:,}")
    return steps


async def _found(cluster: Cluster) -> Metadata | None:
    account = await cluster.account(metadata_address(cluster.program))
    # Lamports that somebody has sent to the address do not make it metadata.
    if account is None or not account.data:
        return None
    return Metadata.decode(cluster.program, account)


async def _verify_authority(cluster: Cluster, key: Pubkey) -> None:
    deployment = await cluster.deployment()
    if isinstance(deployment, str):
        raise ClusterError(deployment)
    if deployment.authority != key:
        holder = "it has none any more" if deployment.authority is None else f"that is {deployment.authority}"
        raise ClusterError(
            f"program {cluster.program}: only its upgrade authority can publish its IDL, and {holder}"
        )
