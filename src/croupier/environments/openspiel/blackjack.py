"""``python_croupier_blackjack``: one player and one round from a new shoe, under any rules."""

from typing import Any

import numpy as np
import pyspiel

from croupier.blackjack.engine import BLACKJACK, Action, ActionKind
from croupier.blackjack.engine.actions import act, cards_needed, forced_action
from croupier.blackjack.engine.betting import start_round
from croupier.blackjack.engine.state import RoundState
from croupier.cards import CARDS_OF_CLASS, POINT_CLASSES
from croupier.environments.blackjack import ACTIONS, legal_names, observed, verify_one_open_card
from croupier.environments.openspiel.dealt import DealtState, class_names
from croupier.environments.openspiel.states import CardGame, Floats, game_type

_SEEN = ("phase", "total", "is_soft", "pair", "cards", "up_card", "hand", "hands")

#: A round of four split hands of many small cards; no round is longer.
_MOST_ACTIONS = 90

TYPE = game_type(
    "python_croupier_blackjack", "Blackjack (Croupier)", players=1, parameters={"rules": "six-deck"}
)


class BlackjackState(DealtState[RoundState]):
    """A round; the dealer is chance."""

    def __init__(self, game: "BlackjackGame") -> None:
        rules = game.rules
        packs = None if rules.decks == "infinite" else rules.decks
        counts = None if packs is None else [packs * len(cards) for cards in CARDS_OF_CLASS]
        super().__init__(game, start_round(rules, bets=[rules.minimum_bet]), counts)
        self.begin(Action(ActionKind.DEAL))

    def forced(self) -> Action | None:
        """Return what the dealer does now."""
        return forced_action(self.table)

    def needed(self, action: Action) -> int:
        """Return how many cards an action wants."""
        return cards_needed(self.table, action)

    def done(self, action: Action) -> RoundState:
        """Return the round after an action."""
        return act(self.table, action)

    def settle(self) -> None:
        """Note whether the round is over."""
        self.is_over = self.table.is_over
        self.turn = None if self.is_over else 0

    def choices(self) -> list[int]:
        """Return the numbers of the legal actions."""
        return sorted(ACTIONS.index(name) for name in legal_names(self.table))

    def apply(self, action: int) -> None:
        """Take a card from chance, or an action from the player."""
        if self.turn is None:
            self.dealt(action)
        else:
            self.begin(legal_names(self.table)[ACTIONS[action]])

    def name_of(self, player: int, action: int) -> str:
        """Return the name of an action, or of the class of a card."""
        return f"deal {POINT_CLASSES[action]}" if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def payments(self) -> list[float]:
        """Return what the round won, in initial bets."""
        result = self.table.seat_result(0)
        assert result is not None, "the round is over"
        return [result / self.table.rules.minimum_bet]

    def view(self, player: int) -> str:
        """Return the dealer's open cards, the hands, and what is to be decided."""
        if not self.table.dealer_cards:
            return "deal"
        hands = " ".join(class_names(hand.cards) for hand in self.table.seats[player].hands)
        place = "" if self.table.turn is None else f" hand {self.table.turn.hand + 1}"
        return f"dealer {class_names(self.table.visible_dealer_cards)} you {hands} {self.table.phase.value}{place}"

    def vector(self, player: int) -> Floats:  # noqa: ARG002 - there is one player
        """Return the observation of ``croupier/Blackjack-v0``, without the mask."""
        if not self.table.dealer_cards:
            return np.zeros(len(_SEEN), np.float32)
        seen = observed(self.table, ())
        return np.array([seen[name] for name in _SEEN], np.float32)


class BlackjackGame(CardGame):
    """Blackjack under any preset; the dealer and the shoe are chance.

    Parameters
    ----------
    params
        ``rules``: a preset.
    """

    state_class = BlackjackState

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules = BLACKJACK.rules(given.get("rules", "six-deck"))
        verify_one_open_card(self.rules)
        most = 2.0 * self.rules.split_hands + 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=len(POINT_CLASSES),
            num_players=1,
            min_utility=-most,
            max_utility=most,
            max_game_length=_MOST_ACTIONS,
        )
        super().__init__(TYPE, info, given)
