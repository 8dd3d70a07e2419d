"""Durak for PettingZoo: two to six players, under any rules."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.dealing import start
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.text import describe
from croupier.environments.durak import durak_picture
from croupier.environments.durak_steps import (
    Steps,
    action_count,
    observation_space,
    observed,
    perfect_state,
)
from croupier.environments.pictures import Picture
from croupier.environments.turns import Observation, TurnEnvironment


class DurakTurns(TurnEnvironment):
    """A game of durak; the agents are ``player_0``, ``player_1`` ... A fool pays 1, which the others share.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    render_mode
        ``human``, ``ansi`` or ``rgb_array``.

    Examples
    --------
    >>> env = DurakTurns("perevodnoy")
    >>> env.reset(seed=1)
    >>> env.agents, env.last()[0]["action_mask"].sum(), env.state().shape
    (['player_0', 'player_1', 'player_2', 'player_3'], np.int64(6), (7, 36))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2, "name": "croupier_durak_v0", "is_parallelizable": False,
    }  # fmt: skip

    def __init__(self, rules: str | DurakRules = "protocol", render_mode: str | None = None) -> None:
        self.rules = DURAK.rules(rules) if isinstance(rules, str) else rules
        agents = [f"player_{seat}" for seat in range(self.rules.players)]
        super().__init__(
            agents,
            {agent: observation_space(self.rules) for agent in agents},
            {agent: spaces.Discrete(action_count(self.rules)) for agent in agents},
            render_mode,
        )
        rows = self.rules.players + 3
        self.state_space = spaces.MultiBinary([rows, self.rules.pack])
        self.deal(0)

    def deal(self, seed: int) -> None:
        """Begin a game with the cards of a seed."""
        cards = deal_of_pair(seed, 0, self.rules)
        self.steps = Steps.of(start(self.rules, cards.deck, cards.leader))

    def agent_in_turn(self) -> str | None:
        """Return who is in turn."""
        return None if self.steps.turn is None else self.possible_agents[self.steps.turn]

    def legal(self) -> tuple[int, ...]:
        """Return the legal actions."""
        return self.steps.legal

    def play(self, action: int) -> None:
        """Play a card, or none."""
        self.steps = self.steps.played(action)

    def payments(self) -> dict[str, float]:
        """Return what everybody has won."""
        return dict(zip(self.possible_agents, self.steps.rewards, strict=True))

    def seen_by(self, agent: str) -> Observation:
        """Return the observation of ``croupier/Durak-v0``."""
        return observed(self.steps, self.possible_agents.index(agent))

    def state(self) -> NDArray[np.int8]:
        """Return where every card is, for a critic: a row each for the hands, the table, the discard and the stock."""
        return perfect_state(self.steps)

    def text(self) -> str:
        """Return the game as whoever is in turn sees it."""
        return describe(self.steps.state, self.steps.turn)

    def picture(self) -> Picture:
        """Return the game as a picture."""
        return durak_picture(self.steps.state, self.steps.turn)
