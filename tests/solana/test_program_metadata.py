"""The IDL on chain: published where the standard tools look for it, resumed, replaced, and refused to others.

The Program Metadata program is not in any package, so ``programs/metadata.c`` stands in for it on the localnet.
``tests/verify/test_javascript_clients.py`` compares its client with ours.
"""

import asyncio
import gzip
import importlib.util
import json
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from solders.account import Account
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer

from croupier.solana import program_metadata
from croupier.solana.anchor import anchor_idl
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_idl import can_publish, publish_idl, published_idl
from croupier.solana.failures import TransactionError
from croupier.solana.layout import LayoutError
from croupier.solana.loader import LOADER, program_data_address
from croupier.solana.localnet import Localnet
from croupier.solana.program_metadata import METADATA_PROGRAM, Metadata, MetadataKind, metadata_address
from croupier.solana.toolchain.compiler import PROGRAM_SOURCE, build_program
from tests.cli.calling import call
from tests.solana.localnets import ENVIRONMENT, HOUSE, PLAYER, PROGRAM, serving_here

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="the compiler (ziglang) is not installed"
)
SOL = 10**9
ADDRESS = metadata_address(PROGRAM.pubkey())
IDL = anchor_idl(PROGRAM.pubkey())


@pytest.fixture(scope="module")
def stand_in() -> bytes:
    """Return the program that stands in for the Program Metadata program."""
    return build_program(Path(__file__).parent / "programs" / "metadata.c", include=PROGRAM_SOURCE.parent)


def on_network(stand_in: bytes, act: Callable[[Cluster], Awaitable[None]]) -> None:
    """Act on a localnet that has the program, and one under the key of ours that the player may change."""

    def prepare(localnet: Localnet) -> None:
        svm, held = localnet.chain.svm, program_data_address(PROGRAM.pubkey())
        svm.add_program(METADATA_PROGRAM, stand_in)
        head = struct.pack("<IQB32s", 3, 0, 1, bytes(PLAYER.pubkey()))
        svm.set_account(held, Account(SOL, head + stand_in, LOADER))
        svm.set_account(
            PROGRAM.pubkey(), Account(SOL, struct.pack("<I", 2) + bytes(held), LOADER, executable=True)
        )

    async def connected(url: str) -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            for key in (PLAYER, HOUSE):
                await cluster.airdrop(key.pubkey(), 10 * SOL)
            await act(cluster)

    with serving_here(prepare) as url:
        asyncio.run(connected(url))


def test_it_is_published_once_and_found_again(stand_in: bytes) -> None:
    async def act(cluster: Cluster) -> None:
        assert await published_idl(cluster) is None
        first, again = [await publish_idl(cluster, PLAYER) for _ in range(2)]
        assert (first.address, first.is_new, again.is_new) == (ADDRESS, True, False)
        assert await published_idl(cluster) == IDL
        account = await cluster.account(ADDRESS)
        assert account is not None
        assert account.lamports == await cluster.rent(first.size)
        assert (account.owner, len(account.data)) == (METADATA_PROGRAM, first.size)

    on_network(stand_in, act)


def test_a_publication_that_failed_is_resumed_to_the_lamport(stand_in: bytes) -> None:
    async def act(cluster: Cluster) -> None:
        content = program_metadata.packed_idl(IDL)
        rent, keys = (
            await cluster.rent(program_metadata.metadata_size(content)),
            (PROGRAM.pubkey(), PLAYER.pubkey()),
        )
        gift = transfer(TransferParams(from_pubkey=PLAYER.pubkey(), to_pubkey=ADDRESS, lamports=rent))
        await cluster.send([gift, program_metadata.allocate_metadata(*keys)], [PLAYER])
        for write in list(program_metadata.write_metadata(*keys, content))[:2]:
            await cluster.send([write], [PLAYER])
        assert await published_idl(cluster) is None, "a buffer is not published"
        before = await cluster.balance(PLAYER.pubkey())
        assert (await publish_idl(cluster, PLAYER)).is_new
        assert await published_idl(cluster) == IDL
        assert before - await cluster.balance(PLAYER.pubkey()) == 4 * 5000, (
            "three writes and the end, no rent"
        )

    on_network(stand_in, act)


