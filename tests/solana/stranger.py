"""A player as a process of its own: plays games with a house that it knows by address only, and reports every lamport.

    python -m tests.solana.stranger URL KEY_FILE PROGRAM HOUSE GAMES

Every second game has a bet. A line "asked N" tells that the request of game N is open. The last line is a JSON object.
"""

import asyncio
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import Status, Tag
from croupier.solana.events import Created, Revealed
from croupier.solana.keys import read_key
from croupier.solana.receipt import Receipt
from croupier.solana.verification import Expected, Verdict, verify_game

BET = 2_000_000
#: Games at a time.
TABLES = 6


@dataclass
class Account:
    """What the player has paid, won and seen."""

    fees: int = 0
    gains: int = 0
    results: Counter[str] = field(default_factory=Counter)
    tips: list[str] = field(default_factory=list)
    preimages: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def paid(self, receipt: Receipt) -> Receipt:
        """Note a fee."""
        self.fees += receipt.fee
        return receipt


async def opened(cluster: Cluster, player: Keypair, house: Pubkey, bet: int) -> tuple[ClusterGame, Receipt]:
    """Open a game as soon as the house offers one."""
    while True:
        try:
            return await ClusterGame.join(cluster, player, house, bet=bet)
        except ClusterError as error:
            if not any(words in str(error) for words in ("has no account", "is taken", "takes no bets")):
                raise
            await cluster.pause()


async def play(cluster: Cluster, player: Keypair, house: Pubkey, number: int, account: Account) -> None:
    """Play one game to its end, verify it and close it."""
    game, receipt = await opened(cluster, player, house, BET * (number % 2))
    account.paid(receipt)
    state = await game.state()
    while state.status is not Status.FINISHED:
        tag = Tag.DEAL if state.status is Status.CREATED else (Tag.HIT, Tag.STAND)[number // 2 % 2]
        account.paid(await game.ask(tag, player))
        print(f"asked {number}", flush=True)
        state = await game.wait_for_answer()
        if state.status.waits_for_house:
            account.problems.append(f"game {number}: the house did not answer in time")
            account.paid(await game.claim(player))
            state = await game.state()
    account.results[state.result.name] += 1
    record, view = await game.evidence()
    verification = verify_game(record, view, Expected(cluster.program, house, player.pubkey()))
    if verification.verdict is not Verdict.PROVEN:
        account.problems.append(f"game {number}: {verification.problem}")
    account.tips += [event.chain_tip.hex() for event in record.events if isinstance(event, Created)]
    account.preimages += [event.preimage.hex() for event in record.events if isinstance(event, Revealed)]
    if state.stake is None:
        account.paid(await game.cleanup(player))
    else:  # the house settles it
        account.gains += state.stake.player_gain(state.result)
        while await cluster.account(game.address) is not None:
            await cluster.pause()


async def main(url: str, key_file: str, program: str, house: str, games: str) -> None:
    """Play all games, some at a time."""
    player, account = read_key(Path(key_file)), Account()
    numbers = iter(range(int(games)))
    async with Cluster(url, Pubkey.from_string(program)) as cluster:
        start = await cluster.balance(player.pubkey())

        async def sit() -> None:
            for number in numbers:
                await play(cluster, player, Pubkey.from_string(house), number, account)

        await asyncio.gather(*(sit() for _ in range(TABLES)))
        end = await cluster.balance(player.pubkey())
    report = {
        "start": start,
        "end": end,
        "fees": account.fees,
        "gains": account.gains,
        "results": account.results,
        "tips": account.tips,
        "preimages": account.preimages,
        "problems": account.problems,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
