"""The rules of Banluck: hands, settlement, the state of a hand being played. Pure: cards are handed in.

Examples
--------
>>> from croupier.banluck.engine import BanluckRules, deal, narrate, new_hand, stand, dealer_stand
>>> from croupier.cards import parse_cards
>>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 9C")], parse_cards("10C 8D"))
>>> for sentence in narrate(dealer_stand(stand(state))):
...     print(sentence)
The cards are dealt: player 1 T♥ 9♣  19; dealer T♣ 8♦  18.
Player 1 stands on 19.
The dealer stands at 18.
  Player 1 with T♥ 9♣  19 wins 1 unit (the better hand).
Over: the dealer loses 1 unit.
"""

from croupier.banluck.engine.actions import act, cards_needed, from_json, legal_actions, steps, to_json
from croupier.banluck.engine.dealer_turn import dealer_stand, draw, reveal
from croupier.banluck.engine.dealing import deal, keep, show, surrender
from croupier.banluck.engine.dealt_hand import DealtHand
from croupier.banluck.engine.hand import HandClass, evaluate, evaluate_classes
from croupier.banluck.engine.observation import DEALER, Observation, observe
from croupier.banluck.engine.player_turn import hit, stand
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.engine.settlement import Outcome, forfeits, settle
from croupier.banluck.engine.state import Action, ActionKind, GameState, Phase, new_hand
from croupier.banluck.engine.text import describe, describe_action, describe_settlement, narrate

__all__ = [
    "BANLUCK",
    "DEALER",
    "Action",
    "ActionKind",
    "BanluckRules",
    "DealtHand",
    "GameState",
    "HandClass",
    "Observation",
    "Outcome",
    "Phase",
    "act",
    "cards_needed",
    "deal",
    "dealer_stand",
    "describe",
    "describe_action",
    "describe_settlement",
    "draw",
    "evaluate",
    "evaluate_classes",
    "forfeits",
    "from_json",
    "hit",
    "keep",
    "legal_actions",
    "narrate",
    "new_hand",
    "observe",
    "reveal",
    "settle",
    "show",
    "stand",
    "steps",
    "surrender",
    "to_json",
]
