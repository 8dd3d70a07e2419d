"""A game on a cluster: the actions of the player and of the house, each with its own key."""

import secrets
from dataclasses import dataclass
from typing import Any

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import instructions, stake_instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.cluster import Cluster, ClusterError
from croupier.solana.cluster_bankroll import covered_bet
from croupier.solana.codes import REVEAL_WINDOW, GameError, Tag
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.house import House
from croupier.solana.house_account import HouseAccount, house_address
from croupier.solana.layout import GAME, KEY_SIZE
from croupier.solana.receipt import Receipt
from croupier.solana.record import GameRecord
from croupier.solana.replay import RefutedError, openings
from croupier.solana.stake import Stake
from croupier.solana.verification import Expected, NetworkView, verify_game

#: Random numbers of games stay below this, so that every JSON reader keeps all their digits.
_RANDOM_NUMBERS = 2**53 - 2**10
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
        """Create a game with the given number, or a random one; player and house sign.

        Raises
        ------
        ClusterError
            If the program is not on the cluster.
        Refusal
            If the number is taken.
        """
        await _verify_deployed(cluster)
        game = cls._numbered(cluster, player.pubkey(), number)
        rent = await cluster.game_rent()
        creation = instructions.create(
            cluster.program,
            player.pubkey(),
            house_key.pubkey(),
            number=game.number,
            player_seed=secrets.token_bytes(KEY_SIZE) if player_seed is None else player_seed,
            chain_tip=house.open_chain(),
            decks=decks,
            lamports=rent,
        )
        return game, await cluster.send([*await game._top_up(rent), creation], [player, house_key])

    @classmethod
    async def join(
        cls,
        cluster: Cluster,
        player: Keypair,
        house: Pubkey,
        *,
        number: int | None = None,
        decks: int = 1,
        player_seed: bytes | None = None,
        bet: int = 0,
    ) -> tuple["ClusterGame", Receipt]:
        """Open a game with a commitment that the house has put on the chain; the player alone signs.

        A commitment that another player takes first is replaced by another one.

        Parameters
        ----------
        bet
            Lamports at stake; the house's bankroll covers them. Without a bet there is nothing to win.

        Raises
        ------
        ClusterError
            If the program is not on the cluster, or the house offers no games, or does not take the bet.
        Refusal
            If the number is taken.
        """
        while True:
            game, steps = await cls.joining(
                cluster,
                player.pubkey(),
                house,
                number=number,
                decks=decks,
                player_seed=player_seed,
                bet=bet,
            )
            try:
                return game, await cluster.send(steps, [player])
            except Refusal as refusal:
                if refusal.error is not GameError.COMMITMENT_GONE:
                    raise

    @classmethod
    async def joining(
        cls,
        cluster: Cluster,
        player: Pubkey,
        house: Pubkey,
        *,
        number: int | None = None,
        decks: int = 1,
        player_seed: bytes | None = None,
        bet: int = 0,
    ) -> tuple["ClusterGame", list[Instruction]]:
        """Return a game that could be opened now, and the instructions that do it; nothing is sent.

        Raises
        ------
        ClusterError
            If the program is not on the cluster, or the house offers no games, or does not take the bet.
        """
        await _verify_deployed(cluster)
        game = cls._numbered(cluster, player, number)
        stake = await covered_bet(cluster, house, bet) if bet else None
        size = GAME.size if stake is None else stake_instructions.STAKED_GAME_SIZE
        paid = await cluster.rent(size)
        if stake is not None:
            paid = stake_instructions.staked_deposit(stake, paid)
        place, tip = await _commitment(cluster, house)
        opening = _joining(
            cluster.program,
            player,
            house,
            stake,
            place=place,
            number=game.number,
            player_seed=secrets.token_bytes(KEY_SIZE) if player_seed is None else player_seed,
            chain_tip=tip,
            decks=decks,
            lamports=paid,
        )
        return game, [*await game._top_up(paid), opening]

    @classmethod
    def _numbered(cls, cluster: Cluster, player: Pubkey, number: int | None) -> "ClusterGame":
        """Return the game with a number; by default a random one, so that games opened at a time never meet."""
        if number is None:
            number = next_number(cluster.program, player, secrets.randbelow(_RANDOM_NUMBERS))
        return cls(cluster, player, number)

    async def _top_up(self, rent: int) -> list[Instruction]:
        return instructions.top_up(self.player, self.address, await self.cluster.balance(self.address), rent)

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
                f"game {self.number} of {self.player}: not found on '{self.cluster.url}'; it was closed "
                "(`croupier solana verify` shows how it ended), or never opened"
            )
        return game

    async def outcome(self) -> Game:
        """Return the current state of the game, or its end if it was closed; a house settles games with stakes by itself.

        Raises
        ------
        ClusterError
            If the game was never opened.
        """
        return await self.cluster.game(self.address) or await self.ended() or await self.state()

    async def ended(self) -> Game | None:
        """Return the last state of a closed game, recomputed from the history; ``None`` if it was never opened."""
        record = await self.cluster.record(self.address)
        try:
            newest = len(openings(record))
        except RefutedError:
            return None
        return verify_game(record, expected=Expected(opening=newest)).game

    async def evidence(self) -> tuple[GameRecord, NetworkView]:
        """Return the game's record and what the node says about it at the same moment.

        The other side can act meanwhile, so both are read again until the account stays the same.
        """
        while True:
            view = await self.cluster.view(self.address)
            record = await self.cluster.record(self.address)
            if await self.cluster.game(self.address) == view.account:
                return record, view

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
        return await self.cluster.send([await self.revelation(house_key.pubkey(), house)], [house_key])

    async def revelation(self, house_key: Pubkey, house: House) -> Instruction:
        """Return the house's answer to the open request, as soon as the slot of the request is over.

        Raises
        ------
        HouseError
            If the game belongs to another house.
        Refusal
            If there is no request.
        """
        game = await self.state()
        preimage = house.preimage_of(game.chain_tip)
        if not game.status.waits_for_house:
            raise Refusal(GameError.NOTHING_TO_REVEAL)
        slot_hash = await self.cluster.slot_hash(game.slot)
        return instructions.reveal(self.cluster.program, self.address, house_key, preimage, slot_hash)

    async def wait_for_answer(self) -> Game:
        """Wait until the house has answered, or its time is over, and return the game."""
        while True:
            game = await self.outcome()
            if not game.status.waits_for_house:
                return game
            if await self.cluster.slot() > game.slot + REVEAL_WINDOW:
                return game
            await self.cluster.pause()

    async def claim(self, claimant: Keypair) -> Receipt:
        """End the game because the other side is late; the claimant signs."""
        await self.state()
        instruction = instructions.claim(self.cluster.program, self.address, claimant.pubkey())
        return await self.cluster.send([instruction], [claimant])

    async def cleanup(self, payer: Keypair) -> Receipt:
        """Close the game; anyone may pay the fee. The rent goes to the player, and stakes are settled."""
        stake = (await self.state()).stake
        return await self.cluster.send(
            [stake_instructions.closing(self.cluster.program, self.address, self.player, stake)], [payer]
        )


async def _verify_deployed(cluster: Cluster) -> None:
    if await cluster.account_data(cluster.program) is None:
        raise ClusterError(
            f"cluster '{cluster.url}': program {cluster.program} is not deployed; run `croupier solana deploy`"
        )


def _joining(
    program: Pubkey, player: Pubkey, house: Pubkey, stake: Stake | None, **fields: Any
) -> Instruction:
    if stake is None:
        return instructions.join(program, player, house, **fields)
    return stake_instructions.join_staked(program, player, house, stake, **fields)


async def _commitment(cluster: Cluster, house: Pubkey) -> tuple[int, bytes]:
    """Return a random commitment of a house, with its place."""
    data = await cluster.account_data(house_address(cluster.program, house))
    if data is None:
        raise ClusterError(
            f"house {house}: it has no account on '{cluster.url}'; its owner runs `croupier solana house`"
        )
    tips = [(place, tip) for place, tip in enumerate(HouseAccount.decode(data).tips) if tip is not None]
    if not tips:
        raise ClusterError(f"house {house}: every game that it offers is taken; try again in a moment")
    return secrets.choice(tips)
