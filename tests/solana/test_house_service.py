"""The house as a service: it plays with strangers, within its limits, and survives being killed."""

import asyncio
import json
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from solana.rpc.async_api import AsyncClient
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from croupier.errors import InputError
from croupier.solana import cluster as cluster_module
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import Result, Status, Tag
from croupier.solana.events import Created
from croupier.solana.house import House
from croupier.solana.house_account import HouseAccount, house_address
from croupier.solana.house_service import HouseService, Journal, Limits
from croupier.solana.receipt import Receipt
from croupier.solana.toolchain.compiler import read_program
from croupier.solana.verification import Expected, Verdict, verify_game
from tests.solana.localnets import CROUPIER, ENVIRONMENT, HOUSE, PLAYER, PROGRAM, deploy_program, serving_here

SOL = 10**9
PATIENCE = 300


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return a localnet with the program deployed and both keys funded."""
    with serving_here() as url:
        at(url, prepare)
        yield url


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


async def new_house(cluster: Cluster) -> Keypair:
    """Return the funded key of a house that has no account yet."""
    key = Keypair()
    await cluster.airdrop(key.pubkey(), SOL)
    return key


def service_of(cluster: Cluster, key: Keypair, folder: Path, limits: Limits, **more: Any) -> HouseService:
    secret = folder / "house-secret.json"
    house = House.load(secret) if secret.exists() else House.create(secret)
    return HouseService(cluster, key, house, folder / "journal.json", limits, **more)


async def fees_of(cluster: Cluster, payer: Pubkey) -> int:
    """Add up the fees of all transactions that an address has paid for."""
    total, before = 0, None
    async with AsyncClient(cluster.url) as client:
        while entries := (await client.get_signatures_for_address(payer, before=before)).value:
            before = entries[-1].signature
            for entry in entries:
                found = (
                    await client.get_transaction(
                        entry.signature, "base64", max_supported_transaction_version=0
                    )
                ).value
                assert found is not None
                assert found.transaction.meta is not None
                transaction = found.transaction.transaction
                assert isinstance(transaction, VersionedTransaction)
                if transaction.message.account_keys[0] == payer:
                    total += found.transaction.meta.fee
    return total


async def on_offer(cluster: Cluster, house: Pubkey) -> int:
    data = await cluster.account_data(house_address(cluster.program, house))
    assert data is not None
    account = HouseAccount.decode(data)
    return len(account.tips) - account.free_places


def test_a_service_plays_with_strangers_and_every_lamport_is_accounted_for(url: str, tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        house, start = await new_house(cluster), await cluster.balance(PLAYER.pubkey())
        lines: list[str] = []
        service = service_of(cluster, house, tmp_path, Limits(capacity=3), report=lines.append)
        await service.serve_once()
        assert await on_offer(cluster, house.pubkey()) == 3
        joined = [await ClusterGame.join(cluster, PLAYER, house.pubkey()) for _ in range(2)]
        fees = sum(receipt.fee for _, receipt in joined)
        while asked := [game for game, _ in joined if (await game.state()).status is not Status.FINISHED]:
            for game in asked:
                is_new = (await game.state()).status is Status.CREATED
                fees += (await game.ask(Tag.DEAL if is_new else Tag.STAND, PLAYER)).fee
            assert (await service.state()).waiting == len(asked)
            await service.serve_once()
        for game, _ in joined:
            view, record = await cluster.view(game.address), await cluster.record(game.address)
            assert verify_game(record, view, Expected(house=house.pubkey())).verdict is Verdict.PROVEN
            await game.cleanup(HOUSE)
        state = await service.state()
        assert (state.offered, state.waiting, state.journal.offered) == (3, 0, 5)
        assert state.journal.answered == sum(line.startswith("answered") for line in lines)
        assert await cluster.balance(PLAYER.pubkey()) == start - fees
        await service.close()
        assert SOL - await cluster.balance(house.pubkey()) == await fees_of(cluster, house.pubkey())

    at(url, play)


def test_strangers_are_limited_by_the_hour_and_by_the_budget(url: str, tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        house, now = await new_house(cluster), [1_000_000.0]
        limits = Limits(capacity=6, games_per_hour=4, daily_budget=10_000_000)
        service = service_of(cluster, house, tmp_path, limits, clock=lambda: now[0])
        for hour, offered in ((0, 4), (0, 4), (1, 6)):
            now[0] = 1_000_000.0 + 3600 * hour
            await service.serve_once()
            assert await on_offer(cluster, house.pubkey()) == offered
        game, _ = await ClusterGame.join(cluster, PLAYER, house.pubkey())
        poor = service_of(cluster, house, tmp_path, Limits(capacity=6, daily_budget=0), clock=lambda: now[0])
        await game.ask(Tag.DEAL, PLAYER)
        await poor.serve_once()
        assert (await game.state()).player_cards, "an open game is answered whatever it costs"
        assert await on_offer(cluster, house.pubkey()) == 5

    at(url, play)


def test_a_foreign_commitment_is_looked_up_once_and_stalls_nobody(url: str, tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        house = await new_house(cluster)
        other = House.create(tmp_path / "other.json")
        foreign, _ = await ClusterGame.open(cluster, PLAYER, house, other)
        await foreign.ask(Tag.DEAL, PLAYER)
        lines: list[str] = []
        service = service_of(cluster, house, tmp_path, Limits(capacity=2), report=lines.append)
        for _ in range(2):
            await service.serve_once()
        assert lines.count(f"game {foreign.address}: its commitment is none of ours") == 1
        game, _ = await ClusterGame.join(cluster, PLAYER, house.pubkey())
        await game.ask(Tag.DEAL, PLAYER)
        await service.serve_once()
        assert (await game.state()).player_cards

    at(url, play)


def test_a_transaction_that_nodes_drop_is_sent_again_at_a_higher_price(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node answers that it has taken the transaction, and loses it."""
    submit = Cluster._submit
    dropped: list[Any] = []

    async def lossy(self: Cluster, transaction: Any, *, is_first: bool) -> None:
        if len(dropped) < 5:
            dropped.append(transaction)
        else:
            await submit(self, transaction, is_first=is_first)

    async def send(cluster: Cluster) -> None:
        gift = transfer(TransferParams(from_pubkey=PLAYER.pubkey(), to_pubkey=HOUSE.pubkey(), lamports=1))
        receipt = await cluster.send([gift], [PLAYER], prices=(0, 50_000))
        assert receipt.fee in (5000, 5000 + 600)

    monkeypatch.setattr(Cluster, "_submit", lossy)
    at(url, send)
    assert len(dropped) == 5


