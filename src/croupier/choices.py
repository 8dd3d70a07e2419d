"""What a person can choose at a table, and how good the choices were."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from croupier.texts import say

#: How opening one of several players is named, before the player's number.
_OPENING = "opening player "

#: Differences below this are not told apart.
_NOTHING = 5e-4


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


def reason(worths: Mapping[str, float], *, unit: str, hand: str = "", bust: float | None = None) -> str:
    """Say in one sentence why the best action is the best.

    Parameters
    ----------
    worths
        What each action is worth on average, at least two of them.
    unit
        What it is counted in: ``bets`` or ``units``.
    hand, bust
        The hand, such as ``16``, and the chance that the next card busts it.

    Examples
    --------
    >>> reason({"stand": -0.451, "hit": -0.487}, unit="units", hand="16", bust=0.6)
    'Hitting 16 busts 60 % of the time; standing loses less: 0.036 units.'
    >>> reason({"stand": -0.54, "hit": -0.52}, unit="bets", hand="14", bust=0.46)
    'Hitting 14 busts 46 % of the time, and still loses less than standing: 0.020 bets.'
    >>> reason({"double": 0.4, "hit": 0.2}, unit="bets", hand="11", bust=0.0)
    'Doubling wins more than hitting: 0.200 bets.'
    """
    (best, worth), (second, second_worth) = sorted(worths.items(), key=lambda entry: -entry[1])[:2]
    difference = worth - second_worth
    doing = {"best": _doing(best), "second": _doing(second)}
    if difference < _NOTHING:
        return say("why.same", **doing)
    key = "loses_less" if worth < 0 else "wins_more"
    amount = say(f"why.{unit}", amount=difference)
    if bust and hand and "hit" in (best, second):
        key = f"hitting_{key}" if best == "hit" else f"bust_{key}"
        return say(f"why.{key}", **doing, amount=amount, hand=hand, bust=100 * bust)
    return say(f"why.{key}", **doing, amount=amount)


def _doing(name: str) -> str:
    if name.startswith(_OPENING):
        return say("why.doing.open_player", number=name.removeprefix(_OPENING))
    return say(f"why.doing.{name}")
