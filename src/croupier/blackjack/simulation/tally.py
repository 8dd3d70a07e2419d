"""What is counted while rounds are played: small, exact, and added up in any number of blocks."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import MOVES, NONE
from croupier.blackjack.engine.moves import SPLIT as MOVE_SPLIT
from croupier.blackjack.engine.settlement import Outcome
from croupier.blackjack.simulation import table_kernel as kernel
from croupier.blackjack.simulation.round_automaton import ENDINGS, Ending, RoundAutomaton
from croupier.blackjack.simulation.round_terms import OUTCOME_COUNT, ROW_OF_21, Integers
from croupier.blackjack.simulation.single_seat_kernel import EVEN_SPLIT, Counts
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS
from croupier.blackjack.solvers.chart_moves import FIRST_PAIR_ROW

Floats = NDArray[np.float64]

_CELLS = (len(ROWS), len(UP_CARDS), len(MOVES))

#: The kernels number outcomes in the order of the engine's.
OUTCOMES = tuple(Outcome)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The records of some rounds. Money is in whole numbers, ``scale`` a unit.

    Attributes
    ----------
    sums
        Rounds, full shoes and the like: see ``table_kernel``.
    outcomes
        ``[outcome]``: hands, and what they won.
    side_kinds
        How often the first cards made each kind of pair and of three cards.
    cells, squares
        ``[row, up-card, first move]``: rounds, bets and what they won; and that squared.
    spreads
        Shoes, and their results and bets squared and multiplied.
    """

    sums: Integers
    outcomes: Integers
    side_kinds: Integers
    cells: Integers
    squares: Floats
    spreads: Floats

    @classmethod
    def empty(cls) -> Self:
        """Return a tally of nothing."""
        return cls(
            np.zeros(kernel.SUM_COUNT, dtype=np.int64),
            np.zeros((OUTCOME_COUNT, 2), dtype=np.int64),
            np.zeros(kernel.SIDE_KINDS, dtype=np.int64),
            np.zeros((*_CELLS, kernel.CELL_FIELDS), dtype=np.int64),
            np.zeros(_CELLS),
            np.zeros(kernel.SPREAD_COUNT),
        )

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.sums[kernel.ROUNDS])

    def merged(self, other: Self) -> Self:
        """Count both together."""
        return type(self)(*(getattr(self, entry.name) + getattr(other, entry.name) for entry in fields(self)))

    def add_counts(self, counts: Counts, automaton: RoundAutomaton, scale: int, *, peeks: bool) -> None:
        """Count the rounds of an automaton with the others."""
        self._add_histogram(counts.histogram, automaton, scale, peeks=peeks)
        self._add_splits(counts.splits, scale)
        for number, ending in enumerate(automaton.endings):
            self._add_hands(ending, int(counts.split_hands[number]), scale)

    def _add_histogram(
        self, histogram: Integers, automaton: RoundAutomaton, scale: int, *, peeks: bool
    ) -> None:
        """Count rounds without a split, given by cell and ending."""
        counts = histogram.reshape(len(ROWS), len(UP_CARDS), ENDINGS)
        rows, up_cards = np.indices(automaton.first_moves.shape)
        for number, ending in enumerate(automaton.endings):
            here = counts[:, :, number]
            won = round(ending.won * scale)
            unasked = peeks and ending.outcome is Outcome.DEALER_NATURAL
            moves = np.where(unasked | (rows == ROW_OF_21), NONE, automaton.first_moves)
            place = rows, up_cards, moves
            self.cells[(*place, kernel.CELL_ROUNDS)] += here
            self.cells[(*place, kernel.CELL_BETS)] += here
            self.cells[(*place, kernel.CELL_RESULT)] += won * here
            self.squares[place] += float(won * won) * here
            self._add_hands(ending, int(here.sum()), scale)

    def _add_splits(self, splits: Integers, scale: int) -> None:
        """Count rounds with a split, given by pair, up-card and what they won in bets."""
        counts = splits.reshape(len(UP_CARDS), len(UP_CARDS), -1)
        won = scale * (np.arange(counts.shape[2]) - EVEN_SPLIT)
        rows = slice(FIRST_PAIR_ROW, FIRST_PAIR_ROW + len(UP_CARDS))
        rounds = counts.sum(axis=2)
        self.cells[rows, :, MOVE_SPLIT, kernel.CELL_ROUNDS] += rounds
        self.cells[rows, :, MOVE_SPLIT, kernel.CELL_BETS] += rounds
        self.cells[rows, :, MOVE_SPLIT, kernel.CELL_RESULT] += (counts * won).sum(axis=2)
        self.squares[rows, :, MOVE_SPLIT] += (counts * won**2).sum(axis=2)

    def _add_hands(self, ending: Ending, hands: int, scale: int) -> None:
        self.outcomes[OUTCOMES.index(ending.outcome)] += (hands, round(ending.won * scale) * hands)
        self.sums[kernel.TABLE_HANDS] += hands
        self.sums[kernel.TABLE_STAKED] += ending.stake * scale * hands

    def to_state(self) -> dict[str, Any]:
        """Return the counts as plain numbers; of the cells, those that came up."""
        seen = np.flatnonzero(self.cells[..., kernel.CELL_ROUNDS])
        return {
            "sums": self.sums.tolist(),
            "outcomes": self.outcomes.tolist(),
            "side_kinds": self.side_kinds.tolist(),
            "spreads": self.spreads.tolist(),
            "seen": seen.tolist(),
            "cells": self.cells.reshape(-1, kernel.CELL_FIELDS)[seen].tolist(),
            "squares": self.squares.reshape(-1)[seen].tolist(),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_state` gave.

        >>> tally = Tally.empty()
        >>> tally.cells[3, 4, 1] = (2, 2, -4)
        >>> bool((Tally.from_state(tally.to_state()).cells == tally.cells).all())
        True
        """
        tally = cls.empty()
        for name in ("sums", "outcomes", "side_kinds", "spreads"):
            getattr(tally, name)[:] = state[name]
        tally.cells.reshape(-1, kernel.CELL_FIELDS)[state["seen"]] = np.reshape(
            state["cells"], (-1, kernel.CELL_FIELDS)
        )
        tally.squares.reshape(-1)[state["seen"]] = state["squares"]
        return tally
