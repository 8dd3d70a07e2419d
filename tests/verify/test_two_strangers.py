"""Player and house as strangers: separate users, folders, processes and network namespaces, only RPC between them.

``pytest -m verify tests/verify/test_two_strangers.py -s`` prints the figures. Without root, users and namespaces are not
separated, and the test says so.
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from solders.keypair import Keypair

from croupier.solana import stake_instructions
from croupier.solana.bankroll import BetLimits, bankroll_address
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_bankroll import bankroll_of
from croupier.solana.house import House
from croupier.solana.house_account import house_address
from croupier.solana.toolchain.compiler import read_program
from tests.solana import separation
from tests.solana.localnets import CROUPIER, ENVIRONMENT, HOUSE, PLAYER, PROGRAM, deploy_program, serving_here
from tests.solana.test_house_service import fees_of

pytestmark = pytest.mark.verify
SOL = 10**9
GAMES, KILLS = 200, 10
PORT = 8899
USERS = {"house": 20_017, "player": 20_018}
ROOT = Path(__file__).parents[2]
FUNDS = 2 * SOL
LIMITS = BetLimits(least_bet=1_000_000, most_bet=10_000_000, bond=500_000, reserve=10_000_000)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that other users can reach; pytest's own are closed to them."""
    folder = Path(tempfile.mkdtemp(prefix="strangers-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def on(url: str, act: Callable[[Cluster], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        async with Cluster(url, PROGRAM.pubkey()) as cluster:
            return await act(cluster)

    return asyncio.run(connected())


class Sides:
    """Starts the processes of both sides, separated as far as this machine allows."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.is_separate = separation.is_possible()
        self._listener = socket.socket(socket.AF_UNIX)
        if self.is_separate:
            self.url = f"http://127.0.0.1:{PORT}"
            server = urlsplit(url)
            assert server.hostname is not None
            assert server.port is not None
            address = (server.hostname, server.port)
            self._listener.bind(str(self._socket))
            self._socket.chmod(0o666)
            self._listener.listen()
            separation.relay(self._listener, lambda: socket.create_connection(address))

    def __enter__(self) -> "Sides":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._listener.close()

    @property
    def _socket(self) -> Path:
        return self.folder / "network"

    def own(self, side: str, key: Keypair) -> Path:
        """Make the folder of a side with its key; nobody else may read it."""
        folder = self.folder / side
        folder.mkdir(mode=0o700)
        (folder / f"{side}.json").write_text(json.dumps(list(bytes(key))), encoding="utf-8")
        if side == "house":
            House.create(folder / "house-secret.json")
        for path in (*folder.iterdir(), folder):
            path.chmod(0o700 if path.is_dir() else 0o600)
            if self.is_separate:
                os.chown(path, USERS[side], USERS[side])
        return folder

    @contextmanager
    def running(self, side: str, *command: str) -> Iterator[tuple["subprocess.Popen[str]", int]]:
        """Run a command of a side; return its process, and the number of the process that is to be killed."""
        words = list(command)
        if self.is_separate:
            words = separation.command_for(self._socket, PORT, USERS[side], words)
        with (
            (self.folder / f"{side}.log").open("a", encoding="utf-8") as log,
            subprocess.Popen(
                words,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                env=ENVIRONMENT | {"PYTHONDONTWRITEBYTECODE": "1"},
            ) as process,
        ):
            assert process.stdout is not None
            try:
                yield process, int(process.stdout.readline()) if self.is_separate else process.pid
            finally:
                process.kill()


class HouseProcess:
    """The service of the house, which can be killed and started again."""

    def __init__(self, sides: Sides, folder: Path) -> None:
        words = ["--url", sides.url, "--table", str(folder), "--program", str(PROGRAM.pubkey())]
        words += ["--capacity", "16", "--games-per-hour", "100000", "--daily-budget", "5"]
        self._sides, self._command = sides, [CROUPIER, "solana", "house", *words]
        self._start()

    def _start(self) -> None:
        self._context = self._sides.running("house", *self._command)
        self._process, self._victim = self._context.__enter__()

    def kill(self) -> None:
        """End it with -9."""
        os.kill(self._victim, signal.SIGKILL)
        self._process.wait()
        self._context.__exit__(None, None, None)

    def kill_and_restart(self) -> None:
        """End it with -9 and start it again."""
        self.kill()
        self._start()


async def prepare(cluster: Cluster) -> None:
    for key in (PLAYER, HOUSE):
        await cluster.airdrop(key.pubkey(), 10 * SOL)
    await deploy_program(cluster, read_program())
    opening = stake_instructions.open_bankroll(cluster.program, HOUSE.pubkey(), LIMITS, FUNDS)
    await cluster.send(opening, [HOUSE])


def test_two_strangers_play_200_games_while_the_house_is_killed(folder: Path) -> None:
    with serving_here() as url:
        on(url, prepare)
        before = on(url, lambda cluster: cluster.balance(HOUSE.pubkey()))
        fees_before = on(url, lambda cluster: fees_of(cluster, HOUSE.pubkey()))
        with Sides(folder, url) as sides:
            own = {"house": sides.own("house", HOUSE), "player": sides.own("player", PLAYER)}
            house = HouseProcess(sides, own["house"])
            report, kills = played(sides, house, own["player"])
            house.kill()
        figures = on(url, lambda cluster: balances(cluster, before, fees_before))
    shown = {key: value for key, value in report.items() if key not in ("tips", "preimages")}
    print(
        f"\nseparate users and namespaces: {sides.is_separate}; killed {kills} times; {shown}; house {figures}"
    )
    assert kills == KILLS
    assert report["problems"] == []
    assert sum(report["results"].values()) == GAMES
    assert not {"HOUSE_FORFEIT", "PLAYER_FORFEIT"} & report["results"].keys()
    assert len(set(report["tips"])) == GAMES
    assert len(set(report["preimages"])) == len(report["preimages"]) > GAMES
    assert not set(report["tips"]) & set(report["preimages"])
    assert report["end"] == report["start"] - report["fees"] + report["gains"]
    assert figures["open_games"] == 0
    assert figures["missing"] == report["gains"]


def played(sides: Sides, house: HouseProcess, folder: Path) -> tuple[dict[str, Any], int]:
    """Let the player play; kill the house while requests are open. Return the player's report."""
    deaths = [GAMES * (kill + 1) // (KILLS + 1) for kill in range(KILLS)]
    command = [sys.executable, "-m", "tests.solana.stranger", sides.url, str(folder / "player.json")]
    command += [str(PROGRAM.pubkey()), str(HOUSE.pubkey()), str(GAMES)]
    kills, line = 0, ""
    with sides.running("player", *command) as (process, _):
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("asked ") and deaths and int(line.split()[1]) >= deaths[0]:
                deaths.pop(0)
                house.kill_and_restart()
                kills += 1
        assert process.wait() == 0, (sides.folder / "player.log").read_text(encoding="utf-8")
    return json.loads(line), kills


async def balances(cluster: Cluster, before: int, fees_before: int) -> dict[str, int]:
    """Return what the house is missing beyond its fees, over all its accounts."""
    key = HOUSE.pubkey()
    fees = await fees_of(cluster, key) - fees_before
    wallet = await cluster.balance(key)
    rent = await cluster.balance(house_address(cluster.program, key))
    bankroll, held = await bankroll_of(cluster, key)
    assert bankroll is not None
    assert held == await cluster.balance(bankroll_address(cluster.program, key))
    missing = before + FUNDS - fees - wallet - rent - held
    return {"fees": fees, "bankroll": held, "open_games": bankroll.open_games, "missing": missing}
