"""A card counter as a plain loop: six decks, the dealer stands on soft 17, double after split, late surrender or none.

It is written from the rules of the game and shares nothing with the kernels of croupier, so what it wins is a second method. What other
simulators do differently are switches.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.numerics.compiled import compiled

Integers = NDArray[np.int64]

HIT, STAND, DOUBLE, DOUBLE_OR_STAND, SPLIT, SURRENDER = range(6)
CARDS = 312
ACE = 11

#: Where a shoe stands: the next card, and the running count.
POSITION, RUNNING = 0, 1


class Habits(NamedTuple):
    """What a counter does; another simulator may leave any of it out."""

    sees_all_cards: bool = True  # the dealer's closed card too when the player has a natural
    exact_count: bool = (
        True  # the closed card is not yet seen, and insurance goes by the count after the deal
    )
    long_hands: bool = (
        True  # index plays with hands of more than two cards, and only below an index that says to hit
    )
    splits_tens: bool = True
    surrenders_by_count: bool = True  # the Fab 4


def _rows(texts: dict[int, str]) -> Integers:
    table = np.zeros((22, 10), dtype=np.int64)
    for total, text in texts.items():
        table[total] = ["HSDVP".index(letter) for letter in text]
    return table


_HARD = _rows(
    dict.fromkeys(range(4, 9), "HHHHHHHHHH")
    | {9: "HDDDDHHHHH", 10: "DDDDDDDDHH", 11: "DDDDDDDDDH", 12: "HHSSSHHHHH"}
    | dict.fromkeys(range(13, 17), "SSSSSHHHHH")
    | dict.fromkeys(range(17, 22), "SSSSSSSSSS")
)
_SOFT = _rows(
    {12: "HHHHHHHHHH", 13: "HHHDDHHHHH", 14: "HHHDDHHHHH", 15: "HHDDDHHHHH", 16: "HHDDDHHHHH"}
    | {17: "HDDDDHHHHH", 18: "SVVVVSSHHH", 19: "SSSSSSSSSS", 20: "SSSSSSSSSS", 21: "SSSSSSSSSS"}
)
_PAIRS = _rows(
    {2: "PPPPPPHHHH", 3: "PPPPPPHHHH", 4: "HHHPPHHHHH", 5: "DDDDDDDDHH", 6: "PPPPPHHHHH", 7: "PPPPPPHHHH"}
    | {8: "PPPPPPPPPP", 9: "PPPPPSPPSS", 10: "SSSSSSSSSS", 11: "PPPPPPPPPP"}
)

#: The Illustrious 18 without insurance and tens: total, up-card, what to do, from which count on (1) or below which (0).
_INDICES = np.array(
    [
        (16, 10, STAND, 0, 1), (15, 10, STAND, 4, 1), (12, 3, STAND, 2, 1), (12, 2, STAND, 3, 1), (11, ACE, DOUBLE, 1, 1),
        (9, 2, DOUBLE, 1, 1), (10, 10, DOUBLE, 4, 1), (10, ACE, DOUBLE, 4, 1), (9, 7, DOUBLE, 3, 1), (16, 9, STAND, 5, 1),
        (13, 2, HIT, -1, 0), (12, 4, HIT, 0, 0), (12, 5, HIT, -2, 0), (12, 6, HIT, -1, 0), (13, 3, HIT, -2, 0),
    ]
)  # fmt: skip


@compiled
def _tag(points: int) -> int:
    if points <= 6:
        return 1
    return -1 if points >= 10 else 0


@compiled
def _add(total: int, is_soft: bool, points: int) -> tuple[int, bool]:
    if points == ACE:
        return (total + ACE, True) if total + ACE <= 21 else (total + 1, is_soft)
    total += points
    return (total - 10, False) if total > 21 and is_soft else (total, is_soft)


@compiled
def _draw(shoe: Integers, state: Integers) -> int:
    card = shoe[state[POSITION]]
    state[POSITION] += 1
    state[RUNNING] += _tag(card)
    return int(card)


@compiled
def _true_count(state: Integers, closed: int) -> float:
    return float(52.0 * state[RUNNING] / (CARDS - state[POSITION] + closed))


@compiled
def _gives_up(total: int, up: int, count: float, by_count: bool) -> bool:
    if by_count and total == 15 and up in (9, 10, ACE):
        return bool(count >= (0 if up == 10 else 2))
    if by_count and total == 14 and up == 10:
        return bool(count >= 3)
    return (total == 15 and up == 10) or (total == 16 and up >= 9)


@compiled
def _decide(
    total: int, is_soft: bool, cards: int, pair: int, up: int, count: float, may_give_up: bool, habits: Habits
) -> int:
    """Choose an action; ``pair`` is the rank of a pair that may be split, else 0."""
    column = 9 if up == ACE else up - 2
    if may_give_up and not is_soft and pair != 8 and _gives_up(total, up, count, habits.surrenders_by_count):
        return SURRENDER
    if pair == 0 and not is_soft and (cards == 2 or habits.long_hands):
        for row in range(len(_INDICES)):
            if _INDICES[row, 0] == total and _INDICES[row, 1] == up:
                index = _INDICES[row, 3]
                if count >= index if _INDICES[row, 4] else count < index:
                    return int(_INDICES[row, 2])
                if not habits.long_hands and _INDICES[row, 4] == 0 and count == index:
                    return HIT
    if pair == 10 and habits.splits_tens and ((up == 5 and count >= 5) or (up == 6 and count >= 4)):
        return SPLIT
    if pair > 0:
        return int(_PAIRS[pair, column])
    return int(_SOFT[total, column] if is_soft else _HARD[total, column])


@compiled
def _play_hands(
    shoe: Integers,
    state: Integers,
    first: int,
    second: int,
    up: int,
    is_late: bool,
    habits: Habits,
    ends: Integers,
) -> int:
    """Play a hand and what comes of its splits; write each total and bet to ``ends`` (a bet of 0 is given up), and return how many."""
    closed = 1 if habits.exact_count else 0
    starts = np.zeros((4, 2), dtype=np.int64)
    starts[0, 0], starts[0, 1] = first, second
    hands, hand = 1, 0
    while hand < hands:
        if starts[hand, 1] == 0:
            starts[hand, 1] = _draw(shoe, state)
        total, is_soft = _add(0, False, starts[hand, 0])
        total, is_soft = _add(total, is_soft, starts[hand, 1])
        cards, bet, is_open = 2, 1, not (hands > 1 and starts[hand, 0] == ACE)
        while is_open and total <= 21:
            is_pair = cards == 2 and starts[hand, 0] == starts[hand, 1] and hands < 4
            may_give_up = is_late and cards == 2 and hands == 1
            count = _true_count(state, closed)
            pair = starts[hand, 0] if is_pair else 0
            action = _decide(total, is_soft, cards, pair, up, count, may_give_up, habits)
            if action == SPLIT:
                starts[hands, 0], starts[hands, 1] = starts[hand, 1], 0
                hands += 1
                starts[hand, 1] = _draw(shoe, state)
                total, is_soft = _add(0, False, starts[hand, 0])
                total, is_soft = _add(total, is_soft, starts[hand, 1])
                is_open = starts[hand, 0] != ACE
                continue
            if cards > 2 and action in (DOUBLE, DOUBLE_OR_STAND):
                action = HIT if action == DOUBLE else STAND
            if action == SURRENDER:
                bet = 0
            if action not in (STAND, SURRENDER):
                total, is_soft = _add(total, is_soft, _draw(shoe, state))
                cards += 1
            if action in (DOUBLE, DOUBLE_OR_STAND):
                bet = 2
            is_open = action == HIT
        ends[hand, 0], ends[hand, 1] = total, bet
        hand += 1
    return hands


@compiled
def _settle(shoe: Integers, state: Integers, up: int, closed: int, hands: int, ends: Integers) -> float:
    """Play the dealer if anybody is left, and return what the hands win together, in bets."""
    state[RUNNING] += _tag(closed)
    dealer, is_soft = _add(0, False, up)
    dealer, is_soft = _add(dealer, is_soft, closed)
    is_needed = False
    for hand in range(hands):
        is_needed = is_needed or (ends[hand, 1] > 0 and ends[hand, 0] <= 21)
    while is_needed and dealer < 17:
        dealer, is_soft = _add(dealer, is_soft, _draw(shoe, state))
    won = 0.0
    for hand in range(hands):
        total, bet = ends[hand]
        if bet == 0:
            won -= 0.5
        elif total > 21 or (dealer <= 21 and total < dealer):
            won -= bet
        elif dealer > 21 or total > dealer:
            won += bet
    return won


@compiled
def _play_round(shoe: Integers, state: Integers, is_late: bool, habits: Habits, ends: Integers) -> float:
    """Deal a round and return what one unit wins."""
    before = _true_count(state, 0)
    first, up, second = _draw(shoe, state), _draw(shoe, state), _draw(shoe, state)
    closed = shoe[state[POSITION]]
    state[POSITION] += 1
    count = _true_count(state, 1) if habits.exact_count else before
    is_insured = up == ACE and count >= 3.0
    if up + closed == 21:
        state[RUNNING] += _tag(closed)
        return (0.0 if first + second == 21 else -1.0) + (1.0 if is_insured else 0.0)
    won = -0.5 if is_insured else 0.0
    if first + second == 21:
        state[RUNNING] += _tag(closed) if habits.sees_all_cards else 0
        return won + 1.5
    hands = _play_hands(shoe, state, first, second, up, is_late, habits, ends)
    return won + _settle(shoe, state, up, closed, hands, ends)


@compiled
def _play(
    rounds: int, seed: int, cut: int, is_late: bool, lowest: int, bets: NDArray[np.float64], habits: Habits
) -> tuple[float, float]:
    np.random.seed(seed)
    shoe = np.empty(CARDS, dtype=np.int64)
    for place in range(CARDS):
        rank = place % 13
        shoe[place] = rank + 2 if rank < 9 else (10 if rank < 12 else ACE)
    state, ends = np.array([CARDS, 0]), np.zeros((4, 2), dtype=np.int64)
    total = squares = 0.0
    for _ in range(rounds):
        if state[POSITION] >= cut:
            np.random.shuffle(shoe)
            state[:] = 0
        count = math.floor(_true_count(state, 0))
        bet = bets[min(max(count - lowest + 1, 0), len(bets) - 1)]
        won = bet * _play_round(shoe, state, is_late, habits, ends)
        total += won
        squares += won * won
    mean = total / rounds
    return mean, math.sqrt(squares / rounds - mean * mean)


def play_counter(
    ramp: str, *, is_late: bool, penetration: float, rounds: int, seed: int, habits: Habits
) -> tuple[float, float]:
    """Return what a round wins on average with bets by count such as ``-2:0,-1:1,2:4``, and its standard deviation."""
    steps = [(int(count), float(bet)) for count, bet in (step.split(":") for step in ramp.split(","))]
    lowest, highest = steps[0][0], steps[-1][0]
    bets = [next(bet for count, bet in reversed(steps) if count <= at) for at in range(lowest, highest + 1)]
    cut = round(CARDS * penetration)
    return _play(rounds, seed, cut, is_late, lowest, np.array([bets[0], *bets]), habits)
