"""How far an agent is from optimal, with an error bar."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from croupier.errors import InputError


class Truthful(Protocol):
    """An environment with ``with_truth``: its ``info`` prices every action."""

    with_truth: bool

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do an action."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What episodes say of an agent; errors are standard errors.

    Attributes
    ----------
    episodes
        How many were played.
    gap, gap_error
        How much less than the best play the agent wins in an episode: the mean of what its actions gave away.
    mean_return, return_error
        What it won in an episode. Luck is in it, so it takes many more episodes than the gap does.
    mistakes
        The share of decisions that gave something away.
    """

    episodes: int
    gap: float
    gap_error: float
    mean_return: float
    return_error: float
    mistakes: float

    def __str__(self) -> str:
        return (
            f"{self.gap:.5f} ± {self.gap_error:.5f} below optimal in an episode, {self.mistakes:.1%} of the decisions cost something; "
            f"return {self.mean_return:+.4f} ± {self.return_error:.4f} ({self.episodes:,} episodes)"
        )


def evaluate(
    env: Truthful, policy: Callable[[dict[str, Any]], int], episodes: int = 1000, seed: int = 0
) -> Evaluation:
    """Let an agent play, and add up what its actions gave away.

    The difference between the best play and the agent's is the expected sum of the regrets of the agent's actions, since each is what the
    action is worth less than the best one *if the best play follows*. So the luck of the cards cancels, and a few hundred episodes tell
    what rewards would tell after a hundred thousand. In blackjack this is exact for every shoe. In Banluck the best play is that against an
    equilibrium opponent. In durak only decisions with every card known are priced, so the gap is that of the end game alone.

    Parameters
    ----------
    env
        An environment made with ``with_truth=True``.
    policy
        From an observation to the number of an action.
    episodes, seed
        How many episodes, and the seed of the first; the next ones count up.

    Raises
    ------
    InputError
        If the environment does not price actions, or there is nothing to play.

    Examples
    --------
    >>> from croupier.environments import BlackjackEnvironment
    >>> env = BlackjackEnvironment("vegas-strip", with_truth=True)
    >>> timid = evaluate(env, lambda seen: 0, episodes=30)
    >>> timid.gap > 0, timid.gap_error < timid.return_error
    (True, True)
    """
    if not env.with_truth:
        raise InputError("evaluate: make the environment with with_truth=True")
    if episodes < 2:
        raise InputError(f"episodes = {episodes}: an error bar takes 2 or more")
    gaps, returns, regrets = [], [], []
    for number in range(episodes):
        observation, _ = env.reset(seed=seed + number)
        gap = total = 0.0
        is_over = False
        while not is_over:
            observation, reward, is_over, _, info = env.step(policy(observation))
            gap += info["regret"]
            total += float(reward)
            regrets.append(info["regret"])
        gaps.append(gap)
        returns.append(total)
    root = episodes**0.5
    return Evaluation(
        episodes,
        float(np.mean(gaps)),
        float(np.std(gaps, ddof=1) / root),
        float(np.mean(returns)),
        float(np.std(returns, ddof=1) / root),
        float(np.mean(np.array(regrets) > 1e-9)),
    )
