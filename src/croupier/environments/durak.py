"""Durak for Gymnasium: the agent sits in one seat, engines or policies in the others."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.durak.arena.entrant import EntrantLike
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.dealing import start
from croupier.durak.engine.observation import observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.engine.text import describe
from croupier.durak.players.endgame import EndgameSolver, is_open
from croupier.environments.actions import regret
from croupier.environments.durak_opponents import Opponents
from croupier.environments.durak_steps import (
    PASS,
    Steps,
    action_count,
    number_of,
    observation_space,
    observed,
)
from croupier.environments.pictures import BACK, Line, Picture, table_picture
from croupier.errors import InputError

Observation = dict[str, Any]


class DurakEnvironment(gymnasium.Env[Observation, np.int64]):
    """A game of durak. A reward comes at its end: 1 for a win, -1 for the fool, 0 for a draw.

    Where more than two play, the others share what the fool pays.

    Parameters
    ----------
    rules
        A preset, or rules of one's own; by default those of the engine protocol, for two.
    opponent
        Who sits in the other seats: a built-in engine (``durak-dummy``, ``durak-random``, ``durak-master 1`` to ``durak-master 5``), or what
        :func:`croupier.durak.match` takes: an engine object, a function from an observation to cards, the command line of a program.
        Several, in the order of the seats, where more than two play.
    seat
        The agent's seat, from 0; by default it is drawn for every game.
    with_truth
        Whether ``info`` says what each action is worth (``values``, ``optimal``) and what the last one gave away (``regret``), as soon as
        every card is known: with the stock empty or down to the open trump. In games of two with 36 cards.
    render_mode
        ``human``, ``ansi`` or ``rgb_array``.

    Notes
    -----
    An action is a card or none: 0 says done, take, or nothing more, and ``1 + place`` plays a card of the pack, the lowest rank first. Cards
    are thrown in one by one after a take. An action that is not legal is played as the first legal one, and ``info["was_illegal"]`` is True.

    Examples
    --------
    >>> env = DurakEnvironment()
    >>> observation, info = env.reset(seed=1)
    >>> info["legal"]
    ('take', 'TS', 'QS')
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: str | DurakRules = "protocol",
        *,
        opponent: EntrantLike | Sequence[EntrantLike] = "durak-dummy",
        seat: int | None = None,
        with_truth: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.rules = DURAK.rules(rules) if isinstance(rules, str) else rules
        if seat is not None and seat not in range(self.rules.players):
            raise InputError(f"seat {seat}: seats are 0 to {self.rules.players - 1}")
        if with_truth and not self.rules.is_compiled:
            raise InputError("with_truth: only games of two with 36 cards are solved")
        self.seat, self.with_truth, self.render_mode = seat or 0, with_truth, render_mode
        self._drawn_seats = self.rules.players if seat is None else 0
        self._opponents = Opponents(self.rules, opponent)
        self._solver = EndgameSolver(self.rules.attack_cap(2)) if with_truth else None
        self.action_space = spaces.Discrete(action_count(self.rules))
        self.observation_space = observation_space(self.rules)
        self._steps = self._dealt(0)
        self._has_ended = True
        self._worths: dict[str, float] | None = None

    @property
    def state(self) -> GameState:
        """The game with its hidden cards, for those who may look: a critic, say."""
        return self._steps.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a game, and play until it is the agent's turn."""
        super().reset(seed=seed, options=options)
        self._steps = self._dealt(int(self.np_random.integers(2**62)))
        if self._drawn_seats:
            self.seat = int(self.np_random.integers(self._drawn_seats))
        self._has_ended = False
        self._opponents.sit_down(self.state, self.seat, int(self.np_random.integers(2**62)))
        self._let_others_play()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a card or none, and let the others play on."""
        if self._has_ended:
            raise InputError("the episode is over; call reset() first")
        number, legal = int(action), self._legal()
        chosen = number if number in legal else legal[0]
        lost = regret(self._worths, self._steps.name_of(chosen)) if not self.state.is_over else 0.0
        if not self.state.is_over:
            before, self._steps = self._steps, self._steps.played(chosen)
            self._opponents.tell(before, self._steps)
            self._let_others_play()
        self._has_ended = self.state.is_over
        info = self._info() | {"was_illegal": chosen != number}
        if self.with_truth:
            info["regret"] = lost
        return self._observation(), self._steps.rewards[self.seat], self._has_ended, False, info

    def render(self) -> Picture | str | None:
        """Return the table as text or as a picture, as the agent sees it."""
        if self.render_mode == "ansi":
            return describe(self.state, self.seat)
        return durak_picture(self.state, self.seat) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End the programs of the opponents."""
        self._opponents.close()

    def _dealt(self, seed: int) -> Steps:
        deal = deal_of_pair(seed, 0, self.rules)
        return Steps(start(self.rules, deal.deck, deal.leader))

    def _let_others_play(self) -> None:
        while self._steps.turn not in (None, self.seat):
            self._steps = self._opponents.play(self._steps)
        if self.render_mode == "human":
            print(describe(self.state, self.seat))

    def _legal(self) -> tuple[int, ...]:
        """Return the legal actions; a game that ended without the agent, who was out before, waits for an action that changes nothing."""
        if self._has_ended:
            return ()
        return self._steps.legal or (PASS,)

    def _values(self) -> dict[str, float] | None:
        """Return what each action is worth; None where that is not asked for, cards are hidden, or there is no choice."""
        if self._solver is None or len(self._legal()) < 2:
            return None
        seen = observe(self.state, self.seat)
        solved = self._solver.solve(seen) if is_open(seen) else None
        if solved is None:
            return None
        thrown, is_throwing = set(self._steps.thrown), self.state.phase is Phase.THROW_IN
        worths: dict[str, float] = {}
        for cards, outcome in solved.items():
            if not is_throwing:
                names = [self._steps.name_of(number_of(self.rules, cards))]
            elif thrown <= set(cards):
                rest = [number_of(self.rules, (card,)) for card in cards if card not in thrown]
                names = [self._steps.name_of(number) for number in rest or [PASS]]
            else:
                continue
            for name in names:
                worths[name] = max(worths.get(name, -1.0), float(outcome))
        return worths

    def _info(self) -> dict[str, Any]:
        """Price the actions, for the regret of the next step too, and tell of them."""
        self._worths, legal = self._values(), self._legal()
        info: dict[str, Any] = {"legal": (), "action_mask": self._observation()["action_mask"]}
        if not self.state.is_over:
            info["legal"] = tuple(self._steps.name_of(number) for number in legal)
        if self._worths is not None:
            worths = self._worths
            info |= {"values": worths, "optimal": max(worths, key=lambda name: worths[name])}
        return info

    def _observation(self) -> Observation:
        observation = observed(self._steps, self.seat)
        if self.state.is_over and not self._has_ended:
            observation["action_mask"][PASS] = 1
        return observation


def durak_picture(state: GameState, viewer: int | None) -> Picture:
    """Draw a game: the other hands closed, the table, and the own hand, which comes last."""
    lines = [
        Line(f"player {seat + 1}", [BACK] * len(hand))
        for seat, hand in enumerate(state.hands)
        if seat != viewer
    ]
    lines.append(Line("table", [*state.table, *state.waiting, *state.thrown_in]))
    lines.append(Line("trump", [state.trump, *[BACK] * max(0, state.deck_count - 1)]))
    if viewer is not None:
        lines.append(Line("you", state.hands[viewer]))
    return table_picture(lines, rows=state.rules.players + 2)
