"""What one player may know of a game: its hand and the public facts, never a hidden card.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from croupier.durak.engine.pack import PACK, PACK_SIZE, beats, fits, sorted_by_cost, suit_of
from croupier.durak.engine.phases import Phase

if TYPE_CHECKING:
    from croupier.durak.engine.state import GameState


class Observation(NamedTuple):
    """A game as one player sees it.

    Attributes
    ----------
    phase
        What the player in turn is asked for; that is this player whenever an engine is asked.
    hand
        The player's cards.
    table
        Attack cards at even places, the cards that beat them at odd ones.
    discarded
        The cards out of play, in order.
    deck_count
        How many cards the stock holds, the open trump included.
    enemy_count
        How many cards the other player holds.
    trump
        The card that lies open under the stock, or lay there before it was drawn.
    known_enemy
        Cards that the other player is known to hold: those taken from the table, and the open trump once the other
        player must have drawn it.
    attack_room
        How many more attack cards the rules allow in this bout; in the protocol, as many as there are.
    """

    phase: Phase
    hand: tuple[int, ...]
    table: tuple[int, ...]
    discarded: tuple[int, ...]
    deck_count: int
    enemy_count: int
    trump: int
    known_enemy: tuple[int, ...] = ()
    attack_room: int = PACK_SIZE

    @property
    def trump_suit(self) -> int:
        """The suit of trumps, 0-3."""
        return suit_of(self.trump)

    @property
    def throw_in_limit(self) -> int:
        """How many cards the attacker may throw in after a take."""
        return max(0, min(self.enemy_count - 1, self.attack_room))

    @property
    def playable(self) -> tuple[int, ...]:
        """The cards of the hand that may be played now, each by itself.

        Examples
        --------
        >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
        >>> seen = Observation(
        ...     Phase.DEFEND, read_cards("7C 9C 6H"), read_cards("8C"), (), 24, 5, read_card("AH")
        ... )
        >>> cards_text(seen.playable)
        '9C 6H'
        """
        if self.phase is Phase.DEFEND:
            return tuple(card for card in self.hand if beats(card, self.table[-1], self.trump_suit))
        if self.phase is Phase.THROW_IN and not self.throw_in_limit:
            return ()
        return tuple(card for card in self.hand if fits(card, self.table))

    @property
    def can_pass(self) -> bool:
        """Whether the player may answer without a card: always, except for the lead of a bout.

        >>> from croupier.durak.engine.pack import read_card, read_cards
        >>> Observation(Phase.ATTACK, read_cards("7C"), (), (), 24, 5, read_card("AH")).can_pass
        False
        """
        return self.phase is not Phase.ATTACK or bool(self.table)

    def is_trump(self, card: int) -> bool:
        """Tell whether a card is a trump."""
        return suit_of(card) == self.trump_suit

    def by_cost(self, cards: Iterable[int]) -> list[int]:
        """Return cards from the least to the most valuable: plain cards by rank, then trumps.

        >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
        >>> seen = Observation(Phase.ATTACK, read_cards("AC 6H TC"), (), (), 24, 5, read_card("8H"))
        >>> cards_text(seen.by_cost(seen.hand))
        'TC AC 6H'
        """
        return sorted_by_cost(cards, self.trump_suit)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The cards that may be in the other hand or in the stock, as far as this player can tell.

        Once the stock is empty, these and the known ones are the other hand.

        Examples
        --------
        >>> from croupier.durak.engine.dealing import start
        >>> from croupier.durak.engine.rules import DurakRules
        >>> len(observe(start(DurakRules(), PACK), seat=0).unseen)  # all but the own six and the open trump
        29
        """
        seen = {*self.hand, *self.table, *self.discarded, *self.known_enemy, self.trump}
        return tuple(card for card in PACK if card not in seen)


#: A player as a function: from what it sees to the cards that it plays; none means done, take, or nothing more.
Policy = Callable[[Observation], tuple[int, ...]]


def observe(state: "GameState", seat: int) -> Observation:
    """Return what the player in a seat may know.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> seen = observe(start(DurakRules(), PACK), seat=1)
    >>> seen.hand, seen.enemy_count, seen.known_enemy
    ((22, 23, 24, 25, 26, 27), 6, ())
    """
    hand, enemy = state.hands[seat], state.hands[1 - seat]
    known = state.taken[1 - seat]
    if state.trump in enemy and state.trump not in known:
        known = (*known, state.trump)
    return Observation(
        phase=state.phase,
        hand=hand,
        table=state.table + state.thrown_in,
        discarded=state.discarded,
        deck_count=state.deck_count,
        enemy_count=len(enemy),
        trump=state.trump,
        known_enemy=known,
        attack_room=state.attack_room,
    )
