"""Solves the end of a game, in which every card is known: who wins with best play, and with which moves.

With an empty stock, or only the open trump in it, what a player has not seen is the other hand. The outcome is found by the
compiled search of :mod:`~croupier.durak.players.endgame_kernel`, which tries everything that the rules allow.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.native_code import native_code
from croupier.durak.players.question import (
    blank,
    card_bits,
    cards_in,
    clear,
    question_words,
    stock_bytes,
    verify_consistent,
    words,
)
from croupier.errors import InputError

#: How many positions to look at by default before giving up: a few seconds.
DEFAULT_POSITIONS = 10_000_000

#: The size of the table of values (a power of two), of the stack (see the kernel), and of the list of moves.
_ENTRIES = 2**20
STACK_WORDS = 1024 * 18
_MOST_MOVES = 2**14


class Outcome(IntEnum):
    """How a game ends for the player in turn if both sides play their best."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    @property
    def score(self) -> float:
        """The points that it brings: 1, ½ or 0."""
        return (self + 1) / 2


class Bounds(NamedTuple):
    """What is proved of a move: the least and the most that it brings."""

    least: Outcome
    most: Outcome

    @property
    def is_exact(self) -> bool:
        """Whether the two are the same.

        >>> Bounds(Outcome.DRAW, Outcome.WIN).is_exact
        False
        """
        return self.least == self.most


class EndgameSolver:
    """Solves end games; the table of what it has found out serves the next question too.

    Parameters
    ----------
    cap
        How many attack cards the rules of the table allow in a bout.

    Examples
    --------
    The ace of trumps has to be taken, and the last card wins; the six would be beaten, and the ace needed for a draw.

    >>> from croupier.durak.engine.pack import PACK, read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> hand, enemy = read_cards("6C AH"), read_cards("7C 6D")
    >>> gone = tuple(card for card in PACK if card not in {*hand, *enemy})
    >>> seen = Observation(Phase.ATTACK, hand, (), gone, 0, 2, read_card("8H"))
    >>> EndgameSolver().solve(seen)
    {(16,): <Outcome.DRAW: 0>, (50,): <Outcome.WIN: 1>}
    """

    def __init__(self, cap: int = PACK_SIZE) -> None:
        self._cap = cap
        self._memo = blank(ctypes.c_int64, 2 * _ENTRIES)
        self._stack = (ctypes.c_int64 * STACK_WORDS)()
        self._moves = blank(ctypes.c_int64, _MOST_MOVES)
        self._least = blank(ctypes.c_int64, _MOST_MOVES)
        self._most = blank(ctypes.c_int64, _MOST_MOVES)

    def forget(self) -> None:
        """Forget what earlier questions have found out."""
        clear(self._memo)

    def solve(
        self, seen: Observation, positions: int = DEFAULT_POSITIONS
    ) -> dict[tuple[int, ...], Outcome] | None:
        """Return the outcome of every move; None where the allowed positions do not suffice.

        A second attempt continues from what the first has found out.

        Parameters
        ----------
        seen
            What the player in turn sees: at most one card is left in the stock.
        positions
            How many positions may be looked at.

        Raises
        ------
        InputError
            If cards are still hidden, or do not add up to a pack.
        """
        found = self.bounds(seen, positions)
        if all(bounds.is_exact for bounds in found.values()):
            return {cards: bounds.least for cards, bounds in found.items()}
        return None

    def bounds(
        self,
        seen: Observation,
        positions: int = DEFAULT_POSITIONS,
        *,
        is_complete: bool = True,
        promising: Sequence[tuple[int, ...]] = (),
    ) -> dict[tuple[int, ...], Bounds]:
        """Return what can be proved of every move within the allowed positions.

        Parameters
        ----------
        seen, positions
            As for :meth:`solve`.
        is_complete
            Whether every outcome is wanted. Otherwise one winning move is enough, and the others may stay open.
        promising
            Moves to try before the others, the best first.

        Examples
        --------
        >>> from croupier.durak.engine.pack import PACK, read_card, read_cards
        >>> from croupier.durak.engine.phases import Phase
        >>> hand, enemy = read_cards("6C AH"), read_cards("7C 6D")
        >>> gone = tuple(card for card in PACK if card not in {*hand, *enemy})
        >>> seen = Observation(Phase.ATTACK, hand, (), gone, 0, 2, read_card("8H"))
        >>> EndgameSolver().bounds(seen)[50,]
        Bounds(least=<Outcome.WIN: 1>, most=<Outcome.WIN: 1>)
        """
        verify_consistent(seen)
        if not is_open(seen):
            raise InputError(f"{seen.deck_count} cards in the stock: some are hidden; at most 1 may be left")
        question = question_words(seen, self._cap, card_bits((*seen.known_enemy, *seen.unseen)))
        size = native_code().bounds(
            *(question, stock_bytes(seen), self._memo, _ENTRIES, words([positions]), self._stack),
            *(self._moves, self._least, self._most, _MOST_MOVES, is_complete),
            *(words([card_bits(cards) for cards in promising]), len(promising)),
        )
        proved = zip(self._moves[:size], self._least[:size], self._most[:size], strict=True)
        return {cards_in(move): Bounds(Outcome(least), Outcome(most)) for move, least, most in proved}


def is_open(seen: Observation) -> bool:
    """Return whether a player knows every card: the stock is empty, or holds only the open trump."""
    return seen.deck_count <= 1
