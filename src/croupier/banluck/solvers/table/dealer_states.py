"""The dealer's side of a table of two: the hands, the states of knowledge, and the passes over them.

While both players are closed, the dealer knows the own hand and two card counts. Once a player's cards are known, because they
were opened or are bust, the other one's count and the known cards matter, and nothing else does: not when they became
known, and not in which order the dealer's own cards came. All values are in the players' units; the dealer wants them low.
"""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import (
    dealer_permission,
    may_be_opened,
    may_surrender,
    must_be_opened,
)
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Flags, Floats, Integers, deals, hand_table
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS, FORCED
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.seat_hands import pass_on
from croupier.banluck.solvers.table.sums import Places
from croupier.numerics.compiled import compiled, inlined

COUNTS = len(PLAYER_CARD_COUNTS)


class ClosedAction(IntEnum):
    """What a dealer can do at a total of choice while both players are closed."""

    STOP = 0
    DRAW = 1
    OPEN_FIRST = 2
    OPEN_SECOND = 3


class DealerHands(NamedTuple):
    """The dealer's hands that can come up, hands of fewer cards first.

    Attributes
    ----------
    hands
        The multisets.
    child
        The place of the hand after one more card of a class, or -1.
    by_total
        Whether a hand ends, must draw or is a choice, by its total alone.
    kinds
        The same by the card count of the one player who is still closed: a player who must be opened leaves no choice.
    choices
        The places of the hands of choice.
    choice_of
        The number of each hand among them, or -1.
    codes
        The settlement code of a hand that can be settled, else -1.
    dealt
        In how many orders a two-card hand comes; 0 for larger hands.
    may_void
        Which hands may be surrendered.
    allowed
        Which :class:`ClosedAction` is open against two closed players, by their card counts.
    merged
        Whether the dealer must not look at card counts.
    """

    hands: Integers
    child: Integers
    by_total: Integers
    kinds: Integers
    choices: Integers
    choice_of: Integers
    codes: Integers
    dealt: Floats
    may_void: Flags
    allowed: Flags
    merged: bool

    @property
    def two_cards(self) -> int:
        """How many hands hold two cards; they come first."""
        return int(np.count_nonzero(self.dealt))


@lru_cache(maxsize=8)
def dealer_hands(rules: BanluckRules) -> DealerHands:
    """Sort the multisets by what a dealer can do with them.

    >>> hands = dealer_hands(BanluckRules())
    >>> len(hands.choices), bool(hands.allowed[0, 1, ClosedAction.OPEN_SECOND])
    (112, True)
    """
    table = hand_table(rules)
    by_total = np.array([dealer_permission(value, rules) for value in table.values], dtype=np.int64)
    reached = np.zeros(len(MULTISETS), dtype=np.bool_)
    reached[:TWO_CARD_HANDS] = ~table.is_ban[:TWO_CARD_HANDS]
    for hand in range(len(MULTISETS)):
        if reached[hand] and by_total[hand] != ENDS:
            after = deals().child[hand]
            reached[after[after >= 0]] = True
    hands = np.flatnonzero(reached)
    place = np.full(len(MULTISETS) + 1, -1)
    place[hands] = np.arange(len(hands))
    choices = np.flatnonzero(by_total[hands] == CHOICE)
    choice_of = np.full(len(hands), -1)
    choice_of[choices] = np.arange(len(choices))
    dealt = np.zeros(len(hands))
    is_dealt = hands < TWO_CARD_HANDS
    dealt[is_dealt] = deals().orders[hands[is_dealt]]
    return DealerHands(
        hands,
        place[deals().child[hands]],
        by_total[hands],
        np.ascontiguousarray(table.dealer[hands]),
        choices,
        choice_of,
        np.where(by_total[hands] == FORCED, -1, table.code[hands]),
        dealt,
        np.array([may_surrender(MULTISETS[hand], rules) for hand in hands]),
        _allowed(rules),
        rules.reveal == "none",
    )


def _allowed(rules: BanluckRules) -> Flags:
    """Tabulate the actions at a total of choice.

    A dealer who may open somebody need not stand: to open everybody settles at the same total, and tells more on the way.
    """
    allowed = np.zeros((COUNTS, COUNTS, len(ClosedAction)), dtype=np.bool_)
    for first, first_cards in enumerate(PLAYER_CARD_COUNTS):
        for second, second_cards in enumerate(PLAYER_CARD_COUNTS):
            actions = allowed[first, second]
            opened = [may_be_opened(first_cards, rules), may_be_opened(second_cards, rules)]
            forced = [must_be_opened(first_cards, rules), must_be_opened(second_cards, rules)]
            actions[ClosedAction.OPEN_FIRST : ClosedAction.OPEN_SECOND + 1] = (
                forced if any(forced) else opened
            )
            actions[ClosedAction.DRAW] = not any(forced)
            actions[ClosedAction.STOP] = not any(opened)
    return allowed


