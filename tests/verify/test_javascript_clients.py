"""The tools that Solana developers use, installed by npm: Anchor, Codama, web3.js, kit, Surfpool and bankrun.

``pytest -m verify tests/verify/test_javascript_clients.py`` needs npm and a registry; it is skipped where they are missing.
"""

import asyncio
import base64
import json
import os
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from solders.keypair import Keypair

from croupier.solana.anchor import anchor_idl
from croupier.solana.bankroll import BetLimits
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.cluster_idl import publish_idl, published_idl
from croupier.solana.codes import Result, Status
from croupier.solana.events import encode_event
from croupier.solana.game import Game
from croupier.solana.house import House
from croupier.solana.house_account import HouseAccount, house_address
from croupier.solana.house_service import HouseService, Limits
from croupier.solana.program_metadata import METADATA_PROGRAM, close_metadata, metadata_address
from croupier.solana.stake_instructions import open_bankroll
from croupier.solana.toolchain.compiler import PROGRAM_SOURCE, build_program, read_program
from croupier.solana.verification import Expected, Verdict, Verification, verify_game
from tests.cli.calling import call
from tests.npm import install_packages
from tests.solana.localnets import ENVIRONMENT, HOUSE, PLAYER, PROGRAM, deploy_program, serving_here
from tests.solana.test_anchor import EVENTS, INSTRUCTIONS, NUMBER, decoded, entry
from tests.solana.test_anchor import HOUSE as SOME_HOUSE
from tests.solana.test_anchor import PLAYER as SOME_PLAYER
from tests.solana.test_anchor import PROGRAM as SOME_PROGRAM

pytestmark = pytest.mark.verify
SCRIPTS = Path(__file__).parent / "javascript"
IDL_SCRIPTS = Path(__file__).parent / "javascript_idl"
METADATA_SOURCE = Path(__file__).parents[1] / "solana" / "programs" / "metadata.c"
SOL = 10**9


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_packages(SCRIPTS, tmp_path_factory.mktemp(SCRIPTS.name))


