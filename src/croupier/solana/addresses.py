"""The address of a game, which follows from the program, the player and the game's number.

The program uses only bump 255. It is the canonical bump if it leads off the curve, which is so for about half of all
numbers; the other numbers are not used. So the program needs no search, and there is one address per number.
"""

from solders.pubkey import Pubkey

from croupier.errors import InputError

GAME_SEED = b"blackjack"
BUMP = 255
LARGEST_NUMBER = 2**64 - 1


class AddressError(InputError):
    """A game number has no address; the message names the next number that has one."""


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
    croupier.solana.addresses.AddressError: game number 1: it has no address with bump 255; the next usable number is 3
    """
    _verify_number(number)
    address, bump = Pubkey.find_program_address(_seeds(player, number), program)
    if bump != BUMP:
        following = next_number(program, player, number + 1)
        raise AddressError(
            f"game number {number}: it has no address with bump {BUMP}; the next usable number is {following}"
        )
    return address


def has_address(program: Pubkey, player: Pubkey, number: int) -> bool:
    """Return whether a game can have this number."""
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
