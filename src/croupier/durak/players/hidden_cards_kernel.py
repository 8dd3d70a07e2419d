"""How well hands that the other player may hold explain its play so far, and a chain of such hands, as compiled code.

Which cards it has drawn, and when, is a row of places; a Markov chain (Metropolis and Hastings) swaps cards between those places and
the stock, and a swap is judged by how well the hands that follow explain each choice so far. There are two ways of choosing: a player
that always plays its cheapest card, and a skilled one, which the play model describes
(:mod:`~croupier.durak.players.play_model_kernel`). Both leave room for surprises, so nothing that is possible is ever ruled out.

How much better one of them explains the choices than the other, over all hands, is found on the way between the two: the logarithm of
the ratio is the mean, over players of every mixture from one to the other, of what it is for the hands that such a player would have
(thermodynamic integration).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count
from croupier.durak.engine.board_kernels import DEFEND, Position
from croupier.durak.players.move_kernels import playable
from croupier.durak.players.play_model_kernel import Sums, move_probability, write_public_part
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, fraction, splitmix_below, splitmix_word

#: How the other player is assumed to choose: always the cheapest card, or whatever it thinks best.
CHEAP, FREE = range(2)

#: The probability that a player of the cheapest card does something else after all, and of each other answer then.
_SLIP = 0.02
_SLIP_EACH = _SLIP / 8

#: How often a player that chooses freely does something else than the play model expects of a skilled one: any of its moves then.
_WHIM = 0.05

#: The mixtures between two ways of choosing, and for each of them the swaps at first, and the swaps after each of which hands are weighed.
_MIXTURES = 10
_SWAPS_TO_MIX = 100
_WEIGHINGS = 12
_SWAPS_BETWEEN_WEIGHINGS = 4

#: How often hands that explain every choice by the cheapest card are looked for.
_ATTEMPTS = 3


class Choices(NamedTuple):
    """The choices of the other player as columns, in the order in which they were made."""

    phases: NDArray[np.int64]
    tables: NDArray[np.int64]
    open_cards: NDArray[np.int64]
    limits: NDArray[np.int64]
    answers: NDArray[np.int64]
    drawn: NDArray[np.int64]
    held: NDArray[np.int64]
    shown: NDArray[np.int64]
    seen: NDArray[np.int64]  # what the play model sees, but for the hand, one row per choice
    public: Sums  # what it makes of that; filled in here
    work: Sums  # its memory


#: How likely each choice was: as the cards lie, and as they would lie after a swap.
Odds = NDArray[np.float64]


class Places(NamedTuple):
    """The cards that the other player has drawn, in order, then those in the stock; and until where each may move."""

    cards: NDArray[np.int64]
    bounds: NDArray[np.int64]  # a card that was shown lies before this place; other cards anywhere


@inlined
def _hand_position(choices: Choices, number: int, hand: int, trumps: int) -> Position:
    """Return a position in which the other player faces a choice with a hand."""
    phase = choices.phases[number]
    foes = (1 << (choices.limits[number] + 1)) - 1
    return Position(
        hand if phase != DEFEND else foes,
        hand if phase == DEFEND else foes,
        choices.tables[number],
        choices.open_cards[number],
        0,
        36,
        36,
        1,
        trumps,
        36,
    )


@inlined
def _free_likelihood(choices: Choices, number: int, position: Position, phase: int, hand: int) -> float:
    """Return how likely a player that chooses freely makes a choice."""
    answer = int(choices.answers[number])
    probability = move_probability(position, phase, hand, answer, choices.public[number], choices.work)
    return (1 - _WHIM) * probability + _WHIM / (count(playable(position, phase)) + 1)


@inlined
def _likelihood(choices: Choices, number: int, drawn: int, trumps: int, cheapness: float) -> float:
    """Return how likely a choice was, had the other player drawn a set of cards by then.

    ``cheapness`` is 1 for a player of the cheapest cards and 0 for a skilled one; between them, the product of both odds to these powers.
    """
    hand = drawn & ~choices.shown[number] | choices.held[number]
    position = _hand_position(choices, number, hand, trumps)
    phase, answer = int(choices.phases[number]), int(choices.answers[number])
    odds = 1.0
    if cheapness > 0:
        odds = 1 - _SLIP if dummy_answer(position, phase) == answer else _SLIP_EACH
        odds = odds if cheapness == 1 else odds**cheapness
    if cheapness < 1:
        free = _free_likelihood(choices, number, position, phase, hand)
        odds *= free if cheapness == 0 else free ** (1 - cheapness)
    return odds


@inlined
def _accept(odds: Odds) -> None:
    """Take the odds of the second row for those as the cards lie."""
    for number in range(odds.shape[1]):
        odds[0, number] = odds[1, number]


@compiled
def swap(
    choices: Choices, places: Places, drawn: int, trumps: int, cheapness: float, odds: Odds, stream: Stream
) -> None:
    """Try to swap two cards; a swap that explains the choices worse is kept less often."""
    cards, bounds = places
    one, other = splitmix_below(stream, drawn), splitmix_below(stream, len(cards))
    low, high = min(one, other), max(one, other)
    if high >= bounds[low]:
        return
    cards[low], cards[high] = cards[high], cards[low]
    ratio, union, filled = 1.0, 0, 0
    for number in range(odds.shape[1]):
        until = int(choices.drawn[number])
        if low < until <= high:
            while filled < until:
                union |= cards[filled]
                filled += 1
            odds[1, number] = _likelihood(choices, number, union, trumps, cheapness)
            ratio *= odds[1, number] / odds[0, number]
        else:
            odds[1, number] = odds[0, number]
    if ratio < 1.0 and fraction(splitmix_word(stream)) >= ratio:
        cards[low], cards[high] = cards[high], cards[low]
        return
    bounds[low], bounds[high] = bounds[high], bounds[low]
    _accept(odds)


@compiled
def weigh(choices: Choices, places: Places, trumps: int, cheapness: float, odds: Odds) -> None:
    """Work out how likely each choice was."""
    union, filled = 0, 0
    for number in range(odds.shape[1]):
        while filled < choices.drawn[number]:
            union |= places.cards[filled]
            filled += 1
        odds[0, number] = _likelihood(choices, number, union, trumps, cheapness)


@compiled
def _log_odds(choices: Choices, places: Places, trumps: int, cheapness: float, odds: Odds) -> float:
    """Return the logarithm of how likely all choices were, which stays in the first row of the odds."""
    weigh(choices, places, trumps, cheapness, odds)
    total = 0.0
    for number in range(odds.shape[1]):
        total += np.log(odds[0, number])
    return total


@inlined
def _cheapness(step: float) -> float:
    """Return what the mixture of a step is. They are closer to each other near the skilled player: hands change most there."""
    return (step / _MIXTURES) ** 2


@compiled
def _mix(
    choices: Choices, places: Places, drawn: int, trumps: int, step: int, odds: Odds, stream: Stream
) -> None:
    """Swap cards until the hands are those of a mixture."""
    cheapness = _cheapness(step - 0.5)
    weigh(choices, places, trumps, cheapness, odds)
    for _ in range(_SWAPS_TO_MIX):
        swap(choices, places, drawn, trumps, cheapness, odds, stream)


@compiled
def _find_cheap_hands(
    choices: Choices, places: Places, drawn: int, trumps: int, odds: Odds, stream: Stream
) -> None:
    """Look for cards with which every choice was the cheapest card: from those at hand, then on the way from a skilled player."""
    _mix(choices, places, drawn, trumps, _MIXTURES, odds, stream)
    for _ in range(_ATTEMPTS):
        if _log_odds(choices, places, trumps, 1.0, odds) > np.log(_SLIP_EACH):
            return
        for step in range(1, _MIXTURES + 1):
            _mix(choices, places, drawn, trumps, step, odds, stream)


@compiled
def cheap_log_odds(
    choices: Choices,
    places: Places,
    drawn: int,
    trumps: int,
    found: NDArray[np.int64],
    odds: Odds,
    stream: Stream,
) -> float:
    """Return the logarithm of how much likelier all choices are for a player of the cheapest cards than for a skilled one.

    The cards that the former may have drawn, and those behind them, are written down as ``found``.
    """
    for number in range(len(choices.seen)):
        write_public_part(choices.seen[number], choices.public[number])
    _find_cheap_hands(choices, places, drawn, trumps, odds, stream)
    found[:] = places.cards
    total = 0.0
    for step in range(_MIXTURES, 0, -1):
        _mix(choices, places, drawn, trumps, step, odds, stream)
        cheapness, mean = _cheapness(step - 0.5), 0.0
        for _ in range(_WEIGHINGS):
            weigh(choices, places, trumps, cheapness, odds)
            for _ in range(_SWAPS_BETWEEN_WEIGHINGS):
                swap(choices, places, drawn, trumps, cheapness, odds, stream)
            cheap = _log_odds(choices, places, trumps, 1.0, odds)
            mean += (cheap - _log_odds(choices, places, trumps, 0.0, odds)) / _WEIGHINGS
        total += (_cheapness(step) - _cheapness(step - 1)) * mean
    return total
