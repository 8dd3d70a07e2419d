"""The finished hands of all visitors, as tables hand them over."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sql

from croupier.played import PlayedHand
from croupier.runs.played import Figures, PlayedStore


class PlayedHands:
    """The finished hands of all visitors.

    Parameters
    ----------
    store
        Where they are kept.
    """

    def __init__(self, store: PlayedStore) -> None:
        self.store = store

    def record(self, visitor: str, hand: PlayedHand) -> None:
        """Keep a finished hand; the same hand again, such as with prices, replaces the one before."""
        self.store.record(*_stored(visitor, hand))

    def recording(self, visitor: str, hand: PlayedHand) -> Callable[[sql.Connection], None]:
        """Return what :meth:`record` does in a transaction, for one that writes more than that."""
        return self.store.recording(*_stored(visitor, hand))


def _stored(visitor: str, hand: PlayedHand) -> tuple[str, str, str, Figures, dict[str, Any]]:
    """Return a hand as the store takes it."""
    figures = Figures(
        hands=1,
        priced=int(hand.is_priced),
        won=hand.won,
        worth=hand.worth or 0.0,
        luck=hand.luck,
        cost=hand.cost if hand.is_priced else 0.0,
        decisions=len(hand.decisions),
        right=sum(decision.is_right for decision in hand.decisions),
    )
    return visitor, hand.game, hand.key, figures, hand.to_data()
