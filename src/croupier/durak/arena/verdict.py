"""The verdicts on what an engine can do wrong, and the evidence for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from croupier.errors import InputError

_SEATS = tuple(f"player{number}" for number in range(1, 7))


class Verdict(StrEnum):
    """Why a game is forfeited."""

    NO_START = "no start"
    SLOW_START = "slow start"
    WRONG_OK = "wrong ok"
    ILLEGAL = "illegal card"
    GARBAGE = "garbage"
    CRASH = "crash"
    HANG = "hang"
    CLOCK = "out of time"
    CLOSED_PIPE = "closed pipe"
    FLOOD = "flood"
    NOT_UTF8 = "not UTF-8"
    UNASKED = "unasked line"


#: What each verdict means, in the words of the documentation.
MEANING = {
    Verdict.NO_START: "the program could not be started",
    Verdict.SLOW_START: "no answer to init within the start limit",
    Verdict.WRONG_OK: "an answer to init or deal that is not ok",
    Verdict.ILLEGAL: "a card, or a pass, that the rules do not allow now",
    Verdict.GARBAGE: "an answer that is no card",
    Verdict.CRASH: "it ended, or raised an error, before its answer",
    Verdict.HANG: "no answer within the time limit",
    Verdict.CLOCK: "its clock for the game ran out",
    Verdict.CLOSED_PIPE: "the process lives, but has closed its input or its output",
    Verdict.FLOOD: "output without end",
    Verdict.NOT_UTF8: "an answer that is not UTF-8 text",
    Verdict.UNASKED: "a line that nobody asked for",
}


class EngineFault(Exception):  # noqa: N818 - not an error of ours: a fault of the engine's
    """An engine has done something for which it loses the game.

    Examples
    --------
    >>> raise EngineFault(Verdict.CRASH, "ended with status 1 instead of answering")
    Traceback (most recent call last):
    croupier.durak.arena.verdict.EngineFault: crash: ended with status 1 instead of answering
    """

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(f"{verdict}: {reason}")
        self.verdict = verdict
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that an engine lost by a fault.

    Attributes
    ----------
    seat
        Who forfeited: 0 for player 1, 1 for player 2.
    verdict, reason
        The kind of fault, and what exactly happened.
    last_lines
        The last lines exchanged with this engine: ``<-`` to it, ``->`` from it.
    errors
        The end of what it wrote to stderr.
    """

    seat: int
    verdict: Verdict
    reason: str
    last_lines: tuple[str, ...] = ()
    errors: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, as the log keeps them.

        >>> Forfeit(1, Verdict.HANG, "no answer within 5 s").to_dict()["player"]
        'player2'
        """
        return {
            "player": f"player{self.seat + 1}",
            "verdict": str(self.verdict),
            "reason": self.reason,
            "last_lines": list(self.last_lines),
            "stderr": self.errors,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Forfeit":
        """Read what :meth:`to_dict` wrote.

        >>> forfeit = Forfeit(0, Verdict.GARBAGE, "'hello' is no card", ("<- move", "-> hello"))
        >>> Forfeit.from_dict(forfeit.to_dict()) == forfeit
        True
        >>> Forfeit.from_dict({"player": "player3"})
        Traceback (most recent call last):
        croupier.errors.InputError: forfeit: not as the arena writes it
        """
        try:
            return cls(
                seat=_SEATS.index(data["player"]),
                verdict=Verdict(data["verdict"]),
                reason=str(data["reason"]),
                last_lines=tuple(str(line) for line in data["last_lines"]),
                errors=str(data["stderr"]),
            )
        except (KeyError, TypeError, ValueError):
            raise InputError("forfeit: not as the arena writes it") from None
