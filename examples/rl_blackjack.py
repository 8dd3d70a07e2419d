"""Teach blackjack to two learners, and measure both against the exact optimum.

Q-learning keeps what each action is worth in a table. The policy gradient keeps how often it takes each action, and follows the natural
gradient by what a critic has learnt. Thousands of tables are stepped at a time, and the chart that a learner has found is priced exactly,
so the curves have no noise of their own. `--curve curve.csv` writes them down.
"""

import argparse
import csv
from pathlib import Path

import gymnasium
import numpy as np

import croupier.environments  # noqa: F401 - registers the environments
from croupier import blackjack
from croupier.environments import policy_chart

TABLES, HANDS = 4096, 8


class Table:
    """What each action is worth in each state: phase, total, softness, pair, up-card, which hand of how many, and whether there is a choice.

    A round that its deal decides, by a dealer's natural say, shows the same cards as one that goes on, but leaves no choice.
    """

    def __init__(self, actions: int) -> None:
        self.shape = (2, 3, 32, 2, 11, 10, HANDS, HANDS + 1)
        self.values = np.zeros((int(np.prod(self.shape)), actions))
        self.visits = np.zeros_like(self.values)

    def states(self, seen: dict) -> np.ndarray:
        """Return the rows of observations."""
        keys = ("phase", "total", "is_soft", "pair", "up_card", "hand", "hands")
        has_choice = seen["action_mask"].sum(axis=1) > 1
        return np.ravel_multi_index([has_choice, *(seen[key] for key in keys)], self.shape)

    def learn(self, states: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> None:
        """Move values towards targets, by steps that become smaller with the visits."""
        np.add.at(self.visits, (states, actions), 1)
        steps = self.visits[states, actions] ** -0.9
        np.add.at(self.values, (states, actions), steps * (targets - self.values[states, actions]))


def masked(values: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return values with those of illegal actions out of reach."""
    return np.where(mask, values, -1e9)


class QLearner:
    """Q-learning (Watkins 1989) with random actions now and then."""

    NAME = "Q-learning"

    def __init__(self, actions: int, chance: np.random.Generator) -> None:
        self.table, self.chance = Table(actions), chance

    def act(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Take the best action, or one time in two any: what is learnt is the best play all the same."""
        scores = np.where(
            self.chance.random((len(states), 1)) < 0.5,
            self.chance.random(mask.shape),
            self.table.values[states],
        )
        return masked(scores, mask).argmax(axis=1)

    def value(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return what states are worth with the best action."""
        return masked(self.table.values[states], mask).max(axis=1)

    def greedy(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the best actions."""
        return masked(self.table.values[states], mask).argmax(axis=1)

    def after_learning(self, states: np.ndarray, mask: np.ndarray) -> None:
        """Do nothing more: the table is the policy."""


class PolicyGradient(QLearner):
    """The natural policy gradient (Kakade 2001) of a softmax policy, with the table as its critic."""

    NAME, RATE = "policy gradient", 0.02

    def __init__(self, actions: int, chance: np.random.Generator) -> None:
        super().__init__(actions, chance)
        self.preferences = np.zeros_like(self.table.values)

    def probabilities(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return how often each action is taken."""
        scores = masked(self.preferences[states], mask)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def act(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Draw actions; one time in two any legal one, so that the critic learns what all of them are worth."""
        shares = 0.5 * self.probabilities(states, mask) + 0.5 * mask / mask.sum(axis=1, keepdims=True)
        return (
            shares.cumsum(axis=1) < self.chance.random((len(states), 1)) * shares.sum(axis=1, keepdims=True)
        ).sum(axis=1)

    def value(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return what states are worth to this policy."""
        return (self.probabilities(states, mask) * self.table.values[states]).sum(axis=1)

    def greedy(self, states: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the most likely actions."""
        return masked(self.preferences[states], mask).argmax(axis=1)

    def after_learning(self, states: np.ndarray, mask: np.ndarray) -> None:
        """Raise the preferences of actions that are worth more than the state: the natural gradient of a softmax."""
        rows, first = np.unique(states, return_index=True)
        legal = mask[first]
        advantages = (self.table.values[rows] - self.value(rows, legal)[:, None]) * legal
        self.preferences[rows] += self.RATE * np.sqrt(TABLES) * advantages


def train(learner: QLearner, rules: blackjack.Rules, steps: int, seed: int) -> list[tuple[int, float]]:
    """Let a learner play; return how much its chart loses to the best one, after growing numbers of steps."""
    env = gymnasium.make_vec("croupier/Blackjack-v0", TABLES, "vector_entry_point", rules=rules)
    seen, _ = env.reset(seed=seed)
    curve, shown, states = [], 1, learner.table.states(seen)
    for number in range(1, steps // TABLES + 1):
        mask = seen["action_mask"].astype(bool)
        actions = learner.act(states, mask)
        seen, rewards, has_ended, _, _ = env.step(actions)
        following = learner.table.states(seen)
        worth = learner.value(following, seen["action_mask"].astype(bool))
        learner.table.learn(states, actions, rewards + np.where(has_ended, 0.0, worth))
        learner.after_learning(states, mask)
        states = following
        if number >= shown or number == steps // TABLES:
            curve.append((number * TABLES, blackjack.price(rules, chart_of(learner, rules)).loss))
            shown *= 2
    env.close()
    return curve


def chart_of(learner: QLearner, rules: blackjack.Rules) -> blackjack.Chart:
    """Return what a learner has learnt, as a chart."""

    def policy(seen: dict) -> int:
        one = {key: np.asarray(value)[None] for key, value in seen.items()}
        return int(learner.greedy(learner.table.states(one), one["action_mask"].astype(bool))[0])

    return policy_chart(policy, rules)


def main() -> None:
    """Train both learners."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=20_000_000, help="decisions of each learner")
    parser.add_argument("--rules", default="vegas-strip", help="a preset")
    parser.add_argument("--seeds", type=int, default=3, help="how often each learner starts anew")
    parser.add_argument("--curve", type=Path, help="write the learning curves to this file (CSV)")
    given = parser.parse_args()
    rules = blackjack.rules(given.rules)
    optimum = blackjack.analyse(rules).chart_edge
    print(f"the exact optimum: {optimum:+.4%} of a bet")
    rows = []
    for learner_class in (QLearner, PolicyGradient):
        losses = []
        for seed in range(1, given.seeds + 1):
            learner = learner_class(7, np.random.default_rng(seed))
            curve = train(learner, rules, given.steps, seed)
            name = f"{learner_class.NAME}, seed {seed}"
            rows += [(name, steps, 100 * (optimum - loss)) for steps, loss in curve]
            losses.append(curve[-1][1])
            print(f"{name}: {losses[-1]:.4%} below the optimum", flush=True)
        print(f"{learner_class.NAME}: mean {np.mean(losses):.4%}, worst {max(losses):.4%}", flush=True)
    if given.curve:
        with given.curve.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [
                    ("curve", "decisions", "% of a bet won per round"),
                    *rows,
                    ("exact optimum", 0, 100 * optimum),
                ]
            )


if __name__ == "__main__":
    main()
