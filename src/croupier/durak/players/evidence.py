"""What the other player has done so far, and what is known of the hand it was done with: the basis for guessing that hand.

It is built from what a player is shown at its own turns (:class:`~croupier.durak.engine.observation.Observation`) and from
its own answers, nothing else. Between two turns the other player makes at most two choices, and both can be inferred: which
card was beaten with which, whether an attack continued, what was thrown in, what led the next bout.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

from typing import NamedTuple

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import HAND_SIZE
from croupier.durak.engine.phases import Phase

Cards = tuple[int, ...]


class EnemyChoice(NamedTuple):
    """One choice of the other player, and what is known of the hand it was made with.

    Attributes
    ----------
    phase
        What was asked for.
    table
        The cards on the table before the answer.
    limit
        How many cards could be thrown in; 1 in other phases.
    answer
        The cards played; none means done, take, or nothing more.
    drawn
        How many cards the other player had drawn from the stock by then, not counting the open trump.
    held
        Cards that it was known to hold: taken from the table, or the open trump once drawn.
    shown
        Cards that it had drawn and played by then.
    public
        What else it could see.
    """

    phase: Phase
    table: Cards
    limit: int
    answer: Cards
    drawn: int
    held: frozenset[int]
    shown: frozenset[int]
    public: "PublicFacts"


class PublicFacts(NamedTuple):
    """What the other player could see besides its hand and the table when it made a choice.

    Attributes
    ----------
    discarded
        The cards out of play.
    deck_count
        How many cards the stock held.
    own_count
        How many cards this player held.
    known
        Those of them that the other player knew: taken from the table.
    """

    discarded: Cards
    deck_count: int
    own_count: int
    known: frozenset[int]


class Evidence:
    """The choices of the other player in one game, as they come to be known.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> evidence = Evidence()
    >>> seen = Observation(
    ...     Phase.DEFEND, read_cards("9C 9D TD JD QD KD"), read_cards("6C"), (), 24, 5, read_card("8H")
    ... )
    >>> evidence.see(seen)
    >>> [(choice.phase.value, cards_text(choice.answer), choice.drawn) for choice in evidence.choices]
    [('attack', '6C', 6)]
    >>> evidence.play(seen, read_cards("9C"))
    >>> evidence.see(seen._replace(table=read_cards("6C 9C 9H"), hand=seen.hand[1:], enemy_count=4))
    >>> cards_text(evidence.choices[-1].answer)
    '9H'
    """

    def __init__(self) -> None:
        self.choices: list[EnemyChoice] = []
        self.drawn = HAND_SIZE
        self._held: frozenset[int] = frozenset()
        self._shown: frozenset[int] = frozenset()
        self._count = HAND_SIZE
        self._has_drawn_trump = False
        self._taken: frozenset[int] = frozenset()
        self._last: tuple[Observation, Cards] | None = None

    @property
    def taken(self) -> frozenset[int]:
        """The cards that the other player has seen this player take; some may have been played since."""
        return self._taken

    @property
    def shown_count(self) -> int:
        """How many of the cards that the other player has drawn it has played by now."""
        return len(self._shown)

    def see(self, seen: Observation) -> None:
        """Take in what is shown at the player's turn, and infer the other player's choices since the last one."""
        if self._last is not None:
            self._read_answer(*self._last, seen)
        if self._last is None or _is_new_bout(*self._last, seen):
            self._refill(seen)
            self._taken &= set(seen.hand)
            if seen.phase is Phase.DEFEND:
                self._note(Phase.ATTACK, (), 1, seen.table[:1], self._public(seen, ()))
        self._last = None

    def play(self, seen: Observation, cards: Cards) -> None:
        """Take in the player's answer to what was shown."""
        self._last = (seen, tuple(cards))

    def _read_answer(self, asked: Observation, own: Cards, seen: Observation) -> None:
        """Infer how the other player answered, and where the cards of a finished bout have gone."""
        table, public = asked.table + own, self._public(asked, own)
        if asked.phase is Phase.ATTACK and own:
            self._read_defence(asked, table, seen, public)
        elif asked.phase is Phase.DEFEND and own:
            is_over = not asked.enemy_count or len(asked.hand) == 1 or not asked.attack_room
            if not is_over:
                added = () if _is_new_bout(asked, own, seen) else seen.table[len(table) : len(table) + 1]
                self._note(Phase.ATTACK, table, 1, added, public)
        elif asked.phase is Phase.DEFEND:
            thrown = tuple(card for card in seen.hand if card not in {*asked.hand, *table})
            if asked.enemy_count:
                limit = max(0, min(len(asked.hand) - 1, asked.attack_room))
                self._note(Phase.THROW_IN, table, limit, thrown, public)
            self._taken |= {*table, *thrown}
        elif asked.phase is Phase.THROW_IN:
            self._gain(table)

    def _read_defence(self, asked: Observation, table: Cards, seen: Observation, public: PublicFacts) -> None:
        if seen.phase is Phase.THROW_IN and seen.table == table:
            self._note(Phase.DEFEND, table, 1, (), public)
        elif table[-1] in seen.discarded:
            place = len(asked.discarded) + len(table)
            self._note(Phase.DEFEND, table, 1, seen.discarded[place : place + 1], public)
        elif seen.table[: len(table)] == table:
            self._note(Phase.DEFEND, table, 1, seen.table[len(table) : len(table) + 1], public)
        else:
            self._note(Phase.DEFEND, table, 1, (), public)
            self._gain(table)

    def _public(self, seen: Observation, own: Cards) -> PublicFacts:
        """Return what the other player can see once this player has answered."""
        left = set(seen.hand) - set(own)
        return PublicFacts(seen.discarded, seen.deck_count, len(left), self._taken & left)

    def _note(self, phase: Phase, table: Cards, limit: int, answer: Cards, public: PublicFacts) -> None:
        self.choices.append(
            EnemyChoice(phase, table, limit, answer, self.drawn, self._held, self._shown, public)
        )
        self._shown |= set(answer) - self._held
        self._held -= set(answer)
        self._count -= len(answer)

    def _gain(self, cards: Cards) -> None:
        self._held |= set(cards)
        self._count += len(cards)

    def _refill(self, seen: Observation) -> None:
        """Count what the other player has drawn before this bout."""
        is_led = seen.phase is Phase.DEFEND
        drawn = seen.enemy_count + is_led - self._count
        self._count += drawn
        if seen.deck_count == 0 and not self._has_drawn_trump:
            self._has_drawn_trump = True
            if drawn and seen.trump not in seen.hand:
                drawn -= 1
                self._held |= {seen.trump}
        self.drawn += drawn


def _is_new_bout(asked: Observation, own: Cards, seen: Observation) -> bool:
    """Return whether a bout has ended between two turns."""
    table = asked.table + own
    if asked.phase is Phase.THROW_IN or (asked.phase is Phase.DEFEND and not own):
        return True
    if asked.phase is Phase.ATTACK and not own:
        return True
    return seen.table[: len(table)] != table
