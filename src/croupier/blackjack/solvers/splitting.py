r"""The exact value of a split, with re-splits, as the rules deal it.

Model: the hands of a split are played without using knowledge of each other (a fixed decision a hand), and every card that
is not seen is equally likely to come. All second cards may then be thought of as drawn first, one after
another: a pair card drawn while more hands are allowed makes a new hand, any other card is some
hand's second card. A run of draws is a word over P (a pair card that makes a hand) and N (a second card that is
not a pair card); once the last hand allowed is there, further second cards may be anything.

By symmetry all hands of a kind have the same expectation, so a split needs only, for k further pair cards out of the shoe,

- :math:`A_k`, the value of one hand times one if its second card is not a pair card, and
- :math:`B_k`, the value of one hand, whatever its second card.

That the other hands' second cards are no pair cards is handled by inclusion and exclusion over how many of them are.
Nothing is approximated: no independence, no infinite deck.
"""

from collections.abc import Callable
from functools import lru_cache
from math import comb

Value = Callable[[int], float]


def split_value(
    pair_cards: float, cards: float, step: float, most_hands: int, value_not_pair: Value, value_any: Value
) -> float:
    """Return the expected result of a split over all its hands.

    Parameters
    ----------
    pair_cards, cards
        Pair cards and all cards left, after the two that are split and the up-card.
    step
        1, or 0 for infinite packs.
    most_hands
        The most hands that the split may make; 2 if there is no re-splitting.
    value_not_pair, value_any
        A_k and B_k, as functions of k.

    Examples
    --------
    >>> split_value(22, 309, 1, 2, value_not_pair=lambda k: 0.1, value_any=lambda k: 0.125)
    0.25
    """
    resplits = most_hands - 2
    total = 0.0
    for made in range(resplits):
        words = _words_that_end(made)
        hands = 2 + made
        total += words * hands * _joint(pair_cards, cards, step, made, hands - 1, value_not_pair)
    for before in range(resplits + 2):
        words = _words_that_fill(resplits, before)
        if words == 0:
            continue
        if before > 0:
            total += words * before * _joint(pair_cards, cards, step, resplits, before - 1, value_not_pair)
        total += words * (most_hands - before) * _joint(pair_cards, cards, step, resplits, before, value_any)
    return total


def expected_pairs_of_hands(
    pair_cards: float, cards: float, step: float, most_hands: int
) -> tuple[float, float]:
    """Return the expected number N of hands that a split makes, and the expectation of N (N - 1).

    >>> expected_pairs_of_hands(22, 309, 1, 2)
    (2.0, 2.0)
    """

    def one(_: int) -> float:
        return 1.0

    resplits = most_hands - 2
    chances = {}
    for made in range(resplits):
        others = 2 + made
        no_pair = _joint(pair_cards, cards, step, made, others, one)
        chances[2 + made] = _words_that_end(made) * no_pair
    chances[most_hands] = 1.0 - sum(chances.values())
    hands = sum(count * chance for count, chance in chances.items())
    return hands, sum(count * (count - 1) * chance for count, chance in chances.items())


def _joint(pair_cards: float, cards: float, step: float, drawn: int, others: int, value: Value) -> float:
    """Return the expectation of a hand's value when some given draws are pair cards and some given others are not."""
    total = 0.0
    for also in range(others + 1):
        chance = _chance_all_pair(pair_cards, cards, step, drawn + also)
        if chance > 0.0:
            total += (-1) ** also * comb(others, also) * chance * value(drawn + also)
    return total


def _chance_all_pair(pair_cards: float, cards: float, step: float, draws: int) -> float:
    chance = 1.0
    for draw in range(draws):
        left = cards - step * draw
        if left <= 0:
            return 0.0
        chance *= max(pair_cards - step * draw, 0.0) / left
    return chance


@lru_cache(maxsize=64)
def _words_that_end(made: int) -> int:
    """Count the words with a number of Ps after which every hand has its second card, and not before.

    >>> [_words_that_end(made) for made in range(3)]
    [1, 2, 5]
    """
    return _count_words(made, 1 + made)


@lru_cache(maxsize=64)
def _words_that_fill(resplits: int, before: int) -> int:
    """Count the words whose last P makes the last hand allowed, with a number of Ns before it.

    >>> [_words_that_fill(2, before) for before in range(4)]
    [1, 2, 2, 0]
    """
    if resplits == 0:
        return 1 if before == 0 else 0
    return _count_words(resplits - 1, before) if before < 1 + resplits else 0


def _count_words(pairs: int, seconds: int) -> int:
    """Count the orders of Ps and Ns in which there is always a hand without its second card."""
    if pairs < 0 or seconds < 0 or seconds > 1 + pairs:
        return 0
    if pairs == 0 and seconds == 0:
        return 1
    return _count_words(pairs - 1, seconds) + _count_words(pairs, seconds - 1)
