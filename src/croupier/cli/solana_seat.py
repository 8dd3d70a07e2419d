"""The cluster, the folder and the game that a ``croupier solana`` command works with."""

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
    """A cluster's address, the folder of ``--table``, and the number of ``--game`` if given."""

    url: str
    table: Table
    number: int | None = None

    @asynccontextmanager
    async def cluster(self, program: Pubkey | None = None) -> AsyncIterator[Cluster]:
        """Connect to the cluster, for the folder's program or another one."""
        async with Cluster(self.url, self.table.program if program is None else program) as cluster:
            yield cluster

    @asynccontextmanager
    async def game(self) -> AsyncIterator[ClusterGame]:
        """Connect to the cluster, for the given game or the newest one; nobody's key is needed for that.

        Raises
        ------
        InputError
            If no game is given and none was opened from this folder.
        """
        async with self.cluster() as cluster:
            number = self.number
            if number is None:
                newest = self.table.newest_game(cluster.program)
                if newest is None:
                    raise InputError(
                        "no game was opened from this folder; run `croupier solana new`, or give --game and --player"
                    )
                number = newest.number
            yield ClusterGame(cluster, self.table.player_pubkey(cluster.program), number)
