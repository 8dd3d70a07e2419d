"""The state of one game of durak: frozen, hashable, and a function of its rules, its deck and its history.

Nothing here changes a state. A game begins in :mod:`~croupier.durak.engine.dealing`; the operations in
:mod:`~croupier.durak.engine.attack`, :mod:`~croupier.durak.engine.defence` and
:mod:`~croupier.durak.engine.throw_in` return new states. Seats are 0 (player 1) and 1 (player 2).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from croupier.durak.engine.pack import beats, cards_text, suit_of
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.errors import InputError

Cards = tuple[int, ...]


class IllegalMove(InputError):  # noqa: N818 - the table's word for it
    """A move that the rules do not allow now; the message says why and what they do allow."""


class Result(StrEnum):
    """How a game ended, as the log writes it."""

    FIRST = "1-0"
    SECOND = "0-1"
    DRAW = "s-s"


class ActionKind(StrEnum):
    """Everything that a player can do."""

    ATTACK = "attack"
    DONE = "done"
    DEFEND = "defend"
    TAKE = "take"
    THROW_IN = "throw_in"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that the player in turn does, and with which cards."""

    kind: ActionKind
    cards: Cards = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the action as plain JSON data.

        >>> Action(ActionKind.ATTACK, (51,)).to_dict()
        {'action': 'attack', 'cards': 'AS'}
        """
        data: dict[str, Any] = {"action": self.kind.value}
        if self.cards:
            data["cards"] = cards_text(self.cards)
        return data


@dataclass(frozen=True, slots=True)
class GameState:
    """One game of durak at some moment.

    The table holds attack cards at even places and the cards that beat them at odd ones. Cards thrown in after a take
    lie apart; they and the table go to the taker with the deal that follows, so they stay visible only where
    throwing them in ended the game. ``dealt`` holds what each seat got in the last deal, a taker's cards from the
    table included; ``taken`` holds, for each seat, the cards in hand that came from the table, which the other side
    therefore knows.

    Examples
    --------
    >>> from croupier.durak.engine.attack import attack
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK, read_card
    >>> state = start(DurakRules(), PACK, leader=1)
    >>> state.phase, state.to_act, state.deck_count
    (<Phase.ATTACK: 'attack'>, 1, 24)
    >>> state = attack(state, read_card("8S"))
    >>> state.phase, state.to_act
    (<Phase.DEFEND: 'defend'>, 0)
    """

    rules: DurakRules
    deck: Cards
    leader: int
    hands: tuple[Cards, Cards]
    drawn: int
    attacker: int
    dealt: tuple[Cards, Cards]
    table: Cards = ()
    thrown_in: Cards = ()
    discarded: Cards = ()
    is_taking: bool = False
    bout: int = 1
    taken: tuple[Cards, Cards] = ((), ())
    history: tuple[Action, ...] = ()

    @property
    def defender(self) -> int:
        """The seat that defends in this bout."""
        return 1 - self.attacker

    @property
    def trump(self) -> int:
        """The card that lies open under the stock; its suit is trumps."""
        return self.deck[-1]

    @property
    def trump_suit(self) -> int:
        """The suit of trumps, 0-3."""
        return suit_of(self.deck[-1])

    @property
    def stock(self) -> Cards:
        """The cards that are still to be drawn, in order; the open trump is the last."""
        return self.deck[self.drawn :]

    @property
    def deck_count(self) -> int:
        """How many cards the stock holds, the open trump included."""
        return len(self.deck) - self.drawn

    @property
    def attack_cards(self) -> Cards:
        """The cards with which this bout's attacker has attacked, those thrown in after a take included."""
        return self.table[::2] + self.thrown_in

    @property
    def attack_room(self) -> int:
        """How many more attack cards the rules allow in this bout, whatever the hands hold."""
        return self.rules.attack_cap(self.bout) - len(self.attack_cards)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: the stock is gone and so is a hand, and no last answer is due.

        The answer that may be due: the attacker has played the last card, and the only card that the defender holds
        beats it. Whoever cannot answer, or holds more, has lost at once.
        """
        if self.deck_count or (self.hands[0] and self.hands[1]):
            return False
        return not self._last_answer_is_due

    @property
    def phase(self) -> Phase:
        """What the player in turn is asked for."""
        if self.is_over:
            return Phase.OVER
        if self.is_taking:
            return Phase.THROW_IN
        return Phase.DEFEND if len(self.table) % 2 else Phase.ATTACK

    @property
    def to_act(self) -> int | None:
        """The seat in turn; None when the game is over."""
        match self.phase:
            case Phase.OVER:
                return None
            case Phase.DEFEND:
                return self.defender
            case Phase.ATTACK | Phase.THROW_IN:
                return self.attacker

    @property
    def throw_in_limit(self) -> int:
        """How many cards may be thrown in after a take, as the hands and the rules stand.

        The defender must not end up with more attack cards than cards held at the start of the bout, so one less than
        the defender's hand: the card that was not beaten counts too.
        """
        return max(0, min(len(self.hands[self.defender]) - 1, self.attack_room))

    @property
    def winner(self) -> int | None:
        """The seat that has won; None in a draw, and as long as the game is not over."""
        if not self.is_over or not (self.hands[0] or self.hands[1]):
            return None
        return 1 if self.hands[0] else 0

    @property
    def result(self) -> Result | None:
        """The result as the log writes it; None as long as the game is not over."""
        if not self.is_over:
            return None
        return {0: Result.FIRST, 1: Result.SECOND, None: Result.DRAW}[self.winner]

    def after(self, seat: int, action: Action, **changes: Any) -> "GameState":
        """Return the state with an action added to its history, its cards gone from a hand, and further changes."""
        gone = action.cards
        hand = tuple(card for card in self.hands[seat] if card not in gone)
        known = tuple(card for card in self.taken[seat] if card not in gone)
        return replace(
            self,
            hands=_placed(self.hands, seat, hand),
            taken=_placed(self.taken, seat, known),
            history=(*self.history, action),
            **changes,
        )

    @property
    def _last_answer_is_due(self) -> bool:
        if self.is_taking or len(self.table) % 2 == 0:
            return False
        held = self.hands[self.defender]
        return len(held) == 1 and beats(held[0], self.table[-1], self.trump_suit)


def _placed(pair: tuple[Cards, Cards], seat: int, cards: Cards) -> tuple[Cards, Cards]:
    return (cards, pair[1]) if seat == 0 else (pair[0], cards)
