"""Build the program's instructions; :class:`~croupier.solana.codes.GameError` lists the program's refusals."""

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import TransferParams, transfer
from solders.sysvar import SLOT_HASHES

from croupier.errors import InputError
from croupier.solana.addresses import game_address
from croupier.solana.codes import MOST_DECKS, Tag
from croupier.solana.layout import CREATE_DATA, GAME, KEY_SIZE, PLAIN_DATA, REVEAL_DATA

#: Two years' rent per byte at the usual price; every account counts 128 bytes more than its data.
_LAMPORTS_PER_BYTE, _BOOKKEEPING = 6960, 128


def game_rent() -> int:
    """Return the lamports that make a game account rent-exempt at the usual price.

    >>> game_rent()
    2672640
    """
    return (_BOOKKEEPING + GAME.size) * _LAMPORTS_PER_BYTE


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
    if not 1 <= decks <= MOST_DECKS:
        raise InputError(f"{decks} decks; a game has 1 to {MOST_DECKS}")
    _verify_key(player_seed, "player's seed")
    _verify_key(chain_tip, "chain's tip")
    data = CREATE_DATA.pack(
        {
            "tag": Tag.CREATE,
            "decks": decks,
            "number": number,
            "lamports": game_rent() if lamports is None else lamports,
            "player_seed": player_seed,
            "chain_tip": chain_tip,
        }
    )
    accounts = [
        AccountMeta(game_address(program, player, number), is_signer=False, is_writable=True),
        AccountMeta(player, is_signer=True, is_writable=True),
        AccountMeta(house, is_signer=True, is_writable=False),
        AccountMeta(SYSTEM_PROGRAM, is_signer=False, is_writable=False),
    ]
    return Instruction(program, data, accounts)


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


def reveal(program: Pubkey, game: Pubkey, house: Pubkey, preimage: bytes) -> Instruction:
    """Answer the player's request with the next pre-image of the chain. The house signs.

    Raises
    ------
    InputError
        If the pre-image has the wrong size.

    Examples
    --------
    >>> key = Pubkey.default()
    >>> len(reveal(key, key, key, bytes(32)).data)
    40
    >>> reveal(key, key, key, b"short")
    Traceback (most recent call last):
    croupier.errors.InputError: pre-image: 5 bytes; expected 32
    """
    _verify_key(preimage, "pre-image")
    accounts = [
        AccountMeta(game, is_signer=False, is_writable=True),
        AccountMeta(house, is_signer=True, is_writable=False),
        AccountMeta(SLOT_HASHES, is_signer=False, is_writable=False),
    ]
    return Instruction(program, REVEAL_DATA.pack({"tag": Tag.REVEAL, "preimage": preimage}), accounts)


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


def _verify_key(value: bytes, what: str) -> None:
    if len(value) != KEY_SIZE:
        raise InputError(f"{what}: {len(value)} bytes; expected {KEY_SIZE}")
