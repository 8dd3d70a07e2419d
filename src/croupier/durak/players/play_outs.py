"""The strongest way to choose where there is no proof: moves are played out as the policy network plays.

It is given an :class:`~croupier.durak.engine.observation.Observation` and the :class:`~croupier.durak.players.evidence.Evidence` of the
game so far; neither holds a hidden card.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.budget import Clock
from croupier.durak.players.deals import Deals, draw_hands, seeds_of_threads
from croupier.durak.players.endgame import STACK_WORDS
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.native_code import native_code
from croupier.durak.players.network_shapes import PolicyShape, ValueShape
from croupier.durak.players.question import (
    UNSUSPECTED,
    Suspicion,
    blank,
    card_bits,
    cards_in,
    clear,
    words,
)
from croupier.durak.players.side_by_side import side_by_side

#: The most moves of a question that are looked at, and how many columns there are of what is found of them (see the kernel).
_MOVES = 512
_NUMBERS, _FIGURES = 3, 6

#: Some of those columns.
_POINTS, _LEADS, _SQUARES, _BEFORE = 1, 2, 3, 5

#: The memory of the value network (see the kernel).
_HIDDEN = ValueShape.FIRST_UNITS + ValueShape.SECOND_UNITS

#: How many end games a search keeps in mind.
_MEMO_ENTRIES = 2**18

#: How many rounds of a tree search take as long as one bout of a play-out, and as many bouts as a choice that is searched inside it.
ROUNDS_A_BOUT = 12
_BOUTS_A_SEARCH = 20

#: Bouts that are played beyond the present one: at least one, and one more for each of so many rounds. More would scatter more: the value
#: network knows what whole games only show by chance.
_ROUNDS_A_FURTHER_BOUT = 7500
_MOST_BOUTS = 4

#: With a generous clock, moves that are still in question after a share of the rounds are played out again, with choices that are searched.
_SHARE_BEFORE = 0.15
_SEARCHED = 3
_BOUTS_WHILE_SEARCHED = 1

#: Moves are not tried that the policy plays much less often than its favourite: the logarithms may differ by so much for each tenfold of
#: so many rounds. Ten milliseconds leave out what it plays once where its favourite is played 3,000 times.
_REACH_OF_TENFOLD = 4.0
_ROUNDS_OF_NOTHING = 25

#: What a logarithm of the policy's probability is worth, in points, where there is time for so many rounds; with more of them it is
#: worth less, as the errors of play-outs are smaller.
_POLICY_TRUST = 0.01
_TRUSTED_ROUNDS = 25_000

#: How many standard errors a move may lie behind the best before it is dropped.
_PATIENCE = 3.0

Cards = tuple[int, ...]


class _Plan(NamedTuple):
    """How moves are played out, as the kernel understands it, and the share of the time after which another plan takes over."""

    bouts: int
    searched: int
    positions: int
    trust: float
    share: float = 1.0

    @property
    def rounds(self) -> int:
        """How many rounds of a tree search take as long as a play-out."""
        return ROUNDS_A_BOUT * (1 + self.bouts + _BOUTS_A_SEARCH * self.searched)


def _plans(clock: Clock) -> Iterator[_Plan]:
    """Yield how to use the time: with more of it play-outs go deeper, and with much of it choices inside them are searched."""
    rounds = clock.expected_rounds
    trust = _POLICY_TRUST * math.sqrt(_TRUSTED_ROUNDS / rounds)
    plain = _Plan(min(1 + rounds // _ROUNDS_A_FURTHER_BOUT, _MOST_BOUTS), 0, clock.proof_positions, trust)
    if not clock.is_generous:
        yield plain
    else:
        searching = plain._replace(bouts=_BOUTS_WHILE_SEARCHED, searched=_SEARCHED)
        yield plain._replace(share=_SHARE_BEFORE)
        # There is time for fewer of these, so the mean of each is less certain.
        yield searching._replace(trust=trust * math.sqrt(searching.rounds / plain.rounds))


class PlayOuts:
    """Compares moves by playing them out; it keeps its memory from move to move.

    Parameters
    ----------
    cap
        How many attack cards the rules of the table allow in a bout.
    threads
        How many threads play out side by side, each with deals of its own.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> from croupier.durak.players.budget import Budget
    >>> seen = Observation(Phase.ATTACK, read_cards("6C 7D 9S TS QC AH"), (), (), 24, 6, read_card("KH"))
    >>> best, *_ = PlayOuts().compare(seen, None, Clock(Budget(rounds=1000)), seed=1)
    >>> cards_text(best)
    '6C'
    """

    def __init__(self, cap: int = PACK_SIZE, *, threads: int = 1) -> None:
        self._cap = cap
        self._tables = [_Table() for _ in range(threads)]

    def forget(self) -> None:
        """Forget the end games of earlier games, so that an answer depends on this game, the budget and the seed alone."""
        for table in self._tables:
            table.forget()

    def compare(
        self,
        seen: Observation,
        evidence: Evidence | None,
        clock: Clock,
        seed: int,
        moves: Iterable[Cards] | None = None,
        *,
        suspicion: Suspicion = UNSUSPECTED,
    ) -> dict[Cards, tuple[int, float]]:
        """Return moves from the best on, with the number of their play-outs and their mean score.

        Parameters
        ----------
        seen
            What the player in turn may know, which adds up to a pack of cards.
        evidence
            What the other player has done so far, if that was followed.
        clock
            How long to think; a bout of a play-out counts as 12 rounds. With rounds instead of time the result depends on the seed
            alone.
        seed
            The seed of the deals.
        moves
            The moves to compare, if not all of them.
        suspicion
            Whether the other player always plays its cheapest card. Where that is likelier than not, the moves that are tried are those of
            the policy that has learnt against such a player.
        """
        reach = _REACH_OF_TENFOLD * math.log10(max(10, clock.expected_rounds / _ROUNDS_OF_NOTHING))
        for table, own_seed in zip(self._tables, seeds_of_threads(seed, len(self._tables)), strict=True):
            deals = Deals(seen, evidence, suspicion, own_seed, self._cap, asks_policy=clock.is_generous)
            table.list_moves(deals, moves, reach, suspicion.model)
        trust = 0.0
        if self._tables[0].kept > 1:
            draw_hands([table.deals for table in self._tables], clock)
            for plan in _plans(clock):
                trust = plan.trust
                if self._play_out(plan, clock) <= 1:
                    break
        return self._compared(trust)

    def likeliest(self, seen: Observation, evidence: Evidence | None, suspicion: Suspicion) -> list[Cards]:
        """Return the moves without any play-out, those first that the policy plays most often.

        Examples
        --------
        >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
        >>> from croupier.durak.engine.phases import Phase
        >>> seen = Observation(Phase.ATTACK, read_cards("6C AH"), (), (), 24, 6, read_card("KH"))
        >>> [cards_text(cards) for cards in PlayOuts().likeliest(seen, None, UNSUSPECTED)]
        ['6C', 'AH']
        """
        table = self._tables[0]
        table.list_moves(Deals(seen, evidence, suspicion, cap=self._cap), None, math.inf, suspicion.model)
        return table.by_chance()

    def _play_out(self, plan: _Plan, clock: Clock) -> int:
        """Play out by a plan until its share of the time is over; return how many moves are still in question."""
        for table in self._tables:
            table.count_anew()
        left = [_MOVES]
        while max(left) > 1 and clock.share_used < plan.share and (rounds := clock.next_rounds()):
            play_outs = max(1, rounds // plan.rounds)
            left = side_by_side(partial(_Table.play_out, plan=plan, play_outs=play_outs), self._tables)
        return max(left)

    def _compared(self, trust: float) -> dict[Cards, tuple[int, float]]:
        """Return the moves in an order: that which most threads keep comes first, and among those the one with the highest score."""
        order: dict[int, tuple[int, float]] = {}
        counts: dict[int, tuple[int, float]] = {}
        for table in self._tables:
            for move in table.moves(trust):
                kept, merit = order.get(move.cards, (0, 0.0))
                order[move.cards] = (kept + move.is_kept, merit + move.merit)
                visits, points = counts.get(move.cards, (0, 0.0))
                counts[move.cards] = (visits + move.visits, points + move.points)
        best_first = sorted(order, key=lambda move: order[move], reverse=True)
        return {
            cards_in(move): (counts[move][0], counts[move][1] / max(1, counts[move][0]))
            for move in best_first
        }


class _Move(NamedTuple):
    """What a table has found of a move; its merit is what it gains over the mean of its deals by each plan, and what the policy adds."""

    cards: int
    is_kept: int
    visits: int
    points: float
    merit: float


class _Table:
    """The moves of a question and the deals in which they are played out, as the kernel lays them out."""

    def __init__(self) -> None:
        self._numbers = words([0] * (_NUMBERS * _MOVES))
        self._figures = (ctypes.c_double * (_FIGURES * _MOVES))()
        self._policy = (ctypes.c_float * PolicyShape.MEMORY)()
        self._hidden = (ctypes.c_float * _HIDDEN)()
        self._allowance = words([0])
        self._stack = (ctypes.c_int64 * STACK_WORDS)()
        self._inner_stock = (ctypes.c_int8 * PACK_SIZE)()
        self._choices = words([0] * PolicyShape.OUTPUTS)
        self._scores = (ctypes.c_double * PolicyShape.OUTPUTS)()
        self._memo = blank(ctypes.c_int64, 2 * _MEMO_ENTRIES)

    def forget(self) -> None:
        """Forget the end games that were proved."""
        clear(self._memo)

    @property
    def kept(self) -> int:
        """How many moves are in question."""
        return sum(self._numbers[2 * _MOVES : 2 * _MOVES + self._size])

    def list_moves(self, deals: Deals, wanted: Iterable[Cards] | None, reach: float, model: int) -> None:
        """Begin a question: find the moves, and how likely the policy for such an opponent plays each.

        Those that are wanted are kept, or those that are nearly as likely as its favourite.
        """
        self.deals = deals
        self._size = native_code().begin_play_outs(
            *(deals.question, deals.any_hand(), model, deals.stock),
            *(self._numbers, self._figures, _MOVES, reach, self._policy),
        )
        if wanted is not None:
            sets = {card_bits(cards) for cards in wanted}
            for move in range(self._size):
                self._numbers[2 * _MOVES + move] = int(self._numbers[move] in sets)

    def by_chance(self) -> list[Cards]:
        """Return the moves, those first that the policy plays most often."""
        moves = sorted(range(self._size), key=lambda move: -self._figures[move])
        return [cards_in(self._numbers[move]) for move in moves]

    def count_anew(self) -> None:
        """Begin to count for another plan; what moves have gained so far counts beside that, and those that were dropped stay so."""
        numbers, figures = self._numbers, self._figures
        for move in range(self._size):
            gained = figures[_LEADS * _MOVES + move] / max(1, numbers[_MOVES + move])
            figures[_BEFORE * _MOVES + move] += gained
            numbers[_MOVES + move] = 0
            for column in (_POINTS, _LEADS, _SQUARES):
                figures[column * _MOVES + move] = 0.0

    def play_out(self, plan: _Plan, play_outs: int) -> int:
        """Play moves out; return how many are still in question."""
        deals, drawn = self.deals, self.deals.hands
        return native_code().play_out(
            *(deals.question, drawn.hands, drawn.models, drawn.size, deals.stock),
            *(self._numbers, self._figures, _MOVES, self._size),
            *(plan.bouts, plan.positions, plan.trust, _PATIENCE, plan.searched, play_outs),
            *(self._policy, self._hidden, self._memo, _MEMO_ENTRIES, self._allowance, self._stack),
            *(self._inner_stock, self._choices, self._scores, deals.stream),
        )

    def moves(self, trust: float) -> Iterator[_Move]:
        """Yield the moves with what has been found of them."""
        numbers, figures = self._numbers, self._figures
        for move in range(self._size):
            visits = numbers[_MOVES + move]
            gained = figures[_LEADS * _MOVES + move] / max(1, visits) + figures[_BEFORE * _MOVES + move]
            points, merit = figures[_POINTS * _MOVES + move], gained + trust * figures[move]
            yield _Move(numbers[move], numbers[2 * _MOVES + move], visits, points, merit)
