"""The games that friends can play, by name: how each is read back when its table was saved."""

from collections.abc import Callable, Mapping
from typing import Any

from croupier.web.friends import banluck, blackjack, durak
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game

GAMES: dict[str, Callable[[Mapping[str, Any]], Game]] = {
    banluck.KIND: BanluckEvening.from_state,
    blackjack.KIND: BlackjackEvening.from_state,
    durak.KIND: DurakEvening.from_state,
}
