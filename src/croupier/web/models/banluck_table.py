"""A Banluck table for one person, as a player or as the banker, against everybody else."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self

from croupier.banluck.analysis.coach import advice_at, judge
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.engine import BanluckRules, GameState, Table, describe_settlement, legal_actions
from croupier.banluck.engine.text import describe_dealer, describe_seat
from croupier.banluck.solvers.opponent import Opponent, OpponentName, Role
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.web.models.banluck_sitting import (
    HUMAN_SEAT,
    REMEMBERED_HANDS,
    SMALLEST_BET,
    HandRecord,
    Seating,
    Sitting,
    is_my_choice,
    shoe_of,
)
from croupier.web.models.banluck_solutions import solved_for_table
from croupier.web.models.banluck_view import BanluckView, choice_name, view_of


class BanluckTable:
    """Hands one after another; an action is done whole or refused, and nothing in between can be seen.

    Examples
    --------
    >>> table = BanluckTable.opened(Seating(opponent=OpponentName.SIMPLE), seed=6)
    >>> table.choose("deal")
    >>> [choice.name for choice in table.view().choices]
    ['hit', 'stand']
    >>> table.choose("stand")
    >>> table.view().outcome
    'You lose 5'
    >>> BanluckTable.from_state(table.to_state()).view() == table.view()
    True
    """

    def __init__(self, sitting: Sitting) -> None:
        # One attribute, exchanged whole: whoever looks from another thread sees the table before an action or after it.
        self._now = (sitting, _advice(sitting))

    @classmethod
    def opened(cls, seating: Seating, *, seed: int, coach: bool = False) -> Self:
        """Sit down at a fresh table."""
        return cls(Sitting(seating, seed, seating.bankroll, min(5.0, seating.bankroll), coach))

    @property
    def seating(self) -> Seating:
        """How the table is set."""
        return self._now[0].seating

    @property
    def coach(self) -> bool:
        """Whether the coach speaks."""
        return self._now[0].coach

    def view(self) -> BanluckView:
        """Return everything that the person may know."""
        return view_of(*self._now)

    def choose(self, name: str) -> None:
        """Do one of the choices that the view offers, by its name."""
        sitting = self._now[0]
        if not sitting.is_playing:
            if name == "rebuy" and sitting.bankroll < SMALLEST_BET:
                self._become(replace(sitting, bankroll=sitting.seating.bankroll))
            elif name == "deal" and sitting.bankroll >= SMALLEST_BET:
                self.deal(min(sitting.usual_bet, sitting.bankroll))
            else:
                raise _not_possible(name, [choice.name for choice in self.view().choices])
            return
        self._act(name)

    def verify_deal(self, bet: float) -> None:
        """Raise unless a hand can be dealt for this bet."""
        sitting = self._now[0]
        if sitting.is_playing:
            raise InputError("a hand is under way; finish it before the next deal")
        if not SMALLEST_BET <= bet <= sitting.bankroll:
            raise InputError(
                f"a bet of {bet:g} is not possible; bet a number from {SMALLEST_BET:g} to {sitting.bankroll:g}"
            )

    def deal(self, bet: float) -> None:
        """Bet (as the banker: take this bet of every player) and deal; the others play until the person has a choice."""
        self.verify_deal(bet)
        sitting = self._now[0]
        number, bet = sitting.number + 1, round(bet, 2)
        hand = Table.opened(sitting.seating.rules, shoe_of(sitting.seed, number), sitting.seating.players)
        begun = replace(sitting, number=number, bet=bet, usual_bet=bet, judgements=())
        self._become(_played_on(begun, hand))

    def set_coach(self, speaks: bool) -> None:
        """Let the coach speak, or not."""
        sitting = self._now[0]
        if speaks and not sitting.seating.is_priced:
            raise InputError("the coach prices one player against the dealer; for a banker, seat one player")
        self._become(replace(sitting, coach=speaks))

    def to_state(self) -> dict[str, Any]:
        """Write the whole table as plain JSON."""
        return self._now[0].to_state()

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a table back, in the middle of a hand if it was left there."""
        return cls(Sitting.from_state(state))

    def _act(self, name: str) -> None:
        sitting = self._now[0]
        hand = _hand(sitting)
        offered = {choice_name(action): action for action in legal_actions(hand.state)}
        if name not in offered:
            raise _not_possible(name, list(offered))
        if sitting.seating.is_priced:
            book = solved_for_table(sitting.seating.rules).book
            judgement = judge(book, hand.state, offered[name])
            sitting = replace(
                sitting,
                judgements=(*sitting.judgements, judgement),
                totals=sitting.totals.with_decision(judgement),
            )
        self._become(_played_on(sitting, hand.act(offered[name])))

    def _become(self, sitting: Sitting) -> None:
        self._now = (sitting, _advice(sitting))


def _advice(sitting: Sitting) -> Advice | None:
    """Look up the decision that the person is asked for, if the coach speaks."""
    if not (sitting.coach and sitting.seating.is_priced and sitting.is_playing):
        return None
    return advice_at(solved_for_table(sitting.seating.rules).book, _hand(sitting).state)


def _played_on(sitting: Sitting, hand: Table) -> Sitting:
    """Let everybody else play, and what is forced happen, until the person has a choice or the hand is over.

    Every decision of the others has a random stream of its own, named by its place in the hand, so a table that is read
    back goes on as it would have.
    """
    opponent = _opponent(sitting.seating)
    while not (hand.state.is_over or is_my_choice(hand.state, sitting.seating.role)):
        stream = RandomStream((sitting.seed, sitting.number, len(hand.state.history)))
        hand = hand.act(opponent.choose(hand.state, stream))
    sitting = replace(sitting, hand=hand)
    return _settled(sitting, hand.state) if hand.state.is_over else sitting


def _opponent(seating: Seating) -> Opponent:
    if seating.opponent is OpponentName.SIMPLE:
        return _simple(seating.rules, seating.role)
    return Opponent.equilibrium(solved_for_table(seating.rules).solution)


@lru_cache(maxsize=32)
def _simple(rules: BanluckRules, role: Role) -> Opponent:
    """Keep what takes thousands of judgements of hands from action to action."""
    return Opponent.simple(rules, role)


def _settled(sitting: Sitting, state: GameState) -> Sitting:
    """Pay, and write the hand down."""
    if sitting.seating.role is Role.PLAYER:
        settlement = state.seats[HUMAN_SEAT].settlement
        assert settlement is not None, "the hand is over"
        units, story = settlement.units, describe_settlement(settlement)
        cards = describe_seat(state, HUMAN_SEAT).removesuffix(f"  {story}")
    else:
        units = state.dealer_result
        cards = " · ".join(describe_seat(state, seat).rpartition("  ")[0] for seat in range(len(state.seats)))
        story = ", ".join(f"{result or 0:+g}".replace("-", "−") for result in state.results)
    won = round(units * sitting.bet, 2)
    record = HandRecord(
        number=sitting.number,
        bet=sitting.bet,
        won=won,
        cards=cards,
        dealer_cards=describe_dealer(state),
        story=story,
        cost=sum(judgement.cost for judgement in sitting.judgements),
    )
    return replace(
        sitting,
        bankroll=round(sitting.bankroll + won, 2),
        history=(*sitting.history, record)[-REMEMBERED_HANDS:],
        totals=sitting.totals.with_hand(won),
    )


def _hand(sitting: Sitting) -> Table:
    assert sitting.hand is not None, "a hand is under way"
    return sitting.hand


def _not_possible(name: str, offered: list[str]) -> InputError:
    return InputError(f"'{name}' is not possible now; possible: {', '.join(offered)}")
