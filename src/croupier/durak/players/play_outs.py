"""The strongest way to choose before every card is known: moves are played out as the policy network plays.

It is given an :class:`~croupier.durak.engine.observation.Observation` and the :class:`~croupier.durak.players.evidence.Evidence` of the
game so far; neither holds a hidden card.

Light on purpose: engine processes import it (see :mod:`~croupier.durak.engine`).
"""

import ctypes
import math
from functools import partial
from typing import NamedTuple

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.players.budget import Budget, Clock
from croupier.durak.players.endgame import STACK_WORDS
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.native_code import native_code
from croupier.durak.players.network_shapes import PolicyShape, ValueShape
from croupier.durak.players.question import (
    TRUST,
    PossibleHands,
    blank,
    cards_in,
    possible_hands,
    question_words,
    stock_bytes,
    verify_consistent,
    words,
)
from croupier.durak.players.side_by_side import side_by_side
from croupier.durak.players.splitmix import SplitMix64

#: The most moves of a question that are looked at, and the columns of what is found of them (see the kernel).
_MOVES = 512
_NUMBERS, _FIGURES = 3, 5

#: The memory of the policy and of the value network (see the kernels).
_POLICY_MEMORY = PolicyShape.FIRST_UNITS + PolicyShape.SECOND_UNITS + PolicyShape.OUTPUTS
_HIDDEN = ValueShape.FIRST_UNITS + ValueShape.SECOND_UNITS

#: How many end games a search keeps in mind.
_MEMO_ENTRIES = 2**18

#: How many rounds of a tree search take as long as one play-out.
ROUNDS_A_PLAY_OUT = 25

#: Bouts that are played beyond the present one.
_BOUTS = 1

#: What a logarithm of the policy's probability is worth, in points, where there is time for so many play-outs; with more of them it is
#: worth less, as their errors are smaller.
_POLICY_TRUST = 0.01
_TRUSTED_PLAY_OUTS = 1000

#: How many standard errors a move may lie behind the best before it is dropped.
_PATIENCE = 3.0

Cards = tuple[int, ...]


