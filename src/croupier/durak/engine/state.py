"""The state of one game of durak: frozen, hashable, and a function of its rules, its deck and its history.

Nothing here changes a state. A game begins in :mod:`~croupier.durak.engine.dealing`; the operations in
:mod:`~croupier.durak.engine.attack`, :mod:`~croupier.durak.engine.defence`, :mod:`~croupier.durak.engine.transfer` and
:mod:`~croupier.durak.engine.throw_in` return new states. Seats are numbered from 0 (player 1), clockwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DurakRules
from croupier.errors import InputError

Cards = tuple[int, ...]

#: So many takes in a row, with nobody drawing a card, end a game in a draw: three or five players could pass their cards round for
#: ever. Between two, the attacker runs out of cards long before.
MOST_TAKES = 60


class IllegalMove(InputError):  # noqa: N818 - the table's word for it
    """A move that the rules do not allow now; the message says why and what they do allow."""


class Result(StrEnum):
    """How a game of two ended, as the log writes it."""

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
    TRANSFER = "transfer"
    SHOW = "show"


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


class Setup(NamedTuple):
    """How a game began that was not dealt from a full stock: the hands, and how many cards of the deck were gone from the stock."""

    hands: tuple[Cards, ...]
    drawn: int


@dataclass(frozen=True, slots=True)
class GameState:
    """One game of durak at some moment.

    The table holds attack cards at even places and the cards that beat them at odd ones. An attack that was passed on
    has several cards: the first lies on the table, the others wait until it is beaten. Cards thrown in after a take
    lie apart; they and the table go to the taker with the deal that follows, so they stay visible only where
    throwing them in ended the game. ``dealt`` holds what each seat got in the last deal, a taker's cards from the
    table included; ``taken`` holds, for each seat, the cards in hand that came from the table or were shown, which
    the others therefore know. ``passed`` holds the seats that have nothing more to add, ``shown`` the trumps that have
    passed on the attack of this bout. ``takes`` counts the bouts that ended with a take since an
    attack was beaten or a card was drawn. ``setup`` is how a game began that was set up (see
    :func:`~croupier.durak.engine.dealing.set_up`); None for one that was dealt.

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
    hands: tuple[Cards, ...]
    drawn: int
    attacker: int
    defender: int
    dealt: tuple[Cards, ...]
    table: Cards = ()
    waiting: Cards = ()
    thrown_in: Cards = ()
    discarded: Cards = ()
    is_taking: bool = False
    passed: tuple[int, ...] = ()
    shown: Cards = ()
    bout: int = 1
    taken: tuple[Cards, ...] = ((), ())
    takes: int = 0
    history: tuple[Action, ...] = ()
    setup: Setup | None = None

    @property
    def trump(self) -> int:
        """The card that lies open under the stock; its suit is trumps."""
        return self.deck[-1]

    @property
    def trump_suit(self) -> int:
        """The suit of trumps, 0-3."""
        return self.rules.trump_suit(self.deck[-1])

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
        """The attack cards of this bout, those thrown in after a take included."""
        return self.table[::2] + self.waiting + self.thrown_in

    @property
    def open_count(self) -> int:
        """How many attack cards the defender has still to beat."""
        return len(self.table) % 2 + len(self.waiting)

    @property
    def attack_room(self) -> int:
        """How many more attack cards the rules allow in this bout, whatever the hands hold."""
        return self.rules.attack_cap(self.bout) - len(self.attack_cards)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: the stock is gone, at most one side holds cards, and no last answer is due; or cards only go round.

        The answer that may be due: the attackers have played their last cards, and the defender holds as many cards as are to
        be beaten and can beat the next one. Whoever cannot answer, or holds more, has lost at once.
        """
        if self.takes >= MOST_TAKES:
            return True
        if self.drawn < len(self.deck):
            return False
        sides = {self.rules.side_of(seat) for seat in self.holders}
        return len(sides) <= 1 and not self._last_answer_is_due

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
                return self.adder if self.table else self.attacker

    @property
    def holders(self) -> tuple[int, ...]:
        """The seats that hold cards, in order."""
        return tuple(seat for seat, hand in enumerate(self.hands) if hand)

    @property
    def adder(self) -> int | None:
        """The seat that is asked next whether it adds a card to the attack; None when nobody is left.

        The attacker comes first, then the others clockwise from the defender, as far as the rules let them and as they hold
        cards.
        """
        return next((seat for seat in self._adders() if seat not in self.passed and self.hands[seat]), None)

    def seats_from(self, seat: int) -> Iterator[int]:
        """List all seats clockwise, beginning with one."""
        count = len(self.hands)
        return (place % count for place in range(seat, seat + count))

    def target_of(self, attacker: int) -> int | None:
        """Return whom a seat attacks: the next player with cards who is no partner; None where there is nobody."""
        side = self.rules.side_of(attacker)
        for seat in self.seats_from(attacker + 1):
            if self.hands[seat] and self.rules.side_of(seat) != side:
                return seat
        return None

    @property
    def throw_in_limit(self) -> int:
        """How many cards may be thrown in after a take, as the hands and the rules stand.

        The defender must not end up with more attack cards than cards held at the start of the bout, so one less than
        the defender's hand: the card that was not beaten counts too.
        """
        room = len(self.hands[self.defender]) - 1 - len(self.waiting) - len(self.thrown_in)
        return max(0, min(room, self.attack_room))

    @property
    def losers(self) -> tuple[int, ...]:
        """The seats that have lost: the fool, and partners; none in a draw, and as long as the game is not over."""
        holders = self.holders
        if not holders or self.takes >= MOST_TAKES or not self.is_over:
            return ()
        side = self.rules.side_of(holders[0])
        return tuple(seat for seat in range(len(self.hands)) if self.rules.side_of(seat) == side)

    def points(self, seat: int) -> float:
        """Return what a game that is over is worth to a seat: 1 for all but the losers, ½ in a draw.

        >>> from croupier.durak.engine.dealing import start
        >>> from croupier.durak.engine.pack import PACK
        >>> start(DurakRules(), PACK).points(0)
        0.5
        """
        losers = self.losers
        return float(seat not in losers) if losers else 0.5

    @property
    def winner(self) -> int | None:
        """The seat that has won a game of two; None in a draw, as long as the game is not over, and where more play."""
        losers = self.losers
        return 1 - losers[0] if losers and len(self.hands) == 2 else None

    @property
    def result(self) -> Result | None:
        """The result of a game of two as the log writes it; None as long as the game is not over."""
        if len(self.hands) != 2 or not self.is_over:
            return None
        return {0: Result.FIRST, 1: Result.SECOND, None: Result.DRAW}[self.winner]

    def after(self, seat: int, action: Action, **changes: Any) -> "GameState":
        """Return the state with an action added to its history, its cards gone from a hand, and further changes."""
        gone = action.cards
        hand = tuple(card for card in self.hands[seat] if card not in gone)
        known = tuple(card for card in self.taken[seat] if card not in gone)
        return replace(
            self,
            hands=placed(self.hands, seat, hand),
            taken=placed(self.taken, seat, known),
            history=(*self.history, action),
            **changes,
        )

    def _adders(self) -> Iterator[int]:
        """List the seats that the rules let add cards to this attack, whether or not they hold any."""
        rule = self.rules.throw_in
        if rule == "none":
            return
        yield self.attacker
        if rule == "attacker":
            return
        others = [seat for seat in self.seats_from(self.defender + 1) if self.hands[seat]]
        side = self.rules.side_of(self.defender)
        for seat in others[:1] if rule == "neighbours" else others:
            if seat != self.attacker and self.rules.side_of(seat) != side:
                yield seat

    @property
    def _last_answer_is_due(self) -> bool:
        if not self.rules.draws or self.is_taking or not self.open_count:
            return False
        held = self.hands[self.defender]
        if len(held) != self.open_count or any(
            hand for seat, hand in enumerate(self.hands) if seat != self.defender
        ):
            return False
        return any(self.rules.beats(card, self.table[-1], self.trump_suit) for card in held)


def placed(seats: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    """Return what each seat has, with one seat's cards replaced.

    >>> placed(((1,), (2,)), 1, (3,))
    ((1,), (3,))
    """
    return (*seats[:seat], cards, *seats[seat + 1 :])
