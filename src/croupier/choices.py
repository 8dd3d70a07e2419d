"""What a person can choose at a table, and how good the choices were."""

from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that a person can do now.

    Attributes
    ----------
    name
        Its stable name, such as ``hit``.
    label
        What the button says.
    key
        The key that does the same: one character in lower case, or a name such as ``Enter``. No two choices share one.
    enabled
        Whether it can be done.
    worth
        The coach's figure, if the coach speaks.
    is_best
        Whether the coach would choose it.

    Examples
    --------
    >>> Choice("hit", "Hit", "h").enabled
    True
    """

    name: str
    label: str
    key: str
    enabled: bool = True
    worth: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class JudgedChoices:
    """How good a person's choices were; base of a session's totals.

    Attributes
    ----------
    decisions, right
        Choices that could be priced, and those of them that nothing would have bettered.
    cost
        What the others gave away in expectation.

    Examples
    --------
    >>> JudgedChoices().with_choice(is_right=True).with_choice(is_right=False, cost=0.03).accuracy
    0.5
    """

    decisions: int = 0
    right: int = 0
    cost: float = 0.0

    @property
    def accuracy(self) -> float | None:
        """The share of right choices; None before the first."""
        return self.right / self.decisions if self.decisions else None

    def with_choice(self, *, is_right: bool, cost: float = 0.0) -> Self:
        """Count another choice that was priced."""
        return replace(self, decisions=self.decisions + 1, right=self.right + is_right, cost=self.cost + cost)