class PlayOuts:
    """Finds the best move where cards are hidden; it keeps its memory from move to move.

    Parameters
    ----------
    cap
        How many attack cards the rules of the table allow in a bout.
    trust
        The prior probability that the other player always plays its cheapest card. Its play then raises or lowers it; 0 rules
        it out.
    threads
        How many threads play out side by side, each with deals of its own.

    Examples
    --------
    >>> from croupier.durak.engine.pack import cards_text, read_card, read_cards
    >>> from croupier.durak.engine.phases import Phase
    >>> seen = Observation(Phase.ATTACK, read_cards("6C 7D 9S TS QC AH"), (), (), 24, 6, read_card("KH"))
    >>> cards_text(PlayOuts().best_move(seen, None, Budget(rounds=1000), seed=1))
    '6C'
    """

    def __init__(self, cap: int = PACK_SIZE, *, trust: float = TRUST, threads: int = 1) -> None:
        self._cap = cap
        self._trust = trust
        self._tables = [_Table() for _ in range(threads)]

    def forget(self) -> None:
        """Forget the end games of earlier games, so that an answer depends on this game, the budget and the seed alone."""
        for table in self._tables:
            table.forget()

    def best_move(self, seen: Observation, evidence: Evidence | None, budget: Budget, seed: int) -> Cards:
        """Return the cards of the best move.

        Parameters
        ----------
        seen
            What the player in turn may know; some card must be hidden.
        evidence
            What the other player has done so far, if that was followed.
        budget
            How long to think; a play-out counts as 25 rounds. With rounds instead of time the result depends on the seed alone.
        seed
            The seed of the deals.

        Raises
        ------
        InputError
            If the budget is invalid, or what is seen does not add up to a pack of cards.
        """
        verify_consistent(seen)
        clock, seeds = Clock(budget), SplitMix64(seed)
        streams = [seed % 2**64, *(seeds.next_word() for _ in self._tables[1:])]
        for table, stream in zip(self._tables, streams, strict=True):
            table.begin(seen, evidence, stream, self._cap)
        while hands := clock.next_hands():
            side_by_side(
                partial(_Table.draw_hands, seen=seen, evidence=evidence, hands=hands, trust=self._trust),
                self._tables,
            )
        for table in self._tables:
            table.list_moves()
        trust = _POLICY_TRUST * math.sqrt(_TRUSTED_PLAY_OUTS * ROUNDS_A_PLAY_OUT / clock.expected_rounds)
        while rounds := clock.next_rounds():
            play_outs = max(1, rounds // ROUNDS_A_PLAY_OUT)
            plan = _Plan(play_outs, clock.proof_positions, trust)
            left = side_by_side(partial(_Table.play_out, plan=plan), self._tables)
            if max(left) <= 1:
                break
        return self._best(trust)

    def _best(self, trust: float) -> Cards:
        """Return the move that most threads keep, and among those the one with the highest score."""
        totals: dict[int, tuple[int, float]] = {}
        for table in self._tables:
            for move, is_kept, score in table.scores(trust):
                kept, total = totals.get(move, (0, 0.0))
                totals[move] = (kept + is_kept, total + score)
        return cards_in(max(totals, key=lambda move: totals[move]))


class _Plan(NamedTuple):
    """How many play-outs to do, how many positions a proof may look at, and what the policy's opinion is worth."""

    play_outs: int
    positions: int
    trust: float


class _Table:
    """The moves of a question and the deals in which they are played out, as the kernel lays them out."""

    def __init__(self) -> None:
        self._numbers = words([0] * (_NUMBERS * _MOVES))
        self._figures = (ctypes.c_double * (_FIGURES * _MOVES))()
        self._policy = (ctypes.c_float * _POLICY_MEMORY)()
        self._hidden = (ctypes.c_float * _HIDDEN)()
        self._allowance = words([0])
        self._stack = (ctypes.c_int64 * STACK_WORDS)()
        self.forget()

    def forget(self) -> None:
        """Forget the end games that were proved."""
        self._memo = blank(ctypes.c_int64, 2 * _MEMO_ENTRIES)

    def begin(self, seen: Observation, evidence: Evidence | None, seed: int, cap: int) -> None:
        """Begin a question, with no hands yet."""
        self._stream = (ctypes.c_uint64 * 1)(seed)
        self._hands = PossibleHands(0, words([]), words([]))
        taken = () if evidence is None else evidence.taken
        self._question, self._stock = question_words(seen, cap, taken=taken), stock_bytes(seen)

    def draw_hands(self, seen: Observation, evidence: Evidence | None, hands: int, trust: float) -> None:
        """Draw some more hands of the other player."""
        drawn = possible_hands(seen, evidence, hands, self._stream, trust)
        self._hands = self._hands.joined(drawn) if self._hands.size else drawn

    def list_moves(self) -> None:
        """Find the moves, and how likely the policy plays each."""
        self._size = native_code().begin_play_outs(
            *(self._question, self._hands.hands[0], self._stock),
            *(self._numbers, self._figures, _MOVES, self._policy),
        )

    def play_out(self, plan: "_Plan") -> int:
        """Play moves out; return how many are still in question."""
        drawn = self._hands
        return native_code().play_out(
            *(self._question, drawn.hands, drawn.models, drawn.size, self._stock),
            *(self._numbers, self._figures, _MOVES, self._size),
            *(_BOUTS, plan.positions, plan.trust, _PATIENCE, plan.play_outs),
            *(
                self._policy,
                self._hidden,
                self._memo,
                _MEMO_ENTRIES,
                self._allowance,
                self._stack,
                self._stream,
            ),
        )

    def scores(self, trust: float) -> list[tuple[int, int, float]]:
        """Return the moves, whether each is kept, and its score: what it gains over the mean of its deals, and what the policy adds."""
        chances, leads = self._figures[:_MOVES], self._figures[2 * _MOVES : 3 * _MOVES]
        visits, kept = self._numbers[_MOVES : 2 * _MOVES], self._numbers[2 * _MOVES :]
        return [
            (self._numbers[move], kept[move], leads[move] / max(1, visits[move]) + trust * chances[move])
            for move in range(self._size)
        ]