@pytest.fixture(scope="module")
def idl_scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the tools that publish and fetch an IDL; they need an older version of kit."""
    return install_packages(IDL_SCRIPTS, tmp_path_factory.mktemp(IDL_SCRIPTS.name))


def run(scripts: Path, script: str, *words: str | Path) -> Any:
    """Run a script and return the JSON that it prints."""
    process = subprocess.run(
        ["node", script, *map(str, words)], cwd=scripts, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return list(value)
    return [plain(part) for part in value] if isinstance(value, list) else value


def test_anchor_and_codama_read_the_idl_as_our_client_does(scripts: Path) -> None:
    game = Game.created(SOME_PLAYER, SOME_HOUSE, b"t" * 32, b"s" * 32, number=NUMBER, decks=2, slot=77)
    arguments = {}
    for name, (instruction, _) in INSTRUCTIONS.items():
        described = entry("instructions", name)
        values = decoded(described["discriminator"], described["args"], instruction.data)
        arguments[name] = {field: plain(value) for field, value in values.items()}
    vectors = {
        "idl": anchor_idl(SOME_PROGRAM),
        "instructions": arguments,
        "game": game.encode().hex(),
        "house": HouseAccount(SOME_HOUSE, (b"1" * 32, None)).encode().hex(),
        "events": [base64.b64encode(encode_event(event)).decode() for event in EVENTS],
    }
    (scripts / "vectors.json").write_text(json.dumps(vectors), encoding="utf-8")
    answer = run(scripts, "coders.mjs", "vectors.json")
    for name, (instruction, _) in INSTRUCTIONS.items():
        assert answer["instructions"][name]["data"] == instruction.data.hex()
        assert answer["instructions"][name]["decoded"].lower() == name.replace("_", "")
    assert answer["game"] == {"player": str(SOME_PLAYER), "slot": 77, "cardsLeft": 104}
    assert answer["house"] == {"house": str(SOME_HOUSE), "tips": 2}
    assert answer["events"][1] == {"name": "revealed", "drawn": [4, 51]}
    assert answer["codama"] == {"instructions": 17, "accounts": 4, "errors": 45}


@contextmanager
def house_of(url: str, folder: Path) -> Iterator[None]:
    """Run a house in a thread until the block ends."""
    ended = threading.Event()

    async def serve() -> None:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            house = House.create(folder / "house-secret.json")
            service = HouseService(cluster, HOUSE, house, folder / "journal.json", Limits(capacity=2))
            opening = open_bankroll(cluster.program, HOUSE.pubkey(), BetLimits(), lamports=SOL)
            await cluster.send(opening, [HOUSE])
            while not ended.is_set():
                await service.serve_once()
                await cluster.pause()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def on(url: str, act: Callable[[Cluster], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            return await act(cluster)

    return asyncio.run(connected())


async def prepare(cluster: Cluster) -> None:
    for key in (PLAYER, HOUSE):
        await cluster.airdrop(key.pubkey(), 10 * SOL)
    await deploy_program(cluster, read_program())


async def wait_for_offers(cluster: Cluster) -> None:
    while not any(await _tips(cluster)):
        await cluster.pause()


async def _tips(cluster: Cluster) -> tuple[bytes | None, ...]:
    data = await cluster.account_data(house_address(PROGRAM.pubkey(), HOUSE.pubkey()))
    return () if data is None else HouseAccount.decode(data).tips


@contextmanager
def surfpool(scripts: Path) -> Iterator[str]:
    """Run Surfpool's network, and return its address."""
    with subprocess.Popen(
        ["node", "surfnet.mjs"],
        cwd=scripts,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            if not url:
                pytest.skip("Surfpool has no binary for this machine")
            yield url
        finally:
            process.kill()


def network(name: str, scripts: Path) -> AbstractContextManager[str]:
    return serving_here() if name == "localnet" else surfpool(scripts)


def test_our_commands_play_a_whole_game_on_surfpool(scripts: Path, tmp_path: Path) -> None:
    """Two folders: the player's and the house's. Everything is done by commands, the deployment included."""
    with surfpool(scripts) as url:

        def command(side: str, *words: str) -> str:
            environment = ENVIRONMENT | {"CROUPIER_SOLANA_URL": url, "CROUPIER_SOLANA_TABLE": side}
            if (tmp_path / "program.txt").exists():
                environment |= {"CROUPIER_SOLANA_PROGRAM": (tmp_path / "program.txt").read_text("ascii")}
            process = call("solana", *words, "--json", environment=environment, folder=tmp_path)
            assert process.returncode == 0, process.stderr
            return process.stdout

        player = json.loads(command("mine", "keygen", "--as", "player", "--airdrop", "10"))["player"]
        house = json.loads(command("theirs", "keygen", "--as", "house", "--airdrop", "10"))["house"]
        deployed = json.loads(command("theirs", "deploy", "--final"))
        assert deployed["upgrade_authority"] is None
        (tmp_path / "program.txt").write_text(deployed["program"], "ascii")
        command("theirs", "house", "--once", "--capacity", "2")
        game = json.loads(command("mine", "new", "--house", house))["game"]
        for request in ("deal", "stand"):
            if game["status"] != "FINISHED":
                command("mine", request)
                command("theirs", "house", "--once")
                game = json.loads(command("mine", "show"))
        command("mine", "cleanup")
        verified = json.loads(command("mine", "verify", "--final", "--house", house))
    assert (verified["verdict"], verified["result"]) == ("proven", game["result"])
    assert (verified["house"], verified["player"]) == (house, player)


@pytest.mark.parametrize("where", ["localnet", "surfpool"])
@pytest.mark.parametrize("client", ["web3_player.mjs", "kit_player.mjs", "codama_player.mjs"])
def test_a_stranger_plays_a_whole_game_with_another_client(
    scripts: Path, tmp_path: Path, client: str, where: str
) -> None:
    player = Keypair()
    (tmp_path / "player.json").write_text(json.dumps(list(bytes(player))), encoding="utf-8")
    (tmp_path / "idl.json").write_text(json.dumps(anchor_idl(PROGRAM.pubkey())), encoding="utf-8")

    if client == "codama_player.mjs":
        run(scripts, "generate.mjs", tmp_path / "idl.json", "client.mjs")
    with network(where, scripts) as url:
        on(url, prepare)
        on(url, lambda cluster: cluster.airdrop(player.pubkey(), SOL))
        with house_of(url, tmp_path):
            on(url, wait_for_offers)
            program = tmp_path / "idl.json" if client.startswith("web3") else str(PROGRAM.pubkey())
            mode = ["subscribe"] if (client, where) == ("web3_player.mjs", "localnet") else []
            played = run(scripts, client, url, program, tmp_path / "player.json", str(HOUSE.pubkey()), *mode)

        async def verified(cluster: Cluster) -> Verification:
            game = ClusterGame(cluster, player.pubkey(), played["number"])
            record, view = await cluster.record(game.address), await cluster.view(game.address)
            return verify_game(record, view, Expected(house=HOUSE.pubkey(), player=player.pubkey()))

        verification = on(url, verified)
    assert (verification.verdict, verification.problem) == (Verdict.PROVEN, None)
    # A script that finds the game settled by the house has not seen its result.
    assert played["result"] in (None, verification.game.result)
    assert (verification.game.stake is not None) == ("bet" in played)


def metadata_tool(scripts: Path, home: Path, url: str, *words: str | Path) -> str:
    """Run the command of ``@solana-program/program-metadata`` with a configuration as Solana's tools have it."""
    folder = home / ".config" / "solana" / "cli"
    folder.mkdir(parents=True, exist_ok=True)
    head, _, port = url.replace("http", "ws", 1).rpartition(":")
    lines = {
        "json_rpc_url": url,
        "websocket_url": f"{head}:{int(port) + 1}",
        "keypair_path": home / "player.json",
    }
    (folder / "config.yml").write_text(
        "".join(f"{key}: {value}\n" for key, value in lines.items()), encoding="utf-8"
    )
    process = subprocess.run(
        ["node", scripts / "node_modules" / ".bin" / "program-metadata", *words],
        env=os.environ | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_the_idl_is_published_where_the_tools_look_for_it(idl_scripts: Path, tmp_path: Path) -> None:
    """What their command writes, ours reads, and the other way round, by the same instructions.

    The Program Metadata program itself is on the public networks only; ``metadata.c`` stands in for it.
    """
    pytest.importorskip("ziglang")
    (tmp_path / "player.json").write_text(json.dumps(list(bytes(PLAYER))), encoding="utf-8")
    (tmp_path / "idl.json").write_text(json.dumps(anchor_idl(PROGRAM.pubkey())), encoding="utf-8")
    stand_in = build_program(METADATA_SOURCE, include=PROGRAM_SOURCE.parent)
    program, address = str(PROGRAM.pubkey()), metadata_address(PROGRAM.pubkey())

    async def look(cluster: Cluster) -> tuple[Any, list[tuple[Any, ...]]]:
        record = await cluster.record(address)
        calls = [call for transaction in record.transactions for call in transaction.calls(METADATA_PROGRAM)]
        return await published_idl(cluster), [(call.accounts, call.data) for call in calls]

    with serving_here(lambda localnet: localnet.chain.svm.add_program(METADATA_PROGRAM, stand_in)) as url:
        on(url, prepare)
        metadata_tool(idl_scripts, tmp_path, url, "write", "idl", program, tmp_path / "idl.json")
        found, theirs = on(url, look)
        assert found == anchor_idl(PROGRAM.pubkey())
        metadata_tool(idl_scripts, tmp_path, url, "close", "idl", program)
        on(url, lambda cluster: publish_idl(cluster, PLAYER))
        calls = on(url, look)[1]
        closing, ours = calls[len(theirs)], calls[len(theirs) + 1 :]
        assert json.loads(metadata_tool(idl_scripts, tmp_path, url, "fetch", "idl", program)) == found
        fetched = run(idl_scripts, "fetch_idl.mjs", url, program)
        assert [entry["name"] for entry in fetched["errors"]] == [entry["name"] for entry in found["errors"]]
        assert fetched["address"] == program
    assert (ours[0], ours[-1]) == (theirs[0], theirs[-1]), "allocate and initialize"
    assert {accounts for accounts, _ in ours[1:-1]} == {accounts for accounts, _ in theirs[1:-1]}
    assert [data[0] for _, data in theirs] == [7, *[0] * (len(theirs) - 2), 1]
    expected = close_metadata(PROGRAM.pubkey(), PLAYER.pubkey())
    assert closing == (tuple(meta.pubkey for meta in expected.accounts), expected.data)


def test_a_whole_game_is_played_in_bankrun(scripts: Path, tmp_path: Path) -> None:
    """Bankrun has an older runtime, which runs SBPF version 0."""
    if not (scripts / "node_modules" / "solana-bankrun").exists():
        pytest.skip("bankrun has no binary for this machine")
    (tmp_path / "blackjack.so").write_bytes(read_program(0))
    (tmp_path / "idl.json").write_text(json.dumps(anchor_idl(PROGRAM.pubkey())), encoding="utf-8")
    played = run(scripts, "bankrun_game.mjs", tmp_path / "idl.json", tmp_path)
    assert played["isClosed"]
    assert Status(played["status"]) is Status.FINISHED
    assert played["result"] in {result for result in Result if result is not Result.OPEN}
    assert max(played["units"].values()) <= 3300
