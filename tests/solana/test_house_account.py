"""A house's account: commitments are queued by the house alone and taken by strangers without its signature."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.codes import GameError, Status, Tag
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.house_account import HouseAccount, house_address, house_size
from croupier.solana.layout import HOUSE, LayoutError
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from tests.solana.changed_instructions import changed, read_only, unsigned

Refused = Callable[..., None]
PLACES = 3
LINKS = [chain_links(b"q" * 32, number) for number in range(PLACES)]
TIPS = [links[-1] for links in LINKS]
OTHER = Pubkey(bytes([6] * 32))


@pytest.fixture
def house(chain: LocalChain) -> Keypair:
    """Return a house whose account has three places and two commitments."""
    house = chain.funded_key()
    rent = chain.svm.minimum_balance_for_rent_exemption(house_size(PLACES))
    chain.send(instructions.open_house(chain.program, house.pubkey(), PLACES, rent), [house])
    chain.send([instructions.commit(chain.program, house.pubkey(), TIPS[:2])], [house])
    return house


def account_of(chain: LocalChain, house: Keypair) -> HouseAccount:
    account = chain.account(house_address(chain.program, house.pubkey()))
    assert account is not None
    return HouseAccount.decode(account.data)


def joining(chain: LocalChain, player: Keypair, house: Keypair, place: int, start: int = 0) -> LocalGame:
    """Return a stranger's game that is about to take the commitment at a place."""
    number = next_number(chain.program, player.pubkey(), start)
    address = game_address(chain.program, player.pubkey(), number)
    return LocalGame(chain, player, house, LINKS[place], number, address)


def join(game: LocalGame, place: int, chain_tip: bytes | None = None) -> Instruction:
    return instructions.join(
        game.chain.program,
        game.player.pubkey(),
        game.house.pubkey(),
        place=place,
        number=game.number,
        player_seed=b"p" * 32,
        chain_tip=game.links[-1] if chain_tip is None else chain_tip,
    )


def test_a_stranger_takes_a_commitment_and_plays_a_whole_game(chain: LocalChain, house: Keypair) -> None:
    game = joining(chain, chain.funded_key(), house, place=1)
    slot = chain.slot
    game.send(join(game, 1), game.player)
    expected = Game.created(
        game.player.pubkey(), house.pubkey(), TIPS[1], b"p" * 32, number=game.number, slot=slot
    )
    assert game.state == expected
    assert account_of(chain, house).tips == (TIPS[0], None, None)
    while not game.is_finished:
        game.ask(Tag.DEAL if game.state.status is Status.CREATED else Tag.STAND)
        game.answer()
    before = chain.balance(game.player.pubkey())
    game.cleanup()
    assert chain.balance(game.player.pubkey()) == before + instructions.game_rent()


def test_a_commitment_is_taken_once(chain: LocalChain, house: Keypair, refused: Refused) -> None:
    first, second = (joining(chain, chain.funded_key(), house, place=0) for _ in range(2))
    first.send(join(first, 0), first.player)
    refused(join(second, 0), second.player, error=GameError.COMMITMENT_GONE, watched=[first.address])


def test_free_places_are_filled_in_order(chain: LocalChain, house: Keypair, refused: Refused) -> None:
    game = joining(chain, chain.funded_key(), house, place=0)
    game.send(join(game, 0), game.player)
    fresh = [bytes([1]) * 32, bytes([2]) * 32]
    commit = instructions.commit(chain.program, house.pubkey(), fresh)
    chain.send([commit], [house])
    assert account_of(chain, house).tips == (fresh[0], TIPS[1], fresh[1])
    refused(commit, house, error=GameError.NO_ROOM, watched=[])


@pytest.mark.parametrize(
    ("place", "tip", "error"),
    [
        (0, TIPS[1], GameError.COMMITMENT_GONE),
        (2, TIPS[2], GameError.COMMITMENT_GONE),
        (PLACES, TIPS[0], GameError.COMMITMENT_GONE),
        (255, TIPS[0], GameError.COMMITMENT_GONE),
        (2, bytes(32), GameError.ZERO_COMMITMENT),
    ],
)
def test_only_a_commitment_at_its_place_opens_a_game(
    chain: LocalChain, house: Keypair, refused: Refused, place: int, tip: bytes, error: GameError
) -> None:
    game = joining(chain, chain.funded_key(), house, place=0)
    refused(join(game, place, chain_tip=tip), game.player, error=error, watched=[])


def test_a_stranger_joins_with_a_signature_only(chain: LocalChain, house: Keypair, refused: Refused) -> None:
    game = joining(chain, chain.funded_key(), house, place=0)
    refused(unsigned(join(game, 0), 1), error=GameError.PLAYER_MUST_SIGN, watched=[])
    refused(read_only(join(game, 0), 2), game.player, error=GameError.READ_ONLY_ACCOUNT, watched=[])


def forged_house(chain: LocalChain, house: Keypair, owner: Pubkey, data: bytes) -> AccountMeta:
    """Put an account that is not the house's under the runtime."""
    forged = Pubkey(bytes([5] * 32))
    chain.svm.set_account(forged, Account(10**9, data, owner, False, 0))
    return AccountMeta(forged, False, True)


@pytest.mark.parametrize(
    ("owner_is_ours", "data", "error"),
    [
        (False, HouseAccount(OTHER, (TIPS[0],)).encode(), GameError.FOREIGN_OWNER),
        (True, HouseAccount(OTHER, (TIPS[0],)).encode()[: HOUSE.size], GameError.WRONG_ACCOUNT_SIZE),
        (True, bytes(HOUSE.size + 32), GameError.WRONG_ACCOUNT_TYPE),
        (True, bytes([1, 1]) + HouseAccount(OTHER, (TIPS[0],)).encode()[2:], GameError.WRONG_ACCOUNT_TYPE),
    ],
)
def test_only_a_houses_account_offers_games(
    chain: LocalChain,
    house: Keypair,
    refused: Refused,
    owner_is_ours: bool,
    data: bytes,
    error: GameError,
) -> None:
    game = joining(chain, chain.funded_key(), house, place=0)
    forged = forged_house(chain, house, chain.program if owner_is_ours else OTHER, data)
    refused(changed(join(game, 0), accounts={2: forged}), game.player, error=error, watched=[])


