"""The state of one Banluck hand: frozen, hashable, and a function of its rules and its history.

Nothing here changes a state; the operations in :mod:`~croupier.banluck.engine.dealing`,
:mod:`~croupier.banluck.engine.player_turn` and :mod:`~croupier.banluck.engine.dealer_turn` return new ones.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from croupier.banluck.engine.hand import HandValue, evaluate
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.engine.permissions import (
    DealerPermission,
    dealer_permission,
    may_be_opened,
    may_surrender,
)
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import Settlement, settle
from croupier.cards import CardError, format_card, verify_distinct
from croupier.cards.seat_action import SeatAction
from croupier.errors import InputError

MAX_SEATS = 7


class Phase(StrEnum):
    """Where a hand stands: the point at which somebody has something to do."""

    DEAL = "deal"
    SURRENDER = "surrender"
    SPECIALS = "specials"
    PLAYER = "player"
    REVEAL = "reveal"
    DEALER = "dealer"
    SETTLEMENT = "settlement"


class ActionKind(StrEnum):
    """Everything that can happen at the table."""

    DEAL = "deal"
    SURRENDER = "surrender"
    KEEP = "keep"
    SHOW = "show"
    HIT = "hit"
    STAND = "stand"
    REVEAL = "reveal"
    DRAW = "draw"
    DEALER_STAND = "dealer-stand"


class Action(SeatAction[ActionKind]):
    """One thing that is done at a table of this game."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: the cards, whether the player has finished drawing, and the result once there is one."""

    cards: tuple[int, ...] = ()
    has_finished: bool = False
    settlement: Settlement | None = None

    @property
    def is_closed(self) -> bool:
        """Still in the hand: not opened and settled yet."""
        return self.settlement is None


@dataclass(frozen=True)  # without slots: what follows from the facts is worked out once
class GameState:
    """One hand of Banluck at some moment.

    Examples
    --------
    >>> from croupier.banluck.engine import deal, hit, new_hand
    >>> from croupier.cards import parse_card, parse_cards
    >>> state = deal(new_hand(BanluckRules()), [parse_cards("10H 4C")], parse_cards("9C KD"))
    >>> state.phase, state.turn
    (<Phase.PLAYER: 'player'>, 0)
    >>> state = hit(state, parse_card("6S"))
    >>> str(state.hand_value(0))
    '20'
    """

    rules: BanluckRules
    seats: tuple[Seat, ...]
    dealer_cards: tuple[int, ...] = ()
    specials_shown: bool = False
    surrender_declined: bool = False
    history: tuple[Action, ...] = ()

    def hand_value(self, seat: int) -> HandValue:
        """Judge a player's cards."""
        return evaluate(self.seats[seat].cards, self.rules)

    @cached_property
    def dealer_value(self) -> HandValue:
        """Judge the dealer's cards."""
        return evaluate(self.dealer_cards, self.rules)

    @cached_property
    def closed_seats(self) -> tuple[int, ...]:
        """The seats that are not settled yet."""
        return tuple(seat for seat, player in enumerate(self.seats) if player.is_closed)

    @property
    def revealable_seats(self) -> tuple[int, ...]:
        """The closed seats that the dealer may open at a total of choice: those of enough cards."""
        return tuple(
            seat for seat in self.closed_seats if may_be_opened(len(self.seats[seat].cards), self.rules)
        )

    @cached_property
    def has_ban(self) -> bool:
        """Whether anybody still in the hand was dealt a Ban Ban or a Ban Luck."""
        return self.dealer_value.is_ban or any(self.hand_value(seat).is_ban for seat in self.closed_seats)

    @property
    def turn(self) -> int | None:
        """The seat that has to act in the player phase, else None."""
        return self._seat_to_act() if self.phase is Phase.PLAYER else None

    @cached_property
    def phase(self) -> Phase:
        """The next thing that somebody has to do follows from the facts alone."""
        if not self.dealer_cards:
            return Phase.DEAL
        if not self.closed_seats:
            return Phase.SETTLEMENT
        if self._surrender_is_open():
            show_first = self.rules.surrender == "after_specials" and self.has_ban and not self.specials_shown
            return Phase.SPECIALS if show_first else Phase.SURRENDER
        if self.has_ban:
            return Phase.SPECIALS
        if self._seat_to_act() is not None:
            return Phase.PLAYER
        at_choice = dealer_permission(self.dealer_value, self.rules) is DealerPermission.CHOICE
        return Phase.REVEAL if at_choice and self.revealable_seats else Phase.DEALER

    @property
    def is_over(self) -> bool:
        """Every player has a result."""
        return self.phase is Phase.SETTLEMENT

    @property
    def results(self) -> tuple[float | None, ...]:
        """Each player's result in units; None while it is open."""
        return tuple(None if seat.settlement is None else seat.settlement.units for seat in self.seats)

    @property
    def dealer_result(self) -> float:
        """The dealer's result over all players settled so far: the game is zero-sum."""
        return 0.0 - sum(units for units in self.results if units is not None)

    @property
    def dealt_cards(self) -> tuple[int, ...]:
        """Every card on the table, players first."""
        return tuple(card for seat in self.seats for card in seat.cards) + self.dealer_cards

    def verify_undealt(self, cards: tuple[int, ...]) -> None:
        """Raise a CardError if a card is not one, comes twice, or is on the table already."""
        verify_distinct(cards)
        for card in cards:
            if card in self.dealt_cards:
                raise CardError(f"card '{format_card(card)}' is on the table already; a deck holds it once")

    def with_action(self, action: Action) -> "GameState":
        """Return the state with an action added to its history."""
        return replace(self, history=(*self.history, action))

    def with_seat(self, seat: int, player: Seat) -> "GameState":
        """Return the state with one seat replaced."""
        return replace(self, seats=(*self.seats[:seat], player, *self.seats[seat + 1 :]))

    def settled(self, seats: tuple[int, ...]) -> "GameState":
        """Return the state with some seats settled against the dealer's present hand."""
        state = self
        for seat in seats:
            result = settle(state.hand_value(seat), state.dealer_value, state.rules)
            state = state.with_seat(seat, replace(state.seats[seat], settlement=result))
        return state

    def _surrender_is_open(self) -> bool:
        return not self.surrender_declined and may_surrender(multiset_of(self.dealer_cards), self.rules)

    def _seat_to_act(self) -> int | None:
        return next((seat for seat in self.closed_seats if not self.seats[seat].has_finished), None)


def new_hand(rules: BanluckRules, players: int = 1) -> GameState:
    """Return an empty table, before the deal.

    >>> new_hand(BanluckRules(), players=8)
    Traceback (most recent call last):
    croupier.errors.InputError: 8 players; a table seats 1 to 7
    """
    if not 1 <= players <= MAX_SEATS:
        raise InputError(f"{players} players; a table seats 1 to {MAX_SEATS}")
    return GameState(rules, (Seat(),) * players)
