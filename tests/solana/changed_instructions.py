"""Instructions with wrong data or wrong accounts."""

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey

from croupier.solana import instructions
from croupier.solana.addresses import next_number
from croupier.solana.layout import CREATE_DATA
from croupier.solana.local_game import LocalGame


def changed(
    instruction: Instruction, *, data: bytes | None = None, accounts: dict[int, AccountMeta] | None = None
) -> Instruction:
    """Change an instruction's data, or some of its accounts by place."""
    metas = list(instruction.accounts)
    for place, meta in (accounts or {}).items():
        metas[place] = meta
    return Instruction(instruction.program_id, instruction.data if data is None else data, metas)


def unsigned(instruction: Instruction, place: int) -> Instruction:
    meta = instruction.accounts[place]
    return changed(instruction, accounts={place: AccountMeta(meta.pubkey, False, meta.is_writable)})


def read_only(instruction: Instruction, place: int) -> Instruction:
    meta = instruction.accounts[place]
    return changed(instruction, accounts={place: AccountMeta(meta.pubkey, meta.is_signer, False)})


def replace_game(instruction: Instruction, address: Pubkey) -> Instruction:
    return changed(instruction, accounts={0: AccountMeta(address, False, True)})


def fresh_creation(game: LocalGame, **changes: object) -> Instruction:
    """Return a Create instruction for another game of the same player, with some fields changed."""
    number = next_number(game.chain.program, game.player.pubkey(), game.number + 1)
    instruction = instructions.create(
        game.chain.program,
        game.player.pubkey(),
        game.house.pubkey(),
        number=number,
        player_seed=bytes(32),
        chain_tip=bytes(32),
    )
    fields = CREATE_DATA.unpack(instruction.data)
    return changed(instruction, data=CREATE_DATA.pack({**fields, **changes}))
