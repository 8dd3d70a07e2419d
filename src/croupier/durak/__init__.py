"""Durak: write an engine, let engines meet, play and review games, for two by the protocol or for up to six by other rules.

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

from typing import TYPE_CHECKING

from croupier.lazy import lazy_names

if TYPE_CHECKING:
    from croupier.durak.arena.contests import match as match
    from croupier.durak.arena.contests import tournament as tournament
    from croupier.durak.arena.engine_spec import Limits as Limits
    from croupier.durak.arena.match import MatchResult as MatchResult
    from croupier.durak.arena.rating_list import RatingList as RatingList
    from croupier.durak.arena.tournament import TournamentResult as TournamentResult
    from croupier.durak.engine.observation import Observation as Observation
    from croupier.durak.engine.observation import PassOn as PassOn
    from croupier.durak.engine.pack import beats as beats
    from croupier.durak.engine.pack import cards_text as cards_text
    from croupier.durak.engine.pack import read_cards as read_cards
    from croupier.durak.engine.phases import Phase as Phase
    from croupier.durak.engine.rules import DurakRules, find_rules
    from croupier.durak.play.game import Game as Game
    from croupier.durak.play.game_review import Review as Review
    from croupier.durak.play.game_review import review as review
    from croupier.durak.players.base import Engine as Engine
    from croupier.durak.players.base import serve as serve

    Rules = DurakRules
    rules = find_rules
    __all__: list[str]
else:  # hidden from type checkers, so that they refuse a name that is not there
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "arena.contests": "match tournament",
            "arena.engine_spec": "Limits",
            "arena.match": "MatchResult",
            "arena.rating_list": "RatingList",
            "arena.tournament": "TournamentResult",
            "engine.observation": "Observation PassOn",
            "engine.pack": "beats cards_text read_cards",
            "engine.phases": "Phase",
            "engine.rules": "Rules=DurakRules rules=find_rules",
            "play.game": "Game",
            "play.game_review": "Review review",
            "players.base": "Engine serve",
        },
    )
