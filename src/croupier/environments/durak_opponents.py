"""Who sits opposite an agent of durak: built-in engines, engine objects, functions, programs."""

from collections.abc import Sequence
from itertools import pairwise

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.entrant import Entrant, EntrantLike, object_player, startable
from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.player import EnginePlayer, Player, PolicyPlayer
from croupier.durak.arena.referee import Conversation, speech_of
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.verdict import EngineFault
from croupier.durak.engine.actions import act
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.built_in import BUILT_IN, BuiltInPlayer, built_in_player
from croupier.environments.durak_steps import Steps
from croupier.errors import InputError

_BUILT_IN_NAMES = {player.name for player in BUILT_IN}


class Opponents:
    """All seats but the agent's. Built-in engines answer from the state; everybody else is told of the game by the protocol.

    Parameters
    ----------
    rules
        The rules of the game.
    named
        One opponent for all other seats, or one a seat.
    """

    def __init__(self, rules: DurakRules, named: EntrantLike | Sequence[EntrantLike]) -> None:
        wanted = rules.players - 1
        opponents: list[EntrantLike] = (
            list(named) if isinstance(named, Sequence) and not isinstance(named, str) else [named] * wanted
        )
        if len(opponents) != wanted:
            raise InputError(f"{len(opponents)} opponents; the rules want {wanted}")
        self._rules = rules
        self._built_in: list[BuiltInPlayer] | None = None
        self._entrants: list[Entrant] = []
        if all(isinstance(name, str) and name in _BUILT_IN_NAMES for name in opponents):
            self._built_in = [built_in_player(str(name)) for name in opponents]
        else:
            programs = [
                built_in_player(name).command if isinstance(name, str) and name in _BUILT_IN_NAMES else name
                for name in opponents
            ]
            self._entrants = startable(programs, rules)
        self._roster = Roster() if self._entrants else None
        self._processes: dict[int, EnginePlayer] = {}
        self._conversation: Conversation | None = None
        self._seed = self._agent = self._games = 0

    def sit_down(self, state: GameState, agent: int, seed: int) -> None:
        """Begin a game in which the agent has this seat."""
        self._agent, self._seed = agent, seed
        self._dismiss()
        if self._built_in is not None:
            return
        self._games += 1
        players: list[Player] = [self._player(place) for place in range(len(self._entrants))]
        players.insert(agent, PolicyPlayer("agent", lambda: lambda _seen: ()))
        self._conversation = Conversation(players, speech_of(self._rules, players), None)
        try:
            self._conversation.seat_players()
            self._conversation.inform(self._conversation.speech.opening(state))
        except EngineFault as fault:
            raise self._blamed(fault) from None

    def play(self, steps: Steps) -> Steps:
        """Return the position after the answer of the opponent in turn."""
        state = steps.state
        if self._built_in is not None:
            assert state.to_act is not None, "somebody is in turn"
            place = state.to_act - (state.to_act > self._agent)
            return steps.answered(self._built_in[place].answer(state, self._seed))
        conversation = self._conversation
        assert conversation is not None, "the opponents sat down"
        asked = conversation.speech.question(state)
        assert asked is not None, "somebody is in turn"
        try:
            after = Steps.of(conversation.decide(state, asked))
        except EngineFault as fault:
            raise self._blamed(fault) from None
        self.tell(steps, after)
        return after

    def tell(self, before: Steps, after: Steps) -> None:
        """Tell everybody what an action has changed; cards that are still being thrown in are nobody's business yet."""
        if self._conversation is None or before.state is after.state:
            return
        try:
            for state, following in _moments(before, after):
                self._conversation.inform(self._conversation.speech.notices(state, following))
        except EngineFault as fault:
            raise self._blamed(fault) from None

    def close(self) -> None:
        """End all programs."""
        self._dismiss()
        if self._roster is not None:
            self._roster.close()

    def _dismiss(self) -> None:
        if self._conversation is not None:
            self._conversation.dismiss_players(None)
            self._conversation = None

    def _player(self, place: int) -> Player:
        entrant = self._entrants[place]
        if not isinstance(entrant, EngineSpec):
            return object_player(entrant, self._seed, GameNumber(self._games, is_swapped=False), place)
        if place not in self._processes:
            assert self._roster is not None, "there are programs"
            self._processes[place] = EnginePlayer(entrant, Limits(), self._roster)
        return self._processes[place]

    def _blamed(self, fault: EngineFault) -> InputError:
        assert self._conversation is not None, "somebody spoke"
        speaker = self._conversation.players[self._conversation.speaker]
        return InputError(f"opponent {speaker.name}: {fault.reason}")


def _moments(before: Steps, after: Steps) -> list[tuple[GameState, GameState]]:
    """List the states from one action to the next: a throw-in that had nothing to add was answered on the way."""
    states = [before.state]
    for action in after.state.history[len(before.state.history) :]:
        states.append(act(states[-1], action))
    return list(pairwise(states))
