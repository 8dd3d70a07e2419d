"""Figures that somebody else has found."""

import numpy as np
import pytest

from croupier import banluck
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import player_may_act
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.cards import ACE_CLASS

#: Units that the dealer won in a million hands, as the README of quanguefa23/XiDachVietnam-OptimalStrategy-Java reports.
WON_IN_A_MILLION_HANDS = 13_043


def test_a_simulation_of_xi_dach_by_somebody_else_agrees() -> None:
    """Two rules of thumb at 1:1, where an ace counts 1, 10 or 11 in every hand."""
    even = dict.fromkeys(("pays_ban_ban", "pays_ban_luck", "pays_five_card", "pays_five_card_21"), 1)
    rules = banluck.rules("xi-dach", ace_values=((1, 10, 11),) * 4, **even)
    hit, draw = np.zeros(len(MULTISETS)), np.zeros((len(MULTISETS), 4))
    for place, hand in enumerate(MULTISETS):
        value = evaluate_classes(hand, rules)
        if player_may_act(value):
            has_ace = ACE_CLASS in hand
            hit[place] = value.total < (18 if has_ace else 16 if len(hand) == 2 else 17)
            draw[place] = [value.total < stop for stop in ((18, 17, 17, 17) if has_ace else (17, 16, 15, 15))]
    dealer = DealerStrategy(draw, np.zeros((len(MULTISETS), 3)))
    exact = certify(PlayerStrategy(hit), dealer, rules).value
    standard_error = 0.94 / 1_000_000**0.5
    assert abs(-exact - WON_IN_A_MILLION_HANDS / 1e6) < 2 * standard_error
    assert -exact == pytest.approx(0.012997467, abs=1e-9)


def test_without_card_counts_xi_dach_is_a_fair_game() -> None:
    """Both sides have the same rights then, but for the dealer's right to stand on 15, which nobody would use."""
    low, high = banluck.solve(banluck.rules("xi-dach", reveal="none")).interval
    assert low <= 0 <= high
