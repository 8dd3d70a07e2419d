"""What a person at a Banluck table has and has done: frozen data, written as plain JSON and read back exactly."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from croupier.banluck.engine import (
    DEALER,
    BanluckRules,
    DealtHand,
    GameState,
    from_json,
    observe,
    to_json,
)
from croupier.banluck.engine.rules import REFERENCE
from croupier.banluck.engine.state import MAX_SEATS
from croupier.banluck.play.coach import Judgement
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.cards import Shoe, format_cards, parse_cards
from croupier.choices import JudgedChoices
from croupier.errors import InputError
from croupier.saved_state import Saved, SavedText, read_saved
from croupier.texts import say

#: The person who plays sits here.
HUMAN_SEAT = 0

SMALLEST_BET = 0.01
LARGEST_BANKROLL = 1e9

#: How many finished hands are remembered one by one; the totals count all.
REMEMBERED_HANDS = 100


@dataclass(frozen=True, slots=True)
class Seating:
    """How the table is set: the rules, the person's side, how many players there are and who plays the others.

    Examples
    --------
    >>> Seating(players=8)
    Traceback (most recent call last):
    croupier.errors.InputError: 8 players; a table seats 1 to 7
    """

    rules: BanluckRules = REFERENCE
    role: Role = Role.PLAYER
    players: int = 1
    opponent: OpponentName = OpponentName.EQUILIBRIUM
    bankroll: float = 100.0

    def __post_init__(self) -> None:
        if not 1 <= self.players <= MAX_SEATS:
            raise InputError(say("banluck.refused.players", players=self.players, most=MAX_SEATS))
        if not 1 <= self.bankroll <= LARGEST_BANKROLL:
            raise InputError(
                say("banluck.refused.bankroll", bankroll=self.bankroll, most=int(LARGEST_BANKROLL))
            )


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand: its number, the bet, what was won, both sides' cards, how it ended, what mistakes cost in units."""

    number: int
    bet: float
    won: float
    cards: SavedText
    dealer_cards: SavedText
    story: SavedText
    cost: float


@dataclass(frozen=True, slots=True)
class Totals(JudgedChoices):
    """All hands of a session in figures.

    Examples
    --------
    >>> totals = Totals().with_hand(won=5.0).with_decision(Judgement("hit", "stand", -0.48, -0.45))
    >>> totals.hands, totals.won, totals.right, totals.accuracy, round(totals.cost, 2)
    (1, 5.0, 0, 0.0, 0.03)
    """

    hands: int = 0
    ahead: int = 0
    behind: int = 0
    won: float = 0.0

    def with_hand(self, won: float) -> "Totals":
        """Count a finished hand."""
        return replace(
            self,
            hands=self.hands + 1,
            ahead=self.ahead + (won > 0),
            behind=self.behind + (won < 0),
            won=round(self.won + won, 2),
        )

    def with_decision(self, judgement: Judgement) -> "Totals":
        """Count a decision that could be judged."""
        if not judgement.is_known:
            return self
        return self.with_choice(is_right=judgement.is_right, cost=judgement.cost)


