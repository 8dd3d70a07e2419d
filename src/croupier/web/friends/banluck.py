"""An evening of Banluck: two to eight people, a dealer who rotates, bets, hand after hand."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field

from croupier.banluck.engine import (
    BANLUCK,
    Action,
    ActionKind,
    BanluckRules,
    DealtHand,
    GameState,
    Phase,
    from_json,
    legal_actions,
    to_json,
)
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.engine.observation import seat_is_open
from croupier.banluck.engine.permissions import may_surrender
from croupier.banluck.engine.state import MAX_SEATS
from croupier.banluck.engine.text import shown_cards
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.strategies import HeadsUpStrategies
from croupier.banluck.solvers.choice import drawn_action
from croupier.cards import Shoe
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.saved_state import Saved, read_saved
from croupier.texts import say
from croupier.web.friends.betting import Bets
from croupier.web.friends.game import listed, not_possible
from croupier.web.friends.payments import Payment, settled_between
from croupier.web.friends.seats import Seats

#: How many finished hands are kept for looking back; the totals count all.
REMEMBERED_HANDS = 100

#: The most hands in a row that one dealer may be given.
MOST_HANDS_EACH = 20

KIND = "banluck"

#: The name of an action, and its key.
_KEYS = {
    ActionKind.HIT: ("hit", "h"),
    ActionKind.STAND: ("stand", "s"),
    ActionKind.DRAW: ("draw", "d"),
    ActionKind.DEALER_STAND: ("stand", "s"),
}


@dataclass(frozen=True, slots=True)
class EveningHand:
    """A hand that is over.

    Attributes
    ----------
    number
        Its number, from 1.
    dealer, players
        The seats of the dealer and of the players, in the order in which they acted.
    won
        What each of them won or lost, in cents, the dealer first.
    bets
        The bets of the players, in cents.
    cards
        Their cards at the end, in words.
    actions
        Everything that was done, as JSON.
    """

    number: int
    dealer: int
    players: tuple[int, ...]
    won: tuple[int, ...]
    bets: tuple[int, ...]
    cards: tuple[str, ...]
    actions: str

    def state(self, rules: BanluckRules) -> GameState:
        """Return the hand at its end, played again."""
        data = {"game": "banluck", "rules": rules.model_dump(mode="json"), "players": len(self.players)}
        return from_json(json.dumps({**data, "actions": json.loads(self.actions)}))

    def won_by(self, seat: int) -> int | None:
        """Return what a seat won or lost; None if it did not play."""
        return dict(zip((self.dealer, *self.players), self.won, strict=True)).get(seat)


@dataclass(frozen=True, slots=True)
class BanluckEvening:
    """Hands one after another.

    Forced moves of people are theirs to make: that a card was taken, or a hand passed, before its owner could have clicked would
    tell the others of closed cards. So everybody clicks, the dealer says each time that the hand is played, and a hand that can
    take no more cards keeps its turn until its owner stands.

    Attributes
    ----------
    rules, seed
        The rules, and what all hands are shuffled by.
    hands_each
        How many hands each dealer deals in a row.
    number
        How many hands were dealt.
    dealer, dealt, next_dealer
        The seat of the dealer, how many hands in a row it has dealt, and whose turn it is to deal the next one.
    bets
        Those of the next hand.
    players, stakes, hand
        The hand on the table: the seats of the players in order, their bets in cents, the cards. None before the first.
    is_opening
        Whether the dealer has still to say whether the hand is played.
    holding
        The seat, as the engine counts, that can take no more cards and has not said yet that it stands.
    totals
        What each seat has won or lost, in cents.
    played
        The last hands.
    """

    rules: BanluckRules
    seed: int
    hands_each: int = 1
    number: int = 0
    dealer: int = 0
    dealt: int = 0
    next_dealer: int = 0
    bets: Bets = field(default_factory=Bets)
    players: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()
    hand: DealtHand | None = None
    is_opening: bool = False
    holding: int | None = None
    totals: Mapping[int, int] = field(default_factory=dict)
    played: tuple[EveningHand, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.hands_each <= MOST_HANDS_EACH:
            raise InputError(say("friends.refused.hands_each", hands=self.hands_each, most=MOST_HANDS_EACH))

    kind = KIND
    largest = MAX_SEATS + 1
    is_filled = False

    @property
    def title(self) -> str:
        """The game and its rules in a line."""
        return say("friends.title.banluck", rules=BANLUCK.describe(self.rules))

    @property
    def state(self) -> GameState | None:
        """The hand on the table, all cards open: for the engine, not for a page."""
        return None if self.hand is None else self.hand.state

    @property
    def is_playing(self) -> bool:
        """Whether a hand is under way."""
        if self.hand is None:
            return False
        return self.is_opening or self.holding is not None or not self.hand.state.is_over

    def plays(self, seat: int) -> bool:
        """Say whether a seat takes part in the hand that is under way."""
        return self.is_playing and seat in (self.dealer, *self.players)

    def dealer_now(self, seats: Seats) -> int | None:
        """Return the dealer of the hand on the table, or of the next: whoever cannot deal is passed over."""
        if self.is_playing:
            return self.dealer
        places = [(self.next_dealer + step) % len(seats) for step in range(len(seats))]
        return next((seat for seat in places if seats[seat].is_dealt and not self.bets.is_out(seat)), None)

    def turn(self, seats: Seats) -> int | None:
        """Return the seat that has to act, or has to deal now that all bets are made; None while bets are made."""
        state = self.state
        if not self.is_playing or state is None:
            dealer = self.dealer_now(seats)
            can_deal = dealer is not None and not self.why_no_deal(dealer, seats)
            return dealer if can_deal else None
        if self.is_opening:
            return self.dealer
        place = state.turn if self.holding is None else self.holding
        return self.dealer if place is None else self.players[place]

    def why_no_deal(self, dealer: int, seats: Seats) -> str:
        """Say what the dealer waits for before the deal; nothing if the cards can be dealt."""
        awaited = self.bets.awaited(seats, besides=dealer)
        if awaited:
            names = listed([seats[seat].shown for seat in awaited])
            return say("friends.prompt.waiting_bets", names=names)
        if not self._betting(dealer, seats):
            return say("friends.prompt.waiting_others")
        return ""

    def moment(self, seat: int) -> str:
        """Return the hand, and how much has happened in it."""
        del seat
        if not self.is_playing or self.hand is None:
            return f"{self.number}/bets"
        stage = "opening" if self.is_opening else "hold" if self.holding is not None else ""
        return f"{self.number}/{len(self.hand.state.history)}{stage}"

    def choices(self, seat: int, seats: Seats) -> tuple[Choice, ...]:
        """Return what a seat can do now."""
        if not self.is_playing:
            return self._choices_before(seat, seats)
        if seat != self.turn(seats) or self.hand is None:
            return ()
        if self.holding is not None:
            return (Choice("stand", say("banluck.do.stand"), "s"),)
        if self.is_opening:
            may_surrender = self.hand.state.phase is Phase.SURRENDER
            surrender = (Choice("surrender", say("banluck.do.surrender"), "u"),) if may_surrender else ()
            return (Choice("play", say("friends.do.play"), "Enter"), *surrender)
        return tuple(self._choice(action, seats) for action in legal_actions(self.hand.state))

    def _choices_before(self, seat: int, seats: Seats) -> tuple[Choice, ...]:
        if not seats[seat].is_dealt:
            return ()
        if seat == self.dealer_now(seats):
            ready = not self.why_no_deal(seat, seats)
            others = len([place for place in seats if place.is_dealt]) > 1
            passing = (Choice("pass", say("friends.do.pass"), "p"),) if others and self.dealt == 0 else ()
            return (Choice("deal", say("banluck.do.deal"), "Enter", enabled=ready), *passing)
        bet = self.bets.of(seat, seats)
        label = say("friends.do.change_bet" if bet else "friends.do.bet")
        out = (Choice("sit-out", say("friends.do.sit_out"), "o"),) if bet != 0 else ()
        return (Choice("bet", label, "Enter"), *out)

    def _choice(self, action: Action, seats: Seats) -> Choice:
        if action.kind is ActionKind.REVEAL and action.seat is not None:
            label = say("friends.do.open", name=seats[self.players[action.seat]].shown)
            return Choice(f"open-{action.seat + 1}", label, str(action.seat + 1))
        name, key = _KEYS[action.kind]
        return Choice(name, say(f"banluck.do.{name}"), key)

    def act(self, seat: int, name: str, seats: Seats, cents: int | None = None) -> "BanluckEvening":
        """Do what a seat has chosen: bet, deal, play."""
        choices = self.choices(seat, seats)
        if name not in (choice.name for choice in choices if choice.enabled):
            raise not_possible(name, choices)
        match name:
            case "bet":
                return replace(self, bets=self.bets.with_bet(seat, cents or self.bets.offered(seat)))
            case "sit-out":
                return replace(self, bets=self.bets.sitting_out(seat))
            case "pass":
                return replace(self, next_dealer=(seat + 1) % len(seats), dealt=0)
            case "deal":
                return self._dealt(seat, seats)
            case "play" | "surrender" if self.is_opening:
                return self._opened(surrenders=name == "surrender")
        if self.holding is not None:
            return replace(self, holding=None)._settled()
        hand = self._hand
        actions = {self._choice(action, seats).name: action for action in legal_actions(hand.state)}
        return self._done(actions[name])

    def sat_out(self, seat: int) -> "BanluckEvening":
        """Let a seat sit out that others wait for."""
        return replace(self, bets=self.bets.sitting_out(seat))

    def engine_moved(self, seats: Seats) -> "BanluckEvening | None":
        """Let an engine make one move: deal, or play by the solution for one player."""
        seat = self.turn(seats)
        if seat is None or not seats[seat].is_engine:
            return None
        if not self.is_playing:
            return self._dealt(seat, seats)
        hand = self._hand
        if self.holding is not None:
            return replace(self, holding=None)._settled()
        if self.is_opening and hand.state.phase is not Phase.SURRENDER:
            return self._opened(surrenders=False)
        strategies = HeadsUpStrategies(SOLUTIONS.solve_for_table(self.rules))
        stream = RandomStream((self.seed, self.number, len(hand.state.history)))
        action = drawn_action(strategies.probabilities(hand.state), stream)
        if self.is_opening:
            return self._opened(surrenders=action.kind is ActionKind.SURRENDER)
        return replace(self._done(action), holding=None)._settled()

    @property
    def _hand(self) -> DealtHand:
        assert self.hand is not None, "a hand is under way"
        return self.hand

    def _betting(self, dealer: int, seats: Seats) -> list[int]:
        """Return the seats that have bet, in the order after the dealer."""
        places = [(dealer + step) % len(seats) for step in range(1, len(seats))]
        return [seat for seat in places if self.bets.of(seat, seats)]

    def _dealt(self, dealer: int, seats: Seats) -> "BanluckEvening":
        players = self._betting(dealer, seats)
        number = self.number + 1
        hand = DealtHand.opened(self.rules, _shoe(self.seed, number), len(players))
        dealt = self.dealt + 1 if dealer == self.dealer else 1
        stakes = tuple(self.bets.of(seat, seats) or 0 for seat in players)
        after = replace(
            self,
            number=number,
            dealer=dealer,
            dealt=dealt,
            players=tuple(players),
            stakes=stakes,
            hand=hand,
            holding=None,
            bets=self.bets.next_hand(),
        )
        return replace(after, is_opening=after._has_opening(hand.state))._shown()

    def _has_opening(self, state: GameState) -> bool:
        """Say whether the dealer is asked first; not if that is no option, or everybody is about to see the dealer's Ban hand."""
        if self.rules.surrender == "none":
            return False
        return not (self.rules.surrender == "after_specials" and state.dealer_value.is_ban)

    def _opened(self, *, surrenders: bool) -> "BanluckEvening":
        hand = self._hand
        if hand.state.phase is Phase.SURRENDER:
            hand = hand.act(Action(ActionKind.SURRENDER if surrenders else ActionKind.KEEP))
        return replace(self, hand=hand, is_opening=False)._shown()._settled()

    def _shown(self) -> "BanluckEvening":
        """Show Ban hands. While the dealer is asked, that happens only if the question comes after it."""
        hand = self._hand
        while hand.state.phase is Phase.SPECIALS and (not self.is_opening or self._shows_first(hand.state)):
            hand = hand.act(Action(ActionKind.SHOW))
        return replace(self, hand=hand) if self.is_opening else replace(self, hand=hand)._settled()

    def _shows_first(self, state: GameState) -> bool:
        return self.rules.surrender == "after_specials" and may_surrender(
            multiset_of(state.dealer_cards), self.rules
        )

    def _done(self, action: Action) -> "BanluckEvening":
        before, hand = self._hand.state, self._hand.act(action)
        holding = None
        if action.kind is ActionKind.HIT and before.turn is not None:
            is_passed = hand.state.turn != before.turn
            holding = before.turn if is_passed and not seat_is_open(hand.state, before.turn) else None
        return replace(self, hand=hand, holding=holding)._settled()

    def _settled(self) -> "BanluckEvening":
        """Pay if the hand is over, and give the bank to the next."""
        hand = self._hand
        is_paid = bool(self.played) and self.played[-1].number == self.number
        if is_paid or self.is_playing:
            return self
        won = [
            round((units or 0.0) * cents)
            for units, cents in zip(hand.state.results, self.stakes, strict=True)
        ]
        won = [-sum(won), *won]
        totals = dict(self.totals)
        for seat, cents in zip((self.dealer, *self.players), won, strict=True):
            totals[seat] = totals.get(seat, 0) + cents
        state = hand.state
        hands = (state.dealer_cards, *(player.cards for player in state.seats))
        played = EveningHand(
            number=self.number,
            dealer=self.dealer,
            players=self.players,
            won=tuple(won),
            bets=self.stakes,
            cards=tuple(shown_cards(cards) for cards in hands),
            actions=json.dumps([action.to_dict() for action in state.history]),
        )
        is_done = self.dealt >= self.hands_each
        return replace(
            self,
            totals=totals,
            played=(*self.played, played)[-REMEMBERED_HANDS:],
            next_dealer=self.dealer + 1 if is_done else self.dealer,
            dealt=0 if is_done else self.dealt,
        )

    def payments(self, seats: Seats) -> tuple[Payment, ...]:
        """Say who owes whom so far."""
        return settled_between(tuple((seats[seat].shown, cents) for seat, cents in self.totals.items()))

    def to_state(self) -> dict[str, Any]:
        """Return the evening as plain JSON, hidden cards and seed included."""
        saved = _Saved(
            rules=self.rules.model_dump(mode="json"),
            seed=self.seed,
            hands_each=self.hands_each,
            number=self.number,
            dealer=self.dealer,
            dealt=self.dealt,
            next_dealer=self.next_dealer,
            bets=self.bets,
            players=self.players,
            stakes=self.stakes,
            hand=None if self.hand is None else to_json(self.hand.state),
            is_opening=self.is_opening,
            holding=self.holding,
            totals=dict(self.totals),
            played=self.played,
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "BanluckEvening":
        """Read an evening back, in the middle of a hand if it was left there.

        Raises
        ------
        InputError
            If it is not such an evening.
        """
        saved = read_saved(_Saved, state, "not a saved evening of Banluck")
        values = {name: getattr(saved, name) for name in _Saved.model_fields}
        rules = BanluckRules.create(saved.rules)
        hand = None if saved.hand is None else _restored(saved.hand, rules, _shoe(saved.seed, saved.number))
        return cls(**{**values, "rules": rules, "hand": hand})

    def view(self, seat: int | None, seats: Seats) -> Any:
        """Return what a seat may see."""
        from croupier.web.friends.banluck_view import view_of  # noqa: PLC0415 - it is made of this

        return view_of(self, seat, seats)


class _Saved(Saved):
    """An evening in JSON."""

    rules: dict[str, Any]
    seed: int = Field(ge=0)
    hands_each: int
    number: int = Field(ge=0)
    dealer: int = Field(ge=0)
    dealt: int = Field(ge=0)
    next_dealer: int = Field(ge=0)
    bets: Bets
    players: tuple[int, ...]
    stakes: tuple[int, ...]
    hand: str | None
    is_opening: bool
    holding: int | None
    totals: dict[int, int]
    played: tuple[EveningHand, ...]


def _shoe(seed: int, number: int) -> Shoe:
    """Return the pack of one hand."""
    return Shoe.stacked((), (seed, number))


def _restored(saved: str, rules: BanluckRules, shoe: Shoe) -> DealtHand:
    """Play a hand again and find what is left of its pack."""
    state = from_json(saved)
    dealt, rest = shoe.deal(len(state.dealt_cards))
    if state.rules != rules or set(dealt) != set(state.dealt_cards):
        raise InputError("not a saved evening of Banluck: the hand is not one of this table")
    return DealtHand(state, rest)
