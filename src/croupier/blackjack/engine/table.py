"""A round and the shoe that it is dealt from: hands in the cards that the engine asks for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from croupier.blackjack.engine.actions import act, cards_needed, forced_action
from croupier.blackjack.engine.betting import start_round
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import BlackjackShoe
from croupier.blackjack.engine.side_bets import SideBets
from croupier.blackjack.engine.state import Action, ActionKind, RoundState


@dataclass(frozen=True, slots=True)
class Table:
    """A state and the cards still to come.

    Examples
    --------
    >>> from croupier.blackjack.engine import legal_actions
    >>> rules = BlackjackRules()
    >>> table = Table.opened(rules, BlackjackShoe.shuffled(rules, seed=3), bets=[1])
    >>> table.state.phase
    <Phase.PLAYERS: 'players'>
    >>> table = table.act(legal_actions(table.state)[0])
    >>> len(table.state.dealt_cards) + len(table.shoe.undealt)
    312
    """

    state: RoundState
    shoe: BlackjackShoe

    @classmethod
    def opened(
        cls,
        rules: BlackjackRules,
        shoe: BlackjackShoe,
        bets: Sequence[float],
        side_bets: Sequence[SideBets] = (),
    ) -> "Table":
        """Start a round and deal."""
        table = cls(start_round(rules, bets, side_bets), shoe.begin_round())
        return table.act(Action(ActionKind.DEAL))

    def act(self, action: Action) -> "Table":
        """Do an action, with the next cards of the shoe if it needs any."""
        cards, rest = self.shoe.deal(cards_needed(self.state, action))
        if action.kind is ActionKind.DEAL:
            cards = _hand_by_hand(cards, len(self.state.seats))
        return Table(act(self.state, replace(action, cards=cards)), rest)

    def advanced(self) -> "Table":
        """Let the dealer do what leaves nobody a choice, until a player is to decide or the round is over.

        >>> rules = BlackjackRules(hole_card="no-peek")
        >>> table = Table.opened(rules, BlackjackShoe.stacked(rules, [51, 0, 47], seed=1), bets=[1])
        >>> table.state.is_over, str(table.state.hand_value(0)), table.advanced().state.results
        (True, 'natural', (1.5,))
        """
        table = self
        while (action := forced_action(table.state)) is not None:
            table = table.act(action)
        return table


def _hand_by_hand(cards: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Regroup cards dealt round the table, the dealer after the players, twice, into hands.

    At a table without a hole card the second round ends with the last player.
    """
    second_round = seats + 1
    hands = (card for seat in range(seats) for card in (cards[seat], cards[second_round + seat]))
    return (*hands, cards[seats], *cards[second_round + seats :])
