"""The rules of blackjack: bets, hands, shoe, rounds, settlement. Pure: cards are handed in.

Examples
--------
>>> from croupier.blackjack.engine import BlackjackRules, deal, dealer_stand, narrate, stand, start_round
>>> from croupier.cards import parse_cards
>>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 9C")], parse_cards("7C KD"))
>>> for sentence in narrate(dealer_stand(stand(state))):
...     print(sentence)
The cards are dealt: player 1 T♥ 9♣  19; dealer 7♣ K♦  17.
Player 1 stands on 19.
The dealer stands at 17.
  Player 1 with T♥ 9♣  19 wins 10 units (the better hand).
Over: the bank loses 10 units.
"""

from croupier.blackjack.engine.actions import (
    act,
    cards_needed,
    extra_bet,
    forced_action,
    from_json,
    legal_actions,
    to_json,
)
from croupier.blackjack.engine.betting import (
    MAX_SEATS,
    start_round,
    verify_bet,
    verify_side_bets,
    verify_start_round,
)
from croupier.blackjack.engine.dealer_turn import dealer_stand, draw, peek
from croupier.blackjack.engine.dealing import deal, verify_deal
from croupier.blackjack.engine.hand import HandValue, evaluate, evaluate_classes
from croupier.blackjack.engine.insurance import insure
from croupier.blackjack.engine.player_turn import (
    double,
    hit,
    split,
    stand,
    surrender,
)
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.engine.session import Session, ShoeStatistics
from croupier.blackjack.engine.settlement import Outcome, settle, settle_at_once, settle_surrender
from croupier.blackjack.engine.shoe import BlackjackShoe, endless_cards, pack_of
from croupier.blackjack.engine.side_bets import (
    NO_SIDE_BETS,
    PairKind,
    PokerKind,
    SideBets,
    classify_pair,
    classify_poker,
    prize,
    settle_side_bets,
)
from croupier.blackjack.engine.state import Action, ActionKind, Hand, Phase, RoundState, Turn
from croupier.blackjack.engine.table import Table
from croupier.blackjack.engine.text import DEALER, describe, describe_action, narrate
from croupier.cards.seat_action import IllegalAction

__all__ = [
    "BLACKJACK",
    "DEALER",
    "MAX_SEATS",
    "NO_SIDE_BETS",
    "Action",
    "ActionKind",
    "BlackjackRules",
    "BlackjackShoe",
    "Hand",
    "HandValue",
    "IllegalAction",
    "Outcome",
    "PairKind",
    "Phase",
    "PokerKind",
    "RoundState",
    "Session",
    "ShoeStatistics",
    "SideBets",
    "Table",
    "Turn",
    "act",
    "cards_needed",
    "classify_pair",
    "classify_poker",
    "deal",
    "dealer_stand",
    "describe",
    "describe_action",
    "double",
    "draw",
    "endless_cards",
    "evaluate",
    "evaluate_classes",
    "extra_bet",
    "forced_action",
    "from_json",
    "hit",
    "insure",
    "legal_actions",
    "narrate",
    "pack_of",
    "peek",
    "prize",
    "settle",
    "settle_at_once",
    "settle_side_bets",
    "settle_surrender",
    "split",
    "stand",
    "start_round",
    "surrender",
    "to_json",
    "verify_bet",
    "verify_deal",
    "verify_side_bets",
    "verify_start_round",
]
