"""Attacks on the stakes, on the real runtime: every wrong signer, account, size, order, sum and re-use is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer

from croupier.solana import instructions, stake_instructions
from croupier.solana.bankroll import Bankroll, BetLimits
from croupier.solana.codes import LEAST_RENT, GameError, Result, Status, Tag
from croupier.solana.failures import Refusal, TransactionError
from croupier.solana.game import Game
from croupier.solana.house_account import HouseAccount, house_address
from croupier.solana.layout import JOIN_STAKED_DATA, LIMITS_DATA
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.stake import Stake
from tests.solana.changed_instructions import changed, read_only, unsigned
from tests.solana.conftest import deployed_chain
from tests.solana.staking import BET, BOND, FUNDS, LIMITS, LINKS, Staking

Refused = Callable[..., None]
LARGEST = 2**64 - 1
OTHER = Pubkey(bytes([6] * 32))


@pytest.fixture(scope="module")
def chain() -> LocalChain:
    """Return one chain for all tests; each has a house of its own."""
    return deployed_chain()


@pytest.fixture
def staking(chain: LocalChain) -> Staking:
    return Staking.open(chain)


def with_fields(instruction: Instruction, **fields: int) -> Instruction:
    """Change fields of an instruction that opens a staked game."""
    values = JOIN_STAKED_DATA.unpack(instruction.data)
    return changed(instruction, data=JOIN_STAKED_DATA.pack({**values, **fields}))


def forged(chain: LocalChain, data: bytes, owner: Pubkey | None = None) -> AccountMeta:
    """Put an account under the runtime that the program did not write."""
    address = Pubkey(bytes([5] * 32))
    chain.svm.set_account(address, Account(10**9, data, owner or chain.program, False, 0))
    return AccountMeta(address, False, True)


# ---- the bankroll ----


def bankroll_instructions(staking: Staking) -> list[Instruction]:
    program, house = staking.chain.program, staking.house.pubkey()
    return [
        stake_instructions.set_limits(program, house, BetLimits()),
        stake_instructions.withdraw(program, house, 1),
        stake_instructions.close_bankroll(program, house),
    ]


def test_nobody_else_governs_a_bankroll(staking: Staking, refused: Refused) -> None:
    stranger = staking.chain.funded_key()
    for instruction in bankroll_instructions(staking):
        theirs = changed(instruction, accounts={1: AccountMeta(stranger.pubkey(), True, True)})
        refused(theirs, stranger, error=GameError.WRONG_HOUSE, watched=[staking.purse])
        refused(unsigned(instruction, 1), error=GameError.HOUSE_MUST_SIGN, watched=[])
        refused(read_only(instruction, 0), staking.house, error=GameError.READ_ONLY_ACCOUNT, watched=[])
        longer = changed(instruction, data=instruction.data + bytes(8))
        refused(longer, staking.house, error=GameError.WRONG_DATA_SIZE, watched=[])
        spoiled = changed(instruction, data=instruction.data[:7] + b"\1" + instruction.data[8:])
        refused(spoiled, staking.house, error=GameError.RESERVED_NOT_ZERO, watched=[])
        more = Instruction(
            instruction.program_id,
            instruction.data,
            [*instruction.accounts, AccountMeta(OTHER, False, False)],
        )
        refused(more, staking.house, error=GameError.WRONG_ACCOUNT_COUNT, watched=[])


def test_lamports_leave_a_bankroll_only_to_a_writable_house(staking: Staking, refused: Refused) -> None:
    for instruction in bankroll_instructions(staking)[1:]:
        refused(read_only(instruction, 1), staking.house, error=GameError.READ_ONLY_ACCOUNT, watched=[])


@pytest.mark.parametrize(
    ("data", "is_ours", "error"),
    [
        (Bankroll(OTHER, LIMITS).encode(), False, GameError.FOREIGN_OWNER),
        (Bankroll(OTHER, LIMITS).encode()[:-8], True, GameError.WRONG_ACCOUNT_SIZE),
        (HouseAccount(OTHER, (None,)).encode(), True, GameError.WRONG_ACCOUNT_TYPE),
        (bytes(80), True, GameError.WRONG_ACCOUNT_TYPE),
        (b"\2" + Bankroll(OTHER, LIMITS).encode()[1:], True, GameError.WRONG_ACCOUNT_TYPE),
    ],
)
def test_only_a_bankroll_is_taken_for_one(
    staking: Staking, refused: Refused, data: bytes, is_ours: bool, error: GameError
) -> None:
    """A house's account with one place has the size of a bankroll."""
    fake = forged(staking.chain, data, None if is_ours else OTHER)
    for instruction in bankroll_instructions(staking):
        refused(changed(instruction, accounts={0: fake}), staking.house, error=error, watched=[])
    game = staking.prepared()
    joining = changed(staking.joining(game), accounts={4: fake})
    refused(joining, game.player, error=error, watched=[staking.purse])


