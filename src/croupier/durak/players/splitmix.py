"""Random words without NumPy, for engine processes that have to start at once.

SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), written out so that
a seed means the same game for good; :mod:`~croupier.numerics.random_kernels` holds the same generator compiled.
"""

_MASK = 2**64 - 1


class SplitMix64:
    """A stream of random numbers from a seed.

    Examples
    --------
    >>> words = SplitMix64(7)
    >>> [words.below(6) for _ in range(5)]
    [2, 0, 5, 3, 2]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next_word(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((self._state ^ (self._state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Return a number in [0, bound), without bias (D. Lemire's method on 32 bits)."""
        product = (self.next_word() >> 32) * bound
        threshold = 2**32 % bound
        while product & 0xFFFFFFFF < threshold:
            product = (self.next_word() >> 32) * bound
        return product >> 32
