"""Blackjack for Gymnasium: any rules, real shoes, every decision of the game."""

from collections.abc import Collection
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from croupier.blackjack.engine import BLACKJACK, Action, ActionKind, BlackjackRules, Session, legal_actions
from croupier.blackjack.engine.state import Phase, RoundState
from croupier.blackjack.engine.text import describe
from croupier.blackjack.play.coach import advise, verify_advise
from croupier.blackjack.play.count import count_view
from croupier.cards import point_class
from croupier.environments.actions import action_info, action_mask, regret
from croupier.environments.pictures import BACK, Line, Picture, table_picture
from croupier.errors import InputError

#: The actions by their numbers. ``decline`` says no to insurance and to an early surrender.
ACTIONS = ("stand", "hit", "double", "split", "surrender", "insure", "decline")

#: What an engine's action is called here.
_NAMES = {ActionKind.KEEP: "decline"}

_PHASES = (Phase.PLAYERS, Phase.INSURANCE, Phase.EARLY_SURRENDER)
_MOST_HANDS = 8
_MOST_CARDS = 22
_HIGHEST_TOTAL = 31

Observation = dict[str, Any]


def legal_names(state: RoundState) -> dict[str, Action]:
    """Return what may be done now, by the names that it has here."""
    return {_NAMES.get(action.kind, action.kind.value): action for action in legal_actions(state)}


def observed(state: RoundState, legal: Collection[str]) -> Observation:
    """Return what a player sees of a round: the hand in turn, the up-card, and what is legal."""
    place = state.turn.hand if state.turn is not None else 0
    hand, value = state.seats[0].hands[place], state.hand_value(0, place)
    classes = [point_class(card) for card in hand.cards]
    is_pair = len(classes) == 2 and classes[0] == classes[1]
    return {
        "phase": np.int64(_PHASES.index(state.phase) if state.phase in _PHASES else 0),
        "total": np.int64(value.total),
        "is_soft": np.int64(value.is_soft),
        "pair": np.int64(classes[0] + 1 if is_pair else 0),
        "cards": np.int64(len(hand.cards)),
        "up_card": np.int64(point_class(state.dealer_cards[0])),
        "hand": np.int64(place),
        "hands": np.int64(len(state.seats[0].hands)),
        "action_mask": action_mask(ACTIONS, legal),
    }


def verify_one_open_card(rules: BlackjackRules) -> None:
    """Raise where the observation has no place for what players see: both of the dealer's cards.

    >>> verify_one_open_card(BlackjackRules(hole_card="open"))
    Traceback (most recent call last):
    croupier.errors.InputError: an observation has one card of the dealer's; set hole_card to "peek" or "no-peek"
    """
    if rules.hole_card == "open":
        raise InputError('an observation has one card of the dealer\'s; set hole_card to "peek" or "no-peek"')


def counted(session: Session, system: str) -> Observation:
    """Return the count of the cards seen, and how many packs are left."""
    view = count_view(session, system)
    return {
        "count": np.array([view.running if view.true is None else view.true], np.float32),
        "packs_left": np.array([view.packs_left], np.float32),
    }


def rendered(state: RoundState, mode: str | None) -> Picture | str | None:
    """Return a round as the player sees it: text for ``ansi``, a picture for ``rgb_array``."""
    if mode == "ansi":
        return describe(state, viewer=0)
    if mode != "rgb_array":
        return None
    closed = len(state.dealer_cards) - len(state.visible_dealer_cards)
    dealer = Line("dealer", [*state.visible_dealer_cards, *[BACK] * closed])
    return table_picture([dealer, *(Line("you", hand.cards) for hand in state.seats[0].hands)])


#: The spaces of :func:`counted`.
COUNT_SPACES: dict[str, spaces.Space[Any]] = {
    "count": spaces.Box(-200.0, 200.0, (1,), np.float32),
    "packs_left": spaces.Box(0.0, 8.0, (1,), np.float32),
}


