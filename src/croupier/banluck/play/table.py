"""A Banluck table for one person, as a player or as the banker, against everybody else."""

import math
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from types import TracebackType
from typing import Any, Self, TypeVar

from croupier.banluck.analysis.action_prices import Prices
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import (
    BanluckRules,
    DealtHand,
    GameState,
    describe_settlement,
    legal_actions,
)
from croupier.banluck.engine.rules import REFERENCE
from croupier.banluck.engine.text import describe_dealer, describe_hand
from croupier.banluck.play.coach import judge
from croupier.banluck.play.phrases import choice_name
from croupier.banluck.play.played import played_hand
from croupier.banluck.play.session import (
    HUMAN_SEAT,
    REMEMBERED_HANDS,
    SMALLEST_BET,
    HandRecord,
    Seating,
    Session,
    is_my_choice,
)
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.strategies import (
    HeadsUpStrategies,
    PricedStrategies,
    RulesOfThumb,
    SolvedTable,
    Strategies,
)
from croupier.banluck.play.table_solutions import KEPT_TABLES, TABLE_SOLUTIONS
from croupier.banluck.play.view import BanluckView, view_of
from croupier.banluck.solvers.choice import drawn_action
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.cards import parse_cards
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream, fresh_seed
from croupier.played import PlayedHand
from croupier.texts import figure, in_row, say

NameT = TypeVar("NameT", bound=StrEnum)

#: What a person bets who says nothing else.
USUAL_BET = 5.0


def table(
    rules: BanluckRules = REFERENCE,
    *,
    seed: int | None = None,
    role: str = "player",
    players: int = 1,
    opponent: str = "equilibrium",
    bankroll: float = 100.0,
    coach: bool = False,
    cards: str = "",
    wait: bool = False,
) -> "BanluckTable":
    """Open a table to play at: bet, look, act.

    Parameters
    ----------
    rules
        The rules; those of the preset ``reference`` if there are none.
    seed
        What the cards are shuffled and the others decide by; a fresh one if there is none.
    role
        ``player``, or ``dealer`` to hold the bank.
    players
        How many players are seated, 1 to 7.
    opponent
        Who plays the others: the ``equilibrium``, or ``simple`` rules of thumb.
    bankroll
        What the person starts with.
    coach
        Whether the coach prices every choice.
    cards
        What the first hand is dealt from, such as ``10H 9C``: a card to each seat in turn and to the dealer, twice.
    wait
        Whether to solve a table of several players first, which takes half a minute for two. Without it, the solution for one player is
        used where nobody has solved this table yet.

    Raises
    ------
    InputError
        If there is no such role, opponent, card or number of players.

    Examples
    --------
    >>> from croupier import banluck
    >>> with banluck.table(seed=6) as table:
    ...     table.bet(10)
    ...     print(table.view.prompt, table.actions)
    ...     table.act("stand")
    ...     print(table.view.outcome)
    You hold 14: hit or stand? Standing below 16 loses the bet. ('hit', 'stand')
    You lose 10
    """
    seating = Seating(
        rules, _member("role", Role, role), players, _member("opponent", OpponentName, opponent), bankroll
    )
    seed = fresh_seed() if seed is None else seed
    if wait and players > 1:
        TABLE_SOLUTIONS.solve(rules, players)
    return BanluckTable.opened(seating, seed=seed, coach=coach, first_cards=parse_cards(cards))