def test_a_game_is_not_taken_for_a_houses_account(game: LocalGame, house: Keypair, refused: Refused) -> None:
    stranger = joining(game.chain, game.chain.funded_key(), house, place=0)
    attempt = changed(join(stranger, 0), accounts={2: AccountMeta(game.address, False, True)})
    refused(attempt, stranger.player, error=GameError.WRONG_ACCOUNT_TYPE, watched=[])


def test_nobody_else_commits_or_closes_for_a_house(
    chain: LocalChain, house: Keypair, refused: Refused
) -> None:
    stranger = chain.funded_key()
    for instruction in (
        instructions.commit(chain.program, house.pubkey(), [TIPS[2]]),
        instructions.close_house(chain.program, house.pubkey()),
    ):
        other = changed(instruction, accounts={1: AccountMeta(stranger.pubkey(), True, True)})
        refused(other, stranger, error=GameError.WRONG_HOUSE, watched=[house.pubkey()])
        refused(unsigned(instruction, 1), error=GameError.HOUSE_MUST_SIGN, watched=[])
        refused(read_only(instruction, 0), house, error=GameError.READ_ONLY_ACCOUNT, watched=[])


def test_a_commitment_of_zeros_or_a_wrong_count_is_refused(
    chain: LocalChain, house: Keypair, refused: Refused
) -> None:
    commit = instructions.commit(chain.program, house.pubkey(), [bytes(32)])
    refused(commit, house, error=GameError.ZERO_COMMITMENT, watched=[])
    two = changed(commit, data=commit.data[:4] + bytes([2, 0, 0, 0]) + commit.data[8:])
    refused(two, house, error=GameError.WRONG_DATA_SIZE, watched=[])
    spoiled = changed(commit, data=commit.data[:3] + b"\1" + commit.data[4:])
    refused(spoiled, house, error=GameError.RESERVED_NOT_ZERO, watched=[])


def test_an_account_is_opened_once(chain: LocalChain, house: Keypair, refused: Refused) -> None:
    again = instructions.open_house(chain.program, house.pubkey(), PLACES, 1)[1]
    refused(again, house, error=GameError.HOUSE_EXISTS, watched=[])


@pytest.mark.parametrize("size", [0, HOUSE.size, HOUSE.size + 31, HOUSE.size + 33, house_size(256)])
def test_an_account_of_another_size_is_not_opened(
    chain: LocalChain, house: Keypair, refused: Refused, size: int
) -> None:
    fresh = forged_house(chain, house, chain.program, bytes(size))
    opening = instructions.open_house(chain.program, house.pubkey(), 1, 1)[1]
    attempt = changed(opening, accounts={0: fresh})
    refused(attempt, house, error=GameError.WRONG_CAPACITY, watched=[])
    refused(unsigned(attempt, 1), error=GameError.HOUSE_MUST_SIGN, watched=[])


def test_the_largest_account_is_opened_and_filled(chain: LocalChain) -> None:
    house = chain.funded_key()
    rent = chain.svm.minimum_balance_for_rent_exemption(house_size(255))
    chain.send(instructions.open_house(chain.program, house.pubkey(), 255, rent), [house])
    tips = [bytes([number]) * 32 for number in range(1, 256)]
    for start in range(0, 255, instructions.TIPS_PER_COMMIT):
        chosen = tips[start : start + instructions.TIPS_PER_COMMIT]
        receipt = chain.send([instructions.commit(chain.program, house.pubkey(), chosen)], [house])
        assert receipt.compute_units < 10_000
    assert list(account_of(chain, house).tips) == tips


def test_closing_returns_the_rent_and_leaves_open_games_alone(chain: LocalChain, house: Keypair) -> None:
    game = joining(chain, chain.funded_key(), house, place=0)
    game.send(join(game, 0), game.player)
    address = house_address(chain.program, house.pubkey())
    held, before = chain.balance(address), chain.balance(house.pubkey())
    receipt = chain.send([instructions.close_house(chain.program, house.pubkey())], [house])
    assert chain.account(address) is None
    assert chain.balance(house.pubkey()) == before + held - receipt.fee
    game.ask(Tag.DEAL)
    game.answer()
    assert game.state.player_cards


@given(st.binary(max_size=400))
def test_arbitrary_bytes_are_a_houses_account_or_a_layout_error(data: bytes) -> None:
    with pytest.raises(LayoutError):
        HouseAccount.decode(data)


def test_an_account_that_does_not_fit_its_capacity_is_refused() -> None:
    data = HouseAccount(OTHER, (TIPS[0], None)).encode()
    with pytest.raises(LayoutError, match="do not hold 2 commitments"):
        HouseAccount.decode(data[:-32])


@pytest.mark.parametrize("capacity", [0, 256])
def test_a_house_has_1_to_255_places(capacity: int) -> None:
    with pytest.raises(ValueError, match="places for 1 to 255"):
        instructions.open_house(OTHER, OTHER, capacity, 1)


@pytest.mark.parametrize("tips", [[], [bytes(32)] * 29, [b"short"]])
def test_a_commit_fits_into_one_transaction(tips: list[bytes]) -> None:
    with pytest.raises(ValueError, match=r"1 to 28|5 bytes"):
        instructions.commit(OTHER, OTHER, tips)