@pytest.mark.parametrize(
    "limits",
    [
        {"least_bet": 0},
        {"least_bet": 51_000_000},
        {"reserve": 0},
        {"most_bet": LARGEST},
        {"bond": LARGEST},
        {"most_bet": LARGEST, "bond": 1},
    ],
)
def test_limits_that_contradict_each_other_are_refused(
    staking: Staking, refused: Refused, limits: dict[str, int]
) -> None:
    change = stake_instructions.set_limits(staking.chain.program, staking.house.pubkey(), LIMITS)
    values = LIMITS_DATA.unpack(change.data)
    wrong = changed(change, data=LIMITS_DATA.pack({**values, **limits}))
    refused(wrong, staking.house, error=GameError.WRONG_LIMITS, watched=[staking.purse])
    fresh = forged(staking.chain, bytes(80))
    opening = stake_instructions.open_bankroll(staking.chain.program, staking.house.pubkey(), LIMITS, 1)[1]
    data = LIMITS_DATA.pack({**values, **limits, "tag": Tag.OPEN_BANKROLL})
    attempt = changed(opening, data=data, accounts={0: fresh})
    refused(attempt, staking.house, error=GameError.WRONG_LIMITS, watched=[])


def test_a_bankroll_is_opened_once_by_its_house(staking: Staking, refused: Refused) -> None:
    """Opening it again would forget the open games."""
    opening = stake_instructions.open_bankroll(staking.chain.program, staking.house.pubkey(), LIMITS, 1)[1]
    refused(opening, staking.house, error=GameError.HOUSE_EXISTS, watched=[])
    fresh = forged(staking.chain, bytes(80))
    refused(unsigned(changed(opening, accounts={0: fresh}), 1), error=GameError.HOUSE_MUST_SIGN, watched=[])
    foreign = forged(staking.chain, bytes(80), OTHER)
    refused(changed(opening, accounts={0: foreign}), staking.house, error=GameError.FOREIGN_OWNER, watched=[])
    for size in (0, 72, 88):
        fresh = forged(staking.chain, bytes(size))
        attempt = changed(opening, accounts={0: fresh})
        refused(attempt, staking.house, error=GameError.WRONG_ACCOUNT_SIZE, watched=[])


@pytest.mark.parametrize("lamports", [FUNDS, FUNDS + 1, LARGEST])
def test_a_bankroll_is_never_emptied_whole(staking: Staking, refused: Refused, lamports: int) -> None:
    """An account without lamports vanishes, and games could not be settled any more."""
    attempt = stake_instructions.withdraw(staking.chain.program, staking.house.pubkey(), lamports)
    refused(attempt, staking.house, error=GameError.BANKROLL_LOW, watched=[])


def test_the_runtime_keeps_the_rent_of_a_bankroll(staking: Staking) -> None:
    attempt = stake_instructions.withdraw(staking.chain.program, staking.house.pubkey(), FUNDS - 1)
    with pytest.raises(TransactionError, match="InsufficientFundsForRent"):
        staking.chain.send([attempt], [staking.house])
    assert staking.held == FUNDS


def test_a_bankroll_outlives_its_games(staking: Staking, refused: Refused) -> None:
    """A house cannot keep a player's winnings by closing the account that its own share must go to."""
    game = staking.finished(Result.PLAYER_WINS)
    closing = stake_instructions.close_bankroll(staking.chain.program, staking.house.pubkey())
    refused(closing, staking.house, error=GameError.GAMES_OPEN, watched=[game.address])
    game.cleanup()
    staking.chain.send([closing], [staking.house])
    assert staking.chain.account(staking.purse) is None