def test_prices_rise_within_the_budget(url: str, tmp_path: Path) -> None:
    async def look(cluster: Cluster) -> None:
        limits = Limits(daily_budget=6000, first_price=10_000, most_price=10**9)
        service = service_of(cluster, Keypair(), tmp_path, limits)
        assert service._prices() == (0, 10_000, 20_000, 40_000, 80_000)

    at(url, look)
    assert Limits(first_price=0, most_price=0).prices == (0,)


@pytest.mark.parametrize("text", ["", "[]", '{"day": "x"}', '{"nights": 3}'])
def test_a_file_that_is_no_journal_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "journal.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="remove it to begin a new one"):
        Journal.load(tmp_path / "journal.json")


# ---- two strangers: two folders, two processes, only RPC between them ----


@contextmanager
def service_process(url: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the service as its owner would."""
    words = ["--url", url, "--table", str(folder), "--program", str(PROGRAM.pubkey()), "--capacity", "8"]
    words += ["--games-per-hour", "100000", "--daily-budget", "5"]
    with (
        (folder / "service.log").open("a", encoding="utf-8") as log,
        subprocess.Popen(
            [CROUPIER, "solana", "house", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=ENVIRONMENT,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def play_strangers(url: str, folder: Path, games: int, kills: int) -> None:
    """Play games against a service that is killed with -9 while requests are open."""
    folder.mkdir()
    (folder / "house.json").write_text(json.dumps(list(bytes(HOUSE))), encoding="utf-8")
    House.create(folder / "house-secret.json")
    deaths = {games * (kill + 1) // (kills + 1) for kill in range(kills)}

    async def play(cluster: Cluster, stack: ExitStack) -> None:
        start = await cluster.balance(PLAYER.pubkey())
        house_start = await cluster.balance(HOUSE.pubkey())
        before = await fees_of(cluster, HOUSE.pubkey())
        process = stack.enter_context(service_process(url, folder))
        fees, tips, results = 0, [], []
        for number in range(games):
            game, receipt = await opened(cluster, process)
            (event,) = receipt.events
            assert isinstance(event, Created)
            tips.append(event.chain_tip)
            fees += receipt.fee
            state = await game.state()
            while state.status is not Status.FINISHED:
                tag = Tag.DEAL if state.status is Status.CREATED else (Tag.HIT, Tag.STAND)[number % 2]
                fees += (await game.ask(tag, PLAYER)).fee
                if number in deaths:
                    deaths.remove(number)
                    process.send_signal(signal.SIGKILL)
                    process.wait(timeout=PATIENCE)
                    process = stack.enter_context(service_process(url, folder))
                state = await game.wait_for_answer()
            results.append(state.result)
            record, view = await cluster.record(game.address), await cluster.view(game.address)
            expected = Expected(PROGRAM.pubkey(), HOUSE.pubkey(), PLAYER.pubkey())
            assert verify_game(record, view, expected).verdict is Verdict.PROVEN
            fees += (await game.cleanup(PLAYER)).fee
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=PATIENCE)
        assert not deaths
        assert len(set(tips)) == games, "no commitment was used twice"
        assert not {Result.HOUSE_FORFEIT, Result.PLAYER_FORFEIT} & set(results)
        assert await cluster.balance(PLAYER.pubkey()) == start - fees
        spent = await fees_of(cluster, HOUSE.pubkey()) - before
        rent = await cluster.balance(house_address(PROGRAM.pubkey(), HOUSE.pubkey()))
        assert await cluster.balance(HOUSE.pubkey()) == house_start - spent - rent

    with ExitStack() as stack:
        at(url, lambda cluster: play(cluster, stack))


async def opened(cluster: Cluster, process: "subprocess.Popen[bytes]") -> tuple[ClusterGame, Receipt]:
    """Open a game as soon as the house offers one."""
    while True:
        assert process.poll() is None, "the service has ended; see service.log in its folder"
        try:
            return await ClusterGame.join(cluster, PLAYER, HOUSE.pubkey())
        except ClusterError as error:
            if "it has no account" not in str(error) and "is taken" not in str(error):
                raise
            await cluster.pause()


@pytest.mark.parametrize(("games", "kills"), [(2, 1), pytest.param(200, 10, marks=pytest.mark.verify)])
def test_strangers_play_with_a_service_that_is_killed(tmp_path: Path, games: int, kills: int) -> None:
    with serving_here() as url:
        at(url, prepare)
        play_strangers(url, tmp_path / "house", games, kills)