class BlackjackEnvironment(gymnasium.Env[Observation, np.int64]):
    """One player against the dealer. A reward is what a round won, in initial bets, and comes at its end.

    Parameters
    ----------
    rules
        A preset, or rules of one's own.
    rounds
        How many rounds an episode has; they come from one shoe until its cut card, then from the next.
    count
        A counting system, such as ``"hi-lo"``: the observation then has its ``count`` (the true count, or the running one of an
        unbalanced system) and ``packs_left``.
    with_truth
        Whether ``info`` says the exact worth of every action (``values``, ``optimal``) from all cards seen, and what the last action gave
        away (``regret``). That takes some milliseconds a step.
    render_mode
        ``human`` (prints), ``ansi`` (returns text) or ``rgb_array``.

    Notes
    -----
    A round that its deal decides, by a natural, still takes one ``stand``, so that the mean reward of an episode of one round is what the
    game is worth. An action that is not legal is played as ``stand``, or as ``decline`` where that is the question, and ``info["was_illegal"]`` is True.
    ``action_mask``, in the observation and in ``info``, says what is legal.

    Examples
    --------
    >>> env = BlackjackEnvironment("vegas-strip", with_truth=True)
    >>> observation, info = env.reset(seed=1)
    >>> info["legal"], info["optimal"]
    (('stand', 'hit', 'double'), 'hit')
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: str | BlackjackRules = "six-deck",
        *,
        rounds: int = 1,
        count: str | None = None,
        with_truth: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.rules = BLACKJACK.rules(rules) if isinstance(rules, str) else rules
        verify_one_open_card(self.rules)
        if rounds < 1:
            raise InputError(f"rounds = {rounds}: an episode has 1 round or more")
        if with_truth:
            verify_advise(self.rules)
        self.rounds, self.count, self.with_truth = rounds, count, with_truth
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(ACTIONS))
        entries: dict[str, spaces.Space[Any]] = {
            "phase": spaces.Discrete(len(_PHASES)),
            "total": spaces.Discrete(_HIGHEST_TOTAL + 1),
            "is_soft": spaces.Discrete(2),
            "pair": spaces.Discrete(11),
            "cards": spaces.Discrete(_MOST_CARDS + 1),
            "up_card": spaces.Discrete(10),
            "hand": spaces.Discrete(_MOST_HANDS),
            "hands": spaces.Discrete(_MOST_HANDS + 1),
            "action_mask": spaces.MultiBinary(len(ACTIONS)),
        }
        if count is not None:
            count_view(Session.opened(self.rules, seed=0), count)  # refuses what cannot be counted
            entries |= COUNT_SPACES
        self.observation_space = spaces.Dict(entries)
        self._session = Session.opened(self.rules, seed=0)
        self._played = 0
        self._worths: dict[str, float] | None = None

    @property
    def session(self) -> Session:
        """The table with its hidden cards, for those who may look: a critic, say."""
        return self._session

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode with a new shoe, and deal."""
        super().reset(seed=seed, options=options)
        self._session = Session.opened(self.rules, int(self.np_random.integers(2**62)))
        self._played = 0
        self._deal()
        self._show()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action; the next round of the episode is dealt at once."""
        if self._is_over:
            raise InputError("the episode is over; call reset() first")
        name = ACTIONS[int(action)]
        legal = self._legal()
        chosen = name if name in legal else next(other for other in ("stand", "decline") if other in legal)
        lost = regret(self._worths, chosen)
        if (move := legal[chosen]) is not None:
            self._session = self._session.act(move).advanced()
        reward = 0.0
        if self._session.is_between_rounds:
            reward = self._result()
            self._played += 1
            if not self._is_over:
                self._deal()
        self._show()
        info = self._info() | {"was_illegal": chosen != name}
        if self.with_truth:
            info["regret"] = lost
        return self._observation(), reward, self._is_over, False, info

    def render(self) -> Picture | str | None:
        """Return the table as text or as a picture, as the player sees it."""
        return rendered(self._state, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(describe(self._state, viewer=0))

    @property
    def _state(self) -> RoundState:
        assert self._session.table is not None, "a round is on the table"
        return self._session.table.state

    def _deal(self) -> None:
        self._session = self._session.start_round(bets=[self.rules.minimum_bet]).advanced()

    def _result(self) -> float:
        result = self._state.seat_result(0)
        assert result is not None, "the round is over"
        return result / self.rules.minimum_bet

    @property
    def _is_over(self) -> bool:
        return self._played == self.rounds

    def _legal(self) -> dict[str, Action | None]:
        """Return the actions by name; a round that its deal has decided waits for a ``stand`` that changes nothing."""
        if self._is_over:
            return {}
        if self._session.is_between_rounds:
            return {"stand": None}
        return dict(legal_names(self._state))

    def _values(self) -> dict[str, float] | None:
        """Return what each action is worth, in initial bets; None where that is not asked for, or nothing is to be decided."""
        actions = [action for action in self._legal().values() if action is not None]
        if not self.with_truth or not actions:
            return None
        advice = advise(self._session, actions)
        return {
            _NAMES.get(ActionKind(name), ActionKind(name).value): worth
            for name, worth in advice.worths.items()
        }

    def _info(self) -> dict[str, Any]:
        """Price the actions, for the regret of the next step too, and tell of them."""
        self._worths = self._values()
        return action_info(ACTIONS, self._legal(), self._worths)

    def _observation(self) -> Observation:
        observation = observed(self._state, self._legal())
        if self.count is not None:
            observation |= counted(self._session, self.count)
        return observation
