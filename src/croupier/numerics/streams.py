"""Random numbers that a seed gives for good.

Everything is taken from the raw 64-bit output of PCG64: NumPy promises that this stream never
changes, which it does not promise for the methods of ``Generator``. A seed printed today deals the
same hand with any later version.
"""

import secrets

import numpy as np

from croupier.errors import InputError

#: A number, or a path of numbers such as (seed, hand) that names one stream of a family.
Seed = int | tuple[int, ...]


class RandomStream:
    """A reproducible source of uniform numbers.

    Examples
    --------
    >>> stream = RandomStream(7)
    >>> [stream.below(6) for _ in range(5)]
    [3, 5, 2, 0, 1]
    >>> 0 <= stream.uniform() < 1
    True
    >>> RandomStream(-1)
    Traceback (most recent call last):
    croupier.errors.InputError: seed -1: a seed is a whole number from 0 up
    """

    def __init__(self, seed: Seed) -> None:
        path = seed if isinstance(seed, tuple) else (seed,)
        for part in path:
            if part < 0:
                raise InputError(f"seed {part}: a seed is a whole number from 0 up")
        words = [word for part in path[1:] for word in _words(part)]
        self._bits = np.random.PCG64(np.random.SeedSequence(path[0], spawn_key=words))

    def below(self, bound: int) -> int:
        """Draw a whole number in [0, bound) without bias: values past the last full multiple are thrown away."""
        if not 0 < bound <= 2**64:
            raise ValueError(f"bound {bound} is not from 1 to 2**64")
        limit = 2**64 - 2**64 % bound
        while (raw := self._raw()) >= limit:
            pass
        return raw % bound

    def uniform(self) -> float:
        """Draw a number in [0, 1) with 53 random bits."""
        return (self._raw() >> 11) * 2.0**-53

    def _raw(self) -> int:
        return int(self._bits.random_raw())


def verify_seed(seed: int) -> None:
    """Raise unless a number can be a seed.

    >>> verify_seed(-1)
    Traceback (most recent call last):
    croupier.errors.InputError: seed = -1: a seed is a whole number from 0 on
    """
    if seed < 0:
        raise InputError(f"seed = {seed}: a seed is a whole number from 0 on")


def _words(part: int) -> list[int]:
    """Write a number as 32-bit words behind their count, so that different paths never give the same words."""
    words = [part >> shift & 0xFFFFFFFF for shift in range(0, max(part.bit_length(), 1), 32)]
    return [len(words), *words]


def fresh_seed() -> int:
    """Return a random seed, short enough to type.

    >>> 0 <= fresh_seed() < 10**9
    True
    """
    return secrets.randbelow(10**9)
