"""What the PettingZoo environments share: agents take turns, and everybody is paid when the game is over."""

from abc import abstractmethod
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from croupier.environments.pictures import Picture

Observation = dict[str, Any]


class TurnEnvironment(AECEnv):  # type: ignore[misc]  # PettingZoo does not describe itself
    """A game in turns. A subclass deals it, says who is in turn and what is legal, and plays.

    An action that is not legal is played as the first legal one, and the agent's ``infos`` say ``was_illegal``. All agents end together.

    Parameters
    ----------
    agents
        Their names, in the order of the seats.
    observation_spaces, action_spaces
        By agent.
    render_mode
        ``human`` (prints), ``ansi`` (returns text) or ``rgb_array``.
    """

    def __init__(
        self,
        agents: list[str],
        observation_spaces: dict[str, spaces.Space[Any]],
        action_spaces: dict[str, spaces.Space[Any]],
        render_mode: str | None,
    ) -> None:
        super().__init__()
        self.possible_agents = agents
        self.observation_spaces, self.action_spaces = observation_spaces, action_spaces
        self.render_mode = render_mode
        self._chance, _ = seeding.np_random()

    @abstractmethod
    def deal(self, seed: int) -> None:
        """Begin a game with the cards of a seed."""

    @abstractmethod
    def agent_in_turn(self) -> str | None:
        """Return who is in turn; None when the game is over."""

    @abstractmethod
    def legal(self) -> tuple[int, ...]:
        """Return the legal actions of the agent in turn."""

    @abstractmethod
    def play(self, action: int) -> None:
        """Do a legal action."""

    @abstractmethod
    def payments(self) -> dict[str, float]:
        """Return what everybody has won when the game is over."""

    @abstractmethod
    def seen_by(self, agent: str) -> Observation:
        """Return what an agent sees, with ``action_mask``."""

    @abstractmethod
    def text(self) -> str:
        """Return the game as whoever is in turn sees it."""

    @abstractmethod
    def picture(self) -> Picture:
        """Return the game as a picture, as whoever is in turn sees it."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Deal a game."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.deal(int(self._chance.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._is_decided = self.agent_in_turn() is None
        self._select()

    def step(self, action: int | None) -> None:
        """Do the action of the agent in turn; an agent whose game is over takes None."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        legal = self._legal_now()
        chosen = action if action in legal else legal[0]
        self.infos[agent] = {"was_illegal": chosen != action}
        if not self._is_decided:
            self.play(int(chosen))
        self._is_decided = False
        if self.agent_in_turn() is None:
            self.rewards = self.payments()
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees."""
        observation = self.seen_by(agent)
        if self._is_decided and agent == self.agent_selection:
            observation["action_mask"][0] = 1
        return observation

    def render(self) -> Picture | str | None:
        """Print the game, or return it as text or as a picture."""
        if self.render_mode == "human":
            print(self.text())
            return None
        return self.picture() if self.render_mode == "rgb_array" else self.text()

    def close(self) -> None:
        """Nothing is to be closed."""

    def _legal_now(self) -> tuple[int, ...]:
        """Return the legal actions; a game that its deal has decided waits for action 0, which changes nothing."""
        return (0,) if self._is_decided else self.legal()

    def _select(self) -> None:
        self.agent_selection = self.agent_in_turn() or self.agents[0]


def mask_of(legal: tuple[int, ...], actions: int) -> NDArray[np.int8]:
    """Return which actions are legal.

    >>> mask_of((0, 2), 3)
    array([1, 0, 1], dtype=int8)
    """
    mask = np.zeros(actions, np.int8)
    mask[list(legal)] = 1
    return mask
