"""What somebody at a table of several players does with a hand, and what each action is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from croupier.banluck.engine.multisets import Multiset

#: A lead of fewer standard errors than these is not told from luck.
_CLEAR = 2.0


@dataclass(frozen=True, slots=True)
class TableChoice:
    """What somebody does with a hand in one situation.

    Attributes
    ----------
    who, seen
        Whose hand it is, and what this one sees of the others.
    frequencies, worth
        By action: how often the solution takes it, and what it is worth in units of whoever decides.
    error
        The largest standard error of a difference between two actions; 0 where they are exact.
    """

    who: str
    seen: str
    frequencies: Mapping[str, float]
    worth: Mapping[str, float]
    error: float = 0.0

    @property
    def best(self) -> str:
        """The action that is worth most."""
        return max(self.worth, key=self.worth.__getitem__)

    @property
    def lead(self) -> float:
        """By how much the best action is better than the next; 0 where there is only one."""
        first, *others = sorted(self.worth.values(), reverse=True)
        return first - others[0] if others else 0.0

    @property
    def is_clear(self) -> bool:
        """Whether the lead is larger than luck would make it."""
        return self.lead >= _CLEAR * self.error

    def row(self) -> dict[str, str]:
        """Return it as a row of a table."""
        digits = 4 if self.error else 6
        worth = {action: f"{units:+.{digits}f}" for action, units in self.worth.items()}
        done = ", ".join(
            action if share > 0.9999 else f"{action} {share:.1%}"
            for action, share in self.frequencies.items()
            if share > 0.0001
        )
        error = {"±": f"{self.error:.4f}"} if self.error else {}
        return {"who": self.who, "sees": self.seen, "does": done, **worth, **error}


class TableChoices(Protocol):
    """A solved table that prices hands."""

    @property
    def note(self) -> str:
        """What to know about the figures, in a sentence or two."""

    def seat_choices(self, held: Multiset) -> list[TableChoice]:
        """Return what each seat does with a hand, and what that is worth."""

    def dealer_choices(self, held: Multiset, counts: Sequence[int]) -> list[TableChoice]:
        """Return what the dealer does with a hand against closed players of these card counts."""