@compiled
def known_values(
    settled: Floats,
    pair_of: Places,
    dealer: DealerHands,
    known_mass: Floats,
    policy: Floats,
    is_best: bool,
    value: Floats,
) -> None:
    """Value the dealer's states in which one player's cards are known.

    Parameters
    ----------
    settled
        What the closed player wins if settled now, by pair and card count.
    known_mass
        The mass of each known hand, by the closed player's card count; states of no mass are left alone.
    policy
        How often the dealer draws, by known hand, choice and card count. Written if ``is_best``.
    value
        Added to: the value of each of the dealer's hands, over all known hands, by card count.
    """
    hands = len(dealer.hands)
    worth = np.empty((hands, COUNTS))
    stop, draw = np.empty(COUNTS), np.empty(COUNTS)
    for known in range(len(pair_of)):
        mass = known_mass[known]
        if mass.max() <= 0.0:
            continue
        for hand in range(hands - 1, -1, -1):
            pair = pair_of[known, hand]
            kind = dealer.by_total[hand]
            for count in range(COUNTS):
                stop[count] = settled[pair, count] if pair >= 0 else 0.0
                draw[count] = 0.0
            if kind != ENDS:
                for after in dealer.child[hand]:
                    if after >= 0:
                        for count in range(COUNTS):
                            draw[count] += worth[after, count]
            if kind == CHOICE:
                chosen = policy[known, dealer.choice_of[hand]]
                _choose_draws(worth[hand], stop, draw, mass, dealer, hand, is_best, chosen)
            else:
                worth[hand] = stop if kind == ENDS else draw
            for count in range(COUNTS):
                value[hand, count] += mass[count] * worth[hand, count]


@compiled
def add_over_known(total: Floats, settled: Floats, pair_of: Places, known_mass: Floats) -> None:
    """Add up what the closed player wins if settled now, over all known hands: by the dealer's hand and card count."""
    for known in range(len(pair_of)):
        for hand in range(pair_of.shape[1]):
            pair = pair_of[known, hand]
            if pair >= 0:
                for count in range(COUNTS):
                    total[hand, count] += known_mass[known, count] * settled[pair, count]


@inlined
def _choose_draws(
    worth: Floats,
    stop: Floats,
    draw: Floats,
    mass: Floats,
    dealer: DealerHands,
    hand: int,
    is_best: bool,
    policy: Floats,
) -> None:
    """Choose whether to draw at a hand of choice, and value it, by the closed player's card count."""
    together = 0.0
    for count in range(COUNTS):
        together += (draw[count] - stop[count]) * mass[count]
    for count in range(COUNTS):
        worth[count] = stop[count]
        if dealer.kinds[hand, count] == CHOICE:
            gap = draw[count] - stop[count]
            if is_best and (dealer.merged or mass[count] > 0.0):
                policy[count] = 1.0 if (together if dealer.merged else gap) < 0.0 else 0.0
            worth[count] += policy[count] * gap


@inlined
def pass_known(reach: Floats, stopped: Floats, hand: int, dealer: DealerHands, draw: Floats) -> bool:
    """Pass the dealer's masses at a hand on to the hands after a card, once one player's cards are known.

    Masses are by the closed player's card count. What stops at the hand is written to ``stopped``; whether
    there was any mass is returned.
    """
    is_here = False
    for count in range(COUNTS):
        stopped[count] = 0.0
        is_here = is_here or reach[hand, count] != 0.0
    if not is_here:
        return False
    kind = dealer.by_total[hand]
    goes_on = False
    for count in range(COUNTS):
        mass = reach[hand, count]
        go = 1.0 if kind == FORCED else 0.0
        if kind == CHOICE and dealer.kinds[hand, count] == CHOICE:
            go = draw[dealer.choice_of[hand], count]
        stopped[count] = mass * (1.0 - go)
        reach[hand, count] = mass * go
        goes_on = goes_on or reach[hand, count] > 0.0
    if goes_on:
        for after in dealer.child[hand]:
            if after >= 0:
                for count in range(COUNTS):
                    reach[after, count] += reach[hand, count]
    return True


