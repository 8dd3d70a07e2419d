"""Rule sets and strategies drawn from a number: what the solvers are tested on besides the presets."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from croupier.banluck.engine import BanluckRules
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown

CHOICES: dict[str, list[object]] = {
    "ace_values": [
        ((10, 11), (1, 10), (1, 10), (1, 10)),
        ((10, 11), (1, 10), (1,), (1,)),
        ((1, 11),) * 4,
        ((1,),) * 4,
        ((11,), (3, 7), (2, 5, 9), (1, 4, 11)),
    ],
    "player_minimum": [12, 14, 15, 16, 17, 19],
    "below_minimum": ["forfeit", "must_hit"],
    "five_card_below_minimum": ["forfeit", "counts"],
    "dealer_minimum": [13, 14, 15, 16, 17, 18],
    "reveal": ["optional", "mandatory", "none"],
    "surrender": ["blind", "after_specials", "none"],
    "dealer_collects_multiples": [False, True],
    "five_card_mirror": ["compare", "push"],
    "five_card_bust_player": [1, 2],
    "five_card_bust_dealer": [1, 2],
    "both_bust": ["player_loses", "push"],
    "pays_ban_ban": [0.5, 1, 3, 10],
    "pays_ban_luck": [0.5, 1, 1.5, 2, 3],
    "pays_777": [0.5, 1, 7, 21],
    "pays_five_card_21": [0.5, 1, 3, 7],
    "pays_five_card": [0.5, 1, 2, 3],
}


def _random_rules(number: int) -> BanluckRules:
    source = random.Random(f"rules {number}")
    options = {name: source.choice(values) for name, values in CHOICES.items()}
    minimum = options["dealer_minimum"]
    assert isinstance(minimum, int)
    return BanluckRules.create({**options, "dealer_choice_max": source.randint(minimum - 1, 20)})


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
    return _random_rules


@pytest.fixture
def random_player() -> Callable[[int], PlayerStrategy]:
    """Draw a player from a number who mixes everywhere, where there is no choice too."""
    return _random_player


@pytest.fixture
def random_dealer() -> Callable[[int, BanluckRules], DealerStrategy]:
    """Draw a dealer from a number who mixes everywhere, as far as the rules let the card count be used."""
    return _random_dealer
