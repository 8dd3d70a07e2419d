"""What a dealer knows of closed hands: how many of each card count there are, and which were opened.

A *situation* is what stands when the dealer's turn begins: how many closed hands hold two, three, four and five cards. A *state* is a
situation of which some hands have been opened. Opened cards are not remembered, so what is still closed is distributed
alike however the dealer came to a state. Hands of the same card count are opened in the order of their seats.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.permissions import may_be_opened, must_be_opened
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Integers
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS

KINDS = len(PLAYER_CARD_COUNTS)

#: Actions of a dealer at a total of choice; ``OPEN + k`` opens a hand of kind k.
STOP, DRAW, OPEN = 0, 1, 2
ACTIONS = OPEN + KINDS


class Situations(NamedTuple):
    """All situations and states of one number of players, in the form that compiled code reads.

    Attributes
    ----------
    players
        How many players are seated.
    kind_of
        The kind of a closed hand by its card count less 2. Under ``reveal = "none"`` there is one kind: the dealer must not look.
    can_open
        Whether the dealer may open hands of a kind.
    number
        The situation of a key (:func:`situation_key`), or -1.
    shown_counts
        Whether the number of Ban hands shown is part of a situation; it is where the surrender comes after them.
    shown, hands, never_opened
        By situation: Ban hands shown, closed hands, and how many of these the dealer may never open.
    first_state
        Situation s owns the states ``first_state[s]:first_state[s + 1]``. More is closed in later ones; in the last, everything is.
    after, place
        By state and kind: the state after one more hand of a kind is opened (-1 if none can be), and that hand's place among the closed
        hands of the situation, which are sorted by kind and then by seat.
    closed
        How many hands of each kind a state holds closed.
    allowed
        Which actions a state allows. A dealer who may open somebody need not stop: opening everybody settles at the same total.
    """

    players: int
    kind_of: Integers
    can_open: Flags
    number: Integers
    shown_counts: bool
    shown: Integers
    hands: Integers
    never_opened: Integers
    first_state: Integers
    after: Integers
    place: Integers
    closed: Integers
    allowed: Flags


@lru_cache(maxsize=16)
def situations(rules: BanluckRules, players: int) -> Situations:
    """Count up the situations and states of a table.

    >>> found = situations(BanluckRules(), 4)
    >>> len(found.hands), len(found.after)
    (70, 330)
    """
    radix = players + 1
    is_blind = rules.reveal == "none"
    kind_of = np.zeros(KINDS, dtype=np.int64) if is_blind else np.arange(KINDS)
    shown_counts = rules.surrender == "after_specials"
    number = np.full(radix ** (KINDS + 1), -1)
    rows: list[tuple[int, tuple[int, ...]]] = []
    for shown in range(radix if shown_counts else 1):
        for counts in product(range(radix), repeat=KINDS):
            if sum(counts) + shown > players or (is_blind and any(counts[1:])):
                continue
            number[_key(shown, counts, radix)] = len(rows)
            rows.append((shown, counts))
    can_open = [may_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]
    must_open = [must_be_opened(count, rules) for count in PLAYER_CARD_COUNTS]
    first_state = [0]
    after: list[list[int]] = []
    place: list[list[int]] = []
    closed_rows: list[tuple[int, ...]] = []
    for _, counts in rows:
        ranges = [
            range(held + 1) if can_open[kind] else range(held, held + 1) for kind, held in enumerate(counts)
        ]
        states = sorted(product(*ranges), key=sum)
        index = {state: first_state[-1] + position for position, state in enumerate(states)}
        offsets = np.concatenate(([0], np.cumsum(counts)))
        for state in states:
            opened = [
                tuple(held - (kind == other) for other, held in enumerate(state)) for kind in range(KINDS)
            ]
            after.append([index.get(below, -1) for below in opened])
            place.append([int(offsets[kind]) + counts[kind] - state[kind] for kind in range(KINDS)])
            closed_rows.append(state)
        first_state.append(first_state[-1] + len(states))
    leads = np.array(after)
    return Situations(
        players,
        kind_of,
        np.array(can_open),
        number,
        shown_counts,
        np.array([shown for shown, _ in rows]),
        np.array([sum(counts) for _, counts in rows]),
        np.array([sum(held for kind, held in enumerate(counts) if not can_open[kind]) for _, counts in rows]),
        np.array(first_state),
        leads,
        np.array(place),
        np.array(closed_rows),
        _allowed(leads, any(must_open)),
    )


def _allowed(after: Integers, is_mandatory: bool) -> Flags:
    """Tell which actions each state allows."""
    opens = after >= 0
    any_open = opens.any(axis=1)
    allowed = np.zeros((len(after), ACTIONS), dtype=np.bool_)
    allowed[:, STOP] = ~any_open
    allowed[:, DRAW] = ~any_open | (not is_mandatory)
    allowed[:, OPEN:] = opens
    if is_mandatory:  # all of them are opened, so the order does not matter
        first = opens.argmax(axis=1)
        allowed[:, OPEN:] &= np.arange(KINDS) == first[:, None]
    return allowed


def situation_key(found: Situations, shown: int, counts: tuple[int, ...]) -> int:
    """Return the place of a situation in ``number``."""
    return _key(shown if found.shown_counts else 0, counts, found.players + 1)


def _key(shown: int, counts: tuple[int, ...], radix: int) -> int:
    key = shown
    for held in counts:
        key = key * radix + held
    return key
