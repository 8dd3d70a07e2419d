"""Durak for two: write an engine, let engines meet, play and review games.

Everything here loads when it is first used: engine processes start by the thousand and import this package.

Examples
--------
>>> from croupier import durak
>>> class Cautious(durak.Engine):
...     def choose_attack(self, seen):
...         return seen.by_cost(seen.playable)[:1]
...
...     def choose_defence(self, seen):  # no trump while the stock is large
...         plain = [card for card in seen.playable if not seen.is_trump(card)]
...         return seen.by_cost(plain if seen.deck_count > 6 else seen.playable)[:1]
>>> result = durak.match(Cautious(), "durak-dummy", pairs=10, seed=1)
>>> result.wins, result.draws, result.losses
(9, 4, 7)
>>> game = durak.Game.deal(seed=3)
>>> game.play("7C").turn
0
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.durak.arena.contests import match, tournament
    from croupier.durak.arena.engine_spec import Limits
    from croupier.durak.arena.match import MatchResult
    from croupier.durak.arena.tournament import TournamentResult
    from croupier.durak.engine.observation import Observation
    from croupier.durak.engine.pack import beats, cards_text, read_cards
    from croupier.durak.engine.phases import Phase
    from croupier.durak.engine.rules import DurakRules as Rules
    from croupier.durak.engine.rules import find_rules as rules
    from croupier.durak.play.game import Game
    from croupier.durak.play.game_review import Review, review
    from croupier.durak.players.base import Engine, serve

__all__ = [
    "Engine",
    "Game",
    "Limits",
    "MatchResult",
    "Observation",
    "Phase",
    "Review",
    "Rules",
    "TournamentResult",
    "beats",
    "cards_text",
    "match",
    "read_cards",
    "review",
    "rules",
    "serve",
    "tournament",
]

if not TYPE_CHECKING:  # hidden from type checkers, so that they refuse a name that is not there
    _MODULES = {
        "Engine": "players.base",
        "Game": "play.game",
        "Limits": "arena.engine_spec",
        "MatchResult": "arena.match",
        "Observation": "engine.observation",
        "Phase": "engine.phases",
        "Review": "play.game_review",
        "Rules": "engine.rules:DurakRules",
        "TournamentResult": "arena.tournament",
        "beats": "engine.pack",
        "cards_text": "engine.pack",
        "match": "arena.contests",
        "read_cards": "engine.pack",
        "review": "play.game_review",
        "rules": "engine.rules:find_rules",
        "serve": "players.base",
        "tournament": "arena.contests",
    }

    def __getattr__(name: str) -> object:
        """Load a public name from its module when it is first used."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _MODULES[name].partition(":")
        value = getattr(import_module(f"{__name__}.{module}"), attribute or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
