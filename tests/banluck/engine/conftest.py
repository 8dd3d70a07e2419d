from collections.abc import Callable

import pytest

from croupier.banluck.engine import BanluckRules, GameState, deal, new_hand
from croupier.cards import parse_cards


@pytest.fixture
def dealt() -> Callable[..., GameState]:
    """Deal hands given as text: the dealer's first, then one a player, under changed options."""

    def deal_text(dealer: str, *hands: str, **options: object) -> GameState:
        state = new_hand(BanluckRules.create(options), len(hands))
        return deal(state, [parse_cards(hand) for hand in hands], parse_cards(dealer))

    return deal_text
