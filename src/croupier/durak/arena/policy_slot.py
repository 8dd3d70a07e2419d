"""Where two policies play the games of a match, without processes of their own."""

from collections.abc import Callable
from dataclasses import dataclass

from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.player import PolicyPlayer
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.slot import FinishedGame, finished_game, play_number
from croupier.durak.engine.observation import Policy
from croupier.numerics.streams import RandomStream

#: Makes the policy of a player in this process for one game, from the game's own seed.
PolicyMaker = Callable[[int], Policy]


@dataclass(frozen=True, slots=True)
class PolicySlot:
    """A table where policies play, each given by a name and its maker; it travels to worker processes."""

    first: tuple[str, PolicyMaker]
    second: tuple[str, PolicyMaker]
    seed: int
    with_record: bool

    def play(self, number: GameNumber) -> FinishedGame:
        """Play one game of the match."""
        players = (self._player(self.first, number, 0), self._player(self.second, number, 1))
        game = play_number(players, number, deal_of_pair(self.seed, number.pair))
        return finished_game(game, self.seed, number, with_record=self.with_record)

    def _player(self, entry: tuple[str, PolicyMaker], number: GameNumber, place: int) -> PolicyPlayer:
        name, maker = entry
        own_seed = RandomStream((self.seed, number.pair, number.is_swapped, place)).below(2**63)
        return PolicyPlayer(name, lambda: maker(own_seed))
