"""A slot: where two engines play the games of a match, one at a time.

Light on purpose: the process of a slot imports it, and starts without NumPy.
"""

from dataclasses import dataclass, field
from typing import Any

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.entrant import EngineObject, Entrant, object_player
from croupier.durak.arena.game_number import Deal, GameNumber
from croupier.durak.arena.outcome import GameOutcome
from croupier.durak.arena.player import EnginePlayer, Player
from croupier.durak.arena.referee import Listener, PlayedGame, play_game
from croupier.durak.arena.roster import Roster
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.variant_record import VariantRecord


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over: what it means for the match, and its record if one is kept."""

    outcome: GameOutcome
    record: GameRecord | VariantRecord | None


@dataclass(frozen=True, slots=True)
class Fixture:
    """Who plays whom, and everything that the games depend on. With two programs it can be sent to other processes.

    Attributes
    ----------
    first, second
        The engines.
    limits
        How long an answer may take.
    seed
        The seed of the match.
    match_id
        What the games are marked with in a log, for a match that has a save file.
    with_record
        Whether games are recorded.
    rules
        The rules of the games; two play.
    deals
        Fixed deals, one for each pair, over and over; without any, the seed deals.
    """

    first: Entrant
    second: Entrant
    limits: Limits
    seed: int
    match_id: str | None = None
    with_record: bool = False
    rules: DurakRules = field(default_factory=DurakRules)
    deals: tuple[Deal, ...] = ()


class EngineSlot:
    """A slot in which two engines play game after game.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> from croupier.durak.arena.schedule import deal_of_pair
    >>> dummy = read_engine("durak-dummy")
    >>> with Roster() as roster:
    ...     slot = EngineSlot(Fixture(dummy, dummy, Limits(), seed=1), roster)
    ...     game = slot.play(GameNumber(pair=0, is_swapped=False), deal_of_pair(seed=1, pair=0))
    >>> game.outcome.forfeit is None, game.record is None
    (True, True)
    """

    def __init__(self, fixture: Fixture, roster: Roster, listener: Listener | None = None) -> None:
        self._fixture, self._roster, self._listener = fixture, roster, listener
        self._entrants = (fixture.first, fixture.second)
        self._programs = {
            place: EnginePlayer(entrant, fixture.limits, roster)
            for place, entrant in enumerate(self._entrants)
            if isinstance(entrant, EngineSpec)
        }

    def play(self, number: GameNumber, deal: Deal) -> FinishedGame:
        """Play one game of the match.

        Raises
        ------
        RosterClosedError
            If the match was ended meanwhile: then the engine is not at fault.
        """
        players = (self._player(0, number), self._player(1, number))
        game = play_number(players, number, deal, self._listener, self._fixture.rules)
        self._roster.verify_open()
        fixture = self._fixture
        return finished_game(
            game, fixture.seed, number, match_id=fixture.match_id, with_record=fixture.with_record
        )

    def _player(self, place: int, number: GameNumber) -> Player:
        entrant = self._entrants[place]
        if isinstance(entrant, EngineObject):
            return object_player(entrant, self._fixture.seed, number, place)
        return self._programs[place]


def play_number(
    players: tuple[Player, Player],
    number: GameNumber,
    deal: Deal,
    listener: Listener | None = None,
    rules: DurakRules | None = None,
) -> PlayedGame:
    """Play a game of a match; the first engine's player is named first, whatever its seat."""
    seated = players[:: -1 if number.is_swapped else 1]
    return play_game(seated, deal.deck, deal.leader, rules=rules, listener=listener)


def finished_game(
    game: PlayedGame, seed: int, number: GameNumber, *, match_id: str | None = None, with_record: bool
) -> FinishedGame:
    """Return what is kept of a game of a match."""
    if game.result is None:
        raise AssertionError("two play a game of a match")
    outcome = GameOutcome(number, game.result, game.state.leader, game.forfeit)
    if not with_record:
        return FinishedGame(outcome, None)
    if not game.state.rules.is_compiled:
        return FinishedGame(outcome, game.variant_record(seed))
    extra: dict[str, Any] = {
        "seed": seed,
        "pair": number.pair,
        "is_swapped": number.is_swapped,
        "slowest_answers": [round(seconds, 6) for seconds in game.slowest_answers],
    }
    if match_id is not None:
        extra["match_id"] = match_id
    return FinishedGame(outcome, game.record(extra))
