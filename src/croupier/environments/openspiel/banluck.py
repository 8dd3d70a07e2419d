"""``python_croupier_banluck``: one player and the dealer, dealt card by card."""

from typing import Any

import numpy as np
import pyspiel

from croupier.banluck.engine import BANLUCK, DEALER, Action, ActionKind, GameState, legal_actions, observe
from croupier.banluck.engine.actions import act, cards_needed
from croupier.banluck.engine.multisets import PACK_COUNTS
from croupier.banluck.engine.observation import is_to_act
from croupier.banluck.engine.state import Phase, new_hand
from croupier.cards import POINT_CLASSES, point_class
from croupier.environments.banluck import ACTIONS, legal_names
from croupier.environments.openspiel.dealt import DealtState, class_names
from croupier.environments.openspiel.states import CardGame, Floats, game_type
from croupier.errors import InputError

_SEAT = 0
_VIEWERS = (_SEAT, DEALER)
_PHASES = (Phase.PLAYER, Phase.SURRENDER, Phase.REVEAL, Phase.DEALER)

TYPE = game_type(
    "python_croupier_banluck",
    "Banluck (Croupier)",
    players=2,
    parameters={"rules": "reference", "pack": ",".join(map(str, PACK_COUNTS))},
)


def read_pack(text: str) -> tuple[int, ...]:
    """Read how many cards of each point class a pack holds, from the deuce to the ace.

    Raises
    ------
    InputError
        If these are not ten numbers that a pack can hold.

    Examples
    --------
    >>> read_pack("4,4,4,4,4,4,4,4,16,4") == PACK_COUNTS
    True
    >>> read_pack("4,4")
    Traceback (most recent call last):
    croupier.errors.InputError: pack '4,4': write ten numbers, how many deuces, threes ... tens, aces (at most 4,4,4,4,4,4,4,4,16,4)
    """
    parts = text.split(",")
    most = ",".join(map(str, PACK_COUNTS))
    if (
        len(parts) != len(PACK_COUNTS)
        or not all(part.strip().isdecimal() for part in parts)
        or any(int(part) > most for part, most in zip(parts, PACK_COUNTS, strict=True))
    ):
        raise InputError(
            f"pack '{text}': write ten numbers, how many deuces, threes ... tens, aces (at most {most})"
        )
    return tuple(int(part) for part in parts)


class BanluckState(DealtState[GameState]):
    """A hand; player 0 is the player, player 1 the dealer."""

    def __init__(self, game: "BanluckGame") -> None:
        super().__init__(game, new_hand(game.rules), game.pack)
        self.begin(Action(ActionKind.DEAL))

    def forced(self) -> Action | None:
        """Return the showing of Ban hands, and whatever leaves no choice."""
        legal = legal_actions(self.table)
        return legal[0] if len(legal) == 1 else None

    def needed(self, action: Action) -> int:
        """Return how many cards an action wants."""
        return cards_needed(self.table, action)

    def done(self, action: Action) -> GameState:
        """Return the hand after an action."""
        return act(self.table, action)

    def settle(self) -> None:
        """Note whose turn it is."""
        self.is_over = self.table.is_over
        self.turn = None if self.is_over else int(is_to_act(self.table, DEALER))

    def choices(self) -> list[int]:
        """Return the numbers of the legal actions."""
        return sorted(ACTIONS.index(name) for name in legal_names(self.table))

    def apply(self, action: int) -> None:
        """Take a card from chance, or an action from the player in turn."""
        if self.turn is None:
            self.dealt(action)
        else:
            self.begin(legal_names(self.table)[ACTIONS[action]])

    def name_of(self, player: int, action: int) -> str:
        """Return the name of an action, or of the class of a card."""
        return f"deal {POINT_CLASSES[action]}" if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def payments(self) -> list[float]:
        """Return the player's units, and the dealer's."""
        (units,) = self.table.results
        assert units is not None, "the hand is over"
        return [units, -units]

    def view(self, player: int) -> str:
        """Return the own cards, the other's as far as they are open, and what is to be decided."""
        if not self.table.dealer_cards:
            return "deal"
        seen = observe(self.table, _VIEWERS[player])
        hands = [
            class_names(hand.open_cards) + "?" * (len(hand.cards) - len(hand.open_cards))
            for hand in (seen.seats[_SEAT], seen.dealer)
        ]
        return f"player {hands[0]} dealer {hands[1]} {self.table.phase.value}"

    def vector(self, player: int) -> Floats:
        """Return the own cards by class, both card counts, and the phase."""
        vector = np.zeros(len(POINT_CLASSES) + 2 + len(_PHASES), np.float32)
        if self.table.dealer_cards:
            seen = observe(self.table, _VIEWERS[player])
            hands = (seen.seats[_SEAT], seen.dealer)
            for card in hands[player].open_cards:
                vector[point_class(card)] += 1
            vector[len(POINT_CLASSES)] = len(hands[player].cards)
            vector[len(POINT_CLASSES) + 1] = len(hands[1 - player].cards)
            if self.table.phase in _PHASES:
                vector[len(POINT_CLASSES) + 2 + _PHASES.index(self.table.phase)] = 1
        return vector


class BanluckGame(CardGame):
    """Heads-up Banluck under any preset, from a whole pack or a smaller one.

    Parameters
    ----------
    params
        ``rules``: a preset. ``pack``: how many cards of each point class it holds, from the deuce to the ace.
    """

    state_class = BanluckState

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules = BANLUCK.rules(given.get("rules", "reference"))
        self.pack = read_pack(given.get("pack", ",".join(map(str, PACK_COUNTS))))
        if sum(self.pack) < 10:
            raise InputError(f"pack: {sum(self.pack)} cards; two hands of five need 10")
        rules = self.rules
        most = max(
            rules.pays_ban_ban, rules.pays_ban_luck, rules.pays_777, rules.pays_five_card_21, rules.pays_five_card,
            float(rules.five_card_bust_dealer), float(rules.five_card_bust_player),
        )  # fmt: skip
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=len(POINT_CLASSES),
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=10,
        )
        super().__init__(TYPE, info, given)
