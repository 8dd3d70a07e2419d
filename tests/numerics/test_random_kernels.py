"""The compiled generators give the published numbers, and draws from them have no bias."""

from collections import Counter

import numpy as np
import pytest

from croupier.durak.players.splitmix import SplitMix64
from croupier.numerics import random_kernels as kernels

#: The published values for the state 1, 2, 3, 4 (test vectors of the Rust crate rand_xoshiro).
XOSHIRO = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]

WORDS = 2**32


def stream_of(*state: int) -> kernels.Stream:
    return np.array(state, dtype=np.uint64)


def test_xoshiro_gives_the_published_words() -> None:
    stream = stream_of(1, 2, 3, 4)
    assert [int(kernels.xoshiro_word(stream)) for _ in XOSHIRO] == XOSHIRO


def test_the_compiled_splitmix_is_the_readable_one() -> None:
    stream, words = stream_of(5), SplitMix64(5)
    assert [int(kernels.splitmix_word(stream)) for _ in range(50)] == [words.next_word() for _ in range(50)]
    for bound in (1, 2, 3, 7, 36, 3 * 2**30):
        drawn = [kernels.splitmix_below(stream, bound) for _ in range(50)]
        assert drawn == [words.below(bound) for _ in range(50)]


def test_a_bounded_draw_rejects_the_words_that_would_bias_it() -> None:
    """The first word of this stream is 0. As 2**32 is no multiple of 52, 0 belongs to the rejected remainder."""
    state = (0, 2**63 + 12345, 2**61 + 678, 0)
    words = stream_of(*state)
    assert kernels.xoshiro_word(words) == 0
    second_word = int(kernels.xoshiro_word(words))
    stream = stream_of(*state)
    assert kernels.xoshiro_below(stream, 52) == (second_word >> 32) * 52 >> 32
    assert stream.tolist() == words.tolist()


def test_a_fraction_is_the_upper_53_bits_of_a_word() -> None:
    assert kernels.fraction(np.uint64(0)) == 0.0
    assert kernels.fraction(np.uint64(2**63)) == 0.5
    assert kernels.fraction(np.uint64(2**64 - 1)) == 1 - 2**-53


def chosen(word: int, bounds: tuple[int, int, int, int]) -> tuple[bool, list[int]]:
    is_fair, *numbers = kernels.four_below(np.uint64(word), *(np.uint64(bound) for bound in bounds))
    return bool(is_fair), [int(number) for number in numbers]


def test_a_word_chooses_four_numbers_below_their_bounds() -> None:
    high, low = 0xDEADBEEF, 0x12345678
    first, rest = divmod(high * 312, WORDS)
    second = rest * 311 // WORDS
    third, rest = divmod(low * 310, WORDS)
    fourth = rest * 309 // WORDS
    assert chosen(high << 32 | low, (312, 311, 310, 309)) == (True, [first, second, third, fourth])


@pytest.mark.parametrize("half", [0, 32])
def test_every_pair_of_choices_comes_from_equally_many_words(half: int) -> None:
    # Words that are taken: 2**32 less the remainder. Each of the 7 * 6 pairs must come from the same number of them; the words at the
    # border between two pairs decide it, so that it is enough to look at these.
    ways = 7 * 6
    other = 0x5555_5555 << (32 - half)
    taken: Counter[tuple[int, int]] = Counter()
    place = 0 if half == 32 else 2

    def pair_of(word: int) -> tuple[int, int] | None:
        is_fair, numbers = chosen(word << half | other, (7, 6, 7, 6))
        return (numbers[place], numbers[place + 1]) if is_fair else None

    for number in range(ways):
        low, high = number * WORDS // ways, (number + 1) * WORDS // ways
        inside = [
            word for word in (*range(low - 3, low + 4), *range(high - 3, high + 4)) if 0 <= word < WORDS
        ]
        first = min(word for word in inside if pair_of(word) == divmod(number, 6))
        last = max(word for word in inside if pair_of(word) == divmod(number, 6))
        taken[divmod(number, 6)] = last - first + 1
    assert len(set(taken.values())) == 1
    assert sum(taken.values()) == WORDS - WORDS % ways


def test_an_unfair_word_is_thrown_away() -> None:
    assert chosen(0, (52, 51, 50, 49))[0] is False
    assert chosen(0xDEADBEEF12345678, (52, 51, 50, 49))[0] is True
