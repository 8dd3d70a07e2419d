"""Bet sizing as the problem: the hands are played by a chart, the agent chooses the bets by what has been dealt."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.blackjack.engine import BLACKJACK, BlackjackRules, Session
from croupier.blackjack.engine.text import describe
from croupier.blackjack.play.count import seen_cards
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.cards import POINT_CLASSES, point_class
from croupier.environments.blackjack import (
    ACTIONS,
    COUNT_SPACES,
    BlackjackEnvironment,
    counted,
    legal_names,
    observed,
    rendered,
)
from croupier.environments.blackjack_policies import ChartPolicy
from croupier.environments.pictures import Picture, table_picture
from croupier.errors import InputError

#: Chips on the table, in units: the ladder of a spread from 1 to 8.
USUAL_BETS = (1.0, 2.0, 4.0, 8.0)

Observation = dict[str, Any]


class BlackjackCountingEnvironment(gymnasium.Env[Observation, np.int64]):
    """One step is one round: the action is the bet, the reward what the round won, in units.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    bets
        The bets to choose from, in units; 0 sits a round out, which is dealt all the same.
    chart
        How the hands are played; the best chart if none is given.
    system
        The counting system of the observation.
    rounds
        How many rounds an episode has.
    render_mode
        ``human``, ``ansi`` or ``rgb_array``: the last round.

    Notes
    -----
    ``observation``: ``count`` (the true count, or the running one of an unbalanced system), ``packs_left``, and ``seen``, how many cards of each
    point class from the deuce to the ace have been seen of this shoe.

    Examples
    --------
    >>> from croupier import blackjack
    >>> env = BlackjackCountingEnvironment("vegas-strip", rounds=3, chart=blackjack.Chart.uniform("S"))
    >>> observation, _ = env.reset(seed=1)
    >>> observation["count"], env.action_space
    (array([0.], dtype=float32), Discrete(4))
    >>> _, reward, is_over, _, info = env.step(3)
    >>> info["bet"], abs(reward) in (0.0, 8.0, 12.0, 16.0), is_over
    (8.0, True, False)
    """

    metadata: dict[str, Any] = BlackjackEnvironment.metadata

    def __init__(
        self,
        rules: str | BlackjackRules = "six-deck",
        *,
        bets: tuple[float, ...] = USUAL_BETS,
        chart: Chart | None = None,
        system: str = "hi-lo",
        rounds: int = 100,
        render_mode: str | None = None,
    ) -> None:
        self.rules = BLACKJACK.rules(rules) if isinstance(rules, str) else rules
        if not bets or min(bets) < 0:
            raise InputError(f"bets {bets}: at least one bet, of 0 units or more")
        if rounds < 1:
            raise InputError(f"rounds = {rounds}: an episode has 1 round or more")
        self.bets, self.system, self.rounds = tuple(float(bet) for bet in bets), system, rounds
        self._policy = ChartPolicy(chart or best_chart(self.rules).chart, self.rules)
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(self.bets))
        packs = 8 if self.rules.decks == "infinite" else self.rules.decks
        seen = spaces.Box(0, 16 * packs, (len(POINT_CLASSES),), np.int32)
        self.observation_space = spaces.Dict({**COUNT_SPACES, "seen": seen})
        self._session = self._new_shoe(0)
        counted(self._session, system)  # refuses what cannot be counted
        self._played = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode with a new shoe."""
        super().reset(seed=seed, options=options)
        self._session = self._new_shoe(int(self.np_random.integers(2**62)))
        self._played = 0
        return self._observation(), {}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Bet, and let the chart play the round."""
        if self._played == self.rounds:
            raise InputError("the episode is over; call reset() first")
        bet = self.bets[int(action)]
        session = self._session.start_round(bets=[self.rules.minimum_bet]).advanced()
        while not session.is_between_rounds:
            assert session.table is not None
            legal = legal_names(session.table.state)
            session = session.act(
                legal[ACTIONS[self._policy(observed(session.table.state, legal))]]
            ).advanced()
        assert session.table is not None
        result = session.table.state.seat_result(0)
        assert result is not None, "the round is over"
        self._session = session
        self._played += 1
        if self.render_mode == "human":
            print(describe(session.table.state, viewer=0))
        reward = bet * result / self.rules.minimum_bet
        return self._observation(), reward, self._played == self.rounds, False, {"bet": bet}

    def render(self) -> Picture | str | None:
        """Return the last round as text or as a picture."""
        table = self._session.table
        if table is not None:
            return rendered(table.state, self.render_mode)
        if self.render_mode == "ansi":
            return "no round has been played"
        return table_picture([]) if self.render_mode == "rgb_array" else None

    def _new_shoe(self, seed: int) -> Session:
        return Session.opened(self.rules, seed)

    def _observation(self) -> Observation:
        """Return what is known before the next round; its shoe is a new one if the cut card has come up."""
        session = self._session
        if session.shoe.needs_shuffle:
            session = self._new_shoe(0)  # nothing of it has been seen, so its order does not matter
        seen = np.bincount([point_class(card) for card in seen_cards(session)], minlength=len(POINT_CLASSES))
        return counted(session, self.system) | {"seen": seen.astype(np.int32)}
