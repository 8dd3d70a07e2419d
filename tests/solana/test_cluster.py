"""Whole games on a real localnet process, through the official asynchronous client."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from solana.rpc.async_api import AsyncClient
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from croupier.solana import instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_deployment import (
    buffers,
    close_buffers,
    deploy,
    plan_deployment,
    supported_version,
)
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import GameError, Result, Status, Tag
from croupier.solana.deployment import Deployment, program_hash
from croupier.solana.events import Created
from croupier.solana.failures import Refusal, TransactionError
from croupier.solana.house import House
from croupier.solana.house_account import house_size
from croupier.solana.layout import LayoutError
from croupier.solana.loader import CHUNK, close_buffer
from croupier.solana.toolchain.compiler import read_program
from croupier.solana.verification import Expected, Verdict, verify_game
from tests.solana.localnets import HOUSE, HOUSE_SECRET, PLAYER, PROGRAM, deploy_program, seed_for, serving

SOL = 10**9
HIT_TO_THE_END = [Tag.DEAL] + [Tag.HIT] * 20
STAND_AT_ONCE = [Tag.DEAL, Tag.STAND]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return a localnet with the program deployed and both keys funded."""

    async def prepare(url: str) -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            for key in (PLAYER, HOUSE):
                await cluster.airdrop(key.pubkey(), 10 * SOL)
            await deploy_program(cluster, read_program())

    with serving() as localnet:
        asyncio.run(prepare(localnet.url))
        yield localnet.url


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House.create(tmp_path_factory.mktemp("house") / "secret.json", HOUSE_SECRET)


def at(url: str, act: Callable[[Cluster], Awaitable[None]]) -> None:
    """Do something on a cluster."""

    async def run() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            await act(cluster)

    asyncio.run(run())


async def verdict_of(game: ClusterGame) -> Verdict:
    """Verify a game with everything that the cluster knows about it."""
    cluster = game.cluster
    verification = verify_game(await cluster.record(game.address), await cluster.view(game.address))
    return verification.verdict


@asynccontextmanager
async def game_that_ends(
    cluster: Cluster, house: House, ending: Result, plan: list[Tag], start: int | None = None
) -> AsyncIterator[ClusterGame]:
    """Open a game whose ending the model predicts, and close it afterwards."""
    start = 10_000 * house.opened if start is None else start
    number = next_number(PROGRAM.pubkey(), PLAYER.pubkey(), start)
    slot = await cluster.slot() + 1
    seed = seed_for(ending, plan, number=number, chain=house.opened, slot=slot)
    game, _ = await ClusterGame.open(cluster, PLAYER, HOUSE, house, number=number, player_seed=seed)
    yield game
    await game.cleanup(HOUSE)
    assert await cluster.game(game.address) is None


@pytest.mark.parametrize(
    ("ending", "plan"),
    [
        (Result.PLAYER_WINS, STAND_AT_ONCE),
        (Result.DEALER_WINS, STAND_AT_ONCE),
        (Result.DEALER_BUST, STAND_AT_ONCE),
        (Result.TIE, STAND_AT_ONCE),
        (Result.PLAYER_BUST, HIT_TO_THE_END),
    ],
    ids=lambda value: value.name if isinstance(value, Result) else None,
)
def test_a_whole_game_ends_as_the_model_says(url: str, house: House, ending: Result, plan: list[Tag]) -> None:
    async def play(cluster: Cluster) -> None:
        before = await cluster.balance(PLAYER.pubkey())
        fees = 0
        async with game_that_ends(cluster, house, ending, plan) as game:
            for tag in plan:
                if (await game.state()).status is not Status.FINISHED:
                    fees += (await game.ask(tag, PLAYER)).fee
                    await game.answer(HOUSE, house)
            state = await game.state()
            assert state.result is ending
            assert await verdict_of(game) is Verdict.PROVEN
        assert await verdict_of(game) is Verdict.PROVEN
        opening_fee = 10_000
        assert await cluster.balance(PLAYER.pubkey()) == before - fees - opening_fee

    at(url, play)


