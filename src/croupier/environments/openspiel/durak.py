"""``python_croupier_durak``: durak for two, one card a step; chance deals a card when it is drawn."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyspiel

from croupier.durak.engine.dealing import lowest_trump_leader, start
from croupier.durak.engine.pack import HAND_SIZE, card_text, cards_text
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.engine.state import GameState
from croupier.environments.durak_steps import Steps, action_count, observed
from croupier.environments.openspiel.states import CardGame, CardState, Floats, Outcomes, game_type
from croupier.errors import InputError

_PLAYERS = 2
_SEEN = (
    "hand",
    "table",
    "to_beat",
    "discarded",
    "known",
    "counts",
    "stock",
    "trump",
    "attacker",
    "phase",
    "room",
)

#: A game that takes the longest: hands taken again and again, which the rules end after 60 takes in a row.
_MOST_ACTIONS = 20_000

TYPE = game_type(
    "python_croupier_durak", "Durak (Croupier)", players=_PLAYERS, parameters={"rules": "protocol"}
)


class DurakState(CardState):
    """A game. Chance turns the trump first, then deals both hands, and later every card as it is drawn."""

    def __init__(self, game: "DurakGame") -> None:
        super().__init__(game)
        self.rules = game.rules
        self.steps: Steps | None = None
        #: The cards that chance has dealt and nobody has got yet: the trump and the hands, or what a bout draws.
        self._dealt: tuple[int, ...] = ()
        self._action = 0

    def deals(self) -> Outcomes:
        """Return the cards that may come; or who leads, 0 or 1, where neither hand holds a trump."""
        if self.steps is None and len(self._dealt) > 2 * HAND_SIZE:
            return [(0, 0.5), (1, 0.5)]
        left = [place for place, card in enumerate(self.rules.cards) if card in self._unseen()]
        return [(place, 1 / len(left)) for place in left]

    def _unseen(self) -> set[int]:
        """Return the cards of the stock that chance has not dealt yet, without the open trump."""
        cards = self.rules.cards if self.steps is None else self.steps.state.stock[:-1]
        return set(cards) - set(self._dealt)

    def choices(self) -> tuple[int, ...]:
        """Return the numbers of the legal actions."""
        assert self.steps is not None, "cards are dealt"
        return self.steps.legal

    def apply(self, action: int) -> None:
        """Take a card from chance, or an action from the player in turn."""
        if self.turn is not None:
            self._action, self.turn = action, None
        elif self.steps is None and len(self._dealt) > 2 * HAND_SIZE:
            self._start(action)
            return
        else:
            self._dealt += (self.rules.cards[action],)
        if self.steps is None:
            if len(self._dealt) > 2 * HAND_SIZE:
                leader = lowest_trump_leader(self._deck(), self.rules)
                if leader is not None:
                    self._start(leader)
            return
        self._draw()

    def _deck(self) -> tuple[int, ...]:
        """Return a deck with the dealt cards where they belong; the order of the others is still open."""
        trump, *hands = self._dealt
        rest = (card for card in self.rules.cards if card not in self._dealt)
        return (*hands, *rest, trump)

    def _start(self, leader: int) -> None:
        self._follow(Steps.of(start(self.rules, self._deck(), leader)))

    def _draw(self) -> None:
        """Do the action as soon as chance has dealt what it draws; the open trump is known."""
        assert self.steps is not None, "cards are dealt"
        state = self.steps.state
        after = replace(self.steps, state=_with_stock(state, self._dealt)).played(self._action)
        drawn = after.state.drawn - state.drawn
        hidden = min(drawn, max(0, state.deck_count - 1))
        if len(self._dealt) == hidden:
            self._follow(after)

    def _follow(self, steps: Steps) -> None:
        self.steps, self._dealt, self.turn = steps, (), steps.turn
        self.is_over = steps.turn is None

    def name_of(self, player: int, action: int) -> str:
        """Return a card, or what playing none means now."""
        if player != pyspiel.PlayerId.CHANCE:
            assert self.steps is not None, "cards are dealt"
            return self.steps.name_of(action)
        if self.steps is None and len(self._dealt) > 2 * HAND_SIZE:
            return f"player {action + 1} leads"
        return f"deal {card_text(self.rules.cards[action])}"

    def payments(self) -> list[float]:
        """Return 1 for the winner and -1 for the fool, or 0 each."""
        assert self.steps is not None, "cards are dealt"
        return list(self.steps.rewards)

    def view(self, player: int) -> str:
        """Return the own hand and the public facts."""
        if self.steps is None:
            return "deal"
        state = self.steps.state
        thrown = self.steps.thrown if player == self.steps.turn else ()
        return (
            f"hand {cards_text(sorted(state.hands[player]))}; other {len(state.hands[1 - player])}; stock {state.deck_count}; "
            f"trump {card_text(state.trump)}; table {cards_text(state.table + state.thrown_in + thrown)}; "
            f"attacker {state.attacker + 1}; {state.phase.value}"
        )

    def vector(self, player: int) -> Floats:
        """Return the observation of ``croupier/Durak-v0``, without the mask."""
        pack = self.rules.pack
        if self.steps is None:
            return np.zeros(5 * pack + 2 + 5, np.float32)
        seen = observed(self.steps, player)
        return np.concatenate([np.ravel(seen[name]) for name in _SEEN]).astype(np.float32)


def _with_stock(state: GameState, first: tuple[int, ...]) -> GameState:
    """Return a state whose stock begins with some cards."""
    *hidden, trump = state.stock or (None,)
    if trump is None:
        return state
    rest = (card for card in hidden if card not in first)
    return replace(state, deck=(*state.deck[: state.drawn], *first, *rest, trump))


class DurakGame(CardGame):
    """Durak for two under any rules.

    Parameters
    ----------
    params
        ``rules``: a preset for two players.
    """

    state_class = DurakState

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules: DurakRules = DURAK.rules(given.get("rules", "protocol"))
        if self.rules.players != _PLAYERS or self.rules.trumps != "open_card" or self.rules.pack > 52:
            raise InputError(
                "python_croupier_durak is for two players, without jokers, with the open card as trump"
            )
        info = pyspiel.GameInfo(
            num_distinct_actions=action_count(self.rules),
            max_chance_outcomes=self.rules.pack,
            num_players=_PLAYERS,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_MOST_ACTIONS,
        )
        super().__init__(TYPE, info, given)
