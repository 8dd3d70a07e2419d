"""Games with stakes on the real runtime: a house with a bankroll, and strangers who bet."""

from dataclasses import dataclass

from solders.account import Account
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import instructions, stake_instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.bankroll import Bankroll, BetLimits, bankroll_address
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, Result, Status, Tag
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.house_account import house_size
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.stake import Stake

PLACES = 8
LINKS = [chain_links(b"b" * 32, number) for number in range(PLACES)]
BET, BOND = 5_000_000, 2_000_000
LIMITS = BetLimits(least_bet=1_000_000, most_bet=50_000_000, bond=BOND, reserve=2_000_000)
FUNDS = 200_000_000


@dataclass(frozen=True)
class Staking:
    """A house whose bankroll takes bets."""

    chain: LocalChain
    house: Keypair

    @classmethod
    def open(cls, chain: LocalChain, limits: BetLimits = LIMITS, funds: int = FUNDS) -> "Staking":
        """Open the house's account with all commitments, and its bankroll."""
        house, program = chain.funded_key(), chain.program
        rent = chain.svm.minimum_balance_for_rent_exemption(house_size(PLACES))
        tips = [links[-1] for links in LINKS]
        chain.send(instructions.open_house(program, house.pubkey(), PLACES, rent), [house])
        chain.send([instructions.commit(program, house.pubkey(), tips)], [house])
        chain.send(stake_instructions.open_bankroll(program, house.pubkey(), limits, funds), [house])
        return cls(chain, house)

    @property
    def purse(self) -> Pubkey:
        """The address of the bankroll."""
        return bankroll_address(self.chain.program, self.house.pubkey())

    @property
    def bankroll(self) -> Bankroll:
        """The bankroll as it stands."""
        account = self.chain.account(self.purse)
        assert account is not None
        return Bankroll.decode(account.data)

    @property
    def held(self) -> int:
        """The lamports in the bankroll."""
        return self.chain.balance(self.purse)

    def stake(self, bet: int = BET) -> Stake:
        """A bet with the cover of the bankroll."""
        return Stake(self.purse, bet, bet + self.bankroll.limits.bond)

    def prepared(self, place: int = 0, player: Keypair | None = None) -> LocalGame:
        """A game that takes the commitment at a place, before its first transaction."""
        player = self.chain.funded_key() if player is None else player
        number = next_number(self.chain.program, player.pubkey(), 10 * place)
        address = game_address(self.chain.program, player.pubkey(), number)
        return LocalGame(self.chain, player, self.house, LINKS[place], number, address)

    def joining(
        self, game: LocalGame, stake: Stake | None = None, lamports: int | None = None
    ) -> Instruction:
        """The instruction that opens a prepared game."""
        return stake_instructions.join_staked(
            self.chain.program,
            game.player.pubkey(),
            self.house.pubkey(),
            self.stake() if stake is None else stake,
            place=LINKS.index(game.links),
            number=game.number,
            player_seed=b"p" * 32,
            chain_tip=game.links[-1],
            lamports=lamports,
        )

    def joined(self, place: int = 0, bet: int = BET) -> LocalGame:
        """A game that is open."""
        game = self.prepared(place)
        game.send(self.joining(game, self.stake(bet)), game.player)
        return game

    def finished(self, result: Result, place: int = 0, bet: int = BET) -> LocalGame:
        """A game that has ended in a certain way: by a claim, or by cards that the account is given behind its back."""
        game = self.joined(place, bet)
        if result is Result.HOUSE_FORFEIT:
            game.ask(Tag.DEAL)
            self.chain.advance(REVEAL_WINDOW + 1)
            game.claim(game.player)
        elif result is Result.PLAYER_FORFEIT:
            self.chain.advance(PLAYER_WINDOW + 1)
            game.claim(self.house)
        else:
            end(game, result)
        assert game.state.result is result
        return game

    def settlement(self, game: LocalGame) -> Instruction:
        """The instruction that settles a game."""
        return stake_instructions.settle(self.chain.program, game.address, game.player.pubkey(), self.purse)


def end(game: LocalGame, result: Result) -> None:
    """Write an ending into a game's account."""
    account = game.chain.account(game.address)
    assert account is not None
    state = Game.decode(account.data)
    data = bytearray(state.encode())
    data[3], data[4] = Status.FINISHED, result
    game.chain.svm.set_account(
        game.address, Account(account.lamports, bytes(data), account.owner, False, account.rent_epoch)
    )
