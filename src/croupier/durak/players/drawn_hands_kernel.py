"""Hands of the other player to search in, drawn with the odds of :mod:`~croupier.durak.players.hidden_cards_kernel`, as compiled code.

A skilled player may choose as the policy network does. It tells far more of a hand than the play model, but takes much longer to ask.
So the chain of the play model proposes: after some swaps, what the policy thinks of the hands before and after them decides whether
all of these swaps stay (J. S. Liu, "Monte Carlo Strategies in Scientific Computing", 2001: the surrogate transition method). Only choices
whose hand has changed are asked for. Each choice is taken to be the policy's with a probability of one half, so a player of another kind is
understood hardly worse than by the play model.

How much better such a player explains the choices than one of the play model alone, over all hands, is found in stages: from one
to the other, what the policy thinks counts more and more (thermodynamic integration).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest, place
from croupier.durak.engine.board_kernels import DEFEND, THROW_IN, Position
from croupier.durak.players.hidden_cards_kernel import CHEAP, FREE, Choices, Odds, Places, swap, weigh
from croupier.durak.players.known_cards_kernel import KnownCards
from croupier.durak.players.play_model_kernel import BOTTOM, COUNT, DISCARDED, KNOWN, STOCK, write_public_part
from croupier.durak.players.policy_network_kernel import Memory, log_chance
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, fraction, splitmix_word

_DECK_SIZE = 36

_SWAPS_AT_FIRST = 200
_SWAPS_BETWEEN = 8

#: How often the policy is asked before the first hand is written down.
_JUDGED_AT_FIRST = 12

#: The stages from the play model to the policy, and in each of them how often the policy is asked before its opinion counts, and after that.
_STAGES = 5
_JUDGED_TO_MIX = 10
_JUDGED_TO_WEIGH = 16

#: The probability that a skilled player has made a choice as the policy does.
_POLICY_SHARE = 0.5


class Judged(NamedTuple):
    """What the policy thinks of the hands: as they are in the first row, as they were proposed in the second."""

    hands: NDArray[np.int64]  # the hand with which each choice was made
    gains: NDArray[np.float64]  # the logarithm of how much likelier the choice is than by the play model
    cards: NDArray[np.int64]  # to go back: the places and their bounds
    odds: Odds  # and how likely the choices were, in the first row
    policy: Memory


@inlined
def _hand_of(seen: int, size: int) -> int:
    """Return any hand of a size that holds the cards that were seen."""
    hand, left = seen, ~seen
    while count(hand) < size:
        hand |= lowest(left)
        left &= left - 1
    return hand


@compiled
def _gain(choices: Choices, number: int, hand: int, free: float, trumps: int, policy: Memory) -> float:
    """Return the logarithm of how much likelier a choice is if it may be the policy's than by the play model alone."""
    row, phase = choices.seen[number], int(choices.phases[number])
    is_defence = phase == DEFEND
    other = _hand_of(int(row[KNOWN]), int(row[COUNT]))
    position = Position(
        other if is_defence else hand,
        hand if is_defence else other,
        int(choices.tables[number]),
        int(choices.open_cards[number]),
        1 if phase == THROW_IN else 0,
        int(choices.limits[number]),
        _DECK_SIZE - int(row[STOCK]),
        0 if is_defence else 1,
        trumps,
        _DECK_SIZE,
    )
    known = KnownCards(int(row[DISCARDED]), int(row[KNOWN]), int(choices.held[number]))
    chance = log_chance(
        FREE, position, phase, int(choices.answers[number]), known, place(int(row[BOTTOM])), policy
    )
    return math.log(1 - _POLICY_SHARE + _POLICY_SHARE * math.exp(chance) / free)


@compiled
def _judge(
    choices: Choices, places: Places, trumps: int, odds: Odds, judged: Judged, is_first: bool
) -> float:
    """Fill in what the policy thinks of the hands that are proposed; return how much better it explains them than those before."""
    union, filled, better = 0, 0, 0.0
    for number in range(odds.shape[1]):
        while filled < choices.drawn[number]:
            union |= places.cards[filled]
            filled += 1
        hand = union & ~choices.shown[number] | choices.held[number]
        judged.hands[1, number] = hand
        if not is_first and hand == judged.hands[0, number]:
            judged.gains[1, number] = judged.gains[0, number]
        else:
            judged.gains[1, number] = _gain(choices, number, hand, odds[0, number], trumps, judged.policy)
        better += judged.gains[1, number] - judged.gains[0, number]
    return better