# ---- joining with a bet ----


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"bet": 0, "cover": BOND}, GameError.WRONG_BET),
        ({"bet": LIMITS.least_bet - 1, "cover": LIMITS.least_bet - 1 + BOND}, GameError.WRONG_BET),
        ({"bet": LIMITS.most_bet + 1, "cover": LIMITS.most_bet + 1 + BOND}, GameError.WRONG_BET),
        ({"bet": LARGEST, "cover": BOND - 1}, GameError.WRONG_BET),
        ({"cover": BET}, GameError.WRONG_COVER),
        ({"cover": BET + BOND + 1}, GameError.WRONG_COVER),
        ({"cover": 0}, GameError.WRONG_COVER),
        ({"cover": LARGEST}, GameError.WRONG_COVER),
        ({"lamports": 1}, GameError.NO_RENT),
        ({"lamports": BET}, GameError.NO_RENT),
        ({"lamports": BET + LEAST_RENT - 1}, GameError.NO_RENT),
        ({"place": 9}, GameError.COMMITMENT_GONE),
        ({"decks": 0}, GameError.WRONG_DECKS),
        ({"decks": 9}, GameError.WRONG_DECKS),
    ],
)
def test_a_wrong_bet_cover_or_deposit_is_refused(
    staking: Staking, refused: Refused, fields: dict[str, int], error: GameError
) -> None:
    game = staking.prepared()
    attempt = with_fields(staking.joining(game), **fields)
    refused(attempt, game.player, error=error, watched=[staking.purse, game.address])


def test_the_least_deposit_is_enough(staking: Staking) -> None:
    game = staking.prepared()
    game.send(staking.joining(game, lamports=BET + LEAST_RENT), game.player)
    assert staking.chain.balance(game.address) == BET + LEAST_RENT + BET + BOND


def test_a_bet_beyond_what_the_player_has_is_refused(staking: Staking) -> None:
    poor = staking.chain.funded_key(BET)
    game = staking.prepared(player=poor)
    with pytest.raises(TransactionError, match="does not have enough lamports"):
        game.send(staking.joining(game), poor)
    assert staking.held == FUNDS


def test_the_reserve_is_never_staked(chain: LocalChain, refused: Refused) -> None:
    staking = Staking.open(chain, funds=LIMITS.reserve + BET + BOND)
    first, second = staking.prepared(0), staking.prepared(1)
    too_much = staking.joining(second, staking.stake(BET + 1))
    refused(too_much, second.player, error=GameError.BANKROLL_LOW, watched=[staking.purse])
    first.send(staking.joining(first), first.player)
    assert staking.held == LIMITS.reserve
    again = staking.joining(second, staking.stake(LIMITS.least_bet))
    refused(again, second.player, error=GameError.BANKROLL_LOW, watched=[staking.purse])


def test_a_bankroll_below_its_reserve_takes_no_bet(staking: Staking, refused: Refused) -> None:
    limits = BetLimits(LIMITS.least_bet, LIMITS.most_bet, BOND, reserve=FUNDS + 1)
    change = stake_instructions.set_limits(staking.chain.program, staking.house.pubkey(), limits)
    staking.chain.send([change], [staking.house])
    game = staking.prepared()
    refused(staking.joining(game), game.player, error=GameError.BANKROLL_LOW, watched=[staking.purse])


def test_another_houses_bankroll_covers_nothing(staking: Staking, refused: Refused) -> None:
    """A house that knows its own cards must not play with the money of another one."""
    thief = Staking.open(staking.chain)
    game = thief.prepared()
    attempt = thief.joining(game, Stake(staking.purse, BET, BET + BOND))
    refused(attempt, game.player, error=GameError.WRONG_BANKROLL, watched=[staking.purse, thief.purse])


def test_a_bond_that_changes_meanwhile_is_not_imposed_on_the_player(
    staking: Staking, refused: Refused
) -> None:
    game = staking.prepared()
    joining = staking.joining(game)
    limits = BetLimits(LIMITS.least_bet, LIMITS.most_bet, bond=0, reserve=1)
    change = stake_instructions.set_limits(staking.chain.program, staking.house.pubkey(), limits)
    staking.chain.send([change], [staking.house])
    refused(joining, game.player, error=GameError.WRONG_COVER, watched=[staking.purse])


def test_joining_needs_its_signer_and_its_accounts(staking: Staking, refused: Refused) -> None:
    game = staking.prepared()
    joining = staking.joining(game)
    watched = [staking.purse]
    refused(unsigned(joining, 1), error=GameError.PLAYER_MUST_SIGN, watched=watched)
    for place in (0, 1, 2, 4):
        # The runtime adds rights: the player pays a fee, so it is writable unless another pays, as here.
        refused(read_only(joining, place), game.player, error=GameError.READ_ONLY_ACCOUNT, watched=watched)
    wrong = changed(joining, accounts={3: AccountMeta(OTHER, False, False)})
    refused(wrong, game.player, error=GameError.WRONG_SYSTEM_PROGRAM, watched=watched)
    wrong = changed(joining, accounts={0: AccountMeta(OTHER, False, True)})
    refused(wrong, game.player, error=GameError.WRONG_ADDRESS, watched=watched)
    for count in (4, 6):
        metas = [*joining.accounts, AccountMeta(OTHER, False, False)][:count]
        attempt = Instruction(joining.program_id, joining.data, metas)
        refused(attempt, game.player, error=GameError.WRONG_ACCOUNT_COUNT, watched=watched)
    twice = changed(joining, accounts={4: joining.accounts[2]})
    refused(twice, game.player, error=GameError.DUPLICATE_ACCOUNT, watched=watched)
    for data in (joining.data[:-8], joining.data + bytes(8)):
        refused(changed(joining, data=data), game.player, error=GameError.WRONG_DATA_SIZE, watched=watched)
    spoiled = changed(joining, data=joining.data[:7] + b"\1" + joining.data[8:])
    refused(spoiled, game.player, error=GameError.RESERVED_NOT_ZERO, watched=watched)


