from collections.abc import Callable, Sequence

import pytest

from croupier.blackjack.engine import (
    Action,
    ActionKind,
    BlackjackRules,
    RoundState,
    SideBets,
    act,
    deal,
    start_round,
)
from croupier.cards import parse_card


@pytest.fixture
def dealt() -> Callable[..., RoundState]:
    """Deal hands given as text: the dealer's first, then one a player, bets of 10, under changed options."""

    def deal_text(
        dealer: str,
        *hands: str,
        bets: Sequence[float] | None = None,
        side_bets: Sequence[SideBets] = (),
        **options: object,
    ) -> RoundState:
        state = start_round(BlackjackRules.create(options), bets or [10.0] * len(hands), side_bets)
        cards = [tuple(parse_card(card) for card in text.split()) for text in (*hands, dealer)]
        return deal(state, cards[:-1], cards[-1])

    return deal_text


@pytest.fixture
def play() -> Callable[[RoundState, str], RoundState]:
    """Play a script of actions and cards, such as "hit 5C, stand, split, complete 8D, draw KS"."""

    def play_script(state: RoundState, script: str) -> RoundState:
        for step in script.split(","):
            word, *cards = step.split()
            kind = ActionKind(word)
            of_dealer = kind in (ActionKind.PEEK, ActionKind.DRAW, ActionKind.DEALER_STAND)
            seat = state.turn.seat if state.turn is not None and not of_dealer else None
            state = act(state, Action(kind, seat, tuple(parse_card(card) for card in cards)))
        return state

    return play_script
