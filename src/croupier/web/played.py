"""The finished hands of all visitors, as tables hand them over."""

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
        self.store.record(visitor, hand.game, hand.key, figures, hand.to_data())
