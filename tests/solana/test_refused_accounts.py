"""Wrong signers, accounts, data and addresses are refused, each with its own error, and change nothing."""

import hashlib
from collections.abc import Callable

import pytest
from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.sysvar import CLOCK, SLOT_HASHES

from croupier.solana import instructions, stake_instructions
from croupier.solana.addresses import has_address
from croupier.solana.codes import GameError, Status, Tag
from croupier.solana.failures import TransactionError
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from tests.solana.changed_instructions import changed, fresh_creation, read_only, replace_game, unsigned

Refused = Callable[..., None]
SIZES = {
    Tag.CREATE: 88,
    Tag.REVEAL: 72,
    Tag.COMMIT: 40,
    Tag.JOIN: 88,
    Tag.OPEN_BANKROLL: 40,
    Tag.SET_LIMITS: 40,
    Tag.WITHDRAW: 16,
    Tag.JOIN_STAKED: 104,
}


# ---- who may act ----


@pytest.mark.parametrize("tag", [Tag.DEAL, Tag.HIT, Tag.STAND])
def test_a_stranger_cannot_act_for_the_player(
    chain: LocalChain, game: LocalGame, refused: Refused, tag: Tag
) -> None:
    stranger = chain.funded_key()
    attempt = changed(game.request(tag), accounts={1: AccountMeta(stranger.pubkey(), True, False)})
    refused(attempt, stranger, error=GameError.WRONG_PLAYER, watched=[game.player.pubkey()])


def test_the_house_cannot_act_for_the_player(in_turn: LocalGame, refused: Refused) -> None:
    attempt = changed(
        in_turn.request(Tag.HIT), accounts={1: AccountMeta(in_turn.house.pubkey(), True, False)}
    )
    refused(attempt, in_turn.house, error=GameError.WRONG_PLAYER, watched=[in_turn.player.pubkey()])


@pytest.mark.parametrize("tag", [Tag.DEAL, Tag.HIT, Tag.STAND])
def test_nobody_acts_without_the_players_signature(game: LocalGame, refused: Refused, tag: Tag) -> None:
    refused(unsigned(game.request(tag), 1), error=GameError.PLAYER_MUST_SIGN, watched=[])


