"""What the games for OpenSpiel share: states over an engine's states, cards that chance deals, and an observer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Outcomes of chance, each with its probability.
Outcomes = list[tuple[int, float]]


def game_type(name: str, title: str, players: int, parameters: dict[str, Any]) -> pyspiel.GameType:
    """Describe a game of cards, dealt by chance, that pays at its end."""
    zero_sum = pyspiel.GameType.Utility.ZERO_SUM if players > 1 else pyspiel.GameType.Utility.GENERAL_SUM
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=zero_sum,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class CardGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel does not describe itself
    """A game whose states are :class:`CardState`; a subclass names the class of its states."""

    state_class: type["CardState"]

    def new_initial_state(self) -> "CardState":
        """Return the state before the deal."""
        return self.state_class(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "CardObserver":
        """Return an observer of its states."""
        if params:
            raise ValueError(f"observers of {self.get_type().short_name} take no parameters, not {params}")
        return CardObserver(self, is_whole=iig_obs_type is not None and bool(iig_obs_type.perfect_recall))


class CardState(pyspiel.State):  # type: ignore[misc]
    """A state that keeps for every player what the player has seen, step by step.

    A subclass says who is in turn (``turn``), what chance can do (``deals``), what the player in turn can do (``choices``), what an action
    changes (``apply``), what it is called (``name_of``), what everybody gets (``payments``), and what a player sees (``view``, ``vector``).
    """

    turn: int | None = None
    is_over: bool = False

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self.seen: list[list[str]] = [[] for _ in range(game.num_players())]

    def deals(self) -> Outcomes:
        """Return what chance can do now."""
        raise NotImplementedError

    def choices(self) -> Sequence[int]:
        """Return the numbers of the actions of the player in turn, in ascending order."""
        raise NotImplementedError

    def apply(self, action: int) -> None:
        """Do an action of chance or of the player in turn."""
        raise NotImplementedError

    def name_of(self, player: int, action: int) -> str:
        """Return what an action is called now."""
        raise NotImplementedError

    def payments(self) -> list[float]:
        """Return what each player has won when the game is over."""
        raise NotImplementedError

    def view(self, player: int) -> str:
        """Return what a player sees now."""
        raise NotImplementedError

    def vector(self, player: int) -> Floats:
        """Return what a player sees now, as numbers."""
        raise NotImplementedError

    def current_player(self) -> int:
        """Return who is in turn: a player, chance, or nobody any more."""
        if self.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.turn is None else self.turn

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.choices()) if player == self.turn else []

    def chance_outcomes(self) -> Outcomes:
        """Return what chance can do, with probabilities."""
        return self.deals()

    def _apply_action(self, action: int) -> None:
        if self.turn is not None:
            self.seen[self.turn].append(self.name_of(self.turn, action))
        self.apply(action)
        for player, seen in enumerate(self.seen):
            view = self.view(player)
            if not seen or seen[-1] != view:
                seen.append(view)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.name_of(player, action)

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.is_over

    def returns(self) -> list[float]:
        """Return what each player has won so far: nothing before the end."""
        return self.payments() if self.is_over else [0.0] * len(self.seen)

    def __str__(self) -> str:
        return " / ".join(self.view(player) for player in range(len(self.seen)))


class CardObserver:
    """Shows a state to a player: what lies there now, or everything the player has seen.

    Parameters
    ----------
    game
        The game.
    is_whole
        Whether its text tells the whole way that led here (perfect recall). The numbers always show the present.
    """

    def __init__(self, game: CardGame, *, is_whole: bool) -> None:
        self._is_whole = is_whole
        self.tensor = np.zeros_like(game.new_initial_state().vector(0))
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CardState, player: int) -> None:
        """Write down what a player sees, as numbers."""
        self.tensor[:] = state.vector(player)

    def string_from(self, state: CardState, player: int) -> str:
        """Return what a player sees, as text."""
        return " | ".join(state.seen[player]) if self._is_whole else state.view(player)
