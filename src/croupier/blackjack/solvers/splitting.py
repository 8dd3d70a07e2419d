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

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.blackjack.solvers.hands import Floats


class SplitWeights(NamedTuple):
    """A split's expected result over all its hands is the sum of ``not_pair[k] * A_k + whatever[k] * B_k``."""

    not_pair: Floats
    whatever: Floats


@lru_cache(maxsize=1024)
def split_weights(pair_cards: float, cards: float, step: float, most_hands: int) -> SplitWeights:
    """Return with what weights the values of single hands make up the value of a split.

    Parameters
    ----------
    pair_cards, cards
        Pair cards and all cards left, after the two that are split and the up-card.
    step
        1, or 0 for infinite packs.
    most_hands
        The most hands that the split may make; 2 if there is no re-splitting.

    Examples
    --------
    >>> two = split_weights(22, 309, 1, 2)
    >>> two.not_pair.tolist(), two.whatever.tolist()
    ([0.0], [2.0])
    """
    resplits = most_hands - 2
    not_pair, whatever = np.zeros(2 * resplits + 1), np.zeros(2 * resplits + 1)
    for made in range(resplits):
        hands = 2 + made
        weight = float(_words_that_end(made) * hands)
        _add_joint(not_pair, weight, pair_cards, cards, step, made, hands - 1)
    for before in range(resplits + 1):
        words = float(_words_that_fill(resplits, before))
        if before > 0:
            _add_joint(not_pair, words * before, pair_cards, cards, step, resplits, before - 1)
        _add_joint(whatever, words * (most_hands - before), pair_cards, cards, step, resplits, before)
    return SplitWeights(not_pair, whatever)


@lru_cache(maxsize=1024)
def first_hand_weights(pair_cards: float, cards: float, step: float, most_hands: int) -> SplitWeights:
    """Return the weights of the first hand alone, which is played first: where splits are free, the only one with a bet at risk.

    It draws pair cards, each of which makes another hand, until its second card is something else or no more hands are allowed.

    >>> first = first_hand_weights(22, 309, 1, 2)
    >>> first.not_pair.tolist(), first.whatever.tolist()
    ([0.0], [1.0])
    """
    resplits = most_hands - 2
    not_pair, whatever = np.zeros(2 * resplits + 1), np.zeros(2 * resplits + 1)
    for drawn in range(resplits):
        not_pair[drawn] = _chance_all_pair(pair_cards, cards, step, drawn)
    whatever[resplits] = _chance_all_pair(pair_cards, cards, step, resplits)
    return SplitWeights(not_pair, whatever)


def expected_pairs_of_hands(
    pair_cards: float, cards: float, step: float, most_hands: int
) -> tuple[float, float]:
    """Return the expected number N of hands that a split makes, and the expectation of N (N - 1).

    >>> expected_pairs_of_hands(22, 309, 1, 2)
    (2.0, 2.0)
    """
    resplits = most_hands - 2
    chances = {}
    for made in range(resplits):
        weights = np.zeros(2 * made + 3)
        _add_joint(weights, float(_words_that_end(made)), pair_cards, cards, step, made, 2 + made)
        chances[2 + made] = float(weights.sum())
    chances[most_hands] = 1.0 - sum(chances.values())
    hands = sum(count * chance for count, chance in chances.items())
    return hands, sum(count * (count - 1) * chance for count, chance in chances.items())


def _add_joint(
    weights: Floats, weight: float, pair_cards: float, cards: float, step: float, drawn: int, others: int
) -> None:
    """Add what a hand's value weighs, by pair cards out, when some given draws are pair cards and some given others are not."""
    for also in range(others + 1):
        chance = _chance_all_pair(pair_cards, cards, step, drawn + also)
        if chance > 0.0:
            weights[drawn + also] += weight * (-1) ** also * comb(others, also) * chance


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
