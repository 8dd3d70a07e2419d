"""What every environment tells of the legal actions and of their worth."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def action_mask(actions: Sequence[str], legal: Collection[str]) -> NDArray[np.int8]:
    """Return which of the actions are legal.

    >>> action_mask(("stand", "hit", "split"), {"hit", "stand"})
    array([1, 1, 0], dtype=int8)
    """
    return np.array([name in legal for name in actions], dtype=np.int8)


def action_info(
    actions: Sequence[str], legal: Collection[str], worths: Mapping[str, float] | None
) -> dict[str, Any]:
    """Return the ``info`` of a position: what is legal and, where it is known, what each action is worth and which is best.

    >>> action_info(("stand", "hit"), {"hit", "stand"}, {"stand": -0.54, "hit": -0.52})["optimal"]
    'hit'
    """
    info: dict[str, Any] = {
        "legal": tuple(name for name in actions if name in legal),
        "action_mask": action_mask(actions, legal),
    }
    if worths is not None:
        info |= {"values": worths, "optimal": max(worths, key=lambda name: worths[name])}
    return info


def regret(worths: Mapping[str, float] | None, chosen: str) -> float:
    """Return what an action gave away; nothing where there was no choice.

    >>> round(regret({"stand": -0.54, "hit": -0.52}, "stand"), 2), regret(None, "stand")
    (0.02, 0.0)
    """
    return 0.0 if worths is None else max(worths.values()) - worths[chosen]
