from collections.abc import Callable

import pytest
from solders.account import Account
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana.codes import GameError, Status, Tag
from croupier.solana.failures import Refusal
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import read_program

Refused = Callable[..., None]


def deployed_chain() -> LocalChain:
    """Return the real runtime with the repository's program, deployed by the real loader."""
    chain = LocalChain(seed=7)
    chain.deploy(read_program())
    return chain


@pytest.fixture
def chain() -> LocalChain:
    """Return a chain of the test's own."""
    return deployed_chain()


@pytest.fixture
def game(chain: LocalChain) -> LocalGame:
    """Return a game that is only created."""
    return LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=b"s" * 32)


@pytest.fixture
def in_turn(chain: LocalChain) -> LocalGame:
    """Return a game in the player's turn: dealt, without 21."""
    player, house, number = chain.funded_key(), chain.funded_key(), 0
    while True:
        game = LocalGame.open(chain, player, house, secret=b"t" * 32, start_number=number)
        game.ask(Tag.DEAL)
        game.answer()
        if game.state.status is Status.PLAYER_TURN:
            return game
        number = game.number + 1


@pytest.fixture
def finished(in_turn: LocalGame) -> LocalGame:
    """Return a game that is over after a stand."""
    in_turn.ask(Tag.STAND)
    in_turn.answer()
    return in_turn


@pytest.fixture
def refused(chain: LocalChain) -> Refused:
    """Send an instruction that must be refused with this error and change no account."""
    payer = chain.funded_key()

    def attempt(instruction: Instruction, *signers: Keypair, error: GameError, watched: list[Pubkey]) -> None:
        addresses = {meta.pubkey for meta in instruction.accounts} | set(watched)
        before = {address: _image(chain.svm.get_account(address)) for address in addresses}
        money = chain.balance(payer.pubkey())
        with pytest.raises(Refusal) as refusal:
            chain.send([instruction], [payer, *signers])
        assert refusal.value.error is error
        assert {address: _image(chain.svm.get_account(address)) for address in addresses} == before
        assert money - chain.balance(payer.pubkey()) == 5000 * (1 + len(signers))

    return attempt


def _image(account: Account | None) -> tuple[object, ...] | None:
    if account is None:
        return None
    return account.lamports, account.owner, account.executable, bytes(account.data)
