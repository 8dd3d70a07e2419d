"""Where a game lives: an address that follows from the program, the player and the player's number for the game.

The program uses bump 255 alone. That is the canonical bump wherever it leads off the curve, which it does for about
half of all numbers; the others are not used. The program then needs no search, and there is one address a number.
"""

from solders.pubkey import Pubkey

from croupier.errors import InputError

GAME_SEED = b"blackjack"
BUMP = 255
LARGEST_NUMBER = 2**64 - 1


class AddressError(InputError):
    """A game number that has no address; the message names the next one that has."""


def game_address(program: Pubkey, player: Pubkey, number: int) -> Pubkey:
    """Return the address of a player's game.

    Raises
    ------
    AddressError
        If the number has no address with bump 255.

    Examples
    --------
    >>> program, player = Pubkey(bytes([7] * 32)), Pubkey(bytes([9] * 32))
    >>> [has_address(program, player, number) for number in range(5)]
    [True, False, False, True, False]
    >>> game_address(program, player, 0).is_on_curve()
    False
    >>> game_address(program, player, 1)
    Traceback (most recent call last):
    croupier.solana.addresses.AddressError: game number 1: it has no address with bump 255; the next that has is 3
    """
    _verify_number(number)
    address, bump = Pubkey.find_program_address(_seeds(player, number), program)
    if bump != BUMP:
        following = next_number(program, player, number + 1)
        raise AddressError(
            f"game number {number}: it has no address with bump {BUMP}; the next that has is {following}"
        )
    return address


def has_address(program: Pubkey, player: Pubkey, number: int) -> bool:
    """Tell whether a game can have this number."""
    _verify_number(number)
    return Pubkey.find_program_address(_seeds(player, number), program)[1] == BUMP


def next_number(program: Pubkey, player: Pubkey, start: int = 0) -> int:
    """Return the first number from ``start`` on that a game can have.

    >>> next_number(Pubkey(bytes([7] * 32)), Pubkey(bytes([9] * 32)), start=3) >= 3
    True
    """
    number = start
    while not has_address(program, player, number):
        number += 1
    return number


def _seeds(player: Pubkey, number: int) -> list[bytes]:
    return [GAME_SEED, bytes(player), number.to_bytes(8, "little")]


def _verify_number(number: int) -> None:
    if not 0 <= number <= LARGEST_NUMBER:
        raise AddressError(f"game number {number}: numbers run from 0 to 2**64 - 1")
