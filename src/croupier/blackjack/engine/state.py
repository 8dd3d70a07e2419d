"""The state of one round of blackjack: frozen, hashable, and a function of its rules, its bets and its history.

Nothing here changes a state. A round begins in :mod:`~croupier.blackjack.engine.betting`; the operations in
:mod:`~croupier.blackjack.engine.dealing`, :mod:`~croupier.blackjack.engine.insurance`,
:mod:`~croupier.blackjack.engine.player_turn` and :mod:`~croupier.blackjack.engine.dealer_turn` return new states.
"""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from croupier.blackjack.engine.bonuses import bonus_of_21, natural_ratio
from croupier.blackjack.engine.hand import HandValue, evaluate
from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import surrenders_early, why_not_surrender
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.settlement import Settlement, Wager
from croupier.blackjack.engine.side_bets import NO_SIDE_BETS, SideBets, SideSettlement
from croupier.cards import (
    ACE,
    ACE_CLASS,
    DECK_SIZE,
    TEN,
    TEN_CLASS,
    CardError,
    format_card,
    point_class,
    rank_of,
)
from croupier.cards.seat_action import SeatAction


class Phase(StrEnum):
    """Where a round stands: the point at which somebody has something to do. The bets are made before it."""

    DEAL = "deal"
    EARLY_SURRENDER = "early surrender"
    INSURANCE = "insurance"
    PEEK = "peek"
    PLAYERS = "players"
    DEALER = "dealer"
    SETTLEMENT = "settlement"


class ActionKind(StrEnum):
    """Everything that can happen at the table."""

    DEAL = "deal"
    SURRENDER = Move.SURRENDER.value
    KEEP = "keep"
    INSURE = "insure"
    DECLINE = "decline"
    PEEK = "peek"
    COMPLETE = "complete"
    HIT = Move.HIT.value
    STAND = Move.STAND.value
    DOUBLE = Move.DOUBLE.value
    SPLIT = Move.SPLIT.value
    DRAW = "draw"
    DEALER_STAND = "dealer-stand"


class Action(SeatAction[ActionKind]):
    """One thing that is done at a table of this game."""

    __slots__ = ()


class Turn(NamedTuple):
    """Who has to decide: a seat, and which of its hands."""

    seat: int
    hand: int


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a player: its cards, its bet, and what has become of it.

    A hand may have come from a split with a free bet, or be doubled with one: then a part of what it wins is not at risk.
    """

    cards: tuple[int, ...]
    bet: float
    doubles: int = 0
    from_split: bool = False
    is_free: bool = False
    is_doubled_free: bool = False
    has_finished: bool = False
    has_surrendered: bool = False
    settlement: Settlement | None = None

    @property
    def is_doubled(self) -> bool:
        """Doubled, once or more."""
        return self.doubles > 0

    @property
    def prize(self) -> float:
        """What the hand wins at even money: its bet, twice that each time it is doubled."""
        return float(self.bet * 2**self.doubles)

    @property
    def stake(self) -> float:
        """What the player has on the hand: the prize without free bets."""
        doubled = 0.0 if self.is_doubled_free else self.prize - self.bet
        return doubled if self.is_free else self.bet + doubled

    @property
    def is_open(self) -> bool:
        """Not settled yet."""
        return self.settlement is None

    @property
    def is_split_ace(self) -> bool:
        """An ace that was split off, with whatever it got since."""
        return self.from_split and rank_of(self.cards[0]) == ACE


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: the bets, the hands, and what the player decided before the turns.

    Insurance is None until the player has answered, 0 when it was declined.
    """

    bet: float
    side_bets: SideBets = NO_SIDE_BETS
    hands: tuple[Hand, ...] = ()
    side_settlements: tuple[SideSettlement, ...] = ()
    has_kept: bool = False
    insurance: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether a hand of this seat is still to be settled."""
        return any(hand.is_open for hand in self.hands)

    @property
    def has_open_side_bet(self) -> bool:
        """Whether a side bet waits to learn of a dealer's natural."""
        if self.side_bets is NO_SIDE_BETS:
            return False
        made = sum(amount > 0 for amount in self.side_bets.amounts.values())
        return bool(self.hands) and len(self.side_settlements) < made

    @property
    def total_bets(self) -> float:
        """All that this player has put on the table so far."""
        stakes = sum(hand.stake for hand in self.hands) if self.hands else self.bet
        return stakes + self.side_bets.total + (self.insurance or 0.0)