@inlined
def _keep(judged: Judged) -> None:
    for number in range(judged.hands.shape[1]):
        judged.hands[0, number] = judged.hands[1, number]
        judged.gains[0, number] = judged.gains[1, number]


@compiled
def _begin(
    choices: Choices, places: Places, drawn: int, trumps: int, odds: Odds, judged: Judged, stream: Stream
) -> None:
    """Begin with hands of the play model, and ask the policy about them."""
    weigh(choices, places, trumps, 0.0, odds)
    for _ in range(_SWAPS_AT_FIRST):
        swap(choices, places, drawn, trumps, 0.0, odds, stream)
    _judge(choices, places, trumps, odds, judged, True)
    _keep(judged)


@compiled
def _move(
    choices: Choices,
    places: Places,
    drawn: int,
    trumps: int,
    weight: float,
    odds: Odds,
    judged: Judged,
    stream: Stream,
) -> None:
    """Propose some swaps, and keep all of them or none, as the policy says; the weight is how much it counts, 1 in full."""
    for at in range(len(places.cards)):
        judged.cards[0, at] = places.cards[at]
        judged.cards[1, at] = places.bounds[at]
    for number in range(odds.shape[1]):
        judged.odds[0, number] = odds[0, number]
    for _ in range(_SWAPS_BETWEEN):
        swap(choices, places, drawn, trumps, 0.0, odds, stream)
    better = weight * _judge(choices, places, trumps, odds, judged, False)
    if better >= 0 or fraction(splitmix_word(stream)) < math.exp(better):
        _keep(judged)
        return
    for at in range(len(places.cards)):
        places.cards[at] = judged.cards[0, at]
        places.bounds[at] = judged.cards[1, at]
    for number in range(odds.shape[1]):
        odds[0, number] = judged.odds[0, number]


@compiled
def policy_log_odds(
    choices: Choices, places: Places, drawn: int, trumps: int, odds: Odds, judged: Judged, stream: Stream
) -> float:
    """Return the logarithm of how much likelier all choices are if they may be the policy's than by the play model alone."""
    for number in range(len(choices.seen)):
        write_public_part(choices.seen[number], choices.public[number])
    _begin(choices, places, drawn, trumps, odds, judged, stream)
    total = 0.0
    for stage in range(_STAGES):
        weight = (stage + 0.5) / _STAGES
        for _ in range(_JUDGED_TO_MIX):
            _move(choices, places, drawn, trumps, weight, odds, judged, stream)
        for _ in range(_JUDGED_TO_WEIGH):
            _move(choices, places, drawn, trumps, weight, odds, judged, stream)
            for number in range(odds.shape[1]):
                total += judged.gains[0, number]
    return total / (_STAGES * _JUDGED_TO_WEIGH)


@compiled
def draw_hands(
    choices: Choices,
    places: Places,
    drawn: int,
    known: int,
    trumps: int,
    cheap: int,
    odds: Odds,
    judged: Judged,
    asks_policy: bool,
    enemies: NDArray[np.int64],
    models: NDArray[np.int64],
    stream: Stream,
) -> None:
    """Fill in hands that the other player may hold, and how it is assumed to choose with each.

    ``drawn`` is how many cards it has drawn by now, ``known`` those of its hand that are known, ``cheap`` how many of the hands are
    those of a player of its cheapest cards. Cards and odds are worked on in place.
    """
    for number in range(len(choices.seen)):
        write_public_part(choices.seen[number], choices.public[number])
    shown = 0
    for at in range(drawn):
        if places.bounds[at] <= len(places.cards):
            shown |= places.cards[at]
    for number in range(len(enemies)):
        model = CHEAP if number < cheap else FREE
        cheapness = 1.0 if model == CHEAP else 0.0
        is_first = number in (0, cheap)
        if asks_policy and model == FREE:
            if is_first:
                _begin(choices, places, drawn, trumps, odds, judged, stream)
            for _ in range(_JUDGED_AT_FIRST if is_first else 1):
                _move(choices, places, drawn, trumps, 1.0, odds, judged, stream)
        else:
            if is_first:
                weigh(choices, places, trumps, cheapness, odds)
            for _ in range(_SWAPS_AT_FIRST if is_first else _SWAPS_BETWEEN):
                swap(choices, places, drawn, trumps, cheapness, odds, stream)
        union = 0
        for at in range(drawn):
            union |= places.cards[at]
        enemies[number] = known | union & ~shown
        models[number] = model
