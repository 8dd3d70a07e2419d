"""A player whose key is elsewhere, in a browser or a wallet: what is to be signed is built and explained here.

The explanation is read from the bytes of the transaction, so it says what is signed and not what was meant.
"""

from dataclasses import dataclass

from solders.instruction import Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.transaction import VersionedTransaction

from croupier.errors import InputError
from croupier.solana import instructions, stake_instructions
from croupier.solana.cluster import Cluster
from croupier.solana.cluster_bankroll import bankroll_of
from croupier.solana.cluster_game import ClusterGame
from croupier.solana.codes import GAME_TYPE, LAYOUT_VERSION, STAKED_VERSION, Tag
from croupier.solana.game import Game
from croupier.solana.layout import CREATE_DATA, GAME, JOIN_STAKED_DATA, LayoutError
from croupier.solana.receipt import Receipt
from croupier.texts import say

_FEE = 5000
_TRANSFER = 2
_OFFSETS = {part.name: part.offset for part in GAME.fields}
_REQUESTS = {Tag.DEAL: instructions.deal, Tag.HIT: instructions.hit, Tag.STAND: instructions.stand}


class SigningError(InputError):
    """What came back is not the transaction that was to be signed, or its signature is wrong."""


def explained(wire: bytes, program: Pubkey) -> tuple[str, ...]:
    """Say in words what a transaction does to the player who signs it.

    Raises
    ------
    SigningError
        If it does anything that a game does not need.
    """
    message = VersionedTransaction.from_bytes(wire).message
    keys = message.account_keys
    lines: list[str] = [say("solana.signing.fee", payer=str(keys[0]), fee=_FEE)]
    for call in message.instructions:
        called, accounts = keys[call.program_id_index], [keys[place] for place in call.accounts]
        data = bytes(call.data)
        if called == SYSTEM_PROGRAM and data[:4] == _TRANSFER.to_bytes(4, "little") and len(data) == 12:
            lamports = int.from_bytes(data[4:], "little")
            lines.append(say("solana.signing.send", lamports=lamports, to=str(accounts[1])))
        elif called == program:
            lines.append(_explained_call(data, accounts))
        else:
            raise SigningError(f"the transaction calls program {called}, which a game does not need")
    return tuple(lines)


def _explained_call(data: bytes, accounts: list[Pubkey]) -> str:
    try:
        tag = Tag(data[0])
        game, key = str(accounts[0]), f"solana.signing.{tag.name.lower()}"
        if tag is Tag.JOIN:
            fields = CREATE_DATA.unpack(data)
            return say(
                key, number=fields["number"], decks=fields["decks"], rent=fields["lamports"], game=game
            )
        if tag is Tag.JOIN_STAKED:
            fields = JOIN_STAKED_DATA.unpack(data)
            return say(
                key,
                number=fields["number"],
                decks=fields["decks"],
                rent=fields["lamports"] - fields["bet"],
                bet=fields["bet"],
                cover=fields["cover"],
                game=game,
            )
        return say(key, game=game)
    except (ValueError, KeyError, IndexError, LayoutError):
        raise SigningError("the transaction is not one of a player") from None


@dataclass(slots=True)
class RemotePlayer:
    """A player who signs elsewhere, with a house that is known by its address."""

    cluster: Cluster
    player: Pubkey
    house: Pubkey
    number: int | None = None

    async def state(self) -> Game | None:
        """Return the current game; ``None`` before it is opened and after it is closed."""
        return None if self.number is None else await self.cluster.game(self._game.address)

    async def resume(self) -> None:
        """Find the newest open game of this player with this house, as after a page was loaded again."""
        keys = {_OFFSETS["player"]: bytes(self.player), _OFFSETS["house"]: bytes(self.house)}
        games: list[Game] = []
        for version in (LAYOUT_VERSION, STAKED_VERSION):
            found = await self.cluster.accounts_of(
                self.cluster.program, {0: bytes([version, GAME_TYPE])} | keys
            )
            games += [Game.decode(bytes(account.data)) for account in found.values()]
        if games:
            self.number = max(games, key=lambda game: game.slot).number

    async def outcome(self) -> tuple[Game | None, bool]:
        """Return the newest game, if there is one, and whether it is closed; a house may settle a game first."""
        game = await self.state()
        if game is not None or self.number is None:
            return game, False
        return await self._game.ended(), True

    async def answered(self) -> Game:
        """Wait until the house has answered, or its time is over, and return the game."""
        return await self._game.wait_for_answer()

    async def bet_limits(self) -> tuple[int, int] | None:
        """Return the least and the most bet that the house takes now; ``None`` if it takes none."""
        bankroll, held = await bankroll_of(self.cluster, self.house)
        most = 0 if bankroll is None else bankroll.most_covered(held)
        return None if bankroll is None or most == 0 else (bankroll.limits.least_bet, most)

    async def opening(self, bet: int = 0) -> bytes:
        """Return the transaction that opens a game, for signing."""
        game, steps = await ClusterGame.joining(self.cluster, self.player, self.house, bet=bet)
        self.number = game.number
        return await self._unsigned(steps)

    async def request(self, tag: Tag) -> bytes:
        """Return the transaction of a deal, a hit, a stand, a claim or the closing of the game, for signing."""
        game, program = self._game, self.cluster.program
        if tag in _REQUESTS:
            return await self._unsigned([_REQUESTS[tag](program, game.address, self.player)])
        if tag is Tag.CLAIM:
            return await self._unsigned([instructions.claim(program, game.address, self.player)])
        stake = (await game.state()).stake
        return await self._unsigned([stake_instructions.closing(program, game.address, self.player, stake)])

    async def send(self, wire: bytes, signed: bytes) -> Receipt:
        """Send a transaction that came back signed.

        Raises
        ------
        SigningError
            If it is not the one that was given out, or not signed by the player.
        Refusal, TransactionError, ClusterError
            If the cluster does not execute it.
        """
        try:
            transaction = VersionedTransaction.from_bytes(signed)
            is_signed = all(transaction.verify_with_results())
        except ValueError:
            raise SigningError("what came back is not a transaction") from None
        if transaction.message != VersionedTransaction.from_bytes(wire).message:
            raise SigningError("what came back is another transaction")
        if not is_signed:
            raise SigningError(f"what came back is not signed by {self.player}")
        return await self.cluster.send_signed(transaction)

    @property
    def _game(self) -> ClusterGame:
        if self.number is None:
            raise InputError("no game is open")
        return ClusterGame(self.cluster, self.player, self.number)

    async def _unsigned(self, steps: list[Instruction]) -> bytes:
        return bytes(await self.cluster.unsigned(steps, self.player))
