"""What an engine process remembers of its game: the protocol sends changes, a player needs the whole position.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

from typing import Any

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE, read_card
from croupier.durak.engine.phases import Phase

Cards = tuple[int, ...]


class GameMemory:
    """The player's hand, the public facts, and the cards that the other player is known to hold.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> memory = GameMemory(trump=read_card("8H"))
    >>> memory.deal(read_cards("9C KH"), {"discarded": [], "deck_count": 24, "enemy_count": 6})
    >>> seen = memory.question(Phase.ATTACK, (), {"discarded": [], "deck_count": 24, "enemy_count": 6})
    >>> cards_text(seen.hand), seen.enemy_count
    ('9C KH', 6)
    >>> memory.play(seen, read_cards("9C"))
    >>> memory.deal((), {"discarded": [], "deck_count": 24, "enemy_count": 7})
    >>> cards_text(memory.known_enemy)  # it was not beaten, and it did not come to us
    '9C'
    """

    def __init__(self, trump: int) -> None:
        self.trump = trump
        self.hand: Cards = ()
        self.discarded: Cards = ()
        self.deck_count = 0
        self.enemy_count = 0
        self.known_enemy: Cards = ()
        self._bout: Cards = ()

    def deal(self, cards: Cards, data: dict[str, Any]) -> None:
        """Take in a deal: a bout has ended before it, and the deal shows where its cards went."""
        self._read(data)
        lead = self._bout[:1]
        if lead and "discarded" in data and lead[0] not in {*self.discarded, *cards}:
            self.known_enemy += self._bout
        self._bout = ()
        self.hand += cards
        self._forget(cards + self.discarded)

    def question(self, phase: Phase, table: Cards, data: dict[str, Any]) -> Observation:
        """Take in a question and return all that is known when it is asked."""
        self._read(data)
        self._bout = table
        self._forget(table)
        known = self.known_enemy
        if self.deck_count == 0 and self.trump not in {*self.hand, *table, *self.discarded, *known}:
            known = (*known, self.trump)
        return Observation(
            phase=phase,
            hand=self.hand,
            table=table,
            discarded=self.discarded,
            deck_count=self.deck_count,
            enemy_count=self.enemy_count,
            trump=self.trump,
            known_enemy=known,
            attack_room=PACK_SIZE - (len(table) + 1) // 2,
        )

    def play(self, seen: Observation, cards: Cards) -> None:
        """Take in the player's answer to a question."""
        self._bout = seen.table + cards
        self.hand = tuple(card for card in self.hand if card not in cards)

    def _read(self, data: dict[str, Any]) -> None:
        self.discarded = tuple(read_card(card) for card in data.get("discarded", ())) or self.discarded
        self.deck_count = int(data.get("deck_count", self.deck_count))
        self.enemy_count = int(data.get("enemy_count", self.enemy_count))

    def _forget(self, seen: Cards) -> None:
        """Drop cards that have shown up elsewhere from those that the other player holds."""
        self.known_enemy = tuple(card for card in self.known_enemy if card not in seen)
