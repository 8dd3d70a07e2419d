"""Instructions at the wrong moment are refused, each with its own error, and change nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from solders.instruction import Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import TransferParams, transfer

from croupier.solana import instructions
from croupier.solana.codes import PLAYER_WINDOW, REVEAL_WINDOW, GameError, Result, Tag
from croupier.solana.failures import Refusal
from croupier.solana.game import Game
from croupier.solana.layout import REVEAL_DATA
from croupier.solana.local_chain import KEPT_SLOT_HASHES, LocalChain
from croupier.solana.local_game import LocalGame
from tests.solana.changed_instructions import changed, unsigned

Refused = Callable[..., None]


# ---- the order of things ----


def test_the_cards_are_dealt_once(chain: LocalChain, game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    refused(game.request(Tag.DEAL), game.player, error=GameError.ALREADY_DEALT, watched=[])
    game.answer()
    refused(game.request(Tag.DEAL), game.player, error=GameError.ALREADY_DEALT, watched=[])


@pytest.mark.parametrize("tag", [Tag.HIT, Tag.STAND])
def test_nobody_hits_or_stands_before_the_deal(game: LocalGame, refused: Refused, tag: Tag) -> None:
    refused(game.request(tag), game.player, error=GameError.NOT_DEALT, watched=[])


@pytest.mark.parametrize("tag", [Tag.HIT, Tag.STAND])
def test_a_request_waits_for_the_answer_to_the_last(in_turn: LocalGame, refused: Refused, tag: Tag) -> None:
    in_turn.ask(Tag.HIT)
    refused(in_turn.request(tag), in_turn.player, error=GameError.REVEAL_PENDING, watched=[])


@pytest.mark.parametrize("tag", [Tag.HIT, Tag.STAND])
def test_nobody_hits_after_standing(in_turn: LocalGame, refused: Refused, tag: Tag) -> None:
    in_turn.ask(Tag.STAND)
    refused(in_turn.request(tag), in_turn.player, error=GameError.ALREADY_STOOD, watched=[])


@pytest.mark.parametrize("tag", [Tag.HIT, Tag.STAND])
def test_nobody_hits_after_a_bust(in_turn: LocalGame, refused: Refused, tag: Tag) -> None:
    while not in_turn.is_finished:
        in_turn.ask(Tag.HIT)
        in_turn.answer()
    assert in_turn.state.result is Result.PLAYER_BUST
    refused(in_turn.request(tag), in_turn.player, error=GameError.GAME_FINISHED, watched=[])


def test_a_request_in_the_open_slot_cannot_be_moved(in_turn: LocalGame, refused: Refused) -> None:
    in_turn.ask(Tag.HIT)
    slot = in_turn.state.slot
    in_turn.chain.advance(5)
    refused(in_turn.request(Tag.HIT), in_turn.player, error=GameError.REVEAL_PENDING, watched=[])
    assert in_turn.state.slot == slot


# ---- Reveal ----


def revelation(game: LocalGame, **changes: bytes) -> Instruction:
    """Return the answer to the open request, with some fields changed."""
    right = game.revelation()
    fields = REVEAL_DATA.unpack(right.data)
    return changed(right, data=REVEAL_DATA.pack({**fields, **changes}))


def test_there_is_nothing_to_reveal_before_a_request(
    chain: LocalChain, in_turn: LocalGame, refused: Refused
) -> None:
    chain.advance()
    refused(in_turn.revelation(), in_turn.house, error=GameError.NOTHING_TO_REVEAL, watched=[])


def test_a_pre_image_is_used_once(in_turn: LocalGame, refused: Refused) -> None:
    in_turn.ask(Tag.HIT)
    in_turn.chain.advance()
    replay = in_turn.revelation()
    refused(
        revelation(in_turn, preimage=in_turn.state.chain_tip),
        in_turn.house,
        error=GameError.WRONG_PREIMAGE,
        watched=[],
    )
    in_turn.send(replay, in_turn.house)
    refused(replay, in_turn.house, error=GameError.NOTHING_TO_REVEAL, watched=[])


def test_a_wrong_pre_image_is_refused(game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    game.chain.advance()
    right = game.links[-2]
    skipped = game.links[-3]
    flipped = bytes([right[0] ^ 1]) + right[1:]
    for preimage in (skipped, flipped, bytes(32), game.links[-1]):
        attempt = revelation(game, preimage=preimage)
        refused(attempt, game.house, error=GameError.WRONG_PREIMAGE, watched=[])
    game.send(game.revelation(), game.house)


def test_the_slot_hash_of_a_reveal_is_the_runtimes(game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    game.chain.advance()
    right = game.chain.slot_hash(game.state.slot)
    assert right is not None
    for slot_hash in (bytes(32), bytes([right[0] ^ 1]) + right[1:], right[:31] + bytes([right[31] ^ 128])):
        attempt = revelation(game, slot_hash=slot_hash)
        refused(attempt, game.house, error=GameError.WRONG_SLOT_HASH, watched=[])


def test_nothing_is_revealed_before_the_slot_has_a_hash(game: LocalGame, refused: Refused) -> None:
    game.ask(Tag.DEAL)
    refused(game.revelation(), game.house, error=GameError.SLOT_HASH_NOT_YET, watched=[])
    game.chain.svm.set_slot_hashes([])
    refused(game.revelation(), game.house, error=GameError.SLOT_HASH_NOT_YET, watched=[])
    game.answer()


@pytest.mark.parametrize("slots", [KEPT_SLOT_HASHES + 1, 10**6, 2**62])
def test_nothing_is_revealed_after_the_slot_hash_is_gone(
    game: LocalGame, refused: Refused, slots: int
) -> None:
    game.ask(Tag.DEAL)
    game.chain.advance(slots)
    refused(game.revelation(), game.house, error=GameError.SLOT_HASH_GONE, watched=[])


def test_the_oldest_slot_hash_still_serves(game: LocalGame) -> None:
    game.ask(Tag.DEAL)
    game.answer(after=KEPT_SLOT_HASHES)
    assert game.state.player_cards


def test_slots_without_a_block_do_not_confuse_the_search(chain: LocalChain, game: LocalGame) -> None:
    """Skipped slots have no hash, so the request's slot is nearer to the front than its distance says."""
    game.ask(Tag.DEAL)
    slot = chain.slot
    chain.advance(400)
    kept = [
        (number, value) for number, value in chain.svm.get_slot_hashes() if number == slot or number % 3 == 0
    ]
    chain.svm.set_slot_hashes(kept)
    receipt = game.send(game.revelation(), game.house)
    assert receipt.events[0].slot_hash == chain.slot_hash(slot)  # type: ignore[union-attr]


