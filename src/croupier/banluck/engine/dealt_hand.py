"""A hand and the shoe that it is dealt from: hands in the cards that the engine asks for."""

from dataclasses import dataclass, replace

from croupier.banluck.engine.actions import act, cards_needed
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.state import Action, ActionKind, GameState, new_hand
from croupier.cards import Shoe


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A state and the cards still to come.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, legal_actions
    >>> table = DealtHand.opened(BanluckRules(), Shoe.shuffled(seed=1))
    >>> table.state.phase
    <Phase.PLAYER: 'player'>
    >>> table = table.act(legal_actions(table.state)[0])
    >>> len(table.state.dealt_cards) + len(table.shoe)
    52
    """

    state: GameState
    shoe: Shoe

    @classmethod
    def opened(cls, rules: BanluckRules, shoe: Shoe, players: int = 1) -> "DealtHand":
        """Seat the players and deal."""
        return cls(new_hand(rules, players), shoe).act(Action(ActionKind.DEAL))

    def act(self, action: Action) -> "DealtHand":
        """Do an action, with the next cards of the shoe if it needs any."""
        cards, rest = self.shoe.deal(cards_needed(self.state, action))
        if action.kind is ActionKind.DEAL:
            cards = _hand_by_hand(cards)
        return DealtHand(act(self.state, replace(action, cards=cards)), rest)


def _hand_by_hand(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Regroup cards dealt round the table, one each twice, into hands."""
    hands = len(cards) // 2
    return tuple(card for hand in range(hands) for card in (cards[hand], cards[hand + hands]))
