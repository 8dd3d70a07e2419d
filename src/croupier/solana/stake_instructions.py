"""Build the instructions about stakes: a house's bankroll, games with a bet, and their settlement."""

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import (
    CreateAccountWithSeedParams,
    TransferParams,
    create_account_with_seed,
    transfer,
)

from croupier.errors import InputError
from croupier.solana.bankroll import BANKROLL_SEED, BetLimits, bankroll_address
from croupier.solana.codes import LEAST_RENT, Tag
from croupier.solana.instructions import cleanup, creation_fields, joining, usual_rent
from croupier.solana.layout import (
    BANKROLL,
    GAME,
    JOIN_STAKED_DATA,
    LIMITS_DATA,
    PLAIN_DATA,
    STAKE,
    WITHDRAW_DATA,
)
from croupier.solana.stake import Stake

STAKED_GAME_SIZE = GAME.size + STAKE.size


def staked_deposit(stake: Stake, rent: int | None = None) -> int:
    """Return what a player pays to open a game with stakes: the bet, and the rent, which comes back.

    >>> staked_deposit(Stake(Pubkey.default(), bet=1000, cover=1000))
    3007720
    """
    return stake.bet + max(LEAST_RENT, usual_rent(STAKED_GAME_SIZE) if rent is None else rent)


def open_bankroll(program: Pubkey, house: Pubkey, limits: BetLimits, lamports: int) -> list[Instruction]:
    """Make a house's bankroll with its limits. The house signs and pays the lamports in.

    >>> key = Pubkey.default()
    >>> [len(instruction.data) for instruction in open_bankroll(key, key, BetLimits(), lamports=10**9)][1]
    40
    """
    account = CreateAccountWithSeedParams(
        from_pubkey=house,
        to_pubkey=bankroll_address(program, house),
        base=house,
        seed=BANKROLL_SEED,
        lamports=lamports,
        space=BANKROLL.size,
        owner=program,
    )
    return [create_account_with_seed(account), _limiting(program, house, Tag.OPEN_BANKROLL, limits)]


def set_limits(program: Pubkey, house: Pubkey, limits: BetLimits) -> Instruction:
    """Change the limits of a bankroll. The house signs; open games keep their stakes."""
    return _limiting(program, house, Tag.SET_LIMITS, limits)


def deposit(program: Pubkey, house: Pubkey, lamports: int) -> Instruction:
    """Pay lamports of the house into its bankroll: a plain transfer."""
    address = bankroll_address(program, house)
    return transfer(TransferParams(from_pubkey=house, to_pubkey=address, lamports=lamports))


def withdraw(program: Pubkey, house: Pubkey, lamports: int) -> Instruction:
    """Pay lamports out of a bankroll to its house, which signs.

    Raises
    ------
    InputError
        If the number is not one of lamports.
    """
    if not 0 <= lamports < 2**64:
        raise InputError(f"{lamports} lamports cannot be withdrawn")
    data = WITHDRAW_DATA.pack({"tag": Tag.WITHDRAW, "lamports": lamports})
    return _of_bankroll(program, house, data, is_paid=True)


def close_bankroll(program: Pubkey, house: Pubkey) -> Instruction:
    """Close a bankroll whose games are settled; everything in it goes to the house, which signs."""
    return _of_bankroll(program, house, PLAIN_DATA.pack({"tag": Tag.CLOSE_BANKROLL}), is_paid=True)


def join_staked(
    program: Pubkey,
    player: Pubkey,
    house: Pubkey,
    stake: Stake,
    *,
    place: int,
    number: int,
    player_seed: bytes,
    chain_tip: bytes,
    decks: int = 1,
    lamports: int | None = None,
) -> Instruction:
    """Open a game with a bet and a commitment out of the house's account. The player alone signs.

    Parameters
    ----------
    stake
        Bet and cover; the program refuses a cover that is not the bet and the bond of the bankroll.
    lamports
        What the player pays; by default the bet and the usual rent.

    Raises
    ------
    AddressError
        If the number cannot be used.
    InputError
        If another argument is not valid.
    """
    paid = staked_deposit(stake) if lamports is None else lamports
    fields = creation_fields(Tag.JOIN_STAKED, place, number, player_seed, chain_tip, decks, paid)
    data = JOIN_STAKED_DATA.pack({**fields, "bet": stake.bet, "cover": stake.cover})
    plain = joining(program, player, house, number, data)
    bankroll = AccountMeta(stake.bankroll, is_signer=False, is_writable=True)
    return Instruction(program, data, [*plain.accounts, bankroll])


def settle(program: Pubkey, game: Pubkey, player: Pubkey, bankroll: Pubkey) -> Instruction:
    """Close a finished game with stakes: each side gets its share, the player also the rent. Anyone may send it."""
    accounts = [AccountMeta(key, is_signer=False, is_writable=True) for key in (game, player, bankroll)]
    return Instruction(program, PLAIN_DATA.pack({"tag": Tag.SETTLE}), accounts)


def closing(program: Pubkey, game: Pubkey, player: Pubkey, stake: Stake | None) -> Instruction:
    """Return the instruction that closes a finished game.

    >>> key = Pubkey.default()
    >>> [closing(key, key, key, stake).data[0] for stake in (None, Stake(key, 5, 5))]
    [6, 16]
    """
    if stake is None:
        return cleanup(program, game, player)
    return settle(program, game, player, stake.bankroll)


def _limiting(program: Pubkey, house: Pubkey, tag: Tag, limits: BetLimits) -> Instruction:
    data = LIMITS_DATA.pack(
        {
            "tag": tag,
            "least_bet": limits.least_bet,
            "most_bet": limits.most_bet,
            "bond": limits.bond,
            "reserve": limits.reserve,
        }
    )
    return _of_bankroll(program, house, data, is_paid=False)


def _of_bankroll(program: Pubkey, house: Pubkey, data: bytes, *, is_paid: bool) -> Instruction:
    accounts = [
        AccountMeta(bankroll_address(program, house), is_signer=False, is_writable=True),
        AccountMeta(house, is_signer=True, is_writable=is_paid),
    ]
    return Instruction(program, data, accounts)