class BanluckTable:
    """Hands one after another; an action is done whole or refused, and nothing in between can be seen.

    Examples
    --------
    >>> table = BanluckTable.opened(Seating(opponent=OpponentName.SIMPLE), seed=6)
    >>> table.act("deal")
    >>> table.actions
    ('hit', 'stand')
    >>> table.act("stand")
    >>> table.view.outcome
    'You lose 5'
    >>> BanluckTable.from_state(table.to_state()).view == table.view
    True
    """

    def __init__(self, session: Session) -> None:
        # One attribute, exchanged whole: whoever looks from another thread sees the table before an action or after it.
        self._now = (session, _prices(session))

    @classmethod
    def opened(
        cls,
        seating: Seating,
        *,
        seed: int,
        coach: bool = False,
        usual_bet: float = USUAL_BET,
        judged: bool = True,
        first_cards: tuple[int, ...] = (),
    ) -> Self:
        """Sit down at a fresh table; see :class:`~croupier.banluck.play.session.Session`."""
        usual_bet = min(usual_bet, seating.bankroll)
        session = Session(
            seating, seed, seating.bankroll, usual_bet, coach, judged=judged, first_cards=first_cards
        )
        session.shoe(1)  # refuses first cards that cannot be
        return cls(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the table; a table holds nothing that has to be closed."""

    @property
    def seating(self) -> Seating:
        """How the table is set."""
        return self._now[0].seating

    @property
    def coach(self) -> bool:
        """Whether the coach speaks."""
        return self._now[0].coach

    @property
    def seed(self) -> int:
        """What all hands are shuffled and all opponents decide by."""
        return self._now[0].seed

    @property
    def view(self) -> BanluckView:
        """Everything that the person may know."""
        seating = self.seating
        return view_of(*self._now, TABLE_SOLUTIONS.standing(seating.rules, seating.players))

    @property
    def played(self) -> PlayedHand | None:
        """The last hand, for the player's own statistics; None before it is over."""
        return played_hand(self._now[0])

    @property
    def worths(self) -> dict[str, float]:
        """What each choice is worth now, in units, by its name; nothing while the coach is silent or where nobody knows."""
        worth = self._now[1].worth
        return {choice_name(action): units for action, units in worth.items() if not math.isnan(units)}

    @property
    def actions(self) -> tuple[str, ...]:
        """What the person can do now, by name."""
        return tuple(choice.name for choice in self.view.choices)

    def act(self, name: str) -> None:
        """Do one of the actions that the table offers, by its name; ``deal`` bets as much as the last time.

        Raises
        ------
        InputError
            If the action is not possible now; nothing has changed then.
        """
        session = self._now[0]
        if not session.is_playing:
            if name == "rebuy" and session.bankroll < SMALLEST_BET:
                self._become(replace(session, bankroll=session.seating.bankroll))
            elif name == "deal" and session.bankroll >= SMALLEST_BET:
                self.bet(min(session.usual_bet, session.bankroll))
            else:
                raise _not_possible(name, self.actions)
            return
        self._act(name)

    def verify_bet(self, bet: float) -> None:
        """Raise unless a hand can be dealt for this bet."""
        session = self._now[0]
        if session.is_playing:
            raise InputError(say("banluck.refused.under_way"))
        if not SMALLEST_BET <= bet <= session.bankroll:
            raise InputError(say("banluck.refused.bet", bet=bet, least=SMALLEST_BET, most=session.bankroll))

    def bet(self, bet: float) -> None:
        """Bet (as the banker: take this bet of every player) and deal; the others play until the person has a choice.

        Raises
        ------
        InputError
            If a hand is under way, or the bankroll does not allow the bet; nothing has changed then.
        """
        self.verify_bet(bet)
        session = self._now[0]
        number, bet = session.number + 1, round(bet, 2)
        hand = DealtHand.opened(session.seating.rules, session.shoe(number), session.seating.players)
        seating = session.seating
        found = TABLE_SOLUTIONS.find(seating.rules, seating.players)
        started = replace(
            session,
            number=number,
            bet=bet,
            usual_bet=bet,
            judgements=(),
            solved_for=1 if found is None else seating.players,
        )
        self._become(_played_on(started, hand))

    def prepare(self) -> None:
        """See to it that a table of several players gets its solution, in the background, if somebody goes by it."""
        session = self._now[0]
        seating = session.seating
        if seating.players > 1 and (session.coach or seating.opponent is OpponentName.EQUILIBRIUM):
            TABLE_SOLUTIONS.prepare(seating.rules, seating.players)

    def set_coach(self, speaks: bool) -> None:
        """Let the coach speak, or not."""
        session = self._now[0]
        self._become(replace(session, coach=speaks))

    def to_state(self) -> dict[str, Any]:
        """Write the whole table as plain JSON."""
        return self._now[0].to_state()

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a table back, in the middle of a hand if it was left there.

        A hand that was played by a solution for several players goes on with the one for one player if the other is gone.
        """
        session = Session.from_state(state)
        seating = session.seating
        if session.solved_for > 1 and TABLE_SOLUTIONS.recall(seating.rules, seating.players) is None:
            session = replace(session, solved_for=1)
        return cls(session)

    def _act(self, name: str) -> None:
        session, prices = self._now
        hand = _hand(session)
        offered = {choice_name(action): action for action in legal_actions(hand.state)}
        if name not in offered:
            raise _not_possible(name, tuple(offered))
        if session.is_judged:
            if not prices.worth:
                prices = _solved(session).prices(hand.state)
            judgement = judge(prices, offered[name])
            session = replace(
                session,
                judgements=(*session.judgements, judgement),
                totals=session.totals.with_decision(judgement),
            )
        self._become(_played_on(session, hand.act(offered[name])))

    def _become(self, session: Session) -> None:
        self._now = (session, _prices(session))


def _prices(session: Session) -> Prices:
    """Price the choices of the decision that the person is asked for, if the coach speaks."""
    if not (session.coach and session.is_playing):
        return Prices({})
    return _solved(session).prices(_hand(session).state)


def _played_on(session: Session, hand: DealtHand) -> Session:
    """Let everybody else play, and what is forced happen, until the person has a choice or the hand is over.

    Every decision of the others has its own random stream, named by its place in the hand, so that a table that is read
    back continues as it would have.
    """
    others = _others(session)
    while not (hand.state.is_over or is_my_choice(hand.state, session.seating.role)):
        stream = RandomStream((session.seed, session.number, len(hand.state.history)))
        hand = hand.act(drawn_action(others.probabilities(hand.state), stream))
    session = replace(session, hand=hand)
    return _settled(session, hand.state) if hand.state.is_over else session


def _others(session: Session) -> Strategies:
    seating = session.seating
    return _simple(seating.rules) if seating.opponent is OpponentName.SIMPLE else _solved(session)


def _solved(session: Session) -> PricedStrategies:
    """Return how everybody plays at a table of the equilibrium, and what their choices are worth."""
    rules, players = session.seating.rules, session.seating.players
    heads_up = SOLUTIONS.solve_for_table(rules)
    found = TABLE_SOLUTIONS.find(rules, players) if session.solved_for > 1 else None
    return HeadsUpStrategies(heads_up) if found is None else _solved_table(found, heads_up)


@lru_cache(maxsize=KEPT_TABLES)
def _solved_table(solution: TableSolution, heads_up: Solution) -> SolvedTable:
    """Keep what takes a moment to prepare from action to action."""
    return SolvedTable.of(solution, heads_up)


@lru_cache(maxsize=32)
def _simple(rules: BanluckRules) -> RulesOfThumb:
    """Keep what takes thousands of judgements of hands from action to action."""
    return RulesOfThumb.of(rules)


def _settled(session: Session, state: GameState) -> Session:
    """Pay, and write the hand down."""
    if session.seating.role is Role.PLAYER:
        settlement = state.seats[HUMAN_SEAT].settlement
        assert settlement is not None, "the hand is over"
        units, story = settlement.units, describe_settlement(settlement)
        cards = describe_hand(state, HUMAN_SEAT)
    else:
        units = state.dealer_result
        cards = in_row([describe_hand(state, seat) for seat in range(len(state.seats))], "list.dots")
        story = in_row([figure(result or 0, "+g") for result in state.results])
    won = round(units * session.bet, 2)
    record = HandRecord(
        number=session.number,
        bet=session.bet,
        won=won,
        cards=cards,
        dealer_cards=describe_dealer(state),
        story=story,
        cost=sum(judgement.cost for judgement in session.judgements),
    )
    return replace(
        session,
        bankroll=round(session.bankroll + won, 2),
        history=(*session.history, record)[-REMEMBERED_HANDS:],
        totals=session.totals.with_hand(won),
    )


def _hand(session: Session) -> DealtHand:
    assert session.hand is not None, "a hand is under way"
    return session.hand


def _not_possible(name: str, offered: tuple[str, ...]) -> InputError:
    return InputError(say("banluck.refused.action", name=name, offered=", ".join(offered)))


def _member(what: str, names: type[NameT], name: str) -> NameT:
    """Find a role or an opponent by its name."""
    if name not in list(names):
        raise InputError(f"no {what} '{name}'; choose {', '.join(names)}")
    return names(name)