def test_two_games_at_once_do_not_disturb_each_other(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        games = [(await ClusterGame.open(cluster, PLAYER, HOUSE, house, decks=decks))[0] for decks in (1, 8)]
        assert games[0].number != games[1].number
        await asyncio.gather(*(game.ask(Tag.DEAL, PLAYER) for game in games))
        await asyncio.gather(*(game.answer(HOUSE, house) for game in games))
        for game, decks in zip(games, (1, 8), strict=True):
            if (await game.state()).status is Status.PLAYER_TURN:
                await game.ask(Tag.STAND, PLAYER)
                await game.answer(HOUSE, house)
            state = await game.state()
            assert state.cards_left == 52 * decks - len(state.player_cards + state.dealer_cards)
            assert await verdict_of(game) is Verdict.PROVEN
            await game.cleanup(PLAYER)

    at(url, play)


def test_a_number_can_be_used_again_and_the_record_shows_every_game(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        for opening in (1, 2):
            async with game_that_ends(cluster, house, Result.PLAYER_WINS, STAND_AT_ONCE, start=2000) as game:
                for tag in STAND_AT_ONCE:
                    if (await game.state()).status is not Status.FINISHED:
                        await game.ask(tag, PLAYER)
                        await game.answer(HOUSE, house)
                tip = (await game.state()).chain_tip
            record, view = await cluster.record(game.address), await cluster.view(game.address)
            assert sum(isinstance(event, Created) for event in record.events) == opening
            verification = verify_game(record, view, Expected(opening=opening))
            assert (verification.verdict, verification.problem) == (Verdict.PROVEN, None)
            assert verification.game is not None
            assert verification.game.chain_tip == tip

    at(url, play)


def test_a_game_opens_at_an_address_that_has_got_lamports(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        number = next_number(PROGRAM.pubkey(), PLAYER.pubkey(), 1000)
        address = game_address(PROGRAM.pubkey(), PLAYER.pubkey(), number)
        gift = transfer(TransferParams(from_pubkey=HOUSE.pubkey(), to_pubkey=address, lamports=SOL // 1000))
        await cluster.send([gift], [HOUSE])
        game, _ = await ClusterGame.open(cluster, PLAYER, HOUSE, house, number=number)
        assert await cluster.balance(game.address) == await cluster.game_rent()

    at(url, play)


def test_a_refusal_comes_by_name(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        game, _ = await ClusterGame.open(cluster, PLAYER, HOUSE, house, number=None)
        for attempt, error in (
            (game.ask(Tag.HIT, PLAYER), GameError.NOT_DEALT),
            (game.ask(Tag.DEAL, HOUSE), GameError.WRONG_PLAYER),
            (game.answer(HOUSE, house), GameError.NOTHING_TO_REVEAL),
            (game.claim(PLAYER), GameError.WRONG_HOUSE),
            (game.claim(HOUSE), GameError.CLAIM_TOO_EARLY),
            (game.cleanup(PLAYER), GameError.NOT_FINISHED),
        ):
            before = await game.state()
            with pytest.raises(Refusal) as refusal:
                await attempt
            assert refusal.value.error is error
            assert await game.state() == before
        with pytest.raises(Refusal, match="GAME_EXISTS"):
            await ClusterGame.open(cluster, PLAYER, HOUSE, house, number=game.number)

    at(url, play)


def test_games_that_are_opened_at_a_time_never_race_for_a_number(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        opened = await asyncio.gather(*(ClusterGame.open(cluster, PLAYER, HOUSE, house) for _ in range(5)))
        numbers = {game.number for game, _ in opened}
        assert len(numbers) == 5
        assert max(numbers) < 2**53

    at(url, play)


def test_strangers_play_with_the_player_s_signature_only(url: str, house: House) -> None:
    """The house commits on the chain; the player takes a commitment, and each acts with its own key."""

    async def play(cluster: Cluster) -> None:
        with pytest.raises(ClusterError, match="it has no account on"):
            await ClusterGame.join(cluster, PLAYER, HOUSE.pubkey())
        rent = await cluster.rent(house_size(2))
        await cluster.send(instructions.open_house(PROGRAM.pubkey(), HOUSE.pubkey(), 2, rent), [HOUSE])
        with pytest.raises(ClusterError, match="every game that it offers is taken"):
            await ClusterGame.join(cluster, PLAYER, HOUSE.pubkey())
        tips = house.open_chains(2)
        await cluster.send([instructions.commit(PROGRAM.pubkey(), HOUSE.pubkey(), tips)], [HOUSE])
        joined = await asyncio.gather(*(ClusterGame.join(cluster, PLAYER, HOUSE.pubkey()) for _ in range(2)))
        for game, _ in joined:
            assert (await game.state()).house == HOUSE.pubkey()
            await game.ask(Tag.DEAL, PLAYER)
            await game.answer(HOUSE, house)
            assert (await game.wait_for_answer()).player_cards
            if (await game.state()).status is Status.PLAYER_TURN:
                await game.ask(Tag.STAND, PLAYER)
                await game.answer(HOUSE, house)
            assert await verdict_of(game) is Verdict.PROVEN

    at(url, play)


def test_a_player_who_cannot_pay_the_rent_is_told_so(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        poor = Keypair()
        await cluster.airdrop(poor.pubkey(), SOL // 1000)
        with pytest.raises(TransactionError, match="the payer does not have enough lamports"):
            await ClusterGame.open(cluster, poor, HOUSE, house)

    at(url, play)


def test_a_poor_payer_is_one_clear_error(url: str) -> None:
    async def send(cluster: Cluster) -> None:
        poor = Keypair()
        gift = transfer(TransferParams(from_pubkey=poor.pubkey(), to_pubkey=HOUSE.pubkey(), lamports=1))
        with pytest.raises(TransactionError, match="AccountNotFound"):
            await cluster.send([gift], [poor])

    at(url, send)


def test_a_program_is_deployed_once_under_a_key(url: str) -> None:
    async def plan(cluster: Cluster) -> None:
        again = await plan_deployment(cluster, PLAYER, Keypair(), PROGRAM, read_program())
        assert (again.is_deployed, again.steps) == (True, ()), "nothing is left to do"
        with pytest.raises(
            ClusterError, match=f"program {PROGRAM.pubkey()} already exists, with other bytes"
        ):
            await plan_deployment(cluster, PLAYER, Keypair(), PROGRAM, read_program(0))
        with pytest.raises(ClusterError, match=f"already exists, and only {PLAYER.pubkey()} may change it"):
            await plan_deployment(cluster, HOUSE, Keypair(), PROGRAM, read_program())

    at(url, plan)


def test_a_program_that_is_deployed_is_made_final_afterwards(url: str) -> None:
    async def attempt(cluster: Cluster) -> None:
        key, program = Keypair(), read_program(0)
        await deploy(cluster, await plan_deployment(cluster, PLAYER, Keypair(), key, program))
        start = await cluster.balance(PLAYER.pubkey())
        for fees in (5000, 5000):
            await deploy(
                cluster, await plan_deployment(cluster, PLAYER, Keypair(), key, program, is_final=True)
            )
            assert start - await cluster.balance(PLAYER.pubkey()) == fees, "it is given up once"
        found = await cluster.deployment(key.pubkey())
        assert isinstance(found, Deployment)
        assert found.authority is None

    at(url, attempt)


def test_a_deployment_that_fails_keeps_its_buffer_which_is_resumed_or_closed(url: str) -> None:
    async def attempt(cluster: Cluster) -> None:
        key, buffer, program = Keypair(), Keypair(), read_program()
        start = await cluster.balance(PLAYER.pubkey())
        plan = await plan_deployment(cluster, PLAYER, buffer, key, program)
        assert (plan.buffer, plan.resumed_bytes) == (buffer.pubkey(), 0)
        await deploy(cluster, replace(plan, steps=plan.steps[:3]))  # the connection is lost after two writes
        again = await plan_deployment(cluster, PLAYER, buffer, key, program)
        assert (again.resumed_bytes, len(again.steps)) == (2 * CHUNK, len(plan.steps) - 3)
        await deploy(cluster, again)
        spent = start - await cluster.balance(PLAYER.pubkey())
        fees = 5000 * sum(len(step.signers) for step in plan.steps)
        assert spent == plan.lamports == await cluster.rent(36) + await cluster.rent(45 + len(program)) + fees
        assert await buffers(cluster, PLAYER.pubkey()) == []

    at(url, attempt)


def test_a_refused_program_costs_no_more_than_its_fees(url: str) -> None:
    async def attempt(cluster: Cluster) -> None:
        start = await cluster.balance(PLAYER.pubkey())
        plan = await plan_deployment(cluster, PLAYER, Keypair(), Keypair(), b"no program")
        with pytest.raises(TransactionError, match=f"buffer {plan.buffer} is kept: .*--sbpf 0"):
            await deploy(cluster, plan)
        left = await buffers(cluster, PLAYER.pubkey())
        assert [buffer.address for buffer in left] == [plan.buffer]
        await close_buffers(cluster, PLAYER, [plan.buffer])
        assert await buffers(cluster, PLAYER.pubkey()) == []
        assert start - await cluster.balance(PLAYER.pubkey()) == 5000 * (2 + 1 + 1)

    at(url, attempt)


def test_a_final_program_has_no_authority_and_its_version_is_the_cluster_s(url: str) -> None:
    async def attempt(cluster: Cluster) -> None:
        assert await supported_version(cluster) == 3
        key = Keypair()
        async with Cluster(url, key.pubkey()) as other:
            program = read_program(0)
            await deploy(other, await plan_deployment(other, PLAYER, Keypair(), key, program, is_final=True))
            deployment = await other.deployment()
        assert isinstance(deployment, Deployment)
        assert (deployment.authority, deployment.hash) == (None, program_hash(program))

    at(url, attempt)


def test_a_deployment_that_cannot_be_paid_or_meant_another_program_is_not_begun(url: str) -> None:
    async def attempt(cluster: Cluster) -> None:
        poor = Keypair()
        with pytest.raises(ClusterError, match=r"the deployment takes [\d,]+ lamports, and it has 0"):
            await plan_deployment(cluster, poor, Keypair(), Keypair(), read_program())
        buffer, program = Keypair(), read_program()
        plan = await plan_deployment(cluster, PLAYER, buffer, Keypair(), program)
        await deploy(cluster, replace(plan, steps=plan.steps[:1]))
        other = await plan_deployment(cluster, PLAYER, buffer, Keypair(), read_program(0))
        assert other.steps[0].instructions == (close_buffer(buffer.pubkey(), PLAYER.pubkey()),)
        assert other.resumed_bytes == 0
        with pytest.raises(LayoutError, match="it is not a buffer of"):
            await plan_deployment(cluster, HOUSE, buffer, Keypair(), program)
        await close_buffers(cluster, PLAYER, [buffer.pubkey()])

    at(url, attempt)


def test_without_the_program_no_game_opens(url: str, house: House) -> None:
    async def play() -> None:
        async with Cluster(url, Pubkey(bytes([9] * 32))) as cluster:
            with pytest.raises(ClusterError, match="is not deployed; run `croupier solana deploy`"):
                await ClusterGame.open(cluster, PLAYER, HOUSE, house)

    opened = house.opened
    asyncio.run(play())
    assert house.opened == opened


def test_a_game_that_is_not_there_is_one_clear_error(url: str) -> None:
    async def look(cluster: Cluster) -> None:
        number = next_number(PROGRAM.pubkey(), PLAYER.pubkey(), 5000)
        with pytest.raises(ClusterError, match=f"game {number} of .*: not found on"):
            await ClusterGame(cluster, PLAYER.pubkey(), number).ask(Tag.DEAL, PLAYER)

    at(url, look)


def test_the_house_does_not_answer_for_another_house(url: str, house: House, tmp_path: Path) -> None:
    async def play(cluster: Cluster) -> None:
        game, _ = await ClusterGame.open(cluster, PLAYER, HOUSE, house)
        await game.ask(Tag.DEAL, PLAYER)
        with pytest.raises(ValueError, match="belongs to none of this house's 0 chains"):
            await game.answer(HOUSE, House.create(tmp_path / "other.json"))

    at(url, play)


def test_the_official_client_finds_its_way_about(url: str) -> None:
    """Call every method of a localnet with the client of PyPI's ``solana``."""

    async def speak() -> None:
        async with AsyncClient(url) as client:
            assert await client.is_connected()
            assert "solders" in (await client.get_version()).value.solana_core
            assert (await client.get_block_height()).value == (await client.get_slot()).value
            assert (await client.get_transaction_count()).value > 10
            assert len(str((await client.get_genesis_hash()).value)) >= 32
            accounts = (await client.get_multiple_accounts([PROGRAM.pubkey(), Pubkey(bytes([8] * 32))])).value
            assert accounts[0] is not None
            assert accounts[0].executable
            assert accounts[1] is None
            latest = (await client.get_latest_blockhash()).value
            assert latest.last_valid_block_height > (await client.get_slot()).value
            drop = (await client.request_airdrop(HOUSE.pubkey(), 7)).value
            again = (await client.request_airdrop(HOUSE.pubkey(), 7)).value
            assert drop != again
            await client.confirm_transaction(drop)
            for encoding in ("json", "base64", "base58"):
                found = (await client.get_transaction(drop, encoding=encoding)).value
                assert found is not None
                assert found.transaction.meta is not None
                assert found.transaction.meta.err is None
            entries = (await client.get_signatures_for_address(HOUSE.pubkey(), limit=2)).value
            assert [entry.signature for entry in entries] == [again, drop]
            older = (await client.get_signatures_for_address(HOUSE.pubkey(), before=again, limit=1)).value
            assert [entry.signature for entry in older] == [drop]
            newer = (await client.get_signatures_for_address(HOUSE.pubkey(), until=drop)).value
            assert [entry.signature for entry in newer] == [again]

    asyncio.run(speak())


def test_slots_pass_while_nobody_sends_anything() -> None:
    async def wait(cluster: Cluster) -> None:
        begun = await cluster.slot()
        await cluster.wait_past(begun + 5)

    with serving("--slot-time", "0.02") as localnet:
        at(localnet.url, wait)


class _Babel(BaseHTTPRequestHandler):
    """A web server that is not a cluster."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Welcome</html>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.mark.parametrize(
    "bad",
    ["", "localhost", "ftp://host", "http://", "http://127.0.0.1:99999", "http://300.0.0.1", "http://[::x]"],
)
def test_an_address_that_is_none_is_one_clear_error(bad: str) -> None:
    with pytest.raises(ClusterError, match="not an address; give one like"):
        Cluster(bad, PROGRAM.pubkey())


def test_a_server_that_is_no_cluster_is_one_clear_error() -> None:
    async def speak(url: str) -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            await cluster.slot()

    with HTTPServer(("127.0.0.1", 0), _Babel) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            with pytest.raises(ClusterError, match="the server does not answer like a cluster"):
                asyncio.run(speak(f"http://127.0.0.1:{server.server_port}"))
        finally:
            server.shutdown()
            thread.join()
    with pytest.raises(ClusterError, match=": cannot be reached"):
        asyncio.run(speak(f"http://127.0.0.1:{server.server_port}"))


def test_a_record_that_was_changed_is_refuted(url: str, house: House) -> None:
    async def play(cluster: Cluster) -> None:
        async with game_that_ends(cluster, house, Result.DEALER_WINS, STAND_AT_ONCE) as game:
            for tag in STAND_AT_ONCE:
                if (await game.state()).status is not Status.FINISHED:
                    await game.ask(tag, PLAYER)
                    await game.answer(HOUSE, house)
            state, record = await game.state(), await cluster.record(game.address)
            view = await cluster.view(game.address)
        assert verify_game(record, view).verdict is Verdict.PROVEN
        won = replace(view, account=replace(state, result=Result.PLAYER_WINS))
        assert "the account differs from the record" in str(verify_game(record, won))
        cut = replace(record, transactions=record.transactions[:-1])
        assert verify_game(cut).verdict is Verdict.REFUTED

    at(url, play)


def test_the_player_can_try_a_request_but_not_learn_the_card(url: str, house: House) -> None:
    """A cheat simulates the request first; the simulation shows nothing of the answer."""

    async def cheat(cluster: Cluster) -> None:
        game, _ = await ClusterGame.open(cluster, PLAYER, HOUSE, house)
        deal = instructions.deal(PROGRAM.pubkey(), game.address, PLAYER.pubkey())
        async with AsyncClient(url) as client:
            latest = (await client.get_latest_blockhash()).value.blockhash
            transaction = VersionedTransaction(
                Message.new_with_blockhash([deal], PLAYER.pubkey(), latest), [PLAYER]
            )
            simulated = (await client.simulate_transaction(transaction, sig_verify=True)).value
        assert simulated.err is None
        assert not any("Program data" in line for line in simulated.logs or ())
        assert (await game.state()).status is Status.CREATED

    at(url, cheat)