def test_a_commitment_is_used_once_with_or_without_a_bet(staking: Staking, refused: Refused) -> None:
    first = staking.joined()
    second = staking.prepared()
    refused(staking.joining(second), second.player, error=GameError.COMMITMENT_GONE, watched=[first.address])
    plain = instructions.join(
        staking.chain.program,
        second.player.pubkey(),
        staking.house.pubkey(),
        place=0,
        number=second.number,
        player_seed=bytes(32),
        chain_tip=LINKS[0][-1],
    )
    refused(plain, second.player, error=GameError.COMMITMENT_GONE, watched=[first.address])


def test_a_game_is_not_opened_over_another(staking: Staking, refused: Refused) -> None:
    game = staking.joined()
    again = LocalGame(game.chain, game.player, game.house, LINKS[1], game.number, game.address)
    refused(staking.joining(again), game.player, error=GameError.GAME_EXISTS, watched=[staking.purse])


# ---- settling ----


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.FINISHED])
def test_an_open_game_is_not_settled(staking: Staking, refused: Refused, status: Status) -> None:
    game = staking.joined()
    account = staking.chain.account(game.address)
    assert account is not None
    data = bytearray(account.data)
    data[3] = status
    staking.chain.svm.set_account(
        game.address, Account(account.lamports, bytes(data), account.owner, False, account.rent_epoch)
    )
    refused(staking.settlement(game), error=GameError.NOT_FINISHED, watched=[])


def test_shares_go_to_their_owners_only(staking: Staking, refused: Refused) -> None:
    game, thief = staking.finished(Result.DEALER_WINS), Staking.open(staking.chain)
    settlement, watched = staking.settlement(game), [staking.purse, thief.purse]
    other = changed(settlement, accounts={1: AccountMeta(thief.house.pubkey(), False, True)})
    refused(other, error=GameError.WRONG_RENT_RECEIVER, watched=watched)
    other = changed(settlement, accounts={2: AccountMeta(thief.purse, False, True)})
    refused(other, error=GameError.WRONG_BANKROLL, watched=watched)
    swapped = changed(settlement, accounts={1: settlement.accounts[2], 2: settlement.accounts[1]})
    refused(swapped, error=GameError.WRONG_RENT_RECEIVER, watched=watched)
    for place in range(3):
        refused(read_only(settlement, place), error=GameError.READ_ONLY_ACCOUNT, watched=watched)
    fewer = Instruction(settlement.program_id, settlement.data, list(settlement.accounts[:2]))
    refused(fewer, error=GameError.WRONG_ACCOUNT_COUNT, watched=watched)
    twice = changed(settlement, accounts={2: settlement.accounts[1]})
    refused(twice, error=GameError.DUPLICATE_ACCOUNT, watched=watched)
    longer = changed(settlement, data=settlement.data + bytes(8))
    refused(longer, error=GameError.WRONG_DATA_SIZE, watched=watched)


def test_a_game_is_settled_once(staking: Staking, refused: Refused) -> None:
    game = staking.finished(Result.PLAYER_WINS)
    settlement = staking.settlement(game)
    payer = staking.chain.funded_key()
    before = staking.held
    with pytest.raises(Refusal) as refusal:
        staking.chain.send([settlement, settlement], [payer])
    assert refusal.value.error is GameError.FOREIGN_OWNER
    assert (staking.held, staking.bankroll.open_games) == (before, 1)
    staking.chain.send([settlement], [payer])
    refused(settlement, error=GameError.FOREIGN_OWNER, watched=[])


