"""Deploy on a cluster without losing money: the buffer is known before it is paid for, and can be resumed or closed.

A program goes into a buffer first, which costs rent, and the loader turns the buffer into a program at the end. Whatever
fails in between, the buffer and its rent stay under the payer's key. The next attempt writes only what is missing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import loader
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.deployment import program_hash
from croupier.solana.failures import TransactionError
from croupier.solana.loader import Buffer, DeploymentStep
from croupier.solana.toolchain.linker import SbpfVersion
from croupier.solana.verification import NETWORKS

#: The switches by which clusters allow SBPF version 3; the second replaced the first.
SBPF_V3_FEATURES = tuple(
    Pubkey.from_string(text)
    for text in (
        "C8XZNs1bfzaiT3YDeXZJ7G5swQWQv7tVzDnCxtHvnSpw",
        "5cC3foj77CWun58pC51ebHFUWavHWKarWyR5UUik7dnC",
    )
)
_FEE_PER_SIGNATURE = 5000


class RefusedProgramError(TransactionError):
    """The loader has the whole program and does not accept it."""


@dataclass(frozen=True, slots=True)
class DeploymentPlan:
    """What a deployment still has to do, and what it costs at most; the program may be there already."""

    buffer: Pubkey
    resumed_bytes: int
    steps: tuple[DeploymentStep, ...]
    lamports: int
    is_deployed: bool = False


async def supported_version(cluster: Cluster) -> SbpfVersion | None:
    """Return the newest version of the instruction set that a cluster deploys, or ``None`` if it does not say.

    A public network without the switch has not heard of version 3. A test network may run it without the switch.
    """
    found = [await cluster.account(feature) for feature in SBPF_V3_FEATURES]
    if any(account is not None and account.data[:1] == b"\1" for account in found):
        return 3
    is_public = await cluster.network() in NETWORKS
    return 0 if is_public or any(account is not None for account in found) else None


async def plan_deployment(
    cluster: Cluster, payer: Keypair, buffer: Keypair, key: Keypair, program: bytes, *, is_final: bool = False
) -> DeploymentPlan:
    """Look at the cluster and return what is left to do; nothing is sent.

    If these bytes are deployed under the key already, all that can be left is to give up the right to change them.

    Raises
    ------
    ClusterError
        If another program has the key, the buffer is another's, or the payer has too few lamports.
    """
    if await cluster.account(key.pubkey()) is not None:
        return await _plan_for_deployed(
            cluster, payer, buffer.pubkey(), key.pubkey(), program, is_final=is_final
        )
    sizes = (loader.buffer_size(program), loader.PROGRAM_SIZE, loader.program_data_size(program))
    rents = {size: await cluster.rent(size) for size in sizes}
    account = await cluster.account(buffer.pubkey())
    steps: list[DeploymentStep] = []
    written = b""
    cost = rents[sizes[1]] + rents[sizes[2]]
    if account is not None:
        found = Buffer.decode(buffer.pubkey(), account, payer.pubkey())
        written = found.content
        cost -= found.lamports
    if account is not None and len(written) != len(program):
        # The buffer was made for another program, so it is made anew; its rent comes back first.
        steps.append(DeploymentStep((loader.close_buffer(buffer.pubkey(), payer.pubkey()),), (payer,)))
        written = b""
    if not written:
        steps.append(loader.opening(payer, buffer, program, rents.__getitem__))
    writes = loader.write_chunks(buffer.pubkey(), payer.pubkey(), program)
    missing = [
        DeploymentStep((write,), (payer,))
        for write, start in zip(writes, range(0, len(program), loader.CHUNK), strict=True)
        if written[start : start + loader.CHUNK] != program[start : start + loader.CHUNK]
    ]
    last = loader.finish(payer, buffer.pubkey(), key, program, rents.__getitem__, is_final=is_final)
    steps += [*missing, last]
    cost += _FEE_PER_SIGNATURE * sum(len(step.signers) for step in steps)
    held = await cluster.balance(payer.pubkey())
    if held < cost:
        raise ClusterError(
            f"payer {payer.pubkey()}: the deployment takes {cost:,} lamports, and it has {held:,}"
        )
    resumed = len(program) - sum(len(step.instructions[0].data) - 16 for step in missing) if written else 0
    return DeploymentPlan(buffer.pubkey(), resumed, tuple(steps), cost)


async def _plan_for_deployed(
    cluster: Cluster, payer: Keypair, buffer: Pubkey, key: Pubkey, program: bytes, *, is_final: bool
) -> DeploymentPlan:
    found = await cluster.deployment(key)
    if isinstance(found, str) or found.hash != program_hash(program):
        raise ClusterError(f"cluster '{cluster.url}': program {key} already exists, with other bytes")
    if found.authority not in (None, payer.pubkey()):
        raise ClusterError(
            f"cluster '{cluster.url}': program {key} already exists, and only {found.authority} may change it"
        )
    if not is_final or found.authority is None:
        return DeploymentPlan(buffer, 0, (), 0, is_deployed=True)
    last = DeploymentStep((loader.give_up_authority(key, payer.pubkey()),), (payer,))
    return DeploymentPlan(buffer, 0, (last,), _FEE_PER_SIGNATURE, is_deployed=True)


async def deploy(
    cluster: Cluster, plan: DeploymentPlan, progress: Callable[[int, int], None] | None = None
) -> None:
    """Carry out a plan, and wait until the program can be called.

    Raises
    ------
    TransactionError
        If a step fails; the message says how to go on.
    RefusedProgramError
        If that step is the last: the loader does not accept the program.
    """
    if plan.is_deployed:
        for step in plan.steps:
            await cluster.send(step.instructions, step.signers)
        return
    for done, step in enumerate(plan.steps, start=1):
        try:
            receipt = await cluster.send(step.instructions, step.signers)
        except TransactionError as error:
            if done == len(plan.steps):
                raise RefusedProgramError(
                    f"{error}; buffer {plan.buffer} is kept: the runtime may not know its version, try --sbpf 0"
                ) from None
            raise TransactionError(f"{error}; buffer {plan.buffer} is kept: run it again to resume") from None
        if progress is not None:
            progress(done, len(plan.steps))
    await cluster.wait_past(receipt.slot)


async def buffers(cluster: Cluster, authority: Pubkey) -> list[Buffer]:
    """Return the buffers that an authority has paid for and not used."""
    found = await cluster.accounts_of(loader.LOADER, {0: loader.buffer_head(authority)})
    return [Buffer.decode(address, account, authority) for address, account in found.items()]


async def close_buffers(cluster: Cluster, payer: Keypair, addresses: list[Pubkey]) -> None:
    """Close buffers; their rent goes back to the payer."""
    for address in addresses:
        await cluster.send([loader.close_buffer(address, payer.pubkey())], [payer])