@compiled
def known_settlements(
    masses: Floats,
    entry: Floats,
    pair_of: Places,
    dealer: DealerHands,
    known_mass: Floats,
    policy: Floats,
) -> None:
    """Add up with which mass the closed player is settled, by pair and card count.

    ``entry`` is the mass with which the dealer comes to know the cards at each hand, by the closed player's card count.
    """
    hands = len(dealer.hands)
    reach, stopped = np.empty((hands, COUNTS)), np.empty(COUNTS)
    for known in range(len(pair_of)):
        mass = known_mass[known]
        if mass.max() <= 0.0:
            continue
        reach[:] = entry
        for hand in range(hands):
            pair = pair_of[known, hand]
            if pass_known(reach, stopped, hand, dealer, policy[known]) and pair >= 0:
                for count in range(COUNTS):
                    masses[pair, count] += mass[count] * stopped[count]


@compiled
def closed_values(
    stop: Floats,
    after: Floats,
    dealer: DealerHands,
    policy: Floats,
    is_best: bool,
    value: Floats,
    action_value: Floats,
) -> None:
    """Value the dealer's states in which both players are closed, by their card counts.

    Parameters
    ----------
    stop
        What each player wins if settled now.
    after
        What the other player wins once the first, or the second, is opened.
    policy
        Probabilities of :class:`ClosedAction`, by choice and card counts. Written if ``is_best``.
    value, action_value
        Filled: the value of each hand, and of each action at a hand of choice.
    """
    hands, counts = len(dealer.by_total), stop.shape[2]
    for hand in range(hands - 1, -1, -1):
        choice = dealer.choice_of[hand]
        totals = np.zeros(policy.shape[3])
        for first in range(counts):
            for second in range(counts):
                draw = 0.0
                if dealer.by_total[hand] != ENDS:
                    for drawn in dealer.child[hand]:
                        if drawn >= 0:
                            draw += value[drawn, first, second]
                settled = stop[0, hand, first, second] + stop[1, hand, first, second]
                if dealer.by_total[hand] != CHOICE:
                    value[hand, first, second] = settled if dealer.by_total[hand] == ENDS else draw
                    continue
                worth = action_value[choice, first, second]
                worth[0] = settled
                worth[1] = draw
                worth[2] = stop[0, hand, first, second] + after[0, hand, first, second]
                worth[3] = stop[1, hand, first, second] + after[1, hand, first, second]
                totals += worth
        if dealer.by_total[hand] != CHOICE:
            continue
        for first in range(counts):
            for second in range(counts):
                worth = action_value[choice, first, second]
                if is_best:
                    _choose(
                        policy[choice, first, second],
                        totals if dealer.merged else worth,
                        dealer.allowed[first, second],
                    )
                value[hand, first, second] = (policy[choice, first, second] * worth).sum()


@inlined
def _choose(policy: Floats, worth: Floats, allowed: Flags) -> None:
    """Choose the allowed action that is worth the least to the players."""
    best = -1
    for action in range(len(policy)):
        policy[action] = 0.0
        if allowed[action] and (best < 0 or worth[action] < worth[best]):
            best = action
    policy[best] = 1.0


@compiled
def closed_settlements(
    start: Floats,
    dealer: DealerHands,
    policy: Floats,
    settled: Floats,
    opened: Floats,
) -> None:
    """Follow the dealer's masses while both players are closed: where each is settled, and where each is opened."""
    hands, counts = len(dealer.by_total), policy.shape[1]
    reach = np.empty(hands)
    for first in range(counts):
        for second in range(counts):
            reach[:] = start
            for hand in range(hands):
                mass = reach[hand]
                if mass == 0.0:
                    continue
                draw = mass if dealer.by_total[hand] == FORCED else 0.0
                if dealer.by_total[hand] == ENDS:
                    settled[0, hand, first, second] = mass
                    settled[1, hand, first, second] = mass
                elif dealer.by_total[hand] == CHOICE:
                    chosen = policy[dealer.choice_of[hand], first, second]
                    draw = mass * chosen[1]
                    opened[0, hand, first, second] = mass * chosen[2]
                    opened[1, hand, first, second] = mass * chosen[3]
                    settled[0, hand, first, second] = mass * (chosen[0] + chosen[2])
                    settled[1, hand, first, second] = mass * (chosen[0] + chosen[3])
                if draw > 0.0:
                    pass_on(reach, dealer.child[hand], draw)
