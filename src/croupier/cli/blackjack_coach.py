"""A coach at the terminal table: what each action is worth from the cards that are left, and what the choice cost."""

from collections.abc import Sequence

from croupier.blackjack.engine import Action, ActionKind, BlackjackRules, RoundState, Session
from croupier.blackjack.solvers.hand_values import hand_values
from croupier.blackjack.solvers.removal import insurance_value
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import rank_of

_WORDS = {
    ActionKind.HIT: "hit",
    ActionKind.STAND: "stand",
    ActionKind.DOUBLE: "double",
    ActionKind.SPLIT: "split",
    ActionKind.SURRENDER: "surrender",
}


class Coach:
    """Prices a person's decisions exactly, from all cards that the person has seen in this shoe."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules
        self.total_cost = 0.0

    def comment(self, session: Session, action: Action, legal: Sequence[Action]) -> str:
        """Say what an action is worth against the others, in bets, and add its cost to the total."""
        table = session.table
        assert table is not None, "a round is being played"
        state = table.state
        seen = self._seen(session, state)
        if action.kind in (ActionKind.INSURE, ActionKind.DECLINE):
            return self._insurance(action, seen)
        values = self._values(state, seen, legal)
        word = "keep" if action.kind is ActionKind.KEEP else _WORDS[action.kind]
        best = max(values, key=lambda name: values[name])
        cost = values[best] - values[word]
        self.total_cost += cost
        worths = ", ".join(
            f"{name} {worth:+.3f}" for name, worth in sorted(values.items(), key=lambda entry: -entry[1])
        )
        if cost <= 0:
            return f"[green]coach: {worths}: right[/green]"
        return f"[yellow]coach: {worths}: {word} costs {cost:.3f}[/yellow]"

    def _values(self, state: RoundState, seen: list[int], legal: Sequence[Action]) -> dict[str, float]:
        turn = state.turn
        assert turn is not None, "a player is to decide"
        assert state.up_card is not None, "the cards are dealt"
        hand = state.seats[turn.seat].hands[turn.hand]
        own, up_card = [rank_of(card) for card in hand.cards], rank_of(state.up_card)
        removed = seen.copy()
        for rank in (*own, up_card):
            removed.remove(rank)
        priced = hand_values(self._rules_for(state), own, up_card, removed).actions
        if any(action.kind is ActionKind.KEEP for action in legal):
            playing_on = max(worth for name, worth in priced.items() if name != "surrender")
            return {"keep": playing_on, "surrender": priced["surrender"]}
        allowed = {_WORDS[action.kind] for action in legal if action.kind in _WORDS}
        return {name: worth for name, worth in priced.items() if name in allowed}

    def _rules_for(self, state: RoundState) -> BlackjackRules:
        """Return the rules with as many hands as splitting this one may still make, as if it were the only one to be split again."""
        turn = state.turn
        assert turn is not None, "a player is to decide"
        others = len(state.seats[turn.seat].hands) - 1
        return self._rules.replaced({"split_hands": max(self._rules.split_hands - others, 1)})

    def _insurance(self, action: Action, seen: list[int]) -> str:
        worth = insurance_value(ShoeCounts.full(self._rules).without(seen)) / 2
        cost = max(-worth if action.kind is ActionKind.INSURE else worth, 0.0)
        self.total_cost += cost
        verdict = "right" if cost == 0 else f"your choice costs {cost:.3f}"
        return (
            f"[{'green' if cost == 0 else 'yellow'}]coach: insurance is worth {worth:+.3f} bets: {verdict}[/]"
        )

    @staticmethod
    def _seen(session: Session, state: RoundState) -> list[int]:
        """Return the ranks of all cards of this shoe that lie or have lain open."""
        earlier = () if session.shoe.is_infinite else session.shoe.discards
        return [rank_of(card) for card in (*earlier, *_open_cards(state))]


def _open_cards(state: RoundState) -> tuple[int, ...]:
    players = tuple(card for seat in state.seats for hand in seat.hands for card in hand.cards)
    return (*players, *state.visible_dealer_cards)