def test_another_house_cannot_reveal(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    chain.advance()
    stranger = chain.funded_key()
    attempt = changed(game.revelation(), accounts={1: AccountMeta(stranger.pubkey(), True, False)})
    refused(attempt, stranger, error=GameError.WRONG_HOUSE, watched=[game.house.pubkey()])


def test_nobody_reveals_without_the_houses_signature(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    game.ask(Tag.DEAL)
    chain.advance()
    refused(unsigned(game.revelation(), 1), error=GameError.HOUSE_MUST_SIGN, watched=[])


def test_a_game_needs_both_signatures(game: LocalGame, refused: Refused) -> None:
    creation = fresh_creation(game)
    refused(unsigned(creation, 1), game.house, error=GameError.PLAYER_MUST_SIGN, watched=[])
    refused(unsigned(creation, 2), game.player, error=GameError.HOUSE_MUST_SIGN, watched=[])


# ---- which accounts ----


def test_an_account_of_another_program_is_no_game(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    account = chain.account(game.address)
    assert account is not None
    forged = Pubkey(bytes([5] * 32))
    chain.svm.set_account(forged, Account(account.lamports, account.data, Pubkey(bytes([6] * 32)), False, 0))
    attempt = changed(game.request(Tag.DEAL), accounts={0: AccountMeta(forged, False, True)})
    refused(attempt, game.player, error=GameError.FOREIGN_OWNER, watched=[game.address])


@pytest.mark.parametrize("size", [0, 255, 257])
def test_an_account_of_another_size_is_no_game(
    chain: LocalChain, game: LocalGame, refused: Refused, size: int
) -> None:
    account = chain.account(game.address)
    assert account is not None
    data = (account.data + bytes(8))[:size]
    chain.svm.set_account(game.address, Account(account.lamports, data, chain.program, False, 0))
    refused(game.request(Tag.DEAL), game.player, error=GameError.WRONG_ACCOUNT_SIZE, watched=[])


@pytest.mark.parametrize("place", [0, 1])
def test_an_account_of_another_version_or_type_is_no_game(
    chain: LocalChain, game: LocalGame, refused: Refused, place: int
) -> None:
    account = chain.account(game.address)
    assert account is not None
    data = bytearray(account.data)
    data[place] = 2
    chain.svm.set_account(game.address, Account(account.lamports, bytes(data), chain.program, False, 0))
    refused(game.request(Tag.DEAL), game.player, error=GameError.WRONG_ACCOUNT_TYPE, watched=[])


def test_read_only_accounts_are_refused(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    error = GameError.READ_ONLY_ACCOUNT
    refused(read_only(game.request(Tag.DEAL), 0), game.player, error=error, watched=[])
    creation = fresh_creation(game)
    refused(read_only(creation, 0), game.player, game.house, error=error, watched=[])
    refused(read_only(creation, 1), game.player, game.house, error=error, watched=[])
    game.ask(Tag.DEAL)
    chain.advance()
    refused(read_only(game.revelation(), 0), game.house, error=error, watched=[])
    claim = instructions.claim(chain.program, game.address, game.player.pubkey())
    refused(read_only(claim, 0), game.player, error=error, watched=[])


def test_cleanup_needs_both_accounts_writable(finished: LocalGame, refused: Refused) -> None:
    cleanup = instructions.cleanup(finished.chain.program, finished.address, finished.player.pubkey())
    for place in (0, 1):
        refused(read_only(cleanup, place), error=GameError.READ_ONLY_ACCOUNT, watched=[])


def test_the_same_account_twice_is_refused(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    error = GameError.DUPLICATE_ACCOUNT
    twice = AccountMeta(game.player.pubkey(), True, True)
    refused(
        changed(game.request(Tag.DEAL), accounts={0: twice}), game.player, error=error, watched=[game.address]
    )
    nobody_plays_himself = changed(fresh_creation(game), accounts={2: twice})
    refused(nobody_plays_himself, game.player, error=error, watched=[])
    cleanup = instructions.cleanup(chain.program, game.address, game.address)
    refused(cleanup, error=error, watched=[game.address])


@pytest.mark.parametrize("tag", list(Tag))
@pytest.mark.parametrize("change", [-1, 1])
def test_too_few_or_too_many_accounts_are_refused(
    chain: LocalChain, game: LocalGame, refused: Refused, tag: Tag, change: int
) -> None:
    every = {
        Tag.CREATE: fresh_creation(game),
        Tag.REVEAL: game.revelation(),
        Tag.CLAIM: instructions.claim(chain.program, game.address, game.player.pubkey()),
        Tag.CLEANUP: instructions.cleanup(chain.program, game.address, game.player.pubkey()),
        Tag.OPEN_HOUSE: instructions.open_house(chain.program, game.house.pubkey(), 1, lamports=1)[1],
        Tag.COMMIT: instructions.commit(chain.program, game.house.pubkey(), [bytes(32)]),
        Tag.JOIN: changed(fresh_creation(game), data=bytes([Tag.JOIN]) + fresh_creation(game).data[1:]),
        Tag.CLOSE_HOUSE: instructions.close_house(chain.program, game.house.pubkey()),
        Tag.SETTLE: stake_instructions.settle(chain.program, game.address, game.player.pubkey(), SLOT_HASHES),
    }
    if tag in (Tag.OPEN_BANKROLL, Tag.SET_LIMITS, Tag.WITHDRAW, Tag.CLOSE_BANKROLL, Tag.JOIN_STAKED):
        return  # test_stake_attacks.py
    instruction = every[tag] if tag in every else game.request(tag)
    metas = list(instruction.accounts)
    metas = metas[:-1] if change < 0 else [*metas, AccountMeta(CLOCK, False, False)]
    signing = {meta.pubkey for meta in metas if meta.is_signer}
    signers = [key for key in (game.player, game.house) if key.pubkey() in signing]
    attempt = Instruction(instruction.program_id, instruction.data, metas)
    refused(attempt, *signers, error=GameError.WRONG_ACCOUNT_COUNT, watched=[game.address])


def test_no_accounts_at_all_are_refused(chain: LocalChain, refused: Refused) -> None:
    for tag in Tag:
        data = bytes([tag]) + bytes(SIZES.get(tag, 8) - 1)
        if tag is Tag.COMMIT:
            data = bytes([tag, 0, 0, 0, 1, 0, 0, 0]) + bytes(32)
        refused(Instruction(chain.program, data, []), error=GameError.WRONG_ACCOUNT_COUNT, watched=[])


def test_only_the_real_system_program_creates(game: LocalGame, refused: Refused) -> None:
    attempt = changed(fresh_creation(game), accounts={3: AccountMeta(CLOCK, False, False)})
    refused(attempt, game.player, game.house, error=GameError.WRONG_SYSTEM_PROGRAM, watched=[])


def test_only_the_real_slot_hashes_decide(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    chain.advance()
    forged = Pubkey(bytes([5] * 32))
    chain.svm.set_account(
        forged, Account(10**9, (1).to_bytes(8, "little") + bytes(40), SYSTEM_PROGRAM, False, 0)
    )
    attempt = changed(game.revelation(), accounts={2: AccountMeta(forged, False, False)})
    refused(attempt, game.house, error=GameError.WRONG_SLOT_HASHES, watched=[])


# ---- instruction data ----


@pytest.mark.parametrize("tag", list(Tag))
def test_short_or_long_instruction_data_is_refused(game: LocalGame, refused: Refused, tag: Tag) -> None:
    right = SIZES.get(tag, 8)
    instruction = fresh_creation(game) if right == 88 else game.request(Tag.DEAL)
    signers = [game.player, game.house] if right == 88 else [game.player]
    for size in {1, 7, 8, 9, 40, 72, 80, 88, 96, right - 1, right + 1} - {right}:
        attempt = changed(instruction, data=bytes([tag]) + bytes(size - 1))
        refused(attempt, *signers, error=GameError.WRONG_DATA_SIZE, watched=[game.address])


def test_no_instruction_data_is_refused(game: LocalGame, refused: Refused) -> None:
    attempt = changed(game.request(Tag.DEAL), data=b"")
    refused(attempt, game.player, error=GameError.WRONG_DATA_SIZE, watched=[])


@pytest.mark.parametrize("tag", [17, 18, 255])
def test_an_unknown_instruction_is_refused(game: LocalGame, refused: Refused, tag: int) -> None:
    attempt = changed(game.request(Tag.DEAL), data=bytes([tag]) + bytes(7))
    refused(attempt, game.player, error=GameError.UNKNOWN_INSTRUCTION, watched=[])


def test_spare_bytes_must_be_zero(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    error = GameError.RESERVED_NOT_ZERO
    refused(fresh_creation(game, reserved=b"\0\0\0\0\1"), game.player, game.house, error=error, watched=[])
    for place in range(1, 8):
        data = bytearray(8)
        data[0], data[place] = Tag.DEAL, 1
        refused(changed(game.request(Tag.DEAL), data=bytes(data)), game.player, error=error, watched=[])
    game.ask(Tag.DEAL)
    chain.advance()
    spoiled = bytearray(game.revelation().data)
    spoiled[7] = 1
    refused(changed(game.revelation(), data=bytes(spoiled)), game.house, error=error, watched=[])
    for tag in (Tag.CLAIM, Tag.CLEANUP):
        attempt = changed(game.request(Tag.DEAL), data=bytes([tag, 0, 0, 0, 0, 0, 0, 1]))
        refused(attempt, game.player, error=error, watched=[])


# ---- Create ----


def test_a_game_is_never_created_over_another(game: LocalGame, refused: Refused) -> None:
    creation = game.creation(bytes(32))
    refused(creation, game.player, game.house, error=GameError.GAME_EXISTS, watched=[game.address])


def test_a_finished_game_is_not_created_anew_before_cleanup(finished: LocalGame, refused: Refused) -> None:
    creation = finished.creation(bytes(32))
    refused(creation, finished.player, finished.house, error=GameError.GAME_EXISTS, watched=[])
    finished.cleanup()
    finished.send(creation, finished.player, finished.house)
    assert finished.state.status is Status.CREATED


@pytest.mark.parametrize("decks", [0, 9, 255])
def test_a_game_has_one_to_eight_decks(game: LocalGame, refused: Refused, decks: int) -> None:
    attempt = fresh_creation(game, decks=decks)
    refused(attempt, game.player, game.house, error=GameError.WRONG_DECKS, watched=[])


def test_a_game_lives_at_its_address_only(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    error = GameError.WRONG_ADDRESS
    other_number = fresh_creation(game, number=game.number)
    refused(other_number, game.player, game.house, error=error, watched=[game.address])
    stranger = chain.funded_key()
    others_game = changed(fresh_creation(game), accounts={1: AccountMeta(stranger.pubkey(), True, True)})
    refused(others_game, stranger, game.house, error=error, watched=[])


def test_a_number_without_a_canonical_address_is_refused(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    player = game.player.pubkey()
    number = next(number for number in range(100) if not has_address(chain.program, player, number))
    on_curve = _address_whatever_the_curve(chain.program, player, number)
    attempt = changed(fresh_creation(game, number=number), accounts={0: AccountMeta(on_curve, False, True)})
    refused(attempt, game.player, game.house, error=GameError.UNUSABLE_NUMBER, watched=[])
    second_best, bump = Pubkey.find_program_address(
        [b"blackjack", bytes(player), number.to_bytes(8, "little")], chain.program
    )
    assert bump < 255
    attempt = changed(
        fresh_creation(game, number=number), accounts={0: AccountMeta(second_best, False, True)}
    )
    refused(attempt, game.player, game.house, error=GameError.WRONG_ADDRESS, watched=[])


def _address_whatever_the_curve(program: Pubkey, player: Pubkey, number: int) -> Pubkey:
    parts = [b"blackjack", bytes(player), number.to_bytes(8, "little"), b"\xff", bytes(program)]
    return Pubkey(hashlib.sha256(b"".join(parts) + b"ProgramDerivedAddress").digest())


def test_an_address_that_another_program_has_taken_is_refused(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    creation = fresh_creation(game)
    address = creation.accounts[0].pubkey
    chain.svm.set_account(address, Account(10**9, b"", Pubkey(bytes([6] * 32)), False, 0))
    refused(creation, game.player, game.house, error=GameError.FOREIGN_OWNER, watched=[])


def test_lamports_sent_in_advance_do_not_block_a_game(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    creation = fresh_creation(game)
    address = creation.accounts[0].pubkey
    chain.svm.airdrop(address, 900_000)
    refused(creation, game.player, game.house, error=GameError.UNDERFUNDED, watched=[])
    rest = instructions.top_up(game.player.pubkey(), address, held=900_000)
    receipt = chain.send([*rest, creation], [game.player, game.house])
    created = chain.game(address)
    assert created is not None
    assert created.status is Status.CREATED
    assert receipt.compute_units <= 3300
    assert chain.balance(address) == instructions.game_rent()


def test_a_game_without_lamports_is_refused(game: LocalGame, refused: Refused) -> None:
    """The runtime would accept an account without lamports, and drop it at the end of the transaction."""
    attempt = fresh_creation(game, lamports=0)
    refused(attempt, game.player, game.house, error=GameError.NO_RENT, watched=[])


def test_a_player_who_cannot_pay_the_rent_gets_the_system_programs_error(game: LocalGame) -> None:
    attempt = fresh_creation(game, lamports=10**18)
    with pytest.raises(TransactionError, match="the payer does not have enough lamports"):
        game.send(attempt, game.player, game.house)


def test_less_than_the_rent_is_refused_by_the_runtime(game: LocalGame) -> None:
    attempt = fresh_creation(game, lamports=instructions.game_rent() - 1)
    with pytest.raises(TransactionError, match="InsufficientFundsForRent"):
        game.send(attempt, game.player, game.house)
    assert game.chain.account(attempt.accounts[0].pubkey) is None


def test_a_game_of_one_player_cannot_be_played_as_anothers(
    chain: LocalChain, in_turn: LocalGame, refused: Refused
) -> None:
    other = LocalGame.open(chain, chain.funded_key(), in_turn.house, secret=b"u" * 32)
    other.ask(Tag.DEAL)
    chain.advance()
    swapped = replace_game(other.revelation(), in_turn.address)
    refused(swapped, in_turn.house, error=GameError.NOTHING_TO_REVEAL, watched=[other.address])
    in_turn.ask(Tag.HIT)
    chain.advance()
    refused(swapped, in_turn.house, error=GameError.WRONG_PREIMAGE, watched=[other.address])