@dataclass(frozen=True)  # without slots: what follows from the facts is worked out once
class RoundState:
    """One round of blackjack at some moment.

    Examples
    --------
    >>> from croupier.blackjack.engine import deal, hit, start_round
    >>> from croupier.cards import parse_card, parse_cards
    >>> state = deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 4C")], parse_cards("9C KD"))
    >>> state.phase, state.turn
    (<Phase.PLAYERS: 'players'>, Turn(seat=0, hand=0))
    >>> state = hit(state, parse_card("6S"))
    >>> str(state.hand_value(0))
    '20'
    """

    rules: BlackjackRules
    seats: tuple[Seat, ...]
    dealer_cards: tuple[int, ...] = ()
    has_peeked: bool = False
    dealer_has_stood: bool = False
    history: tuple[Action, ...] = ()

    def hand_value(self, seat: int, hand: int = 0) -> HandValue:
        """Judge one of a player's hands."""
        held = self.seats[seat].hands[hand]
        natural = self.rules.natural_beats_21 and not held.from_split
        return evaluate(held.cards, can_be_natural=natural)

    def wager(self, turn: "Turn") -> Wager:
        """Say what lies on a hand, and what its cards are paid where that is special."""
        held, value = self.seats[turn.seat].hands[turn.hand], self.hand_value(*turn)
        pays = None
        if value.is_natural:
            pays = natural_ratio(self.rules, held.cards)
        elif value.total == 21 and not held.is_doubled:
            pays = bonus_of_21(self.rules, held.cards)
        return Wager(held.stake, held.prize, held.is_doubled, pays)

    @property
    def dealer_value(self) -> HandValue:
        """Judge the dealer's cards, the hole card included."""
        return evaluate(self.dealer_cards, can_be_natural=self.rules.natural_beats_21)

    @property
    def up_card(self) -> int | None:
        """The dealer's open card, once there is one."""
        return self.dealer_cards[0] if self.dealer_cards else None

    @property
    def dealer_shows_ace(self) -> bool:
        """Whether the up-card is an ace."""
        return self.up_card is not None and point_class(self.up_card) == ACE_CLASS

    @property
    def dealer_may_have_natural(self) -> bool:
        """Whether the up-card alone leaves room for a natural."""
        if self.up_card is None or not self.rules.natural_beats_21:
            return False
        return point_class(self.up_card) in (TEN_CLASS, ACE_CLASS)

    @cached_property
    def dealer_natural(self) -> bool | None:
        """Whether the dealer has a natural, as far as the table knows; None while that is open."""
        if not self.dealer_cards:
            return None
        if not self.dealer_may_have_natural:
            return False
        peeks = self.rules.hole_card == "peek"
        is_known = self.has_peeked if peeks else len(self.dealer_cards) > 1
        return evaluate(self.dealer_cards[:2]).is_natural if is_known else None

    @property
    def hole_card_is_open(self) -> bool:
        """Whether every card of the dealer's lies open: the hole card is turned over when the players are done."""
        return self.rules.hole_card != "peek" or self.phase in (Phase.DEALER, Phase.SETTLEMENT)

    @property
    def visible_dealer_cards(self) -> tuple[int, ...]:
        """The dealer's cards that the players see."""
        return self.dealer_cards if self.hole_card_is_open else self.dealer_cards[:1]

    @property
    def phase(self) -> Phase:
        """The next thing that somebody has to do follows from the facts alone."""
        return self._phase_and_turn[0]

    @property
    def turn(self) -> Turn | None:
        """Whose decision or whose card is next, where that is a player's."""
        return self._phase_and_turn[1]

    @property
    def is_over(self) -> bool:
        """Every bet is settled."""
        return bool(self.dealer_cards) and not self._has_open_bets()

    @property
    def results(self) -> tuple[float | None, ...]:
        """Each player's result over hands, insurance and side bets; None while a part of it is open."""
        return tuple(self.seat_result(seat) for seat in range(len(self.seats)))

    @property
    def bank_result(self) -> float:
        """The bank's result over everything settled so far: the game is zero-sum."""
        settled = 0.0
        for number, seat in enumerate(self.seats):
            settled += sum(hand.settlement.units for hand in seat.hands if hand.settlement is not None)
            settled += (self.insurance_result(number) or 0.0) + self.side_result(number)
        return 0.0 - settled

    def seat_result(self, seat: int) -> float | None:
        """Return a player's result over everything; None while a part of it is open."""
        insurance = self.insurance_result(seat)
        settlements = [hand.settlement for hand in self.seats[seat].hands]
        if insurance is None or not settlements or self.seats[seat].has_open_side_bet:
            return None
        units = [settlement.units for settlement in settlements if settlement is not None]
        return sum(units) + insurance + self.side_result(seat) if len(units) == len(settlements) else None

    def insurance_result(self, seat: int) -> float | None:
        """Return what a player's insurance won or lost: 2 to 1, or the premium; None while that is open."""
        premium = self.seats[seat].insurance
        if not premium:
            return 0.0
        if self.dealer_natural is None:
            return None
        return 2 * premium if self.dealer_natural else -premium

    def side_result(self, seat: int) -> float:
        """Return what a player's side bets won or lost, as far as they are settled: nearly always with the deal."""
        return sum(bet.units for bet in self.seats[seat].side_settlements)

    @property
    def dealt_cards(self) -> tuple[int, ...]:
        """Every card on the table, players first."""
        players = (card for seat in self.seats for hand in seat.hands for card in hand.cards)
        return (*players, *self.dealer_cards)

    def verify_available(self, cards: tuple[int, ...]) -> None:
        """Raise a CardError if a card is not one, or is on the table as often as there are packs."""
        for card in cards:
            if not 0 <= card < DECK_SIZE:
                raise CardError(f"card code {card}: codes run from 0 to {DECK_SIZE - 1}")
            if rank_of(card) == TEN and not self.rules.ten_spots:
                raise CardError(f"card '{format_card(card)}': these packs hold no tens")
        if self.rules.decks == "infinite":
            return
        on_table = Counter((*self.dealt_cards, *cards))
        for card in cards:
            if on_table[card] > self.rules.decks:
                held = "1 pack holds it once"
                if self.rules.decks > 1:
                    held = f"{self.rules.decks} packs hold it {self.rules.decks} times"
                raise CardError(
                    f"card '{format_card(card)}' would be on the table {on_table[card]} times; {held}"
                )

    def with_action(self, action: Action) -> "RoundState":
        """Return the state with an action added to its history."""
        return replace(self, history=(*self.history, action))

    def with_seat(self, number: int, seat: Seat) -> "RoundState":
        """Return the state with one seat replaced."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def with_hands(self, turn: Turn, *hands: Hand) -> "RoundState":
        """Return the state with one hand replaced by one or more."""
        seat = self.seats[turn.seat]
        changed = (*seat.hands[: turn.hand], *hands, *seat.hands[turn.hand + 1 :])
        return self.with_seat(turn.seat, replace(seat, hands=changed))

    @cached_property
    def _phase_and_turn(self) -> tuple[Phase, Turn | None]:
        if not self.dealer_cards:
            return Phase.DEAL, None
        if not self._has_open_bets():
            return Phase.SETTLEMENT, None
        if (seat := self._seat_to_keep()) is not None:
            return Phase.EARLY_SURRENDER, Turn(seat, 0)
        if (seat := self._seat_to_insure()) is not None:
            return Phase.INSURANCE, Turn(seat, 0)
        if self.rules.hole_card == "peek" and self.dealer_natural is None:
            return Phase.PEEK, None
        turn = self._hand_to_act()
        return (Phase.DEALER, None) if turn is None else (Phase.PLAYERS, turn)

    def _has_open_bets(self) -> bool:
        return any(
            seat.is_open or seat.has_open_side_bet or self.insurance_result(number) is None
            for number, seat in enumerate(self.seats)
        )

    def _seat_to_keep(self) -> int | None:
        """Find the seat that has to say whether it gives up before the dealer looks at the hole card."""
        if self.rules.hole_card != "peek" or self.dealer_natural is not None:
            return None
        if not surrenders_early(self.rules) or why_not_surrender(
            self.rules, against_ace=self.dealer_shows_ace
        ):
            return None
        for number, seat in enumerate(self.seats):
            if not seat.has_kept and seat.is_open and not seat.hands[0].has_finished:
                return number
        return None

    def _seat_to_insure(self) -> int | None:
        if not (self.rules.insurance and self.dealer_shows_ace and self.dealer_natural is None):
            return None
        waiting = (n for n, seat in enumerate(self.seats) if seat.insurance is None and seat.is_open)
        return next(waiting, None)

    def _hand_to_act(self) -> Turn | None:
        for number, seat in enumerate(self.seats):
            for place, hand in enumerate(seat.hands):
                if hand.is_open and not hand.has_finished:
                    return Turn(number, place)
        return None
