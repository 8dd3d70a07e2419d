"""Random numbers in compiled kernels: two generators, and draws without bias.

Both generators are written out because the cards of a seed must be the same on every machine and with every version.

- xoshiro256++ (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
  Software 47, 2021) deals the cards of the simulators. A stream is its four words of state.
- SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) has one word of state.
  :mod:`croupier.durak.players.splitmix` is the same generator in plain Python.

A stream is changed in place. Kernels that draw many numbers keep the words of xoshiro in registers with :func:`xoshiro_step`.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.numerics.compiled import inlined_lean

#: The state of a generator: four words for xoshiro256++, one for SplitMix64.
Stream = NDArray[np.uint64]

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_HALF_WORDS = np.uint64(0x100000000)
_ONE = np.uint64(1)
_SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)

#: Keeps the streams of lanes apart from those of blocks.
_LANES_KEY = 2**32


@inlined_lean
def xoshiro_step(
    first: np.uint64, second: np.uint64, third: np.uint64, fourth: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next 64 random bits of xoshiro256++, and its state after them."""
    mixed = first + fourth
    word = ((mixed << np.uint64(23)) | (mixed >> np.uint64(41))) + first
    shifted = second << np.uint64(17)
    third ^= first
    fourth ^= second
    second ^= third
    first ^= fourth
    third ^= shifted
    fourth = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))
    return word, first, second, third, fourth


@inlined_lean
def xoshiro_word(stream: Stream) -> np.uint64:
    """Return the next 64 random bits of a stream of four words."""
    word, stream[0], stream[1], stream[2], stream[3] = xoshiro_step(
        stream[0], stream[1], stream[2], stream[3]
    )
    return word


@inlined_lean
def _splitmix_mixed(mixed: np.uint64) -> np.uint64:
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word: np.uint64 = mixed ^ (mixed >> np.uint64(31))
    return word


@inlined_lean
def splitmix_word(stream: Stream) -> np.uint64:
    """Return the next 64 random bits of a stream of one word."""
    stream[0] += _SPLITMIX_STEP
    return _splitmix_mixed(stream[0])


def lane_key(seed: int) -> np.uint64:
    """Return the key of all lanes of a seed.

    >>> int(lane_key(1)) == int(lane_key(2))
    False
    """
    key: np.uint64 = np.random.SeedSequence(seed, spawn_key=(_LANES_KEY,)).generate_state(1, np.uint64)[0]
    return key


@inlined_lean
def begin_lane(stream: Stream, key: np.uint64, lane: int) -> None:
    """Put a stream of four words at the beginning of a lane.

    The lanes of a key cut the words of SplitMix64, begun at the key, into fours: lane 0 begins with the first four, lane 1 with
    the next four. This is how the authors of xoshiro advise to fill its state.
    """
    for word in range(4):
        stream[word] = _splitmix_mixed(key + _SPLITMIX_STEP * np.uint64(4 * lane + word + 1))


@inlined_lean
def fraction(word: np.uint64) -> float:
    """Return a number in [0, 1) made of 53 of 64 random bits."""
    return float(word >> np.uint64(11)) * 2.0**-53


@inlined_lean
def is_biased(rest: np.uint64, ways: np.uint64) -> bool:
    """Return whether the rest of a half word, after a choice among so many ways, makes that choice biased.

    D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and Computer Simulation 29, 2019. The
    choice is the upper half of a half word times the number of ways; the rest is the lower half.
    """
    return bool(rest < ways and rest < _HALF_WORDS % max(ways, _ONE))


@inlined_lean
def xoshiro_below(stream: Stream, bound: int) -> int:
    """Draw a number in [0, bound) without bias from a stream of four words, for bounds below 2**32."""
    ways = np.uint64(bound)
    product = (xoshiro_word(stream) >> _HALF) * ways
    while is_biased(product & _LOW, ways):
        product = (xoshiro_word(stream) >> _HALF) * ways
    return int(np.int64(product >> _HALF))


@inlined_lean
def splitmix_below(stream: Stream, bound: int) -> int:
    """Draw a number in [0, bound) without bias from a stream of one word, for bounds below 2**32."""
    ways = np.uint64(bound)
    product = (splitmix_word(stream) >> _HALF) * ways
    while is_biased(product & _LOW, ways):
        product = (splitmix_word(stream) >> _HALF) * ways
    return int(np.int64(product >> _HALF))


@inlined_lean
def four_below(
    word: np.uint64, first: np.uint64, second: np.uint64, third: np.uint64, fourth: np.uint64
) -> tuple[bool, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four numbers made of one word, each below its bound; the flag says whether they are unbiased or must be dropped.

    Each half of the word gives two numbers (N. Brackett-Rozinsky and D. Lemire, "Batched Ranged Random Integer Generation", Software:
    Practice and Experience 55, 2025). Two bounds multiplied must stay below 2**32.
    """
    one = (word >> _HALF) * first
    two = (one & _LOW) * second
    three = (word & _LOW) * third
    four = (three & _LOW) * fourth
    is_fair = not (is_biased(two & _LOW, first * second) or is_biased(four & _LOW, third * fourth))
    return is_fair, one >> _HALF, two >> _HALF, three >> _HALF, four >> _HALF