@dataclass(frozen=True, slots=True)
class Session:
    """Everything about a person at a table.

    Attributes
    ----------
    seed
        What all hands are shuffled and all opponents decide by.
    coach
        Whether the coach speaks.
    judged
        Whether decisions are judged while the coach is silent; that takes a solved game.
    first_cards
        What the first hand is dealt from, before the shuffled rest of the deck.
    number, bet, hand
        The hand that is played or was played last, from 1; its bet; its cards. None before the first.
    judgements
        What the person's decisions in this hand were worth.
    solved_for
        For how many players the strategies of this hand were solved: for all who are seated, or for one.
    """

    seating: Seating
    seed: int
    bankroll: float
    usual_bet: float = 5.0
    coach: bool = False
    number: int = 0
    bet: float = 0.0
    hand: DealtHand | None = None
    judgements: tuple[Judgement, ...] = ()
    history: tuple[HandRecord, ...] = ()
    totals: Totals = Totals()
    judged: bool = True
    first_cards: tuple[int, ...] = ()
    solved_for: int = 1

    @property
    def is_playing(self) -> bool:
        """Whether a hand is under way."""
        return self.hand is not None and not self.hand.state.is_over

    @property
    def is_judged(self) -> bool:
        """Whether the person's decisions are compared with best play: with several players that takes sampling, so only aloud."""
        return self.coach or (self.judged and self.seating.players == 1)

    def shoe(self, number: int) -> Shoe:
        """Return the pack of one hand, by its number.

        >>> session = Session(Seating(), seed=7, bankroll=100.0)
        >>> session.shoe(1) == session.shoe(1), session.shoe(1) == session.shoe(2)
        (True, False)
        """
        return Shoe.stacked(self.first_cards if number == 1 else (), (self.seed, number))

    def to_state(self) -> dict[str, Any]:
        """Write it as plain JSON.

        >>> session = Session(Seating(), seed=7, bankroll=100.0)
        >>> Session.from_state(session.to_state()) == session
        True
        """
        seating = self.seating
        saved = _Saved(
            version=1,
            rules=seating.rules.model_dump(mode="json"),
            role=seating.role,
            players=seating.players,
            opponent=seating.opponent,
            start=seating.bankroll,
            seed=self.seed,
            bankroll=self.bankroll,
            usual_bet=self.usual_bet,
            coach=self.coach,
            number=self.number,
            bet=self.bet,
            hand=None if self.hand is None else json.loads(to_json(self.hand.state)),
            judgements=[_SavedJudgement.of(judgement) for judgement in self.judgements],
            history=list(self.history),
            totals=self.totals,
            judged=self.judged,
            first_cards=format_cards(self.first_cards),
            solved_for=self.solved_for,
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "Session":
        """Read it back.

        Raises
        ------
        InputError
            If the data describes no session that can have been.

        Examples
        --------
        >>> Session.from_state({"version": 2})
        Traceback (most recent call last):
        croupier.errors.InputError: not a saved Banluck table: version: Input should be 1
        """
        saved = read_saved(_Saved, state, "not a saved Banluck table")
        session = cls(
            Seating(BanluckRules.create(saved.rules), saved.role, saved.players, saved.opponent, saved.start),
            saved.seed,
            saved.bankroll,
            saved.usual_bet,
            saved.coach,
            saved.number,
            saved.bet,
            None,
            tuple(judgement.judgement() for judgement in saved.judgements),
            tuple(saved.history),
            saved.totals,
            saved.judged,
            parse_cards(saved.first_cards),
            saved.solved_for,
        )
        if session.solved_for not in (1, saved.players):
            raise InputError("not a saved Banluck table: the strategies are for another number of players")
        return session if saved.hand is None else replace(session, hand=_restored_hand(session, saved.hand))


def viewer_of(role: Role) -> int:
    """Return through whose eyes a person on this side sees the table."""
    return HUMAN_SEAT if role is Role.PLAYER else DEALER


def is_my_choice(state: GameState, role: Role) -> bool:
    """Tell whether the person has something to choose: it is the person's turn, and there is more than one way."""
    return len(observe(state, viewer_of(role)).actions) > 1


class _SavedJudgement(Saved):
    """A judgement in JSON, which knows no NaN."""

    chosen: str
    rejected: str
    worth: float | None
    rejected_worth: float | None
    error: float = Field(default=0.0, ge=0)

    @classmethod
    def of(cls, judgement: Judgement) -> "_SavedJudgement":
        known = judgement.is_known
        return cls(
            chosen=judgement.chosen,
            rejected=judgement.rejected,
            worth=judgement.worth if known else None,
            rejected_worth=judgement.rejected_worth if known else None,
            error=judgement.error,
        )

    def judgement(self) -> Judgement:
        worth = math.nan if self.worth is None else self.worth
        rejected_worth = math.nan if self.rejected_worth is None else self.rejected_worth
        return Judgement(self.chosen, self.rejected, worth, rejected_worth, self.error)


class _Saved(Saved):
    """A session in JSON."""

    version: Literal[1]
    rules: dict[str, Any]
    role: Role
    players: int
    opponent: OpponentName
    start: float
    seed: int = Field(ge=0)
    bankroll: float
    usual_bet: float = Field(gt=0)
    coach: bool
    number: int = Field(ge=0)
    bet: float = Field(ge=0)
    hand: dict[str, Any] | None
    judgements: list[_SavedJudgement]
    history: list[HandRecord] = Field(max_length=REMEMBERED_HANDS)
    totals: Totals
    judged: bool = True
    first_cards: str = ""
    solved_for: int = 1


def _restored_hand(session: Session, hand: Mapping[str, Any]) -> DealtHand:
    """Play a hand again and find what is left of its pack."""
    state, seating = from_json(json.dumps(hand)), session.seating
    dealt, rest = session.shoe(session.number).deal(len(state.dealt_cards))
    is_ours = state.rules == seating.rules and len(state.seats) == seating.players
    if not is_ours or set(dealt) != set(state.dealt_cards):
        raise InputError("not a saved Banluck table: the hand is not one of this table")
    if not (state.is_over or is_my_choice(state, seating.role)):
        raise InputError("not a saved Banluck table: the hand waits for somebody else")
    return DealtHand(state, rest)
