"""A game on a cluster: the actions of the player and of the house, each with its own key."""

import secrets
from dataclasses import dataclass

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.codes import Tag
from croupier.solana.game import Game
from croupier.solana.house import House
from croupier.solana.layout import KEY_SIZE
from croupier.solana.receipt import Receipt

_REQUESTS = {Tag.DEAL: instructions.deal, Tag.HIT: instructions.hit, Tag.STAND: instructions.stand}


@dataclass(frozen=True, slots=True)
class ClusterGame:
    """A player's game on a cluster.

    Examples
    --------
    >>> async def play(cluster: Cluster, player: Keypair, house_key: Keypair, house: House) -> Game:
    ...     game, _ = await ClusterGame.open(cluster, player, house_key, house)
    ...     for tag in (Tag.DEAL, Tag.STAND):
    ...         if (await game.state()).result == 0:
    ...             await game.ask(tag, player)
    ...             await game.answer(house_key, house)
    ...     return await game.state()
    """

    cluster: Cluster
    player: Pubkey
    number: int

    @classmethod
    async def open(
        cls,
        cluster: Cluster,
        player: Keypair,
        house_key: Keypair,
        house: House,
        *,
        number: int | None = None,
        decks: int = 1,
        player_seed: bytes | None = None,
    ) -> tuple["ClusterGame", Receipt]:
        """Create a game with the given number, or the first free one; player and house sign.

        Raises
        ------
        ClusterError
            If the program is not on the cluster.
        Refusal
            If the number is taken.
        """
        if await cluster.account_data(cluster.program) is None:
            raise ClusterError(
                f"cluster '{cluster.url}': program {cluster.program} is not deployed; run `croupier solana deploy`"
            )
        chosen = await _free_number(cluster, player.pubkey()) if number is None else number
        game = cls(cluster, player.pubkey(), chosen)
        rent = await cluster.game_rent()
        creation = instructions.create(
            cluster.program,
            player.pubkey(),
            house_key.pubkey(),
            number=chosen,
            player_seed=secrets.token_bytes(KEY_SIZE) if player_seed is None else player_seed,
            chain_tip=house.open_chain(),
            decks=decks,
            lamports=rent,
        )
        gift = await cluster.balance(game.address)
        missing = instructions.top_up(player.pubkey(), game.address, gift, rent)
        return game, await cluster.send([*missing, creation], [player, house_key])

    @property
    def address(self) -> Pubkey:
        """The address of the game's account."""
        return game_address(self.cluster.program, self.player, self.number)

    async def state(self) -> Game:
        """Return the current state of the game.

        Raises
        ------
        ClusterError
            If the game was never opened, or was cleaned up.
        """
        game = await self.cluster.game(self.address)
        if game is None:
            raise ClusterError(
                f"game {self.number} of {self.player}: not found on '{self.cluster.url}'; "
                "it was cleaned up or never opened"
            )
        return game

    async def ask(self, tag: Tag, player: Keypair) -> Receipt:
        """Request a deal, a hit or a stand as the player."""
        await self.state()
        instruction = _REQUESTS[tag](self.cluster.program, self.address, player.pubkey())
        return await self.cluster.send([instruction], [player])

    async def answer(self, house_key: Keypair, house: House) -> Receipt:
        """Reveal as the house, as soon as the slot of the request is over.

        Raises
        ------
        HouseError
            If the game belongs to another house.
        """
        game = await self.state()
        preimage = house.preimage_of(game.chain_tip)
        if game.status.waits_for_house:
            await self.cluster.wait_past(game.slot)
        instruction = instructions.reveal(self.cluster.program, self.address, house_key.pubkey(), preimage)
        return await self.cluster.send([instruction], [house_key])

    async def claim(self, claimant: Keypair) -> Receipt:
        """End the game because the other side is late; the claimant signs."""
        await self.state()
        instruction = instructions.claim(self.cluster.program, self.address, claimant.pubkey())
        return await self.cluster.send([instruction], [claimant])

    async def cleanup(self, payer: Keypair) -> Receipt:
        """Close the game; anyone may pay the fee, and the rent goes to the player."""
        await self.state()
        instruction = instructions.cleanup(self.cluster.program, self.address, self.player)
        return await self.cluster.send([instruction], [payer])


async def _free_number(cluster: Cluster, player: Pubkey) -> int:
    number = next_number(cluster.program, player)
    while await cluster.account_data(game_address(cluster.program, player, number)):
        number = next_number(cluster.program, player, number + 1)
    return number
