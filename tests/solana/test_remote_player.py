"""A player who signs elsewhere: what is signed is explained from its bytes, and nothing else is sent."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from croupier.errors import InputError
from croupier.solana import cluster as cluster_module
from croupier.solana import instructions
from croupier.solana.bankroll import BetLimits
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import Status, Tag
from croupier.solana.house import House
from croupier.solana.house_service import HouseService, Limits
from croupier.solana.remote_player import RemotePlayer, SigningError, explained
from croupier.solana.stake_instructions import open_bankroll
from croupier.solana.toolchain.compiler import read_program
from tests.solana.localnets import HOUSE, PLAYER, PROGRAM, deploy_program, serving_here

SOL = 10**9


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving_here() as url:
        at(url, prepare)
        yield url


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the house; its secret must be the one behind the offers on the network."""
    return tmp_path_factory.mktemp("house")


def service_of(cluster: Cluster, folder: Path) -> tuple[HouseService, House]:
    file = folder / "house.json"
    house = House.load(file) if file.exists() else House.create(file)
    return HouseService(cluster, HOUSE, house, folder / "journal.json", Limits(capacity=2)), house


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_POLL_SECONDS", 0.01)


async def prepare(cluster: Cluster) -> None:
    for key in (PLAYER, HOUSE):
        await cluster.airdrop(key.pubkey(), 10 * SOL)
    await deploy_program(cluster, read_program())


def at(url: str, act: Callable[[Cluster], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            await act(cluster)

    asyncio.run(run())


def signed(wire: bytes, key: Keypair) -> bytes:
    """Sign a transaction as a wallet does."""
    return bytes(VersionedTransaction(VersionedTransaction.from_bytes(wire).message, [key]))


def test_a_game_is_played_by_signatures_from_elsewhere(url: str, folder: Path) -> None:
    async def play(cluster: Cluster) -> None:
        service, _ = service_of(cluster, folder)
        await service.serve_once()
        player = RemotePlayer(cluster, PLAYER.pubkey(), HOUSE.pubkey())
        assert await player.state() is None
        with pytest.raises(InputError, match="no game is open"):
            await player.request(Tag.DEAL)
        start, fees = await cluster.balance(PLAYER.pubkey()), 0
        wire = await player.opening()
        lines = explained(wire, cluster.program)
        assert lines[0] == f"signed and paid by {PLAYER.pubkey()}; the fee is 5,000 lamports"
        assert "you pay 2,672,640 lamports of rent, which come back; no bet" in lines[1]
        fees += (await player.send(wire, signed(wire, PLAYER))).fee
        state = await player.state()
        while state is not None and state.status is not Status.FINISHED:
            tag = Tag.DEAL if state.status is Status.CREATED else Tag.STAND
            wire = await player.request(tag)
            assert explained(wire, cluster.program)[1].startswith(f"{tag.name.lower()}: request")
            fees += (await player.send(wire, signed(wire, PLAYER))).fee
            await service.serve_once()
            state = await player.state()
        wire = await player.request(Tag.CLEANUP)
        other = await player.request(Tag.CLEANUP)
        for wrong, words in (
            (b"no transaction", "not a transaction"),
            (wire, "not signed"),
            (signed(wire, PLAYER)[:-1] + b"\7", "not a transaction|another transaction"),
            (bytes([1]) + bytes(64) + signed(wire, PLAYER)[65:], "not signed"),
        ):
            with pytest.raises(SigningError, match=words):
                await player.send(wire, wrong)
        assert other[:65] == bytes([1]) + bytes(Signature.default())
        fees += (await player.send(wire, signed(wire, PLAYER))).fee
        assert await player.state() is None
        assert await cluster.balance(PLAYER.pubkey()) == start - fees

    at(url, play)


@pytest.mark.parametrize("settles_first", ["house", "player"])
def test_a_bet_is_signed_elsewhere_and_settled_to_the_lamport(
    url: str, folder: Path, settles_first: str
) -> None:
    async def play(cluster: Cluster) -> None:
        service, house = service_of(cluster, folder)
        player = RemotePlayer(cluster, PLAYER.pubkey(), HOUSE.pubkey())
        if await player.bet_limits() is None:
            opening = open_bankroll(cluster.program, HOUSE.pubkey(), BetLimits(), lamports=SOL)
            await cluster.send(opening, [HOUSE])
        assert await player.bet_limits() == (1_000_000, 100_000_000)
        await service.serve_once()
        start, fees = await cluster.balance(PLAYER.pubkey()), 0
        wire = await player.opening(bet=20_000_000)
        assert (
            "a bet of 20,000,000 lamports, beside which the house's bankroll puts 21,000,000"
            in explained(wire, cluster.program)[1]
        )
        fees += (await player.send(wire, signed(wire, PLAYER))).fee
        again = RemotePlayer(cluster, PLAYER.pubkey(), HOUSE.pubkey())
        await again.resume()
        assert again.number == player.number, "a page that is loaded again finds the game"
        game, is_closed = await player.outcome()
        while game is not None and game.status is not Status.FINISHED:
            wire = await player.request(Tag.DEAL if game.status is Status.CREATED else Tag.STAND)
            fees += (await player.send(wire, signed(wire, PLAYER))).fee
            if settles_first == "house":
                await service.serve_once()
                await player.answered()
            else:
                assert player.number is not None
                await ClusterGame(cluster, PLAYER.pubkey(), player.number).answer(HOUSE, house)
            game, is_closed = await player.outcome()
        assert game is not None
        assert game.stake is not None
        assert is_closed == (settles_first == "house")
        if not is_closed:
            wire = await player.request(Tag.CLEANUP)
            assert explained(wire, cluster.program)[1].startswith(
                "settle: close the game; each side gets its share"
            )
            fees += (await player.send(wire, signed(wire, PLAYER))).fee
            assert await player.outcome() == (game, True), "the end is read from the history"
        gain = game.stake.player_gain(game.result)
        assert await cluster.balance(PLAYER.pubkey()) == start - fees + gain
        await again.resume()
        assert await again.state() is None

    at(url, play)


def wire_of(*calls: Instruction) -> bytes:
    message = Message.new_with_blockhash(list(calls), PLAYER.pubkey(), Hash.default())
    signatures = [Signature.default()] * message.header.num_required_signatures
    return bytes(VersionedTransaction.populate(message, signatures))


def test_what_a_game_does_not_need_is_not_signed() -> None:
    program, game = PROGRAM.pubkey(), Pubkey(bytes([9] * 32))
    foreign = Instruction(game, b"drain", [])
    with pytest.raises(SigningError, match="which a game does not need"):
        explained(wire_of(foreign), program)
    for data in (b"", b"\x63", bytes([Tag.COMMIT]), bytes([Tag.JOIN])):
        with pytest.raises(SigningError, match="not one of a player"):
            explained(wire_of(Instruction(program, data, [])), program)
    words = explained(wire_of(instructions.claim(program, game, PLAYER.pubkey())), program)
    assert words[1] == f"claim: end the game because the house is late (game {game})"
