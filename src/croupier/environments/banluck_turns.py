"""Banluck for PettingZoo: one to seven players and the dealer."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.banluck.engine import (
    BANLUCK,
    DEALER,
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    describe,
    legal_actions,
    observe,
)
from croupier.banluck.engine.hand import evaluate
from croupier.banluck.engine.state import MAX_SEATS, Phase
from croupier.cards import POINT_CLASSES, Shoe, point_class
from croupier.environments.pictures import BACK, Line, Picture, table_picture
from croupier.environments.turns import Observation, TurnEnvironment, mask_of
from croupier.errors import InputError

#: The actions by their numbers; ``reveal`` opens the first player, the numbers after it the others.
ACTIONS = ("stand", "hit", "draw", "surrender", "keep", "reveal")

_REVEAL = ACTIONS.index("reveal")
_NUMBERS = {
    ActionKind.STAND: 0, ActionKind.DEALER_STAND: 0, ActionKind.HIT: 1, ActionKind.DRAW: 2, ActionKind.SURRENDER: 3, ActionKind.KEEP: 4,
}  # fmt: skip
_PHASES = (Phase.PLAYER, Phase.SURRENDER, Phase.REVEAL, Phase.DEALER)
_MOST_CARDS = 5


class BanluckTurns(TurnEnvironment):
    """A hand of Banluck; the agents are ``player_0``, ``player_1`` ... and ``dealer``. Everybody gets the units of the hand at its end.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    players
        How many players, 1 to 7.
    render_mode
        ``human``, ``ansi`` or ``rgb_array``.

    Examples
    --------
    >>> env = BanluckTurns(players=3)
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.last()[0]["counts"], env.state().shape
    ('player_0', array([2, 2, 2, 2], dtype=int8), (4, 10))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2, "name": "croupier_banluck_v0", "is_parallelizable": False,
    }  # fmt: skip

    def __init__(
        self, rules: str | BanluckRules = "reference", players: int = 2, render_mode: str | None = None
    ) -> None:
        self.rules = BANLUCK.rules(rules) if isinstance(rules, str) else rules
        if not 1 <= players <= MAX_SEATS:
            raise InputError(f"{players} players; a table seats 1 to {MAX_SEATS}")
        agents = [*(f"player_{seat}" for seat in range(players)), "dealer"]
        classes, self._actions = len(POINT_CLASSES), _REVEAL + players
        seen = spaces.Dict(
            {
                "phase": spaces.Discrete(len(_PHASES)),
                "cards": spaces.Box(0, _MOST_CARDS, (classes,), np.int8),
                "total": spaces.Discrete(52),
                "counts": spaces.Box(0, _MOST_CARDS, (players + 1,), np.int8),
                "open": spaces.Box(0, _MOST_CARDS, (players + 1, classes), np.int8),
                "settled": spaces.MultiBinary(players),
                "action_mask": spaces.MultiBinary(self._actions),
            }
        )
        super().__init__(
            agents,
            dict.fromkeys(agents, seen),
            {agent: spaces.Discrete(self._actions) for agent in agents},
            render_mode,
        )
        self.state_space = spaces.Box(0, _MOST_CARDS, (players + 1, classes), np.int8)
        self.deal(0)

    def deal(self, seed: int) -> None:
        """Begin a hand with the cards of a seed."""
        self._hand = DealtHand.opened(
            self.rules, Shoe.shuffled(seed=seed), players=len(self.possible_agents) - 1
        )
        self._show_specials()

    def _show_specials(self) -> None:
        while self._hand.state.phase is Phase.SPECIALS:
            self._hand = self._hand.act(Action(ActionKind.SHOW))

    def agent_in_turn(self) -> str | None:
        """Return who is in turn."""
        state = self._hand.state
        if state.is_over:
            return None
        return "dealer" if state.turn is None else self.possible_agents[state.turn]

    def _choices(self) -> dict[int, Action]:
        return {
            _REVEAL + (action.seat or 0)
            if action.kind is ActionKind.REVEAL
            else _NUMBERS[action.kind]: action
            for action in legal_actions(self._hand.state)
        }

    def legal(self) -> tuple[int, ...]:
        """Return the legal actions."""
        return tuple(sorted(self._choices()))

    def play(self, action: int) -> None:
        """Do an action; Ban hands are shown at once."""
        self._hand = self._hand.act(self._choices()[action])
        self._show_specials()

    def payments(self) -> dict[str, float]:
        """Return everybody's units."""
        state = self._hand.state
        units = [result or 0.0 for result in state.results]
        return dict(zip(self.possible_agents, [*units, state.dealer_result], strict=True))

    def seen_by(self, agent: str) -> Observation:
        """Return the own cards by point class, and what is public."""
        state = self._hand.state
        viewer = DEALER if agent == "dealer" else self.possible_agents.index(agent)
        seen = observe(state, viewer)
        hands = [*seen.seats, seen.dealer]
        own = hands[self.possible_agents.index(agent)]
        is_asked = agent == self.agent_in_turn()
        return {
            "phase": np.int64(_PHASES.index(state.phase) if state.phase in _PHASES else 0),
            "cards": _classes(own.open_cards),
            "total": np.int64(evaluate(own.open_cards, state.rules).total),
            "counts": np.array([len(hand.cards) for hand in hands], np.int8),
            "open": np.stack([_classes(hand.open_cards) for hand in hands]),
            "settled": np.array([result is not None for result in state.results], np.int8),
            "action_mask": mask_of(self.legal() if is_asked else (), self._actions),
        }

    def state(self) -> NDArray[np.int8]:
        """Return everybody's cards by point class, for a critic; the dealer's come last."""
        state = self._hand.state
        return np.stack(
            [_classes(cards) for cards in (*(seat.cards for seat in state.seats), state.dealer_cards)]
        )

    def _viewer(self) -> int:
        return (
            DEALER if self.agent_selection == "dealer" else self.possible_agents.index(self.agent_selection)
        )

    def text(self) -> str:
        """Return the hand as whoever is in turn sees it."""
        return describe(self._hand.state, self._viewer())

    def picture(self) -> Picture:
        """Return the hand as a picture."""
        seen = observe(self._hand.state, self._viewer())
        hands = zip(self.possible_agents, (*seen.seats, seen.dealer), strict=True)
        return table_picture(
            [Line(name, [BACK if card is None else card for card in hand.cards]) for name, hand in hands]
        )


def _classes(cards: tuple[int, ...]) -> NDArray[np.int8]:
    return np.bincount([point_class(card) for card in cards], minlength=len(POINT_CLASSES)).astype(np.int8)
