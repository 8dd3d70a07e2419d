"""A round of blackjack or a hand of Banluck for OpenSpiel: chance deals point classes, one card at a time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from croupier.cards import CARDS_OF_CLASS, POINT_CLASSES, point_class
from croupier.environments.openspiel.states import CardGame, CardState, Outcomes

StateT = TypeVar("StateT")


class DealtState(CardState, Generic[StateT]):
    """A table whose engine asks for cards with an action; chance deals them before the action is done.

    A subclass says what the engine can do: ``forced`` (what happens without a choice), ``needed`` (how many cards an action wants),
    ``done`` (the table after an action).
    """

    def __init__(self, game: CardGame, table: StateT, counts: Sequence[int] | None) -> None:
        super().__init__(game)
        self.table = table
        #: How many cards of each class are left; None in an endless shoe.
        self.left = None if counts is None else list(counts)
        self._used: list[int] = []
        self._pending: Any = None
        self._cards: tuple[int, ...] = ()

    def forced(self) -> Any:
        """Return what happens now without anybody's choice, if anything does."""
        raise NotImplementedError

    def needed(self, action: Any) -> int:
        """Return how many cards an action wants."""
        raise NotImplementedError

    def done(self, action: Any) -> StateT:
        """Return the table after an action."""
        raise NotImplementedError

    def settle(self) -> None:
        """Note whose turn it is, or that everything is over."""
        raise NotImplementedError

    def deals(self) -> Outcomes:
        """Return the classes that can come, by how many cards of them are left."""
        counts = self.left or [len(cards) for cards in CARDS_OF_CLASS]
        total = sum(counts)
        return [(point, count / total) for point, count in enumerate(counts) if count]

    def begin(self, action: Any) -> None:
        """Do an action, as soon as chance has dealt its cards, and everything that it forces."""
        while action is not None:
            if self.needed(action) > len(self._cards):
                self._pending, self.turn = action, None
                return
            self.table = self.done(replace(action, cards=self._cards))
            self._cards, self._pending = (), None
            action = self.forced()
        self.settle()

    def dealt(self, point: int) -> None:
        """Take a card of a class from chance."""
        cards = CARDS_OF_CLASS[point]
        self._cards += (min(cards, key=self._used.count),)
        self._used.append(self._cards[-1])
        if self.left is not None:
            self.left[point] -= 1
        self.begin(self._pending)


def class_names(cards: Sequence[int]) -> str:
    """Return the point classes of cards, in order.

    >>> class_names((51, 0, 40))
    'A2T'
    """
    return "".join(POINT_CLASSES[point_class(card)] for card in cards)
