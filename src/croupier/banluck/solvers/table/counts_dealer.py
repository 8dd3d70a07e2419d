"""The dealer who knows card counts: values, best replies and reaches over all states, from the sums of a sample.

All values are in the players' units; the dealer wants them low.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Flags, Floats, Integers
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS
from croupier.banluck.solvers.table.dealer_sample import DealerSample
from croupier.banluck.solvers.table.dealer_states import dealer_hands
from croupier.banluck.solvers.table.situations import ACTIONS, DRAW, KINDS, OPEN, STOP, Situations, situations
from croupier.numerics.compiled import compiled, inlined


class DealerTree(NamedTuple):
    """The dealer's hands in the form that compiled code reads."""

    child: Integers
    by_total: Integers
    choice_of: Integers


@dataclass(slots=True)
class CountsPolicy:
    """How a dealer plays who knows card counts.

    Attributes
    ----------
    closed
        Probabilities of the actions of :mod:`~croupier.banluck.solvers.table.situations`, by state and hand of choice.
    surrender
        How often the hand is voided, by the dealer's hand and the number of Ban hands shown (column 0 where that is not known).
    """

    closed: Floats
    surrender: Floats


class CountsDealer:
    """The dealer's side of one table."""

    def __init__(self, rules: BanluckRules, players: int) -> None:
        self.rules = rules
        self.situations = situations(rules, players)
        hands = dealer_hands(rules)
        self.hands = hands
        self.tree = DealerTree(hands.child, hands.by_total, hands.choice_of)
        self.policy_shape = (len(self.situations.after), len(hands.choices), ACTIONS)
        self.columns = players + 1 if rules.surrender == "after_specials" else 1

    def first_policy(self) -> CountsPolicy:
        """Return a dealer who stops, or opens everybody, at every choice and never surrenders."""
        closed = np.zeros(self.policy_shape)
        last_allowed = ACTIONS - 1 - self.situations.allowed[:, ::-1].argmax(axis=1)
        stops = np.where(self.situations.allowed[:, STOP], STOP, last_allowed)
        closed[np.arange(len(stops)), :, stops] = 1.0
        return CountsPolicy(closed, np.zeros((len(self.hands.hands), self.columns)))

    def best_reply(self, sample: DealerSample) -> CountsPolicy:
        """Return the best reply to the deals of a sample."""
        policy = self.first_policy()
        units = self._root_units(sample, policy, is_best=True)
        policy.surrender[:] = self.hands.may_void[:, None] & (units > 0.0)
        return policy

    def value(self, sample: DealerSample, policy: CountsPolicy) -> float:
        """Return what the players earn together from a dealer without a Ban hand, as mean over the deals of a sample."""
        units = self._root_units(sample, policy, is_best=False)
        return float(np.sum(units * (1.0 - policy.surrender))) / sample.deals

    def _root_units(self, sample: DealerSample, policy: CountsPolicy, *, is_best: bool) -> Floats:
        """Return the players' units by the dealer's two cards and what is shown; with ``is_best``, write the best actions."""
        value = np.zeros((len(self.situations.hands), len(self.hands.hands)))
        dealer_values(
            value, np.zeros((0, 0, 0)), sample.settled, self.situations, self.tree, policy.closed, is_best
        )
        return self.root_units(sample, value)

    def root_units(self, sample: DealerSample, value: Floats) -> Floats:
        """Add up the players' units by the dealer's two cards and what is shown."""
        found: Floats = np.zeros((len(self.hands.hands), self.columns))
        for shown in range(self.columns):
            rows = self.situations.shown == shown
            found[:, shown] = value[rows].sum(axis=0) + sample.shown[shown]
        return found * self.hands.dealt[:, None]

    def action_values(self, sample: DealerSample, policy: CountsPolicy) -> tuple[Floats, Floats]:
        """Return what each action is worth at each state and hand of choice, and the units of :meth:`root_units`."""
        worth = np.zeros(self.policy_shape)
        value = np.zeros((len(self.situations.hands), len(self.hands.hands)))
        dealer_values(value, worth, sample.settled, self.situations, self.tree, policy.closed, False)
        return worth, self.root_units(sample, value)

    def reach(self, policy: CountsPolicy) -> tuple[Floats, Floats]:
        """Return how often the dealer's own actions lead to each state and hand of choice, per order of the cards.

        The second array says how often everything that may be opened gets open, by situation and hand.
        """
        reach = np.zeros(self.policy_shape[:2])
        all_open = np.zeros((len(self.situations.hands), len(self.hands.hands)))
        keeps = self.hands.dealt[:, None] * (1.0 - policy.surrender)
        starts = keeps[:, self.situations.shown if self.columns > 1 else np.zeros_like(self.situations.shown)]
        dealer_reach(
            reach, all_open, np.ascontiguousarray(starts.T), self.situations, self.tree, policy.closed
        )
        return reach, all_open


