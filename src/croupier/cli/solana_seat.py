"""Where a command of ``croupier solana`` sits: at which cluster, at which table, at which game."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.table import Table


@dataclass(frozen=True)
class Seat:
    """A cluster's address, a table, and the number of a game where one was named."""

    url: str
    table: Table
    number: int | None = None

    @asynccontextmanager
    async def cluster(self, program: Pubkey | None = None) -> AsyncIterator[Cluster]:
        """Speak with the cluster about the table's program, or about another."""
        async with Cluster(self.url, self.table.program if program is None else program) as cluster:
            yield cluster

    @asynccontextmanager
    async def game(self) -> AsyncIterator[ClusterGame]:
        """Speak with the cluster about the game that was named, or the newest of the table."""
        async with self.cluster() as cluster:
            number = self.table.newest_game(cluster.program) if self.number is None else self.number
            if number is None:
                raise InputError(
                    "no game was opened from this table; run `croupier solana new`, or name --game"
                )
            yield ClusterGame(cluster, self.table.player.pubkey(), number)
