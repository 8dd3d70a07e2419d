"""Banluck for Gymnasium: either side of the table, against a chosen opponent."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine import (
    BANLUCK,
    DEALER,
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    describe,
    legal_actions,
    observe,
)
from croupier.banluck.engine.hand import evaluate
from croupier.banluck.engine.observation import Observation as Seen
from croupier.banluck.engine.observation import is_to_act
from croupier.banluck.engine.state import Phase
from croupier.banluck.play.strategies import HeadsUpStrategies, RulesOfThumb, Strategies
from croupier.cards import POINT_CLASSES, Shoe, point_class
from croupier.environments.actions import action_info, action_mask, regret
from croupier.environments.pictures import BACK, Line, Picture, table_picture
from croupier.errors import InputError

#: The actions by their numbers; ``stand`` is the player's and the dealer's.
ACTIONS = ("stand", "hit", "draw", "reveal", "surrender", "keep")

#: What an engine's action is called here, where that differs.
_NAMES = {ActionKind.DEALER_STAND: "stand"}

_PHASES = (Phase.PLAYER, Phase.SURRENDER, Phase.REVEAL, Phase.DEALER)
_SEAT = 0
_MOST_CARDS = 5

Side = Literal["player", "dealer"]
Observation = dict[str, Any]


def legal_names(state: GameState) -> dict[str, Action]:
    """Return what may be done now, by the names that it has here."""
    return {_NAMES.get(action.kind, action.kind.value): action for action in legal_actions(state)}


@lru_cache(maxsize=8)
def _solved(rules: BanluckRules) -> Solution:
    return solve(rules)


class BanluckEnvironment(gymnasium.Env[Observation, np.int64]):
    """One player and the dealer; the agent is one of them. A reward is what the agent won, in units, and comes at the end of the hand.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    side
        ``player`` or ``dealer``.
    opponent
        ``equilibrium`` (the solved game), ``simple`` (rules of thumb), or anything that says how often it takes each action
        (:class:`~croupier.banluck.play.strategies.Strategies`).
    with_truth
        Whether ``info`` says what each action is worth against the equilibrium (``values``, ``optimal``) and what the last one gave
        away (``regret``).
    render_mode
        ``human``, ``ansi`` or ``rgb_array``.

    Notes
    -----
    The observation holds the agent's own cards by point class, from the deuce to the ace, their total, the public card counts, and
    ``action_mask``. A hand in which the agent has nothing to decide still takes one ``stand``. An action that is not legal is played as the
    first legal one, and ``info["was_illegal"]`` is True.

    Examples
    --------
    >>> env = BanluckEnvironment(opponent="simple")
    >>> observation, info = env.reset(seed=1)
    >>> int(observation["total"]), info["legal"]
    (12, ('stand', 'hit'))
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: str | BanluckRules = "reference",
        *,
        side: Side = "player",
        opponent: Literal["equilibrium", "simple"] | Strategies = "equilibrium",
        with_truth: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.rules = BANLUCK.rules(rules) if isinstance(rules, str) else rules
        if side not in ("player", "dealer"):
            raise InputError(f"side '{side}': choose player or dealer")
        self.viewer = _SEAT if side == "player" else DEALER
        self.with_truth, self.render_mode = with_truth, render_mode
        self._opponent = _strategies(self.rules, opponent)
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = spaces.Dict(
            {
                "phase": spaces.Discrete(len(_PHASES)),
                "cards": spaces.Box(0, _MOST_CARDS, (len(POINT_CLASSES),), np.int8),
                "total": spaces.Discrete(52),
                "own_count": spaces.Discrete(_MOST_CARDS + 1),
                "other_count": spaces.Discrete(_MOST_CARDS + 1),
                "action_mask": spaces.MultiBinary(len(ACTIONS)),
            }
        )
        self._hand = DealtHand.opened(self.rules, Shoe.shuffled(seed=0))
        self._has_ended = True
        self._worths: dict[str, float] | None = None

    @property
    def state(self) -> GameState:
        """The hand with its hidden cards, for those who may look: a critic, say."""
        return self._hand.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a hand."""
        super().reset(seed=seed, options=options)
        self._hand = DealtHand.opened(self.rules, Shoe.shuffled(seed=int(self.np_random.integers(2**62))))
        self._has_ended = False
        self._let_others_play()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the others play on."""
        if self._has_ended:
            raise InputError("the episode is over; call reset() first")
        name, legal = ACTIONS[int(action)], self._legal()
        chosen = name if name in legal else next(iter(legal))
        lost = regret(self._worths, chosen)
        if (move := legal[chosen]) is not None:
            self._hand = self._hand.act(move)
            self._let_others_play()
        self._has_ended = self.state.is_over
        reward = self._reward() if self._has_ended else 0.0
        info = self._info() | {"was_illegal": chosen != name}
        if self.with_truth:
            info["regret"] = lost
        return self._observation(), reward, self._has_ended, False, info

    def render(self) -> Picture | str | None:
        """Return the table as text or as a picture, as the agent sees it."""
        if self.render_mode == "ansi":
            return describe(self.state, self.viewer)
        if self.render_mode == "rgb_array":
            seen = observe(self.state, self.viewer)
            hands = (("dealer", seen.dealer), ("player", seen.seats[_SEAT]))
            return table_picture(
                [Line(name, [BACK if card is None else card for card in hand.cards]) for name, hand in hands]
            )
        return None

    def _let_others_play(self) -> None:
        """Play whatever is not the agent's to decide."""
        while not self.state.is_over and not self._is_asked:
            options: Mapping[Action, float] = self._opponent.probabilities(self.state)
            chances = np.array(list(options.values()))
            drawn = int(self.np_random.choice(len(chances), p=chances / chances.sum()))
            self._hand = self._hand.act(list(options)[drawn])
        if self.render_mode == "human":
            print(describe(self.state, self.viewer))

    @property
    def _is_asked(self) -> bool:
        return is_to_act(self.state, self.viewer)

    def _legal(self) -> dict[str, Action | None]:
        """Return the actions by name; a hand that was decided without the agent waits for a ``stand`` that changes nothing."""
        if self._has_ended:
            return {}
        return {"stand": None} if self.state.is_over else dict(legal_names(self.state))

    def _values(self) -> dict[str, float] | None:
        """Return what each action is worth; None where that is not asked for, or there is no choice."""
        if not self.with_truth or len(self._legal()) < 2:
            return None
        worth = HeadsUpStrategies(_solved(self.rules)).prices(self.state).worth
        return {_NAMES.get(action.kind, action.kind.value): units for action, units in worth.items()}

    def _reward(self) -> float:
        (units,) = self.state.results
        assert units is not None, "the hand is over"
        return units if self.viewer == _SEAT else -units

    def _info(self) -> dict[str, Any]:
        """Price the actions, for the regret of the next step too, and tell of them."""
        self._worths = self._values()
        return action_info(ACTIONS, self._legal(), self._worths)

    def _observation(self) -> Observation:
        return observed(self.state, observe(self.state, self.viewer), self._legal())


def observed(state: GameState, seen: Seen, legal: Collection[str]) -> Observation:
    """Return what one side sees of a hand."""
    hands = (seen.dealer, seen.seats[_SEAT])
    own, other = hands if seen.viewer == DEALER else hands[::-1]
    points = np.bincount([point_class(card) for card in own.open_cards], minlength=len(POINT_CLASSES))
    return {
        "phase": np.int64(_PHASES.index(state.phase) if state.phase in _PHASES else 0),
        "cards": points.astype(np.int8),
        "total": np.int64(evaluate(own.open_cards, state.rules).total),
        "own_count": np.int64(len(own.cards)),
        "other_count": np.int64(len(other.cards)),
        "action_mask": action_mask(ACTIONS, legal),
    }


def _strategies(rules: BanluckRules, opponent: str | Strategies) -> Strategies:
    if opponent == "equilibrium":
        return HeadsUpStrategies(_solved(rules))
    if opponent == "simple":
        return RulesOfThumb.of(rules)
    if isinstance(opponent, str):
        raise InputError(
            f"opponent '{opponent}': choose equilibrium or simple, or give strategies of your own"
        )
    return opponent