@compiled
def dealer_values(
    value: Floats,
    action_values: Floats,
    settled: Floats,
    found: Situations,
    tree: DealerTree,
    policy: Floats,
    is_best: bool,
) -> None:
    """Value all states by backward induction.

    Parameters
    ----------
    value
        Filled: the value of each of the dealer's hands while everything is closed, by situation.
    action_values
        Filled unless it is empty: what each action is worth, by state and hand of choice.
    policy
        How the dealer plays; written if ``is_best``.
    """
    hands = len(tree.by_total)
    most = most_states(found)
    worth = np.zeros((hands, most))
    stop = np.zeros(most)
    actions = np.zeros(ACTIONS)
    for situation in range(len(found.hands)):
        first, last = found.first_state[situation], found.first_state[situation + 1]
        for hand in range(hands - 1, -1, -1):
            for state in range(first, last):
                here = state - first
                stop[here] = _stop_units(stop, settled[situation, :, hand], situation, state, found)
                draw = 0.0
                if tree.by_total[hand] != ENDS:
                    for child in tree.child[hand]:
                        if child >= 0:
                            draw += worth[child, here]
                if tree.by_total[hand] != CHOICE:
                    worth[hand, here] = stop[here] if tree.by_total[hand] == ENDS else draw
                    continue
                actions[STOP], actions[DRAW] = stop[here], draw
                for kind in range(KINDS):
                    after = found.after[state, kind]
                    actions[OPEN + kind] = 0.0
                    if after >= 0:
                        opened = settled[situation, found.place[state, kind], hand]
                        actions[OPEN + kind] = opened + worth[hand, after - first]
                choice = tree.choice_of[hand]
                if is_best:
                    _choose_least(policy[state, choice], actions, found.allowed[state])
                worth[hand, here] = (policy[state, choice] * actions).sum()
                if len(action_values) > 0:
                    action_values[state, choice] = actions
            value[situation, hand] = worth[hand, last - 1 - first]


@inlined
def most_states(found: Situations) -> int:
    """Return the largest number of states of a situation."""
    most = 0
    for situation in range(len(found.hands)):
        most = max(most, found.first_state[situation + 1] - found.first_state[situation])
    return most


@inlined
def _stop_units(stop: Floats, settled: Floats, situation: int, state: int, found: Situations) -> float:
    """Return what all closed hands of a state win at once; ``stop`` holds it for states of the same situation with less closed."""
    first = found.first_state[situation]
    units = 0.0
    if state == first:
        for place in range(found.never_opened[situation]):
            units += settled[place]
    for kind in range(KINDS):
        after = found.after[state, kind]
        if after >= 0:
            units = settled[found.place[state, kind]] + stop[after - first]
    return units


@inlined
def _choose_least(policy: Floats, actions: Floats, allowed: Flags) -> None:
    """Choose the allowed action that is worth the least to the players."""
    best = -1
    for action in range(ACTIONS):
        policy[action] = 0.0
        if allowed[action] and (best < 0 or actions[action] < actions[best]):
            best = action
    policy[best] = 1.0


@compiled
def dealer_reach(
    reach: Floats, all_open: Floats, starts: Floats, found: Situations, tree: DealerTree, policy: Floats
) -> None:
    """Follow the dealer's own actions from the two-card hands (``starts``, by situation and hand) through all states."""
    hands = len(tree.by_total)
    most = most_states(found)
    mass = np.zeros((hands, most))
    for situation in range(len(found.hands)):
        first, last = found.first_state[situation], found.first_state[situation + 1]
        mass[:] = 0.0
        mass[:, last - 1 - first] = starts[situation]
        if last == first + 1:
            all_open[situation] = starts[situation]
        for hand in range(hands):
            for state in range(last - 1, first - 1, -1):
                here = mass[hand, state - first]
                if here == 0.0 or tree.by_total[hand] == ENDS:
                    continue
                draw = here
                if tree.by_total[hand] == CHOICE:
                    choice = tree.choice_of[hand]
                    reach[state, choice] = here
                    draw = here * policy[state, choice, DRAW]
                    for kind in range(KINDS):
                        after = found.after[state, kind]
                        if after >= 0:
                            mass[hand, after - first] += here * policy[state, choice, OPEN + kind]
                            if after == first:
                                all_open[situation, hand] += here * policy[state, choice, OPEN + kind]
                if draw > 0.0:
                    for child in tree.child[hand]:
                        if child >= 0:
                            mass[child, state - first] += draw
