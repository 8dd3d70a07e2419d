"""What is counted while rounds are played: small, exact, and added up in any number of blocks."""

from collections.abc import Mapping, Sequence
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
from croupier.blackjack.simulation.single_seat_kernel import EVEN_SPLIT, SPLIT_RESULTS, Counts
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS
from croupier.blackjack.solvers.chart_moves import FIRST_PAIR_ROW

Floats = NDArray[np.float64]

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
        How often the first cards made each kind that a side bet pays for, or none.
    cells, squares
        ``[row, column, first move]``: rounds, bets and what they won; and that squared.
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
    def empty(cls, columns: int = len(UP_CARDS)) -> Self:
        """Return a tally of nothing, for charts of so many columns."""
        cells = (len(ROWS), columns, len(MOVES))
        return cls(
            np.zeros(kernel.SUM_COUNT, dtype=np.int64),
            np.zeros((OUTCOME_COUNT, 2), dtype=np.int64),
            np.zeros(kernel.SIDE_KINDS, dtype=np.int64),
            np.zeros((*cells, kernel.CELL_FIELDS), dtype=np.int64),
            np.zeros(cells),
            np.zeros(kernel.SPREAD_COUNT),
        )

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.sums[kernel.ROUNDS])

    def merged(self, other: Self) -> Self:
        """Count both together."""
        return type(self)(*(getattr(self, entry.name) + getattr(other, entry.name) for entry in fields(self)))

    def add_counts(
        self,
        counts: Counts,
        automaton: RoundAutomaton,
        scale: int,
        *,
        peeks: bool,
        ramp: Sequence[int] = (1,),
    ) -> None:
        """Count the rounds of an automaton with the others; with a count, they are counted by bet, insurance and first move."""
        bets = np.array(ramp, dtype=np.int64)
        histogram = counts.histogram.reshape(len(bets), -1, *automaton.first_moves.shape, ENDINGS)
        splits = counts.splits.reshape(len(bets), -1, len(UP_CARDS), len(UP_CARDS), SPLIT_RESULTS)
        split_hands = counts.split_hands.reshape(len(bets), ENDINGS)
        is_insured = np.arange(histogram.shape[1])
        premiums = is_insured * bets[:, None] * scale // 2
        for number, ending in enumerate(automaton.endings):
            here = histogram[..., number]
            for variant, first_moves in enumerate(automaton.first_moves):
                self._add_ending(here[:, :, variant], ending, first_moves, bets, premiums, scale, peeks=peeks)
            self._add_hands(ending, here.sum(axis=(1, 2, 3, 4)) + split_hands[:, number], bets * scale)
        self._add_splits(splits, bets, premiums, scale)
        rounds = histogram.sum(axis=(2, 3, 4, 5)) + splits.sum(axis=(2, 3, 4))
        self.sums[kernel.INSURED] += (rounds * is_insured).sum()
        self.sums[kernel.TABLE_STAKED] += (rounds * premiums).sum()

    def _add_ending(
        self, counts: Integers, ending: Ending, first_moves: NDArray[np.uint8], bets: Integers, premiums: Integers,
        scale: int, *, peeks: bool,
    ) -> None:  # fmt: skip
        """Count rounds without a split that ended alike, given by bet, insurance and cell."""
        rows, up_cards = np.indices(first_moves.shape)
        is_21, has_natural = rows == ROW_OF_21, ending.outcome is Outcome.DEALER_NATURAL
        place = rows, up_cards, np.where(peeks and has_natural, NONE, np.where(is_21, NONE, first_moves))
        # A natural pushes only against another one, which insurance pays.
        pays_insurance = has_natural | (is_21 & (ending.outcome is Outcome.PUSH))
        premium = premiums[:, :, None, None]
        won = (bets * round(ending.won * scale))[:, None, None, None]
        won = won + np.where(pays_insurance, 2 * premium, -premium)
        self.cells[(*place, kernel.CELL_ROUNDS)] += counts.sum(axis=(0, 1))
        self.cells[(*place, kernel.CELL_BETS)] += (counts * bets[:, None, None, None]).sum(axis=(0, 1))
        self.cells[(*place, kernel.CELL_RESULT)] += (counts * won).sum(axis=(0, 1))
        self.squares[place] += (counts * won**2).sum(axis=(0, 1))

    def _add_splits(self, counts: Integers, bets: Integers, premiums: Integers, scale: int) -> None:
        """Count rounds with a split, given by bet, insurance, pair, up-card and what they won in bets."""
        bet, premium = bets[:, None, None, None, None], premiums[:, :, None, None, None]
        won = bet * scale * (np.arange(SPLIT_RESULTS) - EVEN_SPLIT) - premium
        cells = self.cells[FIRST_PAIR_ROW : FIRST_PAIR_ROW + len(UP_CARDS), :, MOVE_SPLIT]
        cells[..., kernel.CELL_ROUNDS] += counts.sum(axis=(0, 1, 4))
        cells[..., kernel.CELL_BETS] += (counts * bet).sum(axis=(0, 1, 4))
        cells[..., kernel.CELL_RESULT] += (counts * won).sum(axis=(0, 1, 4))
        squares = self.squares[FIRST_PAIR_ROW : FIRST_PAIR_ROW + len(UP_CARDS), :, MOVE_SPLIT]
        squares += (counts * won**2).sum(axis=(0, 1, 4))

    def _add_hands(self, ending: Ending, hands: Integers, bets: Integers) -> None:
        """Count hands that ended alike, given by bet as a whole number."""
        won = np.array([round(ending.won * bet) for bet in bets])
        self.outcomes[OUTCOMES.index(ending.outcome)] += (hands.sum(), (won * hands).sum())
        self.sums[kernel.TABLE_HANDS] += hands.sum()
        self.sums[kernel.TABLE_STAKED] += (ending.stake * bets * hands).sum()

    def to_state(self) -> dict[str, Any]:
        """Return the counts as plain numbers; of the cells, those that came up."""
        seen = np.flatnonzero(self.cells[..., kernel.CELL_ROUNDS])
        return {
            "columns": self.cells.shape[1],
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
        tally = cls.empty(state.get("columns", len(UP_CARDS)))
        for name in ("sums", "outcomes", "side_kinds", "spreads"):
            getattr(tally, name)[: len(state[name])] = state[name]  # older runs knew fewer side bets
        tally.cells.reshape(-1, kernel.CELL_FIELDS)[state["seen"]] = np.reshape(
            state["cells"], (-1, kernel.CELL_FIELDS)
        )
        tally.squares.reshape(-1)[state["seen"]] = state["squares"]
        return tally
