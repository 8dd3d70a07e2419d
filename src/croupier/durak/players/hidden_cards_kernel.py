"""Hands that the other player may hold, drawn with the odds that its play so far gives them, as compiled code.

Which cards it has drawn, and when, is a row of places; a Markov chain (Metropolis and Hastings) swaps cards between those places and
the stock, and a swap is judged by how well the hands that follow explain each choice so far. Two ways of choosing are weighed
against each other in the same chain: a player that always plays its cheapest card, and a skilled one, which the play model
describes (:mod:`~croupier.durak.players.play_model_kernel`). Both leave room for surprises, so nothing that is possible is ever
ruled out.
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

_SWAPS_AT_FIRST = 200
_SWAPS_BETWEEN = 8

#: How many hands are drawn before it is asked again how the other player chooses.
_HANDS_A_MODEL = 4


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
def _likelihood(choices: Choices, number: int, drawn: int, trumps: int, model: int) -> float:
    """Return how likely a choice was, had the other player drawn a set of cards by then."""
    hand = drawn & ~choices.shown[number] | choices.held[number]
    position = _hand_position(choices, number, hand, trumps)
    phase, answer = int(choices.phases[number]), int(choices.answers[number])
    if model == CHEAP:
        return 1 - _SLIP if dummy_answer(position, phase) == answer else _SLIP_EACH
    return _free_likelihood(choices, number, position, phase, hand)


@inlined
def _accept(odds: Odds) -> None:
    """Take the odds of the second row for those as the cards lie."""
    for number in range(odds.shape[1]):
        odds[0, number] = odds[1, number]


@compiled
def _swap(
    choices: Choices, places: Places, drawn: int, trumps: int, model: int, odds: Odds, stream: Stream
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
            odds[1, number] = _likelihood(choices, number, union, trumps, model)
            ratio *= odds[1, number] / odds[0, number]
        else:
            odds[1, number] = odds[0, number]
    if ratio < 1.0 and fraction(splitmix_word(stream)) >= ratio:
        cards[low], cards[high] = cards[high], cards[low]
        return
    bounds[low], bounds[high] = bounds[high], bounds[low]
    _accept(odds)


@compiled
def _weigh(choices: Choices, places: Places, trumps: int, model: int, odds: Odds) -> None:
    """Work out how likely each choice was, in the second row of the odds."""
    union, filled = 0, 0
    for number in range(odds.shape[1]):
        while filled < choices.drawn[number]:
            union |= places.cards[filled]
            filled += 1
        odds[1, number] = _likelihood(choices, number, union, trumps, model)


@compiled
def _choose_model(
    choices: Choices, places: Places, trumps: int, trust: float, model: int, odds: Odds, stream: Stream
) -> int:
    """Draw how the other player chooses, with the odds that the places as they stand give to either way."""
    other = FREE if model == CHEAP else CHEAP
    ratio = np.log(trust / (1 - trust)) if other == CHEAP else np.log((1 - trust) / trust)
    _weigh(choices, places, trumps, other, odds)
    for number in range(odds.shape[1]):
        ratio += np.log(odds[1, number] / odds[0, number])
    if fraction(splitmix_word(stream)) * (1 + np.exp(min(-ratio, 700.0))) >= 1:
        return model
    _accept(odds)
    return other


@compiled
def draw_hands(
    choices: Choices,
    places: Places,
    drawn: int,
    known: int,
    trumps: int,
    trust: float,
    odds: Odds,
    enemies: NDArray[np.int64],
    models: NDArray[np.int64],
    stream: Stream,
) -> None:
    """Fill in hands that the other player may hold, and how it is assumed to choose with each.

    ``drawn`` is how many cards it has drawn by now, ``known`` those of its hand that are known, ``trust`` how likely it is
    beforehand that it always plays its cheapest card. Cards and odds are worked on in place.
    """
    for number in range(len(choices.seen)):
        write_public_part(choices.seen[number], choices.public[number])
    model = CHEAP if trust >= 0.5 else FREE
    _weigh(choices, places, trumps, model, odds)
    _accept(odds)
    shown = 0
    for place in range(drawn):
        if places.bounds[place] <= len(places.cards):
            shown |= places.cards[place]
    for number in range(len(enemies)):
        swaps = _SWAPS_BETWEEN if number else _SWAPS_AT_FIRST
        for _ in range(swaps if drawn else 0):
            _swap(choices, places, drawn, trumps, model, odds, stream)
        if 0 < trust < 1 and number % _HANDS_A_MODEL == 0:
            model = _choose_model(choices, places, trumps, trust, model, odds, stream)
        union = 0
        for place in range(drawn):
            union |= places.cards[place]
        enemies[number] = known | union & ~shown
        models[number] = model