def test_an_older_idl_is_replaced_and_its_rent_used_again(
    stand_in: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(cluster: Cluster) -> None:
        longer = IDL | {"docs": [str(number) for number in range(900)]}
        with monkeypatch.context() as patch:
            patch.setattr("croupier.solana.cluster_idl.anchor_idl", lambda _program: longer)
            await publish_idl(cluster, PLAYER)
        assert await published_idl(cluster) == longer
        before = await cluster.balance(PLAYER.pubkey()) + await cluster.balance(ADDRESS)
        assert (await publish_idl(cluster, PLAYER)).is_new
        assert await published_idl(cluster) == IDL
        after = await cluster.balance(PLAYER.pubkey()) + await cluster.balance(ADDRESS)
        assert before - after == 6 * 5000, "nothing but fees is lost"

    on_network(stand_in, act)


def test_only_who_may_change_the_program_publishes(stand_in: bytes) -> None:
    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClusterError, match=f"only its upgrade authority.*that is {PLAYER.pubkey()}"):
            await publish_idl(cluster, HOUSE)
        for step in (program_metadata.allocate_metadata, program_metadata.close_metadata):
            with pytest.raises(TransactionError, match="failed"):
                await cluster.send([step(PROGRAM.pubkey(), HOUSE.pubkey())], [HOUSE])
        assert await published_idl(cluster) is None

    on_network(stand_in, act)


def test_a_network_without_the_program_is_named() -> None:
    async def act(url: str) -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            assert not await can_publish(cluster)
            with pytest.raises(ClusterError, match="no Program Metadata program"):
                await publish_idl(cluster, PLAYER)

    with serving_here() as url:
        asyncio.run(act(url))


@pytest.mark.verify
def test_deploy_publishes_before_it_gives_up_the_right(stand_in: bytes, tmp_path: Path) -> None:
    with serving_here(lambda localnet: localnet.chain.svm.add_program(METADATA_PROGRAM, stand_in)) as url:

        def command(*words: str) -> Any:
            environment = ENVIRONMENT | {"CROUPIER_SOLANA_URL": url, "CROUPIER_SOLANA_TABLE": "mine"}
            return call("solana", *words, environment=environment, folder=tmp_path)

        assert command("keygen", "--as", "house", "--airdrop", "10").returncode == 0
        first = json.loads(command("deploy", "--no-idl", "--json").stdout)
        assert (first["idl"], first["upgrade_authority"] is None) == (None, False)
        missing = command("idl", "--fetch")
        assert (missing.returncode, missing.stderr.strip()[-len(url) :]) == (2, url)
        assert "no IDL is published" in missing.stderr
        second = json.loads(command("deploy", "--final", "--json").stdout)
        assert (second["idl"], second["upgrade_authority"]) == (
            str(metadata_address(Pubkey.from_string(second["program"]))),
            None,
        )
        assert json.loads(command("idl", "--fetch").stdout) == json.loads(command("idl").stdout)
        late = command("idl", "--publish")
        assert (late.returncode, "it has none any more" in late.stderr) == (2, True)
        assert json.loads(command("deploy", "--json").stdout)["upgrade_authority"] is None
        both = command("idl", "--publish", "--fetch")
        assert (both.returncode, "--publish goes without" in both.stderr) == (2, True)


def head(
    *, kind: int = 2, compression: int = 2, source: int = 0, seed: bytes = b"idl", size: int | None = None
) -> bytes:
    content = {0: json.dumps(IDL).encode(), 1: gzip.compress(json.dumps(IDL).encode())}.get(
        compression, program_metadata.packed_idl(IDL)
    )
    fixed = bytes([kind]) + bytes(PROGRAM.pubkey()) + bytes(32) + b"\1\1" + seed.ljust(16, b"\0")
    length = len(content) if size is None else size
    return fixed + bytes([1, compression, 1, source]) + length.to_bytes(4, "little") + bytes(5) + content


def decoded(data: bytes, owner: Pubkey = METADATA_PROGRAM) -> Metadata:
    return Metadata.decode(PROGRAM.pubkey(), Account(1, data, owner))


@pytest.mark.parametrize("compression", [0, 1, 2])
def test_what_other_tools_publish_is_read(compression: int) -> None:
    metadata = decoded(head(compression=compression) + b"room behind the data")
    assert metadata.kind is MetadataKind.METADATA
    assert metadata.idl() == IDL


@pytest.mark.parametrize(
    "data",
    [
        b"",
        head(kind=0),
        head(kind=3),
        head(source=1),
        head(seed=b"security"),
        bytes([2]) + bytes(32) + head()[33:],
    ],
)
def test_what_is_no_idl_of_the_program_is_refused(data: bytes) -> None:
    with pytest.raises(LayoutError, match="it is no"):
        decoded(data)


def test_an_account_of_another_program_is_refused() -> None:
    with pytest.raises(LayoutError, match="no metadata"):
        decoded(head(), owner=PROGRAM.pubkey())


@pytest.mark.parametrize("size", [0, 10])
def test_an_idl_that_is_cut_short_is_refused(size: int) -> None:
    with pytest.raises(LayoutError, match="cannot be read"):
        decoded(head(size=size)).idl()
