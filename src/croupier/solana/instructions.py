"""Build the program's instructions; :class:`~croupier.solana.codes.GameError` lists the program's refusals."""

from collections.abc import Sequence
from typing import Any

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import (
    CreateAccountWithSeedParams,
    TransferParams,
    create_account_with_seed,
    transfer,
)
from solders.sysvar import SLOT_HASHES

from croupier.errors import InputError
from croupier.solana.addresses import game_address
from croupier.solana.codes import MOST_COMMITMENTS, MOST_DECKS, Tag
from croupier.solana.house_account import HOUSE_SEED, house_address, house_size
from croupier.solana.layout import COMMIT_DATA, CREATE_DATA, GAME, KEY_SIZE, PLAIN_DATA, REVEAL_DATA

#: Two years' rent per byte at the usual price; every account counts 128 bytes more than its data.
_LAMPORTS_PER_BYTE, _BOOKKEEPING = 6960, 128
#: Commitments per transaction; keys, signatures and a fee instruction take the rest of its 1,232 bytes.
TIPS_PER_COMMIT = 28


def usual_rent(size: int) -> int:
    """Return the lamports that make an account of a size rent-exempt at the usual price.

    >>> usual_rent(0)
    890880
    """
    return (_BOOKKEEPING + size) * _LAMPORTS_PER_BYTE


def game_rent() -> int:
    """Return the rent of a game without stakes at the usual price.

    >>> game_rent()
    2672640
    """
    return usual_rent(GAME.size)


def create(
    program: Pubkey,
    player: Pubkey,
    house: Pubkey,
    *,
    number: int,
    player_seed: bytes,
    chain_tip: bytes,
    decks: int = 1,
    lamports: int | None = None,
) -> Instruction:
    """Open a game. Player and house sign; the player pays the rent and gets it back.

    Raises
    ------
    AddressError
        If the number cannot be used; :func:`~croupier.solana.addresses.next_number` finds one that can.
    InputError
        If the number of decks, the seed or the tip is not valid.

    Examples
    --------
    >>> from croupier.solana.addresses import next_number
    >>> program, player, house = (Pubkey(bytes([byte] * 32)) for byte in (7, 8, 9))
    >>> number = next_number(program, player)
    >>> instruction = create(program, player, house, number=number, player_seed=bytes(32), chain_tip=bytes(32))
    >>> len(instruction.accounts), len(instruction.data)
    (4, 88)
    """
    data = CREATE_DATA.pack(creation_fields(Tag.CREATE, 0, number, player_seed, chain_tip, decks, lamports))
    return _creation(program, player, number, data, AccountMeta(house, is_signer=True, is_writable=False))


def join(
    program: Pubkey,
    player: Pubkey,
    house: Pubkey,
    *,
    place: int,
    number: int,
    player_seed: bytes,
    chain_tip: bytes,
    decks: int = 1,
    lamports: int | None = None,
) -> Instruction:
    """Open a game with a commitment out of the house's account. The player alone signs.

    Raises
    ------
    AddressError
        If the number cannot be used.
    InputError
        If the number of decks, the seed or the tip is not valid.
    """
    data = CREATE_DATA.pack(creation_fields(Tag.JOIN, place, number, player_seed, chain_tip, decks, lamports))
    return joining(program, player, house, number, data)


def joining(program: Pubkey, player: Pubkey, house: Pubkey, number: int, data: bytes) -> Instruction:
    """Return an instruction that opens a game with a commitment out of a house's account."""
    account = AccountMeta(house_address(program, house), is_signer=False, is_writable=True)
    return _creation(program, player, number, data, account)


def open_house(program: Pubkey, house: Pubkey, capacity: int, lamports: int) -> list[Instruction]:
    """Make a house's account with places for commitments. The house signs and pays its rent.

    Raises
    ------
    InputError
        If the number of places is not valid.

    Examples
    --------
    >>> key = Pubkey.default()
    >>> [len(instruction.accounts) for instruction in open_house(key, key, 32, lamports=10**7)]
    [2, 2]
    """
    if not 1 <= capacity <= MOST_COMMITMENTS:
        raise InputError(f"{capacity} commitments; a house's account has places for 1 to {MOST_COMMITMENTS}")
    account = CreateAccountWithSeedParams(
        from_pubkey=house,
        to_pubkey=house_address(program, house),
        base=house,
        seed=HOUSE_SEED,
        lamports=lamports,
        space=house_size(capacity),
        owner=program,
    )
    opening = _of_house(program, Tag.OPEN_HOUSE, house, is_paid=False)
    return [create_account_with_seed(account), opening]


def commit(program: Pubkey, house: Pubkey, tips: Sequence[bytes]) -> Instruction:
    """Put tips into the free places of the house's account. The house signs.

    Raises
    ------
    InputError
        If a tip has the wrong size, or there are none, or too many for one transaction.
    """
    if not 1 <= len(tips) <= TIPS_PER_COMMIT:
        raise InputError(f"{len(tips)} commitments; one transaction has room for 1 to {TIPS_PER_COMMIT}")
    for tip in tips:
        _verify_key(tip, "chain's tip")
    data = COMMIT_DATA.pack({"tag": Tag.COMMIT, "count": len(tips)}) + b"".join(tips)
    return Instruction(program, data, _of_house(program, Tag.COMMIT, house, is_paid=False).accounts)


def close_house(program: Pubkey, house: Pubkey) -> Instruction:
    """Close the house's account; its rent goes back to the house, which signs. Open games are not affected."""
    return _of_house(program, Tag.CLOSE_HOUSE, house, is_paid=True)


