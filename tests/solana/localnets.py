"""Localnets as real processes, and predictions of their games."""

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana.addresses import game_address
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_deployment import deploy, plan_deployment
from croupier.solana.codes import Result, Tag
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.ledger import Ledger
from croupier.solana.local_chain import LocalChain
from croupier.solana.localnet import Localnet
from croupier.solana.model import request, reveal
from croupier.solana.rpc_server import LocalnetServer

CROUPIER = str(Path(sys.executable).parent / "croupier")
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "120", "LANG": "C.UTF-8", "NO_COLOR": "1"}
PATIENCE = 120
CHAIN_SEED = 5
HOUSE_SECRET = b"h" * 32
PLAYER, HOUSE, PROGRAM = (Keypair.from_seed(bytes([byte] * 32)) for byte in (1, 2, 3))


@dataclass(frozen=True)
class LocalnetProcess:
    """A running localnet."""

    process: subprocess.Popen[str]
    url: str

    @property
    def slot(self) -> int:
        """The current slot."""
        call = b'{"jsonrpc": "2.0", "id": 1, "method": "getSlot"}'
        with urllib.request.urlopen(self.url, call, timeout=PATIENCE) as response:
            return int(json.load(response)["result"])

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Stop it; return its exit code and its last output."""
        self.process.send_signal(how)
        words, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, words


@contextmanager
def serving(*options: str | int | Path) -> Iterator[LocalnetProcess]:
    """Run a localnet with one slot per transaction, unless the options say otherwise."""
    words = ["--port", "0", "--seed", str(CHAIN_SEED), "--slot-time", "0", *map(str, options)]
    with subprocess.Popen(
        [CROUPIER, "solana", "localnet", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("Localnet on http"), line + process.stdout.read()
            yield LocalnetProcess(process, line.split()[2])
        finally:
            process.kill()


@contextmanager
def serving_here(prepare: Callable[[Localnet], None] = lambda _localnet: None) -> Iterator[str]:
    """Run a localnet in a thread of this process, one slot per transaction, and return its address."""
    with (
        Ledger(None, seed=CHAIN_SEED) as ledger,
        LocalnetServer(Localnet(ledger, slot_seconds=0), port=0) as server,
    ):
        prepare(server.localnet)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


async def deploy_program(cluster: Cluster, program: bytes) -> None:
    """Deploy a program under the usual key, paid by the usual player."""
    await deploy(cluster, await plan_deployment(cluster, PLAYER, Keypair(), PROGRAM, program))


def predicted(game: Game, address: Pubkey, links: tuple[bytes, ...], slot: int, plan: list[Tag]) -> Game:
    """Play a game in the model as a localnet would, from a given slot, with one slot per transaction."""
    chain = LocalChain(seed=CHAIN_SEED, slot=slot + 100)
    tip = len(links) - 1
    for tag in plan:
        if game.result is not Result.OPEN:
            break
        slot_hash = chain.slot_hash(slot)
        assert slot_hash is not None
        asked = request(game, tag, slot)
        tip -= 1
        game = reveal(asked, address, links[tip], slot_hash, slot + 1).game
        slot += 2
    return game


def seed_for(ending: Result, plan: list[Tag], *, number: int, chain: int, slot: int) -> bytes:
    """Find a player's seed with which a game that is dealt in a given slot has the wanted ending.

    Parameters
    ----------
    chain
        How many chains the house has opened before.
    """
    program, player, house = (key.pubkey() for key in (PROGRAM, PLAYER, HOUSE))
    links = chain_links(HOUSE_SECRET, chain)
    address = game_address(program, player, number)
    for attempt in count():
        seed = attempt.to_bytes(32, "little")
        game = Game.created(player, house, links[-1], seed, number=number)
        if predicted(game, address, links, slot, plan).result is ending:
            return seed
    raise AssertionError("a seed exists")
