"""Rule sets and strategies drawn from a number: what the solvers are tested on besides the presets."""

from collections.abc import Callable

import numpy as np
import pytest

from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from tests.banluck import rule_sets


def _random_player(number: int) -> PlayerStrategy:
    return PlayerStrategy(np.random.default_rng((number, 0)).random(len(MULTISETS)))


def _random_dealer(number: int, rules: BanluckRules) -> DealerStrategy:
    source = np.random.default_rng((number, 1))
    draw = source.random((len(MULTISETS), len(PLAYER_CARD_COUNTS)))
    if rules.reveal == "none":
        draw[:] = draw[:, :1]
    return DealerStrategy(draw, source.random((len(MULTISETS), len(Shown))))


@pytest.fixture
def random_rules() -> Callable[[int], BanluckRules]:
    """Draw a combination of all options from a number."""
    return rule_sets.random_rules


@pytest.fixture
def random_player() -> Callable[[int], PlayerStrategy]:
    """Draw a player from a number who mixes everywhere, where there is no choice too."""
    return _random_player


@pytest.fixture
def random_dealer() -> Callable[[int, BanluckRules], DealerStrategy]:
    """Draw a dealer from a number who mixes everywhere, as far as the rules let the card count be used."""
    return _random_dealer