def top_up(player: Pubkey, game: Pubkey, held: int, lamports: int | None = None) -> list[Instruction]:
    """Return the transfer to put before Create if someone already sent lamports to the game's address.

    An empty address needs none: Create transfers the whole rent itself.

    Examples
    --------
    >>> key = Pubkey.default()
    >>> len(top_up(key, key, held=0)), len(top_up(key, key, held=5)), len(top_up(key, key, held=game_rent()))
    (0, 1, 0)
    """
    missing = (game_rent() if lamports is None else lamports) - held
    if held == 0 or missing <= 0:
        return []
    return [transfer(TransferParams(from_pubkey=player, to_pubkey=game, lamports=missing))]


def deal(program: Pubkey, game: Pubkey, player: Pubkey) -> Instruction:
    """Request the first cards. The player signs."""
    return _request(program, Tag.DEAL, game, player)


def hit(program: Pubkey, game: Pubkey, player: Pubkey) -> Instruction:
    """Request a card. The player signs."""
    return _request(program, Tag.HIT, game, player)


def stand(program: Pubkey, game: Pubkey, player: Pubkey) -> Instruction:
    """Request the dealer's play. The player signs."""
    return _request(program, Tag.STAND, game, player)


def reveal(program: Pubkey, game: Pubkey, house: Pubkey, preimage: bytes, slot_hash: bytes) -> Instruction:
    """Answer the player's request with the next pre-image of the chain. The house signs.

    Parameters
    ----------
    slot_hash
        The hash of the slot of the request. The program reads it from the runtime and refuses any other; it is part of
        the instruction so that the game can be proven without its logs.

    Raises
    ------
    InputError
        If the pre-image or the hash has the wrong size.

    Examples
    --------
    >>> key = Pubkey.default()
    >>> len(reveal(key, key, key, bytes(32), bytes(32)).data)
    72
    >>> reveal(key, key, key, b"short", bytes(32))
    Traceback (most recent call last):
    croupier.errors.InputError: pre-image: 5 bytes; expected 32
    """
    _verify_key(preimage, "pre-image")
    _verify_key(slot_hash, "slot hash")
    accounts = [
        AccountMeta(game, is_signer=False, is_writable=True),
        AccountMeta(house, is_signer=True, is_writable=False),
        AccountMeta(SLOT_HASHES, is_signer=False, is_writable=False),
    ]
    data = REVEAL_DATA.pack({"tag": Tag.REVEAL, "preimage": preimage, "slot_hash": slot_hash})
    return Instruction(program, data, accounts)


def claim(program: Pubkey, game: Pubkey, claimant: Pubkey) -> Instruction:
    """End a game because the other side, player or house, did not act in time. The claimant signs."""
    return _request(program, Tag.CLAIM, game, claimant)


def cleanup(program: Pubkey, game: Pubkey, player: Pubkey) -> Instruction:
    """Close a finished game and return the rent to its player. Anyone may send it; no signature is needed."""
    accounts = [
        AccountMeta(game, is_signer=False, is_writable=True),
        AccountMeta(player, is_signer=False, is_writable=True),
    ]
    return Instruction(program, PLAIN_DATA.pack({"tag": Tag.CLEANUP}), accounts)


def _request(program: Pubkey, tag: Tag, game: Pubkey, signer: Pubkey) -> Instruction:
    accounts = [
        AccountMeta(game, is_signer=False, is_writable=True),
        AccountMeta(signer, is_signer=True, is_writable=False),
    ]
    return Instruction(program, PLAIN_DATA.pack({"tag": tag}), accounts)


def creation_fields(
    tag: Tag, place: int, number: int, player_seed: bytes, chain_tip: bytes, decks: int, lamports: int | None
) -> dict[str, Any]:
    """Return the fields of an instruction that opens a game.

    Raises
    ------
    InputError
        If the number of decks, the lamports, the seed or the tip is not valid.
    """
    if not 1 <= decks <= MOST_DECKS:
        raise InputError(f"{decks} decks; a game has 1 to {MOST_DECKS}")
    if lamports is not None and lamports <= 0:
        raise InputError(f"{lamports} lamports; a game needs its rent")
    _verify_key(player_seed, "player's seed")
    _verify_key(chain_tip, "chain's tip")
    return {
        "tag": tag,
        "decks": decks,
        "place": place,
        "number": number,
        "lamports": game_rent() if lamports is None else lamports,
        "player_seed": player_seed,
        "chain_tip": chain_tip,
    }


def _creation(program: Pubkey, player: Pubkey, number: int, data: bytes, house: AccountMeta) -> Instruction:
    accounts = [
        AccountMeta(game_address(program, player, number), is_signer=False, is_writable=True),
        AccountMeta(player, is_signer=True, is_writable=True),
        house,
        AccountMeta(SYSTEM_PROGRAM, is_signer=False, is_writable=False),
    ]
    return Instruction(program, data, accounts)


def _of_house(program: Pubkey, tag: Tag, house: Pubkey, *, is_paid: bool) -> Instruction:
    accounts = [
        AccountMeta(house_address(program, house), is_signer=False, is_writable=True),
        AccountMeta(house, is_signer=True, is_writable=is_paid),
    ]
    return Instruction(program, PLAIN_DATA.pack({"tag": tag}), accounts)


def _verify_key(value: bytes, what: str) -> None:
    if len(value) != KEY_SIZE:
        raise InputError(f"{what}: {len(value)} bytes; expected {KEY_SIZE}")