def test_a_settled_game_is_not_kept_alive(staking: Staking, refused: Refused) -> None:
    """Lamports that are sent back in the same transaction do not bring the finished game back."""
    game = staking.finished(Result.PLAYER_WINS)
    payer = staking.chain.funded_key()
    revival = transfer(
        TransferParams(from_pubkey=payer.pubkey(), to_pubkey=game.address, lamports=10_000_000)
    )
    staking.chain.send([staking.settlement(game), revival], [payer])
    account = staking.chain.account(game.address)
    assert account is not None
    assert (bytes(account.data), account.owner) == (b"", Pubkey.default())
    refused(staking.settlement(game), error=GameError.FOREIGN_OWNER, watched=[])


def test_a_game_with_stakes_is_not_cleaned_up_and_one_without_is_not_settled(
    staking: Staking, finished: LocalGame, refused: Refused
) -> None:
    """Cleanup would give the whole account, with the cover, to the player."""
    game, program = staking.finished(Result.DEALER_WINS), staking.chain.program
    cleanup = instructions.cleanup(program, game.address, game.player.pubkey())
    refused(cleanup, error=GameError.WRONG_ACCOUNT_TYPE, watched=[])
    settlement = stake_instructions.settle(program, finished.address, finished.player.pubkey(), staking.purse)
    refused(settlement, error=GameError.WRONG_ACCOUNT_TYPE, watched=[])


@pytest.mark.parametrize(("version", "size"), [(1, 304), (2, 256), (3, 304), (0, 304)], ids=str)
def test_a_version_belongs_to_a_size(staking: Staking, refused: Refused, version: int, size: int) -> None:
    game = staking.joined()
    account = staking.chain.account(game.address)
    assert account is not None
    data = bytes([version]) + bytes(account.data)[1:size]
    staking.chain.svm.set_account(
        game.address, Account(account.lamports, data, account.owner, False, account.rent_epoch)
    )
    deal = game.request(Tag.DEAL)
    refused(deal, game.player, error=GameError.WRONG_ACCOUNT_TYPE, watched=[])


def test_nobody_claims_early_or_for_the_other(staking: Staking, refused: Refused) -> None:
    game, program = staking.joined(), staking.chain.program
    claims = {
        side: instructions.claim(program, game.address, key.pubkey())
        for side, key in (("player", game.player), ("house", staking.house))
    }
    refused(claims["house"], staking.house, error=GameError.CLAIM_TOO_EARLY, watched=[])
    refused(claims["player"], game.player, error=GameError.WRONG_HOUSE, watched=[])
    game.ask(Tag.DEAL)
    staking.chain.advance(150)
    refused(claims["player"], game.player, error=GameError.CLAIM_TOO_EARLY, watched=[])
    staking.chain.advance(1)
    refused(claims["house"], staking.house, error=GameError.WRONG_PLAYER, watched=[])


# ---- games of the whole house ----


def test_a_house_cannot_pay_out_more_than_its_bankroll(chain: LocalChain) -> None:
    """All games end in the worst way; the other side of every lamport is a lamport that somebody had put in."""
    staking = Staking.open(chain, funds=LIMITS.reserve + 4 * (BET + BOND))
    games = [staking.finished(Result.HOUSE_FORFEIT, place) for place in range(4)]
    assert staking.held == LIMITS.reserve
    for game in games:
        game.cleanup(game.player)
    assert staking.held == LIMITS.reserve
    assert staking.bankroll.open_games == 0


def test_a_game_that_was_opened_before_the_houses_account_was_closed_is_settled(staking: Staking) -> None:
    game, program = staking.finished(Result.TIE), staking.chain.program
    staking.chain.send([instructions.close_house(program, staking.house.pubkey())], [staking.house])
    assert staking.chain.account(house_address(program, staking.house.pubkey())) is None
    game.cleanup()
    assert staking.held == FUNDS


def forged_game(staking: Staking, **fields: Any) -> Game:
    """A stranger's idea of a game."""
    game = Game.created(OTHER, staking.house.pubkey(), bytes(32), bytes(32), number=0)
    return Game(**{name: fields.get(name, getattr(game, name)) for name in game.__dataclass_fields__})


def test_a_foreign_account_that_looks_like_a_won_game_is_not_settled(
    staking: Staking, refused: Refused
) -> None:
    player = staking.chain.funded_key()
    fake = forged_game(
        staking,
        player=player.pubkey(),
        status=Status.FINISHED,
        result=Result.DEALER_WINS,
        stake=Stake(staking.purse, BET, LARGEST),
    )
    meta = forged(staking.chain, fake.encode(), OTHER)
    settlement = stake_instructions.settle(staking.chain.program, meta.pubkey, player.pubkey(), staking.purse)
    refused(settlement, error=GameError.FOREIGN_OWNER, watched=[staking.purse])
