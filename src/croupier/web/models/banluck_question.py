"""A decision that somebody asks about, and the address that leads to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import Multiset, format_multiset, parse_multiset
from croupier.banluck.solvers.opponent import Role
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.errors import InputError
from croupier.texts import say
from croupier.web.models.rules_query import rules_from_query, rules_to_query

#: No hand that can be is written longer than this.
_LONGEST_HAND = 40


@dataclass(frozen=True, slots=True)
class Question:
    """Whose hand it is, which hand, and, for the dealer, how many cards the player holds."""

    side: Role
    hand: Multiset
    player_cards: int = 2

    def about(self, hand: Multiset) -> "Question":
        """Ask the same of another hand."""
        return replace(self, hand=hand)

    def advice(self, book: StrategyBook) -> Advice:
        """Look the decision up.

        Raises
        ------
        InputError
            If the hand leaves nothing to decide.
        """
        if self.side is Role.PLAYER:
            return book.player_advice(self.hand)
        return book.dealer_advice(self.hand, self.player_cards)


def asked(hand: str, side: str = "player", player_cards: str = "2") -> Question:
    """Read a question from its parts.

    Examples
    --------
    >>> asked("a 5"), asked("KS 7H", "dealer", "3").player_cards
    (Question(side=<Role.PLAYER: 'player'>, hand=(3, 9), player_cards=2), 3)
    >>> asked("T-6", "banker")
    Traceback (most recent call last):
    croupier.errors.InputError: no side 'banker'; choose player, dealer
    >>> asked("")
    Traceback (most recent call last):
    croupier.errors.InputError: no hand; write ranks such as T-6 or cards such as AS 5H
    """
    if not hand.strip():
        raise InputError(say("banluck.asking.empty"))
    if len(hand) > _LONGEST_HAND:
        raise InputError(say("banluck.asking.long", length=len(hand)))
    if side not in list(Role):
        raise InputError(say("banluck.asking.side", side=side, sides=", ".join(Role)))
    if player_cards not in [str(count) for count in PLAYER_CARD_COUNTS]:
        raise InputError(say("banluck.asking.cards", cards=player_cards))
    return Question(Role(side), parse_multiset(hand), int(player_cards))


@dataclass(frozen=True, slots=True)
class Address:
    """What the explorer shows: rules, and a question if one was asked.

    Examples
    --------
    >>> address = Address(BanluckRules(pays_777=21), asked("T-7", "dealer", "3"))
    >>> address.query
    'preset=reference&set=pays_777%3D21&hand=T-7&side=dealer&cards=3'
    >>> Address.read("reference", ["pays_777=21"], "T-7", "dealer", "3") == address
    True
    """

    rules: BanluckRules
    question: Question | None = None

    @classmethod
    def read(
        cls, preset: str | None, settings: Sequence[str], hand: str, side: str, player_cards: str
    ) -> "Address":
        """Read the parts of a query.

        Raises
        ------
        InputError
            If there are no such rules or no such hand; the message says what is wrong.
        """
        rules = rules_from_query(BANLUCK, preset, settings)
        return cls(rules, asked(hand, side, player_cards) if hand else None)

    @property
    def query(self) -> str:
        """The query that leads here."""
        rules = rules_to_query(BANLUCK, self.rules)
        if self.question is None:
            return rules
        question = [("hand", format_multiset(self.question.hand)), ("side", self.question.side.value)]
        if self.question.side is Role.DEALER:
            question.append(("cards", str(self.question.player_cards)))
        return f"{rules}&{urlencode(question)}"