def test_a_slot_that_is_missing_among_the_hashes_counts_as_gone(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    game.ask(Tag.DEAL)
    slot = chain.slot
    chain.advance(50)
    chain.svm.set_slot_hashes([entry for entry in chain.svm.get_slot_hashes() if entry[0] != slot])
    refused(game.revelation(), game.house, error=GameError.SLOT_HASH_GONE, watched=[])


# ---- Claim ----


def test_the_player_claims_when_the_house_is_late(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    game.ask(Tag.DEAL)
    claim = instructions.claim(chain.program, game.address, game.player.pubkey())
    refused(claim, game.player, error=GameError.CLAIM_TOO_EARLY, watched=[])
    chain.advance(REVEAL_WINDOW)
    refused(claim, game.player, error=GameError.CLAIM_TOO_EARLY, watched=[])
    chain.advance()
    refused(unsigned(claim, 1), error=GameError.PLAYER_MUST_SIGN, watched=[])
    game.claim(game.player)
    assert game.state.result is Result.HOUSE_FORFEIT
    refused(claim, game.player, error=GameError.GAME_FINISHED, watched=[])
    refused(game.revelation(), game.house, error=GameError.NOTHING_TO_REVEAL, watched=[])


def test_the_house_may_still_reveal_late_until_the_player_claims(game: LocalGame) -> None:
    game.ask(Tag.DEAL)
    game.answer(after=REVEAL_WINDOW + 100)
    assert game.state.player_cards


@pytest.mark.parametrize("asked", [False, True])
def test_only_the_side_that_waits_may_claim(
    chain: LocalChain, in_turn: LocalGame, refused: Refused, asked: bool
) -> None:
    if asked:
        in_turn.ask(Tag.HIT)
    chain.advance(PLAYER_WINDOW + 1)
    wrong, error = (
        (in_turn.house, GameError.WRONG_PLAYER) if asked else (in_turn.player, GameError.WRONG_HOUSE)
    )
    for claimant in (wrong, chain.funded_key()):
        claim = instructions.claim(chain.program, in_turn.address, claimant.pubkey())
        refused(claim, claimant, error=error, watched=[])


def test_the_house_closes_a_game_that_the_player_has_left(
    chain: LocalChain, in_turn: LocalGame, refused: Refused
) -> None:
    claim = instructions.claim(chain.program, in_turn.address, in_turn.house.pubkey())
    chain.advance(PLAYER_WINDOW)
    refused(claim, in_turn.house, error=GameError.CLAIM_TOO_EARLY, watched=[])
    chain.advance()
    refused(unsigned(claim, 1), error=GameError.HOUSE_MUST_SIGN, watched=[])
    in_turn.claim(in_turn.house)
    assert in_turn.state.result is Result.PLAYER_FORFEIT


def test_the_house_closes_a_game_that_was_never_dealt(chain: LocalChain, game: LocalGame) -> None:
    chain.advance(PLAYER_WINDOW + 1)
    game.claim(game.house)
    assert game.state.result is Result.PLAYER_FORFEIT


# ---- Cleanup ----


def test_a_game_is_cleaned_up_only_when_it_is_over(
    chain: LocalChain, game: LocalGame, refused: Refused
) -> None:
    cleanup = instructions.cleanup(chain.program, game.address, game.player.pubkey())
    error = GameError.NOT_FINISHED
    refused(cleanup, error=error, watched=[])
    game.ask(Tag.DEAL)
    refused(cleanup, error=error, watched=[])


def test_the_rent_goes_to_the_player_alone(chain: LocalChain, finished: LocalGame, refused: Refused) -> None:
    for thief in (chain.funded_key().pubkey(), finished.house.pubkey(), Pubkey(bytes([5] * 32))):
        attempt = instructions.cleanup(chain.program, finished.address, thief)
        refused(attempt, error=GameError.WRONG_RENT_RECEIVER, watched=[finished.player.pubkey()])


def test_a_game_is_cleaned_up_once(chain: LocalChain, finished: LocalGame, refused: Refused) -> None:
    finished.cleanup()
    cleanup = instructions.cleanup(chain.program, finished.address, finished.player.pubkey())
    refused(cleanup, error=GameError.FOREIGN_OWNER, watched=[])


def test_a_finished_game_cannot_be_kept_alive_within_the_transaction(
    chain: LocalChain, finished: LocalGame
) -> None:
    """Lamports sent right after the cleanup must not leave a finished game at the address."""
    cleanup = instructions.cleanup(chain.program, finished.address, finished.player.pubkey())
    revive = transfer(
        TransferParams(
            from_pubkey=finished.house.pubkey(), to_pubkey=finished.address, lamports=instructions.game_rent()
        )
    )
    chain.send([cleanup, revive], [finished.house])
    account = chain.account(finished.address)
    assert account is not None
    assert (account.owner, account.data) == (SYSTEM_PROGRAM, b"")
    with pytest.raises(Refusal, match="FOREIGN_OWNER"):
        chain.send([cleanup], [finished.house])


def test_a_game_created_in_the_transaction_that_closed_the_last_one_is_fresh(finished: LocalGame) -> None:
    chain, player, house = finished.chain, finished.player, finished.house
    cleanup = instructions.cleanup(chain.program, finished.address, player.pubkey())
    gift = transfer(
        TransferParams(
            from_pubkey=house.pubkey(), to_pubkey=finished.address, lamports=instructions.game_rent()
        )
    )
    for between in ([], [gift]):
        chain.send([cleanup, *between, finished.creation(bytes(32))], [player, house])
        links = finished.links
        fresh = Game.created(
            player.pubkey(), house.pubkey(), links[-1], bytes(32), number=finished.number, slot=chain.slot
        )
        account = chain.account(finished.address)
        assert account is not None
        assert bytes(account.data) == fresh.encode()
        chain.advance(PLAYER_WINDOW + 1)
        finished.claim(house)


def test_every_error_is_provoked_by_a_test() -> None:
    """Each of the program's errors appears in the tests of refusals: none is untested, none is dead."""
    folder = Path(__file__).parent
    files = [
        *folder.glob("test_refused_*.py"),
        folder / "test_house_account.py",
        folder / "test_stake_attacks.py",
    ]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert [error.name for error in GameError if f"GameError.{error.name}" not in text] == []
