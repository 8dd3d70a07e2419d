from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.durak.engine.actions import answer
from croupier.durak.engine.pack import PACK, read_card, read_cards
from croupier.durak.engine.record import GameRecord, parse_log
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState

DATA = Path(__file__).parents[2] / "data" / "durak"


@pytest.fixture(scope="session")
def recorded_games() -> list[GameRecord]:
    """The 20 games of the old log."""
    games = parse_log((DATA / "old-games.log").read_text(encoding="utf-8"))
    return [game for game in games if isinstance(game, GameRecord)]


@pytest.fixture
def position() -> Callable[..., GameState]:
    """Make a game in the middle: hands and stock given as text, all other cards out of play."""

    def make(
        first: str,
        second: str,
        stock: str = "",
        trump: str = "",
        attacker: int = 0,
        bout: int = 2,
        **options: bool,
    ) -> GameState:
        hands, left = (read_cards(first), read_cards(second)), read_cards(stock)
        trump_card = left[-1] if left else read_card(trump)
        gone = [card for card in PACK if card not in {*hands[0], *hands[1], *left}]
        dealt = [*gone, *hands[0], *hands[1]]
        if not left:
            dealt.remove(trump_card)
            dealt.append(trump_card)
        return GameState(
            rules=DurakRules.create(options),
            deck=(*dealt, *left),
            leader=attacker,
            hands=hands,
            drawn=len(dealt),
            attacker=attacker,
            defender=1 - attacker,
            dealt=((), ()),
            discarded=tuple(gone),
            bout=bout,
        )

    return make


@pytest.fixture
def play() -> Callable[[GameState, str], GameState]:
    """Play a script of answers, such as "6S, 9S, -": a dash is an empty answer."""

    def play_script(state: GameState, script: str) -> GameState:
        for step in script.split(","):
            state = answer(state, () if step.strip() == "-" else read_cards(step))
        return state

    return play_script
