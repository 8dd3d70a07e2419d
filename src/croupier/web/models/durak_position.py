"""A durak position that a visitor sets up: both hands, trump, stock, and who is to move."""

from dataclasses import dataclass, replace

from croupier.cards.shoe import shuffle
from croupier.durak.engine.dealing import set_up
from croupier.durak.engine.pack import HAND_SIZE, PACK, PACK_SIZE
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import GameState
from croupier.durak.play.facts import OPPONENT, YOU
from croupier.durak.play.refusal import DurakRefusal

#: The largest stock: both hands are dealt.
LARGEST_STOCK = PACK_SIZE - 2 * HAND_SIZE


@dataclass(frozen=True, slots=True)
class PositionDraft:
    """A position as far as it is set up.

    Attributes
    ----------
    own, other
        The visitor's cards and the opponent's.
    trump
        The card that lies, or lay, open under the stock.
    stock
        How many cards the stock holds, the open trump included; chance picks them from the cards in no hand, and the others are
        out of play.
    leader
        Who is to move: 0 is the visitor, 1 the opponent.

    Examples
    --------
    >>> draft = PositionDraft().pressed(16).pressed(20).pressed(20)
    >>> draft.own, draft.other
    ((16,), (20,))
    >>> draft.position(seed=1).deck_count
    0
    """

    own: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    trump: int = PACK[-1]
    stock: int = 0
    leader: int = YOU

    def pressed(self, card: int) -> "PositionDraft":
        """Give a card to the next holder: nobody, then the visitor, then the opponent, then nobody again."""
        if card in self.own:
            own = tuple(held for held in self.own if held != card)
            return replace(self, own=own, other=(*self.other, card))
        if card in self.other:
            return replace(self, other=tuple(held for held in self.other if held != card))
        return replace(self, own=(*self.own, card))

    def position(self, seed: int) -> GameState:
        """Return the position; the seed shuffles the stock.

        Raises
        ------
        DurakRefusal
            If it is no position of a game; the message says why.
        """
        held = {*self.own, *self.other}
        if not self.own or not self.other:
            raise DurakRefusal("durak.refused.position_empty")
        if not 0 <= self.stock <= LARGEST_STOCK or self.leader not in (YOU, OPPONENT):
            raise DurakRefusal("durak.refused.position_stock", limit=LARGEST_STOCK)
        if self.stock and self.trump in held:
            raise DurakRefusal("durak.refused.position_trump")
        if self.stock and min(len(self.own), len(self.other)) < HAND_SIZE:
            raise DurakRefusal("durak.refused.position_hands")
        free = [card for card in PACK if card not in held and card != self.trump]
        if self.stock - 1 > len(free):
            raise DurakRefusal("durak.refused.position_cards", count=len(free) + 1)
        stock = (*shuffle(free, seed)[: self.stock - 1], self.trump) if self.stock else ()
        rules = DURAK.preset("table").rules
        return set_up(rules, (self.own, self.other), stock, self.trump, self.leader)
