"""What a shared table asks of a game. Each game is one frozen record; an action makes a new record, or raises and changes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from croupier.choices import Choice
from croupier.errors import InputError
from croupier.texts import in_row, say
from croupier.web.friends.payments import Payment
from croupier.web.friends.seats import Seats

#: Bets are whole cents; this is the smallest and the largest.
SMALLEST_BET, LARGEST_BET = 1, 100_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What one seat is asked now.

    Attributes
    ----------
    prompt
        The question, or whom everybody waits for.
    choices
        The answers; none for a seat that is not asked.
    bet
        The bet that is offered, in cents; None while no bet can be made.
    """

    prompt: str
    choices: tuple[Choice, ...] = ()
    bet: int | None = None


class Game(Protocol):
    """One game at a shared table, hand after hand."""

    @property
    def kind(self) -> str:
        """The game's name in saved tables and addresses."""

    @property
    def title(self) -> str:
        """The game and its rules in a line."""

    @property
    def largest(self) -> int:
        """How many can play at once."""

    @property
    def is_filled(self) -> bool:
        """Whether all seats are always taken: engines sit where nobody does."""

    @property
    def is_playing(self) -> bool:
        """Whether a hand is under way."""

    @property
    def totals(self) -> Mapping[int, int]:
        """What each seat has won or lost, in cents; games without money count points."""

    def plays(self, seat: int) -> bool:
        """Say whether a seat takes part in the hand that is under way."""

    def turn(self, seats: Seats) -> int | None:
        """Return the seat that has to act in a hand, or must deal; None if several are asked."""

    def moment(self, seat: int) -> str:
        """Return what identifies the question to a seat: an answer to an earlier one does not count."""

    def act(self, seat: int, name: str, seats: Seats, cents: int | None = None) -> Self:
        """Do what a seat has chosen.

        Raises
        ------
        InputError
            If that is not possible now.
        """

    def engine_moved(self, seats: Seats) -> Self | None:
        """Let an engine make one move, where one is to; None where nobody waits for an engine."""

    def view(self, seat: int | None, seats: Seats) -> Any:
        """Return what a seat may see, or what everybody may see for None."""

    def sat_out(self, seat: int) -> Self:
        """Let a seat sit out that others wait for; a game whose seats are always filled is not asked."""

    def payments(self, seats: Seats) -> tuple[Payment, ...]:
        """Say who owes whom so far."""

    def to_state(self) -> dict[str, Any]:
        """Return the game as plain JSON."""


def verified_bet(amount: float | None) -> int:
    """Return a bet in cents.

    >>> verified_bet(2.5)
    250
    >>> verified_bet(None)
    Traceback (most recent call last):
    croupier.errors.InputError: a bet is missing; bet 0.01 to 1,000,000
    """
    limits = {"least": SMALLEST_BET / 100, "most": LARGEST_BET // 100}
    if amount is None or amount != amount:  # noqa: PLR0124 - NaN
        raise InputError(say("friends.refused.bet_missing", **limits))
    if not SMALLEST_BET <= amount * 100 <= LARGEST_BET or round(amount, 2) != amount:
        raise InputError(say("friends.refused.bet", amount=amount, **limits))
    return round(amount * 100)


def not_possible(name: str, choices: tuple[Choice, ...]) -> InputError:
    """Return the refusal of an action that is not offered."""
    offered = ", ".join(choice.name for choice in choices if choice.enabled)
    key = "not_possible" if offered else "not_your_turn"
    return InputError(say(f"friends.refused.{key}", name=name, offered=offered))


def listed(names: list[str]) -> str:
    """Join names.

    >>> listed(["Ann", "Ben", "Cem"])
    'Ann, Ben and Cem'
    """
    *others, last = names or [""]
    return say("friends.and", first=in_row(others), last=last) if others else last
